//! The last piece of a search on many boards side by side: a lane is a board.
//!
//! Only the columns that a piece touches, and the wells beside them, are counted anew; what lies
//! left and right of them is a sum prepared once a board. A lock that clears rows moves every
//! column: those few are counted whole. The four factors of a board travel as the four bytes of one
//! word: none exceeds 220.

#![allow(clippy::needless_range_loop, reason = "a lane is an index into several arrays at once")]

use tetris::{ALL_ROWS, Orientation, Piece, Placement, Playfield, WIDTH};

use crate::Filter;
use crate::evaluate::{self, Evaluator, Tally, Weights};
use crate::fast::bits;
use crate::fast::reachable_lanes::{ReachableLanes, top_rows};
use crate::filter::Gate;

/// Columns beyond each wall: the wall, and one more that keeps the wall itself from being a well.
const MARGIN: usize = 2;
/// A word a lane.
type Lanes<const LANES: usize> = [u32; LANES];

/// `LANES` boards, each with what led to it, and the best that the next piece makes of each.
#[derive(Clone, Debug)]
pub(crate) struct LeafBatch<const LANES: usize> {
    boards: [Playfield; LANES],
    tallies: [Tally; LANES],
    lines: Lanes<LANES>,
    heights: Lanes<LANES>,
    reach: ReachableLanes<LANES>,
    /// The columns and the margins.
    columns: [Lanes<LANES>; WIDTH + 2 * MARGIN],
    occupied: Lanes<LANES>,
    /// Factors that a piece from column `a` on leaves as they are, to its left; as packed bytes.
    left: [Lanes<LANES>; WIDTH + 1],
    /// The same from column `b` on, to the right of a piece that ends before it.
    right: [Lanes<LANES>; WIDTH + 1],
    /// Rows full in all columns before, and from.
    full_before: [Lanes<LANES>; WIDTH + 1],
    full_from: [Lanes<LANES>; WIDTH + 1],
    best: [f64; LANES],
}

/// An orientation as its columns: for each, its cells as bits from two rows above the pivot.
struct Profile {
    first: i32,
    width: usize,
    masks: [u32; 4],
    /// The pivot's lowest row.
    floor: i32,
}

impl Profile {
    #[inline(always)]
    fn new(orientation: Orientation) -> Self {
        let cells = orientation.cells();
        let (mut first, mut last, mut lowest) = (0, 0, 0);
        for cell in cells {
            first = first.min(i32::from(cell.column));
            last = last.max(i32::from(cell.column));
            lowest = lowest.max(i32::from(cell.row));
        }
        let mut masks = [0; 4];
        for cell in cells {
            masks[(i32::from(cell.column) - first) as usize & 3] |= 1 << (cell.row + 2);
        }
        Self { first, width: (last - first + 1) as usize, masks, floor: 19 - lowest }
    }
}

impl<const LANES: usize> LeafBatch<LANES> {
    pub(crate) fn new() -> Self {
        Self {
            boards: [Playfield::FULL; LANES],
            tallies: [Tally::default(); LANES],
            lines: [0; LANES],
            heights: [0; LANES],
            reach: ReachableLanes::new(),
            columns: [[0; LANES]; WIDTH + 2 * MARGIN],
            occupied: [0; LANES],
            left: [[0; LANES]; WIDTH + 1],
            right: [[0; LANES]; WIDTH + 1],
            full_before: [[0; LANES]; WIDTH + 1],
            full_from: [[0; LANES]; WIDTH + 1],
            best: [f64::INFINITY; LANES],
        }
    }

    pub(crate) fn set(&mut self, lane: usize, board: &Playfield, tally: Tally) {
        self.boards[lane] = *board;
        self.tallies[lane] = tally;
        self.lines[lane] = tally.lines;
        self.heights[lane] = tally.lock_height;
        for (x, &column) in board.columns.iter().enumerate() {
            self.columns[x + MARGIN][lane] = column;
        }
    }

