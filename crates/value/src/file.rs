//! Nets and trainings as bytes.
//!
//! A file begins with eight letters, `MAXOUTVN` of a net or `MAXOUTVL` of a training, then a 32-bit
//! length and a header of so many bytes, JSON, then 32-bit floats. All numbers are little-endian.
//! The floats of a net are the first layer's, by input and unit, its units' biases, the second
//! layer's by unit of the first, its biases, the third's, its biases. A training has three times as
//! many: the net, the means of its gradients, the means of their squares, and four times as many
//! where the net that plays is the average of one that learns, which comes next; and after them the
//! boards to begin with, ten 32-bit columns each, and the samples remembered: ten columns, lines to
//! go and, from bit 16, the piece, in bit 19 whether it is a sibling and, from bit 20, the
//! conditions, the share, the odds of coming to the end of the speed. The last eight bytes are the
//! FNV-1a hash of all before.
//!
//! A small net is a quarter as long, for pages that load it: the weights of the first two layers
//! are signed bytes. First come the scales, a float for each input and for each unit of the first
//! layer, then the bytes in the order of the net, last the biases, the conditions and the third
//! layer as floats. A weight is its byte times the scale of its row. A packed net is in the module
//! `packed`.

use serde::{Deserialize, Serialize};

use crate::conditions::{CONDITIONS, Conditions};
use crate::experience::{Sample, is_none};
use crate::features::INPUTS;
use crate::format::{Format, Speed};
use crate::learn::Adam;
use crate::learner::{Learner, POOL, Plan, Round};
use crate::net::{NARROW, Net, Rest, Row, WIDE};
use crate::outputs::Outputs;
use crate::packed::unpack;
use crate::report::fnv;

pub(crate) const NET: &str = "MAXOUTVN";
pub(crate) const SMALL: &str = "MAXOUTVQ";
const LEARNER: &str = "MAXOUTVL";
/// Version of a net's form, features included.
const VERSION: u32 = 3;
/// The version before, whose nets can be converted.
const OLDER_VERSION: u32 = 2;
/// Version of the form of trainings, assignments and games.
pub(crate) const TRAINING_VERSION: u32 = 4;
/// Inputs, units of the first layer and of the second, inputs that say what hands play.
pub(crate) const SHAPE: [usize; 4] = [INPUTS, WIDE, NARROW, CONDITIONS];
/// Longest header that is read.
const LONGEST: usize = 1 << 22;
/// Floats of a net.
pub(crate) const LENGTH: usize = INPUTS * WIDE + Rest::LENGTH;

/// Rows of weights of the first two layers.
const ROWS: usize = INPUTS + WIDE;
/// Bytes of a small net's body.
pub(crate) const SMALL_LENGTH: usize =
    4 * ROWS + INPUTS * WIDE + WIDE * NARROW + 4 * (Rest::LENGTH - WIDE * NARROW);

/// Where a net comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Version of the form.
    pub version: u32,
    /// Inputs, units of the first layer and of the second, inputs that say what hands play.
    pub shape: [usize; 4],
    /// The speed it values.
    pub speed: Speed,
    /// What its outputs mean.
    pub outputs: Outputs,
    /// The formats it was trained in.
    #[serde(with = "crate::format::names")]
    pub formats: Vec<Format>,
    /// The formats in whose tap speeds it is asked, where they are fewer.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "crate::format::names")]
    pub asked: Vec<Format>,
    /// Mean number of garbage rows per piece in the games that it learned from. A net that learned
    /// from some is asked in duels and nowhere else.
    #[serde(default, skip_serializing_if = "is_none")]
    pub garbage: f32,
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
    shape: [usize; 4],
    plan: Plan,
    history: Vec<Round>,
    steps: u64,
    boards: usize,
    inherited: usize,
    left: usize,
    samples: usize,
}

/// What every header says.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

fn version_of(header: &str) -> Result<u32, FileError> {
    let versioned: Versioned =
        serde_json::from_str(header).map_err(|error| FileError::Header(error.to_string()))?;
    Ok(versioned.version)
}

