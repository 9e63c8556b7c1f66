//! A board as one number from each of several small ranges: what the first layer of a net takes.

use tetris::{ALL_ROWS, HEIGHT, Playfield, WIDTH, covered};

/// Numbers of a board.
pub const SLOTS: usize = 40 + 10 + 9 + 8 + 10 + 6;

/// Range of a half row, of a height, of a difference, of two of them, of a column's holes.
const HALF: usize = 32;
const LEVEL: usize = HEIGHT + 1;
const STEP: usize = 13;
const PAIR: usize = 49;
const COVER: usize = 32;
/// Ranges of the numbers of the whole board: holes, rows with any, rows that lack the last column
/// only and whether that one is covered, the greatest height, cells, lines to go.
const WHOLE: [usize; 6] = [21, 16, 18, LEVEL, 51, 26];

/// Inputs of the first layer, one for each number of each range.
pub const INPUTS: usize =
    40 * HALF + 10 * LEVEL + 9 * STEP + 8 * PAIR + 10 * COVER + 21 + 16 + 18 + LEVEL + 51 + 26;

/// The inputs that are on, one of each slot.
pub type Features = [u16; SLOTS];

/// Where the inputs of each slot begin.
const BASES: [u16; SLOTS] = {
    let mut bases = [0; SLOTS];
    let (mut slot, mut base) = (0, 0);
    while slot < SLOTS {
        bases[slot] = base;
        base += match slot {
            0..40 => HALF,
            40..50 => LEVEL,
            50..59 => STEP,
            59..67 => PAIR,
            67..77 => COVER,
            _ => WHOLE[slot - 77],
        } as u16;
        slot += 1;
    }
    assert!(base as usize == INPUTS);
    bases
};

/// Lines to go as one of 26: each of the first ten, then by twos, sixes and fifteens.
const fn to_go(lines: u32) -> u32 {
    match lines {
        0..=10 => lines,
        11..=22 => 11 + (lines - 11) / 2,
        23..=40 => 17 + (lines - 23) / 6,
        41..=115 => 20 + (lines - 41) / 15,
        _ => 25,
    }
}

/// The features of a board with so many lines until the next speed.
#[inline(always)]
pub fn features(board: &Playfield, lines_to_go: u32) -> Features {
    let mut slots = BASES;
    let columns = &board.columns;
    let mut halves = [[0u32; 24]; 2];
    for (x, &column) in columns.iter().enumerate() {
        let rows = &mut halves[x / 5];
        for (y, row) in rows.iter_mut().enumerate() {
            *row |= (column >> y & 1) << (x % 5);
        }
    }
    for y in 0..HEIGHT {
        slots[2 * y] += halves[0][y] as u16;
        slots[2 * y + 1] += halves[1][y] as u16;
    }
    let (mut heights, mut holes, mut hole_rows, mut most, mut cells) = ([0i32; WIDTH], 0, 0, 0, 0);
    for x in 0..WIDTH {
        let column = columns[x];
        let height = HEIGHT as u32 - (column | 1 << HEIGHT).trailing_zeros();
        heights[x] = height as i32;
        slots[40 + x] += height as u16;
        let covered = covered(column);
        let count = covered.count_ones();
        // Solid cells above the first hole.
        let above = if covered == 0 { 0 } else { (covered.trailing_zeros() + height - HEIGHT as u32).min(7) };
        slots[67 + x] += (8 * count.min(3) + above) as u16;
        holes += count;
        hole_rows |= covered;
        cells += column.count_ones();
        most = most.max(height);
    }
    for x in 0..9 {
        slots[50 + x] += ((heights[x + 1] - heights[x]).clamp(-6, 6) + 6) as u16;
    }
    for x in 0..8 {
        let (one, two) = (heights[x + 1] - heights[x], heights[x + 2] - heights[x + 1]);
        slots[59 + x] += (7 * (one.clamp(-3, 3) + 3) + two.clamp(-3, 3) + 3) as u16;
    }
    let nine = columns[..9].iter().fold(ALL_ROWS, |rows, column| rows & column);
    let last = columns[9];
    let open = !last & (last ^ last.wrapping_sub(1));
    let covered_last = u32::from(covered(last) != 0);
    let ready = (nine & open).count_ones().min(8);
    let whole = [
        holes.min(20),
        hole_rows.count_ones().min(15),
        9 * covered_last + ready,
        most,
        (cells / 4).min(50),
        to_go(lines_to_go),
    ];
    for (slot, value) in slots[77..].iter_mut().zip(whole) {
        *slot += value as u16;
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_lies_in_the_range_of_its_slot() {
        let mut state = 1u64;
        for _ in 0..2_000 {
            let mut board = Playfield::EMPTY;
            for column in &mut board.columns {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *column = (state >> 33) as u32 & (state >> 40) as u32 & ALL_ROWS;
            }
            let features = features(&board, (state >> 50) as u32 % 140);
            for slot in 0..SLOTS {
                let end = BASES.get(slot + 1).copied().unwrap_or(INPUTS as u16);
                assert!((BASES[slot]..end).contains(&features[slot]), "slot {slot}");
            }
        }
    }

    #[test]
    fn lines_to_go_rise_in_steps_up_to_25() {
        let steps: Vec<u32> = (0..=130).map(to_go).collect();
        assert!(steps.windows(2).all(|pair| pair[1] == pair[0] || pair[1] == pair[0] + 1));
        assert_eq!((steps[0], steps[130]), (0, 25));
    }
}
