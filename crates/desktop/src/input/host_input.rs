//! Keys and pointer as scripts see them: all of the keyboard, by FCEUX's names.

use nes_lua::Input;
use winit::event::MouseButton;
use winit::keyboard::KeyCode;

/// What is held on the desktop, and where the pointer is.
#[derive(Debug, Clone, Default)]
pub(crate) struct HostInput {
    /// In dots of the picture, from its upper left corner; beyond it where the pointer is.
    pub(crate) pointer: (i32, i32),
    keys: Vec<KeyCode>,
    buttons: Vec<MouseButton>,
}

impl HostInput {
    /// A key goes down or up.
    pub(crate) fn key(&mut self, code: KeyCode, pressed: bool) {
        self.keys.retain(|&key| key != code);
        if pressed {
            self.keys.push(code);
        }
    }

    /// A button of the mouse goes down or up.
    pub(crate) fn click(&mut self, button: MouseButton, pressed: bool) {
        self.buttons.retain(|&other| other != button);
        if pressed {
            self.buttons.push(button);
        }
    }

    /// Nothing is held any more.
    pub(crate) fn release(&mut self) {
        self.keys.clear();
        self.buttons.clear();
    }

    /// By the names that scripts know.
    pub(crate) fn for_scripts(&self) -> Input {
        let buttons = self.buttons.iter().filter_map(|button| match button {
            MouseButton::Left => Some("leftclick".to_owned()),
            MouseButton::Middle => Some("middleclick".to_owned()),
            MouseButton::Right => Some("rightclick".to_owned()),
            _ => None,
        });
        let held = self.keys.iter().filter_map(|&key| name(key)).chain(buttons).collect();
        Input { pointer: self.pointer, held }
    }
}

/// Returns what FCEUX calls a key; none for those that it does not know.
fn name(key: KeyCode) -> Option<String> {
    let label = format!("{key:?}");
    if let Some(letter) = ["Key", "Digit"].iter().find_map(|prefix| label.strip_prefix(prefix)) {
        return Some(letter.to_owned());
    }
    if label.strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok()) {
        return Some(label);
    }
    if let Some(number) = label.strip_prefix("Numpad").filter(|rest| rest.len() == 1) {
        return Some(format!("numpad{number}"));
    }
    let name = match key {
        KeyCode::ShiftLeft | KeyCode::ShiftRight => "shift",
        KeyCode::ControlLeft | KeyCode::ControlRight => "control",
        KeyCode::AltLeft | KeyCode::AltRight => "alt",
        KeyCode::Backspace => "backspace",
        KeyCode::Tab => "tab",
        KeyCode::Enter | KeyCode::NumpadEnter => "enter",
        KeyCode::Pause => "pause",
        KeyCode::CapsLock => "capslock",
        KeyCode::NumLock => "numlock",
        KeyCode::ScrollLock => "scrolllock",
        KeyCode::Escape => "escape",
        KeyCode::Space => "space",
        KeyCode::PageUp => "pageup",
        KeyCode::PageDown => "pagedown",
        KeyCode::Home => "home",
        KeyCode::End => "end",
        KeyCode::Insert => "insert",
        KeyCode::Delete => "delete",
        KeyCode::ArrowLeft => "left",
        KeyCode::ArrowUp => "up",
        KeyCode::ArrowRight => "right",
        KeyCode::ArrowDown => "down",
        KeyCode::NumpadMultiply => "numpad*",
        KeyCode::NumpadAdd => "numpad+",
        KeyCode::NumpadSubtract => "numpad-",
        KeyCode::NumpadDecimal => "numpad.",
        KeyCode::NumpadDivide => "numpad/",
        KeyCode::Semicolon => "semicolon",
        KeyCode::Equal => "plus",
        KeyCode::Comma => "comma",
        KeyCode::Minus => "minus",
        KeyCode::Period => "period",
        KeyCode::Slash => "slash",
        KeyCode::Backquote => "tilde",
        KeyCode::BracketLeft => "leftbracket",
        KeyCode::BracketRight => "rightbracket",
        KeyCode::Backslash => "backslash",
        KeyCode::Quote => "quote",
        _ => return None,
    };
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_clicks_have_the_names_that_scripts_ask_for_while_they_are_held() {
        let mut host_input = HostInput::default();
        let keys = [KeyCode::KeyA, KeyCode::Digit7, KeyCode::F12, KeyCode::Numpad3, KeyCode::Space];
        for key in keys.into_iter().chain([KeyCode::BrowserBack, KeyCode::KeyA]) {
            host_input.key(key, true);
        }
        host_input.click(MouseButton::Left, true);
        host_input.pointer = (-3, 200);
        let seen = host_input.for_scripts();
        assert_eq!(seen.pointer, (-3, 200));
        assert_eq!(seen.held, ["7", "F12", "numpad3", "space", "A", "leftclick"]);
        host_input.key(KeyCode::KeyA, false);
        host_input.click(MouseButton::Left, false);
        assert_eq!(host_input.for_scripts().held.len(), 4);
        host_input.release();
        assert!(host_input.for_scripts().held.is_empty());
    }
}
