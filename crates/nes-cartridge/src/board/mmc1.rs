//! MMC1 (mappers 1 and 155) on the `SxROM` boards: a serial port into four registers of five bits.
//!
//! ```text
//! $8000  control   CPPMM  C: 8 KiB (0) or two 4 KiB (1) banks of CHR
//!                         P: 0, 1 32 KiB of PRG; 2 first bank fixed at $8000; 3 last bank fixed at $C000
//!                         M: nametables lower, upper, vertical, horizontal
//! $A000  CHR 0     CCCCC  4 KiB bank at $0000, or 8 KiB bank (low bit unused)
//! $C000  CHR 1     CCCCC  4 KiB bank at $1000
//! $E000  PRG       RPPPP  R: PRG-RAM disabled (MMC1B), PRG A17 is bit 3 (MMC1A);
//!                         P: 16 KiB bank (low bit unused for 32 KiB)
//! ```
//!
//! Boards with 8 KiB of CHR-RAM have no use for the upper lines of CHR and wire them elsewhere: bit
//! 4 is PRG A18 beyond 256 KiB (SUROM, SXROM), else it disables the PRG-RAM (SNROM, SOROM); bits
//! 2-3 choose among 32 KiB of PRG-RAM (SXROM), bit 3 between 16 KiB (SOROM). With CHR-ROM, bit 4
//! does that (SZROM). They come from CHR 0 or CHR 1 as PPU A12 stands.
//!
//! Source: NESdev, "MMC1" and "`SxROM`".

use nes_state::{Fields, State, StateError};

use crate::banks::{Banks, HORIZONTAL, Memory, SINGLE_SCREEN_LOWER, SINGLE_SCREEN_UPPER, VERTICAL};

/// Revision of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chip {
    /// The PRG-RAM is always enabled; with bit 4 of the PRG register set, its bit 3 alone is PRG
    /// A17, in the fixed bank, too (mapper 155; NESdev: INES Mapper 155).
    A,
    /// Bit 4 of the PRG register disables the PRG-RAM; it is enabled at power-on.
    B,
}

/// The serial port before the first write: when its 1 comes out, five bits are in.
const EMPTY: u8 = 0x10;

/// PRG-ROM beyond this needs a further address line from the CHR registers, in bytes.
const PRG_256K: u32 = 0x4_0000;

/// The chip and its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mmc1 {
    chip: Chip,
    /// SEROM, SHROM, SH1ROM: PRG A14 comes from the CPU, not from the chip.
    fixed_prg: bool,
    shift: u8,
    control: u8,
    chr: [u8; 2],
    prg: u8,
    /// Cycle of the last write to $8000-$FFFF.
    written_at: Option<u64>,
    /// PPU A12, as far as the chip has been told.
    a12: bool,
}

impl Mmc1 {
    /// Power-on: the last PRG bank at $C000, as every board is observed to start.
    pub(crate) fn new(chip: Chip, fixed_prg: bool) -> Self {
        Self {
            chip,
            fixed_prg,
            shift: EMPTY,
            control: 0x0C,
            chr: [0; 2],
            prg: 0,
            written_at: None,
            a12: false,
        }
    }

    /// Whether a register was written, and not only the serial port.
    pub(crate) fn write(&mut self, address: u16, value: u8, cycle: u64) -> bool {
        // In the cycle after a write the port takes no bit: of a read-modify-write instruction only
        // the first write counts. A reset is taken all the same (NESdev: MMC1, "Consecutive-cycle
        // writes").
        let consecutive = self.written_at.is_some_and(|last| last.checked_add(1) == Some(cycle));
        self.written_at = Some(cycle);
        if value & 0x80 != 0 {
            self.shift = EMPTY;
            self.control |= 0x0C;
            return true;
        }
        if consecutive {
            return false;
        }
        let full = self.shift & 1 != 0;
        self.shift = self.shift >> 1 | (value & 1) << 4;
        if full {
            let bits = core::mem::replace(&mut self.shift, EMPTY);
            match address >> 13 & 3 {
                0 => self.control = bits,
                1 => self.chr[0] = bits,
                2 => self.chr[1] = bits,
                _ => self.prg = bits,
            }
        }
        full
    }

    /// Follows PPU A12; whether the level is another one now.
    pub(crate) fn set_a12(&mut self, high: bool) -> bool {
        core::mem::replace(&mut self.a12, high) != high
    }

    /// Whether PPU A12 now moves anything that the CPU could notice.
    pub(crate) fn watches_a12(&self, memory: &Memory) -> bool {
        self.two_chr_banks() && (self.chr[0] ^ self.chr[1]) & lines_used(memory) != 0
    }

