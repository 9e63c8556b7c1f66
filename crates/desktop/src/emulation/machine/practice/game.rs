//! What the machine has of a game: its file, the game that plays again, the coach.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use emulator::{GameRecorder, Played};
use nes::{Buttons, Held, Pads};
use practice::{Header, Kept, Log, Recorder};

use super::figures::Figures;
use crate::Versus;
use crate::emulation::coach::{GameReview, ReviewError};
use crate::emulation::puzzle_search::PuzzleSearch;
use crate::input::held::FramePads;
use crate::messages::status::{PuzzleSearchStatus, ReviewStatus};

/// What the machine has of a game beside the session.
#[derive(Default)]
pub(in crate::emulation::machine) struct PracticeGame {
    /// The file that it goes into.
    pub(super) file: Option<GameFile>,
    /// The kept game that plays.
    pub(super) replay: Option<Replay>,
    /// Whether its end was written.
    pub(super) is_over: bool,
    /// What was held since power-on, while no game is on and buttons alone lead to the next.
    pub(super) way_in: Option<Vec<[Buttons; 2]>>,
    /// How it stood against the computer when the player went on alone, name by name.
    pub(super) versus: Option<Vec<(&'static str, String)>>,
    /// Something has changed the game that is on that no file can say, or none can be written.
    pub(super) is_lost: bool,
    /// The cartridge is none whose games are known.
    pub(super) is_unknown: bool,
    /// The figures of the game that is on.
    pub(super) figures: Figures,
    /// The review that was asked for last.
    pub(super) review: Option<GameReview>,
    /// The search for puzzles that was asked for last.
    pub(super) search: Option<PuzzleSearch>,
}

impl PracticeGame {
    /// The player goes on alone.
    pub(in crate::emulation::machine) fn leave_versus(&mut self, versus: &Versus) {
        self.versus = versus.result();
    }

    /// Returns whether a kept game plays.
    pub(in crate::emulation) fn is_replaying(&self) -> bool {
        self.replay.is_some()
    }

    /// Forgets the game that was on. What was found in games stays: the next game may begin from
    /// it.
    pub(super) fn forget_game(&mut self) {
        let Self { review, search, .. } = std::mem::take(self);
        *self = Self { review, search, ..Self::default() };
    }

    /// Returns whether a game is being reviewed, or puzzles are looked for.
    pub(in crate::emulation::machine) fn is_reviewing(&self) -> bool {
        self.review.as_ref().is_some_and(GameReview::is_under_way)
            || self.search.as_ref().is_some_and(PuzzleSearch::is_under_way)
    }

    /// Returns whether the review or the search has found something that no status has yet.
    pub(in crate::emulation::machine) fn has_review(&self) -> bool {
        self.review.as_ref().is_some_and(GameReview::has_news)
            || self.search.as_ref().is_some_and(PuzzleSearch::has_news)
    }

    /// Returns what is to be said of the review, once: why there is none, and warnings.
    pub(in crate::emulation::machine) fn take_words(&mut self) -> (Option<ReviewError>, Vec<String>) {
        self.review.as_mut().map(GameReview::take_words).unwrap_or_default()
    }

    /// Returns how the search for puzzles stands.
    pub(in crate::emulation::machine) fn search_status(&mut self) -> Option<Arc<PuzzleSearchStatus>> {
        self.search.as_mut().map(|search| Arc::clone(search.collect()))
    }

    /// Returns how the review stands.
    pub(in crate::emulation::machine) fn review_status(&mut self) -> Option<Arc<ReviewStatus>> {
        self.review.as_mut().map(|review| Arc::clone(review.collect()))
    }
}

/// A file that grows with the game.
pub(super) struct GameFile {
    recorder: GameRecorder,
    file: File,
    pub(super) path: PathBuf,
}

/// Whether a file can say a frame.
pub(super) enum Pushed {
    Yes,
    /// It does not follow on those before.
    No,
}

/// A kept game that plays.
pub(super) struct Replay {
    pub(super) game: Kept,
    /// The frame, counted from power-on, with which it begins.
    pub(super) first: u64,
    /// The frame of the game that is looked for.
    pub(super) target: Option<u64>,
    /// Moments to go to, in their order.
    pub(super) moments: Vec<Moment>,
    /// The frame of the game up to which all pieces are known, and those pieces.
    pub(super) known: (u64, Log),
}

/// A moment of a kept game: the beginning of a frame, before anything is done to it.
pub(super) struct Moment {
    pub(super) frame: u64,
    pub(super) console: Vec<u8>,
    pub(super) session: Vec<u8>,
}

impl Replay {
    pub(super) fn new(game: Kept, first: u64) -> Self {
        Self { game, first, target: None, moments: vec![], known: (0, Log::default()) }
    }

