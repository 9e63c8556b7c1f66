//! Where the window's colours are named.

use super::Finding;

/// The files of the window's interface.
const INTERFACE: &str = "crates/desktop/src/ui/";

/// The file that names all colours.
const THEME: &str = "crates/desktop/src/ui/theme.rs";

/// What names a colour.
const NAMES: [&str; 3] = ["Color32::from_", "Rgba::from_", "Color32::"];

/// Finds colours that are named outside of the theme, in which a test measures their contrast.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    if !path.starts_with(INTERFACE) || path == THEME || path.ends_with("tests.rs") {
        return vec![];
    }
    // Tests come last in a file.
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let names_one = |line: &str| {
        // No colour at all is none of the theme's.
        let line = line.replace("Color32::TRANSPARENT", "");
        NAMES.iter().any(|name| line.contains(name)) && !line.trim_start().starts_with("//")
    };
    let found = (1..).zip(code.lines()).filter(|(_, line)| names_one(line));
    found
        .map(|(number, _)| {
            Finding::new(
                path,
                number,
                "a colour is named here: add it to the theme, `crates/desktop/src/ui/theme.rs`",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_found_outside_of_the_theme() {
        let text = "use egui::Color32;\nlet a = Color32::from_rgb(1, 2, 3);\nlet b = Color32::TRANSPARENT;\n\
                    let c = egui::Color32::RED;\n#[cfg(test)]\nmod tests { Color32::RED }\n";
        let lines = |path: &str| check(path, text).len();
        assert_eq!(lines("crates/desktop/src/ui/pages/home.rs"), 2);
        assert_eq!(
            lines(THEME) + lines("crates/desktop/src/ui/menu/tests.rs") + lines("crates/nes/src/lib.rs"),
            0
        );
    }
}