/// The header of version 2, which said nothing of its outputs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Older {
    #[serde(rename = "version")]
    _version: u32,
    shape: [usize; 3],
    format: Format,
    speed: Speed,
    seed: u64,
    rounds: u64,
    samples: u64,
    notes: String,
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
    /// A net of version 2.
    #[error(
        "a net of version 2, which does not say what its outputs mean; convert it with `maxout ai value convert`"
    )]
    Older,
    /// What is packed cannot be unpacked.
    #[error("expected deflated bytes: {0}")]
    Packed(String),
    /// A net with a number that is none.
    #[error("expected finite numbers, found {0}")]
    Number(f32),
}

/// What a byte of a row of weights stands for: the largest weight has 127.
fn scale_of(row: &[f32]) -> f32 {
    let most = row.iter().fold(0.0_f32, |most, weight| most.max(weight.abs()));
    if most > 0.0 { most / 127.0 } else { 1.0 }
}

pub(crate) fn seal(letters: &str, header: &str, body: impl Iterator<Item = [u8; 4]>) -> Vec<u8> {
    seal_bytes(letters, header, body.flatten())
}

pub(crate) fn seal_bytes(letters: &str, header: &str, body: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let mut bytes = letters.as_bytes().to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(body);
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
    shape: [usize; 4],
    found: usize,
    expected: usize,
) -> Result<(), FileError> {
    check(TRAINING_VERSION, version, shape)?;
    check_length(found, expected)
}

pub(crate) const fn check_length(found: usize, expected: usize) -> Result<(), FileError> {
    if found == expected { Ok(()) } else { Err(FileError::Length { expected, found }) }
}

fn check(expected: u32, version: u32, shape: [usize; 4]) -> Result<(), FileError> {
    if version != expected || shape != SHAPE {
        return Err(FileError::Header(format!(
            "expected version {expected} of shape {SHAPE:?}, found version {version} of shape {shape:?}"
        )));
    }
    Ok(())
}

fn check_outputs(outputs: &Outputs) -> Result<(), FileError> {
    if outputs.is_valid() {
        return Ok(());
    }
    Err(FileError::Header(format!("expected finite scales and a share from 0 to 1, found {outputs:?}")))
}

/// The tap speeds of formats, as bits.
pub(crate) fn taps(formats: &[Format]) -> u8 {
    formats.iter().fold(0, |taps, format| taps | Conditions::of(format).taps_bit())
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
    words[10] = u32::from(sample.to_go)
        | u32::from(sample.lane) << 16
        | u32::from(sample.is_sibling) << 19
        | sample.conditions.number() << 20;
    words[11] = sample.share.to_bits();
    words[12] = sample.odds.to_bits();
    words
}

pub(crate) fn sample(words: &[u32; WORDS]) -> Sample {
    let [columns @ .., known, share, odds] = *words;
    Sample {
        columns,
        to_go: known as u16,
        lane: (known >> 16 & 7) as u8 % 7,
        conditions: Conditions::of_number(known >> 20),
        share: f32::from_bits(share),
        odds: f32::from_bits(odds),
        is_sibling: known >> 19 & 1 == 1,
    }
}

impl Net {
    /// The net as bytes.
    pub fn to_bytes(&self, provenance: &Provenance) -> Vec<u8> {
        let header = serde_json::to_string(provenance).unwrap_or_default();
        seal(NET, &header, self.numbers().map(|number| number.to_le_bytes()))
    }

    /// The net as a small net: its weights rounded to bytes.
    pub fn to_small_bytes(&self, provenance: &Provenance) -> Vec<u8> {
        let header = serde_json::to_string(provenance).unwrap_or_default();
        let rows =
            || self.first.iter().map(|row| &row.0[..]).chain(self.rest.second.iter().map(|row| &row[..]));
        let mut body: Vec<u8> = rows().flat_map(|row| scale_of(row).to_le_bytes()).collect();
        for row in rows() {
            let scale = scale_of(row);
            body.extend(row.iter().map(|weight| (weight / scale).round() as i8 as u8));
        }
        let Rest { first_bias, conditions, second: _, second_bias, third, third_bias } = &*self.rest;
        let floats = first_bias
            .iter()
            .chain(conditions.as_flattened())
            .chain(second_bias)
            .chain(third.as_flattened())
            .chain(third_bias);
        body.extend(floats.flat_map(|number| number.to_le_bytes()));
        seal_bytes(SMALL, &header, body)
    }

