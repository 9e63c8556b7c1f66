//! What a deal looks like: frequencies, repeats, droughts, floods, entropy, each with how sure that
//! is.

use serde::Serialize;
use tetris::Piece;

/// Parts of a deal whose differences say how sure a mean is. Pieces depend on the pieces before
/// them, so that the usual interval of independent draws would not hold.
const BATCHES: u64 = 40;

/// Student's t for 95 % with `BATCHES - 1` degrees of freedom.
const STUDENT: f64 = 2.0227;

/// The normal distribution's 97.5th percentile.
const NORMAL: f64 = 1.959_964;

/// Sequences of four pieces.
const FOURS: usize = 7 * 7 * 7 * 7;

/// Droughts and floods are counted one by one up to here, longer ones together.
const LONGEST: usize = 255;

/// A measured value and its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Estimate {
    /// A mean, from the means of batches of the same size.
    fn of_batches(value: f64, batches: &[f64]) -> Self {
        let count = batches.len() as f64;
        let mean = batches.iter().sum::<f64>() / count;
        let variance = batches.iter().map(|batch| (batch - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let margin = STUDENT * (variance / count).sqrt();
        Self { value, low: value - margin, high: value + margin }
    }

    /// A share of independent trials, by Wilson's score interval.
    fn of_trials(successes: u64, trials: u64) -> Self {
        if trials == 0 {
            return Self { value: 0.0, low: 0.0, high: 1.0 };
        }
        let trials = trials as f64;
        let value = successes as f64 / trials;
        let scale = 1.0 + NORMAL * NORMAL / trials;
        let middle = (value + NORMAL * NORMAL / (2.0 * trials)) / scale;
        let margin = NORMAL / scale
            * (value * (1.0 - value) / trials + NORMAL * NORMAL / (4.0 * trials * trials)).sqrt();
        // With nothing or all of them the interval ends there; rounding would leave it a hair away.
        let low = if successes == 0 { 0.0 } else { (middle - margin).max(0.0) };
        let high = if value < 1.0 { (middle + margin).min(1.0) } else { 1.0 };
        Self { value, low, high }
    }

    /// Does the interval hold this value?
    pub fn holds(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// Lengths that were counted.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lengths {
    counts: [u64; LONGEST + 1],
    longest: u64,
    sum: u64,
    number: u64,
}

impl Lengths {
    const fn new() -> Self {
        Self { counts: [0; LONGEST + 1], longest: 0, sum: 0, number: 0 }
    }

    fn push(&mut self, length: u64) {
        self.counts[(length as usize).min(LONGEST)] += 1;
        self.longest = self.longest.max(length);
        self.sum += length;
        self.number += 1;
    }

    /// Share of at least this length.
    fn at_least(&self, length: usize) -> Estimate {
        let number = self.counts[length.min(LONGEST)..].iter().sum();
        Estimate::of_trials(number, self.number)
    }

    fn mean(&self) -> f64 {
        if self.number == 0 { 0.0 } else { self.sum as f64 / self.number as f64 }
    }
}

/// Counts a deal, piece by piece.
#[derive(Clone, Debug)]
pub struct Statistics {
    pieces: u64,
    batch: u64,
    first: Option<Piece>,
    counts: [u64; 7],
    followers: [[u64; 7]; 7],
    /// Piece numbers of the last four as digits to base 7, the newest last.
    recent: usize,
    /// By batch and by the four pieces up to each.
    fours: Vec<[u32; FOURS]>,
    /// By piece: when it was last seen, from 1.
    seen: [u64; 7],
    droughts: [Lengths; 7],
    flood: u64,
    floods: Lengths,
}

impl Statistics {
    /// Fewest pieces that [`Self::summary`] can speak about.
    pub const FEWEST: u64 = 25 * BATCHES;

    /// Counts of a deal of about so many pieces.
    pub fn new(planned: u64) -> Self {
        Self {
            pieces: 0,
            batch: (planned / BATCHES).max(1),
            first: None,
            counts: [0; 7],
            followers: [[0; 7]; 7],
            recent: 0,
            fours: vec![[0; FOURS]; BATCHES as usize],
            seen: [0; 7],
            droughts: [const { Lengths::new() }; 7],
            flood: 0,
            floods: Lengths::new(),
        }
    }

    /// Counts the next piece.
    pub fn push(&mut self, piece: Piece) {
        let number = usize::from(piece.number());
        if self.pieces > 0 {
            let before = self.recent % 7;
            self.followers[before][number] += 1;
            if before == number {
                self.flood += 1;
            } else {
                self.floods.push(self.flood);
                self.flood = 1;
            }
        } else {
            self.first = Some(piece);
            self.flood = 1;
        }
        self.recent = (self.recent * 7 + number) % FOURS;
        if self.pieces >= 3 {
            let batch = (self.pieces / self.batch).min(BATCHES - 1);
            self.fours[batch as usize][self.recent] += 1;
        }
        self.pieces += 1;
        self.counts[number] += 1;
        let drought = self.pieces - self.seen[number] - 1;
        if self.seen[number] == 0 {
            self.droughts[number].longest = drought;
        } else {
            self.droughts[number].push(drought);
        }
        self.seen[number] = self.pieces;
    }

    /// What was counted so far; `None` below [`Self::FEWEST`] pieces.
    pub fn summary(&self) -> Option<Summary> {
        let first = self.first.filter(|_| self.pieces >= Self::FEWEST)?;
        let share = |counts: &[u32; FOURS], wanted: &dyn Fn(usize) -> bool| {
            let total: u32 = counts.iter().sum();
            let number: u32 = (0..FOURS).filter(|&four| wanted(four)).map(|four| counts[four]).sum();
            f64::from(number) / f64::from(total.max(1))
        };
        let batches = |wanted: &dyn Fn(usize) -> bool| -> Vec<f64> {
            self.fours.iter().map(|counts| share(counts, wanted)).collect()
        };
        let pieces = self.pieces as f64;
        let repeats: u64 = (0..7).map(|number| self.followers[number][number]).sum();
        Some(Summary {
            pieces: self.pieces,
            first: first.letter(),
            frequency: std::array::from_fn(|number| {
                let value = self.counts[number] as f64 / pieces;
                Estimate::of_batches(value, &batches(&|four| four % 7 == number))
            }),
            followers: self.followers.map(|row| {
                let total = row.iter().sum::<u64>().max(1) as f64;
                row.map(|count| count as f64 / total)
            }),
            repeats: Estimate::of_batches(
                repeats as f64 / (pieces - 1.0),
                &batches(&|four| four % 7 == four / 7 % 7),
            ),
            entropy: std::array::from_fn(|known| self.entropy(known as u32)),
            droughts: std::array::from_fn(|number| self.drought(number)),
            floods: Floods {
                mean: self.floods.mean(),
                longest: self.floods.longest.max(self.flood),
                at_least: Floods::LENGTHS.map(|length| self.floods.at_least(length)),
                counts: trimmed(&self.floods.counts),
            },
        })
    }

    fn drought(&self, number: usize) -> Droughts {
        let lengths = &self.droughts[number];
        Droughts {
            mean: lengths.mean(),
            longest: lengths.longest.max(self.pieces - self.seen[number]),
            at_least: Droughts::LENGTHS.map(|length| lengths.at_least(length)),
            counts: trimmed(&lengths.counts),
        }
    }

    /// Bits of a piece given so many before it, with the correction of Miller and Madow for cells
    /// hardly seen.
    fn entropy(&self, known: u32) -> Estimate {
        let cells = 7_usize.pow(known + 1);
        let mut counts = vec![0_u64; cells];
        for batch in &self.fours {
            for (four, &count) in batch.iter().enumerate() {
                counts[four % cells] += u64::from(count);
            }
        }
        // Digits from the newest: a context is a cell without its last digit, which is the new
        // piece.
        let contexts: Vec<u64> = counts.chunks(7).map(|row| row.iter().sum()).collect();
        let surprise = |cell: usize| -(counts[cell] as f64 / contexts[cell / 7] as f64).log2();
        let total: u64 = contexts.iter().sum();
        let mean: f64 = (0..cells)
            .filter(|&cell| counts[cell] > 0)
            .map(|cell| counts[cell] as f64 * surprise(cell))
            .sum();
        let used = counts.iter().filter(|&&count| count > 0).count();
        let rows = contexts.iter().filter(|&&count| count > 0).count();
        let correction = (used - rows) as f64 / (2.0 * total as f64 * std::f64::consts::LN_2);
        let batches: Vec<f64> = self
            .fours
            .iter()
            .map(|batch| {
                let number: u32 = batch.iter().sum();
                let seen = batch.iter().enumerate().filter(|&(_, &count)| count > 0);
                let bits: f64 = seen.map(|(four, &count)| f64::from(count) * surprise(four % cells)).sum();
                bits / f64::from(number.max(1))
            })
            .collect();
        Estimate::of_batches(mean / total as f64 + correction, &batches)
    }
}

/// Without the zeros at the end.
fn trimmed(counts: &[u64]) -> Vec<u64> {
    let end = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    counts[..end].to_vec()
}

/// What was counted of a deal. Arrays of seven are in the game's order, T J Z O S L I; shares are
/// of 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Pieces counted.
    pub pieces: u64,
    /// Letter of the first.
    pub first: char,
    /// Share of each piece.
    pub frequency: [Estimate; 7],
    /// Share of each piece after each; rows by the earlier.
    pub followers: [[f64; 7]; 7],
    /// Share of pieces that are the one before again.
    pub repeats: Estimate,
    /// Bits of a piece given the 0, 1, 2, 3 before it.
    pub entropy: [Estimate; 4],
    /// Of each piece.
    pub droughts: [Droughts; 7],
    /// Of all pieces.
    pub floods: Floods,
}

/// Other pieces between two of a kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Droughts {
    /// Mean length.
    pub mean: f64,
    /// Longest, those before the first and after the last included.
    pub longest: u64,
    /// Share that is at least as long as each of [`Self::LENGTHS`], as if one did not depend on
    /// another.
    pub at_least: [Estimate; 4],
    /// By length from 0; the 256th counts all from 255 up.
    pub counts: Vec<u64>,
}

impl Droughts {
    /// Lengths that [`Self::at_least`] tells about: beyond 12 is what a bag of seven never does.
    pub const LENGTHS: [usize; 4] = [7, 13, 20, 30];
}

/// Equal pieces in a row, single ones included.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Floods {
    /// Mean length.
    pub mean: f64,
    /// Longest.
    pub longest: u64,
    /// Share of runs that are at least as long as each of [`Self::LENGTHS`], as if one did not
    /// depend on another.
    pub at_least: [Estimate; 3],
    /// By length from 0; the 256th counts all from 255 up.
    pub counts: Vec<u64>,
}

impl Floods {
    /// Lengths that [`Self::at_least`] tells about.
    pub const LENGTHS: [usize; 3] = [2, 3, 4];
}
