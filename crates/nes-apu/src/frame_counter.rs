//! The frame counter, which clocks envelopes, sweeps and length counters and raises an IRQ.

use nes_clock::Region;
use nes_state::{Fields, State, StateError};

/// When the steps of both sequences fall, in CPU cycles (NESdev: APU Frame Counter). Every one
/// falls in a get cycle.
#[derive(Debug, PartialEq, Eq)]
struct Steps {
    /// The first three, which both sequences have.
    first: [u16; 3],
    /// First of the three cycles that set the IRQ flag; the last of them ends the four-step
    /// sequence.
    irq: u16,
    /// The cycle before the last of the five-step sequence.
    last_of_five: u16,
}

impl Steps {
    const NTSC: Self = Self { first: [7457, 14913, 22371], irq: 29828, last_of_five: 37281 };
    const PAL: Self = Self { first: [8313, 16627, 24939], irq: 33252, last_of_five: 41565 };

    const fn of(region: Region) -> &'static Self {
        match region {
            Region::Ntsc => &Self::NTSC,
            Region::Pal => &Self::PAL,
        }
    }

    const fn last_of_four(&self) -> u16 {
        self.irq + 1
    }

    const fn end_of_four(&self) -> u16 {
        self.irq + 2
    }

    const fn end_of_five(&self) -> u16 {
        self.last_of_five + 1
    }
}

/// What the frame counter clocks in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clocks {
    /// Envelopes and the linear counter.
    pub(crate) quarter: bool,
    /// Length counters and sweeps.
    pub(crate) half: bool,
}

/// The frame counter.
///
/// ```text
/// $4017   MI-- ----   M five steps instead of four, I inhibit and clear the IRQ flag
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FrameCounter {
    region: Region,
    count: u16,
    five_steps: bool,
    /// The mode as last written: it takes effect, and choosing five steps clocks everything, in the
    /// get cycle two before the restart.
    five_steps_written: bool,
    inhibit: bool,
    /// Cycles until a write to `$4017` restarts the count; 0 if none is under way.
    restart: u8,
    flag: bool,
    /// Whether the flag pulls the IRQ line. It does so one cycle after it is first set.
    line: bool,
    /// `$4015` has been read: the flag falls when the next put cycle ends.
    acknowledged: bool,
}

impl FrameCounter {
    /// At power-on; `put` for the cycle that comes first. The count is odd after a get cycle.
    pub(crate) fn new(put: bool) -> Self {
        Self { count: u16::from(put), ..Self::default() }
    }

    /// Makes it the counter of another region, before it has been run.
    pub(crate) fn set_region(&mut self, region: Region) {
        self.region = region;
    }

    /// A write to `$4017` in a put or get cycle: the count restarts three or four cycles later.
    pub(crate) fn write(&mut self, value: u8, put: bool) {
        self.five_steps_written = value & 0x80 != 0;
        self.inhibit = value & 0x40 != 0;
        if self.inhibit {
            self.flag = false;
            self.line = false;
        }
        self.restart = if put { 4 } else { 5 };
    }

    /// As at power-on, but for the mode and the inhibit flag, which are written again as they were.
    pub(crate) fn reset(&mut self, put: bool) {
        let Self { region, five_steps_written, inhibit, .. } = *self;
        *self =
            Self { region, five_steps: five_steps_written, five_steps_written, inhibit, ..Self::new(put) };
    }

    /// The IRQ flag, bit 6 of `$4015`.
    pub(crate) fn flag(&self) -> bool {
        self.flag
    }

    /// `$4015` has been read.
    pub(crate) fn acknowledge(&mut self) {
        self.acknowledged = true;
    }

    /// Whether it pulls the IRQ line.
    pub(crate) fn irq(&self) -> bool {
        self.line
    }

    /// One CPU cycle.
    pub(crate) fn tick(&mut self, put: bool) -> Clocks {
        if put && self.acknowledged {
            self.acknowledged = false;
            self.flag = false;
            self.line = false;
        }
        if self.restart > 0 {
            self.restart -= 1;
            if self.restart == 0 {
                self.count = 0;
            }
        }
        self.count += 1;
        let mut clocks = if self.five_steps { self.step_of_five() } else { self.step_of_four() };
        if self.restart == 2 {
            self.five_steps = self.five_steps_written;
            if self.five_steps {
                // Every step falls in a get cycle, too: one that falls in this one is no second
                // clock (test_apu_2, tests 1, 2, 5 and 6).
                clocks = Clocks { quarter: true, half: true };
            }
        }
        clocks
    }

