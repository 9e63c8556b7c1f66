//! `GxROM` (mapper 66): GNROM, MHROM. 32 KiB banks of PRG, 8 KiB banks of CHR.
//!
//! ```text
//! 7654 3210
//! PPPP CCCC   P: 32 KiB bank at $8000; C: 8 KiB bank of CHR
//! ```
//!
//! The boards bring two lines of each out; images with all four are made.

use nes_state::{Fields, State, StateError};

use crate::banks::Banks;

/// A 74161 that latches the data bus. Source: NESdev, "`GxROM`".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gxrom {
    pub(crate) register: u8,
    pub(crate) conflicts: bool,
}

impl Gxrom {
    pub(crate) fn new(conflicts: bool) -> Self {
        Self { register: 0, conflicts }
    }

    pub(crate) fn switch(&self, banks: &mut Banks) {
        banks.switch_prg_32k(self.register >> 4);
        banks.switch_chr_8k(self.register & 0x0F);
    }
}

impl State for Gxrom {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { register, conflicts: _ } = self;
        fields.u8(register)
    }
}