    fn of_small_body(body: &[u8], outputs: Outputs) -> Self {
        let (scales, rest) = body.split_at(4 * ROWS);
        let mut scales = words(scales).map(f32::from_le_bytes);
        let (bytes, floats) = rest.split_at(INPUTS * WIDE + WIDE * NARROW);
        let mut bytes = bytes.iter().map(|&byte| f32::from(byte as i8));
        let mut net = Self::zero(outputs);
        let rows = net.first.iter_mut().map(|row| &mut row.0[..]);
        for row in rows.chain(net.rest.second.iter_mut().map(|row| &mut row[..])) {
            let scale = scales.next().unwrap_or_default();
            row.iter_mut().zip(&mut bytes).for_each(|(weight, byte)| *weight = byte * scale);
        }
        let Rest { first_bias, conditions, second: _, second_bias, third, third_bias } = &mut *net.rest;
        let numbers = first_bias
            .iter_mut()
            .chain(conditions.as_flattened_mut())
            .chain(second_bias)
            .chain(third.as_flattened_mut())
            .chain(third_bias);
        numbers.zip(words(floats)).for_each(|(number, word)| *number = f32::from_le_bytes(word));
        net
    }

    /// A net of bytes, small, packed or neither.
    ///
    /// # Errors
    /// When they are no whole net of this version and shape.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, Provenance), FileError> {
        let bytes = &*unpack(bytes)?;
        let is_small = bytes.starts_with(SMALL.as_bytes());
        let (header, body) = open(if is_small { SMALL } else { NET }, bytes)?;
        if version_of(header)? == OLDER_VERSION {
            return Err(FileError::Older);
        }
        let provenance: Provenance =
            serde_json::from_str(header).map_err(|error| FileError::Header(error.to_string()))?;
        check(VERSION, provenance.version, provenance.shape)?;
        check_outputs(&provenance.outputs)?;
        if is_small {
            check_length(body.len(), SMALL_LENGTH)?;
            return Self::of_small_body(body, provenance.outputs).checked(provenance);
        }
        check_length(body.len(), 4 * LENGTH)?;
        let mut net = Self::zero(provenance.outputs);
        fill(&mut net.first, &mut net.rest, &mut words(body));
        net.checked(provenance)
    }

    /// A net of version 2, whose outputs mean this; by default what those of 24 November 2026 do.
    /// It makes nothing of what hands play, and plays the same games.
    ///
    /// # Errors
    /// When the bytes are no whole net of that version and shape.
    pub fn from_version_2(bytes: &[u8], outputs: Option<Outputs>) -> Result<(Self, Provenance), FileError> {
        let (header, body) = open(NET, bytes)?;
        let version = version_of(header)?;
        if version != OLDER_VERSION {
            return Err(FileError::Header(format!(
                "expected version {OLDER_VERSION}, found version {version}"
            )));
        }
        let older: Older =
            serde_json::from_str(header).map_err(|error| FileError::Header(error.to_string()))?;
        let [inputs, wide, narrow, conditions] = SHAPE;
        if older.shape != [inputs, wide, narrow] {
            let expected = [inputs, wide, narrow];
            return Err(FileError::Header(format!("expected shape {expected:?}, found {:?}", older.shape)));
        }
        let outputs = outputs.unwrap_or_else(|| Outputs::usual(older.speed));
        check_outputs(&outputs)?;
        check_length(body.len(), 4 * (LENGTH - conditions * wide))?;
        let mut net = Self::zero(outputs);
        // The weights of the conditions lie behind the biases of the first layer.
        let (before, after) = body.split_at(4 * (inputs * wide + wide));
        let none = std::iter::repeat_n([0; 4], conditions * wide);
        fill(&mut net.first, &mut net.rest, &mut words(before).chain(none).chain(words(after)));
        let Older { format, speed, seed, rounds, samples, notes, .. } = older;
        net.checked(Provenance {
            version: VERSION,
            shape: SHAPE,
            speed,
            outputs,
            formats: vec![format],
            asked: Vec::new(),
            garbage: 0.0,
            seed,
            rounds,
            samples,
            notes,
        })
    }

    fn checked(mut self, provenance: Provenance) -> Result<(Self, Provenance), FileError> {
        let Provenance { formats, asked, garbage, .. } = &provenance;
        self.taps = taps(if asked.is_empty() { formats } else { asked });
        self.for_duels = *garbage > 0.0;
        let wrong = self.numbers().copied().find(|number| !number.is_finite());
        wrong.map_or_else(|| Ok((self, provenance)), |number| Err(FileError::Number(number)))
    }
}

