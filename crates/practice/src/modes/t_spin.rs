//! A slot that a T gets into by a turn only.

use tetris::ram::EMPTY;
use tetris::{HEIGHT, WIDTH};

use super::NOWHERE;
use crate::state::Memory;
use crate::tiles::{TILE, Tiles};

/// Frames more before the next piece.
pub(super) const DELAY: u8 = 32;
/// The T that hangs from its flat side, as it spawns.
const T_DOWN: u8 = 2;
/// Rows of the lowest floor.
const LEAST: u8 = 3;

/// A new slot: of a floor of three to six rows, at a column from 0 to 7, under an overhang at one
/// of its sides.
pub(super) fn draw(memory: &mut Memory) {
    let (height, column) = (LEAST + memory.below(4) as u8, memory.below(8) as u8);
    memory.target = [column + 1, HEIGHT as u8 - height + 1, T_DOWN];
    memory.well = memory.below(2) as u8;
}

/// The field of the slot.
pub(super) fn field(memory: &Memory) -> Tiles {
    let mut field = Tiles::CLEAR;
    if memory.target == NOWHERE {
        return field;
    }
    let [x, y, _] = memory.target.map(usize::from);
    for row in y - 1..HEIGHT {
        (0..WIDTH).for_each(|column| field.set(row, column, TILE));
    }
    // The overhang is over the left end of the T or over the right one.
    let open = if memory.well == 0 { [x, x + 1] } else { [x - 1, x] };
    for column in open {
        field.set(y - 1, column, EMPTY);
    }
    (x - 1..=x + 1).for_each(|column| field.set(y, column, EMPTY));
    field.set(y + 1, x, EMPTY);
    field
}

#[cfg(test)]
mod tests {
    use ai::{Start, TimedWalk};
    use tetris::{Piece, Placement};

    use super::*;

    #[test]
    fn every_slot_is_reached_by_a_turn_and_by_nothing_else() {
        let (mut memory, mut walk) = (Memory::default(), TimedWalk::new());
        let mut seen = std::collections::HashSet::new();
        for _ in 0..400 {
            draw(&mut memory);
            seen.insert((memory.target, memory.well));
            let field = field(&memory);
            let board = field.playfield();
            let place = Placement::try_from(memory.target).unwrap();
            walk.find(&Start::spawn(board, Piece::T, 48));
            assert!(walk.locks().any(|lock| lock == place), "{:?}", memory.target);
            // It does not fall in.
            assert_ne!(board.fall(Placement { y: 0, ..place }), place);
            let mut locked = board;
            assert_eq!(locked.lock_in_window(place).lines, 2);
        }
        assert_eq!(seen.len(), 4 * 8 * 2);
    }
}
