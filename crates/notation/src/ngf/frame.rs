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

impl Version {
    /// The version of a frame that begins with these bytes.
    ///
    /// # Errors
    /// When there is no byte, or it names no version.
    pub fn of(bytes: &[u8]) -> Result<Self, FrameError> {
        match bytes.first().map(|first| first >> 5) {
            Some(1) => Ok(Self::V1),
            Some(2) => Ok(Self::V2),
            Some(3) => Ok(Self::V3),
            Some(other) => Err(FrameError::Version(other)),
            None => Err(FrameError::Empty),
        }
    }

    /// Its number, 1 to 3.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// Bytes of a frame.
    pub const fn size(self) -> usize {
        70 + self.number() as usize
    }

    const fn bits_of_a_count(self) -> u32 {
        7 + self.number() as u32
    }
}

/// Bytes of the longest frame.
const LONGEST: usize = Version::V3.size();

/// Bytes that may be missing at the end of a frame.
const PADDING: usize = 51;

/// Why bytes are no frame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// There is no byte.
    #[error("expected a frame, found no byte")]
    Empty,
    /// No version that is known.
    #[error("expected a frame of version 1, 2 or 3, found version {0}")]
    Version(u8),
    /// Too long, or too short.
    #[error("a frame of version {version}: expected up to {} bytes, found {found}", 70 + version)]
    Length {
        /// The version.
        version: u8,
        /// Bytes that there are.
        found: usize,
    },
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
    pub counts: [Option<u32>; 7],
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
            counts: [None; 7],
            cells: [0; CELLS],
        }
    }

    /// The frame as bytes. A number too large for its field is the largest that is not "not known".
    pub fn bytes(&self, version: Version) -> Vec<u8> {
        let mut bits = Bits::default();
        bits.push(version.number().into(), 3);
        bits.push(CLASSIC, 2);
        bits.push(0, 3); // the player: the server writes it
        bits.push(self.game.into(), 16);
        bits.push(self.ctime & 0xFFF_FFFF, 28);
        let level = self.level.map(u32::from);
        if version == Version::V1 {
            bits.optional(self.score, 21);
            bits.optional(self.lines, 9);
            bits.optional(level, 6);
        } else {
            bits.optional(self.lines, 12);
            bits.optional(level, 8);
            bits.optional(self.score, 24);
        }
        let Pieces { das, next, spawn_das, current } = self.pieces;
        for (das, piece) in [(das, next), (spawn_das, current)] {
            bits.optional(das.map(u32::from), 5);
            bits.optional(piece.map(|piece| piece as u32), 3);
        }
        for count in self.counts {
            bits.optional(count, version.bits_of_a_count());
        }
        bits.fill();
        for &cell in &self.cells {
            bits.push(u32::from(cell & 3), 2);
        }
        if version == Version::V1 {
            bits.push(0, 8); // an unused byte
        }
        bits.bytes
    }

    /// Reads a frame, whose version its first byte tells. A frame may be shorter by up to 51 bytes,
    /// which are zeros then.
    ///
    /// # Errors
    /// [`FrameError`].
    pub fn read(bytes: &[u8]) -> Result<Self, FrameError> {
        let version = Version::of(bytes)?;
        let size = version.size();
        if bytes.len() > size || bytes.len() + PADDING < size {
            return Err(FrameError::Length { version: version.number(), found: bytes.len() });
        }
        let mut whole = [0; LONGEST];
        whole[..bytes.len()].copy_from_slice(bytes);
        let mut bits = Reading { bytes: &whole, at: 8 };
        let (game, ctime) = (bits.take(16) as u16, bits.take(28));
        let (lines, level, score);
        if version == Version::V1 {
            score = bits.optional(21);
            lines = bits.optional(9);
            level = bits.optional(6);
        } else {
            lines = bits.optional(12);
            level = bits.optional(8);
            score = bits.optional(24);
        }
        let mut pair = || {
            let das = bits.optional(5).map(|das| das as u8);
            (das, Piece::from_number(bits.take(3) as u8))
        };
        let ((das, next), (spawn_das, current)) = (pair(), pair());
        let counts = std::array::from_fn(|_| bits.optional(version.bits_of_a_count()));
        bits.fill();
        let cells = std::array::from_fn(|_| bits.take(2) as u8);
        let level = level.map(|level| level as u8);
        Ok(Self {
            game,
            ctime,
            lines,
            level,
            score,
            pieces: Pieces { das, next, spawn_das, current },
            counts,
            cells,
        })
    }

    /// Returns whether it shows the same moment of a game, apart from the time.
    pub fn shows_the_same(&self, other: &Self) -> bool {
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

struct Reading<'a> {
    bytes: &'a [u8; LONGEST],
    /// Bits that were read.
    at: usize,
}

impl Reading<'_> {
    fn take(&mut self, count: u32) -> u32 {
        let bit = |at: usize| u32::from(self.bytes[at / 8] >> (7 - at % 8) & 1);
        let value = (self.at..self.at + count as usize).fold(0, |value, at| value << 1 | bit(at));
        self.at += count as usize;
        value
    }

    /// None if all bits are ones.
    fn optional(&mut self, count: u32) -> Option<u32> {
        let value = self.take(count);
        (value != (1 << count) - 1).then_some(value)
    }

    /// To the end of the byte.
    fn fill(&mut self) {
        self.at = self.at.next_multiple_of(8);
    }
}
