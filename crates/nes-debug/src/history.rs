//! The way back: keyframes, and everything that was done between them.
//!
//! The machine is deterministic. So a past moment is a clone of the keyframe before it, run up to
//! there with the same buttons and the same edits; and whatever a view wants to know of the past it
//! learns by watching that run.

use core::ops::ControlFlow;
use std::collections::VecDeque;

use nes::{Break, BusEvent, Console, Cpu, FetchEvent, Mainboard, Observer};
use tetris::Profile;
use tetris::events::Record;

use crate::moment::{Action, Moment};
use crate::recorded::Mark;
use crate::timeline::{Milestone, MilestoneKind};

/// Frames from one keyframe to the next.
const INTERVAL: u64 = 30;
/// Frames that are remembered: a minute of 60.0988 a second.
const FRAMES: u64 = 3_606;
/// Bytes of states that attachments have made of the console, at most; beyond them less than a
/// minute is remembered.
const STATES: usize = 64 << 20;

#[derive(Clone, Debug)]
struct Keyframe {
    moment: Moment,
    /// Number of the action that comes next, counted from the first ever.
    action: u64,
}

#[derive(Clone, Debug)]
struct Entry {
    cycle: u64,
    /// It was done between two frames.
    boundary: bool,
    action: Action,
}

/// Milestones that are kept: a minute has a few hundred.
const MILESTONES: usize = 4_000;

/// The last minute.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// Oldest first.
    keyframes: VecDeque<Keyframe>,
    actions: VecDeque<Entry>,
    /// Number of the oldest action.
    first: u64,
    /// Bytes of states in `actions`.
    states: usize,
    /// What happened, oldest first, each with its cycle.
    milestones: VecDeque<(u64, Milestone)>,
}

impl History {
    /// Everything before is forgotten: there is no way back over it.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// A frame begins: a keyframe, if one is due.
    pub(crate) fn begin_frame(&mut self, moment: &Moment) {
        let frame = moment.console.frame_number();
        self.forget_after(moment.console.cycle());
        if let Some(newest) = self.keyframes.back() {
            let then = newest.moment.console.frame_number();
            if frame < then + INTERVAL {
                return;
            }
        }
        self.keyframes
            .push_back(Keyframe { moment: moment.clone(), action: self.first + self.actions.len() as u64 });
        // The second-oldest has to reach back as far as is promised.
        while self
            .keyframes
            .get(1)
            .is_some_and(|next| next.moment.console.frame_number() + FRAMES <= frame || self.states > STATES)
        {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        self.keyframes.pop_front();
        let needed = self.keyframes.front().map_or(self.first, |oldest| oldest.action);
        if let Some(oldest) = self.keyframes.front() {
            let before = oldest.moment.console.cycle();
            let gone = self.milestones.partition_point(|(cycle, _)| *cycle < before);
            self.milestones.drain(..gone);
        }
        while self.first < needed {
            self.states -= self.actions.pop_front().map_or(0, |entry| entry.action.state_bytes());
            self.first += 1;
        }
    }

    /// Something is done at `cycle`, between two frames or in one. What came after it is no longer
    /// the future.
    pub(crate) fn note(&mut self, cycle: u64, boundary: bool, action: Action) {
        self.forget_after(cycle);
        self.states += action.state_bytes();
        self.actions.push_back(Entry { cycle, boundary, action });
    }

    /// Somebody may have changed the console, between two frames or in one. There is no way back
    /// over a change that led to an earlier moment or to another frame.
    pub(crate) fn note_change(&mut self, before: &Mark, boundary: bool, console: &Console) {
        if console.cycle() < before.cycle || console.frame_number() != before.frame {
            self.clear();
            return;
        }
        let state = console.save();
        if state != before.state {
            self.note(before.cycle, boundary, Action::Load(state));
        }
    }

    /// Forgets what comes after `cycle`: the user has gone back, and goes another way.
    pub(crate) fn forget_after(&mut self, cycle: u64) {
        while self.keyframes.len() > 1
            && self.keyframes.back().is_some_and(|newest| newest.moment.console.cycle() > cycle)
        {
            self.keyframes.pop_back();
        }
        let kept = self.milestones.partition_point(|(at, _)| *at <= cycle);
        self.milestones.truncate(kept);
        while self.actions.back().is_some_and(|newest| newest.cycle > cycle) {
            self.states -= self.actions.pop_back().map_or(0, |entry| entry.action.state_bytes());
        }
    }

    /// Something happened in the frame in which the console stands, or in the one that it has just
    /// ended.
    pub(crate) fn note_milestone(&mut self, kind: MilestoneKind, console: &Console) {
        let milestone = Milestone { frame: console.frame_number(), kind };
        if self.milestones.back().is_some_and(|(_, last)| *last == milestone) {
            return;
        }
        if self.milestones.len() == MILESTONES {
            self.milestones.pop_front();
        }
        self.milestones.push_back((console.cycle(), milestone));
    }

    /// What happened, oldest first.
    pub(crate) fn milestones(&self) -> impl Iterator<Item = Milestone> + '_ {
        self.milestones.iter().map(|(_, milestone)| *milestone)
    }

