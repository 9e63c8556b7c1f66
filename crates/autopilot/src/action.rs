//! What the player does in a frame.

use nes::Buttons;
use tetris::ram::Variable;

/// Buttons, and writes to RAM before the frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Action {
    /// To hold on the first pad.
    pub buttons: Buttons,
    /// Places of RAM and what to write to the first byte of each: none where buttons are enough.
    pub pokes: Vec<(Variable, u8)>,
}

impl Action {
    pub(crate) fn poke(&mut self, place: Variable, value: u8) {
        self.pokes.push((place, value));
    }
}
