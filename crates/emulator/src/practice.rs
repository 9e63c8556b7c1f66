//! A practice session beside the emulator's console: it goes back and forth with it.

use std::collections::VecDeque;

use nes::{Buttons, Console, StateError};
use practice::{History, Log, Luck, Mark, Position, PositionError, Rise, Session, UndoError};
use tetris::events::{Event, Record};

use crate::saved::SavedPractice;

/// Pieces that can be taken back.
const PIECES_BACK: usize = 64;

/// A frame that was played.
#[derive(Debug, Clone)]
pub struct Played {
    /// Its number from power-on.
    pub frame: u64,
    /// What the players held.
    pub pads: [Buttons; 2],
    /// What was done to the game before it, other than by buttons.
    pub acts: Vec<Act>,
    /// Whether the computer held the first pad.
    pub by_computer: bool,
}

/// What practice does to a game between two frames.
#[derive(Debug, Clone, Copy)]
pub enum Act {
    /// The random number register was written.
    Luck(u16),
    /// The game was put into a position.
    Entered(Position),
    /// Rows came up from below.
    Rose(Rise),
}

/// What was played since it was asked for last.
#[derive(Debug, Clone, Default)]
pub struct Taken {
    /// The frames, oldest first.
    pub played: Vec<Played>,
    /// Whether a game has begun in the last of these frames.
    pub begun: bool,
    /// What happened in them, in order.
    pub records: Vec<Record>,
}

/// A session, what it did so far, and the way back.
#[derive(Clone)]
pub struct Practice {
    session: Session,
    log: Log,
    history: History,
    /// What the session remembered when each frame began, as far as the rewind reaches.
    past: VecDeque<(u64, Vec<u8>)>,
    /// What the players hold in the frame that runs or was run last.
    held: [Buttons; 2],
    /// What was played since the last [`Practice::take_played`].
    taken: Taken,
    /// What was done before the frame of that number.
    acts: Vec<(u64, Act)>,
    /// The game is an ordinary one: the session only looks on.
    watches: bool,
    /// Nothing is kept for the way back, the log and the file.
    is_bare: bool,
}

impl Practice {
    /// Returns `session` with nothing behind it.
    pub fn new(session: Session) -> Self {
        Self {
            session,
            log: Log::default(),
            history: History::new(PIECES_BACK),
            past: VecDeque::new(),
            held: [Buttons::empty(); 2],
            taken: Taken::default(),
            acts: vec![],
            watches: false,
            is_bare: false,
        }
    }

    /// Returns `session` without a log, a way back and a file, for games of which only the score
    /// counts.
    pub fn bare(session: Session) -> Self {
        Self { is_bare: true, ..Self::new(session) }
    }

    /// Returns `session` as one that only looks on, whatever is played.
    pub fn watching(session: Session) -> Self {
        Self { watches: true, ..Self::new(session) }
    }

    /// Returns the same in the middle of a game, whose piece in play is the first that it knows.
    #[must_use]
    pub fn joined(mut self, console: &Console) -> Self {
        if self.session.is_playing() {
            self.log.begin(console.frame_number(), &self.session);
        }
        self
    }

    /// Returns whether the session only looks on.
    pub fn only_watches(&self) -> bool {
        self.watches
    }

    /// Returns the session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns what the session remembered when the frame that is under way began.
    pub fn saved(&self, console: &Console) -> Vec<u8> {
        let begun = self.past.back().filter(|(frame, _)| *frame == console.frame_number());
        begun.map_or_else(|| self.session.save(), |(_, saved)| saved.clone())
    }

    /// Returns the session for the file of a saved state.
    pub(crate) fn to_saved(&self, console: &Console) -> SavedPractice {
        SavedPractice {
            mode: self.session.mode(),
            options: *self.session.options(),
            pieces: None,
            memory: self.saved(console),
            watches: self.watches,
        }
    }

    /// Returns the session, to be attached to a frame; none where it looks at nothing within one.
    pub fn attached(&mut self) -> Option<&mut Session> {
        self.session.has_hooks().then_some(&mut self.session)
    }

    /// Returns all pieces of the game so far.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Returns how many pieces can be taken back.
    pub fn pieces_back(&self) -> usize {
        self.history.len()
    }

    /// Returns the positions that were marked.
    pub fn marks(&self) -> &[Mark] {
        self.history.marks()
    }

    /// Returns the player's buttons in the last frame.
    pub fn held(&self) -> Buttons {
        self.held[0]
    }

    /// Takes the frames that were played since the last call.
    pub fn take_played(&mut self) -> Taken {
        std::mem::take(&mut self.taken)
    }

    /// A frame begins in which the players hold `pads`; `None` where that is not known yet. Changes
    /// it to what the game gets.
    pub fn begin_frame(&mut self, console: &mut Console, pads: Option<&mut [Buttons; 2]>) {
        if !self.is_bare {
            self.past.push_back((console.frame_number(), self.session.save()));
        }
        if let Some(pads) = pads.filter(|_| !self.watches) {
            self.held = *pads;
            pads[0] = self.session.prepare(console, pads[0]);
        }
    }

