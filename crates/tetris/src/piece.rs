//! The seven pieces, in the order in which the game numbers them.

use std::fmt;

/// One of the seven pieces. The discriminant is the game's own number, which orders its statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Piece {
    /// The T, number 0.
    T,
    /// The J, number 1.
    J,
    /// The Z, number 2.
    Z,
    /// The O, number 3.
    O,
    /// The S, number 4.
    S,
    /// The L, number 5.
    L,
    /// The I, number 6.
    I,
}

impl Piece {
    /// The seven pieces in the game's order: `T J Z O S L I`.
    pub const ALL: [Self; 7] = [Self::T, Self::J, Self::Z, Self::O, Self::S, Self::L, Self::I];

    /// The piece's letter, upper case.
    pub const fn letter(self) -> char {
        match self {
            Self::T => 'T',
            Self::J => 'J',
            Self::Z => 'Z',
            Self::O => 'O',
            Self::S => 'S',
            Self::L => 'L',
            Self::I => 'I',
        }
    }

    /// The piece of a letter in either case; `None` for any other character.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_uppercase() {
            'T' => Some(Self::T),
            'J' => Some(Self::J),
            'Z' => Some(Self::Z),
            'O' => Some(Self::O),
            'S' => Some(Self::S),
            'L' => Some(Self::L),
            'I' => Some(Self::I),
            _ => None,
        }
    }

    /// The piece of the game's number; `None` from 7 up.
    pub const fn from_number(number: u8) -> Option<Self> {
        if number < 7 { Some(Self::ALL[number as usize]) } else { None }
    }

    /// The game's number, 0–6.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::Piece;

    #[test]
    fn letters_and_numbers_lead_back_to_their_piece() {
        for (number, piece) in Piece::ALL.into_iter().enumerate() {
            assert_eq!(piece.number() as usize, number);
            assert_eq!(Piece::from_number(piece.number()), Some(piece));
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            assert_eq!(Piece::from_letter(piece.letter().to_ascii_lowercase()), Some(piece));
        }
        assert_eq!(Piece::from_number(7), None);
        assert_eq!(Piece::from_letter('X'), None);
    }
}
