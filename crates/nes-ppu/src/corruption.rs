//! What goes wrong in OAM when rendering is cut in the middle of a line.
//!
//! OAM is dynamic memory in rows of eight bytes. A cut leaves the row that secondary OAM's address
//! selects open; when rendering comes back, row 0 is copied over it (NESdev: Errata, AccuracyCoin:
//! OAM corruption). Where the palette is wired so, a cut can reach it, too.

use nes_state::{Fields, State, StateError};

use crate::dot::POST_RENDER;
use crate::ppu::Ppu;
use crate::scroll::VramAddr;

/// A cut of rendering on its way to the damage it does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Corruption {
    /// Rendering was cut; the pipelines have seen it.
    pub(crate) cut: bool,
    /// A write that cuts rendering has just come; the pipelines have not seen it yet.
    pub(crate) cut_now: bool,
    /// The row is open: it is overwritten when rendering comes back.
    armed: bool,
    /// The row, 0–32; 32 stands for 0.
    row: u8,
    /// Rendering came back in a way that spares the row.
    spared: bool,
    /// Cuts reach the palette: the console's, like its region, and not state.
    pub(crate) reaches_palette: bool,
}

impl Corruption {
    /// Nothing is under way: an open row waits as long as there is no `rendering`.
    #[inline]
    pub(crate) fn at_rest(&self, rendering: bool) -> bool {
        !(self.cut || self.cut_now || rendering && (self.armed || self.spared))
    }

    #[inline]
    pub(crate) fn pending(&self) -> bool {
        self.armed
    }

    /// The pipelines see that rendering was cut.
    pub(crate) fn rendering_was_cut(&mut self) {
        if !self.armed {
            self.cut = true;
        }
    }

    /// The row is settled.
    pub(crate) fn arm(&mut self, row: u8) {
        self.row = row;
        self.arm_where_it_was();
    }

    /// The damage will be in the row of the last time.
    pub(crate) fn arm_where_it_was(&mut self) {
        self.armed = true;
        self.cut = false;
        self.cut_now = false;
    }
}

impl Ppu {
    /// A `$2001` write changes the rendering flag, as OAM sees it: at once.
    pub(crate) fn note_mask_write(&mut self, was_rendering: bool, will_render: bool) {
        if self.scanline > 240 && !self.on_rendering_line() {
            return;
        }
        if was_rendering && !will_render {
            self.corruption.cut_now = true;
        } else if !was_rendering && will_render && self.corruption.armed && matches!(self.phase, 1 | 2) {
            self.corruption.spared = true;
        }
    }

    /// Rendering is back: row 0 goes over the open row.
    #[cold]
    pub(crate) fn corrupt_oam(&mut self) {
        self.corruption.armed = false;
        if !core::mem::take(&mut self.corruption.spared) {
            let row = usize::from(self.corruption.row & 0x1F);
            self.oam.primary.copy_within(0..8, row * 8);
            self.oam.secondary[row] = self.oam.secondary[0];
        }
    }
}

/// Tile dots in which a cut still finds the nametable's or the attributes' address on its way.
const ADDRESSING: u16 = 2;
/// No tile of the line is fetched any more that a cut could meet.
const LAST_TILE: u16 = 250;
/// Addresses whose attribute bytes lie beside the palette.
const BESIDE_PALETTE: u16 = 0x3C00;
const PALETTE: u16 = 0x3F00;

impl Ppu {
    /// Rendering has been cut by a write before this dot. Early in a tile, with `v` in the last
    /// nametable, the palette is addressed for a moment, while the pixel addresses it, too (NESdev:
    /// Errata; seen on some consoles, by some alignments, and nowhere the same).
    #[cold]
    pub(crate) fn cut_reaches_palette(&mut self) {
        let before = self.dot.wrapping_sub(1);
        let in_tile = before <= LAST_TILE && before & 7 < ADDRESSING;
        let v = self.v.bits() & 0x3FFF;
        if in_tile && self.scanline < POST_RENDER && v >= BESIDE_PALETTE {
            self.mix_palette(v);
        }
    }

    /// `v` has left the palette for `self.v`, which it may do harm to while a line is drawn.
    #[cold]
    pub(crate) fn v_leaves_palette(&mut self, before: VramAddr) {
        let (before, now) = (before.bits() & 0x3FFF, self.v.bits() & 0x3FFF);
        let drawn = self.scanline < POST_RENDER && (1..=256).contains(&self.dot);
        if drawn && before >= PALETTE && now < PALETTE && before & 0x0F != 0 {
            self.mix_palette(before);
        }
    }

    /// Two entries of the background's palettes were addressed at once: that of the pixel, and that
    /// of `v`.
    fn mix_palette(&mut self, v: u16) {
        let entry = usize::from(v & 0x0F);
        match usize::from(self.colour_index() & 3) {
            // Each bit is what most of the backdrop, the first of the palette and the entry have.
            0 => {
                let [a, b, c] = [0, entry & 0x0C, entry].map(|at| self.palette[at]);
                self.palette[entry] = (a & b) | (a & c) | (b & c);
            }
            // The pixel's colour of each palette goes over the one that is addressed.
            colour => {
                for first in [0, 4, 8, 12] {
                    self.palette[first + (entry & 3)] = self.palette[first + colour];
                }
            }
        }
    }
}

impl State for Corruption {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { cut, cut_now, armed, row, spared, reaches_palette: _ } = self;
        for flag in [cut, cut_now, armed, spared] {
            fields.bool(flag)?;
        }
        fields.u8(row)?;
        fields.check("OAM row", u64::from(*row), *row <= 0x20)
    }
}
