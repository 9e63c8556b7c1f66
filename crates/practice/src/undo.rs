//! Taking pieces back, and trying positions again.

use std::collections::VecDeque;

use nes::{Console, StateError};
use tetris::events::{Event, Record};
use tetris::{SplitMix64, ram};

use crate::ram_access::RamAccess;
use crate::{Position, Session};

/// What is the same when a position is played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Luck {
    /// Everything.
    Same,
    /// All but the random number register, which is drawn from this seed: other pieces come.
    New(u64),
}

/// A console and its session at a spawn.
#[derive(Clone)]
struct Snapshot {
    console: Vec<u8>,
    session: Session,
}

/// A position to be played again as often as wanted.
#[derive(Clone)]
pub struct Mark {
    /// The position.
    pub position: Position,
    /// How often it was tried, the first time included.
    pub tries: u32,
    snapshot: Snapshot,
}

/// The moments in which pieces came in, the last so many.
#[derive(Clone)]
pub struct History {
    spawns: VecDeque<Snapshot>,
    most: usize,
    marks: Vec<Mark>,
}

/// Why nothing was taken back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UndoError {
    /// In a qualifier nothing is.
    #[error("nothing is taken back with the option qual")]
    Qualifier,
    /// There is no earlier piece.
    #[error("there is no earlier piece to go back to")]
    Nothing,
    /// No mark has this number.
    #[error("no position is marked with number {0}")]
    NoMark(usize),
    /// The console is another.
    #[error(transparent)]
    State(#[from] StateError),
}

impl History {
    /// A history of at most so many pieces.
    pub fn new(most: usize) -> Self {
        Self { spawns: VecDeque::new(), most: most.max(2), marks: Vec::new() }
    }

    /// Keeps the moment if a piece came in, as `records` of [`Session::finish`] say it.
    pub fn observe(&mut self, console: &Console, session: &Session, records: &[Record]) {
        for record in records {
            match record.event {
                Event::Spawn { number: 1, .. } => self.spawns.clear(),
                Event::Spawn { .. } => {}
                _ => continue,
            }
            if self.spawns.len() == self.most {
                self.spawns.pop_front();
            }
            self.spawns.push_back(Snapshot { console: console.save(), session: session.clone() });
        }
    }

    /// Keeps the moment of a piece that has come in already: a position that was entered, say.
    pub fn begin(&mut self, console: &Console, session: &Session) {
        self.spawns.clear();
        self.spawns.push_back(Snapshot { console: console.save(), session: session.clone() });
    }

    /// Forgets the pieces: the console has gone elsewhere. Marked positions stay.
    pub fn forget_spawns(&mut self) {
        self.spawns.clear();
    }

    /// Pieces that can be taken back.
    pub fn len(&self) -> usize {
        self.spawns.len().saturating_sub(1)
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes the last piece back: the game is where that piece came in. Again, and it is the one
    /// before. Out: the random number register, if luck is new.
    ///
    /// # Errors
    /// When there is no such piece, or it is not allowed; nothing has changed then.
    pub fn back(
        &mut self,
        console: &mut Console,
        session: &mut Session,
        luck: Luck,
    ) -> Result<Option<u16>, UndoError> {
        allowed(session)?;
        let at = self.spawns.len().checked_sub(2).ok_or(UndoError::Nothing)?;
        restore(&self.spawns[at], console, session)?;
        self.spawns.truncate(at + 1);
        Ok(drawn(luck, console, session))
    }

    /// Marks the position in which the piece in play came in. Out: its number.
    pub fn mark(&mut self) -> Option<usize> {
        let snapshot = self.spawns.back()?.clone();
        let position = Position::of(&snapshot.session)?;
        self.marks.push(Mark { position, tries: 1, snapshot });
        Some(self.marks.len() - 1)
    }

    /// The marked positions.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Goes to a marked position, and counts that. Out: the random number register, if luck is new.
    ///
    /// # Errors
    /// When there is no such mark, or it is not allowed; nothing has changed then.
    pub fn retry(
        &mut self,
        mark: usize,
        console: &mut Console,
        session: &mut Session,
        luck: Luck,
    ) -> Result<Option<u16>, UndoError> {
        allowed(session)?;
        let found = self.marks.get_mut(mark).ok_or(UndoError::NoMark(mark))?;
        restore(&found.snapshot, console, session)?;
        found.tries = found.tries.saturating_add(1);
        self.spawns.clear();
        self.spawns.push_back(found.snapshot.clone());
        Ok(drawn(luck, console, session))
    }
}

fn allowed(session: &Session) -> Result<(), UndoError> {
    if session.options().qual { Err(UndoError::Qualifier) } else { Ok(()) }
}

fn restore(snapshot: &Snapshot, console: &mut Console, session: &mut Session) -> Result<(), UndoError> {
    console.load(&snapshot.console)?;
    session.clone_from(&snapshot.session);
    Ok(())
}

fn drawn(luck: Luck, console: &mut Console, session: &mut Session) -> Option<u16> {
    let Luck::New(seed) = luck else { return None };
    // 0 and 1 are dead.
    let lfsr = (SplitMix64::mix(seed) as u16) | 2;
    session.draw_luck(console, lfsr);
    Some(lfsr)
}

impl Session {
    /// Writes the random number register: other pieces come from here on.
    pub fn draw_luck(&mut self, console: &mut Console, lfsr: u16) {
        RamAccess::new(&self.profile().clone(), console).set_bytes(ram::LFSR, &lfsr.to_be_bytes());
        self.resync(console);
    }
}
