//! Where a piece can be brought by the taps of a format.
//!
//! A *phase* is a target, columns to one side and turns to one side, tapped as fast as the format
//! allows, and at most one *tuck* later on: a shift, a turn, or both in the same or in neighbouring
//! frames. What is decided at the spawn has one phase. Otherwise a piece is sent somewhere first,
//! its *premove*, and has a phase of its own from the frame in which the next piece is known. Every
//! press has to move or turn the piece.
//!
//! Rows are bits of a word, columns are lanes. A piece falling along a run of free rows is one
//! carry of an addition.

use multiversion::multiversion;
use tetris::{ALL_ROWS, HEIGHT, Orientation, Piece, Placement, Playfield, WIDTH};

use crate::Format;
use crate::clock::Clock;
use crate::fast::sweep::Sweep;
use crate::format::{Speed, TAPS};
use crate::pieces::{SHAPES, Shapes, TURNS};

/// A word of rows for each column, three columns of wall before the first and after the last.
type Lanes = [u32; 16];
/// Lane of the leftmost column.
const LEFTMOST: usize = 3;
const ZERO: Lanes = [0; 16];
/// Lanes from here on, and before there, hold columns or the walls beside them.
const INNER: std::ops::Range<usize> = 2..14;
/// Column in which pieces appear.
const SPAWN: usize = LEFTMOST + 5;

/// A place, and who brings a piece there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Where the piece locks.
    pub place: Placement,
    /// Can it be decided at the spawn?
    pub at_once: bool,
    /// The premoves after which it can be reached, as bits by number.
    pub premoves: u64,
}

/// Where a piece waits for the next to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Premove {
    /// How it is turned.
    pub orientation: Orientation,
    /// Column of its pivot.
    pub x: u8,
}

/// A search for places, with the memory that it uses again.
#[derive(Clone, Debug)]
pub struct Reach {
    clocks: [Clock; 4],
    targets: Vec<Target>,
    premoves: Vec<Premove>,
    /// By premove and orientation: lanes of rows in which the piece locks.
    locks: Vec<[Lanes; TURNS]>,
    sweep: Sweep,
}

/// Up to so many premoves it is faster to go through them one by one.
const FEW: usize = 3;

/// A piece somewhere in the air.
#[derive(Clone, Copy)]
struct At {
    turn: usize,
    lane: usize,
    row: u32,
}

/// The places that a phase leads to before its tuck, and what a tuck needs to know of them.
struct Sets {
    /// Where pieces enter a column, to fall there.
    entries: [Lanes; TURNS],
    /// Rows with a frame for a tuck, and with two of them.
    any: [Lanes; TURNS],
    two: [Lanes; TURNS],
}

impl Reach {
    /// A search for a format.
    pub fn new(format: &Format) -> Self {
        Self {
            clocks: Speed::ALL.map(|speed| Clock::new(format, speed)),
            targets: Vec::new(),
            premoves: Vec::new(),
            locks: Vec::new(),
            sweep: Sweep::new(),
        }
    }

    /// Finds every place of a piece that has just appeared.
    pub fn find(&mut self, board: &Playfield, piece: Piece, speed: Speed) -> &[Target] {
        if !self.one_by_one(board, piece, speed, FEW) {
            let Self { clocks, targets, premoves, sweep, .. } = self;
            sweep.search(board, piece as usize, &clocks[speed as usize], premoves, targets);
        }
        &self.targets
    }

    /// The same, premove after premove: what [`Self::find`] is to equal.
    pub fn find_by_definition(&mut self, board: &Playfield, piece: Piece, speed: Speed) -> &[Target] {
        self.one_by_one(board, piece, speed, usize::MAX);
        &self.targets
    }

    /// Finds nothing, and says so, where there are more premoves than `most`.
    fn one_by_one(&mut self, board: &Playfield, piece: Piece, speed: Speed, most: usize) -> bool {
        let Self { clocks, targets, premoves, locks, .. } = self;
        targets.clear();
        premoves.clear();
        locks.clear();
        let clock = &clocks[speed as usize];
        if !search(board, &SHAPES[piece as usize], clock, most, premoves, locks) {
            return false;
        }
        collect(&SHAPES[piece as usize], clock.delay == 0, locks, targets);
        true
    }

    /// What the last search found.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// The premoves of the last search.
    pub fn premoves(&self) -> &[Premove] {
        &self.premoves
    }
}

