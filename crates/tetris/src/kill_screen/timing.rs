//! The cycles of the frame in which a lock is scored: one table, for the forecast of a crash and
//! for the model.

use core::ops::RangeInclusive;

use super::Lock;
use crate::tally::{self, points_of};

/// Cycles of the frame in which a lock is scored, counted from about the interrupt: its work up to
/// the first of the frame's last eight jumps, what follows, and where an interrupt finds such a
/// jump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// All that is not said below, a turn of the loop in which nothing is carried included.
    pub base: u32,
    /// A cleared row that is drawn, and one from row 11 on.
    pub row: [u32; 2],
    /// The next piece is shown.
    pub next_box: u32,
    /// Row 5 is empty; and the music was fast so far.
    pub low: [u32; 2],
    /// Each cell of row 5 that is looked at before the first that is taken; and the music was slow
    /// so far.
    pub high: [u32; 2],
    /// Select is newly pressed.
    pub select: u32,
    /// A line is counted.
    pub line: u32,
    /// All lines of a lock of the B-type, which are taken off at once: at least and at most.
    pub b_lines: [u32; 2],
    /// The tens of the lines go up, with the look at the level; the hundreds too; the level too.
    pub carries: [u32; 3],
    /// The tens of the count of such clears go up.
    pub count: u32,
    /// A lock without a line: the interrupt draws four rows of the playfield.
    pub no_line: u32,
    /// Four lines: the background flashes; and in every eighth frame is heard.
    pub flash: [u32; 2],
    /// Points of a soft drop; their ones are carried; their tens are.
    pub soft_drop: [u32; 3],
    /// The orientation of the piece is 8; it is higher (hidden pieces are).
    pub orientation: [u32; 2],
    /// A turn of the loop that adds points; then what is carried in it: tens, hundreds, thousands,
    /// ten thousands, and the score stays at its limit.
    pub turn: u32,
    /// See `turn`.
    pub turn_carries: [u32; 5],
    /// A pass of the main loop in the demo; its buttons, held on or a new pair of them.
    pub demo: [u32; 3],
    /// What follows the points.
    pub tail: Tail,
    /// When the eight jumps begin, counted from the first.
    pub jumps: [u32; 8],
    /// The sound engine.
    pub sound: SoundCycles,
    /// From an interrupt to the next.
    pub frame: u32,
    /// The interrupt in a frame that goes on with the loop of points.
    pub interrupt: u32,
    /// Cycles in which a jump begins that the interrupt spoils.
    pub spoiled: [RangeInclusive<u32>; 2],
    /// Cycles more that the parity of the frame, a DMA and the interrupted instruction may take.
    pub jitter: u32,
    /// Cycles by which two frames that are the same to the model differ: the jitter, and where in
    /// its wait the interrupt finds the main thread.
    pub doubt: u32,
}

/// The order of work behind the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// From the last turn of the loop to the staging of the piece's sprites.
    pub sprites: u32,
    /// To the first byte of the player's block that is put back, the last one first.
    pub copy: u32,
    /// Putting a byte back.
    pub copy_byte: u32,
    /// To the first of the eight jumps, which the next piece and a late orientation come before.
    pub jump: u32,
    /// Before the first jump: the number of the state after the player's is written.
    pub state: u32,
    /// After the first jump: the numbers of the states, and when each is left.
    pub states: [(u8, u32); 4],
    /// After the first jump: the sound engine begins; the same with Left, Right and Down held,
    /// which end the frame two states earlier.
    pub sound: [u32; 2],
    /// From the sound engine's end to the wait.
    pub wait: u32,
}

/// What the sound engine takes in the frame in which a lock is scored: at least, and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoundCycles {
    /// While no song plays.
    pub silent: [u32; 2],
    /// While one does: its notes decide.
    pub music: [u32; 2],
}

impl SoundCycles {
    /// With a song or without.
    pub(crate) fn range(self, music: bool) -> [u32; 2] {
        if music { self.music } else { self.silent }
    }
}

impl Timing {
    /// Of the US cartridge, and of the slow build of ours up to the last of the eight jumps.
    ///
    /// Sources: the figures up to the jumps are those of `TetrisGYM`'s crash model (`HydrantDude`);
    /// the demo's, the tail and the sound's bounds, with room to spare, are those that traces show.
    pub const US: Self = Self {
        base: 7_279,
        row: [95, 97],
        next_box: 394,
        low: [149, 38],
        high: [16, 41],
        select: 7,
        line: 28,
        b_lines: [0, 112],
        carries: [79, 12, 18],
        count: 11,
        no_line: 737,
        flash: [16, 5],
        soft_drop: [37, 9, 11],
        orientation: [8, 12],
        turn: 83,
        turn_carries: [11, 9, 14, 9, 10],
        demo: [7, 39, 140],
        tail: Tail {
            sprites: 24,
            copy: 558,
            copy_byte: 15,
            jump: 1_110,
            state: 44,
            states: [(5, 118), (6, 279), (7, 458), (8, 612)],
            sound: [656, 311],
            wait: 11,
        },
        jumps: [0, 60, 162, 222, 323, 383, 502, 562],
        sound: SoundCycles { silent: [450, 800], music: [900, 2_000] },
        frame: 29_780,
        interrupt: 2_300,
        spoiled: [29_739..=29_744, 29_750..=29_768],
        jitter: 8,
        doubt: 12,
    };

