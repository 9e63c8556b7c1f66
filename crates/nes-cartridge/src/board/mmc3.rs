//! MMC3 (mapper 4) on the `TxROM` boards: small banks, and an interrupt that counts lines by PPU
//! A12.
//!
//! ```text
//! $8000  select    CP...RRR  C: the 2 KiB banks of CHR at $1000, not $0000; P: R6 at $C000, not $8000
//!                            R: the bank register that $8001 writes
//! $8001  bank      R0, R1 2 KiB of CHR; R2-R5 1 KiB of CHR; R6, R7 8 KiB of PRG
//! $A000  mirroring .......H  H: horizontal, else vertical; without effect on four-screen boards
//! $A001  PRG-RAM   EW......  E: enabled; W: writes denied
//! $C000  latch     what the counter is reloaded with
//! $C001  reload    clears the counter: the next clock reloads it
//! $E000  disable   and acknowledges the interrupt
//! $E001  enable
//! ```
//!
//! The counter is clocked where A12 rises after it was low for three falling edges of M2, which
//! leaves out the rises between the fetches of neighbouring tiles. At 0 it is reloaded instead of
//! counting down. Revision B (Sharp) asks for the interrupt whenever a clock leaves it at 0;
//! revision A (NEC) only if the clock has counted down to 0, or followed a write to $C001.
//!
//! Source: NESdev, "MMC3".

use nes_state::{Fields, State, StateError};

use crate::banks::{Banks, HORIZONTAL, Memory, VERTICAL};
use crate::{Mirroring, Mmc3Revision};

/// Falling edges of M2 for which A12 has to be low before a rise counts.
const FILTER: u64 = 3;

/// The number of the last bank of 8 KiB, whatever the size of PRG-ROM.
const LAST: u32 = 0xFF;

/// The chip and its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mmc3 {
    pub(crate) revision: Mmc3Revision,
    select: u8,
    banks: [u8; 8],
    horizontal: bool,
    ram: u8,
    latch: u8,
    counter: u8,
    reload: bool,
    enabled: bool,
    /// The IRQ line, and the first cycle in which the CPU samples it at this level.
    irq: bool,
    irq_since: u64,
    /// PPU A12, and the CPU cycle in which it last fell.
    a12: bool,
    fell_in: u64,
}

impl Mmc3 {
    /// Power-on: no register has a known value. The banks are those of many boards in a row, the
    /// PRG-RAM is enabled, as images expect that never write $A001, and the nametables are the
    /// header's.
    pub(crate) fn new(revision: Mmc3Revision, mirroring: Mirroring) -> Self {
        Self {
            revision,
            select: 0,
            banks: [0, 2, 4, 5, 6, 7, 0, 1],
            horizontal: mirroring == Mirroring::Horizontal,
            ram: 0x80,
            latch: 0,
            counter: 0,
            reload: false,
            enabled: false,
            irq: false,
            irq_since: 0,
            a12: false,
            fell_in: 0,
        }
    }

    /// Whether a register was written that the bank table depends on.
    pub(crate) fn write(&mut self, address: u16, value: u8, cycle: u64) -> bool {
        match address & 0xE001 {
            0x8000 => self.select = value,
            0x8001 => self.banks[usize::from(self.select & 7)] = value,
            0xA000 => self.horizontal = value & 1 != 0,
            0xA001 => self.ram = value,
            register => {
                self.write_counter(register, value, cycle);
                return false;
            }
        }
        true
    }

    fn write_counter(&mut self, register: u16, value: u8, cycle: u64) {
        match register {
            0xC000 => self.latch = value,
            0xC001 => {
                self.counter = 0;
                self.reload = true;
            }
            0xE000 => {
                self.enabled = false;
                if self.irq {
                    // The write ends with its cycle, in which the CPU has sampled the line already.
                    self.irq = false;
                    self.irq_since = cycle.saturating_add(1);
                }
            }
            _ => self.enabled = true,
        }
    }

