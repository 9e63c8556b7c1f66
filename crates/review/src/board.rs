//! What a board is like, in the words of players.

use tetris::{HEIGHT, Placement, Playfield, WIDTH};

/// Rows in a stack that lack the cell of the right well only, from its floor up: 4 and more are a
/// tetris with the next I.
pub fn rows_ready(board: &Playfield) -> u32 {
    let well = board.heights()[WIDTH - 1];
    let full = board.columns[..WIDTH - 1].iter().fold(u32::MAX, |rows, column| rows & column);
    let row = |height: u32| full >> (HEIGHT as u32 - 1 - height) & 1 == 1;
    (well..HEIGHT as u32).take_while(|&height| row(height)).count() as u32
}

/// Returns whether a piece gets to a place by a shift or a turn under something, and not by falling
/// straight down.
pub fn is_tuck(board: &Playfield, place: Placement) -> bool {
    place.cells().iter().any(|&(x, y)| {
        let column = board.columns[x.clamp(0, WIDTH as i32 - 1) as usize];
        y > 0 && column & ((1 << y) - 1) != 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetris::Orientation;

    /// Rows from the bottom up, `#` for a cell that is taken.
    pub(crate) fn board(rows: &[&str]) -> Playfield {
        let mut cells = [0; HEIGHT];
        for (height, row) in rows.iter().enumerate() {
            for (x, cell) in row.bytes().enumerate() {
                cells[HEIGHT - 1 - height] |= u16::from(cell == b'#') << x;
            }
        }
        Playfield::from_rows(&cells)
    }

    #[test]
    fn rows_are_ready_if_they_lack_the_well_only() {
        let full = "#########.";
        assert_eq!(rows_ready(&board(&[full, full, full, full, "####......"])), 4);
        assert_eq!(rows_ready(&board(&[full, ".########.", full])), 1);
        assert_eq!(rows_ready(&board(&["#.########", full, full])), 2);
    }

    #[test]
    fn a_place_under_a_cell_is_a_tuck() {
        let under = board(&["..........", "..##......"]);
        let flat = Orientation::from_id(0x12).unwrap();
        assert!(is_tuck(&under, Placement { orientation: flat, x: 4, y: 19 }));
        assert!(!is_tuck(&under, Placement { orientation: flat, x: 8, y: 19 }));
    }
}
