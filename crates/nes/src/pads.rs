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

/// Any pads as one type, so that a run is compiled once for all of them. They are asked at most a
/// few times a frame.
pub(crate) struct AnyPads<'a>(pub(crate) &'a mut dyn Pads);

impl Pads for AnyPads<'_> {
    fn sample(&mut self) -> [Buttons; 2] {
        self.0.sample()
    }
}
