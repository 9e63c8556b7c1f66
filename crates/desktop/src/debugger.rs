//! The debugger under a game that is played: attached, it stops the engine's frames and has its
//! console lent.

mod disk;
pub(crate) mod layout;
pub(crate) mod panels;
pub(crate) mod snapshot;
pub(crate) mod source;
mod views;

use std::collections::VecDeque;
use std::sync::Arc;

use emulator::{Attached, Drawn, Edit, Emulator, FrameOutcome};
use nes::{Buttons, Cartridge, Config, Console, Held, Pads, Palette, RomError};
use nes_debug::command::CommandSession;
use nes_debug::symbols::SymbolError;
use nes_debug::{Breakpoint, Breakpoints, Debugger, Runner, Space, Stop, Symbols, Trigger, view};
use nes_lua::{FrameScript, Script};
use tetris::Profile;
use thiserror::Error;

use disk::Disk;
pub(crate) use layout::{Layout, LayoutName, Pane};
pub(crate) use panels::{Panel, PanelState};
pub(crate) use snapshot::{BreakpointLine, CodeLine, DebugSnapshot, Found, LogSource, MemoryView};

/// Lines of the conversation that are kept.
const LINES: usize = 400;

/// The debugger of a cartridge, and what of it is looked at.
pub(crate) struct DebugSession {
    session: CommandSession,
    disk: Disk,
    log: VecDeque<(LogSource, String)>,
    panel_state: PanelState,
    /// The memory that is looked at, and what it was before.
    bytes: Arc<Vec<u8>>,
    before: Arc<Vec<u8>>,
    looked: Option<(Space, u64)>,
    /// PRG-ROM as it is in the file.
    program: Vec<u8>,
    palette: Palette,
    /// The console's state when it was last detached.
    left: Vec<u8>,
    pub(crate) is_attached: bool,
    pub(crate) is_open: bool,
}

/// What the debugger's own runs of frames are: the engine's, with the script that is attached.
pub(crate) struct EngineFrames<'a, P> {
    pub(crate) engine: &'a mut Emulator,
    pub(crate) script: Option<&'a mut Script>,
    pub(crate) pads: P,
    pub(crate) goes_on: &'a dyn Fn() -> bool,
    /// What the script has drawn last.
    pub(crate) drawn: Option<Drawn>,
    /// Whether the movie that played has ended.
    pub(crate) movie_ended: bool,
}

impl<P: FnMut() -> Held> Runner for EngineFrames<'_, P> {
    fn frame(&mut self, debugger: &mut Debugger) -> Option<Stop> {
        // The console is lent to the debugger, and goes back to the engine for the frame.
        debugger.exchange(self.engine.console());
        let script = self.script.as_deref_mut().filter(|_| !matches!(self.drawn, Some(Err(_))));
        let script = script.map(|script| script as &mut dyn FrameScript);
        let attached = Attached { script, debugger: Some(debugger) };
        let FrameOutcome { stop, drawn, movie_ended, .. } =
            self.engine.frame_now(&mut Sampled(&mut self.pads), attached);
        debugger.exchange(self.engine.console());
        self.drawn = drawn.or(self.drawn.take());
        self.movie_ended |= movie_ended;
        stop
    }

    fn goes_on(&mut self) -> bool {
        (self.goes_on)()
    }
}

/// Pads that a function samples.
struct Sampled<'a, P>(&'a mut P);

impl<P: FnMut() -> Held> Pads for Sampled<'_, P> {
    fn sample(&mut self) -> [Buttons; 2] {
        self.held().pads
    }

    fn held(&mut self) -> Held {
        (self.0)()
    }
}

/// What a line of the debugger's language has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommandOutcome {
    /// The console is where no movie leads, for this reason.
    pub(crate) edited: Option<Edit>,
    /// It stands at another moment.
    pub(crate) moved: bool,
    /// The panels are to be shut.
    pub(crate) quits: bool,
}

