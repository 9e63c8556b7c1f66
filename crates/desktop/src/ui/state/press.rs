//! A position that stands still until the player's first press.

use super::UiState;
use crate::messages::command::Command;
use crate::messages::status::MessageKind;

impl UiState {
    /// The game stands still until the player presses something that is the game's.
    pub(super) fn wait_for_press(&mut self) {
        self.pause.set_on();
        self.handle.send(Command::Pause);
        self.waits_for_press = true;
        self.say(MessageKind::Note, "the position starts at your first press");
    }

    /// Lets a game that waits for a press go on after one.
    pub(super) fn go_on_after_press(&mut self, pressed: bool) {
        if pressed && std::mem::take(&mut self.waits_for_press) && self.pause.is_on() {
            self.pause.toggle();
        }
    }
}
