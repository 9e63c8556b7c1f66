//! Links that carry a position, a puzzle or a placement of a review, without any server.
//!
//! A link is `maxout:` and up to 47 letters of base64url, so that it fits into any message. A page
//! may put its own address before them: what stands behind the last of `:/#?=&` counts.
//!
//! | bytes | what |
//! |---|---|
//! | 1 | what it is: 1 a position, 2 a puzzle, 3 a placement |
//! | 25 | the board, row by row from the top, the highest bit first |
//! | 1 | the piece times 8, and the next one; 7 for one that is not known |
//! | 1, 2, 1 | level, lines (big endian), taps a second |
//! | 3 | a placement's column, row and orientation; the others have none |
//! | 1 | a checksum of all before it |

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tetris::{HEIGHT, Piece, Placement, Playfield, WIDTH};

use crate::lines::rests;

/// What a link begins with.
const SCHEME: &str = "maxout:";
/// Bytes of the board.
const BOARD: usize = WIDTH * HEIGHT / 8;
/// Bytes without a placement, and with one.
const SHORT: usize = BOARD + 7;
const LONG: usize = SHORT + 3;
/// Letters of a link that are looked at.
const LONGEST: usize = 2_000;

/// What a link is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A position to go on from.
    Position,
    /// A puzzle.
    Puzzle,
    /// A placement that was made.
    Placement(Placement),
}

/// What a link carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// What it is of.
    pub subject: Subject,
    /// The board.
    pub board: Playfield,
    /// The piece.
    pub piece: Piece,
    /// The next piece; `None` if it is not known.
    pub next: Option<Piece>,
    /// The level.
    pub level: u8,
    /// The lines.
    pub lines: u16,
    /// Taps a second.
    pub hertz: u8,
}

/// Why a text is no link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// It is not as long as a link, or has other letters.
    #[error("expected a link of Maxout, {SCHEME} and 43 or 47 letters, digits, - and _, found {0:?}")]
    NoLink(String),
    /// A letter is wrong or missing.
    #[error("the link is damaged: copy all of it again")]
    Damaged,
    /// It says something that cannot be.
    #[error("the link cannot be: expected {0}")]
    Impossible(&'static str),
}

