//! The sweep unit, which bends a pulse's period.

use crate::reading::SweepReading;
use nes_state::{Fields, State, StateError};

/// How a pulse's sweep subtracts: the first pulse's adder lacks the carry (NESdev: APU Sweep).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Negate {
    /// Pulse 1: period − change − 1.
    OnesComplement,
    /// Pulse 2: period − change.
    TwosComplement,
}

/// The sweep unit of one pulse.
///
/// ```text
/// $4001 $4005   EPPP NSSS   E enabled, P divider, N negate, S shift
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sweep {
    enabled: bool,
    period: u8,
    negate: bool,
    shift: u8,
    reload: bool,
    divider: u8,
}

impl Sweep {
    pub(crate) fn write(&mut self, value: u8) {
        self.enabled = value & 0x80 != 0;
        self.period = value >> 4 & 7;
        self.negate = value & 8 != 0;
        self.shift = value & 7;
        self.reload = true;
    }

    /// The period that the adder computes all the time, 0–$FFE.
    fn target(&self, period: u16, negate: Negate) -> u16 {
        let change = period >> self.shift;
        match (self.negate, negate) {
            (false, _) => period + change,
            (true, Negate::TwosComplement) => period - change,
            (true, Negate::OnesComplement) => (period - change).saturating_sub(1),
        }
    }

    /// Whether the pulse is silent: a period below 8, or a target beyond 11 bits, even if the sweep
    /// is off.
    pub(crate) fn mutes(&self, period: u16, negate: Negate) -> bool {
        period < 8 || self.target(period, negate) > 0x7FF
    }

    pub(crate) fn reading(&self, period: u16, negate: Negate) -> SweepReading {
        SweepReading {
            enabled: self.enabled,
            period: self.period,
            negate: self.negate,
            shift: self.shift,
            mutes: self.mutes(period, negate),
        }
    }

    pub(crate) fn half_frame(&mut self, period: &mut u16, negate: Negate) {
        if self.divider == 0 && self.enabled && self.shift > 0 && !self.mutes(*period, negate) {
            *period = self.target(*period, negate);
        }
        if self.divider == 0 || self.reload {
            self.divider = self.period;
            self.reload = false;
        } else {
            self.divider -= 1;
        }
    }
}

impl State for Sweep {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { enabled, period, negate, shift, reload, divider } = self;
        fields.bool(enabled)?;
        fields.u8(period)?;
        fields.bool(negate)?;
        fields.u8(shift)?;
        fields.check("sweep shift", u64::from(*shift), *shift < 8)?;
        fields.bool(reload)?;
        fields.u8(divider)
    }
}

#[cfg(test)]
mod tests {
    use super::{Negate, Sweep};

    #[test]
    fn the_first_pulse_subtracts_one_more() {
        let mut sweep = Sweep::default();
        sweep.write(0x89);
        let (mut first, mut second) = (0x100, 0x100);
        sweep.clone().half_frame(&mut first, Negate::OnesComplement);
        sweep.half_frame(&mut second, Negate::TwosComplement);
        assert_eq!((first, second), (0x7F, 0x80));
    }

    #[test]
    fn a_sweep_that_is_off_still_mutes_a_target_beyond_eleven_bits() {
        let mut sweep = Sweep::default();
        sweep.write(0x00);
        assert!(!sweep.mutes(0x3FF, Negate::OnesComplement));
        assert!(sweep.mutes(0x400, Negate::OnesComplement));
        sweep.write(0x08);
        assert!(!sweep.mutes(0x7FF, Negate::OnesComplement));
        assert!(sweep.mutes(7, Negate::OnesComplement));
    }

    #[test]
    fn a_shift_of_zero_never_moves_the_period() {
        let mut sweep = Sweep::default();
        sweep.write(0x80);
        let mut period = 0x100;
        for _ in 0..10 {
            sweep.half_frame(&mut period, Negate::TwosComplement);
        }
        assert_eq!(period, 0x100);
    }

    #[test]
    fn the_divider_spaces_the_steps() {
        let mut sweep = Sweep::default();
        sweep.write(0xA1);
        let mut period = 0x100;
        let periods: Vec<u16> = (0..6)
            .map(|_| {
                sweep.half_frame(&mut period, Negate::TwosComplement);
                period
            })
            .collect();
        assert_eq!(periods, [0x180, 0x180, 0x180, 0x240, 0x240, 0x240]);
    }
}
