//! The length counter, which silences a channel after a time.

use crate::reading::LengthReading;
use nes_state::{Fields, State, StateError};

/// Half frames that each value of the five-bit length field stands for (NESdev: APU Length
/// Counter).
const LENGTHS: [u8; 32] = [
    10, 254, 20, 2, 40, 4, 80, 6, 160, 8, 60, 10, 14, 12, 26, 14, //
    12, 16, 24, 18, 48, 20, 96, 22, 192, 24, 72, 26, 16, 28, 32, 30,
];

/// A channel's length counter with its switch in `$4015`.
///
/// Writes reach it one step late: the APU's cycle that follows the write still clocks the counter
/// by the old halt flag, and it loads a new length only if that cycle does not clock a counter that
/// is still running (NESdev: APU Length Counter; blargg's tests 10 and 11 of 2005).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LengthCounter {
    count: u8,
    enabled: bool,
    halt: bool,
    halt_written: bool,
    load: bool,
    load_value: u8,
}

impl LengthCounter {
    /// The channel's bit of a write to `$4015`: off clears the counter at once.
    pub(crate) fn enable(&mut self, enabled: bool) {
        self.enabled = enabled;
        if !enabled {
            self.count = 0;
        }
    }

    /// The halt flag as written; it takes effect after the APU's cycle that follows.
    pub(crate) fn write_halt(&mut self, halt: bool) {
        self.halt_written = halt;
    }

    /// A write to the register whose upper five bits choose the length. A channel that is off
    /// ignores it.
    pub(crate) fn write_load(&mut self, value: u8) {
        if self.enabled {
            self.load = true;
            self.load_value = LENGTHS[usize::from(value >> 3)];
        }
    }

    /// One cycle of the APU; `half_frame` if the frame counter clocks the counter in it.
    pub(crate) fn tick(&mut self, half_frame: bool) {
        let load = self.load && (!half_frame || self.count == 0);
        self.load = false;
        if load {
            self.count = self.load_value;
        } else if half_frame && !self.halt && self.count > 0 {
            self.count -= 1;
        }
        self.halt = self.halt_written;
    }

    /// Whether the channel may sound: the counter is not zero.
    pub(crate) fn is_running(&self) -> bool {
        self.count > 0
    }

    pub(crate) fn reading(&self) -> LengthReading {
        LengthReading { count: self.count, halted: self.halt }
    }
}

impl State for LengthCounter {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { count, enabled, halt, halt_written, load, load_value } = self;
        fields.u8(count)?;
        fields.bool(enabled)?;
        fields.bool(halt)?;
        fields.bool(halt_written)?;
        fields.bool(load)?;
        fields.u8(load_value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(value: u8) -> LengthCounter {
        let mut length = LengthCounter::default();
        length.enable(true);
        length.write_load(value);
        length.tick(false);
        length
    }

    #[test]
    fn a_length_runs_out_after_its_half_frames() {
        let mut length = running(0x18);
        for _ in 0..LENGTHS[3] {
            assert!(length.is_running());
            length.tick(true);
        }
        assert!(!length.is_running());
    }

    #[test]
    fn a_channel_switched_off_ignores_lengths() {
        let mut length = running(0x08);
        length.enable(false);
        assert!(!length.is_running());
        length.write_load(0x08);
        length.tick(false);
        assert!(!length.is_running());
    }

    #[test]
    fn a_halt_written_before_a_half_frame_comes_too_late_for_it() {
        let mut length = running(0x18);
        length.write_halt(true);
        length.tick(true);
        assert_eq!(length.count, LENGTHS[3] - 1);
        length.tick(true);
        assert_eq!(length.count, LENGTHS[3] - 1);
    }

    #[test]
    fn a_length_written_before_a_half_frame_loads_only_a_counter_at_zero() {
        let mut length = running(0x18);
        length.write_load(0x08);
        length.tick(true);
        assert_eq!(length.count, LENGTHS[3] - 1);

        let mut length = LengthCounter::default();
        length.enable(true);
        length.write_load(0x08);
        length.tick(true);
        assert_eq!(length.count, LENGTHS[1]);
    }
}
