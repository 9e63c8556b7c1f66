//! The divider that paces a channel.

use nes_state::{Fields, State, StateError};

/// A down-counter that expires every `reload + 1` clocks.
///
/// A new `reload` does not disturb the count that is running (NESdev: APU Misc, Divider).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Timer {
    pub(crate) count: u16,
    pub(crate) reload: u16,
}

impl Timer {
    /// One clock; whether the timer expired in it.
    pub(crate) fn clock(&mut self) -> bool {
        let expired = self.count == 0;
        self.count = if expired { self.reload } else { self.count - 1 };
        expired
    }

    /// As many clocks at once; how often the timer expired in them.
    pub(crate) fn advance(&mut self, clocks: u64) -> u64 {
        let count = u64::from(self.count);
        if clocks <= count {
            self.count = (count - clocks) as u16;
            return 0;
        }
        let beyond = clocks - count - 1;
        let period = u64::from(self.reload) + 1;
        self.count = self.reload - (beyond % period) as u16;
        1 + beyond / period
    }
}

impl State for Timer {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { count, reload } = self;
        fields.u16(count)?;
        fields.u16(reload)
    }
}

#[cfg(test)]
mod tests {
    use super::Timer;

    #[test]
    fn a_jump_equals_single_clocks() {
        for reload in [0, 1, 2, 7, 253] {
            for clocks in 0..600 {
                let mut stepped = Timer { count: 5, reload };
                let mut jumped = stepped.clone();
                let expiries = (0..clocks).filter(|_| stepped.clock()).count() as u64;
                assert_eq!(jumped.advance(clocks), expiries);
                assert_eq!(jumped, stepped);
            }
        }
    }
}
