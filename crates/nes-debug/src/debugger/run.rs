//! Runs: to a goal, frame by frame, as closely watched as it takes.

use nes::fm2::Commands;
use nes::{Attachment, Console, Pads};
use tetris::events::Record;

use super::{Debugger, Run};
use crate::beam::LINE;
use crate::breakpoint::Trigger;
use crate::breakpoint_observer::{BreakpointObserver, ObserverState, Target};
use crate::expression::Scene;
use crate::moment::{Action, Moment};
use crate::recorded::Recorded;
use crate::stop::{event_name, is_called};
use crate::timeline::MilestoneKind;
use crate::{Crash, Goal, Runner, Space, Stop};

impl Debugger {
    /// Runs to `goal`, or until a breakpoint stops it, or for so many frames, each of which
    /// `runner` runs.
    pub fn run(&mut self, goal: &Goal, frames: u64, runner: &mut dyn Runner) -> Stop {
        self.note_watched();
        self.begin_run(goal);
        let stop = (0..frames).find_map(|_| {
            let stop = runner.frame(self);
            stop.or_else(|| (!runner.goes_on()).then_some(Stop::Interrupted))
        });
        self.run = None;
        self.note_banks();
        stop.unwrap_or(Stop::Limit)
    }

    /// The frames to come are a run to `goal`. A run that was stopped goes on as a new one; without
    /// one, frames run to [`Goal::Free`].
    pub fn begin_run(&mut self, goal: &Goal) {
        self.history.forget_after(self.now.console.cycle());
        let left = match goal {
            Goal::Frames(frames) | Goal::Event(_, frames) => (*frames).max(1),
            _ => 0,
        };
        let target = self.target(goal);
        self.run = Some(Run { goal: goal.clone(), target, state: ObserverState::default(), left });
    }

    /// Runs the frame that comes next, or what is left of the one under way, with what the
    /// debugger's own input holds. Returns what stopped it.
    pub fn frame(&mut self) -> Option<Stop> {
        if !self.is_within_frame() {
            let frame = self.now.console.frame_number();
            let input = self.input.of_frame(frame);
            if input.commands.contains(Commands::POWER) {
                // There is no way back over the switch.
                self.input.power_switched(frame);
                self.switch_on();
            }
            if input.commands.contains(Commands::RESET) {
                self.forget_crash();
                self.act(true, Action::Reset);
            }
            self.begin_frame(nes::Held { pads: input.pads, extra: input.extra });
        }
        if !self.wants_crashes() {
            self.forget_crash();
            return self.run_frame(&mut self.held(), &mut ()).or_else(|| self.end_frame(None));
        }
        let mut watch = self.watch.take();
        let stop = self.run_frame(&mut self.held(), &mut watch.as_mut());
        let crash = watch.as_mut().filter(|_| stop.is_none());
        let crash = crash.and_then(|watch| watch.end_frame(&self.now.console));
        self.watch = watch;
        stop.or_else(|| self.end_frame(crash))
    }

    /// Looks symbols in PRG-ROM up by what the board shows now: for who runs frames by itself.
    pub fn note_banks(&mut self) {
        self.symbols.show(self.now.console.board.cartridge().prg_banks());
    }

    /// A breakpoint that was to stop once goes with its stop.
    fn stopped(&mut self, stop: Stop) -> Stop {
        if let Stop::Breakpoint { number, .. } | Stop::Event { number: Some(number), .. } = stop
            && self.breakpoints.list().iter().any(|breakpoint| breakpoint.number == number && breakpoint.once)
        {
            self.breakpoints.remove(number);
        }
        if let Stop::Breakpoint { .. } | Stop::Event { number: Some(_), .. } = stop {
            self.history.note_milestone(MilestoneKind::Stop, &self.now.console);
        }
        self.run = None;
        stop
    }

    /// What stops a run within a frame, if it is to come to `goal`.
    fn target(&self, goal: &Goal) -> Target {
        let Console { cpu, board, .. } = &self.now.console;
        match goal {
            Goal::Free | Goal::Frames(_) | Goal::Event(..) => Target::Never,
            Goal::Instructions(count) => Target::Instructions((*count).max(1)),
            Goal::Over if cpu.interrupt_pending() => Target::Over { pc: cpu.pc, sp: cpu.sp },
            Goal::Over if board.peek(cpu.pc) == 0x20 => {
                Target::Over { pc: cpu.pc.wrapping_add(3), sp: cpu.sp }
            }
            Goal::Over => Target::Instructions(1),
            Goal::Out => Target::Return(cpu.sp),
            Goal::Lines(count) => Target::Lines((*count).max(1)),
            Goal::Dots(count) => Target::Cycle(board.cycle() + (*count).max(1).div_ceil(3)),
            Goal::Beam { line, dot } => Target::Beam(u64::from(*line) * LINE + u64::from(*dot)),
            Goal::Nmi(count) => Target::Interrupt { vector: 0xFFFA, left: (*count).max(1) },
            Goal::Irq(count) => Target::Interrupt { vector: 0xFFFE, left: (*count).max(1) },
            Goal::Address(address) => Target::Address(*address),
            Goal::Until(condition) => Target::Until(condition.clone()),
            Goal::Source(way) => {
                let from = self.sources.line_at(cpu.pc, board.cartridge().prg_banks());
                Target::Source { way: *way, from, sp: cpu.sp, interrupted: None }
            }
        }
    }

