//! The game of Tetris on the console: a practice session that steers it or looks on, what it did,
//! and its file.

use std::collections::VecDeque;

use nes::{Buttons, Console};
use practice::{Header, History, Log, Luck, Options, Position, Recorder, Rise, Session};
use tetris::events::{Event, Record};

use crate::Error;

/// Pieces that can be taken back.
const PIECES_BACK: usize = 64;
/// Events that wait to be fetched.
const MOST_EVENTS: usize = 500;

/// A session, what happened in it, and the way back.
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) session: Session,
    pub(crate) log: Log,
    pub(crate) history: History,
    /// The game is an ordinary one: the session only looks on.
    pub(crate) watches: bool,
    /// Mode, options and pieces, as they were asked for.
    pub(crate) text: String,
    events: VecDeque<Record>,
    header: Header,
    recorder: Recorder,
    file: Vec<u8>,
    /// The console's frame with which the file begins.
    first: u64,
}

impl Game {
    /// A game whose file begins with the power's switching on.
    pub(crate) fn new(session: Session, watches: bool, crc32: u32, pieces: Option<&str>) -> Self {
        let header = Header {
            mode: session.mode(),
            options: *session.options(),
            cartridge: session.profile().name.clone(),
            crc32,
            begun: 0,
            pieces: pieces.map(str::to_owned),
        };
        let (recorder, file) = Recorder::new(&header);
        let mode = header.mode;
        let options = header.options;
        let text = if watches && pieces.is_none() {
            String::new()
        } else {
            format!("{mode}\n{options}\n{}", pieces.unwrap_or_default())
        };
        Self {
            session,
            log: Log::default(),
            history: History::new(PIECES_BACK),
            watches,
            text,
            events: VecDeque::new(),
            header,
            recorder,
            file,
            first: 0,
        }
    }

    /// A session on the mode, options and pieces of the texts.
    ///
    /// # Errors
    /// What is wrong with them, or why the cartridge cannot carry them.
    pub(crate) fn session(
        profile: &tetris::Profile,
        mode: &str,
        options: &str,
        pieces: &str,
    ) -> Result<Session, Error> {
        let mode = if mode.is_empty() { practice::Kind::Tetris.usual() } else { mode.parse()? };
        let mut set = Options::default();
        options.split_whitespace().try_for_each(|word| set.set(word))?;
        let session = Session::new(profile.clone(), mode, set)?;
        if pieces.is_empty() {
            return Ok(session);
        }
        Ok(session.with_pieces(practice::sequence(pieces, profile.clone())?))
    }

    /// Runs a frame in which the player holds `pads`. Returns what the console got.
    pub(crate) fn frame(&mut self, console: &mut Console, pads: [Buttons; 2]) -> [Buttons; 2] {
        let first = if self.watches { pads[0] } else { self.session.prepare(console, pads[0]) };
        let delivered = [first, pads[1]];
        self.session.run_pads(console, delivered);
        self.record(pads);
        let records = self.session.finish(console);
        let begins = |record: &Record| matches!(record.event, Event::Spawn { number: 1, .. });
        if self.watches && self.session.is_playing() && records.iter().any(begins) {
            self.session.follow_menus();
        }
        self.history.observe(console, &self.session, &records);
        self.log.observe(console.frame_number(), &self.session, &records);
        for record in records {
            // Every press would be a line.
            if matches!(record.event, Event::Input { .. }) {
                continue;
            }
            if self.events.len() == MOST_EVENTS {
                self.events.pop_front();
            }
            self.events.push_back(record);
        }
        delivered
    }

    fn record(&mut self, pads: [Buttons; 2]) {
        let bytes = self.recorder.push(pads).unwrap_or_default();
        self.file.extend(bytes);
    }

    /// A frame was run by somebody else, on the way through the menus.
    pub(crate) fn note(&mut self, held: Buttons) {
        self.record([held, Buttons::empty()]);
    }

    /// Takes the events since the last call.
    pub(crate) fn take_events(&mut self) -> Vec<Record> {
        self.events.drain(..).collect()
    }

    /// The game as a file, up to now.
    pub(crate) fn file(&self, console: &Console) -> Vec<u8> {
        let mut file = self.file.clone();
        let result = practice::result(&self.session, &self.log, console.state_hash());
        file.extend(self.recorder.clone().end(&result));
        file
    }

    /// The console went back to an earlier moment, which was its own.
    pub(crate) fn went_back(&mut self, console: &Console) {
        let frame = console.frame_number();
        self.log.back(frame);
        if frame < self.first {
            return self.begin_from(console);
        }
        self.file.extend(self.recorder.back(frame - self.first));
    }

    /// The console went from frame `before` to a moment that was marked. After a rewind that may be
    /// one of a future that was given up.
    fn went(&mut self, console: &Console, before: u64) {
        if console.frame_number() <= before {
            self.went_back(console);
        } else {
            self.begin_from(console);
        }
    }

    /// The console is at a moment of another past: the file begins there.
    pub(crate) fn begin_from(&mut self, console: &Console) {
        let (recorder, mut file) = Recorder::new(&self.header);
        file.extend(Recorder::begin_from(&console.save(), &self.session.save()));
        (self.recorder, self.file, self.first) = (recorder, file, console.frame_number());
        self.log = Log::default();
        self.history.forget_spawns();
        if self.session.is_playing() {
            self.log.begin(console.frame_number(), &self.session);
        }
    }

    /// Goes on from a position.
    ///
    /// # Errors
    /// When it cannot be.
    pub(crate) fn enter(&mut self, console: &mut Console, position: &Position) -> Result<(), Error> {
        self.session.enter(console, position)?;
        self.file.extend(self.recorder.position(position));
        self.log = Log::default();
        self.log.begin(console.frame_number(), &self.session);
        self.history.begin(console, &self.session);
        self.history.mark();
        Ok(())
    }

    /// Takes the last piece back.
    ///
    /// # Errors
    /// When there is none, or the options forbid it.
    pub(crate) fn undo(&mut self, console: &mut Console, luck: Luck) -> Result<(), Error> {
        let before = console.frame_number();
        let lfsr = self.history.back(console, &mut self.session, luck)?;
        self.went(console, before);
        self.file.extend(lfsr.map(|lfsr| self.recorder.chance(lfsr)).unwrap_or_default());
        Ok(())
    }

    /// Goes to the position that was marked last.
    ///
    /// # Errors
    /// When none is, or the options forbid it.
    pub(crate) fn retry(&mut self, console: &mut Console, luck: Luck) -> Result<(), Error> {
        let last = self.history.marks().len().checked_sub(1).ok_or(practice::UndoError::Nothing)?;
        let before = console.frame_number();
        let lfsr = self.history.retry(last, console, &mut self.session, luck)?;
        self.went(console, before);
        self.file.extend(lfsr.map(|lfsr| self.recorder.chance(lfsr)).unwrap_or_default());
        Ok(())
    }

    /// Rows have come up from below, before the frame that comes.
    pub(crate) fn note_rise(&mut self, rise: Rise) {
        self.file.extend(self.recorder.rise(rise));
    }
}
