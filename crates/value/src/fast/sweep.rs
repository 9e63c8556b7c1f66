//! All premoves of a piece at once: the places that [`crate::reach`] finds for one after the other.
//!
//! Pieces that wait for the same frame are a *class*, those that are decided at the spawn another;
//! each of a class is a bit. The walk of a class goes by words in which a bit is a column. A tuck
//! depends on how late the last tap was and on nothing else that tells premoves apart: so the tucks
//! of a column are worked out once, each with the latest tap that it allows. The test below
//! compares targets and premoves with the definition's.

use crate::clock::{Clock, NO_ROW};
use crate::format::TAPS;
use crate::pieces::{SHAPES, Shapes, TURNS};
use crate::reach::{Premove, Target};
use tetris::{ALL_ROWS, HEIGHT, Placement, Playfield, WIDTH};

use super::walk::{Packed, walk};

/// The bit of what is decided at the spawn.
const AT_ONCE: u64 = 1 << 63;

/// Free rows that follow each other in a column, in which a piece falls to the last.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    rows: u32,
    bottom: u8,
    /// What reaches it.
    bits: u64,
}

/// Runs of a column: no more than every second row.
const RUNS: usize = HEIGHT / 2;

/// Those that begin a phase in the same frame.
#[derive(Clone, Debug)]
struct Class {
    begin: u32,
    /// By orientation and column.
    starts: [[u64; WIDTH]; TURNS],
    /// Rows of the taps.
    rows: [u32; TAPS],
    /// By orientation, column and number of taps: who gets there by them.
    there: [[[u64; TAPS]; WIDTH]; TURNS],
}

/// Memory that is used again.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    classes: Vec<Class>,
    runs: [[[Run; RUNS]; WIDTH]; TURNS],
    counts: [[u8; WIDTH]; TURNS],
    columns: [[u32; WIDTH]; TURNS],
    rows: [Packed; HEIGHT],
}

impl Sweep {
    pub(crate) fn new() -> Self {
        Self {
            classes: Vec::new(),
            runs: [[[Run::default(); RUNS]; WIDTH]; TURNS],
            counts: [[0; WIDTH]; TURNS],
            columns: [[0; WIDTH]; TURNS],
            rows: [0; HEIGHT],
        }
    }

    /// Finds targets and premoves.
    pub(crate) fn search(
        &mut self,
        board: &Playfield,
        piece: usize,
        clock: &Clock,
        premoves: &mut Vec<Premove>,
        targets: &mut Vec<Target>,
    ) {
        sweep(self, board, &SHAPES[piece], clock, premoves, targets);
    }
}

impl Class {
    #[inline(always)]
    fn new(clock: &Clock, begin: u32) -> Self {
        let mut rows = [0; TAPS];
        for (row, tap) in rows.iter_mut().zip(clock.taps) {
            *row = clock.row(begin + tap);
        }
        Self { begin, starts: [[0; WIDTH]; TURNS], rows, there: [[[0; TAPS]; WIDTH]; TURNS] }
    }

    /// Row of the last of so many taps.
    #[inline(always)]
    fn entry(&self, taps: usize) -> u32 {
        self.rows[taps.saturating_sub(1)]
    }
}

#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt",
))]
fn sweep(
    memory: &mut Sweep,
    board: &Playfield,
    shapes: &Shapes,
    clock: &Clock,
    premoves: &mut Vec<Premove>,
    targets: &mut Vec<Target>,
) {
    memory.fill(board, shapes);
    if memory.columns[0][5] & 1 == 0 {
        return;
    }
    let Sweep { classes, runs, counts, columns, rows } = memory;
    classes.clear();
    let mut at_once = Class::new(clock, 0);
    at_once.starts[0][5] = AT_ONCE;
    classes.push(at_once);
    let mut full = AT_ONCE;
    let mut waiting = [(0, 0); 64];
    let mut count = 0;
    {
        let Class { rows: taps, starts, there, .. } = &mut classes[0];
        let taps = *taps;
        walk(shapes.turns, rows, &taps, starts, |turn, x, number, bits| {
            there[turn][x][number] |= bits;
            // A piece that falls to the frame in which the next is known.
            let start = clock.taps[number].max(clock.delay);
            let entry = taps[number.saturating_sub(1)];
            let row = clock.row(start);
            // Of a piece that is known in its first frame nothing is to be waited for.
            let waits = clock.delay > 0 || turn == 0 && x == 5;
            if waits && row < HEIGHT as u32 && run(columns[turn][x], entry) >> row & 1 == 1 && count < 63 {
                waiting[count] = (turn << 8 | x, start);
                count += 1;
            }
        });
    }
    for (number, &(place, start)) in waiting[..count].iter().enumerate() {
        let at = classes[1..].iter().position(|class| class.begin == start).map(|at| at + 1);
        let at = at.unwrap_or_else(|| {
            classes.push(Class::new(clock, start));
            classes.len() - 1
        });
        classes[at].starts[place >> 8][place & 0xFF] |= 1 << number;
        full |= 1 << number;
    }
    for class in &mut classes[1..] {
        let Class { rows: taps, starts, there, .. } = class;
        walk(shapes.turns, rows, taps, starts, |turn, x, number, bits| there[turn][x][number] |= bits);
    }
    without_tucks(shapes.turns, classes, runs, counts);
    tucks(shapes.turns, classes, clock, columns, runs, counts, full);
    collect(shapes, clock, runs, counts, &waiting[..count], premoves, targets);
}

