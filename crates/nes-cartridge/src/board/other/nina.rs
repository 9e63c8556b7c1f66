//! Mapper 34, which is two boards: BNROM, and AVE's NINA-001.
//!
//! ```text
//! BNROM      $8000-$FFFF  PPPP PPPP  32 KiB bank at $8000
//! NINA-001   $7FFD        .......P   32 KiB bank at $8000
//!            $7FFE        ....CCCC   4 KiB bank of CHR at $0000
//!            $7FFF        ....CCCC   4 KiB bank of CHR at $1000
//! ```
//!
//! The registers of NINA-001 lie over its PRG-RAM, which takes the bytes, too.

use nes_state::{Fields, State, StateError};

use crate::banks::Banks;
use crate::header::Header;

/// The registers of either board. Source: `NESdev`, "INES Mapper 034".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Nina {
    has_low_registers: bool,
    pub(crate) conflicts: bool,
    prg: u8,
    chr: [u8; 2],
}

impl Nina {
    /// Submapper 1 is NINA-001 and 2 is BNROM, whose ROM drives the bus at a write, too. Without
    /// one more CHR-ROM than 8 KiB, which BNROM could not bank, tells.
    pub(crate) fn new(header: &Header) -> Self {
        let has_low_registers = header.submapper == 1 || header.submapper != 2 && header.chr_rom > 0x2000;
        Self { has_low_registers, conflicts: header.submapper == 2, prg: 0, chr: [0, 1] }
    }

    pub(crate) fn name(&self) -> &'static str {
        if self.has_low_registers { "NINA-001" } else { "BNROM" }
    }

    pub(crate) fn write(&mut self, address: u16, value: u8) -> bool {
        let register = match (self.has_low_registers, address) {
            (true, 0x7FFD) | (false, 0x8000..) => &mut self.prg,
            (true, 0x7FFE) => &mut self.chr[0],
            (true, 0x7FFF) => &mut self.chr[1],
            _ => return false,
        };
        core::mem::replace(register, value) != value
    }

    pub(crate) fn switch(&self, banks: &mut Banks) {
        banks.switch_prg_32k(self.prg);
        if self.has_low_registers {
            for (half, bank) in self.chr.into_iter().enumerate() {
                banks.switch_chr_4k(half, u32::from(bank & 0x0F));
            }
        }
    }
}

impl State for Nina {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { has_low_registers: _, conflicts: _, prg, chr } = self;
        fields.u8(prg)?;
        fields.bytes(chr)
    }
}
