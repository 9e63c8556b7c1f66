//! Letters of a real keyboard, and the keyboard on the screen for pads.

use std::time::Instant;

use winit::keyboard::KeyCode;

use super::UiState;
use crate::ui::keyboard::Key;
use crate::ui::step::Step;

impl UiState {
    /// Letters go into a number or to the list of files, if the menu has either. Returns whether
    /// they did.
    pub(crate) fn type_letters(&mut self, letters: &str) -> bool {
        if self.menu.listening.is_some() {
            return false;
        }
        let typed = self.type_in(letters);
        if let Some(keyboard) = self.menu.keyboard.as_mut().filter(|_| typed) {
            keyboard.by_hand = true;
        }
        typed
    }

    fn type_in(&mut self, letters: &str) -> bool {
        let rows = self.rows();
        let typed = self.menu.type_number(letters, &rows, &mut self.settings)
            || self.menu.type_text(letters, &rows, &mut self.settings)
            || self.menu.type_ahead(letters, &rows, Instant::now());
        self.sync();
        typed
    }

    /// A step while the keyboard on the screen is open: A types, B deletes, and closes it once
    /// nothing is left; Start accepts, the shoulder buttons change the letters.
    pub(super) fn step_on_screen(&mut self, step: Step) {
        let Some(keyboard) = &mut self.menu.keyboard else { return };
        keyboard.by_hand = false;
        match step {
            Step::SectionBefore => keyboard.turn_case(),
            Step::SectionAfter => keyboard.turn_symbols(),
            Step::Enter => {
                let key = keyboard.key();
                self.press_on_screen(key);
            }
            Step::Back => {
                if !self.erase() {
                    self.menu.keyboard = None;
                }
            }
            Step::Type => self.press_on_screen(Key::Done),
            _ => keyboard.step(step),
        }
        self.sync();
    }

    fn erase(&mut self) -> bool {
        let rows = self.rows();
        self.menu.erase_digit(&rows, &mut self.settings)
    }

    /// A key on the screen is pressed, by a pad or by the pointer.
    pub(crate) fn press_on_screen(&mut self, key: Key) {
        match key {
            Key::Letter(letter) => {
                self.type_in(&letter.to_string());
            }
            Key::Space => {
                self.type_in(" ");
            }
            Key::Erase => {
                self.erase();
            }
            Key::Done => {
                let rows = self.rows();
                self.menu.accept_typed(&rows);
            }
            Key::Case | Key::Symbols => {
                if let Some(keyboard) = &mut self.menu.keyboard {
                    if key == Key::Case { keyboard.turn_case() } else { keyboard.turn_symbols() }
                }
            }
        }
        self.sync();
    }

    /// A real key while the keyboard on the screen is open. Returns whether it was for that.
    pub(super) fn key_on_screen(&mut self, code: KeyCode) -> bool {
        let by_hand = self.menu.keyboard.as_ref().is_some_and(|keyboard| keyboard.by_hand);
        match code {
            KeyCode::Escape => self.menu.keyboard = None,
            KeyCode::Enter | KeyCode::NumpadEnter if by_hand => self.press_on_screen(Key::Done),
            KeyCode::Space => {
                self.type_letters(" ");
            }
            KeyCode::Backspace => {
                self.erase();
            }
            _ => return false,
        }
        true
    }
}
