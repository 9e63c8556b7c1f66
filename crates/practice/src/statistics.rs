//! Figures of a game, as players define them.

use serde::Serialize;
use tetris::scoring::{Clears, Droughts, POINTS};

use crate::Position;
use crate::log::{Log, Played};

/// The figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// Pieces that locked.
    pub pieces: u32,
    /// Lines cleared.
    pub lines: u32,
    /// Clears of one to four lines.
    pub clears: [u32; 4],
    /// TRT: lines by tetrises of all lines, in per cent.
    pub tetris_rate: Option<f64>,
    /// EFF: mean points a line without the level, 40 to 300.
    pub efficiency: Option<f64>,
    /// EFF of each ten lines; a clear that straddles counts in both.
    pub efficiency_by_ten: Vec<f64>,
    /// BRN: lines cleared since the last tetris, and cleared other than by tetrises.
    pub burn: u32,
    /// See `burn`.
    pub burns: u32,
    /// DHT: pieces since the last I.
    pub drought: u32,
    /// Droughts of 13 pieces and more, and the longest.
    pub droughts: u32,
    /// See `droughts`.
    pub longest_drought: u32,
    /// TRNS: the score when the start level was left.
    pub transition: Option<u32>,
    /// Pieces in whose time the counter of the auto shift was 0.
    pub das_losses: u32,
    /// Mean counter at the spawn.
    pub das_mean: Option<f64>,
    /// Pieces with a counter of 15 and 16, 10 to 14, less at the spawn.
    pub das_classes: [u32; 3],
    /// How far the shares of the seven pieces are from each other: of the last 28, the last 56,
    /// all; 0 is even.
    pub evenness: [Option<f64>; 3],
    /// How often each piece came, in the order T J Z O S L I.
    pub counts: [u32; 7],
}

impl Statistics {
    /// The figures of a game so far.
    pub fn of(log: &Log) -> Self {
        let mut statistics = Self::default();
        let locked: Vec<&Played> = log.pieces.iter().filter(|played| played.place.is_some()).collect();
        statistics.pieces = locked.len() as u32;
        let (mut clears, mut droughts) = (Clears::default(), Droughts::default());
        let mut tens = Vec::<(f64, f64)>::new();
        for played in &log.pieces {
            statistics.counts[played.piece as usize] += 1;
            droughts.add(Some(played.piece));
            statistics.das_losses += u32::from(played.das_lost);
            let class = match played.das {
                15.. => 0,
                10..=14 => 1,
                _ => 2,
            };
            statistics.das_classes[class] += 1;
            if statistics.transition.is_none() && played.level != log.start_level {
                statistics.transition = Some(played.score);
            }
            let rows = usize::from(played.cleared.min(4));
            for line in 0..rows as u32 {
                let ten = ((clears.lines() + line) / 10) as usize;
                tens.resize(tens.len().max(ten + 1), (0.0, 0.0));
                tens[ten].0 += f64::from(POINTS[rows]) / rows as f64;
                tens[ten].1 += 1.0;
            }
            clears.add(played.cleared);
        }
        statistics.lines = clears.lines();
        statistics.clears = clears.counts();
        (statistics.burn, statistics.burns) = (clears.burn(), clears.burns());
        (statistics.tetris_rate, statistics.efficiency) = (clears.tetris_rate(), clears.efficiency());
        let Droughts { now, count, longest } = droughts;
        (statistics.drought, statistics.droughts, statistics.longest_drought) = (now, count, longest);
        let means = tens.iter().map(|(sum, count)| if *count > 0.0 { sum / count } else { 0.0 });
        statistics.efficiency_by_ten = means.collect();
        let charges: f64 = log.pieces.iter().map(|played| f64::from(played.das)).sum();
        statistics.das_mean = (!log.pieces.is_empty()).then(|| charges / log.pieces.len() as f64);
        statistics.evenness = [28, 56, log.pieces.len()].map(|count| evenness(&log.pieces, count));
        statistics
    }
}

/// The root of the mean square of how far the shares of the last `count` pieces are from a seventh.
fn evenness(pieces: &[Played], count: usize) -> Option<f64> {
    let last = pieces.get(pieces.len().checked_sub(count)?..).filter(|last| !last.is_empty())?;
    let mut counts = [0.0; 7];
    for played in last {
        counts[played.piece as usize] += 1.0;
    }
    let far = counts.iter().map(|count: &f64| (count / last.len() as f64 - 1.0 / 7.0).powi(2));
    Some((far.sum::<f64>() / 7.0).sqrt())
}

/// A burst of taps to one side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Taps {
    /// The piece's number.
    pub piece: u32,
    /// Frames from the spawn to the first tap.
    pub delay: u16,
    /// -1 left, 1 right.
    pub side: i8,
    /// Frames between the taps.
    pub intervals: Vec<u16>,
    /// Taps a second, as everybody quotes them: of the time from the first tap to the last.
    pub hertz: f64,
    /// The level.
    pub level: u8,
}

/// Frames without a tap that end a burst.
const PAUSE: u16 = 16;

