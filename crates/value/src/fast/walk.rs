//! The walk of all pieces that begin a phase together: a bit of a word is a column.

use crate::format::TAPS;
use crate::pieces::TURNS;
use tetris::{HEIGHT, WIDTH};

/// A row of columns for each orientation: orientation `t` has bits from `16 * t` on.
pub(crate) type Packed = u64;

/// A walk of all pieces of a class: who is where after some taps.
#[derive(Clone, Copy)]
struct Front {
    /// Places, under the orientation in which the piece began.
    pieces: Packed,
    /// Turns since then, in the order of A.
    turned: usize,
}

/// Presses every target of a phase, for all pieces of a class, and tells who comes where by how
/// many taps.
#[inline(always)]
pub(crate) fn walk(
    turns: usize,
    fits: &[Packed; HEIGHT],
    rows: &[u32; TAPS],
    starts: &[[u64; WIDTH]; TURNS],
    mut tell: impl FnMut(usize, usize, usize, u64),
) {
    if rows[0] >= HEIGHT as u32 {
        return;
    }
    let mut pieces = 0;
    for (turn, columns) in starts.iter().enumerate() {
        for (x, &bits) in columns.iter().enumerate() {
            pieces |= u64::from(bits != 0) << (16 * turn + x);
        }
    }
    // Turns by A once, twice, and by B once: as steps in the order of A.
    let plans: &[(usize, usize)] = match turns {
        1 => &[(0, 0)],
        2 => &[(0, 0), (1, 1)],
        _ => &[(0, 0), (1, 1), (2, 1), (1, 3)],
    };
    // Who falls from the row of the tap before to that of this one, under the orientation that it
    // has.
    let mut falls = [u64::MAX; TAPS];
    for tap in 1..TAPS {
        for row in rows[tap - 1] + 1..=rows[tap] {
            falls[tap] &= if row < HEIGHT as u32 { fits[row as usize] } else { 0 };
        }
    }
    let tapped = |front: Front, tap: usize, direction: i32, step: usize| {
        let row = rows[tap].min(HEIGHT as u32 - 1) as usize;
        let before = fits[row].rotate_right(16 * front.turned as u32);
        let turned = (front.turned + step) % TURNS;
        let after = fits[row].rotate_right(16 * turned as u32);
        let fallen = front.pieces & falls[tap].rotate_right(16 * front.turned as u32);
        let shifted = match direction {
            -1 => fallen >> 1,
            1 => fallen << 1,
            _ => fallen,
        };
        Front { pieces: shifted & before & after, turned }
    };
    let mut emit = |front: Front, shifts: i32, taps: usize| {
        let mut pieces = front.pieces;
        while pieces != 0 {
            let at = pieces.trailing_zeros() as usize;
            pieces &= pieces - 1;
            let (began, x) = (at >> 4, at & 15);
            let turn = (began + front.turned) % turns;
            let from = x.wrapping_add_signed(-shifts as isize);
            tell(turn, x, taps, starts[began & 3][from % WIDTH]);
        }
    };
    for &(turnings, step) in plans {
        for direction in [-1, 1] {
            let mut front = Front { pieces, turned: 0 };
            if direction == 1 {
                let mut front = front;
                for tap in 0..turnings {
                    front = tapped(front, tap, 0, step);
                }
                emit(front, 0, turnings);
            }
            for tap in 0..TAPS - 1 {
                front = tapped(front, tap, direction, if tap < turnings { step } else { 0 });
                if front.pieces == 0 {
                    break;
                }
                let mut front = front;
                for tap in tap + 1..turnings {
                    front = tapped(front, tap, 0, step);
                }
                emit(front, direction * (tap as i32 + 1), turnings.max(tap + 1));
            }
        }
    }
}
