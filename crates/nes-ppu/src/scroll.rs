//! The scroll registers `v` and `t`: 15 bits that are both a video address and a scroll position.

use nes_state::{Fields, State, StateError};

/// A video address that doubles as a scroll position (NESdev: PPU scrolling):
///
/// ```text
/// yyy NN YYYYY XXXXX
/// ||| || ||||| +++++-- coarse X: tile column
/// ||| || +++++-------- coarse Y: tile row
/// ||| ++-------------- nametable
/// +++----------------- fine Y: row in the tile
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VramAddr(pub(crate) u16);

impl VramAddr {
    const COARSE_X: u16 = 0x001F;
    const COARSE_Y: u16 = 0x03E0;
    pub(crate) const FINE_Y: u16 = 0x7000;
    const HORIZONTAL: u16 = 0x041F;
    const VERTICAL: u16 = 0x7BE0;

    /// The 15 bits.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Tile column, 0–31.
    #[inline]
    pub fn coarse_x(self) -> u16 {
        self.0 & Self::COARSE_X
    }

    /// Tile row, 0–31.
    #[inline]
    pub fn coarse_y(self) -> u16 {
        (self.0 & Self::COARSE_Y) >> 5
    }

    /// Row in the tile, 0–7.
    #[inline]
    pub fn fine_y(self) -> u16 {
        self.0 >> 12
    }

    /// Address of the tile in its nametable.
    #[inline]
    pub fn nametable_address(self) -> u16 {
        0x2000 | (self.0 & 0x0FFF)
    }

    /// Address of the attribute byte that covers the tile.
    #[inline]
    pub fn attribute_address(self) -> u16 {
        0x23C0 | (self.0 & 0x0C00) | ((self.0 >> 4) & 0x38) | ((self.0 >> 2) & 0x07)
    }

    /// How far the attribute byte is shifted right to bring the tile's two bits down.
    #[inline]
    pub(crate) fn attribute_shift(self) -> u16 {
        (self.0 & 2) | ((self.0 >> 4) & 4)
    }

    /// One tile to the right, into the neighbouring nametable after the 32nd.
    #[inline]
    pub(crate) fn increment_x(&mut self) {
        if self.coarse_x() == 31 {
            self.0 = (self.0 & !Self::COARSE_X) ^ 0x0400;
        } else {
            self.0 += 1;
        }
    }

    /// `tiles` to the right, at most 32.
    pub(crate) fn skip_tiles(&mut self, tiles: u16) {
        let column = self.coarse_x() + tiles;
        self.0 = ((self.0 & !Self::COARSE_X) | (column & Self::COARSE_X)) ^ ((column & 0x20) << 5);
    }

    /// One line down: after tile row 29 into the neighbouring nametable, after row 31 (reached
    /// only by writing it) around without changing it.
    #[inline]
    pub(crate) fn increment_y(&mut self) {
        if self.0 & Self::FINE_Y != Self::FINE_Y {
            self.0 += 0x1000;
            return;
        }
        let row = match self.coarse_y() {
            29 => {
                self.0 ^= 0x0800;
                0
            }
            31 => 0,
            row => row + 1,
        };
        self.0 = (self.0 & !(Self::FINE_Y | Self::COARSE_Y)) | (row << 5);
    }

    /// Moves by `step` as a plain address ($2007 outside rendering).
    #[inline]
    pub(crate) fn advance(&mut self, step: u16) {
        self.0 = (self.0 + step) & 0x7FFF;
    }

    /// Takes the horizontal position from `t`.
    #[inline]
    pub(crate) fn copy_x(&mut self, t: Self) {
        self.0 = (self.0 & !Self::HORIZONTAL) | (t.0 & Self::HORIZONTAL);
    }

    /// Takes the vertical position from `t`.
    #[inline]
    pub(crate) fn copy_y(&mut self, t: Self) {
        self.0 = (self.0 & !Self::VERTICAL) | (t.0 & Self::VERTICAL);
    }

    /// `$2000`: bits 0–1 choose the nametable.
    pub(crate) fn set_nametable(&mut self, control: u8) {
        self.0 = (self.0 & !0x0C00) | (u16::from(control & 3) << 10);
    }

    /// First write of `$2005`: bits 3–7 are coarse X.
    pub(crate) fn set_coarse_x(&mut self, value: u8) {
        self.0 = (self.0 & !Self::COARSE_X) | u16::from(value >> 3);
    }

    /// Second write of `$2005`: bits 3–7 are coarse Y, bits 0–2 fine Y.
    pub(crate) fn set_y(&mut self, value: u8) {
        let value = u16::from(value);
        self.0 = (self.0 & 0x0C1F) | ((value & 0xF8) << 2) | ((value & 7) << 12);
    }

    /// First write of `$2006`: the high six bits; bit 14 is cleared.
    pub(crate) fn set_high(&mut self, value: u8) {
        self.0 = (self.0 & 0x00FF) | (u16::from(value & 0x3F) << 8);
    }

    /// Second write of `$2006`: the low byte.
    pub(crate) fn set_low(&mut self, value: u8) {
        self.0 = (self.0 & 0x7F00) | u16::from(value);
    }
}

impl State for VramAddr {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self(bits) = self;
        fields.u16(bits)?;
        fields.check("scroll register", u64::from(*bits), *bits < 0x8000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_32nd_tile_leads_into_the_next_nametable() {
        let mut v = VramAddr(0x001F);
        v.increment_x();
        assert_eq!(v, VramAddr(0x0400));
    }

    #[test]
    fn skipped_tiles_are_as_many_steps_to_the_right() {
        for start in [0x0000, 0x001F, 0x0405, 0x7FFF] {
            let mut one_by_one = VramAddr(start);
            for tiles in 0..=32 {
                let mut v = VramAddr(start);
                v.skip_tiles(tiles);
                assert_eq!(v, one_by_one, "{tiles} from {start:04X}");
                one_by_one.increment_x();
            }
        }
    }

    #[test]
    fn row_29_leads_into_the_nametable_below_and_row_31_wraps() {
        let mut v = VramAddr(0x7000 | (29 << 5));
        v.increment_y();
        assert_eq!(v, VramAddr(0x0800));
        let mut v = VramAddr(0x7000 | (31 << 5));
        v.increment_y();
        assert_eq!(v, VramAddr(0));
    }

    #[test]
    fn two_scroll_writes_and_two_address_writes_reach_every_bit() {
        let mut t = VramAddr(0);
        t.set_nametable(3);
        t.set_coarse_x(0xF8);
        t.set_y(0xFF);
        assert_eq!(t, VramAddr(0x7FFF));
        t.set_high(0xFF);
        t.set_low(0x00);
        assert_eq!(t, VramAddr(0x3F00));
    }

    #[test]
    fn the_attribute_shift_picks_the_quadrant() {
        assert_eq!(VramAddr(0x0000).attribute_shift(), 0);
        assert_eq!(VramAddr(0x0002).attribute_shift(), 2);
        assert_eq!(VramAddr(0x0040).attribute_shift(), 4);
        assert_eq!(VramAddr(0x0042).attribute_shift(), 6);
    }
}
