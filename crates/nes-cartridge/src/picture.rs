//! What the PPU fetches, as boards tell it apart that answer themselves.

use crate::banks::Banks;

/// What a byte is for that the PPU fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureUse {
    /// A tile number of the background, or one at the end of a line that nothing uses.
    Tile,
    /// The attributes of that tile.
    Attribute,
    /// A plane of its pattern row.
    Background,
    /// A sprite, in the dots of sprites.
    Sprite,
    /// The CPU's read of `$2007`.
    Data,
}

/// A byte that the PPU fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureFetch {
    /// Where, 0–$3FFF.
    pub address: u16,
    /// What for.
    pub purpose: PictureUse,
    /// The line whose picture it is for: 0–239, or one beyond.
    pub line: u16,
    /// The tile of the line, counted from the left, for the background.
    pub column: u16,
    /// The CPU cycle.
    pub cycle: u64,
    /// The first cycle in which the CPU sees an interrupt that it brings about.
    pub sampled: u64,
}

/// Where a byte lies that the PPU reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the console's nametable RAM.
    Ciram(u16),
    /// In the cartridge's CHR.
    Chr(u32),
    /// In RAM of the board, at this index; the value is what is read.
    Board(u16, u8),
    /// Nowhere: this value is read.
    Fixed(u8),
}

impl Place {
    /// Returns where the bank table has `address`.
    pub(crate) fn plain(address: u16, banks: &Banks) -> Self {
        if address & 0x2000 == 0 {
            Self::Chr(banks.chr[usize::from(address >> 10 & 7)] + u32::from(address & 0x3FF))
        } else {
            Self::Ciram(banks.nametables[usize::from(address >> 10 & 3)] | address & 0x3FF)
        }
    }
}
