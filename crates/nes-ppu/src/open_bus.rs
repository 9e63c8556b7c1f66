//! The PPU's own data bus towards the CPU: a latch made of capacitance, which forgets.

use nes_state::{Fields, State, StateError};

/// How long a bit that is 1 stays so, in ticks: 20 frames. Real consoles differ with the
/// temperature, from a few tens to some hundreds of milliseconds (NESdev: PPU registers).
const DECAY: u64 = 20 * 341 * 262 * 4;

/// Bits 7–6, 5 and 4–0: the groups that a read can refresh apart from each other.
const GROUPS: [u8; 3] = [0xC0, 0x20, 0x1F];

/// The latch and when each group of its bits was last driven, in ticks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct IoLatch {
    value: u8,
    driven_at: [u64; 3],
}

impl IoLatch {
    /// What an undriven read gives at `tick`.
    pub(crate) fn value(&self, tick: u64) -> u8 {
        let alive = GROUPS
            .iter()
            .zip(self.driven_at)
            .filter(|(_, at)| tick.saturating_sub(*at) < DECAY)
            .fold(0, |mask, (group, _)| mask | group);
        self.value & alive
    }

    /// Drives the bits in `mask` (a union of groups) with those of `value`.
    pub(crate) fn drive(&mut self, value: u8, mask: u8, tick: u64) {
        self.value = (self.value(tick) & !mask) | (value & mask);
        for (group, at) in GROUPS.iter().zip(&mut self.driven_at) {
            if mask & group != 0 {
                *at = tick;
            }
        }
    }
}

impl State for IoLatch {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { value, driven_at } = self;
        fields.u8(value)?;
        driven_at.iter_mut().try_for_each(|at| fields.u64(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undriven_bits_decay_and_driven_ones_stay() {
        let mut latch = IoLatch::default();
        latch.drive(0xFF, 0xFF, 0);
        latch.drive(0xE0, 0xE0, DECAY / 2);
        assert_eq!(latch.value(DECAY - 1), 0xFF);
        assert_eq!(latch.value(DECAY), 0xE0);
        assert_eq!(latch.value(DECAY + DECAY / 2), 0x00);
    }

    #[test]
    fn driving_some_bits_does_not_revive_decayed_ones() {
        let mut latch = IoLatch::default();
        latch.drive(0xFF, 0xFF, 0);
        latch.drive(0x00, 0xE0, DECAY);
        assert_eq!(latch.value(DECAY), 0x00);
    }
}
