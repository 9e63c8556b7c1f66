//! A game of another program's file, whichever of the kinds that this crate reads.

use crate::Turn;
use crate::lines::{self, LineError};
use crate::ngf::{self, Damage, Found, Gap, Recording, RecordingError};

/// What a file is, by the ending of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Frames of NestrisChamps: `.ngf`, `.ngf.gz`.
    Recording,
    /// One line a placement: `.csv`, `.jsonl`.
    Lines,
}

impl Kind {
    /// Returns the kind of the file of this name; `None` for any other file.
    ///
    /// ```
    /// use notation::game::Kind;
    ///
    /// assert_eq!(Kind::of("final.NGF.gz"), Some(Kind::Recording));
    /// assert_eq!(Kind::of("final.csv"), Some(Kind::Lines));
    /// assert_eq!(Kind::of("final.gz"), None);
    /// ```
    pub fn of(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        match name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?.1 {
            ngf::EXTENSION => Some(Self::Recording),
            "csv" | "jsonl" => Some(Self::Lines),
            _ => None,
        }
    }
}

/// How much of a recording was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Frames of the game.
    pub frames: usize,
    /// Those that could not be read.
    pub unread: usize,
    /// Pieces that the game's own counters counted, if they were seen.
    pub pieces: Option<u32>,
    /// Parts in which nothing could be read.
    pub gaps: Vec<Gap>,
}

/// A game of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its placements.
    pub turns: Vec<Turn>,
    /// Level, lines and score at the end; the score if it is known.
    pub last: (u8, u32, Option<u32>),
    /// How much was understood, of a recording.
    pub reading: Option<Reading>,
    /// What is wrong with the file, of which the part before is read.
    pub damage: Option<Damage>,
    /// Games in the file, of which this is the longest.
    pub games: usize,
}

/// Why a file holds no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// It is no recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// It is no text of placements.
    #[error(transparent)]
    Lines(#[from] LineError),
    /// Its frames show no game.
    #[error("expected frames of a game, found none in which a piece locks")]
    Empty,
}

impl Game {
    /// Reads a file. Of a recording with several games the longest is taken.
    ///
    /// # Errors
    /// [`GameError`].
    pub fn read(kind: Kind, bytes: &[u8]) -> Result<Self, GameError> {
        match kind {
            Kind::Recording => Self::of_recording(&Recording::read(bytes)?),
            Kind::Lines => {
                let turns = lines::read(bytes)?;
                let last = turns
                    .last()
                    .map_or((0, 0, None), |turn| (turn.level, turn.lines + turn.cleared, turn.score));
                Ok(Self { turns, last, reading: None, damage: None, games: 1 })
            }
        }
    }

    fn of_recording(recording: &Recording) -> Result<Self, GameError> {
        let mut found = ngf::find(recording);
        found.sort_by_key(|game| std::cmp::Reverse(game.turns.len()));
        let games = found.len();
        let longest = found.into_iter().next().filter(|game| !game.turns.is_empty());
        let Found { turns, gaps, frames, unread, pieces, last } = longest.ok_or(GameError::Empty)?;
        let reading = Some(Reading { frames, unread, pieces, gaps });
        Ok(Self { turns, last, reading, damage: recording.damage().cloned(), games })
    }

    /// Returns what the reader should know of the file, a sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let games = (self.games > 1).then(|| format!("{} games: the longest is read", self.games));
        self.damage.iter().map(ToString::to_string).chain(games).collect()
    }

    /// Returns what was understood of a recording as pairs of a word and a sentence; none for a
    /// file that needs no reading.
    pub fn notes(&self) -> Vec<(&'static str, String)> {
        let Some(Reading { frames, unread, pieces, gaps }) = &self.reading else { return Vec::new() };
        let counted = pieces.map_or_else(String::new, |pieces| format!(" of {pieces} that the game counted"));
        let found = self.turns.len();
        let read = format!("{found} placements{counted}; {unread} of {frames} frames could not be read");
        let missing = gaps.iter().map(|Gap { frame, ms: [from, to], pieces }| {
            let missed =
                pieces.map_or_else(|| "an unknown number of".to_owned(), |pieces| pieces.to_string());
            let (from, to) = (f64::from(*from) / 1_000.0, f64::from(*to) / 1_000.0);
            ("missing", format!("{missed} pieces from frame {frame} on, {from:.1} to {to:.1} s"))
        });
        std::iter::once(("read", read)).chain(missing).collect()
    }
}