    pub(crate) fn switch(&self, banks: &mut Banks, memory: &Memory) {
        banks.nametables = match self.control & 3 {
            0 => SINGLE_SCREEN_LOWER,
            1 => SINGLE_SCREEN_UPPER,
            2 => VERTICAL,
            _ => HORIZONTAL,
        };
        if self.two_chr_banks() {
            banks.switch_chr_4k(0, u32::from(self.chr[0]));
            banks.switch_chr_4k(1, u32::from(self.chr[1]));
        } else {
            banks.switch_chr_8k(self.chr[0] >> 1);
        }
        let lines = self.chr[usize::from(self.two_chr_banks() && self.a12)];
        self.switch_prg(banks, memory, lines);
        self.switch_prg_ram(banks, memory, lines);
    }

    fn switch_prg(&self, banks: &mut Banks, memory: &Memory, lines: u8) {
        if self.fixed_prg {
            banks.switch_prg_32k(0);
            return;
        }
        let outer = if memory.prg_rom > PRG_256K { u32::from(lines & 0x10) } else { 0 };
        let bank = u32::from(self.prg & 0x0F);
        let mut halves = match self.control >> 2 & 3 {
            0 | 1 => [bank & !1, bank | 1],
            2 => [0, bank],
            _ => [bank, 0x0F],
        };
        if self.chip == Chip::A && self.prg & 0x10 != 0 {
            halves = halves.map(|half| half & 0x07 | bank & 0x08);
        }
        for (half, bank) in halves.into_iter().enumerate() {
            banks.switch_prg_16k(half, outer | bank);
        }
    }

    fn switch_prg_ram(&self, banks: &mut Banks, memory: &Memory, lines: u8) {
        banks.switch_prg_ram(match (memory.prg_ram, memory.chr_is_ram) {
            (0..=0x2000, _) => 0,
            (..=0x4000, true) => lines >> 3 & 1,
            (..=0x4000, false) => lines >> 4 & 1,
            _ => lines >> 2 & 3,
        });
        let disabled_by_chip = self.chip == Chip::B && self.prg & 0x10 != 0;
        if disabled_by_chip || (has_line_disable(memory) && lines & 0x10 != 0) {
            banks.prg_ram = None;
        }
    }

    pub(crate) fn name(&self, memory: &Memory) -> &'static str {
        match (memory.chr_is_ram, memory.prg_ram) {
            _ if self.fixed_prg => "SEROM/SHROM/SH1ROM",
            (_, 0x4001..) => "SXROM",
            _ if memory.prg_rom > PRG_256K => "SUROM",
            (true, 0) => "SGROM/SMROM",
            (true, ..=0x2000) => "SNROM",
            (true, _) => "SOROM",
            (false, 0) => "SxROM without PRG-RAM",
            (false, ..=0x2000) => "SJROM/SKROM",
            (false, _) => "SZROM",
        }
    }

    fn two_chr_banks(&self) -> bool {
        self.control & 0x10 != 0
    }
}

/// Whether bit 4 of the CHR registers disables the PRG-RAM: Holy Mapperel expects it of every board
/// with CHR-RAM and no more than 256 KiB of PRG-ROM.
fn has_line_disable(memory: &Memory) -> bool {
    memory.chr_is_ram && memory.prg_rom <= PRG_256K && memory.prg_ram > 0
}

/// The bits of the CHR registers that reach PRG-ROM or PRG-RAM.
fn lines_used(memory: &Memory) -> u8 {
    let prg = if memory.prg_rom > PRG_256K || has_line_disable(memory) { 0x10 } else { 0 };
    let ram = match (memory.prg_ram, memory.chr_is_ram) {
        (0..=0x2000, _) => 0,
        (..=0x4000, true) => 0x08,
        (..=0x4000, false) => 0x10,
        _ => 0x0C,
    };
    prg | ram
}

impl State for Mmc1 {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { chip: _, fixed_prg: _, shift, control, chr, prg, written_at, a12 } = self;
        fields.u8(shift)?;
        fields.check("MMC1 serial port", u64::from(*shift), (1..=0x1F).contains(shift))?;
        let [chr0, chr1] = chr;
        for register in [control, chr0, chr1, prg] {
            fields.u8(register)?;
            fields.check("MMC1 register", u64::from(*register), *register <= 0x1F)?;
        }
        let mut written = written_at.is_some();
        let mut cycle = written_at.unwrap_or(0);
        fields.bool(&mut written)?;
        fields.u64(&mut cycle)?;
        *written_at = written.then_some(cycle);
        fields.bool(a12)
    }
}
