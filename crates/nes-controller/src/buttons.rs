//! The eight buttons of a standard pad.

use bitflags::bitflags;

bitflags! {
    /// Buttons held on one pad, in the order in which they are shifted out, first in bit 7:
    ///
    /// ```text
    /// 7 6 5      4     3  2    1    0
    /// A B Select Start Up Down Left Right
    /// ```
    ///
    /// Source: NESdev, "Standard controller".
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Buttons: u8 {
        /// The A button, shifted out first.
        const A = 0x80;
        /// The B button.
        const B = 0x40;
        /// Select.
        const SELECT = 0x20;
        /// Start.
        const START = 0x10;
        /// Up on the directional pad.
        const UP = 0x08;
        /// Down on the directional pad.
        const DOWN = 0x04;
        /// Left on the directional pad.
        const LEFT = 0x02;
        /// Right on the directional pad, shifted out last.
        const RIGHT = 0x01;
    }
}
