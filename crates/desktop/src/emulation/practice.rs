//! A practice session beside the engine's console: it goes back and forth with it.

use std::collections::VecDeque;

use nes::{Buttons, Console};
use practice::{History, Log, Luck, Mark, Position, PositionError, Session, UndoError};

/// Pieces that can be taken back.
const PIECES_BACK: usize = 64;

/// A frame that was played: its number from power-on, and the player's buttons.
pub(crate) type Played = (u64, Buttons);

/// A session, what it did so far, and the way back.
#[derive(Clone)]
pub(crate) struct Practice {
    session: Session,
    log: Log,
    history: History,
    /// What the session remembered when each frame began, as far as the rewind reaches.
    past: VecDeque<(u64, Vec<u8>)>,
    /// The player's buttons in the frame that runs or was run last.
    held: Buttons,
    /// Frames that nobody has taken yet.
    played: Vec<Played>,
    /// A random number register that was written before the frame of that number.
    chances: Vec<(u64, u16)>,
}

impl Practice {
    /// Returns `session` with nothing behind it.
    pub(crate) fn new(session: Session) -> Self {
        Self {
            session,
            log: Log::default(),
            history: History::new(PIECES_BACK),
            past: VecDeque::new(),
            held: Buttons::empty(),
            played: vec![],
            chances: vec![],
        }
    }

    /// Returns the session.
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// Returns what the session remembered when the frame that is under way began.
    pub(crate) fn saved(&self, console: &Console) -> Vec<u8> {
        let begun = self.past.back().filter(|(frame, _)| *frame == console.frame_number());
        begun.map_or_else(|| self.session.save(), |(_, saved)| saved.clone())
    }

    /// Returns the session, to be attached to a frame; none where it looks at nothing within one.
    pub(crate) fn attached(&mut self) -> Option<&mut Session> {
        self.session.has_hooks().then_some(&mut self.session)
    }

    /// Returns all pieces of the game so far.
    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// Returns the positions that were marked.
    pub(crate) fn marks(&self) -> &[Mark] {
        self.history.marks()
    }

    /// Returns the player's buttons in the last frame.
    pub(crate) fn held(&self) -> Buttons {
        self.held
    }

    /// Takes the frames that were played since the last call, and the random number registers that
    /// were written.
    pub(crate) fn take_played(&mut self) -> (Vec<Played>, Vec<(u64, u16)>) {
        (std::mem::take(&mut self.played), std::mem::take(&mut self.chances))
    }

    /// A frame begins in which the player holds `buttons`. Returns what the game gets.
    pub(crate) fn begin_frame(&mut self, console: &mut Console, buttons: Buttons) -> Buttons {
        let frame = console.frame_number();
        self.past.push_back((frame, self.session.save()));
        self.held = buttons;
        self.played.push((frame, buttons));
        self.session.prepare(console, buttons)
    }

    /// The frame is over; the rewind reaches so many frames back.
    pub(crate) fn end_frame(&mut self, console: &mut Console, reach: usize) {
        let records = self.session.finish(console);
        self.history.observe(console, &self.session, &records);
        self.log.observe(console.frame_number(), &self.session, &records);
        while self.past.len() > reach + 1 {
            self.past.pop_front();
        }
    }

    /// The console has gone back to the beginning of an earlier frame.
    pub(crate) fn follow_back(&mut self, console: &Console) {
        let frame = console.frame_number();
        self.forget_from(frame + 1);
        let known = self.past.back().filter(|(at, _)| *at == frame);
        let loaded = known.is_some_and(|(_, saved)| self.session.load(saved, console).is_ok());
        self.forget_from(frame);
        if !loaded {
            self.session.resync(console);
        }
        self.log.back(frame);
        self.played.retain(|(at, _)| *at < frame);
    }

    /// Goes on from `position`, which is marked.
    ///
    /// # Errors
    /// What is wrong with the position; nothing has changed then.
    pub(crate) fn enter(&mut self, console: &mut Console, position: &Position) -> Result<(), PositionError> {
        self.session.enter(console, position)?;
        self.past.clear();
        self.log = Log::default();
        self.history = History::new(PIECES_BACK);
        self.log.begin(console.frame_number(), &self.session);
        self.history.begin(console, &self.session);
        self.history.mark();
        Ok(())
    }

    /// Takes the last piece back.
    ///
    /// # Errors
    /// [`UndoError`]; nothing has changed then.
    pub(crate) fn undo(&mut self, console: &mut Console, luck: Luck) -> Result<(), UndoError> {
        let lfsr = self.history.back(console, &mut self.session, luck)?;
        self.went(console, lfsr);
        Ok(())
    }

    /// Marks the position in which the piece in play came in. Returns how many are marked; none
    /// where no piece has come in.
    pub(crate) fn mark(&mut self) -> Option<usize> {
        self.history.mark().map(|number| number + 1)
    }

    /// Goes to the position that was marked last. Returns how often it was tried.
    ///
    /// # Errors
    /// [`UndoError`]; nothing has changed then.
    pub(crate) fn retry(&mut self, console: &mut Console, luck: Luck) -> Result<u32, UndoError> {
        let mark = self.marks().len().checked_sub(1).ok_or(UndoError::Nothing)?;
        let lfsr = self.history.retry(mark, console, &mut self.session, luck)?;
        self.went(console, lfsr);
        Ok(self.marks()[mark].tries)
    }

    /// Writes the random number register before the frame that comes, as a kept game has it.
    pub(crate) fn draw_luck(&mut self, console: &mut Console, lfsr: u16) {
        self.session.draw_luck(console, lfsr);
    }

    /// Forgets the way back into this frame and those after it.
    fn forget_from(&mut self, frame: u64) {
        while self.past.back().is_some_and(|(at, _)| *at >= frame) {
            self.past.pop_back();
        }
    }

    /// The console is at another moment, perhaps with another random number register.
    fn went(&mut self, console: &Console, lfsr: Option<u16>) {
        let frame = console.frame_number();
        self.forget_from(frame);
        self.log.back(frame);
        self.played.retain(|(at, _)| *at < frame);
        self.chances.extend(lfsr.map(|lfsr| (frame, lfsr)));
    }
}
