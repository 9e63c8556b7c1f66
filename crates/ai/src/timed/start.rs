//! Where a timed search begins, and what it returns.

use tetris::{Piece, Placement, Playfield, buttons};

/// A piece in the air between two frames, as RAM has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The playfield.
    pub board: Playfield,
    /// Solid cells of the rows -2 and -1, the lowest bit the leftmost cell. The game lets a piece's
    /// cells into those rows and remembers what locks there.
    pub above: [u16; 2],
    /// Where the piece is.
    pub place: Placement,
    /// Frames since it fell (`$65`).
    pub fall_timer: u8,
    /// Frames a row, 1–48.
    pub frames_per_row: u8,
    /// Buttons held in the last frame ([`tetris::buttons`]).
    pub held: u8,
    /// The soft drop's counter (`$6E`): 0 none, 1 and 2 under way.
    pub soft_drop: u8,
}

/// A frame of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Buttons to hold ([`tetris::buttons`]).
    pub buttons: u8,
    /// Where the piece is after the frame. In the last frame it is where it was but does not fall:
    /// it locks.
    pub place: Placement,
}

impl Start {
    /// A piece that has just appeared, with no button held.
    pub const fn spawn(board: Playfield, piece: Piece, frames_per_row: u8) -> Self {
        Self {
            board,
            above: [0; 2],
            place: Placement::spawn(piece),
            fall_timer: 0,
            frames_per_row,
            held: 0,
            soft_drop: 0,
        }
    }

    /// Is Down held without effect, so that it has to be let go before a soft drop?
    pub(super) const fn down_is_spent(&self) -> bool {
        self.held & buttons::DOWN != 0 && self.soft_drop == 0
    }
}

/// Does a piece fall in the frame in which its timer gets to `timer`? The game looks at the sign of
/// a byte.
pub(super) const fn falls(timer: u8, frames_per_row: u8) -> bool {
    (timer.wrapping_sub(frames_per_row) as i8) >= 0
}
