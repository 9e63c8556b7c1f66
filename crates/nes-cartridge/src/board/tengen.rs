//! Tengen's 800008 (mapper 148, as Sachen's SA-008-A): Tengen's Tetris.
//!
//! ```text
//! 7654 3210
//! xxxx PCCC   P: 32 KiB bank at $8000; C: 8 KiB bank of CHR
//! ```

use nes_state::{Fields, State, StateError};

use crate::banks::Banks;

/// A latch on the data bus, which the ROM drives, too. Source: `NESdev`, "INES Mapper 148".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tengen {
    pub(crate) register: u8,
}

impl Tengen {
    pub(crate) fn new() -> Self {
        Self { register: 0 }
    }

    pub(crate) fn switch(&self, banks: &mut Banks) {
        banks.switch_prg_32k(self.register >> 3 & 1);
        banks.switch_chr_8k(self.register & 7);
    }
}

impl State for Tengen {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { register } = self;
        fields.u8(register)
    }
}
