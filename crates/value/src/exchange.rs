//! What goes between who learns and who plays, as bytes.
//!
//! Files as in `file.rs`: `MAXOUTVA`, an assignment, is a header and the floats of a net;
//! `MAXOUTVG`, a game, is a header, then the boards to begin others with, then the samples.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::actor::{Assignment, Played};
use crate::experience::{Experience, Lesson};
use crate::file::{
    self, FileError, LENGTH, SHAPE, TRAINING_VERSION, WORDS, check_training, fill, floats, open,
    sample_words, seal, words,
};
use crate::format::Format;
use crate::net::Net;
use crate::report::fnv;

const ASSIGNMENT: &str = "MAXOUTVA";
const GAME: &str = "MAXOUTVG";
/// Most samples, and boards, of a game that are read. A game ends after a thousand pieces.
const MOST: usize = 1 << 17;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AssignmentHeader {
    version: u32,
    shape: [usize; 4],
    formats: Vec<Format>,
    round: u64,
    taught: bool,
    guided: u32,
    ahead: u32,
    well: f32,
    caution: f32,
    lesson: Lesson,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameHeader {
    version: u32,
    shape: [usize; 4],
    assignment: u64,
    seed: u64,
    score: u64,
    left: Option<[u32; 10]>,
    boards: usize,
    samples: usize,
}

fn header<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, FileError> {
    serde_json::from_str(text).map_err(|error| FileError::Header(error.to_string()))
}

impl Assignment {
    /// The assignment as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { formats, round, taught, guided, ahead, well, caution, lesson, net } = self;
        let header = AssignmentHeader {
            version: TRAINING_VERSION,
            shape: SHAPE,
            formats: formats.clone(),
            round: *round,
            taught: *taught,
            guided: *guided,
            ahead: *ahead,
            well: *well,
            caution: *caution,
            lesson: *lesson,
        };
        let header = serde_json::to_string(&header).unwrap_or_default();
        seal(ASSIGNMENT, &header, floats(&net.first, &net.rest))
    }

    /// An assignment of bytes.
    ///
    /// # Errors
    /// When they are no whole assignment of this version and shape.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let (text, body) = open(ASSIGNMENT, bytes)?;
        let header: AssignmentHeader = header(text)?;
        check_training(header.version, header.shape, body.len(), 4 * LENGTH)?;
        if header.formats.is_empty() || !header.lesson.outputs.is_valid() {
            return Err(FileError::Header("expected a format and outputs that a net can have".to_owned()));
        }
        let mut net = Net::zero(header.lesson.outputs);
        net.taps = file::taps(&header.formats);
        fill(&mut net.first, &mut net.rest, &mut words(body));
        let AssignmentHeader { formats, round, taught, guided, ahead, well, caution, lesson, .. } = header;
        Ok(Self { formats, round, taught, guided, ahead, well, caution, lesson, net: Arc::new(net) })
    }

    /// The hash of its bytes, by which a game says what it was played by.
    pub fn hash(&self) -> u64 {
        fnv(&self.to_bytes())
    }
}

impl Played {
    /// The game as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { assignment, seed, experience } = self;
        let Experience { samples, boards, score, left } = experience;
        let header = GameHeader {
            version: TRAINING_VERSION,
            shape: SHAPE,
            assignment: *assignment,
            seed: *seed,
            score: *score,
            left: *left,
            boards: boards.len(),
            samples: samples.len(),
        };
        let header = serde_json::to_string(&header).unwrap_or_default();
        let body = (boards.as_flattened().iter().map(|column| column.to_le_bytes()))
            .chain(samples.iter().flat_map(sample_words).map(u32::to_le_bytes));
        seal(GAME, &header, body)
    }

    /// A game of bytes.
    ///
    /// # Errors
    /// When they are no whole game of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let (text, body) = open(GAME, bytes)?;
        let header: GameHeader = header(text)?;
        let (count, samples) = (header.boards.min(MOST), header.samples.min(MOST));
        check_training(header.version, header.shape, body.len(), 4 * (10 * count + WORDS * samples))?;
        let mut words = words(body);
        let mut boards = vec![[0; 10]; count];
        for (column, word) in boards.as_flattened_mut().iter_mut().zip(words.by_ref().take(10 * count)) {
            *column = u32::from_le_bytes(word);
        }
        let words: Vec<u32> = words.map(u32::from_le_bytes).collect();
        let samples = words.as_chunks().0.iter().map(file::sample).collect();
        let GameHeader { assignment, seed, score, left, .. } = header;
        Ok(Self { assignment, seed, experience: Experience { samples, boards, score, left } })
    }
}
