//! The debugger: a console, its last minute, and what a run stops at.

use std::collections::BTreeMap;

use nes::controller::fm2::{Commands, Movie, Warning};
use nes::{Attachment, Buttons, Cartridge, Config, Console, Pads, StateError};
use tetris::events::{Record, Watcher};
use tetris::{Feature, Profile};

use crate::beam::LINE;
use crate::breakpoint::{Breakpoints, Trigger};
use crate::breakpoint_observer::{BreakpointObserver, ObserverState, Target};
use crate::expression::{Names, Scene};
use crate::history::{History, Replay};
use crate::input::Input;
use crate::log::Log;
use crate::moment::{Action, Moment, Register};
use crate::recorded::{Mark, Recorded};
use crate::stop::{CRASH_EVENT, event_name, is_called};
use crate::view::excerpt::Scribe;
use crate::{Crash, CrashWatch, Goal, Runner, Space, Stop, Symbols, Watches};

/// A console under the debugger.
///
/// The machine runs bare unless a breakpoint or a step needs more. What happened is not recorded: a moment of the last
/// minute is a keyframe run up to it again, and so is everything that a view knows of the past.
#[derive(Clone)]
pub struct Debugger {
    pub(crate) now: Moment,
    pub(crate) history: History,
    power: (Cartridge, Config),
    pub(crate) profile: Option<Profile>,
    /// Names of addresses.
    pub symbols: Symbols,
    /// What stops a run.
    pub breakpoints: Breakpoints,
    /// Expressions that are looked at again at each stop.
    pub watches: Watches,
    /// Where the buttons come from.
    pub input: Input,
    /// What breakpoints have logged.
    pub log: Log,
    /// Bytes of RAM that are written again at the beginning of each frame.
    pub(crate) frozen: BTreeMap<u16, u8>,
    pub(crate) run: Option<Run>,
    /// While a trace is written.
    pub(crate) scribe: Option<Box<Scribe>>,
    pub(crate) interference: Interference,
    /// Notices a crash of the game in frames that the debugger itself runs.
    watch: Option<CrashWatch>,
    /// The crash that was seen last; none while the game is well.
    crash: Option<Crash>,
}

/// What was done in the debugger besides running on: a host that keeps an account of the console has to follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interference {
    /// Something was changed that no buttons change: memory, a register, the program; or the buttons within a frame.
    pub changed: bool,
    /// The console was switched off and on, or a state was loaded.
    pub replaced: bool,
    /// It went to an earlier moment.
    pub travelled: bool,
}

/// What a run is to come to, and how far it is.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    goal: Goal,
    target: Target,
    state: ObserverState,
    /// Frames or events to go.
    left: u64,
}

impl Debugger {
    /// Powers on `cartridge`. With a profile the game is known: its names, its events, its quantities. Of a profile that
    /// lacks what these take, the names alone are left.
    pub fn new(cartridge: Cartridge, config: Config, profile: Option<Profile>) -> Self {
        let symbols = profile.as_ref().map(Symbols::of_game).unwrap_or_default();
        let profile = profile.and_then(|profile| profile.supporting(Feature::Debugger).ok());
        let now = Moment::new(Console::new(cartridge.clone(), config));
        Self {
            watch: profile.as_ref().map(|profile| CrashWatch::new(profile, &now.console)),
            crash: None,
            now,
            history: History::default(),
            power: (cartridge, config),
            profile,
            symbols,
            breakpoints: Breakpoints::default(),
            watches: Watches::default(),
            input: Input::default(),
            log: Log::default(),
            frozen: BTreeMap::new(),
            run: None,
            scribe: None,
            interference: Interference::default(),
        }
    }

    /// Exchanges its console for a host's: once to take it over, once more to give it back. What the debugger remembers
    /// of the past is the past of the console that it took over last.
    pub fn exchange(&mut self, console: &mut Console) {
        core::mem::swap(&mut self.now.console, console);
    }

    /// The host's console is another one than before: the past is forgotten.
    pub fn forget_past(&mut self) {
        self.history.clear();
        self.rewound(u64::MAX);
    }

    /// The host's console has gone back to where a frame began, at `cycle`.
    pub fn rewound(&mut self, cycle: u64) {
        if self.history.keyframes().next().is_some_and(|oldest| oldest > cycle) {
            self.history.clear();
        }
        self.history.forget_after(cycle);
        self.now.begun = None;
        self.now.watcher = Watcher::default();
        self.run = None;
        self.forget_crash();
    }

    /// The game goes on from another moment: it may be well there.
    pub(crate) fn forget_crash(&mut self) {
        self.crash = None;
        if let Some(watch) = &mut self.watch {
            watch.forget();
        }
    }

    /// The crash of the game in which it is, if one was seen.
    pub fn crash(&self) -> Option<&Crash> {
        self.crash.as_ref()
    }

