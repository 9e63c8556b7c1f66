//! What a player's hands do in a game, for trainers that look on: bursts of taps beside what their
//! placements needed, the delay of the first tap, finesse and charge.

use crate::charge::Charges;
use crate::finesse::{Finesse, too_many};
use crate::log::{Log, Played};
use crate::needed::needed_by;
use crate::statistics::{Taps, bursts};

/// Taps from which on a burst counts as a roll: two may come together by chance.
const ROLL: usize = 3;

/// A burst of taps, and the taps a second that its placement needed, where that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Burst {
    /// The burst.
    pub taps: Taps,
    /// The slowest taps a second by which the placement could have been reached.
    pub needed: Option<f64>,
}

impl Burst {
    /// Returns whether the taps were fast enough; true where it is not known what was needed.
    pub fn is_enough(&self) -> bool {
        self.needed.is_none_or(|needed| self.taps.hertz >= needed)
    }
}

/// The hands of a game so far. It grows with the game's log, one locked piece at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trainer {
    /// The last bursts of two taps and more, the latest last, at most [`Trainer::LAST`].
    pub bursts: Vec<Burst>,
    /// All bursts.
    pub count: u32,
    /// The fastest burst of three taps and more: the roll test.
    pub fastest: Option<Taps>,
    /// How often the first tap of a piece came so many frames after its spawn.
    pub delays: Vec<u32>,
    /// Shifts and turns that were too many.
    pub finesse: Finesse,
    /// Shifts and turns too many of the last placements, the latest last, at most
    /// [`Trainer::LAST`].
    pub too_many: Vec<[u32; 2]>,
    /// What became of the charge of the auto shift.
    pub charges: Charges,
    /// Sum of all taps a second.
    hertz: f64,
    /// Pieces that were taken in, and the frame of the last one's spawn.
    taken: (usize, u64),
}

impl Trainer {
    /// Bursts and placements that are kept one by one.
    pub const LAST: usize = 24;

    /// Frames of delay that are counted apart; the last count has the longer ones, too.
    pub const DELAYS: usize = 31;

    /// The hands of a game.
    pub fn of(log: &Log) -> Self {
        let mut trainer = Self::default();
        trainer.follow(log);
        trainer
    }

    /// Returns whether the log has a locked piece that was not taken in, or is another game's.
    pub fn is_behind(&self, log: &Log) -> bool {
        !self.is_of(log) || log.pieces.get(self.taken.0).is_some_and(|played| played.place.is_some())
    }

    /// Takes in the pieces that have locked since. A log from which pieces were taken back, or of
    /// another game, is taken in anew.
    pub fn follow(&mut self, log: &Log) {
        if !self.is_behind(log) {
            return;
        }
        if !self.is_of(log) {
            *self = Self::default();
        }
        let new = log.pieces[self.taken.0..].iter().take_while(|played| played.place.is_some());
        for played in new {
            self.take(played);
            self.taken = (self.taken.0 + 1, played.frames[0]);
        }
        self.charges = Charges::of(log);
    }

    /// Returns the mean taps a second of all bursts.
    pub fn mean_hertz(&self) -> Option<f64> {
        (self.count > 0).then(|| self.hertz / f64::from(self.count))
    }

    /// Returns the median of the frames from a spawn to the first tap.
    pub fn median_delay(&self) -> Option<usize> {
        let all: u32 = self.delays.iter().sum();
        let mut seen = 0;
        self.delays.iter().position(|&count| {
            seen += count;
            all > 0 && 2 * seen >= all
        })
    }

    fn is_of(&self, log: &Log) -> bool {
        let (count, frame) = self.taken;
        let last = count.checked_sub(1).map(|last| log.pieces.get(last));
        last.is_none_or(|played| {
            played.is_some_and(|played| played.frames[0] == frame && played.place.is_some())
        })
    }

