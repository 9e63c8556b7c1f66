//! The debugger: a console, its last minute, and what a run stops at.

mod run;

use std::collections::BTreeMap;

use nes::fm2::{Movie, Warning};
use nes::{Buttons, Cartridge, Config, Console, StateError};
use tetris::events::Watcher;
use tetris::{Feature, Profile};

use crate::breakpoint::{Breakpoints, Trigger};
use crate::breakpoint_observer::{ObserverState, Target};
use crate::expression::{Names, Scene};
use crate::history::{History, Replay};
use crate::input::Input;
use crate::log::Log;
use crate::moment::{Action, Moment, Register};
use crate::recorded::Mark;
use crate::stop::{CRASH_EVENT, is_called};
use crate::symbols::{Format, SymbolError};
use crate::view::excerpt::Scribe;
use crate::{Crash, CrashWatch, Goal, Sources, Space, Symbols, Watches};

/// A console under the debugger.
///
/// The machine runs bare unless a breakpoint or a step needs more. What happened is not recorded: a
/// moment of the last minute is a keyframe run up to it again, and so is everything that a view
/// knows of the past.
#[derive(Clone)]
pub struct Debugger {
    pub(crate) now: Moment,
    pub(crate) history: History,
    power: (Cartridge, Config),
    pub(crate) profile: Option<Profile>,
    /// Names of addresses.
    pub symbols: Symbols,
    /// Source files, if a debug file was loaded.
    pub sources: Sources,
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

/// What was done in the debugger besides running on: a host that keeps an account of the console
/// has to follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interference {
    /// Something was changed that no buttons change: memory, a register, the program; or the
    /// buttons within a frame.
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
    /// Powers on `cartridge`. With a profile the game is known: its names, its events, its
    /// quantities. Of a profile that lacks what these take, the names alone are left.
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
            sources: Sources::default(),
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

    /// Exchanges its console for a host's: once to take it over, once more to give it back. What
    /// the debugger remembers of the past is the past of the console that it took over last.
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

    /// Whether a crash of the game is to stop a run, or to be logged: then whoever runs the frames
    /// watches for one.
    pub fn wants_crashes(&self) -> bool {
        let event = |name: &str| is_called(name, CRASH_EVENT);
        let goal = matches!(&self.run, Some(Run { goal: Goal::Event(name, _), .. }) if event(name));
        goal || self.breakpoints.list().iter().any(|breakpoint| {
            breakpoint.enabled && matches!(&breakpoint.trigger, Trigger::Event(name) if event(name))
        })
    }

    /// Whoever has the console may have changed it since `before`. It is remembered for the way
    /// back.
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
        self.now.held.pads
    }

    /// The same with what is held on other devices.
    pub fn held(&self) -> nes::Held {
        self.now.held
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
        let names = Names::new(&self.symbols, self.profile.is_some());
        Names { globals: Some(self.sources.globals()), ..names }
    }

    /// Takes over the symbols of a file, and of ld65's debug file the sources, which take the place
    /// of those before. Returns how many symbols it has.
    ///
    /// # Errors
    /// A text that is like no format, or the first line that is none of its own.
    pub fn load_symbols(&mut self, name: &str, text: &str) -> Result<usize, SymbolError> {
        let prg_rom = self.now.console.board.cartridge().prg_rom().len();
        let (loaded, sources) = Format::read_with_sources(name, text, prg_rom)?;
        for label in loaded.labels() {
            self.symbols.add(label.clone());
        }
        if let Some(sources) = sources {
            self.sources = sources;
        }
        Ok(loaded.len())
    }

    /// The oldest frame that can be gone back to.
    pub fn oldest_frame(&self) -> u64 {
        self.history.oldest_frame().unwrap_or(self.now.console.frame_number())
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

    /// Other buttons are held from now on, also in this frame.
    pub fn hold(&mut self, pads: [nes::Buttons; 2]) {
        self.input.held = pads;
        self.history.forget_after(self.now.console.cycle());
        if self.now.begun == Some(self.now.console.frame_number()) {
            self.change(false, Action::Pads(pads));
        }
    }

    /// Writes a byte; gives what was there. `None` where nothing can be written: registers, and
    /// outside of the memory.
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

    /// Plays `movie`, frame by frame from power-on. A console that has not run yet is switched on
    /// anew if the movie says that RAM holds something else. Answers what its player should know.
    pub fn play(&mut self, movie: Movie) -> Vec<Warning> {
        let warnings = movie.warnings(&nes::rom_hashes(self.now.console.board.cartridge()));
        let same_ram = self.power.1.ram_fill.in_movie() == Some(movie.ram);
        self.input.set_movie(Some(movie));
        if !same_ram && self.now.console.frame_number() == 0 && !self.is_within_frame() {
            self.switch_on();
            self.interference.replaced = true;
        }
        warnings
    }

    /// Writes `value` at `address` of RAM at the beginning of every frame from the next on; `None`
    /// lets it go.
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
        self.now = Moment { held: self.now.held, ..Moment::new(console) };
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