/// Why the debugger cannot be attached.
#[derive(Debug, Error)]
pub(crate) enum DebuggerError {
    /// The bytes are no cartridge.
    #[error(transparent)]
    Rom(#[from] RomError),
    /// The labels are not ld65's.
    #[error(transparent)]
    Symbols(#[from] SymbolError),
}

/// Returns the trigger of a breakpoint on the execution of one address.
fn execution_of(address: u16) -> Trigger {
    Trigger::Execute(address..=address)
}

impl DebugSession {
    /// Returns the debugger of the cartridge of `image`, powered on. `profile` says where its game
    /// keeps things; `labels` are the program's names as ld65 wrote them.
    ///
    /// # Errors
    /// [`DebuggerError`] where the image or the labels cannot be used.
    pub(crate) fn new(
        image: &[u8],
        profile: Option<Profile>,
        labels: Option<&str>,
        config: Config,
        palette: Palette,
    ) -> Result<Self, DebuggerError> {
        let cartridge = Cartridge::from_bytes(image)?;
        let program = cartridge.prg_rom().to_vec();
        let symbols = Symbols::of_program(labels, profile.as_ref())?;
        let mut debugger = Debugger::new(cartridge, config, profile);
        debugger.symbols = symbols;
        let mut session = Self {
            session: CommandSession::new(debugger, image.to_vec()),
            disk: Disk::default(),
            log: VecDeque::new(),
            panel_state: PanelState::default(),
            bytes: Arc::default(),
            before: Arc::default(),
            looked: None,
            program,
            palette,
            left: vec![],
            is_attached: false,
            is_open: false,
        };
        session.log(LogSource::Debugger, "`help` lists the commands; F1 or `quit` closes the panels");
        Ok(session)
    }

    /// Attaches it to the engine's frames. What it remembers of the past stays only if the console
    /// is where it was detached.
    pub(crate) fn attach(&mut self, engine: &mut Emulator) {
        if !std::mem::replace(&mut self.is_attached, true) {
            let debugger = &mut self.session.debugger;
            let _ = debugger.take_interference();
            if engine.state().save() != self.left {
                debugger.forget_past();
            }
        }
    }

    /// Detaches it. A frame that it has stopped is completed without it.
    pub(crate) fn detach(&mut self, engine: &Emulator) {
        self.is_attached = false;
        self.left = engine.state().save();
    }

    /// Returns the debugger, to be attached to a frame.
    pub(crate) fn debugger(&mut self) -> &mut Debugger {
        &mut self.session.debugger
    }

    /// Returns whether it is this image's debugger.
    pub(crate) fn is_of(&self, image: &[u8]) -> bool {
        self.session.image == image
    }

    /// Returns whether something is in force that only the debugger can see to: a breakpoint,
    /// something frozen, a changed program in `console`.
    pub(crate) fn is_armed(&self, console: &Console) -> bool {
        let debugger = &self.session.debugger;
        // A crash is noticed without the debugger as well.
        let counts = |breakpoint: &Breakpoint| breakpoint.enabled && breakpoint.number != Breakpoints::CRASH;
        debugger.breakpoints.list().iter().any(counts)
            || !debugger.frozen().is_empty()
            || console.board.cartridge().prg_rom() != self.program
    }

    /// A frame of the engine's was run, and perhaps stopped: says what there is to say.
    pub(crate) fn ran(&mut self, engine: &mut Emulator, stop: Option<&Stop>) {
        let lines = self.session.debugger.log.take();
        let stopped =
            stop.map(|stop| engine.lend(&mut self.session.debugger, |debugger| view::stop(debugger, stop)));
        for line in lines.iter().chain(&stopped) {
            self.log(LogSource::Debugger, line);
        }
    }

    /// Carries out a line of the debugger's language, whose runs `frames` runs.
    pub(crate) fn command<P: FnMut() -> Held>(
        &mut self,
        line: &str,
        frames: &mut EngineFrames<P>,
    ) -> CommandOutcome {
        self.log(LogSource::User, line);
        let from = frames.engine.frame_number();
        let cycle = frames.engine.state().cycle();
        frames.engine.sync(&mut self.session.debugger);
        self.session.debugger.exchange(frames.engine.console());
        let reply = self.session.execute(line, &mut self.disk, frames);
        self.session.debugger.exchange(frames.engine.console());
        let edited = frames.engine.follow(&mut self.session.debugger, from);
        let moved = frames.engine.state().cycle() != cycle;
        let mut quits = false;
        match reply {
            Ok(reply) => {
                let source = if reply.failed { LogSource::Error } else { LogSource::Debugger };
                for line in reply.text.lines() {
                    self.log(source, line);
                }
                quits = reply.quits;
            }
            Err(error) => self.log(LogSource::Error, &error.to_string()),
        }
        CommandOutcome { edited, moved, quits }
    }

    /// Looks at something else.
    pub(crate) fn set_panel_state(&mut self, panel_state: PanelState) {
        self.panel_state = panel_state;
    }

    /// Reads the memory that is looked at. What it was before is kept from one moment to another.
    fn look_at_memory(&mut self) {
        let console = self.session.debugger.console();
        let (space, cycle) = (self.panel_state.memory, console.cycle());
        let bytes = Arc::new(space.bytes(console));
        match self.looked.replace((space, cycle)) {
            Some((before, _)) if before != space => self.before = Arc::default(),
            Some((_, then)) if then != cycle => self.before = Arc::clone(&self.bytes),
            _ => {}
        }
        self.bytes = bytes;
    }

    /// The colours of pictures from now on.
    pub(crate) fn set_palette(&mut self, palette: Palette) {
        self.palette = palette;
    }

    fn log(&mut self, source: LogSource, line: &str) {
        if self.log.len() == LINES {
            self.log.pop_front();
        }
        self.log.push_back((source, line.to_owned()));
    }
}

#[cfg(test)]
mod tests;