/// The most samples that a training keeps.
const MOST_SAMPLES: usize = 1 << 26;

impl Learner {
    /// Bytes of the longest file of a training: of one that keeps the most samples. A memory of a
    /// million samples takes 52 MB of it.
    pub const MOST_BYTES: u64 = {
        let words = 4 * LENGTH as u64 + 30 * POOL as u64 + WORDS as u64 * MOST_SAMPLES as u64;
        // The header has a line for each round.
        4 * words + (16 << 20)
    };

    /// Where its net comes from.
    pub fn provenance(&self, notes: &str) -> Provenance {
        Provenance {
            version: VERSION,
            shape: SHAPE,
            speed: self.plan.speed,
            outputs: self.plan.outputs,
            formats: self.plan.formats.clone(),
            asked: Vec::new(),
            garbage: self.plan.garbage,
            seed: self.plan.seed,
            rounds: self.history.len() as u64,
            samples: self.history.iter().map(|round| round.samples).sum(),
            notes: notes.to_owned(),
        }
    }

    /// The training as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { plan, history, pool, inherited, left, memory, net, moving, adam } = self;
        let Adam { first, first_squares, rest, rest_squares, steps } = adam;
        let header = Training {
            version: TRAINING_VERSION,
            shape: SHAPE,
            plan: plan.clone(),
            history: history.clone(),
            steps: *steps,
            boards: pool.len(),
            inherited: inherited.len(),
            left: left.len(),
            samples: memory.len(),
        };
        let header = serde_json::to_string(&header).unwrap_or_default();
        let body = floats(&net.first, &net.rest)
            .chain(floats(first, rest))
            .chain(floats(first_squares, rest_squares))
            .chain(moving.iter().flat_map(|net| floats(&net.first, &net.rest)))
            .chain(
                [pool, inherited, left]
                    .into_iter()
                    .flat_map(|boards| boards.as_flattened().iter().map(|column| column.to_le_bytes())),
            )
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
        let counts = [training.boards, training.inherited, training.left].map(|count| count.min(POOL));
        let boards: usize = counts.iter().sum();
        let samples = training.samples.min(MOST_SAMPLES);
        let nets = if training.plan.averages() { 4 } else { 3 };
        check_training(
            training.version,
            training.shape,
            body.len(),
            4 * (nets * LENGTH + 10 * boards + WORDS * samples),
        )?;
        if training.plan.formats.is_empty() || !training.plan.outputs.is_valid() {
            return Err(FileError::Header("expected a format and outputs that a net can have".to_owned()));
        }
        let outputs = training.plan.outputs;
        let mut net = Net::zero(outputs);
        net.taps = taps(&training.plan.formats);
        let mut adam = Adam::new();
        let mut words = words(body);
        fill(&mut net.first, &mut net.rest, &mut words.by_ref().take(LENGTH));
        fill(&mut adam.first, &mut adam.rest, &mut words.by_ref().take(LENGTH));
        fill(&mut adam.first_squares, &mut adam.rest_squares, &mut words.by_ref().take(LENGTH));
        adam.steps = training.steps;
        let moving = training.plan.averages().then(|| {
            let mut net = Box::new(Net::zero(outputs));
            net.taps = taps(&training.plan.formats);
            fill(&mut net.first, &mut net.rest, &mut words.by_ref().take(LENGTH));
            net
        });
        let [pool, inherited, left] = counts.map(|count| {
            let mut boards = vec![[0; 10]; count];
            for (column, word) in boards.as_flattened_mut().iter_mut().zip(words.by_ref().take(10 * count)) {
                *column = u32::from_le_bytes(word);
            }
            boards
        });
        let words: Vec<u32> = words.map(u32::from_le_bytes).collect();
        let memory = words.as_chunks().0.iter().map(sample).collect();
        let Training { plan, history, .. } = training;
        Ok(Self { plan, history, pool, inherited, left, memory, net, moving, adam })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_net_is_a_quarter_as_long_and_its_weights_are_within_half_a_step() {
        let net = Net::random(Outputs::usual(Speed::L18), 3);
        let provenance = Learner::new(Plan::new(Format::HEADLINE, Speed::L18, 1)).provenance("small");
        let bytes = net.to_small_bytes(&provenance);
        assert!(4 * bytes.len() < 12 * net.to_bytes(&provenance).len() / 10, "{}", bytes.len());
        let (small, read) = Net::from_bytes(&bytes).unwrap();
        assert_eq!(read, provenance);
        for (row, small) in net.first.iter().zip(&small.first) {
            let step = scale_of(&row.0);
            assert!(row.iter().zip(&small.0).all(|(one, other)| (one - other).abs() <= 0.501 * step));
        }
        assert_eq!(net.rest.third, small.rest.third);
        assert_ne!(net.rest.second, small.rest.second);
        assert_eq!(small.to_small_bytes(&provenance), bytes, "rounded once");
        for damaged in [&bytes[..bytes.len() - 1], &bytes[..40]] {
            assert!(Net::from_bytes(damaged).is_err());
        }
    }

