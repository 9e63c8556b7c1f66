//! The NMI line as the CPU sees it: sampled once a CPU cycle, latched on a rising edge.

use nes_clock::Region;
use nes_state::{Fields, State, StateError};

/// Where in its cycle the CPU samples the line.
const SAMPLE: u64 = 4;
/// No edge.
const NEVER: u64 = u64::MAX;

/// The line and the edge that its samples show, as time stamps: nobody has to look every cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NmiLine {
    asserted: bool,
    /// The cycle whose sample first saw the present assertion.
    seen_in: u64,
    /// The cycle in which an unacknowledged edge was sampled.
    edge: u64,
}

impl NmiLine {
    pub(crate) fn new() -> Self {
        Self { asserted: false, seen_in: NEVER, edge: NEVER }
    }

    /// The line takes `level` in a step at `tick`; a sample at the same tick comes before it.
    #[inline]
    pub(crate) fn set(&mut self, level: bool, tick: u64, region: Region) {
        if level == self.asserted {
            return;
        }
        self.asserted = level;
        if level {
            self.seen_in = region.sampled(tick, SAMPLE);
            self.edge = self.edge.min(self.seen_in);
        } else if region.tick(self.seen_in) + SAMPLE > tick && self.edge == self.seen_in {
            // It fell before any sample could see it.
            self.edge = NEVER;
        }
    }

    /// The tick of the sample that has yet to confirm the edge, if steps from tick `next` on come
    /// before it: one of them may still take the line back.
    pub(crate) fn unconfirmed(&self, next: u64, region: Region) -> Option<u64> {
        if !self.asserted || self.edge != self.seen_in {
            return None;
        }
        let sample = region.tick(self.seen_in) + SAMPLE;
        (sample > next).then_some(sample)
    }

    pub(crate) fn edge(&self) -> Option<u64> {
        (self.edge != NEVER).then_some(self.edge)
    }

    pub(crate) fn acknowledge(&mut self) {
        self.edge = NEVER;
    }
}

impl State for NmiLine {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { asserted, seen_in, edge } = self;
        fields.bool(asserted)?;
        fields.u64(seen_in)?;
        // Only a line that was never asserted has not been seen.
        let possible = *seen_in < NEVER / 128 || (*seen_in == NEVER && !*asserted);
        fields.check("NMI sample", *seen_in, possible)?;
        fields.u64(edge)?;
        fields.check("NMI edge", *edge, *edge == NEVER || *edge <= *seen_in)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NTSC: Region = Region::Ntsc;

    #[test]
    fn the_first_sample_after_the_rise_sees_it() {
        for (rise, cycle) in [(0, 0), (3, 0), (4, 1), (15, 1), (16, 2)] {
            let mut line = NmiLine::new();
            line.set(true, rise, NTSC);
            assert_eq!(line.edge(), Some(cycle), "rise at tick {rise}");
        }
    }

    #[test]
    fn a_pulse_between_two_samples_is_not_seen() {
        let mut line = NmiLine::new();
        line.set(true, 5, NTSC);
        line.set(false, 15, NTSC);
        assert_eq!(line.edge(), None);
        line.set(true, 15, NTSC);
        line.set(false, 16, NTSC);
        assert_eq!(line.edge(), Some(1));
    }

    #[test]
    fn an_edge_is_unconfirmed_while_steps_come_before_its_sample() {
        let mut line = NmiLine::new();
        line.set(true, 13, NTSC);
        assert_eq!(line.unconfirmed(15, NTSC), Some(16));
        assert_eq!(line.unconfirmed(16, NTSC), None);
        line.set(false, 15, NTSC);
        assert_eq!((line.unconfirmed(15, NTSC), line.edge()), (None, None));
    }

    #[test]
    fn an_edge_stays_until_it_is_acknowledged() {
        let mut line = NmiLine::new();
        line.set(true, 0, NTSC);
        line.set(false, 100, NTSC);
        line.set(true, 200, NTSC);
        assert_eq!(line.edge(), Some(0));
        line.acknowledge();
        assert_eq!(line.edge(), None);
    }
}
