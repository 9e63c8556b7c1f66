//! What the page's files must agree on with the machine, and with each other.

use std::fs;
use std::path::PathBuf;

use web::Machine;

fn sources() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("www")
}

fn source(name: &str) -> String {
    fs::read_to_string(sources().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_method_that_the_worker_passes_on_is_there() {
    let worker = source("machine.js");
    let passed = worker.split("const PASSED = new Set([").nth(1).and_then(|rest| rest.split(']').next());
    let binding = include_str!("../../src/binding.rs");
    let mut count = 0;
    for name in passed.expect("the list").split(',').map(|name| name.trim().trim_matches('\'')) {
        assert!(binding.contains(&format!("pub fn {name}(")), "{name}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn every_element_that_the_scripts_ask_for_is_in_the_page() {
    let page = source("index.html");
    let mut count = 0;
    for entry in fs::read_dir(sources()).unwrap() {
        let path = entry.unwrap().path();
        let script = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.extension().is_none_or(|ending| ending != "js") {
            continue;
        }
        let text = source(&script);
        for call in ["element('", "button('", "click('", "setting('"] {
            for rest in text.split(call).skip(1) {
                let id = rest.split('\'').next().unwrap_or_default();
                assert!(page.contains(&format!("id=\"{id}\"")), "{script} asks for {id}");
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn the_page_names_nothing_outside_of_itself_and_runs_no_script_of_its_own() {
    for entry in fs::read_dir(sources()).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for outside in ["http:", "https:", "//cdn", "eval(", "innerHTML", "document.write", "style=\""] {
            assert!(!text.contains(outside), "{}: {outside}", path.display());
        }
    }
    let page = source("index.html");
    let policy =
        page.split("Content-Security-Policy\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
    let policy = policy.expect("the policy");
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe-inline"), "{policy}");
    for script in page.split("<script").skip(1) {
        assert!(script.contains("src="), "no script between the lines: {script:.60}");
    }
    for event in [" onclick=", " onload=", " onkeydown="] {
        assert!(!page.contains(event), "{event}");
    }
}

#[test]
fn every_control_has_a_name_for_who_cannot_see_it() {
    let page = source("index.html");
    for tag in ["<input", "<select"] {
        for (at, _) in page.match_indices(tag) {
            let control = &page[at..];
            let control = &control[..control.find('>').unwrap()];
            let id =
                control.split("id=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
            let before = &page[..at];
            let inside = before.rfind("<label").is_some_and(|label| !before[label..].contains("</label>"));
            assert!(inside || page.contains(&format!("for=\"{id}\"")), "{control}");
        }
    }
    for (at, _) in page.match_indices("<canvas") {
        let canvas = &page[at..];
        assert!(canvas[..canvas.find('>').unwrap()].contains("aria-label="));
    }
    assert!(page.contains("<html lang=\"en\">"));
}

#[test]
fn modes_and_options_are_listed_with_what_they_take() {
    let modes = Machine::modes();
    assert_eq!(crate::field(&modes, "/modes").as_array().map(Vec::len), Some(21));
    assert_eq!(crate::field(&modes, "/options/0/name"), "level");
    assert_eq!(crate::field(&modes, "/modes/2/usual"), "seed=101010");
}

/// A colour of a theme of the style sheet as WCAG's relative luminance.
fn luminance(theme: &str, name: &str) -> f64 {
    let digits = theme.split(&format!("--{name}: #")).nth(1).and_then(|rest| rest.get(..6));
    let number = u32::from_str_radix(digits.expect(name), 16).expect("six digits");
    let part = |shift: u32| {
        let value = f64::from(number >> shift & 0xFF) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
}

#[test]
fn text_stands_out_from_what_is_behind_it_in_both_themes() {
    let style = source("style.css");
    let themes: Vec<&str> = style.split("{ color-scheme: ").skip(1).take(2).collect();
    assert_eq!(themes.len(), 2);
    for theme in themes {
        for text in ["text", "soft", "accent", "blue", "best", "fine", "slip", "mistake", "blunder"] {
            for behind in ["ground", "rail", "card", "raised"] {
                let pair = [luminance(theme, text), luminance(theme, behind)];
                let contrast = (pair[0].max(pair[1]) + 0.05) / (pair[0].min(pair[1]) + 0.05);
                assert!(contrast >= 4.5, "{text} on {behind}: {contrast:.1}");
            }
        }
    }
}
