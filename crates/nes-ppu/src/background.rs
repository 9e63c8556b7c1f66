//! The background pipeline: four fetches of two dots for each tile, and the shifters that they
//! feed.

use nes_state::{Fields, State, StateError};

use crate::ppu::Ppu;
use crate::registers::Control;
use crate::{Fetch, Purpose, VideoBus};

/// A fetched byte on its way into its latch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fetched {
    /// None.
    #[default]
    Nothing,
    /// A tile number; it stands on the low address lines.
    Tile,
    /// An attribute byte.
    Attribute(u8),
    /// A pattern row's low plane.
    Low(u8),
    /// A pattern row's high plane.
    High(u8),
}

/// Shifters, latches and the pattern address register.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Background {
    /// Pattern shifters, 16 bits: the left byte is on its way out, the right one waits.
    pub(crate) low: u16,
    pub(crate) high: u16,
    /// Attribute shifters, 8 bits, fed one bit a dot from the latch.
    pub(crate) attribute_low: u8,
    pub(crate) attribute_high: u8,
    /// The attribute of the tile that the pattern shifters were last loaded with.
    pub(crate) attribute_latch: u8,
    /// The attribute of the tile being fetched.
    pub(crate) attribute: u8,
    pub(crate) low_plane: u8,
    /// What was fetched in the first half of this dot.
    pub(crate) fetched: Fetched,
    /// The pattern address register: table (bit 12), tile (4–11), plane (3), row (0–2). Sprites
    /// use it too.
    pub(crate) pattern: u16,
}

impl Background {
    const PLANE: u16 = 0x0008;

    /// One pixel on. The low plane's shifter takes in zeros, the high one's ones (AccuracyCoin:
    /// background serial in).
    #[inline]
    pub(crate) fn shift(&mut self) {
        self.low <<= 1;
        self.high = (self.high << 1) | 1;
        self.attribute_low = (self.attribute_low << 1) | (self.attribute_latch & 1);
        self.attribute_high = (self.attribute_high << 1) | (self.attribute_latch >> 1);
    }

    /// Palette index (0–15) of the pixel that stands at the shifters' tap.
    #[inline]
    pub(crate) fn pixel(&self, fine_x: u8) -> u8 {
        let tap = 15 - fine_x;
        let pattern = ((self.low >> tap) & 1) | (((self.high >> tap) & 1) << 1);
        if pattern == 0 {
            return 0;
        }
        let tap = 7 - fine_x;
        let attribute = ((self.attribute_low >> tap) & 1) | (((self.attribute_high >> tap) & 1) << 1);
        pattern as u8 | (attribute << 2)
    }

    /// The fetched tile goes into the shifters' right halves.
    #[inline]
    fn reload(&mut self, high_plane: u8) {
        self.low = (self.low & 0xFF00) | u16::from(self.low_plane);
        self.high = (self.high & 0xFF00) | u16::from(high_plane);
        self.attribute_latch = self.attribute;
    }
}

impl Ppu {
    /// The first half of a dot that belongs to the background's fetches: an address goes out on
    /// odd dots, its data come in on even ones.
    #[inline]
    pub(crate) fn fetch_background<B: VideoBus>(&mut self, bus: &mut B) {
        match self.dot {
            1..=256 | 321..=336 => self.fetch_tile((self.dot - 1) & 7, bus),
            337.. | 0 => self.fetch_unused(bus),
            _ => {}
        }
    }

    /// Step 0–7 of a tile's fetches (NESdev: PPU rendering).
    pub(crate) fn fetch_tile<B: VideoBus>(&mut self, step: u16, bus: &mut B) {
        if self.video.latching && self.video.reading {
            self.video.latch = self.video.address as u8;
        }
        match step {
            0 => self.video.address = self.v.nametable_address(),
            1 => self.fetch(self.v.nametable_address(), Purpose::Tile, |_| Fetched::Tile, bus),
            2 => self.video.address = self.v.attribute_address(),
            3 => self.fetch(self.v.attribute_address(), Purpose::Attribute, Fetched::Attribute, bus),
            4 => self.send_pattern_address(0),
            5 => self.fetch(self.background.pattern, Purpose::Background, Fetched::Low, bus),
            6 => self.send_pattern_address(Background::PLANE),
            _ => self.fetch(self.background.pattern, Purpose::Background, Fetched::High, bus),
        }
        self.latch_address();
    }

    /// Dots 337–340 and 0: two fetches of a tile number that nobody uses, then the pattern address
    /// of the first of them.
    fn fetch_unused<B: VideoBus>(&mut self, bus: &mut B) {
        if self.video.reading {
            self.video.latch = self.video.address as u8;
        }
        match self.dot {
            0 => {
                self.select_pattern(0);
                if !self.is_pre_render() {
                    self.video.address = self.background.pattern;
                }
            }
            337 | 339 => self.video.address = self.v.nametable_address(),
            338 => {
                self.video.address = self.v.nametable_address();
                self.fetch_video(Purpose::Unused, bus);
                self.background.fetched = Fetched::Tile;
            }
            _ => {
                self.fetch_video(Purpose::Unused, bus);
            }
        }
        self.latch_address();
    }