    /// Whether a crash of the game is to stop a run, or to be logged: then whoever runs the frames watches for one.
    pub fn wants_crashes(&self) -> bool {
        let event = |name: &str| is_called(name, CRASH_EVENT);
        let goal = matches!(&self.run, Some(Run { goal: Goal::Event(name, _), .. }) if event(name));
        goal || self.breakpoints.list().iter().any(|breakpoint| {
            breakpoint.enabled && matches!(&breakpoint.trigger, Trigger::Event(name) if event(name))
        })
    }

    /// Whoever has the console may have changed it since `before`. It is remembered for the way back.
    pub fn note_change(&mut self, before: &Mark, console: &Console) {
        self.history.note_change(before, true, console);
    }

    /// What was done to the console in the debugger since this was last asked.
    pub fn take_interference(&mut self) -> Interference {
        core::mem::take(&mut self.interference)
    }

    /// Whether a frame is under way: its beginning has been gone through, and its end has not come.
    pub fn is_within_frame(&self) -> bool {
        self.now.begun == Some(self.now.console.frame_number())
    }

    /// What is held in the frame under way.
    pub fn pads(&self) -> [Buttons; 2] {
        self.now.pads
    }

    /// The machine as it is now.
    pub fn console(&self) -> &Console {
        &self.now.console
    }

