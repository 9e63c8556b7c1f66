//! The 2C02, the NES's picture processing unit, dot by dot.
//!
//! The chip is described as two steps a dot (its pixel clock's two halves), because registers,
//! fetches and shifters of the real one change on different halves and programs can tell. It is a
//! crate of its own so that it can be tested alone: it knows its video bus ([`VideoBus`]) and
//! nothing else of the console. It does not run by itself: [`Ppu::run_until`] catches up to a
//! moment, and [`Ppu::read`]/[`Ppu::write`] are the CPU's accesses at a moment.
//!
//! ```
//! use nes_ppu::{Frame, Ppu, VideoBus};
//!
//! struct Blank;
//! impl VideoBus for Blank {
//!     fn read(&mut self, _address: u16) -> u8 { 0 }
//!     fn write(&mut self, _address: u16, _value: u8) {}
//! }
//!
//! let (mut ppu, mut frame) = (Ppu::new(0), Frame::default());
//! ppu.run_until(4 * 341 * 262, &mut Blank, &mut frame); // one frame: 4 ticks a dot
//! assert_eq!(ppu.frame_number(), 1);
//! ```

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod a12;
mod background;
mod corruption;
mod data_port;
mod decay;
mod delayed;
mod dot;
mod evaluation;
mod fast;
mod frame;
mod nmi;
mod oam;
mod open_bus;
pub mod palette;
mod pixel;
mod ppu;
mod registers;
mod scroll;
mod sprites;
mod state;
mod warm_up;

pub use frame::Frame;
pub use palette::{Palette, PaletteError};
pub use ppu::{Ppu, Quirks};
pub use registers::{Control, Mask};
pub use scroll::VramAddr;
pub use warm_up::IgnoredWrites;

/// What a byte is for that the PPU fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A tile number, from a nametable.
    Tile,
    /// The attributes of a tile.
    Attribute,
    /// A plane of the background's pattern row.
    Background,
    /// A plane of a sprite's pattern row.
    Sprite,
    /// None: the tile numbers between sprites and at the end of a line, the patterns of units
    /// without a sprite, and what the pre-render line fetches before its last dots, where a
    /// picture's line would use it.
    Unused,
    /// For the CPU, which has read `$2007`: it is the next read's. The chip reads it in two steps
    /// or more, each of which is told. Palette entries are inside the chip; what is fetched under
    /// them is the nametable's.
    Data,
}

/// A byte that the PPU fetches, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fetch {
    /// Where, 0–$3FFF.
    pub address: u16,
    /// What for.
    pub purpose: Purpose,
    /// The line, 0–261.
    pub line: u16,
    /// The dot in which the byte comes in.
    pub dot: u16,
}

/// What the PPU's 14 address lines and 8 data lines reach outside it: the cartridge's pattern
/// tables and the nametables.
pub trait VideoBus {
    /// Whether the bus wants to be told the level of A12 ([`VideoBus::a12`]).
    const WATCHES_A12: bool = false;

    /// Address line A12 has this level from `tick` on; most often it had it before. Each change is
    /// told, but for rises in a row between which the line was low for four dots: of them the first
    /// rise and the last fall are.
    #[inline]
    fn a12(&mut self, _high: bool, _tick: u64) {}

    /// The byte at `address`, 0–$3FFF: pattern tables below $2000, nametables from there (the
    /// palette at $3F00 is inside the chip; its addresses reach the nametables here).
    fn read(&mut self, address: u16) -> u8;

    /// The byte at a fetch's address: as [`VideoBus::read`], for buses that want to know what the
    /// picture is made of. Only dots that are run one by one ask for it ([`Ppu::run_by_dots`]);
    /// batches read more than a dot would.
    #[inline]
    fn fetch(&mut self, fetch: Fetch) -> u8 {
        self.read(fetch.address)
    }

    /// Both planes, low and high, of the pattern row at `address`, below $2000 and with the plane's
    /// bit 3 clear.
    #[inline]
    fn pattern_row(&mut self, address: u16) -> [u8; 2] {
        [self.read(address), self.read(address | 8)]
    }

    /// A number that is another one whenever a pattern may have changed, if anybody counts: pixels
    /// drawn from the same patterns need not be drawn again.
    #[inline]
    fn pattern_generation(&self) -> Option<u32> {
        None
    }

    /// Writes the byte at `address`, 0–$3EFF.
    fn write(&mut self, address: u16, value: u8);
}

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
