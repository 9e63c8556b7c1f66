//! Backwards: the same machine, run up to an earlier moment.

use core::ops::ControlFlow;
use std::collections::VecDeque;

use nes::{Access, Break, BusEvent, Cpu, Mainboard, Observer};
use tetris::Profile;

use crate::beam::{Beam, LINE};
use crate::expression::Scene;
use crate::stop::{event_name, is_called};
use crate::{Debugger, Stop, Unit};

impl Debugger {
    /// Goes back by `count` units, or to the oldest moment that is remembered. What comes after is
    /// forgotten only when the machine runs on or is changed.
    pub fn back(&mut self, unit: &Unit, count: u64) -> Stop {
        let now = self.now.console.cycle();
        match unit {
            Unit::Source => return self.repeated(count, Self::back_source),
            Unit::Breakpoint => return self.repeated(count, Self::back_breakpoint),
            _ => {}
        }
        let count = usize::try_from(count.max(1)).unwrap_or(usize::MAX);
        if let Unit::Dot = unit {
            self.travel(now.saturating_sub((count as u64).div_ceil(3)));
            return Stop::Done;
        }
        let keyframes: Vec<u64> = self.history.keyframes().filter(|&cycle| cycle < now).collect();
        let mut missing = count;
        let mut end = now;
        for &begin in keyframes.iter().rev() {
            let marks = self.marks(unit, begin, end, missing);
            if let Some(&cycle) = marks.len().checked_sub(missing).and_then(|at| marks.get(at)) {
                self.travel(cycle);
                return Stop::Done;
            }
            missing -= marks.len();
            end = begin;
        }
        if let Some(&oldest) = keyframes.first() {
            self.travel(oldest);
        }
        Stop::Oldest
    }

    /// Goes back so many times, or as often as it can.
    fn repeated(&mut self, count: u64, back: fn(&mut Self) -> Stop) -> Stop {
        let mut stop = back(self);
        for _ in 1..count {
            if stop == Stop::Oldest {
                break;
            }
            stop = back(self);
        }
        stop
    }

    /// Goes to the first instruction at or behind a cycle of the past.
    pub fn travel(&mut self, cycle: u64) {
        self.note_watched();
        let cycle = cycle.max(self.history.keyframes().next().unwrap_or(0));
        let Some(mut replay) = self.replay(cycle) else { return };
        replay.run_to(cycle, &mut (), |_, _| {});
        let mut moment = replay.moment;
        moment.console.set_sound(true);
        moment.console.clear_samples();
        self.now = moment;
        self.run = None;
        self.forget_crash();
        self.interference.travelled = true;
        self.note_banks();
    }

    /// Goes to the end of an earlier frame; `false` if it is no longer remembered.
    pub fn travel_to_frame(&mut self, frame: u64) -> bool {
        if frame < self.oldest_frame() || frame > self.now.console.frame_number() {
            return false;
        }
        let limit = self.now.console.cycle();
        let Some(mut replay) = self.replay_frame(frame) else { return false };
        let mut cycle = None;
        if replay.moment.console.frame_number() == frame {
            cycle = Some(replay.moment.console.cycle());
        }
        replay.run_to(limit, &mut (), |moment, _| {
            if moment.console.frame_number() == frame {
                cycle.get_or_insert(moment.console.cycle());
            }
        });
        cycle.map(|cycle| self.travel(cycle)).is_some()
    }

    /// Cycles from `begin`, where a keyframe is, up to `end` at which a unit begins: the last
    /// `count` of them.
    fn marks(&self, unit: &Unit, begin: u64, end: u64, count: usize) -> VecDeque<u64> {
        let (now, depth) = (self.now.console.cycle(), self.now.console.cpu.sp);
        let mut marks = Marks {
            unit,
            begin,
            end,
            count,
            depth,
            profile: self.profile(),
            found: VecDeque::new(),
            beam: Beam::default(),
            line: None,
            vector: None,
        };
        let Some(mut replay) = self.replay(begin) else { return marks.found };
        let mut ends = VecDeque::new();
        let mut ended = |cycle: u64, meant: bool| {
            if meant && cycle > begin && cycle <= end && cycle < now {
                ends.push_back(cycle);
            }
        };
        match unit {
            Unit::Frame => {
                // The oldest keyframe is where a frame began, or where the machine was switched on.
                replay.run_to(end, &mut (), |moment, _| ended(moment.console.cycle(), true));
            }
            Unit::Event(name) => replay.run_to(end, &mut (), |moment, records| {
                let meant = records.iter().any(|record| is_called(name, &event_name(record)));
                ended(moment.console.cycle(), meant);
            }),
            _ => replay.run_to(end, &mut marks, |_, _| {}),
        }
        marks.found.extend(ends);
        let surplus = marks.found.len().saturating_sub(count);
        marks.found.drain(..surplus);
        marks.found
    }
}

/// Notes the instructions at which a unit begins.
struct Marks<'a> {
    unit: &'a Unit,
    begin: u64,
    end: u64,
    /// As many are kept, the last ones.
    count: usize,
    /// The stack pointer at the moment from which the user goes back.
    depth: u8,
    profile: Option<&'a Profile>,
    found: VecDeque<u64>,
    beam: Beam,
    line: Option<u64>,
    vector: Option<u16>,
}

impl Observer for Marks<'_> {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        let cycle = board.cycle();
        let vector = self.vector.take();
        let meant = match self.unit {
            Unit::Instruction => true,
            // The same subroutine: nothing that was called from it, and nothing but its own stack.
            Unit::Over => cpu.sp >= self.depth,
            // The call that led here, or the interrupt, began with a higher stack pointer.
            Unit::Out => cpu.sp > self.depth,
            Unit::Line => {
                let line = self.beam.dot(board) / LINE;
                self.line.replace(line).is_some_and(|before| before != line)
            }
            Unit::Nmi => vector == Some(0xFFFA),
            Unit::Irq => vector == Some(0xFFFE),
            Unit::Until(condition) => {
                condition.holds(&Scene { cpu, board, profile: self.profile, access: None })
            }
            Unit::Dot | Unit::Frame | Unit::Event(_) | Unit::Source | Unit::Breakpoint => false,
        };
        if meant && (self.begin..self.end).contains(&cycle) {
            if self.found.len() == self.count {
                self.found.pop_front();
            }
            self.found.push_back(cycle);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        if event.access == Access::Cpu(nes::cpu::Access::Vector) {
            self.vector = Some(event.address & 0xFFFE);
        }
    }
}
