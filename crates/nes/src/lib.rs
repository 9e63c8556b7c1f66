//! The console: the chips wired together on the mainboard.
//!
//! The chips know nothing of each other; this crate is the only place where they meet. The CPU's
//! bus access *is* the cycle: [`Mainboard`] moves time at each access and lets the other chips
//! catch up when someone could notice. DMA, open bus, the activation of the 2A03's registers and
//! the answer to "which interrupt does the CPU see now?" live here, because they lie between chips.
//! Front ends need no other crate of the machine.
//!
//! ```
//! use nes::{Buttons, Cartridge, Config, Console};
//!
//! let mut image = b"NES\x1A\x02\x01\0\0\0\0\0\0\0\0\0\0".to_vec(); // NROM: 32 KiB PRG, 8 KiB CHR
//! image.resize(16 + 0x8000 + 0x2000, 0xEA); // NOP throughout
//! let mut console = Console::new(Cartridge::from_bytes(&image)?, Config::default());
//! let mut pads = [Buttons::A, Buttons::empty()];
//! let _ = console.run_frame(&mut pads, &mut ());
//! let saved = console.save();
//! let _ = console.run_frame(&mut pads, &mut ());
//! assert_eq!(console.frame_number(), 2);
//! console.load(&saved)?;
//! assert_eq!(console.frame_number(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod attachment;
mod console;
mod dma;
mod fast;
mod ignored_writes;
mod light;
mod mainboard;
mod observer;
mod pads;
mod poke;
mod power;
mod reference;
mod rom_hashes;
mod snapshot;
mod video;
mod wires;

pub use attachment::Attachment;
pub use console::{Config, Console};
#[doc(hidden)]
pub use fast::takes_in_laps;
pub use fm2;
pub use ignored_writes::IgnoredWrites;
pub use mainboard::Mainboard;
pub use nes_apu as apu;
pub use nes_cartridge::{self as cartridge, Cartridge, RomError};
pub use nes_clock::Region;
pub use nes_controller::{self as controller, Aim, Buttons, Devices, Extra, Held};
pub use nes_cpu::{self as cpu, Cpu, Unstable};
pub use nes_ppu::{self as ppu, Frame, Palette, PaletteError};
pub use nes_state::StateError;
pub use observer::{Access, Break, BusEvent, FetchEvent, Observer};
pub use pads::Pads;
pub use poke::Memory;
pub use power::RamFill;
pub use reference::Reference;
pub use rom_hashes::rom_hashes;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
