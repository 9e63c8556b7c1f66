//! Mapper 113: the boards of HES' multicarts, which are NINA-03 and NINA-06 with more banks.
//!
//! ```text
//! $4100-$5FFF with A8 set
//! 7654 3210
//! MCPP PCCC   M: vertical mirroring, else horizontal; P: 32 KiB bank at $8000; C: 8 KiB bank of CHR
//! ```

use nes_state::{Fields, State, StateError};

use crate::banks::{Banks, HORIZONTAL, VERTICAL};

/// A latch below $6000. Source: `NESdev`, "INES Mapper 113".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hes {
    register: u8,
}

impl Hes {
    pub(crate) fn new() -> Self {
        Self { register: 0 }
    }

    pub(crate) fn write(&mut self, address: u16, value: u8) -> bool {
        address & 0xE100 == 0x4100 && core::mem::replace(&mut self.register, value) != value
    }

    pub(crate) fn switch(&self, banks: &mut Banks) {
        banks.switch_prg_32k(self.register >> 3 & 7);
        banks.switch_chr_8k(self.register & 7 | self.register >> 3 & 8);
        banks.nametables = if self.register & 0x80 == 0 { HORIZONTAL } else { VERTICAL };
    }
}

impl State for Hes {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { register } = self;
        fields.u8(register)
    }
}