    /// PPU A12 is at this level from a moment in CPU cycle `cycle` on. What it brings about is
    /// sampled in cycle `sampled`.
    pub(crate) fn set_a12(&mut self, high: bool, cycle: u64, sampled: u64) {
        if core::mem::replace(&mut self.a12, high) == high {
            return;
        }
        if !high {
            self.fell_in = cycle;
        } else if cycle.saturating_sub(self.fell_in) >= FILTER {
            self.clock(sampled);
        }
    }

    /// A clock of the counter.
    fn clock(&mut self, sampled: u64) {
        let counted = self.counter > 0 || self.reload;
        self.counter = if self.counter == 0 || self.reload { self.latch } else { self.counter - 1 };
        self.reload = false;
        let asks = self.counter == 0 && (counted || self.revision == Mmc3Revision::B);
        if asks && self.enabled && !self.irq {
            self.irq = true;
            self.irq_since = sampled;
        }
    }

    /// The level of the IRQ line as sampled in `cycle`: right for the latest cycles and those to
    /// come.
    pub(crate) fn irq_at(&self, cycle: u64) -> bool {
        self.irq == (cycle >= self.irq_since)
    }

    /// The least number of clocks after which the chip may ask for an interrupt; `None` while it
    /// asks already, or must not.
    pub(crate) fn clocks_to_irq(&self) -> Option<u32> {
        if !self.enabled || self.irq {
            return None;
        }
        let loaded =
            if self.counter == 0 || self.reload { u32::from(self.latch) + 1 } else { self.counter.into() };
        Some(loaded.max(1))
    }

    pub(crate) fn switch(&self, banks: &mut Banks, memory: &Memory) {
        let [.., r6, r7] = self.banks.map(u32::from);
        let swapped = usize::from(self.select & 0x40 != 0);
        banks.switch_prg_8k(2 * swapped, r6);
        banks.switch_prg_8k(1, r7);
        banks.switch_prg_8k(2 - 2 * swapped, LAST - 1);
        banks.switch_prg_8k(3, LAST);
        let [r0, r1, r2, r3, r4, r5, ..] = self.banks.map(u32::from);
        let numbers = [r0 & !1, r0 | 1, r1 & !1, r1 | 1, r2, r3, r4, r5];
        let inversion = if self.select & 0x80 != 0 { 4 } else { 0 };
        for (slot, number) in numbers.into_iter().enumerate() {
            banks.switch_chr_1k(slot ^ inversion, number);
        }
        if memory.mirroring != Mirroring::FourScreen {
            banks.nametables = if self.horizontal { HORIZONTAL } else { VERTICAL };
        }
        if self.ram & 0x80 == 0 {
            banks.prg_ram = None;
        }
        banks.prg_ram_protected = self.ram & 0x40 != 0;
    }
}

/// The name of the board, or of the boards that its memories leave in question.
pub(crate) fn name(memory: &Memory) -> &'static str {
    match (memory.mirroring, memory.chr_is_ram, memory.prg_ram) {
        (Mirroring::FourScreen, ..) => "TVROM/TR1ROM",
        (_, true, 0) => "TGROM",
        (_, true, _) => "TNROM",
        (_, false, 0) => "TFROM/TLROM",
        (_, false, _) => "TKROM/TSROM",
    }
}

impl State for Mmc3 {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self {
            revision: _,
            select,
            banks,
            horizontal,
            ram,
            latch,
            counter,
            reload,
            enabled,
            irq,
            irq_since,
            a12,
            fell_in,
        } = self;
        fields.u8(select)?;
        fields.bytes(banks)?;
        for register in [ram, latch, counter] {
            fields.u8(register)?;
        }
        for flag in [horizontal, reload, enabled, irq, a12] {
            fields.bool(flag)?;
        }
        fields.u64(irq_since)?;
        fields.u64(fell_in)
    }
}
