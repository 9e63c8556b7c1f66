//! OAM forgets: it is dynamic memory, and a row of eight bytes that nothing has read or written for
//! too long is lost (NESdev: PPU OAM, Errata).
//!
//! The search of each line of the picture reads all of it, so that nothing is lost while the chip
//! renders; `$2004` refreshes the row that it reaches, and PAL's chip all rows in vblank. How long
//! a row holds depends on chip and temperature, and what is then in it on the chip, so that this is
//! off by default ([`crate::Quirks`]).

use nes_clock::Region;
use nes_state::{Fields, State, StateError};

use crate::dot::{REFRESH, VBLANK};
use crate::ppu::Ppu;

/// Bytes in a row.
const ROW: usize = 8;
/// Lines that a row holds without a refresh: some 3,000 cycles, by which Mesen2 goes.
const HOLDS: u64 = 26;

/// When each row was refreshed last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decay {
    /// Lines since power-on, as [`Ppu::lines`] counts them.
    refreshed: [u64; 32],
}

/// What stands in a byte of OAM that is lost: its own address, as in Mesen2. Bits 2–4 of an
/// attribute byte have no storage.
fn lost(at: u8) -> u8 {
    if at & 3 == 2 { at & 0xE3 } else { at }
}

impl Ppu {
    /// The search of sprites begins, which reads all of OAM.
    #[inline]
    pub(crate) fn begin_search(&mut self) {
        if self.oam.decay.is_some() && !self.is_pre_render() {
            self.refresh_rows(0..32);
        }
        self.oam.begin_search();
    }

    /// `$2004` is about to reach the byte at OAM's address.
    #[inline]
    pub(crate) fn reach_oam(&mut self) {
        if self.oam.decay.is_some() {
            let row = usize::from(self.oam.address) / ROW;
            self.refresh_rows(row..row + 1);
        }
    }

    /// The byte at OAM's address, as a read of `$2004` would find it.
    pub(crate) fn oam_byte(&self) -> u8 {
        let at = self.oam.address;
        let is_lost = self.oam.decay.as_ref().is_some_and(|decay| {
            self.lines().saturating_sub(self.last_refresh(decay, usize::from(at) / ROW)) > HOLDS
        });
        if is_lost { lost(at) } else { self.oam.primary[usize::from(at)] }
    }

    /// What these rows have lost is lost, and the rest is refreshed.
    #[cold]
    fn refresh_rows(&mut self, rows: core::ops::Range<usize>) {
        let now = self.lines();
        let Some(mut decay) = self.oam.decay.take() else { return };
        for row in rows {
            if now.saturating_sub(self.last_refresh(&decay, row)) > HOLDS {
                let first = ROW * row;
                for (at, byte) in (first..).zip(&mut self.oam.primary[first..first + ROW]) {
                    *byte = lost(at as u8);
                }
            }
            decay.refreshed[row] = now;
        }
        self.oam.decay = Some(decay);
    }

    /// The last line in which a row was refreshed: by a read or a write, or on PAL in vblank.
    fn last_refresh(&self, decay: &Decay, row: usize) -> u64 {
        let by_access = decay.refreshed[row];
        if self.region == Region::Ntsc {
            return by_access;
        }
        let in_vblank = (REFRESH..self.pre_render).contains(&self.scanline);
        let since = if in_vblank { 0 } else { self.lines_since(self.pre_render - 1) };
        by_access.max(self.lines().saturating_sub(since))
    }

    /// Lines since power-on.
    fn lines(&self) -> u64 {
        let frame = u64::from(self.pre_render) + 1;
        // The frame's number changes in dot 1 of the first line of vblank.
        let late = self.scanline == VBLANK && self.dot == 0;
        (self.frames + u64::from(late)) * frame + self.lines_since(VBLANK)
    }

    /// Lines since the last one of that number began, 0 within it.
    fn lines_since(&self, line: u16) -> u64 {
        let frame = self.pre_render + 1;
        u64::from((self.scanline + frame - line) % frame)
    }
}

impl State for Decay {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { refreshed } = self;
        refreshed.iter_mut().try_for_each(|line| fields.u64(line))
    }
}