    /// Goes through the beginning of a frame in which `held` is held: keeps a keyframe if one is
    /// due, and writes what is frozen.
    pub fn begin_frame(&mut self, held: impl Into<nes::Held>) {
        // Nobody wants to hear more than the last frame.
        self.now.console.clear_samples();
        self.history.begin_frame(&self.now);
        for (address, value) in self.frozen.clone() {
            if let Some((memory, offset)) = Space::Cpu.place(&self.now.console.board, address.into())
                && self.now.console.peek(address) != value
            {
                self.change(true, Action::Poke(memory, offset, value));
            }
        }
        self.act(true, Action::Begin(held.into()));
    }

    /// Runs to the end of the frame that has begun, as closely watched as it takes, with an
    /// attachment whose changes are remembered for the way back. `pads` hold what
    /// [`Debugger::held`] says. Returns what stopped it before.
    pub fn run_frame<P: Pads, A: Attachment>(&mut self, pads: &mut P, attachment: &mut A) -> Option<Stop> {
        if self.run.is_none() {
            self.begin_run(&Goal::Free);
        }
        let stop = self.run_watched(pads, attachment);
        stop.map(|stop| self.stopped(stop))
    }

    fn run_watched<P: Pads, A: Attachment>(&mut self, pads: &mut P, attachment: &mut A) -> Option<Stop> {
        let Self { now: Moment { console, .. }, history, run, breakpoints, scribe, .. } = self;
        let mut recorded = Recorded { attachment, history };
        if let Some(scribe) = scribe {
            let ended = console.run_frame(pads, &mut (&mut **scribe, &mut recorded)).is_break();
            return ended.then_some(Stop::Done);
        }
        let target = run.as_ref().map_or(&Target::Never, |run| &run.target);
        if *target == Target::Never && !breakpoints.any() {
            let _ = console.run_frame(pads, &mut recorded); // nothing of it breaks
            return None;
        }
        if breakpoints.watches_fetches() {
            self.run_observed::<true, true, P, A>(pads, attachment)
        } else if target.watches() || breakpoints.watches() {
            self.run_observed::<true, false, P, A>(pads, attachment)
        } else {
            self.run_observed::<false, false, P, A>(pads, attachment)
        }
    }

    fn run_observed<const ALL: bool, const FETCHES: bool, P: Pads, A: Attachment>(
        &mut self,
        pads: &mut P,
        attachment: &mut A,
    ) -> Option<Stop> {
        let Self { now: Moment { console, .. }, history, run, breakpoints, symbols, sources, log, .. } = self;
        let Run { target, state, .. } = run.as_mut()?;
        let profile = self.profile.as_ref();
        let mut observer = BreakpointObserver::<ALL, FETCHES> {
            state,
            breakpoints,
            target,
            profile,
            symbols,
            sources,
            log,
            stop: None,
        };
        let mut attachment = Recorded { attachment, history };
        let _ = console.run_frame(pads, &mut (&mut observer, &mut attachment));
        observer.stop
    }

    /// Goes through the end of a frame, in which the game came to a `crash` or was in one already.
    /// Returns whether the run ends with it: by what the game did, by a jammed CPU, or because it
    /// was to end here.
    pub fn end_frame(&mut self, crash: Option<Crash>) -> Option<Stop> {
        let mut records = self.now.end_frame(self.profile.as_ref());
        for kind in records.iter().filter_map(MilestoneKind::of) {
            self.history.note_milestone(kind, &self.now.console);
        }
        let before = core::mem::replace(&mut self.crash, crash);
        match before {
            Some(_) if crash.is_some() => self.crash = before,
            _ => records.extend(crash.map(|crash| crash.record())),
        }
        let stop = if self.scribe.is_some() { None } else { self.event(&records) };
        if stop.is_some() || self.now.console.cpu.jammed {
            return Some(self.stopped(stop.unwrap_or(Stop::Jammed)));
        }
        match &mut self.run {
            Some(Run { goal: Goal::Frames(_), left, .. }) => {
                *left -= 1;
                (*left == 0).then(|| self.stopped(Stop::Done))
            }
            _ => None,
        }
    }

    /// Does something that the game did stop the run?
    fn event(&mut self, records: &[Record]) -> Option<Stop> {
        let mut aim = match &mut self.run {
            Some(Run { goal: Goal::Event(name, _), left, .. }) => Some((&*name, left)),
            _ => None,
        };
        let wanted = aim.is_some()
            || self
                .breakpoints
                .list()
                .iter()
                .any(|breakpoint| matches!(breakpoint.trigger, Trigger::Event(_)));
        if !wanted {
            return None;
        }
        let mut stop = None;
        for record in records {
            let happened = event_name(record);
            if let Some((name, left)) = &mut aim
                && is_called(name, &happened)
                && stop.is_none()
            {
                **left = left.saturating_sub(1);
                if **left == 0 {
                    stop = Some(Stop::Event { number: None, record: record.clone() });
                }
            }
            let Self { now: Moment { console, .. }, breakpoints, symbols, log, profile, .. } = self;
            let scene =
                Scene { cpu: &console.cpu, board: &console.board, profile: profile.as_ref(), access: None };
            for breakpoint in breakpoints.list_mut() {
                let meant = matches!(&breakpoint.trigger, Trigger::Event(name) if is_called(name, &happened));
                let holds = breakpoint.condition.as_ref().is_none_or(|condition| condition.holds(&scene));
                if !(breakpoint.enabled && meant && holds) {
                    continue;
                }
                breakpoint.hits += 1;
                if breakpoint.log_only {
                    log.hit(breakpoint, &scene, symbols);
                } else if breakpoint.hits > breakpoint.pass && stop.is_none() {
                    stop = Some(Stop::Event { number: Some(breakpoint.number), record: record.clone() });
                }
            }
        }
        stop
    }
}
