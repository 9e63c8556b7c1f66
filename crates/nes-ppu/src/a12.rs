//! Address line A12, which chooses the pattern table: some cartridges count how often it rises.

use crate::VideoBus;
use crate::dot::{DOTS, POST_RENDER};
use crate::ppu::{DOT, Ppu};
use crate::registers::Control;

/// A12 among the address lines.
const A12: u16 = 0x1000;
/// After this dot the sprites' patterns are fetched, in every line that fetches.
const SPRITES: u16 = 256;
/// The last dot of those fetches.
const SPRITES_END: u16 = 320;

impl Ppu {
    /// The bus is told what the address lines carry since a step at `tick`.
    #[inline(always)]
    pub(crate) fn tell_a12<B: VideoBus>(&self, tick: u64, bus: &mut B) {
        if B::WATCHES_A12 {
            bus.a12(self.video.address & A12 != 0, tick);
        }
    }

    /// The earliest tick at which A12 could rise, as long as nobody touches the PPU, after it has
    /// risen `rises` - 1 times since now; [`u64::MAX`] if it cannot. Rises between which the line
    /// is low for four dots count as one.
    pub fn next_a12_rise(&self, rises: u32) -> u64 {
        let changes = (self.video.address ^ self.v.bits()) & A12 != 0;
        if !self.is_at_rest() || (changes && self.blanking()) {
            return self.next;
        }
        if !self.mask.rendering() {
            return u64::MAX;
        }
        // Tall sprites may lie in both tables by turns, which makes four rises, beside two of the
        // background. Else there is one a line; one more in this line, after vblank, in a line that
        // lacks its dot 0, and where vblank begins.
        let tall = self.control.contains(Control::TALL_SPRITES);
        let lines = if tall { (rises / 6).saturating_sub(1) } else { rises.saturating_sub(4) } as u16;
        let (line, dot) = if self.blanking() {
            (0, 0)
        } else if lines == 0 {
            (self.fetching_line(), self.next_rising_dot())
        } else {
            (self.fetching_line(), self.dot)
        };
        // The lines that fetch, counted from the pre-render line on.
        let line = line + lines;
        let (line, dot) = match () {
            () if lines == 0 => (line, dot),
            () if line <= POST_RENDER => (line, 0),
            () => (self.pre_render + 1, 0),
        };
        self.tick_of(line, dot)
    }

    /// The present line among those that fetch: 0 is the pre-render line.
    fn fetching_line(&self) -> u16 {
        if self.is_pre_render() { 0 } else { self.scanline + 1 }
    }

    /// The dot of the present line, or of the next, after which A12 could rise first.
    fn next_rising_dot(&self) -> u16 {
        let sprites = self.control.intersects(Control::TALL_SPRITES | Control::SPRITE_TABLE);
        let background = self.control.contains(Control::BACKGROUND_TABLE);
        match self.dot {
            0..SPRITES if background => self.dot,
            0..SPRITES if sprites => SPRITES,
            SPRITES..SPRITES_END if sprites => self.dot,
            0..SPRITES_END if background => SPRITES_END,
            SPRITES_END.. if background => self.dot,
            // After the picture's last line the pins carry v.
            _ => DOTS + if sprites && self.scanline != POST_RENDER - 1 { SPRITES } else { 0 },
        }
    }

    /// The tick of the dot after `dot` of the line `line` that fetches, 0 being the pre-render line
    /// that comes, or that is now. A dot that may be skipped is taken as skipped.
    fn tick_of(&self, line: u16, dot: u16) -> u64 {
        let dots = u64::from(DOTS);
        let here = if self.blanking() {
            // Before the pre-render line.
            (u64::from(self.scanline), u64::from(self.pre_render))
        } else {
            (u64::from(self.fetching_line()), 0)
        };
        let now = here.0 * dots + u64::from(self.dot);
        let then = (here.1 + u64::from(line)) * dots + u64::from(dot);
        self.next + u64::from(self.half) * (DOT / 2) + then.saturating_sub(now + 1) * DOT
    }
}