    /// Of the slow build of ours, which is the same up to the last of the eight jumps.
    pub const MAXOUT_SLOW: Self = Self::US;

    /// Cycles up to the first of the eight jumps, without jitter. Of the B-type the
    /// [least](Self::b_lines).
    pub fn cycles(&self, lock: &Lock) -> u32 {
        let turns = u32::from(level_after(lock)) + 1;
        let mut score = lock.score;
        tally::add_drop(&mut score, lock.soft_rows);
        let points = points_of(lock.rows);
        let loops: u32 = (0..turns).map(|_| self.turn(&mut score, points)).sum();
        self.before_points(lock) + loops + self.after_points(lock.orientation, lock.next_hidden)
    }

    /// Cycles up to the loop that adds points.
    pub fn before_points(&self, lock: &Lock) -> u32 {
        let [row, low_row] = self.row;
        let rows = lock.cleared_rows.iter().filter(|&&cleared| cleared != 0 && lock.rows != 0);
        let drawn: u32 = rows.map(|&cleared| if cleared < 11 { row } else { low_row }).sum();
        let music = match (lock.danger, lock.fast_music) {
            (None, fast) => self.low[0] + when(fast, self.low[1]),
            (Some(cells), fast) => self.high[0] * u32::from(cells) + when(!fast, self.high[1]),
        };
        let mut score = lock.score;
        let drop = tally::add_drop(&mut score, lock.soft_rows).map_or(0, |carries| {
            let [drop, ones, tens] = self.soft_drop;
            drop + when(carries.ones, ones) + when(carries.tens, tens)
        });
        let begin = self.base - self.turn - self.tail.jump;
        begin + drawn + music + when(lock.select, self.select) + self.lines(lock) + drop
    }

    /// Cycles from the loop's end to the first of the eight jumps.
    pub fn after_points(&self, orientation: u8, next_hidden: bool) -> u32 {
        let late = match orientation {
            0..8 => 0,
            8 => self.orientation[0],
            _ => self.orientation[1],
        };
        self.tail.jump + late + when(!next_hidden, self.next_box)
    }

    /// Adds points once. Returns the cycles of that turn of the loop.
    #[inline(always)]
    pub(crate) fn turn(&self, score: &mut [u8; 3], points: [u8; 2]) -> u32 {
        let carries = tally::add_points(score, points).into_iter().zip(self.turn_carries);
        self.turn + carries.map(|(carried, cycles)| when(carried, cycles)).sum::<u32>()
    }

    /// Cycles for the lines.
    fn lines(&self, lock: &Lock) -> u32 {
        let Lock { rows, mut level, mut lines, .. } = *lock;
        if rows == 0 {
            return self.no_line;
        }
        let [counted, _] = if lock.a_type { [self.line * u32::from(rows); 2] } else { self.b_lines };
        let mut cycles = counted + when(lock.count & 0x0F == 9, self.count);
        if rows == 4 {
            cycles += self.flash[0] + when(lock.frame_counter & 7 == 0, self.flash[1]);
        }
        let [tens, hundreds, up] = self.carries;
        for _ in 0..if lock.a_type { rows } else { 0 } {
            let carries = tally::count_line(&mut lines, &mut level);
            cycles += when(carries.tens, tens) + when(carries.hundreds, hundreds) + when(carries.level, up);
        }
        cycles
    }

    /// Says whether the frame that scores `lock` may crash: whether the interrupt may find one of
    /// the eight jumps.
    pub fn may_crash(&self, lock: &Lock) -> bool {
        let cycles = self.cycles(lock);
        let most = self.jitter + self.range(lock);
        self.jumps.iter().any(|jump| self.is_spoiled(cycles + jump, 0..=most))
    }

    /// Cycles that the lock can take beyond [`Self::cycles`]: in the A-type, none.
    pub fn range(&self, lock: &Lock) -> u32 {
        let [least, most] = self.b_lines;
        when(!lock.a_type && lock.rows > 0, most - least)
    }

    /// Does the interrupt spoil a jump that begins `late` cycles after `begins`?
    pub(crate) fn is_spoiled(&self, begins: u32, late: RangeInclusive<u32>) -> bool {
        self.spoiled
            .iter()
            .any(|spoiled| begins + late.start() <= *spoiled.end() && begins + late.end() >= *spoiled.start())
    }
}

/// The level that the lines lead to.
fn level_after(lock: &Lock) -> u8 {
    let Lock { rows, mut level, mut lines, .. } = *lock;
    for _ in 0..if lock.a_type { rows } else { 0 } {
        tally::count_line(&mut lines, &mut level);
    }
    level
}

fn when(is: bool, cycles: u32) -> u32 {
    if is { cycles } else { 0 }
}