    /// The frame is over, in which the game saw `pads`, the first of them the computer's or not;
    /// the rewind reaches so many frames back.
    pub fn end_frame(&mut self, console: &mut Console, reach: usize, pads: [Buttons; 2], by_computer: bool) {
        if self.is_bare {
            self.session.finish(console);
            return;
        }
        let frame = console.frame_number().saturating_sub(1);
        let pads = if self.watches { pads } else { self.held };
        let acts = self.acts.iter().filter(|(at, _)| *at == frame).map(|(_, act)| *act).collect();
        self.taken.played.push(Played { frame, pads, acts, by_computer });
        let records = self.session.finish(console);
        let begins = records.iter().any(|record| matches!(record.event, Event::Spawn { number: 1, .. }));
        if begins && self.session.is_playing() {
            self.taken.begun = true;
            if self.watches {
                self.session.follow_menus();
            }
        }
        self.history.observe(console, &self.session, &records);
        self.log.observe(console.frame_number(), &self.session, &records);
        self.taken.records.extend(records);
        while self.past.len() > reach + 1 {
            self.past.pop_front();
        }
    }

    /// In the frames from `first` on the computer has only found the way into a game.
    pub(crate) fn disregard_computer(&mut self, first: u64) {
        let way_in = self.taken.played.iter_mut().filter(|played| played.frame >= first);
        way_in.for_each(|played| played.by_computer = false);
    }

    /// The console has gone back to the beginning of an earlier frame.
    pub fn follow_back(&mut self, console: &Console) {
        let frame = console.frame_number();
        self.forget_from(frame + 1);
        let known = self.past.back().filter(|(at, _)| *at == frame);
        let loaded = known.is_some_and(|(_, saved)| self.session.load(saved, console).is_ok());
        self.forget_from(frame);
        if !loaded {
            self.session.resync(console);
        }
        self.log.back(frame);
        self.taken.played.retain(|played| played.frame < frame);
        self.acts.retain(|(at, _)| *at <= frame);
    }

    /// The console has gone to a moment at which the session remembered `memory`.
    ///
    /// # Errors
    /// When the bytes are none of a session; nothing has changed then.
    pub fn restore(&mut self, console: &Console, memory: &[u8]) -> Result<(), StateError> {
        self.session.load(memory, console)?;
        self.went(console, None);
        Ok(())
    }

    /// The console has gone to another moment of a kept game that plays, at which the session
    /// remembered `memory`; `log` is known to reach there.
    ///
    /// # Errors
    /// When the bytes are none of a session; nothing has changed then.
    pub fn seek(&mut self, console: &Console, memory: &[u8], log: Log) -> Result<(), StateError> {
        self.session.load(memory, console)?;
        self.log = log;
        self.history.forget_spawns();
        self.went(console, None);
        Ok(())
    }

    /// Goes on from `position`, which is marked.
    ///
    /// # Errors
    /// What is wrong with the position; nothing has changed then.
    pub fn enter(&mut self, console: &mut Console, position: &Position) -> Result<(), PositionError> {
        self.session.enter(console, position)?;
        self.acts.retain(|(at, _)| *at < console.frame_number());
        self.acts.push((console.frame_number(), Act::Entered(*position)));
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
    pub fn undo(&mut self, console: &mut Console, luck: Luck) -> Result<(), UndoError> {
        let lfsr = self.history.back(console, &mut self.session, luck)?;
        self.went(console, lfsr);
        Ok(())
    }

    /// Marks the position in which the piece in play came in. Returns how many are marked; none
    /// where no piece has come in.
    pub fn mark(&mut self) -> Option<usize> {
        self.history.mark().map(|number| number + 1)
    }

    /// Goes to the position that was marked last. Returns how often it was tried.
    ///
    /// # Errors
    /// [`UndoError`]; nothing has changed then.
    pub fn retry(&mut self, console: &mut Console, luck: Luck) -> Result<u32, UndoError> {
        let mark = self.marks().len().checked_sub(1).ok_or(UndoError::Nothing)?;
        let lfsr = self.history.retry(mark, console, &mut self.session, luck)?;
        self.went(console, lfsr);
        Ok(self.marks()[mark].tries)
    }

    /// Writes the random number register before the frame that comes, as a kept game has it.
    pub fn draw_luck(&mut self, console: &mut Console, lfsr: u16) {
        self.session.draw_luck(console, lfsr);
    }

    /// Rows have come up from below before the frame that comes.
    pub fn rose(&mut self, console: &Console, rise: Rise) {
        self.acts.retain(|(at, _)| *at >= console.frame_number());
        self.acts.push((console.frame_number(), Act::Rose(rise)));
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
        self.taken.played.retain(|played| played.frame < frame);
        // The moment is before any luck, and in a position that was entered.
        self.acts.retain(|(at, act)| *at < frame || *at == frame && matches!(act, Act::Entered(_)));
        self.acts.extend(lfsr.map(|lfsr| (frame, Act::Luck(lfsr))));
    }
}