    /// The least rating that the piece reaches on each board; infinite where it has no room. Lanes
    /// from `used` on are not looked at.
    #[inline(always)]
    pub(crate) fn least<const COUNTS: bool>(
        &mut self,
        used: usize,
        piece: Piece,
        evaluator: &Evaluator,
        filter: &Filter,
    ) -> &[f64; LANES] {
        for lane in used..LANES {
            self.set(lane, &Playfield::FULL, Tally::default());
        }
        let mut free = [[0; LANES]; WIDTH];
        let columns = self.columns[MARGIN..MARGIN + WIDTH].as_flattened();
        for (free, column) in free.as_flattened_mut().iter_mut().zip(columns) {
            *free = !column & ALL_ROWS;
        }
        self.occupied = [0; LANES];
        for x in 0..WIDTH {
            for lane in 0..LANES {
                self.occupied[lane] |= self.columns[x + MARGIN][lane];
            }
        }
        let occupied = self.occupied[..used].iter().fold(0, |rows, more| rows | more);
        let gates = (*filter != Filter::None)
            .then(|| -> [Gate; LANES] { std::array::from_fn(|lane| filter.gate(&self.boards[lane], piece)) });
        self.reach.find(&free, gates.as_ref(), top_rows(occupied), piece);
        self.best = [f64::INFINITY; LANES];
        if let Some(weights) = evaluator.weights() {
            self.prepare();
            self.rate_weighted::<COUNTS>(piece, &weights);
        } else {
            self.rate_each(piece, evaluator);
        }
        &self.best
    }

    /// Sums from the left and from the right.
    #[inline(always)]
    fn prepare(&mut self) {
        self.columns[MARGIN - 1] = [ALL_ROWS; LANES];
        self.columns[MARGIN + WIDTH] = [ALL_ROWS; LANES];
        let mut columns = [[0; LANES]; WIDTH];
        let mut wells = [[0; LANES]; WIDTH];
        let mut edges = [[0; LANES]; WIDTH + 1];
        for x in 0..=WIDTH {
            for lane in 0..LANES {
                let (left, own) = (self.columns[x + 1][lane], self.columns[x + 2][lane]);
                edges[x][lane] = ((left ^ own) & self.occupied[lane]).count_ones() << 24;
            }
        }
        for x in 0..WIDTH {
            for lane in 0..LANES {
                let (left, own, right) =
                    (self.columns[x + 1][lane], self.columns[x + 2][lane], self.columns[x + 3][lane]);
                wells[x][lane] = evaluate::well_cells(left, own, right).count_ones();
                columns[x][lane] =
                    evaluate::hole_tops(own).count_ones() << 8 | evaluate::column_transitions(own) << 16;
            }
        }
        self.full_before[0] = [ALL_ROWS; LANES];
        self.full_from[WIDTH] = [ALL_ROWS; LANES];
        for a in 1..=WIDTH {
            for lane in 0..LANES {
                let well = if a >= 2 { wells[a - 2][lane] } else { 0 };
                self.left[a][lane] =
                    self.left[a - 1][lane] + columns[a - 1][lane] + edges[a - 1][lane] + well;
                self.full_before[a][lane] = self.full_before[a - 1][lane] & self.columns[a + 1][lane];
            }
        }
        for b in (0..WIDTH).rev() {
            for lane in 0..LANES {
                let well = if b + 1 < WIDTH { wells[b + 1][lane] } else { 0 };
                self.right[b][lane] = self.right[b + 1][lane] + columns[b][lane] + edges[b + 1][lane] + well;
                self.full_from[b][lane] = self.full_from[b + 1][lane] & self.columns[b + 2][lane];
            }
        }
    }

    #[inline(always)]
    fn rate_weighted<const COUNTS: bool>(&mut self, piece: Piece, weights: &Weights) {
        for turn in 0..Orientation::count(piece) {
            let orientation = Orientation::nth(piece, turn);
            let profile = Profile::new(orientation);
            for x in 0..WIDTH {
                let mut locks = self.reach.locks[turn][x];
                while locks.iter().fold(0, |any, set| any | set) != 0 {
                    let place = (x, orientation);
                    match profile.width {
                        1 => self.round::<1, COUNTS>(&mut locks, &profile, place, weights),
                        2 => self.round::<2, COUNTS>(&mut locks, &profile, place, weights),
                        3 => self.round::<3, COUNTS>(&mut locks, &profile, place, weights),
                        _ => self.round::<4, COUNTS>(&mut locks, &profile, place, weights),
                    }
                }
            }
        }
    }

