//! The debugger: a console, its last minute, and what a run stops at.

use std::collections::BTreeMap;

use nes::controller::fm2::{Commands, Movie, Warning};
use nes::{Cartridge, Config, Console, Observer, StateError};
use tetris::events::Record;
use tetris::{Feature, Profile};

use crate::beam::LINE;
use crate::breakpoint::{Breakpoints, Trigger};
use crate::companion::Companion;
use crate::expression::{Names, Scene};
use crate::history::{History, Replay};
use crate::input::Input;
use crate::log::Log;
use crate::moment::{Action, Moment, Register};
use crate::stop::{event_name, is_called};
use crate::vigil::{Target, Vigil, Watchfulness};
use crate::{Goal, Space, Stop, Symbols, Watches};

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
    pub(crate) companion: Option<Box<dyn Companion>>,
}

impl Debugger {
    /// Powers on `cartridge`. With a profile the game is known: its names, its events, its quantities. Of a profile that
    /// lacks what these take, the names alone are left.
    pub fn new(cartridge: Cartridge, config: Config, profile: Option<Profile>) -> Self {
        let symbols = profile.as_ref().map(Symbols::of_game).unwrap_or_default();
        Self {
            now: Moment::new(Console::new(cartridge.clone(), config)),
            history: History::default(),
            power: (cartridge, config),
            profile: profile.and_then(|profile| profile.supporting(Feature::Debugger).ok()),
            symbols,
            breakpoints: Breakpoints::default(),
            watches: Watches::default(),
            input: Input::default(),
            log: Log::default(),
            frozen: BTreeMap::new(),
            companion: None,
        }
    }

    /// Appends what the last frame that is over sounds like; nothing a second time, and none without a sample rate.
    pub fn take_sound(&mut self, sound: &mut Vec<f32>) {
        sound.extend_from_slice(self.now.console.samples());
        self.now.console.clear_samples();
    }