    #[test]
    fn a_training_of_an_older_form_is_refused_by_its_version() {
        let bytes = Learner::new(Plan::new(Format::HEADLINE, Speed::L39, 1)).to_bytes();
        let (header, body) = open(LEARNER, &bytes).unwrap();
        let older = header.replace("\"version\":4", "\"version\":3");
        assert_ne!(older, header);
        let message = Learner::from_bytes(&seal(LEARNER, &older, words(body))).unwrap_err().to_string();
        assert!(message.contains("expected version 4") && message.contains("found version 3"), "{message}");
    }

    #[test]
    fn a_net_is_refused_whose_header_or_numbers_no_net_can_have() {
        let learner = Learner::new(Plan::new(Format::HEADLINE, Speed::L18, 1));
        let bytes = learner.net().to_bytes(&learner.provenance(""));
        let (net, provenance) = Net::from_bytes(&bytes).unwrap();
        assert!(net == *learner.net() && net.outputs == Outputs::usual(Speed::L18));
        assert_eq!(net.to_bytes(&provenance), bytes);
        let (header, body) = open(NET, &bytes).unwrap();
        let refused = |from: &str, to: &str| {
            let changed = header.replace(from, to);
            assert_ne!(changed, header, "{from}");
            Net::from_bytes(&seal(NET, &changed, words(body))).unwrap_err().to_string()
        };
        for (from, to, reason) in [
            ("\"version\":3", "\"version\":4", "found version 4"),
            ("\"version\":3", "\"version\":2", "maxout ai value convert"),
            ("\"per_line\":6500.0", "\"per_line\":-6500.0", "finite scales"),
            ("\"share_of_later\":0.1", "\"share_of_later\":1.5", "share from 0 to 1"),
            ("\"outputs\"", "\"inputs\"", "inputs"),
            ("bt-30hz-18f", "bt-31hz-18f", "bt-31hz-18f"),
            (",128,", ",256,", "256"),
        ] {
            let message = refused(from, to);
            assert!(message.contains(reason), "{message}: expected {reason}");
        }
        let numbers = words(body).enumerate();
        let with_none = numbers.map(|(at, word)| if at == 7 { f32::NAN.to_le_bytes() } else { word });
        let message = Net::from_bytes(&seal(NET, header, with_none)).unwrap_err().to_string();
        assert!(message.contains("expected finite numbers, found NaN"), "{message}");
    }
}
