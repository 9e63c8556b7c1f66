//! What the modes lay out in the playfield, and what they look for in it.

mod dig;
mod garbage;
pub(crate) mod setups;
mod t_spin;
mod taps;

use tetris::ram::{self, EMPTY};
use tetris::{HEIGHT, View, WIDTH};

use crate::ram_access::RamAccess;
use crate::state::Memory;
use crate::tiles::{FLOOR, TILE, Tiles};
use crate::{Kind, Mode, Options};

/// No target.
pub(crate) const NOWHERE: [u8; 3] = [0xFF; 3];
/// Rows of the B-type's heights.
const B_ROWS: [usize; 9] = [0, 3, 5, 8, 10, 12, 14, 16, 18];
/// The greatest height that the game makes itself.
const LAST_B_HEIGHT: u32 = 5;

/// A game begins: its first piece hangs at the top.
pub(crate) fn begin(mode: Mode, options: &Options, memory: &mut Memory, hands: &mut RamAccess, view: View) {
    let value = mode.value();
    let size = value as usize;
    match mode.kind() {
        Kind::BType if value > LAST_B_HEIGHT => hands.set_field(&dig::b_type(memory, B_ROWS[size.min(8)])),
        Kind::Floor => {
            memory.floor = value as u8;
            let mut field = Tiles::CLEAR;
            (0..size).for_each(|_| field.lift(FLOOR, None));
            hands.set_field(&field);
        }
        Kind::Crunch => hands.set_field(&crunched(Tiles::CLEAR, value)),
        Kind::Checkerboard => {
            let phase = usize::from(view.frame_counter() as u8 & 1);
            hands.set_field(&dig::checkerboard(B_ROWS[size.min(8)].max(1), phase));
            memory.score = value * 1_000;
            hands.set_score(memory.score);
        }
        Kind::Transition if value < 16 => {
            memory.score = value * 100_000;
            hands.set_score(memory.score);
            hands.set_lines(lines_before_transition(memory.start_level));
        }
        Kind::Marathon if matches!(value, 2 | 4) => {
            memory.level = 0;
            hands.set_level(0);
        }
        Kind::TapQuantity => {
            memory.well = memory.below(WIDTH as u32) as u8;
            memory.next_well = taps::another(memory, memory.well);
            lay(mode, options, memory, hands, view, true);
        }
        Kind::TSpins => {
            t_spin::draw(memory);
            lay(mode, options, memory, hands, view, true);
        }
        Kind::Setups | Kind::Tap => lay(mode, options, memory, hands, view, true),
        Kind::Garbage if value == 0 => garbage::rise(mode, memory, hands, view),
        _ => {}
    }
}

/// The field before a piece, in the modes that put it back each time. `first` is the piece that is
/// in play already.
fn lay(mode: Mode, options: &Options, memory: &mut Memory, hands: &mut RamAccess, view: View, first: bool) {
    let piece = if first { view.piece() } else { view.next() };
    let field = match mode.kind() {
        Kind::Tap => taps::tower(memory, mode.value()),
        Kind::TapQuantity => taps::wells(memory, mode.value(), piece.filter(|_| options.all_pieces)),
        Kind::TSpins => t_spin::field(memory),
        Kind::Setups => setups::field(memory, mode.value(), piece),
        _ => return,
    };
    hands.set_field(&field);
}

/// Between a lock that is counted and the next piece.
pub(crate) fn between(mode: Mode, options: &Options, memory: &mut Memory, hands: &mut RamAccess, view: View) {
    match mode.kind() {
        Kind::TSpins => {
            if memory.was_hit {
                t_spin::draw(memory);
                memory.delay = t_spin::DELAY;
            }
            lay(mode, options, memory, hands, view, false);
        }
        Kind::TapQuantity => {
            if memory.was_hit {
                memory.well = memory.next_well;
                memory.next_well = taps::another(memory, memory.well);
            }
            lay(mode, options, memory, hands, view, false);
        }
        Kind::Tap | Kind::Setups => lay(mode, options, memory, hands, view, false),
        Kind::Crunch => {
            let field = hands.field();
            let whole = crunched(field, mode.value());
            if whole != field {
                hands.set_field(&whole);
            }
        }
        Kind::Garbage => garbage::rise(mode, memory, hands, view),
        _ => {}
    }
}

/// A piece has locked: was it where the mode wants it? Out: may the game go on?
pub(crate) fn lock(mode: Mode, memory: &mut Memory, before: View, after: View) -> bool {
    let placed = [before.column(), before.row(), before.byte(ram::ORIENTATION)];
    if matches!(mode.kind(), Kind::TSpins | Kind::Tap | Kind::TapQuantity | Kind::Setups) {
        memory.was_hit = placed == memory.target
            || matches!(mode.kind(), Kind::Tap | Kind::TapQuantity)
                && memory.target[1] == 0xFF
                && placed[0] == memory.target[0]
                && placed[2] == memory.target[2];
        let count = if memory.was_hit { &mut memory.hits } else { &mut memory.misses };
        *count = count.saturating_add(1);
    }
    mode.kind() != Kind::LowStack || Tiles::of(after).top() >= HEIGHT - mode.value() as usize
}

/// Does no row ever clear?
pub(crate) fn never_clears(mode: Mode) -> bool {
    match mode.kind() {
        Kind::TSpins => true,
        Kind::Floor => mode.value() == 0,
        Kind::TapQuantity => mode.value() >= 16,
        _ => false,
    }
}

/// The field with the columns that are taken from it.
fn crunched(mut field: Tiles, value: u32) -> Tiles {
    let (left, right) = (value as usize >> 2 & 3, value as usize & 3);
    for row in 0..HEIGHT {
        for column in (0..left).chain(WIDTH - right..WIDTH) {
            if field.at(row, column) == EMPTY {
                field.set(row, column, TILE);
            }
        }
    }
    field
}

/// Ten lines less than bring the first level-up; 0 where that comes at ten or never.
fn lines_before_transition(level: u8) -> u32 {
    // As the game compares: tens and hundreds are BCD taken for binary, and the difference is
    // signed.
    let reached = |tens: u32| (tens / 10 * 16 + tens % 10) as u8;
    (1..100).find(|&tens| (level.wrapping_sub(reached(tens)) as i8) < 0).map_or(0, |tens| 10 * (tens - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_level_up_is_where_players_know_it() {
        let ups = [0, 1, 5, 9, 10, 15, 16, 17, 18, 19].map(|level| lines_before_transition(level) + 10);
        assert_eq!(ups, [10, 20, 60, 100, 100, 100, 110, 120, 130, 140]);
        assert_eq!([25, 29].map(|level| lines_before_transition(level) + 10), [200, 200]);
        assert_eq!((129..=255).map(lines_before_transition).max(), Some(0));
    }

    #[test]
    fn a_crunch_of_seven_leaves_six_columns() {
        let field = crunched(Tiles::CLEAR, 7);
        for row in 0..HEIGHT {
            let taken: Vec<usize> = (0..WIDTH).filter(|&column| field.is_taken(row, column)).collect();
            assert_eq!(taken, [0, 7, 8, 9]);
        }
    }
}
