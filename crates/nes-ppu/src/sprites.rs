//! The eight sprite units: a counter to the sprite's column, then a shifter for each plane.

use nes_state::{Fields, State, StateError};

use crate::VideoBus;
use crate::ppu::Ppu;
use crate::registers::Control;

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
        for unit in 0..8 {
            if self.counters[unit] > 0 && !skipped {
                self.counters[unit] -= 1;
            } else if moving {
                self.low[unit] <<= 1;
                self.high[unit] <<= 1;
            }
        }
    }

    /// Nothing is left to show in any unit.
    #[inline]
    pub(crate) fn empty(&self) -> bool {
        u64::from_ne_bytes(self.low) | u64::from_ne_bytes(self.high) == 0
    }

    /// The first unit with an opaque pixel here: the lower unit wins.
    #[inline]
    pub(crate) fn pixel(&self, skipped: bool) -> Option<SpritePixel> {
        (0..8).find_map(|unit| {
            if self.counters[unit] != 0 && !skipped {
                return None;
            }
            let pattern = (self.low[unit] >> 7) | ((self.high[unit] >> 7) << 1);
            (pattern != 0).then(|| SpritePixel {
                colour: 0x10 | ((self.attributes[unit] & 3) << 2) | pattern,
                behind: self.attributes[unit] & Self::BEHIND != 0,
                unit,
            })
        })
    }
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
        let row = self.read_video(bus);
        if self.oam.row >= self.sprite_height() {
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
