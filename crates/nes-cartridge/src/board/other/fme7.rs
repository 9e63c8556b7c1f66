//! Sunsoft's FME-7 (mapper 69), and the 5A and 5B: small banks, and an interrupt that counts CPU
//! cycles.
//!
//! ```text
//! $8000-$9FFF  command    ....CCCC   what $A000-$BFFF writes
//! $0-$7        CHR        BBBBBBBB   1 KiB bank
//! $8           $6000      ERBBBBBB   R: PRG-RAM, not ROM; E: it is enabled
//! $9-$B        PRG        ..BBBBBB   8 KiB bank at $8000, $A000, $C000; the last one is at $E000
//! $C           mirroring  ......MM   vertical, horizontal, lower nametable, upper nametable
//! $D           interrupt  C......T   C: count; T: ask for the interrupt; a write acknowledges it
//! $E, $F       counter    low byte, high byte
//! ```
//!
//! The counter counts every CPU cycle down, and asks for the interrupt where it goes from 0 to
//! $FFFF. The sound of the 5B is not there: its registers at $C000 and $E000 take no notice.
//!
//! Source: `NESdev`, "Sunsoft FME-7".

use nes_state::{Fields, State, StateError};

use super::Low;
use crate::banks::{Banks, HORIZONTAL, Memory, SINGLE_SCREEN_LOWER, SINGLE_SCREEN_UPPER, VERTICAL};

/// The chip and its registers. Its counter is kept as a value and the cycle in which it had it,
/// and computed when it is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fme7 {
    command: u8,
    chr: [u8; 8],
    prg: [u8; 4],
    mirroring: u8,
    counts: bool,
    asks: bool,
    counter: u16,
    since: u64,
    /// The IRQ line has been low since this cycle, whatever the counter has become.
    low_since: Option<u64>,
    /// It was low before, from the one cycle on up to the other, in which it was acknowledged.
    was_low: [u64; 2],
}

impl Fme7 {
    pub(crate) fn new() -> Self {
        Self {
            command: 0,
            chr: [0, 1, 2, 3, 4, 5, 6, 7],
            prg: [0, 0, 1, 2],
            mirroring: 0,
            counts: false,
            asks: false,
            counter: 0,
            since: 0,
            low_since: None,
            was_low: [0; 2],
        }
    }

    pub(crate) fn write(&mut self, address: u16, value: u8, cycle: u64) -> bool {
        match address {
            0x8000..=0x9FFF => {
                self.command = value & 0x0F;
                false
            }
            0xA000..=0xBFFF => self.set(value, cycle),
            _ => false,
        }
    }

    fn set(&mut self, value: u8, cycle: u64) -> bool {
        match self.command {
            command @ 0..=7 => self.chr[usize::from(command)] = value,
            command @ 8..=0xB => self.prg[usize::from(command - 8)] = value,
            0xC => self.mirroring = value & 3,
            command => {
                self.count_to(cycle);
                match command {
                    0xD => {
                        if let Some(from) = self.low_since.take() {
                            self.was_low = [from, cycle.saturating_add(1)];
                        }
                        (self.counts, self.asks) = (value & 0x80 != 0, value & 1 != 0);
                    }
                    0xE => self.counter = self.counter & 0xFF00 | u16::from(value),
                    _ => self.counter = self.counter & 0x00FF | u16::from(value) << 8,
                }
                return false;
            }
        }
        true
    }

    /// The counter gets the value that it has when `cycle` begins.
    fn count_to(&mut self, cycle: u64) {
        self.low_since = self.asked_at().filter(|&asked| asked <= cycle);
        if self.counts {
            self.counter = self.counter.wrapping_sub(cycle.wrapping_sub(self.since) as u16);
        }
        self.since = cycle;
    }

    /// The cycle from which on the line is low, as it is set up now.
    fn asked_at(&self) -> Option<u64> {
        let wraps = self.since.saturating_add(u64::from(self.counter)).saturating_add(1);
        self.low_since.or((self.counts && self.asks).then_some(wraps))
    }

    pub(crate) fn irq_at(&self, cycle: u64) -> bool {
        let [from, until] = self.was_low;
        self.asked_at().is_some_and(|asked| cycle >= asked) || (from..until).contains(&cycle)
    }

    pub(crate) fn next_irq(&self, now: u64) -> u64 {
        self.asked_at().filter(|&asked| asked >= now).unwrap_or(u64::MAX)
    }

    pub(crate) fn read_low(&self, address: u16) -> Low {
        if address >= 0x6000 && self.prg[0] & 0x40 == 0 {
            Low::Rom(u32::from(self.prg[0] & 0x3F) << 13)
        } else {
            Low::Open
        }
    }

    pub(crate) fn switch(&self, banks: &mut Banks, memory: &Memory) {
        let [low, prg @ ..] = self.prg;
        for (slot, bank) in prg.into_iter().enumerate() {
            banks.switch_prg_8k(slot, u32::from(bank & 0x3F));
        }
        banks.switch_prg_8k(3, (memory.prg_rom >> 13).saturating_sub(1));
        for (slot, bank) in self.chr.into_iter().enumerate() {
            banks.switch_chr_1k(slot, u32::from(bank));
        }
        banks.nametables = match self.mirroring {
            0 => VERTICAL,
            1 => HORIZONTAL,
            2 => SINGLE_SCREEN_LOWER,
            _ => SINGLE_SCREEN_UPPER,
        };
        if low & 0xC0 == 0xC0 {
            banks.switch_prg_ram(low & 0x3F);
        } else {
            banks.prg_ram = None;
        }
    }
}

impl State for Fme7 {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { command, chr, prg, mirroring, counts, asks, counter, since, low_since, was_low } = self;
        fields.u8(command)?;
        fields.bytes(chr)?;
        fields.bytes(prg)?;
        fields.u8(mirroring)?;
        fields.bool(counts)?;
        fields.bool(asks)?;
        fields.u16(counter)?;
        fields.u64(since)?;
        let mut is_low = low_since.is_some();
        let mut from = low_since.unwrap_or(0);
        fields.bool(&mut is_low)?;
        fields.u64(&mut from)?;
        *low_since = is_low.then_some(from);
        let [from, until] = was_low;
        fields.u64(from)?;
        fields.u64(until)
    }
}
