//! Positions to practise tucks and spins in: of our own, as they come up over a flat stack.

use tetris::HEIGHT;
use tetris::Piece::{self, I, J, L, S, T, Z};
use tetris::ram::EMPTY;

use super::NOWHERE;
use crate::state::Memory;
use crate::tiles::{TILE, Tiles};

/// A position for a piece.
struct Setup {
    piece: Piece,
    /// The lowest rows, the last one at the floor; a dot is free.
    rows: &'static [&'static str],
    /// Pivot and orientation that the piece is to get to.
    target: [u8; 3],
}

const fn setup(piece: Piece, rows: &'static [&'static str], target: [u8; 3]) -> Setup {
    Setup { piece, rows, target }
}

/// By number, in the order in which they come round.
const SETUPS: [&[Setup]; 8] = [
    &[setup(Z, &["XX...XXXXX", "XXX...XXXX"], [4, 18, 0x08])],
    &[
        setup(S, &["XXXXX...XX", "XXXX...XXX"], [5, 18, 0x0B]),
        setup(T, &["XXXX..XXXX", "XXXX...XXX", "XXXXX.XXXX"], [5, 18, 0x02]),
    ],
    &[setup(T, &["XXXXX..XXX", "XXXX...XXX", "XXXXX.XXXX"], [5, 18, 0x02])],
    &[setup(I, &["XX....XXXX", "XX.....XXX"], [5, 19, 0x12])],
    &[
        setup(J, &["XX...XXXXX", "XX.....XXX"], [5, 19, 0x05]),
        setup(L, &["XXXXX...XX", "XXX.....XX"], [4, 19, 0x10]),
    ],
    &[
        setup(I, &["XXXX....XX", "XXX.....XX"], [5, 19, 0x12]),
        setup(L, &["XXXX...XXX", "XX.....XXX"], [3, 19, 0x10]),
        setup(J, &["XXX...XXXX", "XXX.....XX"], [6, 19, 0x05]),
        setup(T, &["XX...XXXXX", "XX....XXXX"], [4, 19, 0x00]),
    ],
    &[
        setup(J, &["XXXX..XXXX", "XXX...XXXX", "XXXX..XXXX"], [4, 18, 0x07]),
        setup(L, &["XXXX..XXXX", "XXXX...XXX", "XXXX..XXXX"], [5, 18, 0x0E]),
    ],
    &[
        setup(J, &["XX...XXXXX", "XX.....XXX", "XXXX...XXX"], [5, 18, 0x07]),
        setup(L, &["XXXXX...XX", "XXX.....XX", "XXX...XXXX"], [4, 18, 0x0E]),
    ],
];

fn of(value: u32) -> &'static [Setup] {
    SETUPS[value as usize & 7]
}

/// The pieces of a number, one round.
pub(crate) fn pieces(value: u32) -> &'static [Piece] {
    match value {
        0 => &[Z],
        1 => &[S, T],
        2 => &[T],
        3 => &[I],
        5 => &[I, L, J, T],
        _ => &[J, L],
    }
}

/// The field for a piece.
pub(super) fn field(memory: &mut Memory, value: u32, piece: Option<Piece>) -> Tiles {
    let mut field = Tiles::CLEAR;
    memory.target = NOWHERE;
    let Some(setup) = of(value).iter().find(|setup| Some(setup.piece) == piece) else { return field };
    for (row, text) in (HEIGHT - setup.rows.len()..).zip(setup.rows) {
        for (column, cell) in text.bytes().enumerate() {
            field.set(row, column, if cell == b'.' { EMPTY } else { TILE });
        }
    }
    memory.target = setup.target;
    field
}

#[cfg(test)]
mod tests {
    use ai::{Start, TimedWalk};
    use tetris::Placement;

    use super::*;

    #[test]
    fn every_setup_is_reached_at_level_9_and_never_by_falling() {
        let mut walk = TimedWalk::new();
        for (value, setups) in SETUPS.iter().enumerate() {
            assert_eq!(pieces(value as u32), setups.iter().map(|setup| setup.piece).collect::<Vec<_>>());
            for setup in *setups {
                let mut memory = Memory::default();
                let field = field(&mut memory, value as u32, Some(setup.piece));
                let board = field.playfield();
                let place = Placement::try_from(setup.target).unwrap();
                assert_eq!(place.orientation.piece(), Some(setup.piece), "{value}");
                walk.find(&Start::spawn(board, setup.piece, 6));
                assert!(walk.locks().any(|lock| lock == place), "{value} {}", setup.piece);
                assert_ne!(
                    board.fall(Placement { y: 2, ..place }),
                    place,
                    "{value} {} falls in",
                    setup.piece
                );
            }
        }
    }
}
