//! The pages that are served: plain HTML, CSS and ES modules, built into the program.

use crate::plain::plain;

/// A page.
pub(super) struct Page {
    /// Its kind, as HTTP names it.
    pub(super) kind: &'static str,
    pub(super) text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
pub(super) const CSS: &str = "text/css; charset=utf-8";
const MODULE: &str = "text/javascript; charset=utf-8";

/// Path, kind and text of each.
const PAGES: &[(&str, &str, &str)] = &[
    ("/", HTML, include_str!("../../pages/index.html")),
    ("/overlay", HTML, include_str!("../../pages/overlay.html")),
    ("/overlay.css", CSS, include_str!("../../pages/overlay.css")),
    ("/overlay.js", MODULE, include_str!("../../pages/overlay.js")),
    ("/connection.js", MODULE, include_str!("../../pages/connection.js")),
    ("/field.js", MODULE, include_str!("../../pages/field.js")),
    ("/replay.js", MODULE, include_str!("../../pages/replay.js")),
    ("/theme.js", MODULE, include_str!("../../pages/theme.js")),
];

/// The page at a path.
pub(super) fn page(path: &str) -> Option<Page> {
    PAGES.iter().find(|(at, ..)| *at == path).map(|&(_, kind, text)| Page { kind, text })
}

/// Where the streamer's own rules of style are.
pub(super) const OWN_CSS: &str = "/own.css";

/// What may stand in the address of the overlay: the name, and the values where not any will do.
const OPTIONS: [(&str, &[&str]); 9] = [
    ("layout", &["one", "two", "stats", "commentator", "scene"]),
    ("player", &["1", "2", "3", "4", "5", "6", "7", "8"]),
    ("name", &[]),
    ("name2", &[]),
    ("theme", &["level", "grey"]),
    ("background", &["transparent", "dark"]),
    ("canvas", &["plain", "direct"]),
    ("replay", &["on", "off"]),
    ("token", &[]),
];

/// What is wrong with the address of the overlay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum OptionError {
    #[error("{0}: not an option of the overlay: expected {names}", names = names())]
    Name(String),
    #[error("{name}={found}: expected {expected}")]
    Value { name: &'static str, found: String, expected: String },
}

fn names() -> String {
    let names: Vec<_> = OPTIONS.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

/// Looks at what follows the `?` of a page's address.
pub(super) fn check(path: &str, query: &str) -> Result<(), OptionError> {
    if path != "/overlay" {
        return Ok(());
    }
    for word in query.split('&').filter(|word| !word.is_empty()) {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let Some((name, values)) = OPTIONS.iter().find(|(known, _)| *known == name) else {
            return Err(OptionError::Name(plain(name)));
        };
        let is_level = *name == "theme" && value.parse::<u8>().is_ok();
        if !values.is_empty() && !is_level && !values.contains(&value) {
            let level = if *name == "theme" { " or a level" } else { "" };
            let expected = format!("{}{level}", values.join(", "));
            return Err(OptionError::Value { name, found: plain(value), expected });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LAYOUTS;

    #[test]
    fn options_that_no_page_has_are_refused_with_those_that_it_has() {
        for query in [
            "",
            "layout=two&player=2&theme=18&background=dark&replay=on",
            "layout=scene&canvas=plain&name=Ada%20B&name2=",
            "theme=grey&token=abc",
        ] {
            assert_eq!(check("/overlay", query), Ok(()), "{query}");
        }
        for (query, message) in [
            ("layout=three", "layout=three: expected one, two, stats, commentator, scene"),
            ("layuot=two", "layuot: not an option of the overlay: expected layout, player"),
            ("theme=", "theme=: expected level, grey or a level"),
            ("player=9", "expected 1, 2"),
            ("a%1b", "a%1b: not an option"),
        ] {
            let error = check("/overlay", query).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        assert_eq!(check("/", "anything=1"), Ok(()));
        for layout in LAYOUTS {
            assert_eq!(check("/overlay", &format!("layout={layout}")), Ok(()));
        }
    }

    /// Luminance of a colour of three numbers (WCAG 2.2).
    fn luminance(colour: [f64; 3]) -> f64 {
        let part = colour.map(|part| {
            let part = part / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2]
    }

    fn hex(text: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap().into())
    }

    /// The value of a name of the sheet of styles.
    fn of_sheet(name: &str) -> &'static str {
        let css = include_str!("../../pages/overlay.css");
        css.split(&format!("--{name}: ")).nth(1).unwrap().split(';').next().unwrap()
    }

    /// On a white scene, which is the worst for light letters.
    #[test]
    fn texts_are_legible_on_a_white_scene() {
        let ground: Vec<f64> = of_sheet("ground")
            .trim_start_matches("rgb(")
            .split([' ', '/', '%', ')'])
            .filter_map(|word| word.parse().ok())
            .collect();
        let share = ground[3] / 100.0;
        let behind = [0, 1, 2].map(|part| share * ground[part] + (1.0 - share) * 255.0);
        for name in ["ink", "soft", "bad", "good"] {
            let contrast = (luminance(hex(of_sheet(name))) + 0.05) / (luminance(behind) + 0.05);
            assert!(contrast >= 4.5, "{name}: {contrast:.2} to 1");
        }
        // Every text has that ground: names, leads, boxes and what covers the field.
        let css = include_str!("../../pages/overlay.css");
        for part in [".name", ".lead", ".box", ".frame", ".wins", ".winner"] {
            let rules = css.split(&format!("\n{part} {{")).nth(1).and_then(|rest| rest.split('}').next());
            assert!(rules.is_some_and(|rules| rules.contains("var(--ground)")), "{part}");
        }
    }
}
