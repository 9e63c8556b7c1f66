//! Standard NES controllers: buttons, and the two ports that clock them.
//!
//! A pad is a shift register. The CPU raises OUT0 (`$4016` bit 0) to load it with the buttons,
//! lowers it, and then clocks one button out with each read of `$4016` (first pad) or `$4017`
//! (second pad). The crate ends at bit 0 of those registers: bits 5–7 are open bus and bits 1–4 are
//! not wired on a console with standard pads, which the mainboard knows about. Nor does it know
//! where the buttons come from: the mainboard hands in a closure, which is called at the last
//! moment that counts.
//!
//! ```
//! use nes_controller::{Buttons, Ports};
//!
//! let mut ports = Ports::new();
//! let pads = [Buttons::A | Buttons::START, Buttons::empty()];
//! ports.write(1, 100, false, || pads); // OUT0 rises as put cycle 101 begins …
//! ports.write(0, 104, false, || pads); // … and falls as put cycle 105 begins
//! let bits: Vec<u8> = (0..9).map(|i| ports.read(0, 108 + 4 * i, || pads)).collect();
//! assert_eq!(bits, [1, 0, 0, 1, 0, 0, 0, 0, 1]); // A, B, Select, Start, Up, Down, Left, Right, then ones
//! ```

#![cfg_attr(not(test), no_std)]

mod buttons;
mod ports;

pub use buttons::Buttons;
pub use ports::Ports;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
