//! The triangle channel.

use crate::length::LengthCounter;
use crate::reading::TriangleReading;
use crate::timer::Timer;
use nes_state::{Fields, State, StateError};

/// The 32-step sequencer: down from 15 and up again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sequencer(u8);

impl Sequencer {
    pub(crate) fn step(&mut self, steps: u64) {
        self.0 = self.0.wrapping_add(steps as u8) & 31;
    }

    /// 0–15.
    pub(crate) fn output(self) -> u8 {
        if self.0 < 16 { 15 - self.0 } else { self.0 - 16 }
    }
}

/// The triangle: timer, 32-step sequencer, linear and length counter (NESdev: APU Triangle).
///
/// ```text
/// $4008   CRRR RRRR   control (it also halts the length counter), linear counter reload
/// $400A   TTTT TTTT   period, low
/// $400B   LLLL LTTT   length, period high; reloads the linear counter
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Triangle {
    pub(crate) length: LengthCounter,
    /// Counts CPU cycles.
    pub(crate) timer: Timer,
    control: bool,
    linear_period: u8,
    linear: u8,
    linear_reload: bool,
    pub(crate) sequencer: Sequencer,
}

impl Triangle {
    /// A write to the channel's register 0–3.
    pub(crate) fn write(&mut self, register: u16, value: u8) {
        match register {
            0 => {
                self.control = value & 0x80 != 0;
                self.linear_period = value & 0x7F;
                self.length.write_halt(self.control);
            }
            2 => self.timer.reload = self.timer.reload & 0x700 | u16::from(value),
            3 => {
                self.timer.reload = self.timer.reload & 0xFF | u16::from(value & 7) << 8;
                self.length.write_load(value);
                self.linear_reload = true;
            }
            _ => {}
        }
    }

    pub(crate) fn quarter_frame(&mut self) {
        if self.linear_reload {
            self.linear = self.linear_period;
        } else {
            self.linear = self.linear.saturating_sub(1);
        }
        self.linear_reload &= self.control;
    }

    /// Whether the timer moves the sequencer: it stops where it is, and the output holds.
    pub(crate) fn is_running(&self) -> bool {
        self.linear > 0 && self.length.is_running()
    }

    /// Whether the steps can be heard: periods of 0 and 1 lie at 56 and 28 kHz.
    pub(crate) fn is_audible(&self) -> bool {
        self.is_running() && self.timer.reload >= 2
    }

    /// Back to the start of the sequence (NESdev: CPU power up state, at reset).
    pub(crate) fn reset_phase(&mut self) {
        self.sequencer = Sequencer::default();
    }

    /// 0–15; the middle of the wave while it runs beyond hearing, which is what an ear, a filter or
    /// a sample rate makes of it.
    pub(crate) fn output(&self) -> u8 {
        if self.is_running() && !self.is_audible() { 7 } else { self.sequencer.output() }
    }
}

impl Triangle {
    pub(crate) fn reading(&self) -> TriangleReading {
        TriangleReading {
            period: self.timer.reload,
            linear: self.linear,
            linear_period: self.linear_period,
            control: self.control,
            length: self.length.reading(),
        }
    }
}

impl State for Triangle {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self {
            length,
            timer,
            control,
            linear_period,
            linear,
            linear_reload,
            sequencer: Sequencer(position),
        } = self;
        length.walk(fields)?;
        timer.walk(fields)?;
        fields.check("triangle period", u64::from(timer.reload), timer.reload < 0x800)?;
        fields.bool(control)?;
        fields.u8(linear_period)?;
        fields.u8(linear)?;
        fields.bool(linear_reload)?;
        fields.u8(position)?;
        fields.check("triangle position", u64::from(*position), *position < 32)
    }
}

#[cfg(test)]
mod tests {
    use super::Triangle;

    fn running() -> Triangle {
        let mut triangle = Triangle::default();
        triangle.length.enable(true);
        triangle.write(0, 0x02);
        triangle.write(2, 0x40);
        triangle.write(3, 0x08);
        triangle.length.tick(false);
        triangle.quarter_frame();
        triangle
    }

    #[test]
    fn the_wave_falls_and_rises_in_thirty_two_steps() {
        let mut triangle = running();
        for expected in (0..16).rev().chain(0..16) {
            assert_eq!(triangle.output(), expected);
            triangle.sequencer.step(1);
        }
        assert_eq!(triangle.output(), 15);
    }

    #[test]
    fn the_linear_counter_stops_the_sequencer() {
        let mut triangle = running();
        triangle.quarter_frame();
        assert!(triangle.is_running());
        triangle.quarter_frame();
        assert!(!triangle.is_running());
    }

    #[test]
    fn the_control_flag_keeps_reloading_the_linear_counter() {
        let mut triangle = running();
        triangle.write(0, 0x81);
        triangle.write(3, 0x08);
        for _ in 0..10 {
            triangle.quarter_frame();
            assert!(triangle.is_running());
        }
    }
}
