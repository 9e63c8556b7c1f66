//! UNROM 512 (mapper 30): 16 KiB banks of PRG, 8 KiB banks of CHR-RAM, and flash that the program
//! can write by itself.
//!
//! ```text
//! 7654 3210
//! MCCP PPPP   M: nametable, on boards that choose it; C: 8 KiB bank of CHR-RAM; P: 16 KiB bank at $8000
//! ```
//!
//! Where the header has a battery, the PRG is an SST39SF040, the latch is at $C000-$FFFF alone, and
//! writes to $8000-$BFFF go to the flash. It programs a byte, erases 4 KiB or everything, and tells
//! its maker and its name. While it works it takes no command, and each read of $8000-$FFFF is of
//! its status: bit 7 is not yet what it will be, bit 6 changes with each read. That is why programs
//! write to it from RAM.
//!
//! Sources: `NESdev`, "UNROM 512"; the data sheet of the SST39SF010A/020A/040, of which the typical
//! times are taken: 14 µs, 18 ms and 70 ms.

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
/// CPU cycles of an NTSC console that it takes to program a byte.
const PROGRAM: u64 = 25;
/// The same to erase a sector.
const ERASE: u64 = 32_216;
/// The same to erase everything.
const ERASE_ALL: u64 = 125_284;
/// Who made it: the answer at even addresses.
const MAKER: u8 = 0xBF;

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
    /// It answers with its name.
    identifies: bool,
    work: Option<Work>,
}

/// What the flash is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Work {
    /// The first cycle in which it is done.
    until: u64,
    /// Bits 7 and 6 of what a read finds.
    status: u8,
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

    /// A write to the flash in `cycle`, whose byte at `offset` the CPU sees at `address`.
    pub(crate) fn flash(&mut self, chip: &mut [u8], offset: usize, address: u16, value: u8, cycle: u64) {
        self.work_until(cycle);
        let Some(flash) = self.flash.as_mut().filter(|_| address < 0xC000) else { return };
        if flash.work.is_some() {
            return;
        }
        let mut begin = |time: u64, status: u8| {
            flash.work = Some(Work { until: cycle.saturating_add(time), status });
        };
        let at = (offset & COMMAND_LINES, value);
        let step = match flash.step {
            0 | 4 if at == UNLOCK[0] => flash.step + 1,
            1 | 5 if at == UNLOCK[1] => flash.step + 1,
            2 if at == (0x5555, 0xA0) => 3,
            2 if at == (0x5555, 0x80) => 4,
            2 if at == (0x5555, 0x90) => {
                flash.identifies = true;
                0
            }
            3 => {
                // Programming clears bits; only an erasure sets them.
                chip[offset] &= value;
                begin(PROGRAM, !value & 0x80);
                0
            }
            6 if at == (0x5555, 0x10) => {
                chip.fill(0xFF);
                begin(ERASE_ALL, 0);
                0
            }
            6 if value == 0x30 => {
                let sector = offset & !(SECTOR - 1);
                chip[sector..sector + SECTOR].fill(0xFF);
                begin(ERASE, 0);
                0
            }
            _ => {
                // Anywhere, or behind the unlock sequence.
                flash.identifies &= value != 0xF0;
                0
            }
        };
        flash.step = step;
    }

    /// Whether the flash answers with something else than its bytes.
    pub(crate) fn answers_itself(&self) -> bool {
        self.flash.is_some_and(|flash| flash.identifies || flash.work.is_some())
    }

    /// Whatever the flash worked at is done, if it is by `cycle`.
    pub(crate) fn work_until(&mut self, cycle: u64) {
        if let Some(flash) = &mut self.flash {
            flash.work = flash.work.filter(|work| cycle < work.until);
        }
    }

    /// What the flash answers a read of `address` with, in place of the byte there. `size` is how
    /// many it has.
    pub(crate) fn answer(&self, address: u16, size: usize) -> Option<u8> {
        let flash = self.flash?;
        match (flash.work, address & 1) {
            (Some(Work { status, .. }), _) => Some(status),
            (None, _) if !flash.identifies => None,
            (None, 0) => Some(MAKER),
            // 128, 256 and 512 KiB.
            _ => Some(match size {
                0..=0x2_0000 => 0xB5,
                0x2_0001..=0x4_0000 => 0xB6,
                _ => 0xB7,
            }),
        }
    }

    /// A read has found the status of the flash.
    pub(crate) fn was_read(&mut self, address: u16) {
        if let Some(work) = self.flash.as_mut().and_then(|flash| flash.work.as_mut())
            && address >= 0x8000
        {
            work.status ^= 0x40;
        }
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
        if let Some(Flash { step, identifies, work }) = flash {
            fields.u8(step)?;
            fields.check("step of a flash command", u64::from(*step), *step <= 6)?;
            fields.bool(identifies)?;
            let mut works = work.is_some();
            let Work { mut until, mut status } = work.unwrap_or(Work { until: 0, status: 0 });
            fields.bool(&mut works)?;
            fields.u64(&mut until)?;
            fields.u8(&mut status)?;
            *work = works.then_some(Work { until, status: status & 0xC0 });
        }
        Ok(())
    }
}
