//! The sound of the MMC5: two pulses like the console's, and a PCM channel.
//!
//! ```text
//! $5000-$5003, $5004-$5007   pulses; $5001 and $5005 do nothing
//! $5011   PPPP PPPP   level of the PCM channel; 0 leaves it as it is
//! $5015   ---- --21   switches the pulses on; read: length counters above zero
//! ```
//!
//! The pulses have no sweep, and are not silent where their period is below 8. Envelopes and length
//! counters are clocked 240 times a second, the length counters so twice as often as the console's.
//! All of it is upside down beside the console's own sound.
//!
//! Source: `NESdev`, "MMC5 audio". Unverified: in which cycles the clocks fall, and the level of
//! the PCM channel beside the pulses; 8 bits reach as far here as the console's 7.

use nes_state::{Fields, State, StateError};

use crate::Sink;
use crate::mixer::{dmc_level, pulse_level};
use crate::pulse::Pulse;

/// Cycles between two clocks of envelopes and length counters: 240 Hz of an NTSC console.
const QUARTER: u16 = 7457;

/// The chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mmc5Sound {
    pulses: [Pulse; 2],
    /// Cycles up to the next clock of envelopes and length counters.
    quarter: u16,
    pcm: u8,
}

impl Default for Mmc5Sound {
    fn default() -> Self {
        Self { pulses: <[Pulse; 2]>::default(), quarter: QUARTER - 1, pcm: 0 }
    }
}

impl Mmc5Sound {
    pub(super) fn write(&mut self, address: u16, value: u8) {
        match address {
            0x5001 | 0x5005 => return,
            0x5000..=0x5003 => self.pulses[0].write(address & 3, value),
            0x5004..=0x5007 => self.pulses[1].write(address & 3, value),
            0x5011 if value > 0 => self.pcm = value,
            0x5015 => {
                self.pulses[0].length.enable(value & 1 != 0);
                self.pulses[1].length.enable(value & 2 != 0);
            }
            _ => return,
        }
        // What was written to a length counter counts at once: there is no frame counter beside
        // which it could come too late.
        for pulse in &mut self.pulses {
            pulse.length.tick(false);
        }
    }

    pub(super) fn status(&self) -> u8 {
        u8::from(self.pulses[1].length.is_running()) << 1 | u8::from(self.pulses[0].length.is_running())
    }

    /// Cycles from `cycle` on in which no level changes.
    pub(super) fn idle_cycles<S: Sink>(&self, cycle: u64) -> u64 {
        let first = cycle & 1;
        let pulse = |pulse: &Pulse| {
            let heard = S::LISTENS && pulse.unswept_volume() > 0;
            if heard { first + 2 * u64::from(pulse.timer.count) } else { u64::MAX }
        };
        pulse(&self.pulses[0]).min(pulse(&self.pulses[1])).min(self.quarter.into())
    }

    /// Advances the dividers by `cycles` cycles, during which no other state changes.
    pub(super) fn skip(&mut self, cycle: u64, cycles: u64) {
        // Every even cycle clocks the pulses.
        let clocks = (cycle + cycles).div_ceil(2) - cycle.div_ceil(2);
        for pulse in &mut self.pulses {
            let steps = pulse.timer.advance(clocks);
            pulse.step(steps);
        }
        self.quarter -= cycles as u16;
    }

    pub(super) fn tick(&mut self, cycle: u64) {
        if cycle & 1 == 0 {
            for pulse in &mut self.pulses {
                let expired = pulse.timer.clock();
                pulse.step(u64::from(expired));
            }
        }
        if self.quarter > 0 {
            self.quarter -= 1;
            return;
        }
        self.quarter = QUARTER - 1;
        for pulse in &mut self.pulses {
            pulse.envelope.quarter_frame();
            pulse.length.tick(true);
        }
    }

    pub(super) fn level(&self) -> i32 {
        let outputs = self
            .pulses
            .each_ref()
            .map(|pulse| if pulse.wave().is_high() { pulse.unswept_volume() } else { 0 });
        -(pulse_level(outputs) + dmc_level(self.pcm >> 1))
    }
}

impl State for Mmc5Sound {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { pulses, quarter, pcm } = self;
        pulses.walk(fields)?;
        fields.u16(quarter)?;
        fields.check("cycles to a quarter frame", u64::from(*quarter), *quarter < QUARTER)?;
        fields.u8(pcm)
    }
}
