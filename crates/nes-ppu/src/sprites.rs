//! The eight sprite units: a counter to the sprite's column, then a shifter for each plane.

use nes_state::{Fields, State, StateError};

use crate::ppu::Ppu;
use crate::registers::Control;
use crate::{Purpose, VideoBus};

/// The eight units, each field by unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SpriteUnits {
    pub(crate) low: [u8; 8],
    pub(crate) high: [u8; 8],
    pub(crate) attributes: [u8; 8],
    /// Dots until the sprite's column.
    pub(crate) counters: [u8; 8],
}

/// An opaque sprite pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpritePixel {
    /// Index into the palette, 16–31.
    pub(crate) colour: u8,
    /// It goes behind an opaque background.
    pub(crate) behind: bool,
    /// Which unit made it.
    pub(crate) unit: usize,
}

impl SpriteUnits {
    const BEHIND: u8 = 0x20;
    const FLIP_X: u8 = 0x40;

    /// One dot of the picture's part of a line: counters count whether rendering or not; what has
    /// arrived shifts only while `moving`. In a line that lacks its dot 0 (`skipped`) every unit is
    /// taken as arrived for one dot.
    #[inline]
    pub(crate) fn count(&mut self, moving: bool, skipped: bool) {
        let arrived = if skipped { u64::MAX } else { each_zero(self.counters) };
        // A counter that is not 0 loses 1 without a borrow.
        let counters = u64::from_le_bytes(self.counters) - (!arrived & each(1));
        self.counters = counters.to_le_bytes();
        if moving {
            for plane in [&mut self.low, &mut self.high] {
                let before = u64::from_le_bytes(*plane);
                let after = (before & each(0x7F)) << 1;
                *plane = (before & !arrived | after & arrived).to_le_bytes();
            }
        }
    }

    /// As many dots of counting, where nothing is left to show.
    #[inline]
    pub(crate) fn count_down(&mut self, dots: u16) {
        let dots = dots.min(255) as u8;
        self.counters = self.counters.map(|counter| counter.saturating_sub(dots));
    }

    /// Nothing is left to show in any unit.
    #[inline]
    pub(crate) fn empty(&self) -> bool {
        u64::from_ne_bytes(self.low) | u64::from_ne_bytes(self.high) == 0
    }

    /// The first unit with an opaque pixel here: the lower unit wins.
    #[inline]
    pub(crate) fn pixel(&self, skipped: bool) -> Option<SpritePixel> {
        let arrived = if skipped { u64::MAX } else { each_zero(self.counters) };
        let opaque = (u64::from_le_bytes(self.low) | u64::from_le_bytes(self.high)) & arrived & each(0x80);
        if opaque == 0 {
            return None;
        }
        let unit = opaque.trailing_zeros() as usize / 8;
        let pattern = (self.low[unit] >> 7) | ((self.high[unit] >> 7) << 1);
        Some(SpritePixel {
            colour: 0x10 | ((self.attributes[unit] & 3) << 2) | pattern,
            behind: self.attributes[unit] & Self::BEHIND != 0,
            unit,
        })
    }
}

/// The same byte eight times: one operation on eight units.
pub(crate) const fn each(byte: u8) -> u64 {
    0x0101_0101_0101_0101 * byte as u64
}

/// All ones in each byte that is 0 in `bytes`, the first of them lowest.
#[inline]
fn each_zero(bytes: [u8; 8]) -> u64 {
    let bytes = u64::from_le_bytes(bytes);
    let low = (bytes & each(0x7F)) + each(0x7F);
    let nonzero = (low | bytes) & each(0x80);
    (nonzero ^ each(0x80)) / 0x80 * 0xFF
}

impl Ppu {
    /// Height of a sprite in lines.
    #[inline]
    pub(crate) fn sprite_height(&self) -> u16 {
        if self.control.contains(Control::TALL_SPRITES) { 16 } else { 8 }
    }

    /// Table and row of the pattern address register for the sprite being fetched. Its tile number
    /// is there already, from the dot in which the unused nametable fetch ends.
    pub(crate) fn select_sprite_pattern(&mut self) {
        let [_, tile, attributes, _] = self.oam.secondary_entry();
        let flip = if attributes & 0x80 != 0 { 0x0F } else { 0 };
        let row = self.oam.row ^ flip;
        let pattern = &mut self.background.pattern;
        if self.control.contains(Control::TALL_SPRITES) {
            let table = u16::from(tile & 1) << 12;
            *pattern = (*pattern & 0x0FE8) | table | (row & 7) | ((row & 8) << 1);
        } else {
            let table = u16::from(self.control.contains(Control::SPRITE_TABLE)) << 12;
            *pattern = (*pattern & 0x0FF8) | table | (row & 7);
        }
    }

