//! What the PPU finds: nametables, the attributes and banks of single tiles, and the second
//! playfield.

use super::Mmc5;
use crate::banks::{self, Banks, Memory};
use crate::picture::{PictureFetch, PictureUse, Place};

/// Where the attributes begin in a nametable.
const ATTRIBUTES: u16 = 0x3C0;
/// Lines of a nametable.
const HEIGHT: u16 = 240;

impl Mmc5 {
    /// A byte of the picture. The chip follows the lines by it.
    pub(crate) fn fetch(&mut self, fetch: &PictureFetch, banks: &Banks, memory: &Memory) -> Place {
        let PictureFetch { address, purpose, .. } = *fetch;
        self.lines.read(address, purpose == PictureUse::Data, fetch.cycle, fetch.sampled);
        if matches!(purpose, PictureUse::Sprite | PictureUse::Data) || !self.lines.in_frame {
            return self.place_for(address, purpose, banks, memory);
        }
        if purpose == PictureUse::Tile {
            self.tile = self.exram[usize::from(address & 0x3FF)];
            self.split_tile = self.split_place(fetch);
        }
        if let Some(place) = self.split_tile {
            return self.split_byte(place, fetch, memory);
        }
        match purpose {
            PictureUse::Attribute if self.exram_mode == 1 => Place::Fixed((self.tile >> 6) * 0x55),
            PictureUse::Background if self.exram_mode == 1 => {
                let bank = u32::from(self.tile & 0x3F) | u32::from(self.chr_high) << 6;
                chr((bank << 12) + u32::from(address & 0xFFF), memory)
            }
            _ => self.place_for(address, purpose, banks, memory),
        }
    }

    /// Where the byte of an address lies that no tile of its own changes.
    pub(crate) fn place(&self, address: u16, banks: &Banks, memory: &Memory) -> Place {
        self.place_for(address, PictureUse::Data, banks, memory)
    }

    fn place_for(&self, address: u16, purpose: PictureUse, banks: &Banks, memory: &Memory) -> Place {
        if address & 0x2000 != 0 {
            return self.nametable_byte(address);
        }
        let numbers = match purpose {
            _ if !self.tall => self.banks_a(),
            PictureUse::Sprite => self.banks_a(),
            // What the bank table shows: the set that was written last.
            PictureUse::Data => return Place::plain(address, banks),
            _ => self.banks_b(),
        };
        chr((numbers[usize::from(address >> 10 & 7)] << 10) + u32::from(address & 0x3FF), memory)
    }

    fn nametable_byte(&self, address: u16) -> Place {
        let within = address & 0x3FF;
        match self.nametables >> (address >> 9 & 6) & 3 {
            0 => Place::Ciram(within),
            1 => Place::Ciram(within | 0x400),
            2 if self.exram_mode < 2 => Place::Board(within, self.exram[usize::from(within)]),
            2 => Place::Fixed(0),
            _ if within < ATTRIBUTES => Place::Fixed(self.fill[0]),
            _ => Place::Fixed(self.fill[1] * 0x55),
        }
    }

    /// Which tile of `ExRAM` is shown in the place of the one that is fetched, if that is on the
    /// second playfield's side.
    fn split_place(&self, fetch: &PictureFetch) -> Option<u16> {
        let [control, ..] = self.split;
        let border = u16::from(control & 0x1F);
        let is_right = control & 0x40 != 0;
        let on = control & 0x80 != 0 && self.exram_mode < 2 && fetch.column < 34;
        (on && is_right == (fetch.column >= border))
            .then(|| self.split_line(fetch.line) / 8 * 32 + (fetch.column & 0x1F))
    }

    /// The line of the second playfield that is on a line of the picture.
    fn split_line(&self, line: u16) -> u16 {
        let line = u16::from(self.split[1]) + line;
        if line >= HEIGHT { (line - HEIGHT) % HEIGHT } else { line }
    }

    fn split_byte(&self, place: u16, fetch: &PictureFetch, memory: &Memory) -> Place {
        let (row, column) = (place / 32, place % 32);
        if fetch.purpose == PictureUse::Tile {
            return Place::Board(place, self.exram[usize::from(place)]);
        }
        if fetch.purpose == PictureUse::Attribute {
            let byte = self.exram[usize::from(ATTRIBUTES + row / 4 * 8 + column / 4)];
            let shift = (row & 2) << 1 | column & 2;
            return Place::Fixed((byte >> shift & 3) * 0x55);
        }
        let within = fetch.address & 8 | self.split_line(fetch.line) & 7;
        let tile = u32::from(self.exram[usize::from(place)]);
        chr((u32::from(self.split[2]) << 12) + tile * 16 + u32::from(within), memory)
    }
}

/// A byte of CHR, whose missing address lines repeat it.
fn chr(offset: u32, memory: &Memory) -> Place {
    Place::Chr(banks::fold(offset, memory.chr))
}
