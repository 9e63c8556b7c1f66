//! Rows from below.

use tetris::ram::{self, EMPTY};
use tetris::{HEIGHT, View, WIDTH};

use crate::Mode;
use crate::ram_access::RamAccess;
use crate::state::Memory;
use crate::tiles::{FLOOR, TILE, Tiles};

/// The right column, in which the well of the first kind is.
const RIGHT: usize = WIDTH - 1;
/// The stack's top row from which on chance, and from which on every second piece, brings rows.
const LOW: usize = 13;
const HARD_LOW: usize = 10;
/// Blocks of a row that a dig begins under, and where it ends.
const BULKY: usize = 4;
const DIG_END: usize = 192;

/// What comes up before the next piece.
pub(super) fn rise(mode: Mode, memory: &mut Memory, hands: &mut RamAccess, view: View) {
    let mut field = hands.field();
    let (rows, hole) = match mode.value() {
        0 => (missing_for_a_tetris(&field), RIGHT),
        1 => (by_chance(memory, &field), memory.below(10) as usize),
        2 => (by_chance(memory, &field), open_column(&field)),
        3 => {
            let now = field.top() >= HARD_LOW && view.byte(ram::SPAWN_COUNT) & 1 == 0;
            (usize::from(now), memory.below(10) as usize)
        }
        _ => {
            scramble(memory, &mut field);
            hands.set_field(&field);
            return;
        }
    };
    if rows > 0 {
        (0..rows).for_each(|_| field.lift(TILE, Some(hole)));
        hands.set_field(&field);
    }
}

/// Of the lowest four rows, those that are not full but for the right column.
fn missing_for_a_tetris(field: &Tiles) -> usize {
    (HEIGHT - 4..HEIGHT).filter(|&row| field.row(row)[..RIGHT].contains(&EMPTY)).count()
}

/// None to three rows, each three to ten pieces, while the stack is low.
fn by_chance(memory: &mut Memory, field: &Tiles) -> usize {
    if field.top() < LOW {
        return 0;
    }
    let mut rows = 0;
    if memory.garbage_delay == 0 {
        rows = memory.below(4) as usize;
        memory.garbage_delay = 3 + memory.below(8) as u8;
    }
    memory.garbage_delay -= 1;
    rows
}

/// The rightmost free cell of the last row; the first column if there is none.
fn open_column(field: &Tiles) -> usize {
    (0..WIDTH).rev().find(|&column| !field.is_taken(HEIGHT - 1, column)).unwrap_or(0)
}

/// From four or five rows under the first row with four blocks on, cells are turned over, one to
/// ten cells apart.
fn scramble(memory: &mut Memory, field: &mut Tiles) {
    let count = |row: &usize| field.row(*row).iter().filter(|&&cell| cell < EMPTY).count();
    let Some(top) = (0..HEIGHT - 1).find(|row| count(row) >= BULKY) else { return };
    let mut at = top * WIDTH + 42;
    loop {
        at += memory.below(10) as usize;
        let Some(cell) = field.cells.get_mut(at) else { return };
        *cell = if *cell == EMPTY { FLOOR } else { EMPTY };
        if at >= DIG_END {
            return;
        }
        // A cell that is turned over twice would be as it was.
        at += 1;
    }
}
