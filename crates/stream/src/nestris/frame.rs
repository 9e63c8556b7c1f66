//! The binary frame: a stream of bits, the most significant first.

use tetris::Piece;

/// Cells of the playfield.
pub const CELLS: usize = 200;

/// Which form. Version 3 is what is sent; the others are what older servers and saved games have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 71 bytes.
    V1,
    /// 72 bytes.
    V2,
    /// 73 bytes.
    V3,
}

/// Game type "classic": an unmodified game with counts of pieces.
const CLASSIC: u32 = 1;

/// The piece in play and the next one, with the counter of the auto shift.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// The counter now, 0–16; `None` if it is not known.
    pub das: Option<u8>,
    /// The next piece.
    pub next: Option<Piece>,
    /// The counter when the piece came in.
    pub spawn_das: Option<u8>,
    /// The piece in play.
    pub current: Option<Piece>,
}

/// A moment of a game. What is `None` is sent as "not known": without a score, lines and level it
/// is no moment of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Number of the game: another one begins another game.
    pub game: u16,
    /// Milliseconds since the producer began, modulo 2^28.
    pub ctime: u32,
    /// Lines.
    pub lines: Option<u32>,
    /// Level.
    pub level: Option<u8>,
    /// Score.
    pub score: Option<u32>,
    /// Pieces and auto shift.
    pub pieces: Pieces,
    /// How often T, J, Z, O, S, L and I came.
    pub counts: Option<[u32; 7]>,
    /// Cells row by row from the top, the piece in play included: 0 free, 1 the tile of T, O and I,
    /// 2 of J and S, 3 of Z, L.
    pub cells: [u8; CELLS],
}

impl Frame {
    /// A moment without a game.
    pub fn menu(game: u16, ctime: u32) -> Self {
        Self {
            game,
            ctime,
            lines: None,
            level: None,
            score: None,
            pieces: Pieces::default(),
            counts: None,
            cells: [0; CELLS],
        }
    }

    /// The frame as bytes. A number too large for its field is the largest that is not "not known".
    pub fn bytes(&self, version: Version) -> Vec<u8> {
        let mut bits = Bits::default();
        let number = match version {
            Version::V1 => 1,
            Version::V2 => 2,
            Version::V3 => 3,
        };
        bits.push(number, 3);
        bits.push(CLASSIC, 2);
        bits.push(0, 3); // the player: the server writes it
        bits.push(self.game.into(), 16);
        bits.push(self.ctime & 0xFFF_FFFF, 28);
        let level = self.level.map(u32::from);
        let counts = if version == Version::V1 {
            bits.optional(self.score, 21);
            bits.optional(self.lines, 9);
            bits.optional(level, 6);
            8
        } else {
            bits.optional(self.lines, 12);
            bits.optional(level, 8);
            bits.optional(self.score, 24);
            if version == Version::V2 { 9 } else { 10 }
        };
        let Pieces { das, next, spawn_das, current } = self.pieces;
        for (das, piece) in [(das, next), (spawn_das, current)] {
            bits.optional(das.map(u32::from), 5);
            bits.optional(piece.map(|piece| piece as u32), 3);
        }
        for piece in 0..7 {
            bits.optional(self.counts.map(|counts| counts[piece]), counts);
        }
        bits.fill();
        for &cell in &self.cells {
            bits.push(u32::from(cell & 3), 2);
        }
        if version == Version::V1 {
            bits.push(0, 8); // one byte more, which nobody reads
        }
        bits.bytes
    }

    /// Is it the same moment of a game, apart from the time?
    pub(crate) fn shows_the_same(&self, other: &Self) -> bool {
        Self { ctime: other.ctime, ..self.clone() } == *other
    }
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    /// Bits of the last byte that are taken.
    taken: u32,
}

impl Bits {
    fn push(&mut self, value: u32, count: u32) {
        for bit in (0..count).rev() {
            if self.taken == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value >> bit & 1) as u8) << (7 - self.taken);
            }
            self.taken = (self.taken + 1) % 8;
        }
    }

    /// All ones if it is not known.
    fn optional(&mut self, value: Option<u32>, count: u32) {
        let unknown = (1 << count) - 1;
        self.push(value.map_or(unknown, |value| value.min(unknown - 1)), count);
    }

    /// Zeros to the end of the byte.
    fn fill(&mut self) {
        self.taken = 0;
    }
}
