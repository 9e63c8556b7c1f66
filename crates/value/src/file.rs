//! Nets and trainings as bytes.
//!
//! A file begins with eight letters, `MAXOUTVN` of a net or `MAXOUTVL` of a training, then a 32-bit
//! length and a header of so many bytes, JSON, then 32-bit floats. All numbers are little-endian.
//! The floats of a net are the first layer's, by input and unit, its units' biases, the second
//! layer's by unit of the first, its biases, the third's, its biases. A training has three times as
//! many: the net, the means of its gradients, the means of their squares, and four times as many
//! where the net that plays is the average of one that learns, which comes next; and after them the
//! boards to begin with, ten 32-bit columns each, and the samples remembered: ten columns, lines to
//! go and, from bit 16, the piece, the share, the odds of coming to the end of the speed. The last
//! eight bytes are the FNV-1a hash of all before.

use serde::{Deserialize, Serialize};

use crate::experience::Sample;
use crate::features::INPUTS;
use crate::format::{Format, Speed};
use crate::learn::Adam;
use crate::learner::{Learner, Plan, Round};
use crate::net::{NARROW, Net, Rest, Row, WIDE};
use crate::report::fnv;

const NET: &str = "MAXOUTVN";
const LEARNER: &str = "MAXOUTVL";
/// Version of a net's form, features included.
const VERSION: u32 = 2;
/// Version of the form of trainings, assignments and games.
pub(crate) const TRAINING_VERSION: u32 = 3;
/// Longest header that is read.
const LONGEST: usize = 1 << 22;
/// Floats of a net.
pub(crate) const LENGTH: usize = INPUTS * WIDE + Rest::LENGTH;

/// Where a net comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Version of the form.
    pub version: u32,
    /// Inputs, units of the first layer and of the second.
    pub shape: [usize; 3],
    /// The format it was trained for.
    pub format: Format,
    /// The speed it values.
    pub speed: Speed,
    /// The plan's seed.
    pub seed: u64,
    /// Rounds of training.
    pub rounds: u64,
    /// Samples learned from.
    pub samples: u64,
    /// What else there is to say.
    pub notes: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Training {
    version: u32,
    shape: [usize; 3],
    plan: Plan,
    history: Vec<Round>,
    steps: u64,
    boards: usize,
    samples: usize,
}

/// Bytes that are no net or no training.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Other letters at the start.
    #[error("expected a file that begins with {expected}, found {found:?}")]
    Letters {
        /// What it begins with.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// Cut short, or longer than it says.
    #[error("expected {expected} bytes, found {found}: the file is not whole")]
    Length {
        /// As the header says.
        expected: usize,
        /// Bytes.
        found: usize,
    },
    /// Some byte has changed.
    #[error("the hash at the end is not that of the bytes before: the file is damaged")]
    Hash,
    /// The header is not as expected.
    #[error("header: {0}")]
    Header(String),
}

pub(crate) fn seal(letters: &str, header: &str, body: impl Iterator<Item = [u8; 4]>) -> Vec<u8> {
    let mut bytes = letters.as_bytes().to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(body.flatten());
    let hash = fnv(&bytes);
    bytes.extend(hash.to_le_bytes());
    bytes
}

/// The header and what comes after it.
pub(crate) fn open<'a>(letters: &'static str, bytes: &'a [u8]) -> Result<(&'a str, &'a [u8]), FileError> {
    if !bytes.starts_with(letters.as_bytes()) {
        return Err(FileError::Letters {
            expected: letters,
            found: String::from_utf8_lossy(&bytes[..bytes.len().min(8)]).into_owned(),
        });
    }
    let short = |expected: usize| FileError::Length { expected, found: bytes.len() };
    let (length, rest) = bytes[8..].split_first_chunk::<4>().ok_or_else(|| short(20))?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > LONGEST {
        return Err(FileError::Header(format!("expected at most {LONGEST} bytes, found {length}")));
    }
    if rest.len() < length + 8 {
        return Err(short(20 + length));
    }
    let (before, hash) = bytes.split_last_chunk::<8>().ok_or_else(|| short(20 + length))?;
    if fnv(before) != u64::from_le_bytes(*hash) {
        return Err(FileError::Hash);
    }
    let header =
        std::str::from_utf8(&rest[..length]).map_err(|error| FileError::Header(error.to_string()))?;
    Ok((header, &rest[length..rest.len() - 8]))
}

pub(crate) fn check_training(
    version: u32,
    shape: [usize; 3],
    found: usize,
    expected: usize,
) -> Result<(), FileError> {
    check(TRAINING_VERSION, version, shape)?;
    check_length(found, expected)
}

const fn check_length(found: usize, expected: usize) -> Result<(), FileError> {
    if found == expected { Ok(()) } else { Err(FileError::Length { expected, found }) }
}

fn check(expected: u32, version: u32, shape: [usize; 3]) -> Result<(), FileError> {
    if version != expected || shape != [INPUTS, WIDE, NARROW] {
        return Err(FileError::Header(format!(
            "expected version {expected} of shape {:?}, found version {version} of shape {shape:?}",
            [INPUTS, WIDE, NARROW]
        )));
    }
    Ok(())
}

pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> {
    bytes.as_chunks().0.iter().copied()
}

/// Fills a layer and the rest in the order of a file.
pub(crate) fn fill(first: &mut [Row], rest: &mut Rest, words: &mut impl Iterator<Item = [u8; 4]>) {
    for (number, word) in first.iter_mut().flat_map(|row| &mut row.0).chain(rest.numbers_mut()).zip(words) {
        *number = f32::from_le_bytes(word);
    }
}

