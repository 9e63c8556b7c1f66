//! What goes wrong in OAM when rendering is cut in the middle of a line.
//!
//! OAM is dynamic memory in rows of eight bytes. A cut leaves the row that secondary OAM's address
//! selects open; when rendering comes back, row 0 is copied over it (NESdev: Errata, AccuracyCoin:
//! OAM corruption).

use nes_state::{Fields, State, StateError};

use crate::ppu::Ppu;

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
}

impl Corruption {
    /// Nothing is under way.
    #[inline]
    pub(crate) fn at_rest(&self) -> bool {
        !(self.cut | self.cut_now | self.armed | self.spared)
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

impl State for Corruption {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { cut, cut_now, armed, row, spared } = self;
        for flag in [cut, cut_now, armed, spared] {
            fields.bool(flag)?;
        }
        fields.u8(row)?;
        fields.check("OAM row", u64::from(*row), *row <= 0x20)
    }
}
