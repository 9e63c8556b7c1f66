//! Action 53 (mapper 28): one board that stands for the discrete ones, for collections of games.
//!
//! ```text
//! $5000-$5FFF  S......R   the register that $8000-$FFFF writes
//! $00  CHR     ...M..CC   M: nametable, if one is seen; C: 8 KiB bank of CHR-RAM
//! $01  PRG     ...MPPPP   P: the inner bank
//! $80  mode    ..SSPPMM   S: size of the outer bank, 32 KiB << S; P: 0, 1: 32 KiB banks,
//!                         2: the lower half fixed, 3: the upper half fixed; M: lower nametable,
//!                         upper nametable, vertical, horizontal
//! $81  outer   PPPPPPPP   the outer bank, in 32 KiB
//! ```

use nes_state::{Fields, State, StateError};

use crate::banks::{Banks, HORIZONTAL, SINGLE_SCREEN_LOWER, SINGLE_SCREEN_UPPER, VERTICAL};

/// The registers. Source: `NESdev`, "Action 53 mapper".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Action53 {
    selected: u8,
    chr: u8,
    inner: u8,
    mode: u8,
    outer: u8,
}

impl Action53 {
    /// Power-on: the last bank is at $C000.
    pub(crate) fn new() -> Self {
        Self { selected: 0, chr: 0, inner: 0, mode: 0, outer: 0xFF }
    }

    pub(crate) fn write(&mut self, address: u16, value: u8) -> bool {
        match address {
            0x5000..=0x5FFF => {
                self.selected = value & 0x81;
                return false;
            }
            0x8000.. => {}
            _ => return false,
        }
        match self.selected {
            0x00 => self.chr = value & 3,
            0x01 => self.inner = value & 0x0F,
            0x80 => self.mode = value & 0x3F,
            _ => self.outer = value,
        }
        if self.selected < 0x80 && self.mode & 2 == 0 {
            self.mode = self.mode & !1 | value >> 4 & 1;
        }
        true
    }

    /// The number of the 16 KiB bank in a half of $8000-$FFFF.
    fn bank(&self, half: u32) -> u32 {
        let (outer, inner, size) =
            (u32::from(self.outer) << 1, u32::from(self.inner), u32::from(self.mode >> 4));
        let within = |bank: u32, mask: u32| outer & !mask | bank & mask;
        match (self.mode >> 2 & 3, half) {
            (0 | 1, _) => within(inner << 1, (2 << size) - 1) & !1 | half,
            (2, 0) | (3, 1) => outer | half,
            _ => within(inner, (2 << size) - 1),
        }
    }

    pub(crate) fn switch(&self, banks: &mut Banks) {
        banks.switch_prg_16k(0, self.bank(0));
        banks.switch_prg_16k(1, self.bank(1));
        banks.switch_chr_8k(self.chr);
        banks.nametables = match self.mode & 3 {
            0 => SINGLE_SCREEN_LOWER,
            1 => SINGLE_SCREEN_UPPER,
            2 => VERTICAL,
            _ => HORIZONTAL,
        };
    }
}

impl State for Action53 {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { selected, chr, inner, mode, outer } = self;
        for register in [selected, chr, inner, &mut *mode, outer] {
            fields.u8(register)?;
        }
        fields.check("Action 53 mode", u64::from(*mode), *mode <= 0x3F)
    }
}
