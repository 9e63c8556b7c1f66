//! What the documentation says about this crate.

const DOCUMENT: &str = include_str!("../../../../docs/desktop.md");

#[test]
fn every_key_of_the_help_is_in_the_document() {
    let help = desktop::keys();
    assert!(help.lines().count() > 20);
    for line in help.lines() {
        let (keys, meaning) = line.split_at(24);
        let row = format!("| {} | {meaning} |\n", keys.trim_end());
        assert!(DOCUMENT.contains(&row), "{row}");
    }
}
