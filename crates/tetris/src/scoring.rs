//! What clears are worth, and the figures that players make of the clears and pieces of a game.

use crate::Piece;

/// Points at level 0 for a clear of none to four rows.
pub const POINTS: [u32; 5] = [0, 40, 100, 300, 1_200];

/// Returns the points of a clear; `level` is the one after it, by which the game counts. More than
/// four rows count as four.
///
/// ```
/// assert_eq!(tetris::scoring::points(4, 18), 22_800);
/// ```
#[inline]
pub const fn points(rows: u32, level: u32) -> u32 {
    POINTS[if rows < 4 { rows as usize } else { 4 }] * (level + 1)
}

/// The clears of a game, and the figures that follow from them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clears {
    counts: [u32; 4],
    burn: u32,
}

impl Clears {
    /// Clears of one, two, three and four rows, in an order that is not known.
    pub const fn of(counts: [u32; 4]) -> Self {
        Self { counts, burn: 0 }
    }

    /// Adds a lock that cleared `rows` rows. More than four count as four.
    pub fn add(&mut self, rows: u8) {
        let rows = rows.min(4);
        if let Some(count) = usize::from(rows).checked_sub(1).and_then(|kind| self.counts.get_mut(kind)) {
            *count += 1;
        }
        self.burn = if rows == 4 { 0 } else { self.burn + u32::from(rows) };
    }

    /// Clears of one, two, three and four rows.
    pub const fn counts(&self) -> [u32; 4] {
        self.counts
    }

    /// Rows cleared in all.
    pub const fn lines(&self) -> u32 {
        let [one, two, three, four] = self.counts;
        one + 2 * two + 3 * three + 4 * four
    }

    /// BRN: rows cleared since the last tetris.
    pub const fn burn(&self) -> u32 {
        self.burn
    }

    /// Rows cleared other than by tetrises.
    pub const fn burns(&self) -> u32 {
        self.lines() - 4 * self.counts[3]
    }

    /// TRT: rows cleared by tetrises of all rows, in per cent; `None` before the first.
    pub fn tetris_rate(&self) -> Option<f64> {
        self.by_line(400.0 * f64::from(self.counts[3]))
    }

    /// EFF: mean points a row without the level, 40 to 300; `None` before the first.
    pub fn efficiency(&self) -> Option<f64> {
        let points = self.counts.iter().zip(&POINTS[1..]);
        self.by_line(points.map(|(&count, &each)| f64::from(count) * f64::from(each)).sum())
    }

    fn by_line(&self, sum: f64) -> Option<f64> {
        let lines = self.lines();
        (lines > 0).then(|| sum / f64::from(lines))
    }
}

/// Pieces without an I from which on it is a drought.
pub const DROUGHT: u32 = 13;

/// How long a game went without an I.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Droughts {
    /// DHT: pieces since the last I.
    pub now: u32,
    /// Times that it was [`DROUGHT`] pieces and more.
    pub count: u32,
    /// The longest, in pieces.
    pub longest: u32,
}

impl Droughts {
    /// Adds a piece; `None` is one that is not known, which is taken for no I.
    pub fn add(&mut self, piece: Option<Piece>) {
        self.now = if piece == Some(Piece::I) { 0 } else { self.now + 1 };
        self.count += u32::from(self.now == DROUGHT);
        self.longest = self.longest.max(self.now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::points_of;

    #[test]
    fn clears_are_worth_what_the_game_adds() {
        for rows in 0..=4 {
            let [low, high] = points_of(rows).map(|byte| u32::from(byte >> 4) * 10 + u32::from(byte & 15));
            assert_eq!(points(rows.into(), 0), 100 * high + low, "{rows} rows");
            assert_eq!(points(rows.into(), 18), 19 * (100 * high + low), "{rows} rows");
        }
    }

    #[test]
    fn a_tetris_ends_a_burn_and_an_i_a_drought() {
        let mut clears = Clears::default();
        assert_eq!((clears.tetris_rate(), clears.efficiency()), (None, None));
        for rows in [4, 0, 1, 3] {
            clears.add(rows);
        }
        assert_eq!((clears.counts(), clears.lines()), ([1, 0, 1, 1], 8));
        assert_eq!((clears.burn(), clears.burns()), (4, 4));
        assert_eq!((clears.tetris_rate(), clears.efficiency()), (Some(50.0), Some(1_540.0 / 8.0)));
        clears.add(4);
        assert_eq!((clears.burn(), clears.burns()), (0, 4));

        let mut droughts = Droughts::default();
        for _ in 0..DROUGHT + 2 {
            droughts.add(Some(Piece::Z));
        }
        droughts.add(Some(Piece::I));
        droughts.add(None);
        assert_eq!(droughts, Droughts { now: 1, count: 1, longest: DROUGHT + 2 });
    }
}