pub(crate) fn floats<'a>(first: &'a [Row], rest: &'a Rest) -> impl Iterator<Item = [u8; 4]> + 'a {
    first.iter().flat_map(|row| &row.0).chain(rest.numbers()).map(|number| number.to_le_bytes())
}

/// Words of a sample.
pub(crate) const WORDS: usize = 13;

pub(crate) fn sample_words(sample: &Sample) -> [u32; WORDS] {
    let mut words = [0; WORDS];
    words[..10].copy_from_slice(&sample.columns);
    words[10] = u32::from(sample.to_go) | u32::from(sample.lane) << 16;
    words[11] = sample.share.to_bits();
    words[12] = sample.odds.to_bits();
    words
}

pub(crate) fn sample(words: &[u32; WORDS]) -> Sample {
    let [columns @ .., known, share, odds] = *words;
    Sample {
        columns,
        to_go: known as u16,
        lane: (known >> 16) as u8 % 7,
        share: f32::from_bits(share),
        odds: f32::from_bits(odds),
    }
}

impl Net {
    /// The net as bytes.
    pub fn to_bytes(&self, provenance: &Provenance) -> Vec<u8> {
        let header = serde_json::to_string(provenance).unwrap_or_default();
        seal(NET, &header, self.numbers().map(|number| number.to_le_bytes()))
    }

    /// A net of bytes.
    ///
    /// # Errors
    /// When they are no whole net of this version and shape.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, Provenance), FileError> {
        let (header, body) = open(NET, bytes)?;
        let provenance: Provenance =
            serde_json::from_str(header).map_err(|error| FileError::Header(error.to_string()))?;
        check(VERSION, provenance.version, provenance.shape)?;
        check_length(body.len(), 4 * LENGTH)?;
        let mut net = Self::zero();
        fill(&mut net.first, &mut net.rest, &mut words(body));
        Ok((net, provenance))
    }
}

impl Learner {
    /// Where its net comes from.
    pub fn provenance(&self, notes: &str) -> Provenance {
        Provenance {
            version: VERSION,
            shape: [INPUTS, WIDE, NARROW],
            format: self.plan.format,
            speed: self.plan.speed,
            seed: self.plan.seed,
            rounds: self.history.len() as u64,
            samples: self.history.iter().map(|round| round.samples).sum(),
            notes: notes.to_owned(),
        }
    }

    /// The training as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { plan, history, pool, memory, net, moving, adam } = self;
        let Adam { first, first_squares, rest, rest_squares, steps } = adam;
        let header = Training {
            version: TRAINING_VERSION,
            shape: [INPUTS, WIDE, NARROW],
            plan: plan.clone(),
            history: history.clone(),
            steps: *steps,
            boards: pool.len(),
            samples: memory.len(),
        };
        let header = serde_json::to_string(&header).unwrap_or_default();
        let body = floats(&net.first, &net.rest)
            .chain(floats(first, rest))
            .chain(floats(first_squares, rest_squares))
            .chain(moving.iter().flat_map(|net| floats(&net.first, &net.rest)))
            .chain(pool.as_flattened().iter().map(|column| column.to_le_bytes()))
            .chain(memory.iter().flat_map(sample_words).map(u32::to_le_bytes));
        seal(LEARNER, &header, body)
    }

    /// A training of bytes.
    ///
    /// # Errors
    /// When they are no whole training of this version and shape.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let (header, body) = open(LEARNER, bytes)?;
        let training: Training =
            serde_json::from_str(header).map_err(|error| FileError::Header(error.to_string()))?;
        let boards = training.boards.min(1 << 20);
        let samples = training.samples.min(1 << 26);
        let nets = if training.plan.averages() { 4 } else { 3 };
        check_training(
            training.version,
            training.shape,
            body.len(),
            4 * (nets * LENGTH + 10 * boards + WORDS * samples),
        )?;
        let mut net = Net::zero();
        let mut adam = Adam::new();
        let mut words = words(body);
        fill(&mut net.first, &mut net.rest, &mut words.by_ref().take(LENGTH));
        fill(&mut adam.first, &mut adam.rest, &mut words.by_ref().take(LENGTH));
        fill(&mut adam.first_squares, &mut adam.rest_squares, &mut words.by_ref().take(LENGTH));
        adam.steps = training.steps;
        let moving = training.plan.averages().then(|| {
            let mut net = Box::new(Net::zero());
            fill(&mut net.first, &mut net.rest, &mut words.by_ref().take(LENGTH));
            net
        });
        let mut pool = vec![[0; 10]; boards];
        for (column, word) in pool.as_flattened_mut().iter_mut().zip(words.by_ref().take(10 * boards)) {
            *column = u32::from_le_bytes(word);
        }
        let words: Vec<u32> = words.map(u32::from_le_bytes).collect();
        let memory = words.as_chunks().0.iter().map(sample).collect();
        Ok(Self { plan: training.plan, history: training.history, pool, memory, net, moving, adam })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_training_of_an_older_form_is_refused_by_its_version() {
        let bytes = Learner::new(Plan::new(Format::HEADLINE, Speed::L39, 1)).to_bytes();
        let (header, body) = open(LEARNER, &bytes).unwrap();
        let older = header.replace("\"version\":3", "\"version\":2");
        assert_ne!(older, header);
        let message = Learner::from_bytes(&seal(LEARNER, &older, words(body))).unwrap_err().to_string();
        assert!(message.contains("expected version 3") && message.contains("found version 2"), "{message}");
    }
}