    /// Returns whether a frame is one to go to that is not known yet.
    pub(super) fn wants(&self, frame: u64) -> bool {
        /// Frames from one to the next: ten seconds, and more in very long games.
        const APART: u64 = 600;
        const MOST: u64 = 1000;
        let apart = APART.max(self.game.frames.len() as u64 / MOST);
        frame.is_multiple_of(apart) && self.moments.last().is_none_or(|last| last.frame < frame)
    }

    /// Returns the last moment that is not behind a frame.
    pub(super) fn before(&self, frame: u64) -> Option<&Moment> {
        self.moments.iter().rfind(|moment| moment.frame <= frame)
    }
}

/// Who holds the pads: the player, or a kept game both.
pub(in crate::emulation::machine) enum PlayerPads<'a> {
    Live(FramePads<'a>),
    Kept([Buttons; 2]),
}

impl Pads for PlayerPads<'_> {
    fn sample(&mut self) -> [Buttons; 2] {
        match self {
            Self::Live(pads) => pads.sample(),
            Self::Kept(pads) => *pads,
        }
    }

    fn held(&mut self) -> Held {
        match self {
            Self::Live(pads) => pads.held(),
            Self::Kept(pads) => (*pads).into(),
        }
    }
}

impl GameFile {
    /// Returns a file that begins with frame `first`, of a game whose first piece had come in
    /// before frame `begun`.
    fn new(folder: &Path, header: &Header, first: u64, begun: u64) -> io::Result<Self> {
        let (mut recorder, bytes) = GameRecorder::new(header, first);
        recorder.begin(begun);
        let (mut file, path) = draft::create_new(folder, &header.file_stem(), practice::EXTENSION)?;
        file.write_all(&bytes)?;
        Ok(Self { recorder, file, path })
    }

    /// Returns a file of the game to which `frames` have led from power-on.
    pub(super) fn from_power_on(folder: &Path, header: &Header, frames: &[[Buttons; 2]]) -> io::Result<Self> {
        let mut game = Self::new(folder, header, 0, frames.len() as u64)?;
        for (frame, &pads) in (0..).zip(frames) {
            game.push(&Played { frame, pads, acts: vec![], by_computer: false })?;
        }
        Ok(game)
    }

    /// Returns a file of the game that goes on from this state of the console and the session, at
    /// `frame`.
    pub(super) fn from_state(
        folder: &Path,
        header: &Header,
        (console, session): &(Vec<u8>, Vec<u8>),
        frame: u64,
    ) -> io::Result<Self> {
        let mut game = Self::new(folder, header, frame, frame)?;
        game.file.write_all(&Recorder::begin_from(console, session))?;
        Ok(game)
    }

    /// The game has gone back to before its first piece, which has come in again before `frame`.
    pub(super) fn begin_again(&mut self, frame: u64) {
        self.recorder.begin(frame);
    }

    /// Returns whether its game had begun before `frame`.
    pub(super) fn has_game_before(&self, frame: u64) -> bool {
        self.recorder.has_game_before(frame)
    }

    /// Returns the frame that follows on its last.
    pub(super) fn end(&self) -> u64 {
        self.recorder.end()
    }

    /// Returns whether a moment is of the past that it has.
    pub(super) fn reaches(&self, frame: u64) -> bool {
        self.recorder.reaches(frame)
    }

    /// Writes a frame, and what was done before it. One before its last takes back those between.
    pub(super) fn push(&mut self, played: &Played) -> io::Result<Pushed> {
        let Some(bytes) = self.recorder.push(played) else { return Ok(Pushed::No) };
        if !bytes.is_empty() {
            self.file.write_all(&bytes)?;
        }
        Ok(Pushed::Yes)
    }

    /// Writes how the game ended before frame `now`. It may go on after a piece is taken back.
    pub(super) fn write_end(&mut self, now: u64, result: &[(&str, String)]) -> io::Result<()> {
        let bytes = self.recorder.finish(now, result);
        self.file.write_all(&bytes)?;
        self.file.sync_all()
    }
}