    /// Dots 257–320: eight dots a unit, in which secondary OAM is read and the unit is filled
    /// (NESdev: PPU sprite evaluation). The video bus meanwhile makes two nametable fetches that
    /// nobody uses and two pattern fetches.
    pub(crate) fn load_sprites<B: VideoBus>(&mut self, bus: &mut B) {
        let unit = usize::from((self.dot - 257) >> 3);
        let step = (self.dot - 1) & 7;
        if self.video.reading {
            self.video.latch = self.video.address as u8;
        }
        if self.fetching {
            let from_oam = self.oam.buffer;
            self.oam.incoming = self.oam.secondary[self.oam.secondary_index()];
            match step {
                0 | 2 => self.video.address = self.v.nametable_address(),
                1 => self.oam.row = (self.scanline & 0xFF).wrapping_sub(u16::from(from_oam)),
                _ => {}
            }
            match step {
                1 => self.fetch_tile(1, bus),
                3 => {
                    self.sprites.attributes[unit] = from_oam;
                    self.fetch_tile(1, bus);
                }
                4 => {
                    self.sprites.counters[unit] = from_oam;
                    self.send_pattern_address(0);
                }
                5 => self.sprites.low[unit] = self.fetch_sprite_row(unit, 0, bus),
                6 => self.send_pattern_address(8),
                7 => self.sprites.high[unit] = self.fetch_sprite_row(unit, 8, bus),
                _ => {}
            }
            if matches!(step, 0 | 1 | 2 | 7) {
                self.oam.secondary_address += 1;
            }
        }
        self.latch_address();
        self.oam.secondary_address &= 0x1F;
    }

    /// One plane of the sprite's row, as its shifter takes it; empty if the line lies outside the
    /// sprite, which is asked anew at each fetch (AccuracyCoin: suddenly resized sprites).
    fn fetch_sprite_row<B: VideoBus>(&mut self, unit: usize, plane: u16, bus: &mut B) -> u8 {
        self.select_pattern(plane);
        self.video.address = (self.background.pattern & 0xFF00) | u16::from(self.video.latch);
        let empty = self.oam.row >= self.sprite_height();
        let row = self.fetch_video(if empty { Purpose::Unused } else { Purpose::Sprite }, bus);
        if empty {
            0
        } else if self.sprites.attributes[unit] & SpriteUnits::FLIP_X != 0 {
            row.reverse_bits()
        } else {
            row
        }
    }
}

impl State for SpriteUnits {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { low, high, attributes, counters } = self;
        fields.bytes(low)?;
        fields.bytes(high)?;
        fields.bytes(attributes)?;
        fields.bytes(counters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_counts_to_0_and_shifts_from_then_on() {
        let mut units = SpriteUnits {
            low: [0x81, 0xFF, 0x01, 0x7F, 0x80, 0x40, 0xAA, 0x55],
            high: [0x01, 0x00, 0xFF, 0x80, 0x80, 0x20, 0x55, 0xAA],
            attributes: [0; 8],
            counters: [0, 1, 2, 0x7F, 0x80, 0xFF, 0, 3],
        };
        let mut one_by_one = units.clone();
        for dot in 0..300 {
            units.count(true, dot == 5);
            for unit in 0..8 {
                if one_by_one.counters[unit] > 0 && dot != 5 {
                    one_by_one.counters[unit] -= 1;
                } else {
                    one_by_one.low[unit] <<= 1;
                    one_by_one.high[unit] <<= 1;
                }
            }
            assert_eq!(units, one_by_one, "dot {dot}");
        }
    }

    #[test]
    fn the_lowest_unit_that_has_arrived_and_is_opaque_makes_the_pixel() {
        let units = SpriteUnits {
            low: [0x80, 0x7F, 0x00, 0x80, 0x80, 0, 0, 0],
            high: [0x00, 0x00, 0x80, 0x80, 0x80, 0, 0, 0],
            attributes: [0, 0, 0x22, 1, 0, 0, 0, 0],
            counters: [1, 0, 0, 0, 0, 0, 0, 0],
        };
        assert_eq!(units.pixel(false), Some(SpritePixel { colour: 0x1A, behind: true, unit: 2 }));
        assert_eq!(units.pixel(true), Some(SpritePixel { colour: 0x11, behind: false, unit: 0 }));
        assert_eq!(SpriteUnits::default().pixel(false), None);
    }
}