/// Writes the locks of what is decided at the spawn, then those after each premove, unless there
/// are more than `most`.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt",
))]
fn search(
    board: &Playfield,
    shapes: &Shapes,
    clock: &Clock,
    most: usize,
    premoves: &mut Vec<Premove>,
    locks: &mut Vec<[Lanes; TURNS]>,
) -> bool {
    let fits = fits(board, shapes);
    let spawned = At { turn: 0, lane: SPAWN, row: 0 };
    if fits[0][SPAWN] & 1 == 0 {
        return true;
    }
    let mut starts = [(spawned, 0); 64];
    let mut count = 0;
    let mut sets = Sets { entries: [ZERO; TURNS], any: [ZERO; TURNS], two: [ZERO; TURNS] };
    walk(shapes, &fits, clock, spawned, 0, |at, slot| {
        let rows = fall(&fits, at);
        sets.add(at, rows, clock, slot);
        let start = slot.max(clock.delay);
        // Of a piece that is known in its first frame nothing is to be waited for.
        let waits = clock.delay > 0 || at.turn == 0 && at.lane == SPAWN;
        let row = clock.row(start);
        if waits && row < HEIGHT as u32 && rows >> row & 1 == 1 && count < starts.len() {
            starts[count] = (At { row, ..at }, start);
            count += 1;
        }
    });
    if count > most {
        return false;
    }
    locks.push(sets.locks(shapes, &fits, clock));
    for &(at, start) in &starts[..count] {
        let mut sets = Sets { entries: [ZERO; TURNS], any: [ZERO; TURNS], two: [ZERO; TURNS] };
        walk(shapes, &fits, clock, at, start, |at, slot| {
            let rows = fall(&fits, at);
            sets.add(at, rows, clock, slot);
        });
        let found = sets.locks(shapes, &fits, clock);
        // A piece above the stack may wait in vain: it locks above the top there.
        if found != [ZERO; TURNS] {
            premoves
                .push(Premove { orientation: shapes.orientations[at.turn], x: (at.lane - LEFTMOST) as u8 });
            locks.push(found);
        }
    }
    true
}

/// Gathers the places of all phases.
fn collect(shapes: &Shapes, known: bool, locks: &[[Lanes; TURNS]], targets: &mut Vec<Target>) {
    let Some((at_once, premoves)) = locks.split_first() else { return };
    for turn in 0..shapes.turns {
        for lane in LEFTMOST..LEFTMOST + WIDTH {
            let mut rows = locks.iter().fold(0, |rows, lanes| rows | lanes[turn][lane]);
            while rows != 0 {
                let y = rows.trailing_zeros();
                let reached = premoves.iter().enumerate();
                let premoves = reached
                    .fold(0, |bits, (number, lanes)| bits | u64::from(lanes[turn][lane] >> y & 1) << number);
                targets.push(Target {
                    place: Placement {
                        orientation: shapes.orientations[turn],
                        x: (lane - LEFTMOST) as u8,
                        y: y as u8,
                    },
                    at_once: !known && at_once[turn][lane] >> y & 1 == 1,
                    premoves,
                });
                rows &= rows - 1;
            }
        }
    }
}

/// By orientation and column: the rows in which the pivot may be.
#[inline(always)]
fn fits(board: &Playfield, shapes: &Shapes) -> [Lanes; TURNS] {
    // Two rows above the top are free; below the floor everything is solid, as are the walls.
    let mut solid = [u32::MAX; 16];
    for (lane, column) in solid[LEFTMOST..].iter_mut().zip(board.columns) {
        *lane = column << 2 | u32::MAX << (HEIGHT + 2);
    }
    let mut fits = [ZERO; TURNS];
    for (fits, cells) in fits.iter_mut().zip(&shapes.cells).take(shapes.turns) {
        let mut taken = ZERO;
        for cell in cells {
            let shift = (cell.row + 2) as u32;
            for lane in LEFTMOST..LEFTMOST + WIDTH {
                taken[lane] |= solid[lane.wrapping_add_signed(cell.column.into()) & 15] >> shift;
            }
        }
        for lane in LEFTMOST..LEFTMOST + WIDTH {
            fits[lane] = !taken[lane] & ALL_ROWS;
        }
    }
    fits
}

/// The rows through which a piece falls from where it is, this one included.
#[inline(always)]
fn fall(fits: &[Lanes; TURNS], at: At) -> u32 {
    let free = fits[at.turn][at.lane] >> at.row;
    ((1 << free.trailing_ones()) - 1) << at.row
}