    /// The octal latch follows the address lines while it is transparent and they carry no data.
    #[inline]
    pub(crate) fn latch_address(&mut self) {
        if self.video.latching && !self.video.reading {
            self.video.latch = self.video.address as u8;
        }
    }

    /// The data half of a fetch: the high address lines are `address`'s, the low ones come from
    /// the octal latch.
    #[inline]
    fn fetch<B: VideoBus>(
        &mut self,
        address: u16,
        purpose: Purpose,
        fetched: impl FnOnce(u8) -> Fetched,
        bus: &mut B,
    ) {
        self.video.address = (address & 0xFF00) | u16::from(self.video.latch);
        let unused = match self.dot {
            257..=320 => true,
            0..=256 => self.is_pre_render(),
            _ => false,
        };
        let purpose = if unused { Purpose::Unused } else { purpose };
        self.background.fetched = fetched(self.fetch_video(purpose, bus));
    }

    /// Reads what the address lines and the latch name; the low address lines then carry the data.
    #[inline]
    pub(crate) fn fetch_video<B: VideoBus>(&mut self, purpose: Purpose, bus: &mut B) -> u8 {
        let address = (self.video.address & 0x3F00) | u16::from(self.video.latch);
        let byte = bus.fetch(Fetch { address, purpose, line: self.scanline, dot: self.dot });
        self.video.address = (self.video.address & 0xFF00) | u16::from(byte);
        byte
    }

    /// The address half of a pattern fetch, of the plane given.
    #[inline]
    pub(crate) fn send_pattern_address(&mut self, plane: u16) {
        self.select_pattern(plane);
        self.video.address = self.background.pattern;
    }

    /// Completes the pattern address register: the table and row come from the registers as they
    /// are in this very dot, for the background or for the sprite being fetched.
    #[inline]
    pub(crate) fn select_pattern(&mut self, plane: u16) {
        if matches!(self.dot, 256..=320) {
            self.select_sprite_pattern();
        } else {
            let table = u16::from(self.control.contains(Control::BACKGROUND_TABLE)) << 12;
            self.background.pattern = (self.background.pattern & 0x0FF8) | table | self.v.fine_y();
        }
        self.background.pattern = (self.background.pattern & !Background::PLANE) | plane;
    }

    /// The second half of a dot: the byte fetched in the first reaches its latch.
    #[inline]
    pub(crate) fn commit_fetch(&mut self) {
        match core::mem::take(&mut self.background.fetched) {
            Fetched::Nothing => {}
            Fetched::Tile => {
                let tile = if matches!(self.dot, 256..=320) {
                    self.oam.secondary_entry()[1]
                } else {
                    self.video.address as u8
                };
                self.background.pattern = (self.background.pattern & 0x100F) | (u16::from(tile) << 4);
            }
            Fetched::Attribute(byte) => self.background.attribute = (byte >> self.v.attribute_shift()) & 3,
            Fetched::Low(byte) => self.background.low_plane = byte,
            Fetched::High(byte) => {
                self.background.reload(byte);
                self.v.increment_x();
            }
        }
    }
}

impl State for Background {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self {
            low,
            high,
            attribute_low,
            attribute_high,
            attribute_latch,
            attribute,
            low_plane,
            fetched,
            pattern,
        } = self;
        fields.u16(low)?;
        fields.u16(high)?;
        for latch in [attribute_low, attribute_high, low_plane] {
            fields.u8(latch)?;
        }
        for latch in [attribute_latch, attribute] {
            fields.u8(latch)?;
            fields.check("tile attribute", u64::from(*latch), *latch < 4)?;
        }
        let (mut kind, mut byte) = match *fetched {
            Fetched::Nothing => (0, 0),
            Fetched::Tile => (1, 0),
            Fetched::Attribute(byte) => (2, byte),
            Fetched::Low(byte) => (3, byte),
            Fetched::High(byte) => (4, byte),
        };
        fields.u8(&mut kind)?;
        fields.u8(&mut byte)?;
        fields.check("fetched byte", u64::from(kind), kind < 5)?;
        *fetched = match kind {
            0 => Fetched::Nothing,
            1 => Fetched::Tile,
            2 => Fetched::Attribute(byte),
            3 => Fetched::Low(byte),
            _ => Fetched::High(byte),
        };
        fields.u16(pattern)?;
        fields.check("pattern address", u64::from(*pattern), *pattern < 0x2000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shifter_that_is_not_reloaded_shows_colour_2() {
        let mut background = Background { attribute_latch: 3, ..Background::default() };
        (0..16).for_each(|_| background.shift());
        assert_eq!(background.pixel(0), 0b1110);
    }

    #[test]
    fn colour_0_of_every_palette_is_the_backdrop() {
        let background = Background { attribute_low: 0xFF, attribute_high: 0xFF, ..Background::default() };
        assert_eq!(background.pixel(7), 0);
    }
}
