//! What stands out in the frames that are remembered.

use tetris::events::{Event, Record};

use crate::Debugger;

/// What happened in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MilestoneKind {
    /// A breakpoint stopped the machine.
    Stop,
    /// A piece locked.
    Lock,
    /// Rows were cleared.
    Clear,
}

/// A frame in which something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Milestone {
    /// The frame, counted as the console's after its end.
    pub frame: u64,
    /// What happened.
    pub kind: MilestoneKind,
}

/// The frames that can be gone to, and what happened in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The oldest frame that is remembered.
    pub oldest: u64,
    /// The frame in which the machine stands.
    pub now: u64,
    /// The newest frame that is remembered: later than `now` after going back, until the machine
    /// runs on or is changed.
    pub newest: u64,
    /// What happened, oldest first.
    pub milestones: Vec<Milestone>,
}

impl Timeline {
    /// Returns the frames in which something of a kind happened, oldest first.
    pub fn frames(&self, kind: MilestoneKind) -> impl Iterator<Item = u64> + '_ {
        self.milestones.iter().filter(move |mark| mark.kind == kind).map(|mark| mark.frame)
    }
}

impl MilestoneKind {
    /// Returns what an event of the game is, if it stands out.
    pub(crate) const fn of(record: &Record) -> Option<Self> {
        match record.event {
            Event::Lock { .. } => Some(Self::Lock),
            Event::Clear { .. } => Some(Self::Clear),
            _ => None,
        }
    }

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Lock => "lock",
            Self::Clear => "clear",
        }
    }
}

impl Debugger {
    /// Returns the frames that are remembered, and what stands out in them.
    pub fn timeline(&self) -> Timeline {
        let now = self.console().frame_number();
        let milestones: Vec<_> = self.history.milestones().collect();
        let newest = milestones.last().map_or(now, |last| last.frame.max(now));
        Timeline { oldest: self.oldest_frame(), now, newest, milestones }
    }
}