    /// Whether a frame is under way: its beginning has been gone through, and its end has not come.
    pub fn is_within_frame(&self) -> bool {
        self.now.begun == Some(self.now.console.frame_number())
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

    /// Runs to `goal`, or until a breakpoint stops it, or for so many frames. `goes_on` is asked after each frame.
    pub fn run(&mut self, goal: &Goal, frames: u64, goes_on: &mut dyn FnMut(&Console) -> bool) -> Stop {
        self.note_watched();
        let stop = self.run_to(goal, frames, goes_on);
        self.note_banks();
        stop
    }

    /// Symbols in PRG-ROM are looked up by what the board shows now.
    pub(crate) fn note_banks(&mut self) {
        self.symbols.show(self.now.console.board.cartridge().prg_banks());
    }

    fn run_to(&mut self, goal: &Goal, frames: u64, goes_on: &mut dyn FnMut(&Console) -> bool) -> Stop {
        self.history.forget_after(self.now.console.cycle());
        let mut target = self.target(goal);
        let mut memory = Watchfulness::default();
        let mut left = match goal {
            Goal::Frames(frames) | Goal::Event(_, frames) => (*frames).max(1),
            _ => 0,
        };
        for _ in 0..frames {
            self.begin_frame();
            if let Some(stop) = self.run_frame(&mut target, &mut memory) {
                return self.stopped(stop);
            }
            let records = self.now.end_frame(self.profile.as_ref());
            let stop = self.event(&records, goal, &mut left);
            if stop.is_some() || self.now.console.cpu.jammed {
                return self.stopped(stop.unwrap_or(Stop::Jammed));
            }
            if let Goal::Frames(_) = goal {
                left -= 1;
                if left == 0 {
                    return Stop::Done;
                }
            }
            if !goes_on(&self.now.console) {
                return Stop::Interrupted;
            }
        }
        Stop::Limit
    }

    /// A breakpoint that was to stop once goes with its stop.
    fn stopped(&mut self, stop: Stop) -> Stop {
        if let Stop::Breakpoint { number, .. } | Stop::Event { number: Some(number), .. } = stop
            && self.breakpoints.list().iter().any(|breakpoint| breakpoint.number == number && breakpoint.once)
        {
            self.breakpoints.remove(number);
        }
        stop
    }

    /// Runs with an observer of one's own until it breaks, the CPU jams, or `goes_on`, asked after each frame, wants no
    /// more; breakpoints do not take part.
    pub(crate) fn run_observed<O: Observer>(
        &mut self,
        observer: &mut O,
        goes_on: &mut dyn FnMut(&Console) -> bool,
    ) {
        self.note_watched();
        self.history.forget_after(self.now.console.cycle());
        loop {
            self.begin_frame();
            if self.run_with(observer) {
                break;
            }
            self.now.end_frame(self.profile.as_ref());
            if self.now.console.cpu.jammed || !goes_on(&self.now.console) {
                break;
            }
        }
        self.note_banks();
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

    /// Whatever is done between two frames, once a frame.
    fn begin_frame(&mut self) {
        let frame = self.now.console.frame_number();
        if self.now.begun == Some(frame) {
            return;
        }
        // Nobody wants to hear more than the last frame.
        self.now.console.clear_samples();
        self.history.begin_frame(&self.now);
        let input = self.input.of_frame(frame);
        if input.commands.contains(Commands::POWER) {
            // There is no way back over the switch.
            self.input.before += frame;
            self.switch_on();
            self.history.begin_frame(&self.now);
        }
        if input.commands.contains(Commands::RESET) {
            self.act(true, Action::Reset);
        }
        for (address, value) in self.frozen.clone() {
            if let Some((memory, offset)) = Space::Cpu.place(&self.now.console.board, address.into())
                && self.now.console.peek(address) != value
            {
                self.act(true, Action::Poke(memory, offset, value));
            }
        }
        self.act(true, Action::Begin(input.pads));
        self.now.begun = Some(self.now.console.frame_number());
    }

    pub(crate) fn act(&mut self, boundary: bool, action: Action) {
        self.history.note(self.now.console.cycle(), boundary, action);
        self.now.apply(action);
    }

    /// Runs to the end of the frame, or to what stops it.
    fn run_frame(&mut self, target: &mut Target, memory: &mut Watchfulness) -> Option<Stop> {
        if *target == Target::Never && !self.breakpoints.any() {
            self.run_with(&mut ());
            return None;
        }
        let fetches = self.breakpoints.watches_fetches();
        if self.companion.is_some() {
            return if fetches {
                self.run_accompanied::<true>(target, memory)
            } else {
                self.run_accompanied::<false>(target, memory)
            };
        }
        if fetches {
            self.run_vigil::<true, true>(target, memory)
        } else if target.watches() || self.breakpoints.watches() {
            self.run_vigil::<true, false>(target, memory)
        } else {
            self.run_vigil::<false, false>(target, memory)
        }
    }

    /// Runs to the end of the frame, or to what stops it, as closely watched as it takes.
    fn run_vigil<const ALL: bool, const FETCHES: bool>(
        &mut self,
        target: &mut Target,
        memory: &mut Watchfulness,
    ) -> Option<Stop> {
        let Self { now: Moment { console, pads, .. }, breakpoints, symbols, log, profile, .. } = self;
        let profile = profile.as_ref();
        let mut vigil =
            Vigil::<ALL, FETCHES> { memory, breakpoints, target, profile, symbols, log, stop: None };
        let _ = console.run_frame(pads, &mut vigil);
        vigil.stop
    }

    /// Does something that the game did stop the run?
    fn event(&mut self, records: &[Record], goal: &Goal, left: &mut u64) -> Option<Stop> {
        let wanted = matches!(goal, Goal::Event(..))
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
            if let Goal::Event(name, _) = goal
                && is_called(name, &happened)
                && stop.is_none()
            {
                *left = left.saturating_sub(1);
                if *left == 0 {
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
            self.act(false, Action::Pads(pads));
        }
    }

    /// Writes a byte; gives what was there. `None` where nothing can be written: registers, and outside of the memory.
    pub fn poke(&mut self, space: Space, at: usize, value: u8) -> Option<u8> {
        let (memory, offset) = space.place(&self.now.console.board, at)?;
        self.history.forget_after(self.now.console.cycle());
        let old = self.now.console.memory(memory).get(offset).copied()?;
        self.act(false, Action::Poke(memory, offset, value));
        Some(old)
    }

    /// Sets a register of the CPU.
    pub fn set(&mut self, register: Register, value: u16) {
        self.history.forget_after(self.now.console.cycle());
        self.act(false, Action::Set(register, value));
    }

    /// Presses the reset button.
    pub fn reset(&mut self) {
        self.history.forget_after(self.now.console.cycle());
        self.act(false, Action::Reset);
    }

    /// Switches off and on; a movie begins anew. There is no way back over it.
    pub fn power(&mut self) {
        self.input.before = 0;
        self.switch_on();
    }

    fn switch_on(&mut self) {
        let (cartridge, config) = &self.power;
        let ram_fill = self.input.movie.as_ref().map_or(config.ram_fill, |movie| movie.ram.into());
        self.now = Moment::new(Console::new(cartridge.clone(), Config { ram_fill, ..*config }));
        self.history.clear();
        self.meet();
    }

    /// Plays `movie`, frame by frame from power-on. A console that has not run yet is switched on anew if the movie says
    /// that RAM holds something else. Answers what its player should know.
    pub fn play(&mut self, movie: Movie) -> Vec<Warning> {
        let warnings = movie.warnings(self.now.console.board.cartridge().info().md5.0);
        let same_ram = self.power.1.ram_fill.in_movie() == Some(movie.ram);
        self.input.set_movie(Some(movie));
        if !same_ram && self.now.console.frame_number() == 0 && !self.is_within_frame() {
            self.switch_on();
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
        self.meet();
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