impl Sweep {
    /// Where each orientation fits: by column as rows, by row as columns, and the runs of the
    /// columns.
    #[inline(always)]
    fn fill(&mut self, board: &Playfield, shapes: &Shapes) {
        // Two rows above the top are free; below the floor everything is solid, as are the walls.
        let mut solid = [0x7_u32 | u32::MAX << (3 + WIDTH); HEIGHT + 4];
        solid[HEIGHT + 2] = u32::MAX;
        solid[HEIGHT + 3] = u32::MAX;
        for (x, &column) in board.columns.iter().enumerate() {
            for (y, row) in solid[2..HEIGHT + 2].iter_mut().enumerate() {
                *row |= (column >> y & 1) << (x + 3);
            }
        }
        self.rows = [0; HEIGHT];
        for turn in 0..shapes.turns {
            let mut taken = [0u32; HEIGHT];
            for cell in shapes.cells[turn] {
                let (down, right) = ((cell.row + 2) as usize, (cell.column + 3) as u32);
                for (taken, row) in taken.iter_mut().zip(&solid[down..down + HEIGHT]) {
                    *taken |= row >> right;
                }
            }
            let mut fits = [0u32; HEIGHT];
            for (fits, taken) in fits.iter_mut().zip(taken) {
                *fits = !taken & ((1 << WIDTH) - 1);
            }
            for (packed, fits) in self.rows.iter_mut().zip(fits) {
                // An orientation comes round again after so many turns.
                let mut field = turn;
                while field < TURNS {
                    *packed |= u64::from(fits) << (16 * field);
                    field += shapes.turns;
                }
            }
            let mut columns = [0u32; WIDTH];
            for (x, column) in columns.iter_mut().enumerate() {
                for (y, fits) in fits.iter().enumerate() {
                    *column |= (fits >> x & 1) << y;
                }
            }
            self.columns[turn] = columns;
            for (x, &column) in columns.iter().enumerate() {
                let (mut free, mut count) = (column, 0);
                while free != 0 {
                    let top = free.trailing_zeros();
                    let length = (free >> top).trailing_ones();
                    let rows = ((1 << length) - 1) << top;
                    self.runs[turn][x][count] = Run { rows, bottom: (top + length - 1) as u8, bits: 0 };
                    count += 1;
                    free ^= rows;
                }
                self.counts[turn][x] = count as u8;
            }
        }
    }
}

/// The rows through which a piece falls from a free row, that one included.
#[inline(always)]
fn run(free: u32, row: u32) -> u32 {
    ((1 << (free >> row).trailing_ones()) - 1) << row
}

type Runs = [[[Run; RUNS]; WIDTH]; TURNS];
type Counts = [[u8; WIDTH]; TURNS];

/// Everybody falls to the end of the run to which the last tap brought it.
#[inline(always)]
fn without_tucks(turns: usize, classes: &[Class], runs: &mut Runs, counts: &Counts) {
    for class in classes {
        for turn in 0..turns {
            for x in 0..WIDTH {
                let there = &class.there[turn][x];
                let everybody = there.iter().fold(0, |all, bits| all | bits);
                if everybody == 0 {
                    continue;
                }
                let runs = &mut runs[turn][x][..usize::from(counts[turn][x]).min(RUNS)];
                if let [run] = runs {
                    run.bits |= everybody;
                    continue;
                }
                for (taps, bits) in there.iter().enumerate() {
                    if *bits != 0 {
                        let entry = class.entry(taps);
                        for run in &mut *runs {
                            if run.rows >> entry & 1 == 1 {
                                run.bits |= bits;
                            }
                        }
                    }
                }
            }
        }
    }
}

/// By a number of taps: who has come to a run by fewer.
type Before = [u64; TAPS + 1];

