//! Keys as terminals send them.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{KeyCode as Typed, KeyEvent, KeyModifiers, ModifierKeyCode};
use winit::keyboard::{Key, KeyCode, NamedKey};

use crate::ui::shortcut::{Shortcut, shortcut};

/// Returns the key's place, as far as what it types tells it, and its shortcut.
pub(super) fn translate(event: &KeyEvent) -> Option<(KeyCode, Option<Shortcut>)> {
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    let named = |code, name| Some((code, Key::Named(name)));
    let (code, key) = match event.code {
        Typed::Esc => named(KeyCode::Escape, NamedKey::Escape),
        Typed::Enter => named(KeyCode::Enter, NamedKey::Enter),
        Typed::Tab => named(KeyCode::Tab, NamedKey::Tab),
        Typed::Backspace => named(KeyCode::Backspace, NamedKey::Backspace),
        Typed::Up => named(KeyCode::ArrowUp, NamedKey::ArrowUp),
        Typed::Down => named(KeyCode::ArrowDown, NamedKey::ArrowDown),
        Typed::Left => named(KeyCode::ArrowLeft, NamedKey::ArrowLeft),
        Typed::Right => named(KeyCode::ArrowRight, NamedKey::ArrowRight),
        Typed::Home => named(KeyCode::Home, NamedKey::Home),
        Typed::End => named(KeyCode::End, NamedKey::End),
        Typed::PageUp => named(KeyCode::PageUp, NamedKey::PageUp),
        Typed::PageDown => named(KeyCode::PageDown, NamedKey::PageDown),
        Typed::Modifier(ModifierKeyCode::RightShift) => named(KeyCode::ShiftRight, NamedKey::Shift),
        Typed::F(number) => {
            let (code, name) = FUNCTION_KEYS.get(usize::from(number).checked_sub(1)?)?;
            named(*code, *name)
        }
        Typed::Char(letter) => Some((place(letter)?, Key::Character(letter.to_string().as_str().into()))),
        _ => None,
    }?;
    Some((code, shortcut(&key, control)))
}

const FUNCTION_KEYS: [(KeyCode, NamedKey); 12] = [
    (KeyCode::F1, NamedKey::F1),
    (KeyCode::F2, NamedKey::F2),
    (KeyCode::F3, NamedKey::F3),
    (KeyCode::F4, NamedKey::F4),
    (KeyCode::F5, NamedKey::F5),
    (KeyCode::F6, NamedKey::F6),
    (KeyCode::F7, NamedKey::F7),
    (KeyCode::F8, NamedKey::F8),
    (KeyCode::F9, NamedKey::F9),
    (KeyCode::F10, NamedKey::F10),
    (KeyCode::F11, NamedKey::F11),
    (KeyCode::F12, NamedKey::F12),
];

/// Returns where the letter is on a US keyboard: a terminal does not tell places.
fn place(letter: char) -> Option<KeyCode> {
    const LETTERS: [KeyCode; 26] = [
        KeyCode::KeyA,
        KeyCode::KeyB,
        KeyCode::KeyC,
        KeyCode::KeyD,
        KeyCode::KeyE,
        KeyCode::KeyF,
        KeyCode::KeyG,
        KeyCode::KeyH,
        KeyCode::KeyI,
        KeyCode::KeyJ,
        KeyCode::KeyK,
        KeyCode::KeyL,
        KeyCode::KeyM,
        KeyCode::KeyN,
        KeyCode::KeyO,
        KeyCode::KeyP,
        KeyCode::KeyQ,
        KeyCode::KeyR,
        KeyCode::KeyS,
        KeyCode::KeyT,
        KeyCode::KeyU,
        KeyCode::KeyV,
        KeyCode::KeyW,
        KeyCode::KeyX,
        KeyCode::KeyY,
        KeyCode::KeyZ,
    ];
    const DIGITS: [KeyCode; 10] = [
        KeyCode::Digit0,
        KeyCode::Digit1,
        KeyCode::Digit2,
        KeyCode::Digit3,
        KeyCode::Digit4,
        KeyCode::Digit5,
        KeyCode::Digit6,
        KeyCode::Digit7,
        KeyCode::Digit8,
        KeyCode::Digit9,
    ];
    match letter.to_ascii_lowercase() {
        letter @ 'a'..='z' => Some(LETTERS[usize::from(letter as u8 - b'a')]),
        digit @ '0'..='9' => Some(DIGITS[usize::from(digit as u8 - b'0')]),
        ' ' => Some(KeyCode::Space),
        '-' => Some(KeyCode::Minus),
        '+' | '=' => Some(KeyCode::Equal),
        ',' => Some(KeyCode::Comma),
        '.' => Some(KeyCode::Period),
        _ => None,
    }
}

