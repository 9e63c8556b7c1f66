//! The keys that are down.

use winit::keyboard::KeyCode;

use crate::ui::shortcut::Shortcut;

/// The keys that are down, and the shortcuts that last as long as theirs is.
#[derive(Debug, Default)]
pub(super) struct HeldKeys {
    codes: Vec<KeyCode>,
    shortcuts: Vec<Shortcut>,
}

impl HeldKeys {
    /// Returns the keys that are down.
    pub(super) fn codes(&self) -> &[KeyCode] {
        &self.codes
    }

    /// Takes note that a key goes down or up.
    pub(super) fn key(&mut self, code: KeyCode, pressed: bool) {
        self.codes.retain(|&key| key != code);
        if pressed {
            self.codes.push(code);
        }
    }

    /// Takes note that the key of a lasting shortcut goes down or up.
    pub(super) fn shortcut(&mut self, shortcut: Shortcut, pressed: bool) {
        self.shortcuts.retain(|&held| held != shortcut);
        if pressed {
            self.shortcuts.push(shortcut);
        }
    }

    /// Returns whether a lasting shortcut is held.
    pub(super) fn has_shortcut(&self) -> bool {
        !self.shortcuts.is_empty()
    }

    /// Releases all keys.
    pub(super) fn release(&mut self) {
        self.codes.clear();
    }

    /// Takes the lasting shortcuts that were held, which are held no longer.
    pub(super) fn take_shortcuts(&mut self) -> Vec<Shortcut> {
        std::mem::take(&mut self.shortcuts)
    }
}
