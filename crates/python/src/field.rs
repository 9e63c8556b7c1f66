//! The playfield as rows of bits, with what a lock does to it in the game, to the cell.

use tetris::{ALL_COLUMNS, HEIGHT, Orientation, Piece, Placement, WIDTH};

/// Rows above the first that the game remembers cells of.
const ABOVE: usize = 2;
/// Where pieces appear.
const SPAWN: usize = 5;
/// Orientations that are shown.
const ORIENTATIONS: usize = 19;

/// A playfield. Bit `x` of a row is its cell in column `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Two rows above the first, the twenty, and two of floor.
    rows: [u16; ABOVE + HEIGHT + 2],
}

/// A piece as it is turned, as four rows about its pivot: two above, its own, one below. Bit 2 is
/// the pivot's column.
#[derive(Clone, Copy)]
struct Shape {
    rows: [u16; 4],
    /// The least and the greatest column of the pivot that has all cells within the walls.
    least: usize,
    most: usize,
}

const SHAPES: [Shape; ORIENTATIONS] = {
    let mut shapes = [Shape { rows: [0; 4], least: 0, most: WIDTH - 1 }; ORIENTATIONS];
    let mut id = 0;
    while id < ORIENTATIONS {
        let Some(orientation) = Orientation::from_id(id as u8) else { panic!("nineteen are shown") };
        let cells = orientation.cells();
        let mut cell = 0;
        while cell < 4 {
            let (row, column) = (cells[cell].row, cells[cell].column);
            shapes[id].rows[(row + 2) as usize] |= 1 << (column + 2);
            if column < 0 && shapes[id].least < -column as usize {
                shapes[id].least = -column as usize;
            }
            if column > 0 && shapes[id].most > WIDTH - 1 - column as usize {
                shapes[id].most = WIDTH - 1 - column as usize;
            }
            cell += 1;
        }
        id += 1;
    }
    shapes
};

/// Drops of each piece where nothing is in its way.
const OPEN: [u64; 7] = {
    let mut open = [0; 7];
    let mut piece = 0;
    while piece < 7 {
        let first = Orientation::first(Piece::ALL[piece]).id() as usize;
        let turns = Orientation::count(Piece::ALL[piece]);
        let mut turn = 0;
        while turn < turns {
            let shape = SHAPES[first + turn];
            let inside = (2u64 << shape.most) - (1 << shape.least);
            open[piece] |= inside << (10 * turn);
            turn += 1;
        }
        piece += 1;
    }
    open
};

/// Ten cells of each row.
static CELLS: [[u8; WIDTH]; 1024] = {
    let mut table = [[0; WIDTH]; 1024];
    let mut row = 0;
    while row < 1024 {
        let mut column = 0;
        while column < WIDTH {
            table[row][column] = (row >> column & 1) as u8;
            column += 1;
        }
        row += 1;
    }
    table
};

impl Field {
    /// Without a cell.
    pub const EMPTY: Self = {
        let mut rows = [0; ABOVE + HEIGHT + 2];
        rows[ABOVE + HEIGHT] = u16::MAX;
        rows[ABOVE + HEIGHT + 1] = u16::MAX;
        Self { rows }
    };

    /// Of twenty rows from the top. Bits from the tenth up are left out.
    pub fn from_rows(rows: &[u16; HEIGHT]) -> Self {
        let mut field = Self::EMPTY;
        for (to, from) in field.rows[ABOVE..].iter_mut().zip(rows) {
            *to = from & ALL_COLUMNS;
        }
        field
    }

    /// Of all rows that the game remembers: two above the first, then the twenty. Bits from the
    /// tenth up are left out.
    pub(crate) fn from_all_rows(rows: &[u16; ABOVE + HEIGHT]) -> Self {
        let mut field = Self::EMPTY;
        for (to, from) in field.rows.iter_mut().zip(rows) {
            *to = from & ALL_COLUMNS;
        }
        field
    }

