//! Keys to buttons and to commands of the window.

use nes::Buttons;
use winit::keyboard::{Key, KeyCode, NamedKey};

use crate::input::opposite;

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

/// The button on `code`, by the key's place: Z and X lie side by side, B left of A, on any layout.
fn button(code: KeyCode) -> Option<Buttons> {
    Some(match code {
        KeyCode::ArrowUp => Buttons::UP,
        KeyCode::ArrowDown => Buttons::DOWN,
        KeyCode::ArrowLeft => Buttons::LEFT,
        KeyCode::ArrowRight => Buttons::RIGHT,
        KeyCode::KeyX => Buttons::A,
        KeyCode::KeyZ => Buttons::B,
        KeyCode::Enter | KeyCode::NumpadEnter => Buttons::START,
        KeyCode::ShiftRight | KeyCode::Backspace => Buttons::SELECT,
        _ => return None,
    })
}

/// The keys held down, oldest first.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Keyboard {
    held: Vec<KeyCode>,
}

impl Keyboard {
    /// A key goes down or up. Answers whether it is one of the game's.
    pub(crate) fn key(&mut self, code: KeyCode, pressed: bool) -> bool {
        if button(code).is_none() {
            return false;
        }
        self.held.retain(|&held| held != code);
        if pressed {
            self.held.push(code);
        }
        true
    }

    /// The window lost the keyboard: what was held is not held any more.
    pub(crate) fn release_all(&mut self) {
        self.held.clear();
    }

    /// The buttons held. Of two opposite directions the one pressed last counts.
    pub(crate) fn buttons(&self) -> Buttons {
        self.held
            .iter()
            .filter_map(|&code| button(code))
            .fold(Buttons::empty(), |held, pressed| (held - opposite(pressed)) | pressed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_has_a_key() {
        let mut keyboard = Keyboard::default();
        for code in [KeyCode::KeyX, KeyCode::KeyZ, KeyCode::Backspace, KeyCode::Enter, KeyCode::ArrowUp] {
            assert!(keyboard.key(code, true));
        }
        assert!(keyboard.key(KeyCode::ArrowRight, true));
        assert_eq!(keyboard.buttons(), Buttons::all() - Buttons::DOWN - Buttons::LEFT);
        keyboard.release_all();
        keyboard.key(KeyCode::ArrowDown, true);
        keyboard.key(KeyCode::ArrowLeft, true);
        assert_eq!(keyboard.buttons(), Buttons::DOWN | Buttons::LEFT);
    }

    #[test]
    fn two_keys_on_one_button_hold_it_until_both_are_up() {
        let mut keyboard = Keyboard::default();
        keyboard.key(KeyCode::ShiftRight, true);
        keyboard.key(KeyCode::Backspace, true);
        keyboard.key(KeyCode::ShiftRight, false);
        assert_eq!(keyboard.buttons(), Buttons::SELECT);
        keyboard.key(KeyCode::Backspace, false);
        assert_eq!(keyboard.buttons(), Buttons::empty());
    }

    #[test]
    fn of_opposite_directions_the_last_counts_and_the_first_comes_back() {
        let mut keyboard = Keyboard::default();
        keyboard.key(KeyCode::ArrowLeft, true);
        keyboard.key(KeyCode::ArrowRight, true);
        assert_eq!(keyboard.buttons(), Buttons::RIGHT);
        keyboard.key(KeyCode::ArrowRight, false);
        assert_eq!(keyboard.buttons(), Buttons::LEFT);
    }

    #[test]
    fn other_keys_are_not_the_games() {
        let mut keyboard = Keyboard::default();
        assert!(!keyboard.key(KeyCode::KeyP, true));
        assert_eq!(keyboard, Keyboard::default());
    }

    #[test]
    fn shortcuts_go_by_what_is_printed_on_the_key() {
        assert_eq!(shortcut(&Key::Named(NamedKey::Escape)), Some(Shortcut::Quit));
        assert_eq!(shortcut(&Key::Character("P".into())), Some(Shortcut::Pause));
        assert_eq!(shortcut(&Key::Character("z".into())), None);
    }
}