/// From every run the tucks to the runs beside it, unless all have come there already.
#[inline(always)]
fn tucks(
    turns: usize,
    classes: &[Class],
    clock: &Clock,
    columns: &[[u32; WIDTH]; TURNS],
    runs: &mut Runs,
    counts: &Counts,
    full: u64,
) {
    let turnings: &[usize] = match turns {
        1 => &[],
        2 => &[1],
        _ => &[1, 3],
    };
    // Columns into which somebody has yet to come.
    let mut open = [0u16; TURNS];
    for turn in 0..turns {
        for x in 0..WIDTH {
            let runs = &runs[turn][x][..usize::from(counts[turn][x]).min(RUNS)];
            open[turn] |= u16::from(runs.iter().any(|run| run.bits != full)) << x;
        }
    }
    let visited = clock.any(0);
    let mut before: [Before; TAPS + 2] = [[0; TAPS + 1]; TAPS + 2];
    for turn in 0..turns {
        let near = turnings.iter().fold(open[turn], |near, step| near | open[(turn + step) % turns]);
        let near = near | near << 1 | near >> 1;
        for x in 0..WIDTH {
            if near >> x & 1 == 0 {
                continue;
            }
            for number in 0..usize::from(counts[turn][x]).min(RUNS) {
                let from = runs[turn][x][number].rows;
                let mut anybody = 0;
                for (class, before) in classes.iter().zip(&mut before) {
                    let mut so_far = 0;
                    for taps in 0..TAPS {
                        if from >> class.entry(taps).min(31) & 1 == 1 {
                            so_far |= class.there[turn][x][taps];
                        }
                        before[taps + 1] = so_far;
                    }
                    anybody |= so_far;
                }
                if anybody == 0 {
                    continue;
                }
                let rows = from & visited;
                let mut arrive = |turn: usize, x: usize, same: u32, fallen: u32, two: u32| {
                    for run in &mut runs[turn][x][..usize::from(counts[turn][x]).min(RUNS)] {
                        if run.bits == full {
                            continue;
                        }
                        let once = same & run.rows | (fallen & run.rows) >> clock.at_once;
                        let (once, two) = (lowest(once), lowest(two & run.rows));
                        for (class, before) in classes.iter().zip(&before) {
                            let latest = clock.latest(class.begin, once, two);
                            run.bits |= before[latest];
                        }
                    }
                };
                let sides = [x.wrapping_sub(1), x + 1];
                for side in sides {
                    if side < WIDTH && open[turn] >> side & 1 == 1 {
                        arrive(turn, side, rows & columns[turn][side], 0, 0);
                    }
                }
                for step in turnings {
                    let other = (turn + step) % turns;
                    let there = columns[other][x];
                    if open[other] >> x & 1 == 1 {
                        arrive(other, x, rows & there, 0, 0);
                    }
                    let fallen = drop(rows & there, there, clock.at_once);
                    for side in sides {
                        if side < WIDTH && open[other] >> side & 1 == 1 {
                            let (here, there_beside) = (columns[turn][side], columns[other][side]);
                            let shifted = rows & here;
                            arrive(
                                other,
                                side,
                                shifted & there_beside,
                                (drop(shifted, here, clock.at_once) | fallen) & there_beside,
                                from & there & there_beside,
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Number of the lowest row of a set.
#[inline(always)]
fn lowest(rows: u32) -> usize {
    rows.checked_ilog2().map_or(NO_ROW, |row| row as usize)
}

/// Rows after a fall, through rows that are free.
#[inline(always)]
fn drop(rows: u32, free: u32, at_once: u32) -> u32 {
    let one = rows << 1 & free;
    if at_once == 2 { one << 1 & free } else { one }
}

/// Gathers what was reached, in the order of orientations, columns and rows.
#[inline(always)]
fn collect(
    shapes: &Shapes,
    clock: &Clock,
    runs: &Runs,
    counts: &Counts,
    waiting: &[(usize, u32)],
    premoves: &mut Vec<Premove>,
    targets: &mut Vec<Target>,
) {
    let known = clock.delay == 0;
    let mut anybody = 0;
    for turn in 0..shapes.turns {
        let inside = ALL_ROWS << shapes.first_row[turn];
        for x in 0..WIDTH {
            for run in &runs[turn][x][..usize::from(counts[turn][x]).min(RUNS)] {
                if run.bits != 0 && inside >> run.bottom & 1 == 1 {
                    anybody |= run.bits;
                    let place =
                        Placement { orientation: shapes.orientations[turn], x: x as u8, y: run.bottom };
                    targets.push(Target {
                        place,
                        at_once: !known && run.bits & AT_ONCE != 0,
                        premoves: run.bits & !AT_ONCE,
                    });
                }
            }
        }
    }
    // A piece above the stack may wait in vain: it locks above the top there. Its number is given
    // to the next.
    let mut lost = !anybody & ((1 << waiting.len()) - 1);
    for (number, &(place, _)) in waiting.iter().enumerate() {
        if anybody >> number & 1 == 1 {
            premoves.push(Premove { orientation: shapes.orientations[place >> 8], x: (place & 0xFF) as u8 });
        }
    }
    while lost != 0 {
        let number = lost.ilog2();
        lost ^= 1 << number;
        for target in &mut *targets {
            let below = target.premoves & ((1 << number) - 1);
            target.premoves = below | (target.premoves >> number >> 1) << number;
        }
    }
}

#[cfg(test)]
mod tests;
