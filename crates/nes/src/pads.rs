//! Where the buttons come from.

use nes_controller::{Buttons, Extra, Held};

/// The two controllers' buttons, asked for at the moment that the console latches them.
pub trait Pads {
    /// What is held on ports 1 and 2 right now.
    fn sample(&mut self) -> [Buttons; 2];

    /// What is held on other devices right now, as far as [`crate::Config::devices`] has them.
    fn extra(&mut self) -> Extra {
        Extra::None
    }

    /// All that is held right now.
    fn held(&mut self) -> Held {
        Held { pads: self.sample(), extra: self.extra() }
    }
}

/// Buttons that do not change during the run.
impl Pads for [Buttons; 2] {
    fn sample(&mut self) -> [Buttons; 2] {
        *self
    }
}

/// The same with what is held on other devices.
impl Pads for Held {
    fn sample(&mut self) -> [Buttons; 2] {
        self.pads
    }

    fn extra(&mut self) -> Extra {
        self.extra
    }
}

/// Any pads as one type, so that a run is compiled once for all of them. They are asked at most a
/// few times a frame.
pub(crate) struct AnyPads<'a>(pub(crate) &'a mut dyn Pads);

impl Pads for AnyPads<'_> {
    fn sample(&mut self) -> [Buttons; 2] {
        self.0.sample()
    }

    fn extra(&mut self) -> Extra {
        self.0.extra()
    }

    fn held(&mut self) -> Held {
        self.0.held()
    }
}
