//! Back by lines of the source, and back to where a breakpoint would have stopped.

use core::ops::ControlFlow;

use nes::{Break, BusEvent, Console, Cpu, FetchEvent, Mainboard, Observer};

use crate::breakpoint::{Breakpoints, Trigger};
use crate::breakpoint_observer::{BreakpointObserver, ObserverState, Target};
use crate::chain::CallChain;
use crate::expression::Scene;
use crate::log::Log;
use crate::source::SourceLine;
use crate::stop::{event_name, is_called};
use crate::{Debugger, Sources, Stop};

impl Debugger {
    /// Goes back to the beginning of the line before, in the same function or in those that called
    /// it; from the middle of a line, to its beginning.
    pub(crate) fn back_source(&mut self) -> Stop {
        let now = self.now.console.cycle();
        let keyframes: Vec<u64> = self.history.keyframes().filter(|&cycle| cycle < now).collect();
        // A line may take long: each try reaches twice as far back.
        let mut reach = 1;
        while let Some(&begin) = keyframes.get(keyframes.len().saturating_sub(reach)) {
            if let Some(cycle) = self.line_before(begin, now) {
                self.travel(cycle);
                return Stop::Done;
            }
            if reach >= keyframes.len() {
                break;
            }
            reach *= 2;
        }
        self.travel_to_oldest(keyframes.first().copied())
    }

    fn travel_to_oldest(&mut self, oldest: Option<u64>) -> Stop {
        if let Some(oldest) = oldest {
            self.travel(oldest);
        }
        Stop::Oldest
    }

    /// The cycle at which the last line began between `begin`, where a keyframe is, and `now`.
    fn line_before(&self, begin: u64, now: u64) -> Option<u64> {
        let mut replay = self.replay(begin)?;
        let chain = CallChain::new(&replay.moment.console);
        let lines = vec![None; chain.calls.len() + 1];
        let mut trail = Trail { sources: &self.sources, chain, lines, marks: Vec::new(), now };
        replay.run_to(now, &mut trail, |_, _| {});
        trail.leave(&self.now.console.cpu);
        trail.marks.last().map(|&(_, cycle)| cycle)
    }

    /// Goes back to where a breakpoint would have stopped a run last. Returns which one it was.
    pub(crate) fn back_breakpoint(&mut self) -> Stop {
        let now = self.now.console.cycle();
        let keyframes: Vec<u64> = self.history.keyframes().filter(|&cycle| cycle < now).collect();
        let mut end = now;
        for &begin in keyframes.iter().rev() {
            let hit = if self.breakpoints.watches_fetches() {
                self.hit_between::<true>(begin, end)
            } else {
                self.hit_between::<false>(begin, end)
            };
            if let Some((cycle, stop)) = hit {
                self.travel(cycle);
                return stop;
            }
            end = begin;
        }
        self.travel_to_oldest(keyframes.first().copied())
    }

    fn hit_between<const FETCHES: bool>(&self, begin: u64, end: u64) -> Option<(u64, Stop)> {
        let mut replay = self.replay(begin)?;
        let mut breakpoints = self.breakpoints.clone();
        for breakpoint in breakpoints.list_mut() {
            breakpoint.pass = 0;
        }
        let mut hits = Hits::<FETCHES> {
            debugger: self,
            breakpoints,
            state: ObserverState::begun(),
            target: Target::Never,
            log: Log::default(),
            limit: end,
            last: None,
        };
        let mut events = Vec::new();
        let (limit, present) = (end, self.now.console.cycle());
        replay.run_to(end, &mut hits, |moment, records| {
            let cycle = moment.console.cycle();
            for record in records {
                let name = event_name(&record);
                let Console { cpu, board, .. } = &moment.console;
                let scene = Scene { cpu, board, profile: self.profile(), access: None };
                let meant = self.breakpoints.list().iter().find(|breakpoint| {
                    let event =
                        matches!(&breakpoint.trigger, Trigger::Event(wanted) if is_called(wanted, &name));
                    let holds = breakpoint.condition.as_ref().is_none_or(|it| it.holds(&scene));
                    event && holds && breakpoint.enabled && !breakpoint.log_only
                });
                if let Some(breakpoint) = meant
                    && cycle <= limit
                    && cycle < present
                {
                    events.push((cycle, Stop::Event { number: Some(breakpoint.number), record }));
                }
            }
        });
        hits.last.into_iter().chain(events).max_by_key(|(cycle, _)| *cycle)
    }
}

/// Where lines of the source began, in the functions that have not returned.
struct Trail<'a> {
    sources: &'a Sources,
    chain: CallChain,
    /// The present line of each function on the stack.
    lines: Vec<Option<SourceLine>>,
    /// How deep, and the cycle.
    marks: Vec<(usize, u64)>,
    now: u64,
}

impl Trail<'_> {
    /// Forgets functions that have returned.
    fn forget_returned(&mut self) {
        let kept = self.chain.kept;
        while self.marks.last().is_some_and(|(depth, _)| *depth > kept) {
            self.marks.pop();
        }
        self.lines.truncate(kept + 1);
        self.lines.resize(self.chain.calls.len() + 1, None);
    }

    fn leave(&mut self, cpu: &Cpu) {
        self.chain.settle(cpu);
        self.forget_returned();
    }
}

impl Observer for Trail<'_> {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.chain.step(cpu, board);
        self.forget_returned();
        let depth = self.chain.calls.len();
        let banks = board.cartridge().prg_banks();
        let line = self.sources.line_at(cpu.pc, banks).filter(|_| !self.sources.is_head(cpu.pc, banks));
        let before = self.lines[depth];
        if let Some(line) = line
            && before != Some(line)
        {
            self.lines[depth] = Some(line);
            // A line of which the beginning was not seen has not begun in its middle.
            let begins = before.is_some() || self.sources.begins_at(line, cpu.pc, banks);
            if begins && board.cycle() < self.now {
                self.marks.push((depth, board.cycle()));
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        self.chain.bus(event);
    }
}

/// Notes where breakpoints would have stopped.
struct Hits<'a, const FETCHES: bool> {
    debugger: &'a Debugger,
    breakpoints: Breakpoints,
    state: ObserverState,
    target: Target,
    log: Log,
    limit: u64,
    last: Option<(u64, Stop)>,
}

impl<const FETCHES: bool> Hits<'_, FETCHES> {
    fn observer(&mut self) -> BreakpointObserver<'_, true, FETCHES> {
        BreakpointObserver {
            state: &mut self.state,
            breakpoints: &mut self.breakpoints,
            target: &mut self.target,
            profile: self.debugger.profile(),
            symbols: &self.debugger.symbols,
            sources: &self.debugger.sources,
            log: &mut self.log,
            stop: None,
        }
    }
}

impl<const FETCHES: bool> Observer for Hits<'_, FETCHES> {
    const FETCHES: bool = FETCHES;

    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        let mut observer = self.observer();
        let _ = observer.step(cpu, board);
        let stop = observer.stop.take();
        if let Some(stop) = stop {
            // The observer breaks off before it looks ahead.
            self.observer().look_ahead(cpu, board);
            if board.cycle() < self.limit {
                self.last = Some((board.cycle(), stop));
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        self.observer().bus(event);
    }

    #[inline]
    fn fetch(&mut self, event: FetchEvent) {
        self.observer().fetch(event);
    }
}