/// Presses every target of a phase that begins in frame `begin`, and tells where the piece is in
/// the frame of its last tap and from which frame on it may be tucked.
#[inline(always)]
fn walk(
    shapes: &Shapes,
    fits: &[Lanes; TURNS],
    clock: &Clock,
    start: At,
    begin: u32,
    mut tell: impl FnMut(At, u32),
) {
    // Turns by A once, twice, and by B once: as steps in the order of A.
    let plans: &[(usize, usize)] = match shapes.turns {
        1 => &[(0, 0)],
        2 => &[(0, 0), (1, 1)],
        _ => &[(0, 0), (1, 1), (2, 1), (1, 3)],
    };
    let mut rows = [0; TAPS];
    for (row, tap) in rows.iter_mut().zip(clock.taps) {
        *row = clock.row(begin + tap);
    }
    for &(turnings, step) in plans {
        for direction in [usize::MAX, 1] {
            // Shifts at every tap; where there are fewer of them than turns, the walk turns off
            // after them.
            let mut at = start;
            if turnings == 0 {
                if direction == 1 {
                    tell(at, begin);
                }
            } else if direction == 1
                && let Some(at) = press(shapes, fits, at, &rows, 0, turnings, 0, step)
            {
                tell(at, begin + clock.taps[turnings]);
            }
            for tap in 0..TAPS - 1 {
                let turn = if tap < turnings { step } else { 0 };
                let Some(next) = tapped(shapes, fits, at, &rows, tap, direction, turn) else { break };
                at = next;
                if tap + 1 >= turnings {
                    tell(at, begin + clock.taps[tap + 1]);
                } else if let Some(at) = press(shapes, fits, at, &rows, tap + 1, turnings, 0, step) {
                    tell(at, begin + clock.taps[turnings]);
                }
            }
        }
    }
}

/// The taps from one number to another, all alike.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "all of them change from call to call")]
fn press(
    shapes: &Shapes,
    fits: &[Lanes; TURNS],
    mut at: At,
    rows: &[u32; TAPS],
    from: usize,
    to: usize,
    direction: usize,
    step: usize,
) -> Option<At> {
    for tap in from..to {
        at = tapped(shapes, fits, at, rows, tap, direction, step)?;
    }
    Some(at)
}

/// A piece after a tap, if it has not locked before and the tap moves it. `direction` is a
/// difference of columns, `step` of turns in the order of A.
#[inline(always)]
fn tapped(
    shapes: &Shapes,
    fits: &[Lanes; TURNS],
    at: At,
    rows: &[u32; TAPS],
    tap: usize,
    direction: usize,
    step: usize,
) -> Option<At> {
    let row = rows[tap];
    // Through all rows down to this one.
    if row >= HEIGHT as u32 || fall(fits, at) >> row & 1 == 0 {
        return None;
    }
    let lane = at.lane.wrapping_add(direction);
    let turn = (at.turn + step) % shapes.turns;
    let free = fits[at.turn][lane] & fits[turn][lane];
    (free >> row & 1 == 1).then_some(At { turn, lane, row })
}

impl Sets {
    #[inline(always)]
    fn add(&mut self, at: At, rows: u32, clock: &Clock, slot: u32) {
        self.entries[at.turn][at.lane] |= 1 << at.row;
        self.any[at.turn][at.lane] |= rows & clock.any(slot);
        self.two[at.turn][at.lane] |= rows & clock.two(slot);
    }

    /// Where the piece locks, with a tuck or without.
    #[inline(always)]
    fn locks(mut self, shapes: &Shapes, fits: &[Lanes; TURNS], clock: &Clock) -> [Lanes; TURNS] {
        let turnings: &[usize] = match shapes.turns {
            1 => &[],
            2 => &[1],
            _ => &[1, 3],
        };
        for turn in 0..shapes.turns {
            let (any, two) = (&self.any[turn], &self.two[turn]);
            let here = &fits[turn];
            for lane in INNER {
                self.entries[turn][lane] |= (any[lane - 1] | any[lane + 1]) & here[lane];
            }
            for &step in turnings {
                let other = (turn + step) % shapes.turns;
                let there = &fits[other];
                // Turned in its column, and then, a row further down.
                let mut fallen = ZERO;
                for lane in 0..16 {
                    self.entries[other][lane] |= any[lane] & there[lane];
                    fallen[lane] = drop(any[lane] & there[lane], there[lane], clock.at_once);
                }
                for lane in INNER {
                    // Shifted and turned in one frame or within a row.
                    let shifted = (any[lane - 1] | any[lane + 1]) & here[lane];
                    // Shifted, fallen, turned.
                    let turned = (shifted | drop(shifted, here[lane], clock.at_once)) & there[lane];
                    // Turned and shifted within a row; turned, fallen, shifted.
                    let within = two[lane - 1] & there[lane - 1] | two[lane + 1] & there[lane + 1];
                    let later = (within | fallen[lane - 1] | fallen[lane + 1]) & there[lane];
                    self.entries[other][lane] |= turned | later;
                }
            }
        }
        let mut locks = [ZERO; TURNS];
        for turn in 0..shapes.turns {
            let inside = ALL_ROWS << shapes.first_row[turn];
            for lane in 0..16 {
                let (free, entries) = (fits[turn][lane], self.entries[turn][lane]);
                // The carry of an addition runs down each run of free rows from the entry on.
                let rows = free & (!free.wrapping_add(entries) | entries);
                locks[turn][lane] = rows & !(free >> 1) & inside;
            }
        }
        locks
    }
}

/// Rows after a fall, through rows that are free.
#[inline(always)]
fn drop(rows: u32, free: u32, at_once: u32) -> u32 {
    let one = rows << 1 & free;
    if at_once == 2 { one << 1 & free } else { one }
}
