//! Garbage rows that come up from below.

use tetris::{ALL_COLUMNS, HEIGHT, Playfield, SplitMix64};

/// A row of cells that are there or not, one as likely as the other; never a full one, nor an empty
/// one.
fn row(chance: &mut SplitMix64) -> u16 {
    loop {
        let row = (chance.next_u64() >> 32) as u16 & ALL_COLUMNS;
        if row != 0 && row != ALL_COLUMNS {
            return row;
        }
    }
}

/// Pushes so many rows up from the bottom. `false` where cells would be pushed out at the top.
pub(crate) fn push(board: &mut Playfield, rows: usize, chance: &mut SplitMix64) -> bool {
    let mut cells = board.rows();
    let rows = rows.min(HEIGHT);
    let room = cells[..rows].iter().all(|&row| row == 0);
    cells.copy_within(rows.., 0);
    cells[HEIGHT - rows..].fill_with(|| row(chance));
    *board = Playfield::from_rows(&cells);
    room
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;

    #[test]
    fn rows_come_from_below_until_one_falls_out_at_the_top() {
        let mut chance = random::sequence(5);
        let mut board = Playfield::EMPTY;
        assert!(push(&mut board, 10, &mut chance));
        let before = board.rows();
        assert!(push(&mut board, 1, &mut chance));
        assert_eq!(board.rows()[..19], before[1..]);
        assert!(board.rows()[9..].iter().all(|&row| row != 0 && row != ALL_COLUMNS));
        assert!(push(&mut board, 9, &mut chance));
        assert!(!push(&mut board, 1, &mut chance));
    }
}
