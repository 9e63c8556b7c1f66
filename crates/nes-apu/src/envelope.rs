//! The envelope, which gives pulse and noise their volume.

use crate::reading::EnvelopeReading;
use nes_state::{Fields, State, StateError};

/// A constant volume or a saw-tooth decay, clocked by quarter frames (NESdev: APU Envelope).
///
/// ```text
/// $4000 $4004 $400C   --LC VVVV   L loop (it also halts the length counter), C constant, V volume or divider
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Envelope {
    looping: bool,
    constant: bool,
    period: u8,
    start: bool,
    divider: u8,
    decay: u8,
}

impl Envelope {
    pub(crate) fn write(&mut self, value: u8) {
        self.looping = value & 0x20 != 0;
        self.constant = value & 0x10 != 0;
        self.period = value & 0x0F;
    }

    /// The next quarter frame begins the decay anew.
    pub(crate) fn restart(&mut self) {
        self.start = true;
    }

    pub(crate) fn quarter_frame(&mut self) {
        if self.start {
            self.start = false;
            self.decay = 15;
            self.divider = self.period;
        } else if self.divider > 0 {
            self.divider -= 1;
        } else {
            self.divider = self.period;
            if self.decay > 0 {
                self.decay -= 1;
            } else if self.looping {
                self.decay = 15;
            }
        }
    }

    /// 0–15.
    pub(crate) fn volume(&self) -> u8 {
        if self.constant { self.period } else { self.decay }
    }

    pub(crate) fn reading(&self) -> EnvelopeReading {
        let Self { looping, constant, period, decay, .. } = *self;
        EnvelopeReading { constant, looping, period, decay }
    }
}

impl State for Envelope {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { looping, constant, period, start, divider, decay } = self;
        fields.bool(looping)?;
        fields.bool(constant)?;
        fields.u8(period)?;
        fields.check("envelope period", u64::from(*period), *period < 16)?;
        fields.bool(start)?;
        fields.u8(divider)?;
        fields.u8(decay)?;
        fields.check("envelope decay", u64::from(*decay), *decay < 16)
    }
}

#[cfg(test)]
mod tests {
    use super::Envelope;

    #[test]
    fn a_decay_takes_sixteen_times_its_period_in_quarter_frames() {
        let mut envelope = Envelope::default();
        envelope.write(0x02);
        envelope.restart();
        envelope.quarter_frame();
        for volume in (0..16).rev() {
            for _ in 0..3 {
                assert_eq!(envelope.volume(), volume);
                envelope.quarter_frame();
            }
        }
        assert_eq!(envelope.volume(), 0);
    }

    #[test]
    fn a_looping_decay_begins_again_at_fifteen() {
        let mut envelope = Envelope::default();
        envelope.write(0x20);
        envelope.restart();
        for _ in 0..17 {
            envelope.quarter_frame();
        }
        assert_eq!(envelope.volume(), 15);
    }

    #[test]
    fn a_constant_volume_ignores_the_decay() {
        let mut envelope = Envelope::default();
        envelope.write(0x1B);
        envelope.quarter_frame();
        assert_eq!(envelope.volume(), 11);
    }
}
