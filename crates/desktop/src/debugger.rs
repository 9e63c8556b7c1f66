//! The debugger under a game that is played: while it has the console, the engine's stands still.

mod companion;
mod disk;
mod loan;
pub(crate) mod panels;
mod snapshot;

use std::collections::VecDeque;
use std::sync::Arc;

use autopilot::Substitution;
use nes::apu::Channel;
use nes::controller::fm2::{Commands, Movie};
use nes::{Buttons, Cartridge, Config, Console, Frame, Palette};
use nes_debug::command::{Command as Word, Session};
use nes_debug::{Debugger, Goal, Space, Stop, Symbols, Trigger, view};
use tetris::Profile;

use companion::{Companion, Muffler};
use disk::Disk;
use loan::Loan;
pub(crate) use loan::Way;
pub(crate) use panels::{Panel, PanelState};
pub(crate) use snapshot::{BreakpointLine, CodeLine, DebugSnapshot, Found, MemoryView};

/// Lines of the conversation that are kept.
const LINES: usize = 400;

/// Commands after which the console is no longer where its buttons alone lead.
const EDITS: [&str; 9] = ["set", "freeze", "cheat", "hold", "press", "movie", "reset", "power", "load"];

/// Who says a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogSource {
    /// The player.
    User,
    /// The debugger.
    Debugger,
    /// The debugger, of something that did not work.
    Error,
}

/// The debugger of a cartridge, and what of it is looked at.
pub(crate) struct DebugSession {
    session: Session,
    log: VecDeque<(LogSource, String)>,
    panel_state: PanelState,
    /// The memory that is looked at, and what it was before.
    bytes: Arc<Vec<u8>>,
    before: Arc<Vec<u8>>,
    looked: Option<(Space, u64)>,
    /// PRG-ROM as it is in the file.
    program: Vec<u8>,
    palette: Palette,
    pieces: Option<Substitution>,
    muffler: Muffler,
    /// What the last frame sounds like.
    sound: Vec<f32>,
    /// The picture of the engine's at a cycle, until there is one of its own.
    still: Option<(u64, Box<Frame>)>,
    /// While it has the console.
    loan: Option<Loan>,
    pub(crate) is_open: bool,
}

/// Returns the trigger of a breakpoint on the execution of one address.
fn execution_of(address: u16) -> Trigger {
    Trigger::Execute(address..=address)
}

impl DebugSession {
    /// Returns the debugger of the cartridge of `image`, powered on. `labels` are the program's
    /// names as ld65 wrote them.
    ///
    /// # Errors
    /// In a line, what is wrong with the image or the labels.
    pub(crate) fn new(
        image: &[u8],
        labels: Option<&str>,
        config: Config,
        palette: Palette,
    ) -> Result<Self, String> {
        let cartridge = Cartridge::from_bytes(image).map_err(|error| error.to_string())?;
        let program = cartridge.prg_rom().to_vec();
        let profile = Profile::of_image(image, "", "");
        let symbols = Symbols::of_program(labels, profile.as_ref()).map_err(|error| error.to_string())?;
        let mut debugger = Debugger::new(cartridge, config, profile);
        debugger.symbols = symbols;
        let mut session = Self {
            session: Session::new(debugger, image.to_vec()),
            log: VecDeque::new(),
            panel_state: PanelState::default(),
            bytes: Arc::default(),
            before: Arc::default(),
            looked: None,
            program,
            palette,
            pieces: None,
            muffler: Muffler::default(),
            sound: vec![],
            still: None,
            loan: None,
            is_open: false,
        };
        session.log(LogSource::Debugger, "`help` lists the commands; F1 or `quit` closes the panels");
        Ok(session)
    }

    /// Takes over the console that is in `state` and has shown `picture`. What is remembered of the
    /// past stays only if that is where the debugger's own console stands already. A `movie` goes
    /// on.
    ///
    /// # Errors
    /// In a line, that the state is none of this cartridge.
    pub(crate) fn borrow(
        &mut self,
        state: &[u8],
        picture: &Frame,
        pieces: Option<Substitution>,
        movie: Option<Movie>,
    ) -> Result<(), String> {
        let debugger = &mut self.session.debugger;
        if debugger.console().save() != state {
            debugger.load(state).map_err(|error| error.to_string())?;
            self.still = Some((debugger.console().cycle(), Box::new(picture.clone())));
        }
        let console = debugger.console();
        self.loan = Some(Loan::new(console.frame_number(), console.cycle(), movie.is_some()));
        debugger.input.movie = movie;
        self.pieces = pieces;
        self.accompany();
        Ok(())
    }

    /// Gives the console back at the end of a frame. Returns its state and how it came there, or
    /// nothing if it stands where it was.
    pub(crate) fn give_back(&mut self) -> Option<(Vec<u8>, Way)> {
        let moved = self.loan.as_ref().is_some_and(|loan| loan.cycle != self.console().cycle());
        if moved && self.session.debugger.is_within_frame() {
            self.session.debugger.run(&Goal::Frames(1), 2, &mut |_| true);
            self.keep_account();
        }
        let mut loan = self.loan.take()?;
        let debugger = &mut self.session.debugger;
        if loan.follows {
            debugger.input.movie = None;
        }
        if debugger.has_edited_rom() || !debugger.frozen().is_empty() {
            loan.way.faithful = false;
        }
        let console = debugger.console();
        (loan.cycle != console.cycle() || !loan.way.faithful).then(|| (console.save(), loan.way))
    }