    /// All rows that the game remembers, two above the first included.
    pub(crate) fn all_rows(&self) -> [u16; ABOVE + HEIGHT] {
        std::array::from_fn(|row| self.rows[row])
    }

    /// Its twenty rows from the top.
    pub fn rows(&self) -> &[u16; HEIGHT] {
        let rows = self.rows[ABOVE..].first_chunk();
        rows.unwrap_or(&[0; HEIGHT])
    }

    /// Is there room for a piece?
    #[inline]
    pub fn fits(&self, Placement { orientation, x, y }: Placement) -> bool {
        let shape = &SHAPES[usize::from(orientation.id())];
        let (x, y) = (usize::from(x), usize::from(y));
        if x < shape.least || x > shape.most {
            return false;
        }
        let mut hit = 0;
        for (row, mask) in self.rows[y..][..4].iter().zip(shape.rows) {
            hit |= row & (mask << x >> 2);
        }
        hit == 0
    }

    /// Where a piece can be brought in the first row before it falls, from where it appears: bit
    /// `10 * turn + x`. Nothing where it has no room.
    #[inline]
    pub fn drops(&self, piece: Piece) -> u64 {
        if self.rows[..4] == [0; 4] {
            return OPEN[piece as usize];
        }
        let turns = Orientation::count(piece);
        let mut room = [0u16; 4];
        for (turn, room) in room[..turns].iter_mut().enumerate() {
            let orientation = Orientation::nth(piece, turn);
            *room = (0..WIDTH as u8)
                .filter(|&x| self.fits(Placement { orientation, x, y: 0 }))
                .fold(0, |room, x| room | 1 << x);
        }
        let spawn = usize::from(Orientation::spawn(piece).id() - Orientation::first(piece).id());
        let mut reached = [0u16; 4];
        reached[spawn] = room[spawn] & 1 << SPAWN;
        loop {
            let before = reached;
            for turn in 0..turns {
                let (left, right) = ((turn + turns - 1) % turns, (turn + 1) % turns);
                let from =
                    reached[turn] | reached[turn] << 1 | reached[turn] >> 1 | before[left] | before[right];
                reached[turn] = from & room[turn];
            }
            if reached == before {
                return (0..)
                    .zip(reached)
                    .fold(0, |all, (turn, columns)| all | u64::from(columns) << (10 * turn));
            }
        }
    }

    /// Where a piece comes to rest that falls from the first row.
    #[inline]
    pub fn fall(&self, orientation: Orientation, x: u8) -> Placement {
        let first = self.rows.iter().position(|&row| row != 0).unwrap_or(ABOVE + HEIGHT);
        // Nothing is above that row, so that a piece gets there that ends just over it.
        let mut placement = Placement { orientation, x, y: first.saturating_sub(4) as u8 };
        while self.fits(placement.below()) {
            placement = placement.below();
        }
        placement
    }

    /// Locks a piece and takes full rows out as the game does: of four rows from two above the
    /// pivot, one after the other. Out: how many, and how many cells of the piece were in them.
    #[inline]
    pub fn lock(&mut self, Placement { orientation, x, y }: Placement) -> (u32, u32) {
        let shape = &SHAPES[usize::from(orientation.id())];
        let (x, y) = (usize::from(x), usize::from(y));
        for (row, mask) in self.rows[y..][..4].iter_mut().zip(shape.rows) {
            *row |= mask << x >> 2;
        }
        let top = y.saturating_sub(2);
        let (mut cleared, mut eroded) = (0, 0);
        for row in top..(top + 4).min(HEIGHT) {
            if self.rows[ABOVE + row] == ALL_COLUMNS {
                cleared += 1;
                // Rows that are taken out below leave the piece's other rows where they were looked
                // at.
                eroded += shape.rows.get(row + 2 - y.min(row + 2)).map_or(0, |mask| mask.count_ones());
                self.take_out(row);
            }
        }
        (cleared, eroded)
    }