    /// Where the game keeps things, if the cartridge is a known one.
    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref()
    }

    /// What expressions are evaluated in.
    pub fn scene(&self) -> Scene<'_> {
        let Console { cpu, board, .. } = &self.now.console;
        Scene { cpu, board, profile: self.profile.as_ref(), access: None }
    }

    /// Where expressions look names up.
    pub fn names(&self) -> Names<'_> {
        Names { symbols: &self.symbols, game: self.profile.is_some() }
    }

    /// The oldest frame that can be gone back to.
    pub fn oldest_frame(&self) -> u64 {
        self.history.oldest_frame().unwrap_or(self.now.console.frame_number())
    }

    /// Runs to `goal`, or until a breakpoint stops it, or for so many frames, each of which `runner` runs.
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

    /// The frames to come are a run to `goal`. A run that was stopped goes on as a new one; without one, frames run to
    /// [`Goal::Free`].
    pub fn begin_run(&mut self, goal: &Goal) {
        self.history.forget_after(self.now.console.cycle());
        let left = match goal {
            Goal::Frames(frames) | Goal::Event(_, frames) => (*frames).max(1),
            _ => 0,
        };
        let target = self.target(goal);
        self.run = Some(Run { goal: goal.clone(), target, state: ObserverState::default(), left });
    }

    /// Runs the frame that comes next, or what is left of the one under way, with what the debugger's own input holds.
    /// Returns what stopped it.
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
            self.begin_frame(input.pads);
        }
        if !self.wants_crashes() {
            self.forget_crash();
            return self.run_frame(&mut self.pads(), &mut ()).or_else(|| self.end_frame(None));
        }
        let mut watch = self.watch.take();
        let stop = self.run_frame(&mut self.pads(), &mut watch.as_mut());
        let crash = watch.as_mut().filter(|_| stop.is_none());
        let crash = crash.and_then(|watch| watch.end_frame(&self.now.console));
        self.watch = watch;
        stop.or_else(|| self.end_frame(crash))
    }

    /// Symbols in PRG-ROM are looked up by what the board shows now.
    pub(crate) fn note_banks(&mut self) {
        self.symbols.show(self.now.console.board.cartridge().prg_banks());
    }

    /// A breakpoint that was to stop once goes with its stop.
    fn stopped(&mut self, stop: Stop) -> Stop {
        if let Stop::Breakpoint { number, .. } | Stop::Event { number: Some(number), .. } = stop
            && self.breakpoints.list().iter().any(|breakpoint| breakpoint.number == number && breakpoint.once)
        {
            self.breakpoints.remove(number);
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
        }
    }

    /// Goes through the beginning of a frame in which `pads` are held: keeps a keyframe if one is due, and writes what is
    /// frozen.
    pub fn begin_frame(&mut self, pads: [Buttons; 2]) {
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
        self.act(true, Action::Begin(pads));
    }

    /// Runs to the end of the frame that has begun, as closely watched as it takes, with an attachment whose changes
    /// are remembered for the way back. `pads` hold what [`Debugger::pads`] says. Returns what stopped it before.
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
        let Self { now: Moment { console, .. }, history, run, breakpoints, symbols, log, .. } = self;
        let Run { target, state, .. } = run.as_mut()?;
        let profile = self.profile.as_ref();
        let mut observer = BreakpointObserver::<ALL, FETCHES> {
            state,
            breakpoints,
            target,
            profile,
            symbols,
            log,
            stop: None,
        };
        let mut attachment = Recorded { attachment, history };
        let _ = console.run_frame(pads, &mut (&mut observer, &mut attachment));
        observer.stop
    }

    /// Goes through the end of a frame, in which the game came to a `crash` or was in one already. Returns whether the
    /// run ends with it: by what the game did, by a jammed CPU, or because it was to end here.
    pub fn end_frame(&mut self, crash: Option<Crash>) -> Option<Stop> {
        let mut records = self.now.end_frame(self.profile.as_ref());
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

    fn act(&mut self, boundary: bool, action: Action) {
        let cycle = self.now.console.cycle();
        self.now.apply(&action);
        self.history.note(cycle, boundary, action);
    }

    /// The same for something that no buttons do.
    fn change(&mut self, boundary: bool, action: Action) {
        self.interference.changed = true;
        self.act(boundary, action);
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

    /// Other buttons are held from now on, also in this frame.
    pub fn hold(&mut self, pads: [nes::Buttons; 2]) {
        self.input.held = pads;
        self.history.forget_after(self.now.console.cycle());
        if self.now.begun == Some(self.now.console.frame_number()) {
            self.change(false, Action::Pads(pads));
        }
    }

    /// Writes a byte; gives what was there. `None` where nothing can be written: registers, and outside of the memory.
    pub fn poke(&mut self, space: Space, at: usize, value: u8) -> Option<u8> {
        let (memory, offset) = space.place(&self.now.console.board, at)?;
        self.history.forget_after(self.now.console.cycle());
        let old = self.now.console.memory(memory).get(offset).copied()?;
        self.change(false, Action::Poke(memory, offset, value));
        Some(old)
    }

    /// Sets a register of the CPU.
    pub fn set(&mut self, register: Register, value: u16) {
        self.history.forget_after(self.now.console.cycle());
        self.change(false, Action::Set(register, value));
    }

    /// Presses the reset button.
    pub fn reset(&mut self) {
        self.history.forget_after(self.now.console.cycle());
        self.change(false, Action::Reset);
        self.forget_crash();
    }

    /// Switches off and on; a movie begins anew. There is no way back over it.
    pub fn power(&mut self) {
        self.input.before = 0;
        self.switch_on();
        self.interference.replaced = true;
    }

    fn switch_on(&mut self) {
        let (cartridge, config) = &self.power;
        let ram_fill = self.input.movie.as_ref().map_or(config.ram_fill, |movie| movie.ram.into());
        self.now = Moment::new(Console::new(cartridge.clone(), Config { ram_fill, ..*config }));
        self.history.clear();
        self.forget_crash();
    }

    /// Plays `movie`, frame by frame from power-on. A console that has not run yet is switched on anew if the movie says
    /// that RAM holds something else. Answers what its player should know.
    pub fn play(&mut self, movie: Movie) -> Vec<Warning> {
        let warnings = movie.warnings(self.now.console.board.cartridge().info().md5.0);
        let same_ram = self.power.1.ram_fill.in_movie() == Some(movie.ram);
        self.input.set_movie(Some(movie));
        if !same_ram && self.now.console.frame_number() == 0 && !self.is_within_frame() {
            self.switch_on();
            self.interference.replaced = true;
        }
        warnings
    }

    /// Writes `value` at `address` of RAM at the beginning of every frame from the next on; `None` lets it go.
    pub fn freeze(&mut self, address: u16, value: Option<u8>) {
        match value {
            Some(value) => self.frozen.insert(address, value),
            None => self.frozen.remove(&address),
        };
    }

    /// What is frozen.
    pub fn frozen(&self) -> &BTreeMap<u16, u8> {
        &self.frozen
    }

    /// The cartridge as it was inserted.
    pub fn inserted(&self) -> &Cartridge {
        &self.power.0
    }

    /// Whether a byte of the program is another than on the cartridge that was inserted.
    pub fn has_edited_rom(&self) -> bool {
        self.now.console.board.cartridge().prg_rom() != self.power.0.prg_rom()
    }

    /// Takes over a saved state. There is no way back over it.
    ///
    /// # Errors
    /// Whatever is wrong with `bytes`; nothing has changed then.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        let mut console = self.now.console.clone();
        console.load(bytes)?;
        self.input.before = 0;
        self.now = Moment { pads: self.now.pads, ..Moment::new(console) };
        self.history.clear();
        self.forget_crash();
        self.interference.replaced = true;
        Ok(())
    }

    /// A run through the last minute, from the last keyframe at or before a cycle.
    pub(crate) fn replay(&self, cycle: u64) -> Option<Replay<'_>> {
        self.history.replay(cycle, self.profile.as_ref())
    }

    /// The same from a keyframe at or before a frame.
    pub(crate) fn replay_frame(&self, frame: u64) -> Option<Replay<'_>> {
        self.history.replay_frame(frame, self.profile.as_ref())
    }
}
