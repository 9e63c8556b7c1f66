//! `AxROM` (mapper 7): AMROM, ANROM, AOROM. 32 KiB banks and a choice of nametable.
//!
//! ```text
//! 7654 3210
//! xxxN PPPP   N: nametable; P: 32 KiB bank at $8000
//! ```

use nes_state::{Fields, State, StateError};

use crate::banks::{Banks, SINGLE_SCREEN_LOWER, SINGLE_SCREEN_UPPER};

/// A 74161 that latches the data bus. Source: NESdev, "`AxROM`".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Axrom {
    pub(crate) register: u8,
    pub(crate) conflicts: bool,
}

impl Axrom {
    pub(crate) fn new(conflicts: bool) -> Self {
        Self { register: 0, conflicts }
    }

    pub(crate) fn switch(&self, banks: &mut Banks) {
        banks.switch_prg_32k(self.register & 0x0F);
        banks.nametables = if self.register & 0x10 == 0 { SINGLE_SCREEN_LOWER } else { SINGLE_SCREEN_UPPER };
    }
}

impl State for Axrom {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { register, conflicts: _ } = self;
        fields.u8(register)
    }
}
