//! The keys that stand for commands.

use nes_debug::command::of_key;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Keys that stand for no command.
pub(super) const OTHERS: &[(&str, &str)] = &[
    ("F1", "the keys"),
    ("Enter", "carries out the line; an empty one says the last again"),
    ("Up Down", "lines of before"),
    ("Tab", "another memory: cpu, ppu, oam, palette, prg, chr"),
    ("PgUp PgDn", "moves in it"),
    ("Ctrl-C", "ends the session"),
];

/// The command that a key stands for.
pub(super) fn command(key: &KeyEvent) -> Option<&'static str> {
    let KeyCode::F(number) = key.code else { return None };
    // Terminals without the extended protocol send F13 and up for Shift with a function key.
    let (number, shift) = match number {
        13..=24 => (number - 12, true),
        _ => (number, key.modifiers.contains(KeyModifiers::SHIFT)),
    };
    of_key(number, shift)
}

#[cfg(test)]
mod tests {
    use nes_debug::command::{KEYS, Key};

    use super::*;

    #[test]
    fn every_key_stands_for_a_command_and_is_in_the_document() {
        let document = include_str!("../../../../../docs/debugger.md");
        for Key { number, shift, about, command } in KEYS {
            let name = command.split(' ').next().unwrap_or_default();
            assert!(nes_debug::command::Command::of_name(name).is_some(), "{command}");
            let key = if *shift { format!("Shift-F{number}") } else { format!("F{number}") };
            assert!(
                document.contains(&format!("| {key} | {about} |")),
                "docs/debugger.md lacks {key}: {about}"
            );
        }
        for (key, about) in OTHERS {
            assert!(
                document.contains(&format!("| {key} | {about} |")),
                "docs/debugger.md lacks {key}: {about}"
            );
        }
    }

    #[test]
    fn shift_may_come_as_a_higher_number() {
        let press = |code, modifiers| command(&KeyEvent::new(code, modifiers));
        assert_eq!(press(KeyCode::F(11), KeyModifiers::SHIFT), Some("back"));
        assert_eq!(press(KeyCode::F(23), KeyModifiers::NONE), Some("back"));
        assert_eq!(press(KeyCode::F(11), KeyModifiers::NONE), Some("step"));
        assert_eq!(press(KeyCode::F(1), KeyModifiers::NONE), None);
    }
}
