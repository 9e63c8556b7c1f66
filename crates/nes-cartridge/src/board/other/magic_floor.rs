//! Magic Floor (mapper 218): a board without CHR. The console's 2 KiB of nametable RAM hold the
//! patterns, too; the header says which address line of the PPU chooses the half.

use crate::banks::Banks;
use crate::header::Header;
use crate::picture::Place;

/// The wiring. Source: `NESdev`, "INES Mapper 218".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MagicFloor {
    /// The line of the PPU's address that is CIRAM A10.
    line: u8,
}

impl MagicFloor {
    pub(crate) fn new(header: &Header) -> Self {
        let line = match header.mirroring_bits {
            (false, false) => 11,
            (false, true) => 10,
            (true, false) => 12,
            (true, true) => 13,
        };
        Self { line }
    }

    pub(crate) fn place(&self, address: u16) -> Place {
        Place::Ciram(address & 0x3FF | (address >> self.line & 1) << 10)
    }

    pub(crate) fn switch(&self, banks: &mut Banks) {
        for (slot, offset) in (0x2000u16..).step_by(0x400).zip(&mut banks.nametables) {
            *offset = (slot >> self.line & 1) << 10;
        }
    }
}
