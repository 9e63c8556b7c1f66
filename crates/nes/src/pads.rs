//! Where the buttons come from.

use nes_controller::Buttons;

/// The two controllers' buttons, asked for at the moment that the console latches them.
pub trait Pads {
    /// What is held on ports 1 and 2 right now.
    fn sample(&mut self) -> [Buttons; 2];
}

/// Buttons that do not change during the run.
impl Pads for [Buttons; 2] {
    fn sample(&mut self) -> [Buttons; 2] {
        *self
    }
}
