//! A kept game, played again.

use std::borrow::Borrow;

use nes::{Buttons, Cartridge, Config, Console, StateError};
use tetris::events::Record;
use tetris::{Profile, Unsupported};

use crate::{Kept, Log, PositionError, SequenceError, Session, Start, raise, sequence};

/// Plays a kept game frame by frame, from its start. It borrows the game, or has it: by an `Arc`,
/// say, so that clones of it are places to come back to.
#[derive(Clone)]
pub struct Replay<G> {
    game: G,
    console: Console,
    session: Session,
    log: Log,
    frame: usize,
}

/// What happened in a frame, and the buttons of both pads that the console got.
pub type Step = (Vec<Record>, [Buttons; 2]);

/// Why a kept game cannot be played again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The cartridge cannot carry its mode.
    #[error(transparent)]
    Cartridge(#[from] Unsupported),
    /// It begins from a state that this build does not know.
    #[error("the saved state that the game begins from: {0}")]
    State(#[from] StateError),
    /// It names pieces that nobody knows.
    #[error(transparent)]
    Pieces(#[from] SequenceError),
    /// It was put into a position that cannot be.
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl<G: Borrow<Kept>> Replay<G> {
    /// At its start.
    ///
    /// # Errors
    /// [`ReplayError`].
    pub fn new(game: G, cartridge: Cartridge, profile: Profile, config: Config) -> Result<Self, ReplayError> {
        let mut session = game.borrow().session(profile)?;
        let mut console = Console::new(cartridge, config);
        let mut log = Log::default();
        if let Start::State { console: state, session: memory } = &game.borrow().start {
            console.load(state)?;
            session.load(memory, &console)?;
            if session.is_playing() {
                log.begin(console.frame_number(), &session);
            }
        }
        Ok(Self { game, console, session, log, frame: 0 })
    }

    /// The next frame; `None` at the end.
    ///
    /// # Errors
    /// When the game is put into a position that cannot be.
    pub fn step(&mut self) -> Result<Option<Step>, ReplayError> {
        let game: &Kept = self.game.borrow();
        let Some(&[first, second]) = game.frames.get(self.frame) else { return Ok(None) };
        let now = self.frame as u64;
        for (_, position) in game.positions.iter().filter(|(frame, _)| *frame == now) {
            self.session.enter(&mut self.console, position)?;
            self.log = Log::default();
            self.log.begin(self.console.frame_number(), &self.session);
        }
        for &(_, lfsr) in game.chances.iter().filter(|&&(frame, _)| frame == now) {
            self.session.draw_luck(&mut self.console, lfsr);
        }
        for &(_, rise) in game.rises.iter().filter(|&&(frame, _)| frame == now) {
            raise(self.session.profile(), &mut self.console, rise);
        }
        self.frame += 1;
        let delivered = [self.session.prepare(&mut self.console, first), second];
        self.session.run_pads(&mut self.console, delivered);
        let records = self.session.finish(&mut self.console);
        self.log.observe(self.console.frame_number(), &self.session, &records);
        Ok(Some((records, delivered)))
    }

    /// Frames that were played.
    pub fn frame(&self) -> usize {
        self.frame
    }

    /// The console: a clone of it can be taken over.
    pub fn console(&self) -> &Console {
        &self.console
    }

    /// The same, to take its sound.
    pub fn console_mut(&mut self) -> &mut Console {
        &mut self.console
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The pieces so far.
    pub fn log(&self) -> &Log {
        &self.log
    }
}

impl Kept {
    /// A session of the game's mode and pieces, before its start.
    ///
    /// # Errors
    /// When the cartridge cannot carry it, or nobody knows the pieces.
    pub fn session(&self, profile: Profile) -> Result<Session, ReplayError> {
        let dealt = self.header.pieces.as_deref().map(|text| sequence(text, profile.clone())).transpose()?;
        let session = Session::new(profile, self.header.mode, self.header.options)?;
        Ok(dealt.into_iter().fold(session, Session::with_pieces))
    }

    /// Can buttons alone repeat it, from power-on?
    pub fn is_a_movie(&self, session: &Session) -> bool {
        let changed = !(self.positions.is_empty() && self.chances.is_empty() && self.rises.is_empty());
        let plain = self.start == Start::PowerOn && !changed;
        plain && self.header.pieces.is_none() && !session.writes()
    }
}
