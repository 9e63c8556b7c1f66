//! Keys that ask something of the window; those of the game are in the settings.

use winit::keyboard::{Key, NamedKey};

/// The keys, for a help text: a line each, key and meaning.
pub const KEYS: &str = "\
arrows              directional pad
X, Z                A, B (by place on the keyboard)
Enter               Start
right Shift, Backspace   Select
P                   pause
R                   reset button of the console
M                   mute
F10                 square or television pixels
F11                 full screen
Esc                 quit";

/// What a key asks of the window, not of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shortcut {
    Quit,
    Pause,
    Reset,
    Mute,
    Aspect,
    Fullscreen,
}

/// The shortcut on `key`, by what is printed on it.
pub(crate) fn shortcut(key: &Key) -> Option<Shortcut> {
    match key {
        Key::Named(NamedKey::Escape) => Some(Shortcut::Quit),
        Key::Named(NamedKey::F10) => Some(Shortcut::Aspect),
        Key::Named(NamedKey::F11) => Some(Shortcut::Fullscreen),
        Key::Character(text) if text.eq_ignore_ascii_case("p") => Some(Shortcut::Pause),
        Key::Character(text) if text.eq_ignore_ascii_case("r") => Some(Shortcut::Reset),
        Key::Character(text) if text.eq_ignore_ascii_case("m") => Some(Shortcut::Mute),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortcuts_go_by_what_is_printed_on_the_key() {
        assert_eq!(shortcut(&Key::Named(NamedKey::Escape)), Some(Shortcut::Quit));
        assert_eq!(shortcut(&Key::Character("P".into())), Some(Shortcut::Pause));
        assert_eq!(shortcut(&Key::Character("z".into())), None);
    }
}
