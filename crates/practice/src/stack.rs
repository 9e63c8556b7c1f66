//! What a stack looks like: how high it is, what is wrong with it, and how near a tetris.

use tetris::{ALL_COLUMNS, HEIGHT, Playfield, WIDTH};

/// The stack before a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// Rows from the floor to the highest block.
    pub height: u32,
    /// Free cells with a block above them in their column.
    pub holes: u32,
    /// The longest run of rows, one above the other, that are full but for one and the same column,
    /// which is open to the top.
    pub ready: u32,
    /// The column of that run, or the lowest column where there is none.
    pub well: usize,
    /// The height, counted from 1 at the floor, of the block that lies over rows that are full but
    /// for the cell below it; `None` where nothing is covered.
    pub covered: Option<u32>,
}

impl Stack {
    /// Returns the stack of these rows from the top, bit 0 the leftmost column.
    pub fn of(rows: &[u16; HEIGHT]) -> Self {
        let playfield = Playfield::from_rows(rows);
        let heights = playfield.heights();
        let mut stack = Self { height: playfield.height(), holes: playfield.holes(), ..Self::default() };
        // Of equal columns the rightmost: that is where most players keep the well.
        stack.well = (0..WIDTH).rev().min_by_key(|&column| heights[column]).unwrap_or(WIDTH - 1);
        for (column, &height) in heights.iter().enumerate() {
            let but_one = ALL_COLUMNS & !(1 << column);
            let floor = HEIGHT - height as usize;
            let run = |rows: &[u16]| {
                let (mut longest, mut now) = (0, 0);
                for row in rows {
                    now = if row & ALL_COLUMNS == but_one { now + 1 } else { 0 };
                    longest = longest.max(now);
                }
                longest
            };
            let open = run(&rows[..floor]);
            if open > stack.ready {
                (stack.ready, stack.well) = (open, column);
            }
            let first_waiting =
                rows.iter().enumerate().skip(floor).find(|(_, row)| **row & ALL_COLUMNS == but_one);
            if let Some((waiting, _)) = first_waiting {
                let cover = rows[..waiting].iter().rposition(|row| row >> column & 1 == 1);
                let height = cover.map(|row| (HEIGHT - row) as u32);
                stack.covered = stack.covered.max(height);
            }
        }
        stack
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> [u16; HEIGHT] {
        let lines: Vec<&str> = text.split_whitespace().collect();
        let mut rows = [0; HEIGHT];
        for (row, line) in rows[HEIGHT - lines.len()..].iter_mut().zip(&lines) {
            *row = line.chars().enumerate().map(|(at, cell)| u16::from(cell == 'x') << at).sum();
        }
        rows
    }

    #[test]
    fn a_well_that_is_open_has_rows_ready_and_one_that_is_not_is_covered() {
        let open = Stack::of(&rows("x......... xxxxxxxxx. xxxxxxxxx. xxxxxxxxx. xxxx.xxxx."));
        assert_eq!((open.height, open.holes, open.ready, open.well), (5, 1, 3, 9));
        assert_eq!(open.covered, None, "the hole's row is not full but for it");
        let covered = Stack::of(&rows(".......xxx xxxxxxxxx. xxxxxxxxx."));
        assert_eq!((covered.ready, covered.holes, covered.covered), (0, 2, Some(3)));
        let clean = Stack::of(&rows(""));
        assert_eq!((clean.height, clean.holes, clean.ready, clean.covered), (0, 0, 0, None));
        let left = Stack::of(&rows(".xxxxxxxxx .xxxxxxxxx .xxxxxxxxx .xxxxxxxxx"));
        assert_eq!((left.ready, left.well), (4, 0));
    }
}
