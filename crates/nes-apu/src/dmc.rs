//! The delta modulation channel, and when it asks for its DMA.

mod output_unit;

use crate::reading::DmcReading;
use nes_clock::Region;
use nes_state::{Fields, State, StateError};
use output_unit::OutputUnit;

/// CPU cycles between two bits, NTSC (NESdev: APU DMC).
const NTSC: [u16; 16] = [428, 380, 340, 320, 286, 254, 226, 214, 190, 160, 142, 128, 106, 84, 72, 54];
/// The same of the 2A07.
const PAL: [u16; 16] = [398, 354, 316, 298, 276, 236, 210, 198, 176, 148, 132, 118, 98, 78, 66, 50];

/// Returns the CPU cycles between two bits of the DMC, by the number that a program writes.
pub const fn dmc_periods(region: Region) -> &'static [u16; 16] {
    match region {
        Region::Ntsc => &NTSC,
        Region::Pal => &PAL,
    }
}

/// The delta modulation channel: memory reader, output unit, timer.
///
/// ```text
/// $4010   IL-- RRRR   IRQ at the end of the sample, loop, rate
/// $4011   -DDD DDDD   output level
/// $4012   AAAA AAAA   sample address $C000 + A * 64
/// $4013   LLLL LLLL   sample length L * 16 + 1 bytes
/// ```
///
/// Two things happen to a request for a DMA between the timer that makes it and the CPU that is
/// held: the switch in `$4015` reaches the DMA unit some cycles after the write, and until then (or
/// from then on) a request waits, or is withdrawn although the CPU has already been halted for it
/// (NESdev: DMA, explicit abort); and a sample of one byte that is started just before the output
/// unit empties the buffer causes a second request without a byte to fetch, which holds the CPU for
/// a single cycle, or not at all if the CPU writes in that cycle (implicit abort).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dmc {
    rates: &'static [u16; 16],
    irq_enabled: bool,
    looping: bool,
    /// CPU cycles, as is the timer, which counts by two on get cycles.
    rate: u16,
    timer: u16,
    /// What the timer was last loaded with.
    loaded: u16,

    unit: OutputUnit,

    sample_address: u16,
    sample_length: u16,
    address: u16,
    remaining: u16,
    flag: bool,

    /// The switch as last written to `$4015`.
    enabled: bool,
    /// The switch as the DMA unit sees it; also off from the last byte on.
    active: bool,
    /// Cycles until `active` becomes `enabled`; 0 if it has.
    switch_delay: u8,
    /// Put cycles until a sample started with an empty buffer asks for its first byte; 0 if none
    /// does.
    load_delay: u8,
    /// The buffer holds a byte, or one has been asked for.
    supplied: bool,
    /// A DMA is asked for.
    request: bool,
    /// A byte arrived in the cycle that the APU is about to run.
    arrived: bool,
    /// The next time the output unit empties the buffer it asks for a DMA with or without bytes
    /// left.
    implicit_abort: bool,
    /// The request holds the CPU for one cycle even if the channel is off.
    one_cycle: bool,
}

impl Dmc {
    /// At power-on; `timer` is where the timer stands.
    pub(crate) fn new(timer: u16) -> Self {
        Self {
            irq_enabled: false,
            looping: false,
            rates: &NTSC,
            rate: NTSC[0],
            timer,
            loaded: timer,
            unit: OutputUnit::default(),
            sample_address: 0xC000,
            sample_length: 1,
            address: 0xC000,
            remaining: 0,
            flag: false,
            enabled: false,
            active: false,
            switch_delay: 0,
            load_delay: 0,
            supplied: false,
            request: false,
            arrived: false,
            implicit_abort: false,
            one_cycle: false,
        }
    }

    /// Makes it the channel of another region, before it has been run.
    pub(crate) fn set_region(&mut self, region: Region) {
        self.rates = dmc_periods(region);
        self.rate = self.rates[0];
    }

    /// The reset line: `$4015` is cleared and all but the lowest bit of the output
    /// (NESdev: CPU power up state); the timer stands as at power-on.
    pub(crate) fn reset(&mut self, timer: u16) {
        self.unit.reset();
        *self = Self {
            irq_enabled: self.irq_enabled,
            looping: self.looping,
            rates: self.rates,
            rate: self.rate,
            unit: self.unit.clone(),
            sample_address: self.sample_address,
            sample_length: self.sample_length,
            ..Self::new(timer)
        };
    }

