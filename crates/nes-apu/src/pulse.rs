//! A pulse channel.

use crate::envelope::Envelope;
use crate::length::LengthCounter;
use crate::reading::PulseReading;
use crate::sweep::{Negate, Sweep};
use crate::timer::Timer;
use nes_state::{Fields, State, StateError};

/// The four waves: bit `p` is the output at sequencer position `p`, which counts down
/// (NESdev: APU Pulse).
const DUTIES: [u8; 4] = [0b1000_0000, 0b1100_0000, 0b1111_0000, 0b0011_1111];

/// The sequencer's output from now on, the current step in the highest bit.
#[derive(Clone, Copy)]
pub(crate) struct Wave(u8);

impl Wave {
    pub(crate) fn is_high(self) -> bool {
        self.0 & 0x80 != 0
    }

    /// Steps until the output changes.
    pub(crate) fn run(self) -> u32 {
        if self.is_high() { self.0.leading_ones() } else { self.0.leading_zeros() }
    }

    pub(crate) fn step(&mut self, steps: u32) {
        self.0 = self.0.rotate_left(steps);
    }
}

/// A pulse: envelope, sweep, timer, eight-step sequencer, length counter.
///
/// ```text
/// $4000 $4004   DDLC VVVV   duty, then the envelope
/// $4001 $4005   EPPP NSSS   sweep
/// $4002 $4006   TTTT TTTT   period, low
/// $4003 $4007   LLLL LTTT   length, period high; restarts sequencer and envelope
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pulse {
    pub(crate) length: LengthCounter,
    pub(crate) envelope: Envelope,
    sweep: Sweep,
    /// Counts APU cycles.
    pub(crate) timer: Timer,
    duty: u8,
    position: u8,
}

impl Pulse {
    /// A write to the channel's register 0–3.
    pub(crate) fn write(&mut self, register: u16, value: u8) {
        match register {
            0 => {
                self.duty = value >> 6;
                self.length.write_halt(value & 0x20 != 0);
                self.envelope.write(value);
            }
            1 => self.sweep.write(value),
            2 => self.timer.reload = self.timer.reload & 0x700 | u16::from(value),
            _ => {
                self.timer.reload = self.timer.reload & 0xFF | u16::from(value & 7) << 8;
                self.length.write_load(value);
                self.position = 0;
                self.envelope.restart();
            }
        }
    }

    /// The sequencer moves by so many steps.
    pub(crate) fn step(&mut self, steps: u64) {
        self.position = self.position.wrapping_sub(steps as u8) & 7;
    }

    pub(crate) fn half_frame(&mut self, negate: Negate) {
        self.sweep.half_frame(&mut self.timer.reload, negate);
    }

    /// The volume that a high sequencer lets through, 0–15; 0 if nothing can sound.
    pub(crate) fn volume(&self, negate: Negate) -> u8 {
        if self.length.is_running() && !self.sweep.mutes(self.timer.reload, negate) {
            self.envelope.volume()
        } else {
            0
        }
    }

    /// The same of a pulse that has no sweep.
    pub(crate) fn unswept_volume(&self) -> u8 {
        if self.length.is_running() { self.envelope.volume() } else { 0 }
    }

    /// The sequencer's output from now on.
    pub(crate) fn wave(&self) -> Wave {
        Wave(DUTIES[usize::from(self.duty)].rotate_right(u32::from(self.position) + 1))
    }
}

impl Pulse {
    pub(crate) fn reading(&self, negate: Negate) -> PulseReading {
        PulseReading {
            period: self.timer.reload,
            duty: self.duty,
            envelope: self.envelope.reading(),
            length: self.length.reading(),
            sweep: self.sweep.reading(self.timer.reload, negate),
        }
    }
}

impl State for Pulse {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { length, envelope, sweep, timer, duty, position } = self;
        length.walk(fields)?;
        envelope.walk(fields)?;
        sweep.walk(fields)?;
        timer.walk(fields)?;
        fields.check("pulse period", u64::from(timer.reload), timer.reload < 0x800)?;
        fields.u8(duty)?;
        fields.check("duty", u64::from(*duty), *duty < 4)?;
        fields.u8(position)?;
        fields.check("pulse position", u64::from(*position), *position < 8)
    }
}

#[cfg(test)]
mod tests {
    use super::Pulse;

    fn wave(duty: u8) -> String {
        let mut pulse = Pulse::default();
        pulse.write(0, duty << 6);
        let mut wave = String::new();
        for step in 0..8 {
            let mut ahead = Pulse { duty: pulse.duty, ..Pulse::default() }.wave();
            ahead.step(step);
            assert_eq!(ahead.is_high(), pulse.wave().is_high());
            wave.push(if ahead.is_high() { '1' } else { '0' });
            pulse.step(1);
        }
        wave
    }

    #[test]
    fn the_four_duties_are_the_wikis() {
        assert_eq!([wave(0), wave(1), wave(2), wave(3)], ["01000000", "01100000", "01111000", "10011111"]);
    }

    #[test]
    fn a_run_ends_where_the_wave_changes() {
        for duty in 0..4 {
            for position in 0..8 {
                let mut wave = Pulse { duty, position, ..Pulse::default() }.wave();
                let (before, run) = (wave.is_high(), wave.run());
                for _ in 1..run {
                    wave.step(1);
                    assert_eq!(wave.is_high(), before);
                }
                wave.step(1);
                assert_ne!(wave.is_high(), before);
            }
        }
    }

    #[test]
    fn the_period_is_eleven_bits_of_two_registers() {
        let mut pulse = Pulse::default();
        pulse.write(2, 0xCD);
        pulse.write(3, 0xFA);
        assert_eq!(pulse.timer.reload, 0x2CD);
        pulse.write(2, 0x01);
        assert_eq!(pulse.timer.reload, 0x201);
    }
}
