//! CNROM (mapper 3): 8 KiB banks of CHR.

use nes_state::{Fields, State, StateError};

/// A 74161 that latches the data bus. Source: NESdev, "CNROM".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cnrom {
    pub(crate) bank: u8,
    pub(crate) conflicts: bool,
}

impl Cnrom {
    pub(crate) fn new(conflicts: bool) -> Self {
        Self { bank: 0, conflicts }
    }
}

impl State for Cnrom {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { bank, conflicts: _ } = self;
        fields.u8(bank)
    }
}