/// The bursts of two taps and more.
pub fn taps(log: &Log) -> Vec<Taps> {
    log.pieces.iter().flat_map(bursts).collect()
}

/// The last burst of two taps and more, if it was with one of the last pieces.
pub fn last_taps(log: &Log) -> Option<Taps> {
    log.pieces.iter().rev().take(LATELY).find_map(|played| bursts(played).pop())
}

/// Pieces among which the last burst is looked for.
const LATELY: usize = 8;

pub(crate) fn bursts(played: &Played) -> Vec<Taps> {
    let presses: Vec<_> = played.shifts.iter().filter(|shift| !shift.auto).collect();
    let groups = presses.chunk_by(|one, other| one.side == other.side && other.frame - one.frame < PAUSE);
    let bursts = groups.filter(|burst| burst.len() > 1).map(|burst| {
        let intervals: Vec<u16> = burst.windows(2).map(|pair| pair[1].frame - pair[0].frame).collect();
        let frames: u32 = intervals.iter().map(|&frames| u32::from(frames)).sum();
        Taps {
            piece: played.number,
            delay: burst[0].frame,
            side: burst[0].side,
            hertz: played.region.frame_rate() * (burst.len() - 1) as f64 / f64::from(frames.max(1)),
            intervals,
            level: played.level,
        }
    });
    bursts.collect()
}

impl Played {
    /// Its spawn as a position to be played again.
    pub fn position(&self) -> Position {
        Position {
            rows: self.rows,
            piece: self.piece,
            next: self.next,
            level: self.level,
            lines: self.lines,
            score: self.score,
            das: self.das.min(16),
            lfsr: self.luck.0,
            spawns: self.luck.1,
            frame: self.luck.2,
        }
    }
}

#[cfg(test)]
mod tests {
    use nes::Region;

    use tetris::Piece;

    use super::*;
    use crate::log::Shift;

    fn played(number: u32, piece: Piece, cleared: u8, das: u8, level: u8) -> Played {
        Played {
            number,
            level,
            score: number * 1_000,
            das,
            das_lost: das == 0,
            place: Some([5, 18, 0]),
            cleared,
            ..Played::first(piece)
        }
    }

    #[test]
    fn figures_are_those_of_their_definitions() {
        let mut pieces: Vec<Played> = (1..=14).map(|number| played(number, Piece::S, 0, 16, 18)).collect();
        pieces.push(played(15, Piece::I, 4, 10, 18));
        pieces.push(played(16, Piece::J, 4, 0, 18));
        pieces.push(played(17, Piece::J, 3, 9, 18));
        pieces.push(played(18, Piece::L, 1, 9, 19));
        let log = Log { pieces, start_level: 18, ..Log::default() };
        let statistics = Statistics::of(&log);
        assert_eq!((statistics.lines, statistics.clears), (12, [1, 0, 1, 2]));
        assert!((statistics.tetris_rate.unwrap() - 66.666_666).abs() < 1e-3);
        assert_eq!(statistics.efficiency, Some((8.0 * 300.0 + 3.0 * 100.0 + 40.0) / 12.0));
        // Of the triple two lines are in the first ten.
        assert_eq!(statistics.efficiency_by_ten, [260.0, 70.0]);
        assert_eq!((statistics.burn, statistics.burns), (4, 4));
        assert_eq!((statistics.drought, statistics.droughts, statistics.longest_drought), (3, 1, 14));
        assert_eq!((statistics.das_losses, statistics.das_classes), (1, [14, 1, 3]));
        assert_eq!(statistics.transition, Some(18_000));
        assert_eq!(statistics.evenness[..2], [None, None]);
    }

    #[test]
    fn one_piece_alone_is_as_uneven_as_it_gets_and_seven_are_even() {
        let even: Vec<Played> = (0..28).map(|n| played(n, Piece::ALL[n as usize % 7], 0, 0, 0)).collect();
        assert!(evenness(&even, 28).unwrap() < 1e-9);
        let one: Vec<Played> = (0..28).map(|n| played(n, Piece::O, 0, 0, 0)).collect();
        assert!((evenness(&one, 28).unwrap() - 0.35).abs() < 1e-3);
    }

    #[test]
    fn hertz_are_of_the_time_between_the_first_tap_and_the_last() {
        let mut piece = played(1, Piece::L, 0, 0, 29);
        let shift = |frame, side, auto| Shift { frame, side, auto };
        piece.shifts = vec![
            shift(3, 1, false),
            shift(7, 1, false),
            shift(11, 1, false),
            shift(15, 1, false),
            shift(40, 1, false),
            shift(44, -1, false),
            shift(60, -1, true),
        ];
        let of = |region| taps(&Log { pieces: vec![Played { region, ..piece.clone() }], ..Log::default() });
        assert!((of(Region::Pal)[0].hertz - 12.5018).abs() < 1e-3);
        let bursts = of(Region::Ntsc);
        assert_eq!(bursts.len(), 1);
        assert_eq!((bursts[0].delay, bursts[0].intervals.as_slice()), (3, &[4, 4, 4][..]));
        assert!((bursts[0].hertz - 15.0247).abs() < 1e-3);
    }
}
