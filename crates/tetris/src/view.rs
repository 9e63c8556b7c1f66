//! The 2 KiB of RAM, read as the game.

use crate::ram::{EMPTY, game_mode, mode_state, render_mode};
use crate::{HEIGHT, Orientation, Piece, WIDTH, ram};

/// A look at RAM between two frames. What RAM cannot hold in a game reads as `None`, never as a
/// panic.
///
/// ```
/// use tetris::{Piece, View, ram};
///
/// let mut bytes = [0; 0x800];
/// bytes[ram::NEXT_PIECE.at()] = 0x12;
/// bytes[ram::LINES.range()].copy_from_slice(&[0x34, 2]);
/// let view = View::new(&bytes);
/// assert_eq!((view.next(), view.lines()), (Some(Piece::I), 234));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    ram: &'a [u8; 0x800],
}

impl<'a> View<'a> {
    /// `ram` is `$0000` to `$07FF`.
    pub const fn new(ram: &'a [u8; 0x800]) -> Self {
        Self { ram }
    }

    /// The first byte of a place.
    pub const fn byte(&self, place: ram::Variable) -> u8 {
        self.ram[place.at()]
    }

    /// All bytes of a place.
    pub fn bytes(&self, place: ram::Variable) -> &'a [u8] {
        &self.ram[place.range()]
    }

    /// One of [`game_mode`].
    pub const fn game_mode(&self) -> u8 {
        self.byte(ram::GAME_MODE)
    }

    /// Is a game on the screen, played or paused? Not the demo.
    pub const fn in_game(&self) -> bool {
        self.game_mode() == game_mode::PLAY
    }

    /// Is a game or the demo being played, its screen drawn and its RAM set up? Not in a pause.
    ///
    /// A game is set up in one frame, in which its picture begins; a B-type's garbage takes twelve
    /// more.
    pub const fn in_play(&self) -> bool {
        self.shows_play() && self.byte(ram::MODE_STATE) >= mode_state::COUNTERS
    }

    /// Is a game or the demo on the screen, if only to be set up? Not in a pause.
    pub const fn shows_play(&self) -> bool {
        matches!(self.game_mode(), game_mode::PLAY | game_mode::DEMO)
            && self.byte(ram::RENDER_MODE) == render_mode::PLAY
    }

    /// Is the game paused?
    pub const fn is_paused(&self) -> bool {
        self.in_game() && self.byte(ram::AUDIO_PAUSE) != 0
    }

    /// What the play is at, one of [`play_state`](ram::play_state).
    pub const fn play_state(&self) -> u8 {
        self.byte(ram::PLAY_STATE)
    }

    /// The piece in play as it is turned; `None` for a number that is no orientation.
    pub const fn orientation(&self) -> Option<Orientation> {
        Orientation::from_id(self.byte(ram::ORIENTATION))
    }

    /// The piece in play; `None` while none is shown.
    pub fn piece(&self) -> Option<Piece> {
        self.orientation().and_then(Orientation::piece)
    }

    /// The next piece.
    pub fn next(&self) -> Option<Piece> {
        Orientation::from_id(self.byte(ram::NEXT_PIECE)).and_then(Orientation::piece)
    }

    /// Column of the pivot.
    pub const fn column(&self) -> u8 {
        self.byte(ram::PIECE_X)
    }

    /// Row of the pivot.
    pub const fn row(&self) -> u8 {
        self.byte(ram::PIECE_Y)
    }

    /// The shift counter, 0–16.
    pub const fn das(&self) -> u8 {
        self.byte(ram::DAS)
    }

    /// The level in binary.
    pub const fn level(&self) -> u8 {
        self.byte(ram::LEVEL)
    }

    /// Lines, decoded: hundreds are binary, so that it goes beyond 999.
    pub const fn lines(&self) -> u32 {
        self.ram[ram::LINES.at() + 1] as u32 * 100 + decimal(self.ram[ram::LINES.at()])
    }

    /// The score, decoded.
    pub const fn score(&self) -> u32 {
        let at = ram::SCORE.at();
        decimal(self.ram[at + 2]) * 10_000 + decimal(self.ram[at + 1]) * 100 + decimal(self.ram[at])
    }

    /// How often each piece came, decoded, in the order of [`Piece::ALL`].
    pub fn piece_counts(&self) -> [u32; 7] {
        std::array::from_fn(|piece| {
            let at = ram::PIECE_COUNTS.at() + 2 * piece;
            u32::from(self.ram[at + 1]) * 100 + decimal(self.ram[at])
        })
    }

    /// Counts of clears of one to four rows, decoded, modulo 100 or thereabouts: the game keeps no
    /// hundreds.
    pub fn line_counts(&self) -> [u32; 4] {
        std::array::from_fn(|rows| decimal(self.ram[ram::LINE_COUNTS.at() + rows]))
    }

    /// The random number register.
    pub const fn lfsr(&self) -> u16 {
        (self.ram[ram::LFSR.at()] as u16) << 8 | self.ram[ram::LFSR.at() + 1] as u16
    }

    /// Frames with an interrupt, modulo 65,536.
    pub const fn frame_counter(&self) -> u16 {
        self.ram[ram::FRAME_COUNTER.at()] as u16 | (self.ram[ram::FRAME_COUNTER.at() + 1] as u16) << 8
    }

    /// Buttons held on the first pad, or the demo's (see [`crate::buttons`]).
    pub const fn held(&self) -> u8 {
        self.byte(ram::PAD_HELD)
    }

    /// The 200 cells of the playfield, row by row from the top; [`EMPTY`] and up is free.
    pub fn playfield(&self) -> &'a [u8] {
        &self.ram[ram::PLAYFIELD.at()..][..HEIGHT * WIDTH]
    }

    /// The taken cells of the playfield, a row a number from the top, bit 0 being the leftmost
    /// column.
    ///
    /// ```
    /// use tetris::{View, ram};
    ///
    /// let mut bytes = [0; 0x800];
    /// bytes[ram::PLAYFIELD.range()].fill(ram::EMPTY);
    /// bytes[ram::PLAYFIELD.at() + 191] = 0x7B;
    /// assert_eq!(View::new(&bytes).rows()[19], 0b10);
    /// ```
    pub fn rows(&self) -> [u16; HEIGHT] {
        std::array::from_fn(|row| taken(&self.playfield()[row * WIDTH..][..WIDTH]))
    }

    /// The rows -2 and -1, above the playfield, as [`Self::rows`] has the others: the page's last
    /// twenty bytes, because the game's index wraps in eight bits.
    pub fn rows_above(&self) -> [u16; 2] {
        let page = self.bytes(ram::PLAYFIELD);
        let (first, second) = page[page.len() - 2 * WIDTH..].split_at(WIDTH);
        [taken(first), taken(second)]
    }

    /// Is a cell of the playfield taken? False outside of it.
    pub const fn is_taken(&self, row: usize, column: usize) -> bool {
        row < HEIGHT && column < WIDTH && self.ram[ram::PLAYFIELD.at() + row * WIDTH + column] < EMPTY
    }

    /// Returns column and row of the cells of the piece in play that lie in the playfield; none
    /// while no piece is shown. Bytes of a pivot from `$80` up are negative.
    pub fn piece_cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let shown = self.orientation().filter(|orientation| orientation.piece().is_some());
        // A byte of RAM may be any number: 32 bits hold every sum.
        let (x, y) = (i32::from(self.column() as i8), i32::from(self.row() as i8));
        shown.into_iter().flat_map(Orientation::cells).filter_map(move |cell| {
            let column = usize::try_from(x + i32::from(cell.column)).ok()?;
            let row = usize::try_from(y + i32::from(cell.row)).ok()?;
            (column < WIDTH && row < HEIGHT).then_some((column, row))
        })
    }

    /// Was the main thread late: is the interrupt on, but the main loop not waiting for it?
    pub const fn is_late(&self) -> bool {
        self.byte(ram::VBLANK_DONE) != 0 && self.byte(ram::PPUCTRL_COPY) & 0x80 != 0
    }
}

