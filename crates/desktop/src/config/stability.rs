//! What docs/stability.md promises of settings: a file as version 1.0.0 writes it, and a line for
//! each value that its menus give, are understood.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use toml_edit::{DocumentMut, Item};

use super::ConfigFile;
use super::settings::Settings;
use super::table::{Setting, TABLE};

/// Steps of a number from its default that have a line.
const STEPS: i32 = 3;

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stable").join(name)
}

/// What menus can make of each setting in a few steps, as lines of the file.
fn values() -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for (setting, row) in Setting::ALL.iter().zip(TABLE) {
        for by in [1, -1] {
            let mut settings = Settings::default();
            for _ in 0..STEPS {
                setting.step(&mut settings, by);
                let text = ConfigFile::edited_text("", &Settings::default(), &settings);
                let document: DocumentMut = text.parse().expect("what was just written");
                let mut item = document.as_item();
                for key in row.key.split('.') {
                    item = item.get(key).unwrap_or(&Item::None);
                }
                let value = item.as_value().expect("a value, not a table");
                lines.insert(format!("{} = {}", row.key, value.clone().decorated("", "")));
            }
        }
    }
    lines
}

/// With `MAXOUT_RECORD` set, what was added since is written down, too.
#[test]
fn the_settings_of_version_1_are_understood() {
    if env::var_os("MAXOUT_RECORD").is_some() {
        let usual = ConfigFile::edited_text("", &Settings::default(), &Settings::default());
        fs::write(place("settings.toml"), usual).expect("a file");
        let known = fs::read_to_string(place("values.txt")).unwrap_or_default();
        let lines: BTreeSet<String> = values().into_iter().chain(known.lines().map(str::to_owned)).collect();
        fs::write(place("values.txt"), lines.into_iter().collect::<Vec<_>>().join("\n") + "\n")
            .expect("a file");
        return;
    }
    let usual = fs::read_to_string(place("settings.toml")).expect("the file as it was written");
    let (settings, warnings) = ConfigFile::of_text(PathBuf::new(), &usual);
    assert!(settings.is_some() && warnings.is_empty(), "{warnings:?}");
    let known = fs::read_to_string(place("values.txt")).expect("the values that there were");
    for line in known.lines() {
        let (settings, warnings) = ConfigFile::of_text(PathBuf::new(), line);
        assert!(settings.is_some() && warnings.is_empty(), "{line}: {warnings:?}");
    }
    assert!(known.lines().count() > 150, "not whole");
}
