//! UNROM 512 (mapper 30): 16 KiB banks of PRG, 8 KiB banks of CHR-RAM, and flash that the program
//! can write by itself.
//!
//! ```text
//! 7654 3210
//! MCCP PPPP   M: nametable, on boards that choose it; C: 8 KiB bank of CHR-RAM; P: 16 KiB bank at $8000
//! ```
//!
//! Where the header has a battery, the PRG is an SST39SF040, the latch is at $C000-$FFFF alone, and
//! writes to $8000-$BFFF go to the flash. Its commands are there: program a byte, erase 4 KiB,
//! erase everything. It answers with the new byte at once, as if it took no time, and does not tell
//! its name (*not there: the status bits while it works, and the identification*).
//!
//! Source: `NESdev`, "UNROM 512".

use nes_state::{Fields, State, StateError};

use crate::banks::{Banks, Memory, SINGLE_SCREEN_LOWER, SINGLE_SCREEN_UPPER};
use crate::header::Header;
use crate::picture::Place;

/// What a command of the flash begins with, byte for byte: address lines and value.
const UNLOCK: [(usize, u8); 2] = [(0x5555, 0xAA), (0x2AAA, 0x55)];
/// The address lines that a command looks at.
const COMMAND_LINES: usize = 0x7FFF;
/// Bytes that the flash erases at once.
const SECTOR: usize = 0x1000;

/// The latch, and how far a command of the flash has got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unrom512 {
    register: u8,
    pub(crate) conflicts: bool,
    one_screen: bool,
    /// Submapper 3: the latch chooses between horizontal and vertical.
    chooses_mirroring: bool,
    pub(crate) four_screen: bool,
    pub(crate) flash: Option<Flash>,
}

/// Which byte of a command comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flash {
    /// 0 to 2: of the unlock sequence and the command; 3: the byte to program; 4 to 6: of the
    /// second sequence, that of an erasure.
    step: u8,
}

impl Unrom512 {
    pub(crate) fn new(header: &Header) -> Self {
        let (four_screen_bit, vertical) = header.mirroring_bits;
        Self {
            register: 0,
            // Submapper 0 has them where it cannot be flashed.
            conflicts: match header.submapper {
                2 => true,
                0 => !header.battery,
                _ => false,
            },
            one_screen: four_screen_bit && !vertical && header.submapper != 3,
            chooses_mirroring: header.submapper == 3,
            four_screen: four_screen_bit && vertical,
            flash: header.battery.then(Flash::default),
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        if self.flash.is_some() { "UNROM 512 with flash" } else { "UNROM 512" }
    }

    pub(crate) fn write(&mut self, address: u16, value: u8) -> bool {
        let first = if self.flash.is_some() { 0xC000 } else { 0x8000 };
        address >= first && core::mem::replace(&mut self.register, value) != value
    }

    /// A write to the flash, whose byte at `offset` the CPU sees at `address`.
    pub(crate) fn flash(&mut self, chip: &mut [u8], offset: usize, address: u16, value: u8) {
        let Some(flash) = self.flash.as_mut().filter(|_| address < 0xC000) else { return };
        let at = (offset & COMMAND_LINES, value);
        flash.step = match flash.step {
            0 | 4 if at == UNLOCK[0] => flash.step + 1,
            1 | 5 if at == UNLOCK[1] => flash.step + 1,
            2 if at == (0x5555, 0xA0) => 3,
            2 if at == (0x5555, 0x80) => 4,
            3 => {
                // Programming clears bits; only an erasure sets them.
                chip[offset] &= value;
                0
            }
            6 if at == (0x5555, 0x10) => {
                chip.fill(0xFF);
                0
            }
            6 if value == 0x30 => {
                let sector = offset & !(SECTOR - 1);
                chip[sector..sector + SECTOR].fill(0xFF);
                0
            }
            _ => 0,
        };
    }

    pub(crate) fn switch(&self, banks: &mut Banks, memory: &Memory) {
        banks.switch_prg_16k(0, u32::from(self.register & 0x1F));
        banks.switch_prg_16k(1, (memory.prg_rom >> 14).saturating_sub(1));
        if self.flash.is_some() {
            banks.show_flash();
        }
        banks.switch_chr_8k(self.register >> 5 & 3);
        let high = self.register & 0x80 != 0;
        if self.chooses_mirroring {
            banks.nametables = if high { crate::banks::VERTICAL } else { crate::banks::HORIZONTAL };
        } else if self.one_screen {
            banks.nametables = if high { SINGLE_SCREEN_UPPER } else { SINGLE_SCREEN_LOWER };
        }
    }

    /// The boards of four screens have their nametables in the last 8 KiB of CHR-RAM.
    pub(crate) fn place(&self, address: u16, banks: &Banks, memory: &Memory) -> Place {
        if address & 0x2000 == 0 || !self.four_screen || !memory.chr_is_ram {
            return Place::plain(address, banks);
        }
        let last = memory.chr.saturating_sub(0x2000);
        Place::Chr((last + u32::from(address & 0x1FFF)) & (memory.chr - 1))
    }
}

impl State for Unrom512 {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { register, conflicts: _, one_screen: _, chooses_mirroring: _, four_screen: _, flash } =
            self;
        fields.u8(register)?;
        if let Some(Flash { step }) = flash {
            fields.u8(step)?;
            fields.check("step of a flash command", u64::from(*step), *step <= 6)?;
        }
        Ok(())
    }
}