    fn step_of_four(&mut self) -> Clocks {
        let steps = Steps::of(self.region);
        let behind = self.count.wrapping_sub(steps.irq);
        match behind {
            // Inhibited, the flag is set all the same, for two cycles.
            0 => {
                self.flag = true;
                return Clocks::default();
            }
            1 => self.flag = true,
            2 => {
                self.flag = !self.inhibit;
                self.count = 0;
            }
            _ => {}
        }
        self.line = self.flag && !self.inhibit;
        let [first, second, third] = steps.first;
        let half = self.count == second || self.count == steps.last_of_four();
        Clocks { quarter: half || self.count == first || self.count == third, half }
    }

    fn step_of_five(&mut self) -> Clocks {
        let steps = Steps::of(self.region);
        self.line = self.flag && !self.inhibit;
        let [first, second, third] = steps.first;
        let half = self.count == second || self.count == steps.last_of_five;
        let quarter = half || self.count == first || self.count == third;
        if self.count == steps.end_of_five() {
            self.count = 0;
        }
        Clocks { quarter, half }
    }

    /// How many cycles from now pass in which only the count moves.
    pub(crate) fn idle_cycles(&self) -> u64 {
        if self.restart > 0 || self.acknowledged {
            return 0;
        }
        let steps = Steps::of(self.region);
        let fourth = if self.five_steps { steps.last_of_five } else { steps.irq };
        let step = match self.count {
            count if count < steps.first[0] => steps.first[0],
            count if count < steps.first[1] => steps.first[1],
            count if count < steps.first[2] => steps.first[2],
            count if count < fourth => fourth,
            count => count + 1,
        };
        u64::from(step - self.count - 1)
    }

    /// Moves the count by so many idle cycles.
    pub(crate) fn skip(&mut self, cycles: u64) {
        self.count += cycles as u16;
    }

    /// How many cycles pass at least before the IRQ line changes by itself.
    pub(crate) fn cycles_to_irq(&self) -> u64 {
        if self.restart > 0 || self.acknowledged {
            0
        } else if self.five_steps || self.inhibit || self.line {
            u64::MAX
        } else {
            u64::from(Steps::of(self.region).last_of_four().saturating_sub(self.count + 1))
        }
    }
}