impl Link {
    /// The link as text.
    pub fn text(&self) -> String {
        let mut bytes = vec![match self.subject {
            Subject::Position => 1,
            Subject::Puzzle => 2,
            Subject::Placement(_) => 3,
        }];
        bytes.extend(board_bytes(&self.board));
        bytes.push((self.piece as u8) << 3 | self.next.map_or(7, |next| next as u8));
        bytes.push(self.level);
        bytes.extend(self.lines.to_be_bytes());
        bytes.push(self.hertz);
        if let Subject::Placement(place) = self.subject {
            bytes.extend(<[u8; 3]>::from(place));
        }
        bytes.push(checksum(&bytes));
        format!("{SCHEME}{}", URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Reads a link, or an address that ends with one.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn parse(text: &str) -> Result<Self, LinkError> {
        let none = || LinkError::NoLink(text.chars().take(60).collect());
        let text = text.trim();
        if text.len() > LONGEST {
            return Err(none());
        }
        let code = text.rsplit([':', '/', '#', '?', '=', '&']).next().unwrap_or(text);
        let bytes = URL_SAFE_NO_PAD.decode(code).map_err(|_| none())?;
        let (&sum, rest) = bytes.split_last().ok_or_else(none)?;
        if ![SHORT, LONG].contains(&bytes.len()) {
            return Err(none());
        }
        if sum != checksum(rest) {
            return Err(LinkError::Damaged);
        }
        let board =
            board_of_bytes(&rest[1..=BOARD]).ok_or(LinkError::Impossible("a board without a full row"))?;
        let [pieces, level, high, low, hertz, place @ ..] = &rest[1 + BOARD..] else { return Err(none()) };
        let piece =
            Piece::from_number(pieces >> 3).ok_or(LinkError::Impossible("one of the seven pieces"))?;
        let subject = match (rest[0], place) {
            (1, []) => Subject::Position,
            (2, []) => Subject::Puzzle,
            (3, &[x, y, id]) => {
                let place = Placement::try_from([x, y, id]).ok();
                let place =
                    place.filter(|&place| place.orientation.piece() == Some(piece) && rests(&board, place));
                Subject::Placement(
                    place.ok_or(LinkError::Impossible("a place where the piece fits and rests"))?,
                )
            }
            _ => return Err(LinkError::Impossible("a position, a puzzle or a placement")),
        };
        Ok(Self {
            subject,
            board,
            piece,
            next: Piece::from_number(pieces & 7),
            level: *level,
            lines: u16::from_be_bytes([*high, *low]),
            hertz: *hertz,
        })
    }
}

/// A board as 25 bytes, row by row from the top, the highest bit first.
pub fn board_bytes(board: &Playfield) -> [u8; BOARD] {
    let mut bytes = [0; BOARD];
    for at in 0..WIDTH * HEIGHT {
        let taken = board.columns[at % WIDTH] >> (at / WIDTH) & 1;
        bytes[at / 8] |= (taken as u8) << (7 - at % 8);
    }
    bytes
}

/// The board of 25 bytes. `None` if they are not as many, or a row is full.
pub fn board_of_bytes(bytes: &[u8]) -> Option<Playfield> {
    if bytes.len() != BOARD {
        return None;
    }
    let mut board = Playfield::EMPTY;
    for at in 0..WIDTH * HEIGHT {
        board.columns[at % WIDTH] |= u32::from(bytes[at / 8] >> (7 - at % 8) & 1) << (at / WIDTH);
    }
    let full = board.columns.iter().fold(u32::MAX, |rows, column| rows & column);
    (full == 0).then_some(board)
}

/// CRC-8 with the polynomial 07.
fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| {
        (0..8).fold(sum ^ byte, |sum, _| if sum & 0x80 == 0 { sum << 1 } else { sum << 1 ^ 0x07 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(subject: Subject) -> Link {
        let mut board = Playfield::EMPTY;
        board.columns[..9].fill(0b1111 << 16);
        board.columns[3] = 0b11_1111 << 14;
        Link { subject, board, piece: Piece::I, next: Some(Piece::T), level: 18, lines: 129, hertz: 12 }
    }

    fn well() -> Placement {
        Placement::try_from([9, 18, 0x11]).unwrap()
    }

    #[test]
    fn a_link_says_what_it_was_made_of_in_at_most_a_hundred_letters() {
        for subject in [Subject::Position, Subject::Puzzle, Subject::Placement(well())] {
            let made = link(subject);
            let text = made.text();
            assert!(text.len() <= 54, "{text}");
            assert_eq!(Link::parse(&text), Ok(made));
            let address = text.replace("maxout:", "https://example.org/play?x=1#puzzle=");
            assert_eq!(Link::parse(&address), Ok(made));
        }
        let unknown = Link { next: None, ..link(Subject::Position) };
        assert_eq!(Link::parse(&unknown.text()), Ok(unknown));
    }

    #[test]
    fn a_link_with_a_wrong_letter_is_refused() {
        let text = link(Subject::Placement(well())).text();
        for at in "maxout:".len()..text.len() {
            for other in ['A', 'z', '_', '!'] {
                let mut wrong: Vec<char> = text.chars().collect();
                if std::mem::replace(&mut wrong[at], other) != other {
                    assert!(Link::parse(&wrong.into_iter().collect::<String>()).is_err());
                }
            }
            assert!(Link::parse(&text[..at]).is_err());
        }
        for none in ["", "maxout:", "maxout:AAAA", &"A".repeat(5_000)] {
            assert!(matches!(Link::parse(none), Err(LinkError::NoLink(_))), "{none}");
        }
        let flying = Placement { y: 10, ..well() };
        let error = Link::parse(&link(Subject::Placement(flying)).text()).unwrap_err();
        assert_eq!(error, LinkError::Impossible("a place where the piece fits and rests"));
    }
}