    /// Takes the topmost lock of each lane and rates what it makes.
    #[inline(always)]
    fn round<const W: usize, const COUNTS: bool>(
        &mut self,
        locks: &mut Lanes<LANES>,
        profile: &Profile,
        (x, orientation): (usize, Orientation),
        weights: &Weights,
    ) {
        let a = (x as i32 + profile.first) as usize;
        if a + W > WIDTH {
            *locks = [0; LANES];
            return;
        }
        // Where the walls are not touched, a row that was empty adds a change at each.
        let walls = u32::from(a > 0) + u32::from(a + W < WIDTH);
        let mut packed = [0; LANES];
        let mut centre = [0; LANES];
        let mut clears = [0; LANES];
        let columns = &self.columns[a..a + W + 2 * MARGIN];
        let (left, right) = (&self.left[a], &self.right[a + W]);
        let (full_before, full_from) = (&self.full_before[a], &self.full_from[a + W]);
        for lane in 0..LANES {
            let bit = locks[lane] & locks[lane].wrapping_neg();
            locks[lane] ^= bit;
            let mut c = [0; 8];
            for k in 0..W + 4 {
                c[k] = columns[k][lane];
            }
            let mut rows = 0;
            let mut full = full_before[lane] & full_from[lane];
            for k in 0..W {
                let cells = bit.wrapping_mul(profile.masks[k]) >> 2 & ALL_ROWS;
                c[k + 2] |= cells;
                rows |= cells;
                full &= c[k + 2];
            }
            let window = (bit << 1 | bit | bit >> 1 | bit >> 2) & ALL_ROWS & !1;
            let fresh = rows & !self.occupied[lane];
            let occupied = rows | self.occupied[lane];
            let mut wells = [0; 6];
            let mut changes = [0; 5];
            let (mut holes, mut ends) = ([0; 4], 0);
            for k in 1..W + 3 {
                wells[k - 1] = evaluate::well_cells(c[k - 1], c[k], c[k + 1]);
            }
            for k in 2..W + 2 {
                holes[k - 2] = evaluate::hole_tops(c[k]);
                // Each run of solid cells ends above a hole or on the floor.
                ends = u32::wrapping_add(ends, c[k] >> 19).wrapping_sub(u32::from(c[k] != 0));
            }
            for k in 1..W + 2 {
                changes[k - 1] = (c[k] ^ c[k + 1]) & occupied;
            }
            let wells = bits::wells::<COUNTS>(wells);
            let holes = bits::holes::<COUNTS>(holes);
            let falls = (2 * holes).wrapping_add(ends);
            let changes = bits::changes::<COUNTS>(changes, fresh, walls);
            packed[lane] = left[lane] + right[lane] + wells + (holes << 8) + (falls << 16) + (changes << 24);
            centre[lane] = bit;
            clears[lane] = full & window;
        }
        self.keep(&packed, &centre, &clears, profile.floor, weights);
        if clears.iter().fold(0, |any, rows| any | rows) != 0 {
            for lane in 0..LANES {
                if clears[lane] != 0 {
                    let y = centre[lane].trailing_zeros() as u8;
                    self.rate_one(
                        lane,
                        Placement { x: x as u8, y, orientation },
                        &Evaluator::Weighted(*weights),
                    );
                }
            }
        }
    }

    /// Weighs the counts of the lanes that locked and cleared nothing.
    #[inline(always)]
    fn keep(
        &mut self,
        packed: &Lanes<LANES>,
        centre: &Lanes<LANES>,
        clears: &Lanes<LANES>,
        floor: i32,
        weights: &Weights,
    ) {
        let mut heights = [0; LANES];
        for lane in 0..LANES {
            // The exponent of a power of two is its bit's number.
            let y = ((centre[lane] as i32 as f32).to_bits() >> 23) as i32 - 127;
            heights[lane] = self.heights[lane].wrapping_add_signed(floor - y);
        }
        for lane in 0..LANES {
            let counts = packed[lane];
            let fitness = weights.sum([
                self.lines[lane],
                heights[lane],
                counts & 0xFF,
                counts >> 8 & 0xFF,
                counts >> 16 & 0xFF,
                counts >> 24,
            ]);
            let counted = centre[lane] != 0 && clears[lane] == 0;
            let fitness = if counted { fitness } else { f64::INFINITY };
            self.best[lane] = if fitness < self.best[lane] { fitness } else { self.best[lane] };
        }
    }

    fn rate_each(&mut self, piece: Piece, evaluator: &Evaluator) {
        for turn in 0..Orientation::count(piece) {
            for x in 0..WIDTH {
                for lane in 0..LANES {
                    let mut rows = self.reach.locks[turn][x][lane];
                    while rows != 0 {
                        let y = rows.trailing_zeros() as u8;
                        let place = Placement { x: x as u8, y, orientation: Orientation::nth(piece, turn) };
                        self.rate_one(lane, place, evaluator);
                        rows &= rows - 1;
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn rate_one(&mut self, lane: usize, place: Placement, evaluator: &Evaluator) {
        let mut board = self.boards[lane];
        let cleared = board.lock_in_window(place);
        let fitness = evaluator.rate(&board, &self.tallies[lane].with(place, cleared));
        if fitness < self.best[lane] {
            self.best[lane] = fitness;
        }
    }
}