impl State for FrameCounter {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self {
            region,
            count,
            five_steps,
            five_steps_written,
            inhibit,
            restart,
            flag,
            line,
            acknowledged,
        } = self;
        fields.u16(count)?;
        fields.bool(five_steps)?;
        fields.bool(five_steps_written)?;
        fields.bool(inhibit)?;
        fields.u8(restart)?;
        fields.check("frame counter restart", u64::from(*restart), *restart <= 5)?;
        let steps = Steps::of(*region);
        // A mode switched late leaves the count beyond the end until the restart.
        let end = if *five_steps || *restart > 0 { steps.end_of_five() } else { steps.end_of_four() };
        fields.check("frame counter", u64::from(*count), *count < end)?;
        fields.bool(flag)?;
        fields.bool(line)?;
        fields.bool(acknowledged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs `cycles` cycles, the first of them a put, and tells what happened in which.
    fn run<T: PartialEq + Copy>(
        counter: &mut FrameCounter,
        cycles: usize,
        mut of: impl FnMut(&FrameCounter, Clocks) -> T,
        idle: &T,
    ) -> Vec<(usize, T)> {
        (0..cycles)
            .filter_map(|cycle| {
                let clocks = counter.tick(cycle % 2 == 0);
                let seen = of(counter, clocks);
                (seen != *idle).then_some((cycle, seen))
            })
            .collect()
    }

    const Q: Clocks = Clocks { quarter: true, half: false };
    const H: Clocks = Clocks { quarter: true, half: true };

    /// Written in a put cycle, cycle 0, the count is 1 after cycle 3.
    fn written(value: u8) -> FrameCounter {
        let mut counter = FrameCounter::new(true);
        counter.write(value, true);
        counter
    }

    #[test]
    fn on_pal_the_sequences_are_longer() {
        let pal = |value| {
            let mut counter = FrameCounter::new(true);
            counter.set_region(Region::Pal);
            counter.write(value, true);
            counter
        };
        let clocks = run(&mut pal(0x00), 33_258, |_, clocks| clocks, &Clocks::default());
        assert_eq!(clocks, [(8_315, Q), (16_629, H), (24_941, Q), (33_255, H)]);
        let clocks = run(&mut pal(0x80), 41_570, |_, clocks| clocks, &Clocks::default());
        assert_eq!(clocks, [(1, H), (8_315, Q), (16_629, H), (24_941, Q), (41_567, H)]);
    }

    #[test]
    fn four_steps_take_29830_cycles() {
        let clocks = run(&mut written(0x00), 3 + 2 * 29830, |_, clocks| clocks, &Clocks::default());
        let once = [(7459, Q), (14915, H), (22373, Q), (29831, H)];
        let twice: Vec<_> = once.iter().copied().chain(once.map(|(cycle, c)| (cycle + 29830, c))).collect();
        assert_eq!(clocks, twice);
    }

    #[test]
    fn five_steps_take_37282_cycles_and_clock_everything_at_once() {
        let clocks = run(&mut written(0x80), 4 + 37282 + 7457, |_, clocks| clocks, &Clocks::default());
        assert_eq!(clocks, [(1, H), (7459, Q), (14915, H), (22373, Q), (37283, H), (37282 + 7459, Q)]);
    }

    #[test]
    fn a_clock_by_a_write_merges_with_the_step_of_the_same_cycle() {
        let mut counter = written(0x80);
        let halves = (0..37_284).filter(|cycle| counter.tick(cycle % 2 == 0).half).count();
        assert_eq!(halves, 3);

        let mut counter = written(0x80);
        let mut halves = (0..37_282).filter(|cycle| counter.tick(cycle % 2 == 0).half).count();
        counter.write(0x80, true);
        halves += (37_282..37_290).filter(|cycle| counter.tick(cycle % 2 == 0).half).count();
        assert_eq!(halves, 3);
    }

    #[test]
    fn a_write_in_a_get_cycle_takes_one_cycle_longer() {
        let mut counter = FrameCounter::new(false);
        counter.write(0x00, false);
        let clocks = run(&mut counter, 8000, |_, clocks| clocks, &Clocks::default());
        assert_eq!(clocks, [(7460, Q)]);
    }

    #[test]
    fn the_flag_is_set_on_three_cycles_and_the_line_follows_one_later() {
        let mut counter = written(0x00);
        let mut flags = Vec::new();
        let mut lines = Vec::new();
        for cycle in 0..29_840 {
            let put = cycle % 2 == 0;
            counter.tick(put);
            if counter.flag() {
                flags.push(cycle);
                counter.flag = false;
            }
            if counter.irq() {
                lines.push(cycle);
                counter.line = false;
            }
        }
        assert_eq!(flags, [29830, 29831, 29832]);
        assert_eq!(lines, [29831, 29832]);
    }

    #[test]
    fn inhibited_the_flag_stands_for_two_cycles_without_an_irq() {
        let seen =
            run(&mut written(0x40), 29_900, |counter, _| (counter.flag(), counter.irq()), &(false, false));
        assert_eq!(seen, [(29830, (true, false)), (29831, (true, false))]);
    }

    #[test]
    fn a_read_clears_the_flag_when_the_next_put_cycle_ends() {
        for (read, cleared) in [(29_901, 29_902), (29_902, 29_902)] {
            let mut counter = written(0x00);
            let mut last = 0;
            for cycle in 0..29_910 {
                if cycle == read {
                    counter.acknowledge();
                }
                counter.tick(cycle % 2 == 0);
                if counter.flag() {
                    last = cycle;
                }
            }
            assert_eq!(last + 1, cleared);
        }
    }

    #[test]
    fn idle_cycles_hold_nothing_but_counting() {
        for mode in [0x00, 0x40, 0x80] {
            let mut counter = written(mode);
            for cycle in 0..80_000 {
                let idle = counter.idle_cycles();
                let mut skipped = counter.clone();
                let clocks = counter.tick(cycle % 2 == 0);
                if idle > 0 {
                    skipped.skip(1);
                    assert_eq!((skipped, clocks), (counter.clone(), Clocks::default()));
                    assert_eq!(counter.idle_cycles(), idle - 1);
                }
            }
        }
    }

    #[test]
    fn no_irq_comes_before_it_is_announced() {
        for mode in [0x00, 0x40, 0x80] {
            let mut counter = written(mode);
            for cycle in 0..80_000 {
                let (announced, before) = (counter.cycles_to_irq(), counter.irq());
                counter.tick(cycle % 2 == 0);
                assert!(counter.irq() == before || announced == 0, "cycle {cycle}");
            }
        }
    }
}