    /// Cycles of the keyframes, oldest first.
    pub(crate) fn keyframes(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        self.keyframes.iter().map(|keyframe| keyframe.moment.console.cycle())
    }

    /// The consoles of the keyframes, oldest first.
    pub(crate) fn consoles(&self) -> impl DoubleEndedIterator<Item = &Console> + '_ {
        self.keyframes.iter().map(|keyframe| &keyframe.moment.console)
    }

    /// The oldest frame that can be gone back to.
    pub(crate) fn oldest_frame(&self) -> Option<u64> {
        self.keyframes.front().map(|keyframe| keyframe.moment.console.frame_number())
    }

    /// A run through the past, from the last keyframe at or before `cycle`.
    pub(crate) fn replay<'a>(&'a self, cycle: u64, profile: Option<&'a Profile>) -> Option<Replay<'a>> {
        let behind = self.keyframes.partition_point(|keyframe| keyframe.moment.console.cycle() <= cycle);
        self.replay_from(self.keyframes.get(behind.checked_sub(1)?)?, profile)
    }

    /// The same from a keyframe whose frame is `frame` or an earlier one.
    pub(crate) fn replay_frame<'a>(&'a self, frame: u64, profile: Option<&'a Profile>) -> Option<Replay<'a>> {
        let behind =
            self.keyframes.partition_point(|keyframe| keyframe.moment.console.frame_number() <= frame);
        self.replay_from(self.keyframes.get(behind.checked_sub(1)?)?, profile)
    }

    fn replay_from<'a>(&'a self, keyframe: &Keyframe, profile: Option<&'a Profile>) -> Option<Replay<'a>> {
        let mut moment = keyframe.moment.clone();
        moment.console.set_sound(false);
        let next = usize::try_from(keyframe.action.checked_sub(self.first)?).ok()?;
        Some(Replay { history: self, profile, moment, next })
    }
}

/// A run through the past.
pub(crate) struct Replay<'a> {
    history: &'a History,
    profile: Option<&'a Profile>,
    pub(crate) moment: Moment,
    /// Index of the action that comes next.
    next: usize,
}

/// By how many cycles `run_frame` takes at most longer than a frame: its last instruction may be
/// held by an OAM DMA.
const SLACK: u64 = 800;

impl Replay<'_> {
    /// Runs to `cycle`, or the first instruction behind it, all actions up to there done. `ended`
    /// is told of each frame that ends.
    pub(crate) fn run_to<O: Observer>(
        &mut self,
        cycle: u64,
        observer: &mut O,
        mut ended: impl FnMut(&Moment, Vec<Record>),
    ) {
        loop {
            let next = self.act(cycle);
            let now = self.moment.console.cycle();
            if now >= cycle {
                return;
            }
            let stop = next.map_or(cycle, |(next, _)| next.min(cycle));
            let longest = self.moment.console.region().frame_cycles() + SLACK;
            let whole = stop - now > longest || next.is_some_and(|(next, boundary)| boundary && next == stop);
            let frame = self.moment.console.frame_number();
            let Moment { console, held, .. } = &mut self.moment;
            let _ = if whole {
                console.run_frame(held, observer)
            } else {
                console.run_frame(held, &mut Until { cycle: stop, observer })
            };
            if self.moment.console.frame_number() != frame {
                let records = self.moment.end_frame(self.profile);
                ended(&self.moment, records);
            }
        }
    }

    /// Does what is due, no later than `limit`, and gives cycle and boundary of what comes next.
    /// The beginning of a frame is gone through as a whole: a reset takes seven cycles, and the
    /// buttons are noted behind it.
    fn act(&mut self, limit: u64) -> Option<(u64, bool)> {
        let mut begins = false;
        while let Some(entry) = self.history.actions.get(self.next) {
            let due = entry.cycle <= limit || begins && entry.boundary;
            if entry.cycle > self.moment.console.cycle() || !due {
                return Some((entry.cycle, entry.boundary));
            }
            begins = entry.boundary;
            self.moment.apply(&entry.action);
            self.next += 1;
        }
        None
    }
}

/// Stops at a cycle, or the first instruction behind it.
struct Until<'a, O> {
    cycle: u64,
    observer: &'a mut O,
}

impl<O: Observer> Observer for Until<'_, O> {
    const FETCHES: bool = O::FETCHES;

    #[inline(always)]
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        if board.cycle() >= self.cycle {
            return ControlFlow::Break(Break);
        }
        self.observer.step(cpu, board)
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        self.observer.bus(event);
    }

    #[inline(always)]
    fn fetch(&mut self, event: FetchEvent) {
        self.observer.fetch(event);
    }
}