    fn take(&mut self, played: &Played) {
        let needed = needed_by(played);
        for taps in bursts(played) {
            self.count += 1;
            self.hertz += taps.hertz;
            let is_faster = self.fastest.as_ref().is_none_or(|fastest| taps.hertz > fastest.hertz);
            if taps.intervals.len() + 1 >= ROLL && is_faster {
                self.fastest = Some(taps.clone());
            }
            push(&mut self.bursts, Burst { taps, needed });
        }
        if let Some(first) = played.shifts.iter().find(|shift| !shift.auto) {
            self.delays.resize(Self::DELAYS, 0);
            self.delays[usize::from(first.frame).min(Self::DELAYS - 1)] += 1;
        }
        if let Some([shifts, turns]) = too_many(played) {
            self.finesse.add([shifts, turns]);
            push(&mut self.too_many, [shifts, turns]);
        }
    }
}

/// Adds to a list of which the last are kept.
fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == Trainer::LAST {
        list.remove(0);
    }
    list.push(item);
}

#[cfg(test)]
mod tests {
    use tetris::Piece;

    use super::*;
    use crate::log::Shift;

    /// A piece with taps `gap` frames from each other, the first 5 frames after the spawn.
    fn played(number: u32, taps: u16, gap: u16) -> Played {
        let shift = |tap| Shift { frame: 5 + gap * tap, side: 1, auto: false };
        Played {
            number,
            frames: [100 * u64::from(number), 100 * u64::from(number) + 90],
            place: Some([7, 18, 2]),
            shifts: (0..taps).map(shift).collect(),
            ..Played::first(Piece::T)
        }
    }

    #[test]
    fn it_grows_piece_by_piece_to_what_the_whole_game_says() {
        let mut log =
            Log { pieces: vec![played(1, 2, 4), played(2, 3, 5), played(3, 2, 3)], ..Log::default() };
        log.pieces[2].place = None;
        let mut trainer = Trainer::of(&log);
        assert_eq!((trainer.count, trainer.bursts.len(), trainer.finesse.placements), (2, 2, 2));
        assert!(!trainer.is_behind(&log), "the piece in the air is not counted");
        log.pieces[2].place = Some([7, 18, 2]);
        assert!(trainer.is_behind(&log));
        trainer.follow(&log);
        assert_eq!(trainer, Trainer::of(&log));
        assert_eq!(trainer.count, 3);
        // Two taps are no roll.
        let fastest = trainer.fastest.as_ref().expect("three taps");
        assert!((fastest.hertz - 12.02).abs() < 0.01, "{fastest:?}");
        assert_eq!(trainer.median_delay(), Some(5));
        assert!(trainer.mean_hertz().is_some_and(|hertz| (hertz - 15.69).abs() < 0.1), "{trainer:?}");
        // Two shifts lead there; the second piece made one too many.
        assert_eq!((trainer.finesse.clean, trainer.too_many.as_slice()), (2, &[[0, 0], [1, 0], [0, 0]][..]));
    }

    #[test]
    fn what_is_taken_back_is_not_counted_and_only_the_last_are_kept() {
        let pieces: Vec<Played> = (1..=40).map(|number| played(number, 2, 4)).collect();
        let mut log = Log { pieces, ..Log::default() };
        let mut trainer = Trainer::of(&log);
        assert_eq!(
            (trainer.count, trainer.bursts.len(), trainer.too_many.len()),
            (40, Trainer::LAST, Trainer::LAST)
        );
        assert_eq!(trainer.bursts[0].taps.piece, 17);
        log.pieces.truncate(10);
        trainer.follow(&log);
        assert_eq!((trainer.count, trainer.delays[5]), (10, 10));
        // Another game with as many pieces.
        for played in &mut log.pieces {
            played.frames[0] += 1;
            played.shifts.clear();
        }
        trainer.follow(&log);
        assert_eq!((trainer.count, trainer.median_delay(), trainer.mean_hertz()), (0, None, None));
    }
}
