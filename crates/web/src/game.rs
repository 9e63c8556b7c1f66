//! The game of Tetris on the console: its mode as it was asked for, its events, and its file.

use std::collections::VecDeque;

use emulator::{GameRecorder, Practice, Taken};
use nes::Console;
use practice::{Header, Mode, Options, Recorder, Session};
use tetris::events::{Event, Record};

use crate::Error;

/// Events that wait to be fetched.
const MOST_EVENTS: usize = 500;

/// What the page keeps of a game beside the emulator's practice session.
#[derive(Clone)]
pub(crate) struct Game {
    events: VecDeque<Record>,
    header: Header,
    recorder: GameRecorder,
    file: Vec<u8>,
}

/// Returns a session on the mode, options and pieces of the texts.
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
    session_of(profile, mode, set, pieces)
}

/// Returns a session on this mode and these options, with the pieces of a text.
///
/// # Errors
/// What is wrong with the pieces, or why the cartridge cannot carry the mode.
pub(crate) fn session_of(
    profile: &tetris::Profile,
    mode: Mode,
    options: Options,
    pieces: &str,
) -> Result<Session, Error> {
    let session = Session::new(profile.clone(), mode, options)?;
    if pieces.is_empty() {
        return Ok(session);
    }
    Ok(session.with_pieces(practice::sequence(pieces, profile.clone())?))
}

impl Game {
    /// Returns the game of `practice`, whose file begins when the power is switched on.
    pub(crate) fn new(practice: &Practice, crc32: u32, pieces: Option<&str>) -> Self {
        let session = practice.session();
        let header = Header {
            mode: session.mode(),
            options: *session.options(),
            cartridge: session.profile().name.clone(),
            crc32,
            begun: 0,
            pieces: pieces.map(str::to_owned),
            score: None,
        };
        let (mut recorder, file) = GameRecorder::new(&header, 0);
        if !practice.only_watches() {
            recorder.begin(0);
        }
        Self { events: VecDeque::new(), header, recorder, file }
    }

    /// The pieces, as they were asked for.
    pub(crate) fn pieces(&self) -> Option<&str> {
        self.header.pieces.as_deref()
    }

    /// Follows the frames that were played. Returns whether the file begins anew: another game has
    /// begun, or the console is at a moment of another past.
    pub(crate) fn follow(&mut self, taken: Taken, console: &Console, session: &Session) -> bool {
        let Taken { played, records, begun } = taken;
        let first = played.first().map_or_else(|| console.frame_number(), |played| played.frame);
        let mut is_new = begun && self.recorder.has_game_before(first);
        for played in &played {
            match self.recorder.push(played) {
                Some(bytes) => self.file.extend(bytes),
                None => is_new = true,
            }
        }
        if is_new {
            self.begin_from(console, session);
        } else if begun {
            self.recorder.begin(console.frame_number());
        }
        // Every press would be an event.
        for record in records.into_iter().filter(|record| !matches!(record.event, Event::Input { .. })) {
            if self.events.len() == MOST_EVENTS {
                self.events.pop_front();
            }
            self.events.push_back(record);
        }
        is_new
    }

    /// Takes the events since the last call.
    pub(crate) fn take_events(&mut self) -> Vec<Record> {
        self.events.drain(..).collect()
    }

    /// Returns the game as a file, up to now.
    pub(crate) fn file(&self, console: &Console, practice: &Practice) -> Vec<u8> {
        let (mut recorder, mut file) = (self.recorder.clone(), self.file.clone());
        let result = practice::result(practice.session(), practice.log(), console.state_hash());
        file.extend(recorder.finish(console.frame_number(), &result));
        file
    }

    /// The console has gone back. Returns whether the file begins anew, at a moment before its
    /// first frame.
    pub(crate) fn follow_back(&mut self, console: &Console, session: &Session) -> bool {
        let is_new = !self.recorder.reaches(console.frame_number());
        if is_new {
            self.begin_from(console, session);
        }
        is_new
    }

    /// The console is at a moment of another past: the file begins there.
    pub(crate) fn begin_from(&mut self, console: &Console, session: &Session) {
        self.header.score = Some(session.score());
        let (mut recorder, mut file) = GameRecorder::new(&self.header, console.frame_number());
        if session.is_playing() {
            recorder.begin(console.frame_number());
        }
        file.extend(Recorder::begin_from(&console.save(), &session.save()));
        (self.recorder, self.file) = (recorder, file);
    }
}
