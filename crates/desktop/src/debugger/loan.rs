//! What the debugger does with the console while it has it.

use nes::controller::fm2::FrameInput;

/// Since when the debugger has the console.
pub(super) struct Loan {
    /// Where it stood then.
    pub(super) cycle: u64,
    /// The buttons are those of a movie that the engine plays.
    pub(super) follows: bool,
    /// The frame that `way.held` begins with.
    first: u64,
    /// A frame of the past that was gone back into, and what is held in it: as it began the first
    /// time.
    under_way: Option<(u64, FrameInput)>,
    pub(super) way: Way,
}

/// How the console came from where it was borrowed to where it is given back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Way {
    /// Frames that were gone back further.
    pub(crate) back: u64,
    /// What was held in those that were run.
    pub(crate) held: Vec<FrameInput>,
    /// And nothing else was done.
    pub(crate) faithful: bool,
}

impl Loan {
    /// The console is borrowed in `frame`, at `cycle`.
    pub(super) fn new(frame: u64, cycle: u64, follows: bool) -> Self {
        let way = Way { back: 0, held: vec![], faithful: true };
        Self { cycle, follows, first: frame, under_way: None, way }
    }

    /// The console has come to `frame`. `held` answers what was held in one that ended.
    pub(super) fn moved_to(&mut self, frame: u64, held: impl Fn(u64) -> FrameInput) {
        if frame < self.first {
            self.way.back += self.first - frame;
            self.first = frame;
            self.way.held.clear();
            // What is held in that frame is the engine's to know.
            self.way.faithful = false;
        }
        let frames = usize::try_from(frame - self.first).unwrap_or(usize::MAX);
        if let Some(&input) = self.way.held.get(frames) {
            self.under_way = Some((frame, input));
        }
        self.way.held.truncate(frames);
        while self.way.held.len() < frames {
            let next = self.first + self.way.held.len() as u64;
            let begun = self.under_way.filter(|(under_way, _)| *under_way == next);
            self.way.held.push(begun.map_or_else(|| held(next), |(_, input)| input));
        }
        self.under_way = self.under_way.filter(|(under_way, _)| *under_way >= frame);
    }
}

#[cfg(test)]
mod tests {
    use nes::Buttons;

    use super::*;

    fn with(button: Buttons) -> FrameInput {
        FrameInput { pads: [button, Buttons::empty()], ..FrameInput::default() }
    }

    #[test]
    fn frames_that_were_gone_back_over_are_replaced_by_those_that_were_run_instead() {
        let mut loan = Loan::new(100, 0, false);
        loan.moved_to(103, |_| with(Buttons::A));
        loan.moved_to(102, |_| with(Buttons::B));
        assert_eq!(loan.way.held, [with(Buttons::A), with(Buttons::A)]);
        loan.moved_to(98, |_| with(Buttons::B));
        loan.moved_to(99, |_| with(Buttons::UP));
        loan.moved_to(97, |_| with(Buttons::UP));
        loan.moved_to(99, |_| with(Buttons::DOWN));
        assert_eq!((loan.way.back, &loan.way.held), (3, &vec![with(Buttons::DOWN); 2]));
        assert!(!loan.way.faithful);
    }

    #[test]
    fn a_frame_that_was_gone_back_into_has_the_buttons_with_which_it_began() {
        let mut loan = Loan::new(100, 0, false);
        loan.moved_to(103, |_| with(Buttons::A));
        loan.moved_to(101, |_| with(Buttons::B));
        loan.moved_to(103, |_| with(Buttons::B));
        assert_eq!(loan.way.held, [with(Buttons::A), with(Buttons::A), with(Buttons::B)]);
        assert!(loan.way.faithful);
    }
}