/// How long a key counts as held after a single press, and after one of a row of repeats. Keyboards
/// repeat every 25–50 ms, and begin to after 250–600 ms.
const TAP: Duration = Duration::from_millis(90);
const REPEAT: Duration = Duration::from_millis(120);
const FIRST_REPEAT: Duration = Duration::from_millis(700);

/// Guesses when keys are let go, for terminals that do not tell.
#[derive(Debug, Default)]
pub(super) struct Typist {
    held: Vec<Held>,
    /// The key let go last, and when it was pressed: the next press of it may be its repeat.
    last: Option<(KeyCode, Instant)>,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    code: KeyCode,
    shortcut: Option<Shortcut>,
    pressed: Instant,
    until: Instant,
}

impl Typist {
    /// A key is typed. Returns whether it goes down: it does not when it is down already.
    pub(super) fn press(&mut self, code: KeyCode, shortcut: Option<Shortcut>, now: Instant) -> bool {
        if let Some(held) = self.held.iter_mut().find(|held| held.code == code) {
            (held.pressed, held.until) = (now, now + REPEAT);
            return false;
        }
        let repeats = self.last.is_some_and(|(last, pressed)| last == code && now - pressed < FIRST_REPEAT);
        let stay = if repeats { REPEAT } else { TAP };
        self.held.push(Held { code, shortcut, pressed: now, until: now + stay });
        true
    }

    /// Returns the keys that are let go by `now`.
    pub(super) fn let_go(&mut self, now: Instant) -> Vec<(KeyCode, Option<Shortcut>)> {
        let (gone, held): (Vec<Held>, _) = self.held.iter().partition(|held| held.until <= now);
        self.held = held;
        if let Some(last) = gone.last() {
            self.last = Some((last.code, last.pressed));
        }
        gone.into_iter().map(|held| (held.code, held.shortcut)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(code: Typed) -> Option<(KeyCode, Option<Shortcut>)> {
        translate(&KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn the_games_keys_and_the_shortcuts_are_those_of_the_window() {
        for (letter, code) in [('x', KeyCode::KeyX), ('Z', KeyCode::KeyZ)] {
            assert_eq!(typed(Typed::Char(letter)), Some((code, None)));
        }
        assert_eq!(typed(Typed::Left), Some((KeyCode::ArrowLeft, None)));
        assert_eq!(typed(Typed::Esc), Some((KeyCode::Escape, Some(Shortcut::Menu))));
        assert_eq!(typed(Typed::F(12)), Some((KeyCode::F12, Some(Shortcut::Screenshot))));
        assert_eq!(typed(Typed::Char('7')), Some((KeyCode::Digit7, Some(Shortcut::Slot(7)))));
        for nothing in [Typed::F(0), Typed::F(20), Typed::Char('é'), Typed::Insert] {
            assert_eq!(typed(nothing), None);
        }
    }

    #[test]
    fn a_tap_is_let_go_soon_and_a_row_of_repeats_holds() {
        let mut typist = Typist::default();
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        assert!(typist.press(KeyCode::ArrowLeft, None, at(0)));
        assert!(typist.let_go(at(50)).is_empty());
        assert_eq!(typist.let_go(at(100)).len(), 1);
        assert!(typist.press(KeyCode::ArrowLeft, None, at(400)), "the keyboard begins to repeat");
        for time in (433..1000).step_by(33) {
            assert!(typist.let_go(at(time)).is_empty(), "{time}");
            assert!(!typist.press(KeyCode::ArrowLeft, None, at(time)));
        }
        assert_eq!(typist.let_go(at(1200)).len(), 1);
    }
}
