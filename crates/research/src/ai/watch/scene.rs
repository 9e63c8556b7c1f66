//! What a picture shows: the field in tiles, the piece in play, the counters.

use tetris::{HEIGHT, Piece, Placement, Playfield, WIDTH, scoring};

/// A free cell's tile.
pub(super) const FREE: u8 = 0xEF;
/// The tile of a cell that nobody saw a piece leave.
const FOUND: u8 = 0x7B;
/// What the counter of points holds at most.
const MOST_POINTS: u32 = 999_999;

/// A moment of a game.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// Tiles from the top row on.
    pub(super) cells: [[u8; WIDTH]; HEIGHT],
    pub(super) place: Option<Placement>,
    pub(super) next: Option<Piece>,
    pub(super) level: u8,
    pub(super) lines: u32,
    pub(super) score: u32,
    pub(super) counts: [u32; 7],
}

impl Scene {
    pub(super) fn new(board: &Playfield) -> Self {
        let mut scene = Self {
            cells: [[FREE; WIDTH]; HEIGHT],
            place: None,
            next: None,
            level: 0,
            lines: 0,
            score: 0,
            counts: [0; 7],
        };
        scene.agree(board);
        scene
    }

    /// A piece comes in.
    pub(super) fn begin(&mut self, piece: Piece, next: Option<Piece>) {
        self.counts[piece as usize] += 1;
        self.next = next;
    }

    /// The piece in play locks, and `board` is what the game makes of it.
    pub(super) fn lock(&mut self, place: Placement, board: &Playfield) {
        for (x, y) in place.cells() {
            if let Some(row) = usize::try_from(y).ok().and_then(|y| self.cells.get_mut(y))
                && let Some(cell) = usize::try_from(x).ok().and_then(|x| row.get_mut(x))
            {
                *cell = place.orientation.tile();
            }
        }
        // The game looks at four rows about the pivot, and never at row 0.
        let y = usize::from(place.y);
        let mut cleared = 0;
        for row in y.saturating_sub(2).max(1)..=(y + 1).min(HEIGHT - 1) {
            if self.cells[row].iter().all(|&cell| cell != FREE) {
                self.cells.copy_within(..row, 1);
                self.cells[0] = [FREE; WIDTH];
                cleared += 1;
            }
        }
        if cleared > 0 {
            self.lines += cleared as u32;
            // The level is one byte, and points are counted with the level that the lines have led
            // to.
            self.level = (self.lines / 10) as u8;
            let points = scoring::points(cleared as u32, self.level.into());
            self.score = (self.score + points).min(MOST_POINTS);
        }
        self.agree(board);
    }

    /// The cells that are taken.
    #[cfg(test)]
    pub(super) fn board(&self) -> Playfield {
        let rows = self.cells.map(|row| {
            row.iter().enumerate().fold(0, |bits, (x, &cell)| bits | u16::from(cell != FREE) << x)
        });
        Playfield::from_rows(&rows)
    }

    /// Cells that are not as on the board get its look.
    fn agree(&mut self, board: &Playfield) {
        for (row, bits) in self.cells.iter_mut().zip(board.rows()) {
            for (x, cell) in row.iter_mut().enumerate() {
                match (bits >> x & 1 == 1, *cell) {
                    (true, FREE) => *cell = FOUND,
                    (false, _) => *cell = FREE,
                    _ => {}
                }
            }
        }
    }
}