    /// A write to the channel's register 0–3.
    pub(crate) fn write(&mut self, register: u16, value: u8) {
        match register {
            0 => {
                self.irq_enabled = value & 0x80 != 0;
                self.looping = value & 0x40 != 0;
                self.rate = self.rates[usize::from(value & 0x0F)];
                self.flag &= self.irq_enabled;
            }
            1 => self.unit.set_level(value),
            2 => self.sample_address = 0xC000 | u16::from(value) << 6,
            _ => self.sample_length = u16::from(value) << 4 | 1,
        }
    }

    /// The channel's bit of a write to `$4015` in a put or get cycle; any such write clears the IRQ
    /// flag.
    pub(crate) fn enable(&mut self, enabled: bool, put: bool) {
        self.enabled = enabled;
        self.flag = false;
        self.switch_delay = if put { 3 } else { 4 };
        if enabled && self.remaining == 0 {
            self.start_sample();
            if !self.supplied {
                self.load_delay = 2;
            }
        }
        // Switched off in the very cycle that asks for a byte or in the next, the switch comes too
        // late to abort that DMA.
        let asking = if put { self.timer == self.loaded } else { self.timer == 2 };
        if !enabled && asking {
            self.switch_delay = if put { 5 } else { 6 };
        }
        // The output unit will empty the buffer just after the first byte of this sample has
        // arrived.
        let emptied_next = if put { self.timer == 8 } else { self.timer == 10 };
        if enabled && emptied_next && self.unit.bits() == 1 {
            self.implicit_abort = true;
        }
    }

    fn start_sample(&mut self) {
        self.address = self.sample_address;
        self.remaining = self.sample_length;
    }

    /// One CPU cycle.
    pub(crate) fn tick(&mut self, put: bool) {
        // The cycle in which a one-cycle DMA could hold the CPU has passed.
        if self.request && self.one_cycle {
            self.one_cycle = false;
            if !self.active && self.switch_delay == 0 {
                self.withdraw();
            }
        }
        if put {
            self.load();
        } else {
            self.timer = self.timer.saturating_sub(2);
            if self.timer == 0 {
                self.timer = self.rate;
                self.loaded = self.rate;
                // A byte that arrives in this very cycle is too late for this round.
                if self.unit.clock(!self.arrived) {
                    self.ask_for_next();
                }
            }
            self.arrived = false;
        }
        if self.switch_delay > 0 {
            self.switch_delay -= 1;
            if self.switch_delay == 0 {
                self.active = self.enabled;
                if !self.active {
                    self.remaining = 0;
                    self.withdraw();
                }
            }
        }
    }

    /// The channel is off: a DMA not yet carried out is no longer asked for.
    fn withdraw(&mut self) {
        if self.request {
            self.request = false;
            self.supplied = false;
        }
    }

    /// A sample started with an empty buffer asks for its first byte after two APU cycles.
    fn load(&mut self) {
        if self.load_delay > 0 {
            self.load_delay -= 1;
            if self.load_delay == 0 && !self.request {
                self.request = true;
                self.supplied = true;
            }
        }
    }

    /// The output unit has come to the end of a byte and taken the buffer's, if there was one.
    fn ask_for_next(&mut self) {
        self.supplied = self.remaining > 0 || self.implicit_abort;
        if self.supplied {
            if !self.arrived {
                self.request = true;
            }
            self.one_cycle |= self.implicit_abort;
            self.implicit_abort = false;
        }
    }

    /// The DMA's get cycle has read `value`.
    pub(crate) fn fetched(&mut self, value: u8) {
        self.unit.fill(value);
        self.request = false;
        self.arrived = true;
        self.address = self.address.wrapping_add(1) | 0x8000;
        // Switched off underway, nothing may be left to count.
        self.remaining = self.remaining.saturating_sub(1);
        if self.remaining == 0 {
            if self.looping {
                self.start_sample();
            } else {
                self.active = false;
                self.flag |= self.irq_enabled;
            }
        }
    }

    /// The output level, 0–127.
    pub(crate) fn output(&self) -> u8 {
        self.unit.level()
    }