    /// Returns whether it is this image's debugger.
    pub(crate) fn is_of(&self, image: &[u8]) -> bool {
        self.session.image == image
    }

    /// Returns whether it has the console.
    pub(crate) fn has_console(&self) -> bool {
        self.loan.is_some()
    }

    /// Returns whether something is in force that only the debugger can see to: a breakpoint,
    /// something frozen, a changed program.
    pub(crate) fn is_armed(&self) -> bool {
        let debugger = &self.session.debugger;
        debugger.breakpoints.list().iter().any(|breakpoint| breakpoint.enabled)
            || !debugger.frozen().is_empty()
            || debugger.has_edited_rom()
    }

    fn accompany(&mut self) {
        let companion = Companion::boxed(self.pieces.clone(), self.muffler.ears());
        self.session.debugger.accompany(companion);
    }

    /// Runs a frame, or what is left of one, with what `pads` hold at its beginning. Returns false
    /// if a breakpoint or a jammed CPU stopped it.
    pub(crate) fn frame(&mut self, muted: &[Channel], pads: impl FnOnce() -> [Buttons; 2]) -> bool {
        if self.muffler.mute(muted) {
            self.accompany();
        }
        self.sound.clear();
        let debugger = &mut self.session.debugger;
        let frame = debugger.console().frame_number();
        if !debugger.is_within_frame() {
            let follows = self.loan.as_ref().is_some_and(|loan| loan.follows);
            let scripted = debugger.input.movie.as_ref().is_some_and(|movie| {
                follows && usize::try_from(frame).is_ok_and(|frame| frame < movie.frames.len())
            });
            debugger.hold(if scripted { [Buttons::empty(); 2] } else { pads() });
        }
        self.muffler.begin(debugger.console());
        let stop = debugger.run(&Goal::Frames(1), 2, &mut |_| true);
        let lines = debugger.log.take();
        let console = debugger.console();
        if console.frame_number() != frame && !self.muffler.end(console, &mut self.sound) {
            debugger.take_sound(&mut self.sound);
        }
        self.keep_account();
        for line in lines {
            self.log(LogSource::Debugger, &line);
        }
        if stop == Stop::Done {
            return true;
        }
        let text = view::stop(&self.session.debugger, &stop);
        self.log(LogSource::Debugger, &text);
        false
    }

    /// Goes back by a frame. Returns false if there is no further back.
    pub(crate) fn step_back(&mut self) -> bool {
        let went = self.session.debugger.back(&nes_debug::Unit::Frame, 1) == Stop::Done;
        self.keep_account();
        went
    }

    /// Presses the reset button, or turns the power off and on.
    pub(crate) fn carry_out(&mut self, commands: Commands) {
        if commands.contains(Commands::POWER) {
            self.session.debugger.power();
        } else if commands.contains(Commands::RESET) {
            self.session.debugger.reset();
        } else {
            return;
        }
        self.touch();
    }

    /// Carries out a line of the debugger's language. Returns false if it was to quit. `goes_on` is
    /// asked after each frame of a run.
    pub(crate) fn command(&mut self, line: &str, goes_on: &mut dyn FnMut(&Console) -> bool) -> bool {
        self.log(LogSource::User, line);
        let word = line.split_whitespace().next().and_then(Word::of_name);
        if word.is_some_and(|word| EDITS.contains(&word.name)) {
            self.touch();
        }
        let cycle = self.session.debugger.console().cycle();
        let outcome = self.session.execute(line, &mut Disk, goes_on);
        if self.session.debugger.console().cycle() != cycle {
            self.muffler.forget();
            self.keep_account();
        }
        match outcome {
            Ok(reply) => {
                let source = if reply.failed { LogSource::Error } else { LogSource::Debugger };
                for line in reply.text.lines() {
                    self.log(source, line);
                }
                !reply.quits
            }
            Err(error) => {
                self.log(LogSource::Error, &error.to_string());
                true
            }
        }
    }

    /// The console is where no buttons alone lead.
    fn touch(&mut self) {
        if let Some(loan) = &mut self.loan {
            loan.way.faithful = false;
        }
    }

    /// The console has moved: which frames were run with which buttons?
    fn keep_account(&mut self) {
        let Debugger { input, .. } = &self.session.debugger;
        if let Some(loan) = &mut self.loan {
            let held = |frame| {
                let mut all = input.movie.as_ref().map(|movie| movie.frame(frame)).unwrap_or_default();
                all.pads.iter_mut().zip(input.held).for_each(|(pad, held)| *pad |= held);
                all
            };
            loan.moved_to(self.session.debugger.console().frame_number(), held);
        }
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

    /// Returns the picture, as far as it is drawn.
    pub(crate) fn picture(&self) -> &Frame {
        let console = self.console();
        match &self.still {
            Some((cycle, picture)) if *cycle == console.cycle() => picture,
            _ => console.picture(),
        }
    }

    /// Returns what the last frame that ended sounds like; nothing of one that was stopped.
    pub(crate) fn sound(&self) -> &[f32] {
        &self.sound
    }

    /// Returns what is held in the present frame.
    pub(crate) fn buttons(&self) -> [Buttons; 2] {
        self.session.debugger.input.held
    }

    /// Returns the console.
    pub(crate) fn console(&self) -> &Console {
        self.session.debugger.console()
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
