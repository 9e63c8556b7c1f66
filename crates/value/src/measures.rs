//! A board after a lock as a few numbers.

use tetris::{ALL_ROWS, HEIGHT, Piece, WIDTH, covered};

use crate::decide::Child;
use crate::format::{Format, Speed};

/// Numbers of a board after a lock.
pub const MEASURES: usize = 24;

/// Their names.
pub const NAMES: [&str; MEASURES] = [
    "landing_height",
    "lines",
    "row_transitions",
    "column_transitions",
    "holes",
    "well_sums",
    "tetris",
    "burnt_lines",
    "right_height",
    "ready_rows",
    "height_squares",
    "covered_well",
    "left_access",
    "roughness",
    "middle_height",
    "hole_rows",
    "inner_wells",
    "inner_transitions",
    "ready_tetris",
    "far_left",
    "far_right",
    "fit",
    "hole_depth",
    "greatest_height",
];

/// Rows cleared, of a clear that is no tetris.
pub(crate) const BURNT: usize = 7;
/// The measure that is a number for each next piece, and not one of [`measure`]'s.
pub(crate) const FIT: usize = 21;
/// The measures of the lock; the others are of the board that it leaves.
pub(crate) const OF_THE_LOCK: [usize; 4] = [0, 1, 6, 7];

/// A number for each measure, or a weight.
pub type Weights = [f32; MEASURES];

/// The greatest height of each column over which a piece can be tapped from where it appears, where
/// it is tapped as fast as the format has it.
pub(crate) type Limits = [i32; WIDTH];

pub(crate) fn limits(format: &Format, speed: Speed) -> Limits {
    std::array::from_fn(|x| {
        let taps = x.abs_diff(5);
        let row = if taps == 0 { 0 } else { speed.row(format.taps.frame(taps - 1)) };
        // The pivot's row and one below it are to be free.
        HEIGHT as i32 - 2 - row as i32
    })
}

/// Measures the board after a lock, and says as bits by their numbers which next pieces find a
/// place without a hole.
///
/// The first six are those of El-Tetris, of all ten columns. Of the rest: whether it was a tetris,
/// lines of other clears; height of the rightmost column; rows above it that lack only that cell,
/// up to 8; a tenth of the heights' squares; covered cells of the rightmost column; how far the
/// leftmost columns rise above the third; steps between the first nine columns; the greatest height
/// of columns 4 to 7; rows with a hole; well sums and row transitions of the first nine columns;
/// whether four such rows are ready; by how much columns left and right of the middle are too high
/// to be reached; solid cells above holes; the greatest height.
#[inline(always)]
pub(crate) fn measure(child: &Child, limits: &Limits) -> (Weights, u8) {
    let columns = &child.board.columns;
    let outer_left = (!columns[0] & ALL_ROWS).count_ones();
    let last_step = (columns[WIDTH - 2] ^ columns[WIDTH - 1]).count_ones();
    let outer_right = (!columns[WIDTH - 1] & ALL_ROWS).count_ones();
    let mut inner_transitions = outer_left;
    let (mut column_transitions, mut holes, mut hole_rows, mut hole_depth) = (0, 0, 0, 0);
    let mut heights = [0i32; WIDTH];
    let mut well_sums = [0u32; WIDTH];
    for x in 0..WIDTH {
        let column = columns[x];
        heights[x] = HEIGHT as i32 - (column | 1 << HEIGHT).trailing_zeros() as i32;
        let left = if x == 0 { ALL_ROWS } else { columns[x - 1] };
        let right = if x == WIDTH - 1 { ALL_ROWS } else { columns[x + 1] };
        if x > 0 && x < WIDTH - 1 {
            inner_transitions += (left ^ column).count_ones();
        }
        column_transitions += ((column ^ (column >> 1 | 1 << (HEIGHT - 1))) & ALL_ROWS).count_ones();
        let free = !column & ALL_ROWS;
        let covered = covered(column);
        holes += covered.count_ones();
        hole_rows |= covered;
        if covered != 0 {
            // Solid cells above the lowest hole.
            hole_depth += (column & ((1 << covered.ilog2()) - 1)).count_ones();
        }
        let mut wells = free & left & right;
        while wells != 0 {
            well_sums[x] += wells.count_ones();
            wells = wells << 1 & free;
        }
    }
    let inner_wells: u32 = well_sums[..WIDTH - 1].iter().sum();
    let nine = columns[..9].iter().fold(ALL_ROWS, |rows, column| rows & column);
    let last = columns[9];
    let open = last ^ last.wrapping_sub(1);
    // Rows above the last column's top that lack only that cell.
    let ready = (nine & !last & open).count_ones().min(8);
    let covered_well = covered(last).count_ones();
    let cells = child.place.cells();
    let (top, bottom) =
        cells.iter().fold((i32::MAX, i32::MIN), |(top, bottom), &(_, y)| (top.min(y), bottom.max(y)));
    let mut roughness = 0;
    // Steps from a column to the next, as bits of the first: up and down by one and two, and none.
    let (mut even, mut up, mut down, mut up_two, mut down_two) = (0u8, 0u8, 0u8, 0u8, 0u8);
    for x in 0..8 {
        let step = heights[x + 1] - heights[x];
        roughness += step.abs();
        even |= u8::from(step == 0) << x;
        up |= u8::from(step == 1) << x;
        down |= u8::from(step == -1) << x;
        up_two |= u8::from(step == 2) << x;
        down_two |= u8::from(step == -2) << x;
    }
    let flat = even & even >> 1;
    let fits = |places: u8, piece: Piece| u8::from(places != 0) << piece as u8;
    let fits = fits(flat | down & up >> 1 | up | down, Piece::T)
        | fits(even | flat | even & down >> 1 | up_two, Piece::J)
        | fits(down & even >> 1 | up, Piece::Z)
        | fits(even, Piece::O)
        | fits(even & up >> 1 | down, Piece::S)
        | fits(even | up & even >> 1 | down_two, Piece::L)
        | u8::from(ready >= 4) << Piece::I as u8;
    let too_high = |x: usize| (heights[x] - limits[x]).max(0);
    let numbers = [
        (39 - top - bottom) as f32 / 2.0,
        child.cleared as f32,
        (inner_transitions + last_step + outer_right) as f32,
        column_transitions as f32,
        holes as f32,
        (inner_wells + well_sums[WIDTH - 1]) as f32,
        f32::from(u8::from(child.cleared == 4)),
        if child.cleared < 4 { child.cleared as f32 } else { 0.0 },
        heights[9] as f32,
        ready as f32,
        heights.iter().map(|&height| height * height).sum::<i32>() as f32 / 10.0,
        covered_well as f32,
        ((heights[2] - heights[0]).max(0) + (heights[2] - heights[1]).max(0)) as f32,
        roughness as f32,
        heights[4..8].iter().fold(0, |most, &height| most.max(height)) as f32,
        hole_rows.count_ones() as f32,
        inner_wells as f32,
        inner_transitions as f32,
        f32::from(u8::from(ready >= 4)),
        (0..5).map(too_high).sum::<i32>() as f32,
        (6..10).map(too_high).sum::<i32>() as f32,
        0.0,
        hole_depth as f32,
        heights.iter().fold(0, |most, &height| most.max(height)) as f32,
    ];
    (numbers, fits)
}