    pub(crate) fn reading(&self) -> DmcReading {
        DmcReading {
            period: self.rate,
            level: self.unit.level(),
            looping: self.looping,
            irq: self.irq_enabled,
            sample_address: self.sample_address,
            sample_length: self.sample_length,
            address: self.address,
            remaining: self.remaining,
        }
    }

    /// The IRQ flag, bit 7 of `$4015`, which pulls the IRQ line.
    pub(crate) fn irq(&self) -> bool {
        self.flag
    }

    /// Bit 4 of `$4015`: bytes remain. Switching off shows at once, ahead of the bytes themselves.
    pub(crate) fn is_playing(&self) -> bool {
        self.remaining > 0 && self.enabled
    }

    /// Where the next byte comes from.
    pub(crate) fn address(&self) -> u16 {
        self.address
    }

    /// A DMA is to hold the CPU in the coming cycle.
    pub(crate) fn wants_dma(&self) -> bool {
        self.request && (self.active || self.one_cycle)
    }

    /// Nothing sounds, nothing is asked for: only the timer turns.
    fn is_dormant(&self) -> bool {
        self.unit.is_at_rest() && !self.supplied && self.remaining == 0 && !self.implicit_abort
    }

    /// Something happens every cycle.
    fn is_busy(&self) -> bool {
        self.switch_delay > 0 || self.load_delay > 0 || self.arrived || self.one_cycle
    }

    /// Get cycles that pass before the one in which the timer expires.
    fn gets_to_bit(&self) -> u64 {
        u64::from(self.timer.saturating_sub(1) / 2)
    }

    /// How many cycles from now pass in which only the timer moves; `put` for the first of them.
    pub(crate) fn idle_cycles(&self, put: bool) -> u64 {
        if self.is_busy() {
            0
        } else if self.is_dormant() {
            u64::MAX
        } else {
            2 * self.gets_to_bit() + u64::from(put)
        }
    }

    /// Moves the timer by so many get cycles of an idle stretch.
    pub(crate) fn skip(&mut self, gets: u64) {
        let to_bit = self.gets_to_bit();
        if gets <= to_bit {
            self.timer -= 2 * gets as u16;
            return;
        }
        let period = u64::from(self.rate / 2);
        let beyond = gets - to_bit - 1;
        self.timer = self.rate - 2 * (beyond % period) as u16;
        self.loaded = self.rate;
        let expiries = 1 + beyond / period;
        self.unit.skip(expiries);
    }

    /// How many cycles pass at least before a DMA is wanted that is not yet; `put` for the first of
    /// them.
    pub(crate) fn cycles_to_dma(&self, put: bool) -> u64 {
        if self.wants_dma() || self.switch_delay > 0 || self.load_delay > 0 {
            0
        } else if self.remaining == 0 && !self.implicit_abort {
            u64::MAX
        } else {
            2 * (self.gets_to_bit() + u64::from(self.unit.bits() - 1) * u64::from(self.rate / 2))
                + u64::from(put)
        }
    }
}

impl State for Dmc {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self {
            rates,
            irq_enabled,
            looping,
            rate,
            timer,
            loaded,
            unit,
            sample_address,
            sample_length,
            address,
            remaining,
            flag,
            enabled,
            active,
            switch_delay,
            load_delay,
            supplied,
            request,
            arrived,
            implicit_abort,
            one_cycle,
        } = self;
        for flag in [
            irq_enabled,
            looping,
            flag,
            enabled,
            active,
            supplied,
            request,
            arrived,
            implicit_abort,
            one_cycle,
        ] {
            fields.bool(flag)?;
        }
        fields.u16(rate)?;
        fields.check("DMC rate", u64::from(*rate), rates.contains(rate))?;
        for count in [timer, loaded] {
            fields.u16(count)?;
            fields.check(
                "DMC timer",
                u64::from(*count),
                count.is_multiple_of(2) && (2..1024).contains(count),
            )?;
        }
        unit.walk(fields)?;
        fields.u16(sample_address)?;
        fields.u16(sample_length)?;
        fields.u16(address)?;
        fields.u16(remaining)?;
        fields.u8(switch_delay)?;
        fields.u8(load_delay)
    }
}

#[cfg(test)]
mod tests;
