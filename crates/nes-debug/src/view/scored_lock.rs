//! What the frames had left in which a lock was scored: the way to the kill screen.

use core::ops::ControlFlow;

use nes::{Break, Cpu, Mainboard, Observer};
use tetris::{Profile, hooks, ram};

use super::profile::{FrameProfile, frames};
use crate::Debugger;

/// A lock that was scored, and what its frame had left.
///
/// The points of a clear are added level + 1 times over, for no rows too. Where that takes longer
/// than the frame, the interrupt comes into the middle of the game's work, and at last into one of
/// its ways through a jump table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredLock {
    /// Rows that the lock completed.
    pub rows: u8,
    /// The level whose points were added.
    pub level: u8,
    /// Cycles that each further level takes: those of a turn of the loop. `None` where there was
    /// but one.
    pub turn: Option<u64>,
    /// Cycles that were left when the work was done; 0 if the interrupt came into it.
    pub left: u64,
    /// The frame, up to the NMI that ends it.
    pub frame: FrameProfile,
}

impl ScoredLock {
    /// The level from which on the same lock would not be done when the frame ends; `None` if no
    /// level is so high.
    pub fn late_from(&self) -> Option<u8> {
        self.level_that_takes(self.left)
    }

    /// The level from which on the interrupt may come into a way through a jump table, and the game
    /// may crash. Such ways lie in the last part of the frame's work.
    pub fn astray_from(&self) -> Option<u8> {
        self.level_that_takes(self.frame.since_jump?)
    }

    fn level_that_takes(&self, cycles: u64) -> Option<u8> {
        let further = cycles.checked_div(self.turn?)?;
        u8::try_from(u64::from(self.level) + further + u64::from(cycles > 0)).ok()
    }

    /// It in a line.
    pub fn text(&self, debugger: &Debugger) -> String {
        let Self { rows, level, turn, left, frame } = self;
        let plural = if *rows == 1 { "" } else { "s" };
        let late = if *left == 0 { ", late" } else { "" };
        let mut parts = vec![format!(
            "frame {}: {rows} row{plural} at level {level}, {left} cycles left{late}",
            frame.frame
        )];
        if let Some(turn) = turn {
            let from = |level: Option<u8>| {
                level.map_or("at no level".to_owned(), |level| format!("from level {level} on"))
            };
            let jump = frame.since_jump.map(|_| format!(", a jump in danger {}", from(self.astray_from())));
            let late = from(self.late_from());
            parts.push(format!("{turn} cycles a level: late {late}{}", jump.unwrap_or_default()));
        }
        if let Some(pc) = frame.interrupted {
            let landing = frame.landing.map(|landing| landing.text(&debugger.symbols));
            parts.push(format!("NMI in {}{}", debugger.symbols.text(pc), landing.unwrap_or_default()));
        }
        parts.join("; ")
    }
}

/// The last `count` locks that were scored in the last `frames` frames, the oldest first; with
/// `clears` only those that completed rows. A frame whose NMI has not come yet is not among them.
pub fn scored_locks(debugger: &Debugger, frames_back: u64, count: usize, clears: bool) -> Vec<ScoredLock> {
    let console = debugger.console();
    let (now, profile) =
        (console.cycle(), debugger.profile().filter(|known| known.knows_hook(hooks::POINTS)));
    let first = console.frame_number().saturating_sub(frames_back).max(debugger.oldest_frame());
    let Some((profile, mut replay)) = profile.zip(debugger.replay_frame(first)) else { return Vec::new() };
    let mut visits = Visits::new(profile);
    replay.run_to(now, &mut visits, |_, _| {});
    let mut locks = visits.locks;
    locks.retain(|lock| lock.rows > 0 || !clears);
    let surplus = locks.len().saturating_sub(count);
    locks.drain(surplus..).filter_map(|lock| lock.scored(debugger)).collect()
}

/// A lock whose points are added.
struct Lock {
    rows: u8,
    level: u8,
    frame: u64,
    /// Cycles in which a turn of the loop began.
    turns: Vec<u64>,
}

impl Lock {
    fn scored(self, debugger: &Debugger) -> Option<ScoredLock> {
        /// Cycles behind the beginning of the last turn in which the frame's NMI has come, and a
        /// program that it interrupted has gone on: two frames.
        const BEHIND: u64 = 60_000;
        let Self { rows, level, turns, .. } = self;
        let (&begin, &last) = (turns.first()?, turns.last()?);
        let frame = frames(debugger, self.frame.saturating_sub(1), last + BEHIND)
            .into_iter()
            .find(|frame| frame.interrupted.is_some() && frame.end > begin)?;
        let before: Vec<u64> = turns.into_iter().take_while(|&turn| turn < frame.end).collect();
        let turn = (before.len() as u64).checked_sub(1).filter(|&turns| turns > 0);
        let turn = turn.map(|turns| (before[before.len() - 1] - begin) / turns);
        // A loop that the interrupt found at work is no wait for it.
        let at_work = turn.is_some_and(|turn| before[before.len() - 1] + 2 * turn > frame.end);
        let left = if at_work { 0 } else { frame.slack };
        Some(ScoredLock { rows, level, turn, left, frame })
    }
}

/// Notes each turn of the loop that adds points.
struct Visits {
    hook: u16,
    turns_left: usize,
    rows: usize,
    locks: Vec<Lock>,
}

impl Visits {
    fn new(profile: &Profile) -> Self {
        Self {
            hook: profile.address(hooks::POINTS),
            turns_left: usize::from(profile.place_address(ram::TEMPORARIES)),
            rows: usize::from(profile.place_address(ram::LINES_COMPLETED)),
            locks: Vec::new(),
        }
    }
}

impl Observer for Visits {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        pc == self.hook
    }

    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        /// More cycles than a turn takes, an interrupt in it included.
        const APART: u64 = 6_000;
        if cpu.pc != self.hook || cpu.interrupt_pending() {
            return ControlFlow::Continue(());
        }
        let cycle = board.cycle();
        match self.locks.last_mut() {
            Some(lock) if lock.turns.last().is_some_and(|last| cycle < last + APART) => {
                lock.turns.push(cycle);
            }
            _ => self.locks.push(Lock {
                // The block of player 1 is copied out when the frame's work is done; rows were
                // counted frames ago.
                rows: board.ram()[self.rows],
                // 0 stands for 256 turns.
                level: board.ram()[self.turns_left].wrapping_sub(1),
                frame: board.ppu().frame_number(),
                turns: vec![cycle],
            }),
        }
        ControlFlow::Continue(())
    }
}
