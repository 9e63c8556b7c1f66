//! `UxROM` (mapper 2): UNROM, UOROM. 16 KiB banks at $8000, the last one fixed at $C000.

use nes_state::{Fields, State, StateError};

use crate::banks::{Banks, Memory};

/// A 74161 that latches the data bus. Source: NESdev, "`UxROM`".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Uxrom {
    pub(crate) bank: u8,
    pub(crate) conflicts: bool,
}

impl Uxrom {
    pub(crate) fn new(conflicts: bool) -> Self {
        Self { bank: 0, conflicts }
    }

    pub(crate) fn switch(&self, banks: &mut Banks, memory: &Memory) {
        banks.switch_prg_16k(0, u32::from(self.bank));
        banks.switch_prg_16k(1, (memory.prg_rom >> 14).saturating_sub(1));
    }
}

impl State for Uxrom {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { bank, conflicts: _ } = self;
        fields.u8(bank)
    }
}
