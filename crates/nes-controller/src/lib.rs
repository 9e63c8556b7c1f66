//! NES controllers: buttons, what else can be plugged in, and the two ports that clock them.
//!
//! A pad is a shift register. The CPU raises OUT0 (`$4016` bit 0) to load it with the buttons,
//! lowers it, and then clocks one button out with each read of `$4016` (first pad) or `$4017`
//! (second pad). A Four Score shifts out 24 bits, the adapter of a Famicom has its pads on bit 1.
//! The crate ends at these two bits: bits 5–7 are open bus, and what a Zapper sees and a microphone
//! hears is on bits 2–4, which the mainboard knows about. Nor does it know where the buttons come
//! from: the mainboard hands in a closure, which is called at the last moment that counts.
//!
//! ```
//! use nes_controller::{Buttons, Held, Ports};
//!
//! let mut ports = Ports::new();
//! let pads = Held::from([Buttons::A | Buttons::START, Buttons::empty()]);
//! ports.write(1, 100, false, || pads); // OUT0 rises as put cycle 101 begins …
//! ports.write(0, 104, false, || pads); // … and falls as put cycle 105 begins
//! let bits: Vec<u8> = (0..9).map(|i| ports.read(0, 108 + 4 * i, || pads)).collect();
//! assert_eq!(bits, [1, 0, 0, 1, 0, 0, 0, 0, 1]); // A, B, Select, Start, Up, Down, Left, Right, then ones
//! ```

#![cfg_attr(not(test), no_std)]

mod buttons;
mod devices;
mod ports;

pub use buttons::Buttons;
pub use devices::{Aim, Devices, Extra, Held};
pub use ports::Ports;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
