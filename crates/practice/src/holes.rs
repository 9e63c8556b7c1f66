//! Holes by age: how many pieces each of them lasted.

use serde::Serialize;
use tetris::{HEIGHT, Placement, Playfield, WIDTH};

use crate::log::{Log, Played};

/// Pieces up to which a hole is of each class; what is older is of the last.
pub const HOLE_AGES: [u32; 5] = [4, 9, 19, 39, u32::MAX];

/// How old each cell's hole is, in pieces; 0 where there is none.
type Ages = [[u32; WIDTH]; HEIGHT];

/// The holes of a game: free cells with a block above them in their column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Holes {
    /// Holes that were opened again or filled, by age: up to 4, 9, 19, 39 pieces, and more.
    pub mended: [u32; HOLE_AGES.len()],
    /// Holes that were there in the end, by the same.
    pub left: [u32; HOLE_AGES.len()],
    /// Sum of the ages of both.
    pub ages: u64,
    /// The greatest of them.
    pub oldest: u32,
    /// Before each piece: holes, and the age of the oldest.
    #[serde(skip)]
    pub before: Vec<[u32; 2]>,
}

impl Holes {
    /// The holes of a game.
    pub fn of(log: &Log) -> Self {
        let mut holes = Self::default();
        let mut ages = [[0; WIDTH]; HEIGHT];
        let mut last: Option<&Played> = None;
        for played in &log.pieces {
            if let Some(before) = last {
                ages = moved(before, &played.rows, &ages);
            }
            holes.grow(&mut ages, &played.rows);
            let open = || ages.iter().flatten().filter(|age| **age > 0);
            holes.before.push([open().count() as u32, open().copied().max().unwrap_or(0)]);
            last = Some(played);
        }
        for &age in ages.iter().flatten().filter(|age| **age > 0) {
            holes.left[class(age)] += 1;
            holes.end(age);
        }
        holes
    }

    /// Adds another game's; what was before each piece is left out.
    pub fn add(&mut self, other: &Self) {
        for (own, others) in [(&mut self.mended, &other.mended), (&mut self.left, &other.left)] {
            own.iter_mut().zip(others).for_each(|(own, other)| *own += other);
        }
        self.ages += other.ages;
        self.oldest = self.oldest.max(other.oldest);
    }

    /// Holes that there have been.
    pub fn count(&self) -> u32 {
        self.mended.iter().chain(&self.left).sum()
    }

    /// Pieces that a hole lasted, in the mean.
    pub fn mean_age(&self) -> Option<f64> {
        let count = self.count();
        (count > 0).then(|| self.ages as f64 / f64::from(count))
    }

    /// Another piece has come in over these rows: each hole is a piece older, or is none any more.
    fn grow(&mut self, ages: &mut Ages, rows: &[u16; HEIGHT]) {
        let mut above = 0;
        for (ages, &row) in ages.iter_mut().zip(rows) {
            for (column, age) in ages.iter_mut().enumerate() {
                if !row & above & 1 << column != 0 {
                    *age += 1;
                } else if *age > 0 {
                    self.mended[class(*age)] += 1;
                    self.end(*age);
                    *age = 0;
                }
            }
            above |= row;
        }
    }

    fn end(&mut self, age: u32) {
        self.ages += u64::from(age);
        self.oldest = self.oldest.max(age);
    }
}

fn class(age: u32) -> usize {
    HOLE_AGES.iter().position(|&most| age <= most).unwrap_or(HOLE_AGES.len() - 1)
}

/// Where the cells are after a piece has locked: those above a cleared row have moved down, and
/// rows that came from below have lifted all others.
fn moved(before: &Played, now: &[u16; HEIGHT], ages: &Ages) -> Ages {
    let mut board = Playfield::from_rows(&before.rows);
    let mut full = board.full();
    if let Some(place) = before.place.and_then(|place| Placement::try_from(place).ok()) {
        let mut taken = board;
        taken.put(place);
        full = taken.full();
        board.lock_in_window(place);
    }
    let mut kept: Vec<[u32; WIDTH]> =
        (0..HEIGHT).filter(|row| full >> row & 1 == 0).map(|row| ages[row]).collect();
    let lifted = (0..HEIGHT).find(|&lifted| board.rows()[lifted..] == now[..HEIGHT - lifted]).unwrap_or(0);
    kept.extend(std::iter::repeat_n([0; WIDTH], lifted));
    let mut moved = [[0; WIDTH]; HEIGHT];
    moved.iter_mut().rev().zip(kept.iter().rev()).for_each(|(row, kept)| *row = *kept);
    moved
}

#[cfg(test)]
mod tests {
    use tetris::Piece;

    use super::*;

    fn played(rows: [u16; 20], place: [u8; 3]) -> Played {
        Played { rows, place: Some(place), ..Played::first(Piece::I) }
    }

    /// The last rows from the bottom up.
    fn rows(from_below: &[u16]) -> [u16; 20] {
        let mut rows = [0; 20];
        from_below.iter().rev().enumerate().for_each(|(at, &row)| rows[20 - from_below.len() + at] = row);
        rows
    }

    #[test]
    fn a_hole_grows_older_moves_with_its_row_and_is_counted_when_it_is_gone() {
        // An I lies across a gap of one at the left; the row above it is cleared by an I at the
        // right.
        let gap = rows(&[0x3FE]);
        let covered = rows(&[0x3FE, 0x00F]);
        let more = rows(&[0x3FE, 0x0FF]);
        let log = |tail: Vec<Played>| Log {
            pieces: [vec![played(gap, [2, 18, 0x12]), played(covered, [6, 18, 0x12])], tail].concat(),
            ..Log::default()
        };
        let holes = Holes::of(&log(vec![played(more, [9, 10, 0x11])]));
        assert_eq!((holes.before.as_slice(), holes.count()), (&[[0, 0], [1, 1], [1, 2]][..], 1));
        assert_eq!((holes.left, holes.mended, holes.oldest), ([1, 0, 0, 0, 0], [0; 5], 2));
        // A piece fills the row above the hole: it is open again.
        let full = rows(&[0x3FE, 0x3F0]);
        let locked = played(full, [2, 18, 0x12]);
        let holes = Holes::of(&log(vec![locked, played(gap, [5, 18, 0x0A])]));
        assert_eq!((holes.mended, holes.left), ([1, 0, 0, 0, 0], [0; 5]));
        assert_eq!(holes.mean_age(), Some(1.0));
    }

    #[test]
    fn rows_from_below_lift_holes_and_a_cleared_row_below_lets_them_down() {
        let before = rows(&[0x1FF, 0x3FE, 0x00F]);
        // An I upright at the right completes the first row; the hole in the second goes down with
        // it.
        let mut first = played(before, [9, 18, 0x11]);
        first.rows[18] = 0x1FE;
        let after = rows(&[0x3FE, 0x20F, 0x200]);
        let lifted = rows(&[0x3F7, 0x3F7, 0x3FE, 0x20F, 0x200]);
        let pieces = vec![first, played(after, [5, 2, 0x12]), played(lifted, [5, 2, 0x12])];
        let holes = Holes::of(&Log { pieces, ..Log::default() });
        assert_eq!(holes.before[0], [1, 1]);
        assert_eq!(holes.before[1][1], 2, "{holes:?}");
        let mut again = holes.clone();
        again.add(&holes);
        assert_eq!((again.count(), again.oldest), (2 * holes.count(), holes.oldest));
    }
}