    /// What is above a row moves down by one. Row 0 takes the rows below along and stays, a row
    /// further down: the game's index goes wrong there.
    fn take_out(&mut self, row: usize) {
        if row == 0 {
            self.rows.copy_within(ABOVE..ABOVE + HEIGHT - 1, ABOVE + 1);
            self.rows[1] = self.rows[0];
            self.rows[0] = 0;
        } else {
            self.rows.copy_within(ABOVE..ABOVE + row, ABOVE + 1);
        }
        self.rows[ABOVE] = 0;
    }

    /// Lifts the rows by `count` rows with one free cell each; what is lifted beyond the top is
    /// gone.
    pub fn lift(&mut self, count: usize, hole: usize) {
        let count = count.min(HEIGHT);
        self.rows.copy_within(ABOVE + count..ABOVE + HEIGHT, ABOVE);
        self.rows[ABOVE + HEIGHT - count..ABOVE + HEIGHT].fill(ALL_COLUMNS & !(1 << hole.min(WIDTH - 1)));
    }

    /// Writes the cells of the twenty rows, 0 or 1 each.
    ///
    /// # Panics
    /// If there is no room for 200.
    #[inline]
    pub fn write_cells(&self, cells: &mut [u8]) {
        for (to, row) in cells[..HEIGHT * WIDTH].chunks_exact_mut(WIDTH).zip(self.rows()) {
            to.copy_from_slice(&CELLS[usize::from(row & ALL_COLUMNS)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use tetris::{Playfield, SplitMix64};

    use super::*;

    /// Piles of any height, with and without holes.
    fn piles(count: usize) -> impl Iterator<Item = Field> {
        let mut chance = SplitMix64::new(7);
        (0..count).map(move |_| {
            let height = chance.below(19) as usize;
            let mut rows = [0; HEIGHT];
            for row in &mut rows[HEIGHT - height..] {
                *row = chance.next_u64() as u16 & ALL_COLUMNS & !(1 << chance.below(10));
            }
            Field::from_rows(&rows)
        })
    }

    #[test]
    fn a_piece_has_room_where_the_players_board_says_so() {
        for field in piles(200) {
            let board = Playfield::from_rows(field.rows());
            for orientation in Piece::ALL.into_iter().flat_map(Orientation::of) {
                for (x, y) in (0..WIDTH).flat_map(|x| (0..HEIGHT).map(move |y| (x, y))) {
                    let place = Placement { x: x as u8, y: y as u8, orientation };
                    assert_eq!(field.fits(place), board.fits(place), "{place:?} {field:?}");
                }
            }
        }
    }

    #[test]
    fn every_drop_is_a_place_of_the_search_and_locks_as_its_board_does() {
        let mut seen = 0;
        for field in piles(500) {
            let board = Playfield::from_rows(field.rows());
            for piece in Piece::ALL {
                let places = ai::locks(&board, piece, &ai::Filter::None);
                let drops = field.drops(piece);
                for action in (0..40).filter(|action| drops >> action & 1 == 1) {
                    let place = field.fall(Orientation::nth(piece, action / 10), (action % 10) as u8);
                    assert!(places.contains(&place), "{place:?} {field:?}");
                    let (mut after, mut other) = (field, board);
                    let (cleared, _) = after.lock(place);
                    assert_eq!(cleared, other.lock_in_window(place).lines);
                    assert_eq!(*after.rows(), other.rows(), "{place:?} {field:?}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 50_000, "{seen}");
    }

    #[test]
    fn a_lifted_row_has_one_free_cell() {
        let mut field = Field::EMPTY;
        field.lock(field.fall(Orientation::spawn(Piece::O), 5));
        let before = *field.rows();
        field.lift(2, 3);
        assert_eq!(field.rows()[18..], [ALL_COLUMNS & !8; 2]);
        assert_eq!(field.rows()[16..18], before[18..]);
    }
}
