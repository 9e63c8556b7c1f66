//! The keys that stand for commands.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Key, with Shift or without, what it does, and the command that it stands for.
pub(super) const KEYS: &[(u8, bool, &str, &str)] = &[
    (5, false, "run until a breakpoint stops it; any key stops it", "run"),
    (5, true, "back to the end of the last frame", "back frame"),
    (6, false, "a frame", "step frame"),
    (6, true, "ten frames back", "back 10 frames"),
    (7, false, "to the next spawn", "step spawn"),
    (7, true, "to the last spawn", "back spawn"),
    (8, false, "to the next lock", "step lock"),
    (8, true, "to the last lock", "back lock"),
    (9, false, "a line of the PPU", "step line"),
    (9, true, "a line back", "back line"),
    (10, false, "over the subroutine", "over"),
    (10, true, "back over the subroutine", "back over"),
    (11, false, "an instruction", "step"),
    (11, true, "an instruction back", "back"),
    (12, false, "out of the subroutine", "out"),
    (12, true, "back to where it was called", "back out"),
];

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
    KEYS.iter()
        .find(|(known, with, ..)| (*known, *with) == (number, shift))
        .map(|&(_, _, _, command)| command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_stands_for_a_command_and_is_in_the_document() {
        let document = include_str!("../../../../../docs/debugger.md");
        for (number, shift, about, command) in KEYS {
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
