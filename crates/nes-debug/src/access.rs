//! An access of the CPU, or a fetch of the PPU, as breakpoints and conditions see it.

use nes::FetchEvent;
use nes::ppu::Purpose;

/// A read or a write that a breakpoint is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// Number of its CPU cycle.
    pub cycle: u64,
    /// Where: an address of the CPU, or of the PPU for a breakpoint there.
    pub address: u16,
    /// What was read or written.
    pub value: u8,
    /// Was it a write?
    pub write: bool,
    /// The PPU itself has fetched it, to draw; `None` for an access of the CPU.
    pub fetched: Option<Fetched>,
}

/// Why and where the PPU has fetched a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// What for.
    pub purpose: Purpose,
    /// The PPU's line, 0-239 or 261.
    pub line: u16,
    /// The dot of the line.
    pub dot: u16,
}

impl Accessed {
    /// A fetch of the PPU.
    pub(crate) fn of_fetch(event: FetchEvent) -> Self {
        let FetchEvent { cycle, address, value, purpose, line, dot } = event;
        Self { cycle, address, value, write: false, fetched: Some(Fetched { purpose, line, dot }) }
    }
}

impl Fetched {
    /// As a number, by which conditions know it: 1 tile number, 2 attributes, 3 background, 4
    /// sprite, 5 unused.
    pub fn number(self) -> u8 {
        match self.purpose {
            Purpose::Tile => 1,
            Purpose::Attribute => 2,
            Purpose::Background => 3,
            Purpose::Sprite => 4,
            Purpose::Unused | Purpose::Data => 5,
        }
    }

    /// In words, as "for the background at line 20 dot 134".
    pub fn text(self) -> String {
        let what = match self.purpose {
            Purpose::Tile => "for a tile number",
            Purpose::Attribute => "for attributes",
            Purpose::Background => "for the background",
            Purpose::Sprite => "for a sprite",
            Purpose::Unused => "for nothing",
            Purpose::Data => "for the CPU",
        };
        format!("{what} at line {} dot {}", self.line, self.dot)
    }
}