fn taken(cells: &[u8]) -> u16 {
    cells.iter().enumerate().fold(0, |row, (column, &cell)| row | u16::from(cell < EMPTY) << column)
}

/// What a BCD byte means; digits beyond 9 count as they are.
const fn decimal(bcd: u8) -> u32 {
    (bcd >> 4) as u32 * 10 + (bcd & 0x0F) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_are_read_without_a_panic() {
        for byte in 0..=u8::MAX {
            let bytes = [byte; 0x800];
            let view = View::new(&bytes);
            let _ = (view.orientation(), view.piece(), view.next(), view.score(), view.lines());
            let _ = (view.piece_counts(), view.line_counts(), view.playfield(), view.is_taken(99, 99));
            let _ = (view.rows(), view.rows_above(), view.piece_cells().count());
        }
    }

    #[test]
    fn the_cells_of_the_piece_are_those_in_the_playfield_wherever_its_pivot_is() {
        let mut bytes = [0; 0x800];
        let mut cells = |x, y| {
            bytes[ram::PIECE_X.at()] = x;
            bytes[ram::PIECE_Y.at()] = y;
            View::new(&bytes).piece_cells().collect::<Vec<_>>()
        };
        assert_eq!(cells(5, 0), [(4, 0), (5, 0), (6, 0)], "a T with its stem above the top");
        assert_eq!(cells(0xFF, 19), [(0, 19)]);
        for (x, y) in [(0x7F, 5), (5, 0x7F), (0x80, 0x80)] {
            assert_eq!(cells(x, y), []);
        }
        bytes[ram::ORIENTATION.at()] = 0x13;
        assert_eq!(View::new(&bytes).piece_cells().count(), 0);
    }

    #[test]
    fn scores_and_lines_are_decoded() {
        let mut bytes = [0; 0x800];
        bytes[ram::SCORE.range()].copy_from_slice(&[0x56, 0x34, 0x12]);
        bytes[ram::LINES.range()].copy_from_slice(&[0x99, 0x0A]);
        bytes[ram::PIECE_COUNTS.range()].copy_from_slice(&[7, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x12, 0]);
        let view = View::new(&bytes);
        assert_eq!((view.score(), view.lines()), (123_456, 1_099));
        assert_eq!(view.piece_counts(), [107, 0, 0, 0, 0, 0, 12]);
    }
}
