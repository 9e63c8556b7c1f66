//! The way to the kill screen: how long the game works in the frame in which a lock is reckoned up.
//!
//! The points of a lock are added level + 1 times over. At high levels that work ends so late that the interrupt comes
//! into one of the last eight jumps through a table, with which it shares two bytes of RAM, and the game goes astray.
//! The cycles were counted by `HydrantDude` and are used by `TetrisGYM`; of 547 locks from level 100 on in recordings of the
//! US cartridge one falls into a window, and that one crashed.

use core::ops::RangeInclusive;

use crate::View;
use crate::ram::{self, EMPTY, play_state};

/// Cycles of the work up to the first of the frame's last eight jumps, counted from about the interrupt; and where in
/// the frame an interrupt finds such a jump.
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
    /// Each cell of row 5 that is looked at before the first that is taken; and the music was slow so far.
    pub high: [u32; 2],
    /// Select is newly pressed.
    pub select: u32,
    /// A line is counted.
    pub line: u32,
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
    /// A turn of the loop that adds points; then what is carried in it: tens, hundreds, thousands, ten thousands, and the
    /// score stays at its limit.
    pub turn: u32,
    /// See `turn`.
    pub turn_carries: [u32; 5],
    /// When the eight jumps begin, counted from the first.
    pub jumps: [u32; 8],
    /// Cycles in which a jump begins that the interrupt spoils.
    pub spoiled: [RangeInclusive<u32>; 2],
    /// Cycles more that the parity of the frame, a DMA and the interrupted instruction may take.
    pub jitter: u32,
}

impl Timing {
    /// Of the US cartridge, and of the slow build of ours.
    pub const US: Self = Self {
        base: 7_279,
        row: [95, 97],
        next_box: 394,
        low: [149, 38],
        high: [16, 41],
        select: 7,
        line: 28,
        carries: [79, 12, 18],
        count: 11,
        no_line: 737,
        flash: [16, 5],
        soft_drop: [37, 9, 11],
        orientation: [8, 12],
        turn: 83,
        turn_carries: [11, 9, 14, 9, 10],
        jumps: [0, 60, 162, 222, 323, 383, 502, 562],
        spoiled: [29_739..=29_744, 29_750..=29_768],
        jitter: 8,
    };

    /// Cycles up to the first of the eight jumps, without jitter.
    pub fn cycles(&self, lock: &Lock) -> u32 {
        let [row, low_row] = self.row;
        let rows = lock.cleared_rows.iter().filter(|&&cleared| cleared != 0);
        let drawn: u32 = rows.map(|&cleared| if cleared < 11 { row } else { low_row }).sum();
        let music = match (lock.danger, lock.fast_music) {
            (None, fast) => self.low[0] + when(fast, self.low[1]),
            (Some(cells), fast) => self.high[0] * u32::from(cells) + when(!fast, self.high[1]),
        };
        let orientation = match lock.orientation {
            0..8 => 0,
            8 => self.orientation[0],
            _ => self.orientation[1],
        };
        let (lines, level) = self.lines(lock);
        let fixed = self.base - self.turn + drawn + music + orientation + lines;
        let shown = when(!lock.next_hidden, self.next_box) + when(lock.select, self.select);
        fixed + shown + self.points(lock, level)
    }

    /// Cycles for the lines, and the level that they lead to.
    fn lines(&self, lock: &Lock) -> (u32, u8) {
        let Lock { rows, mut level, lines: [mut low, mut hundreds], .. } = *lock;
        if rows == 0 {
            return (self.no_line, level);
        }
        let mut cycles = self.line * u32::from(rows) + when(lock.count & 0x0F == 9, self.count);
        if rows == 4 {
            cycles += self.flash[0] + when(lock.frame_counter & 7 == 0, self.flash[1]);
        }
        for _ in 0..if lock.a_type { rows } else { 0 } {
            low = low.wrapping_add(1);
            if low & 0x0F < 0x0A {
                continue;
            }
            cycles += self.carries[0];
            low = low.wrapping_add(6);
            if low >= 0xA0 {
                (low, hundreds) = (0, hundreds.wrapping_add(1));
                cycles += self.carries[1];
            }
            let reached = (u16::from(hundreds) << 8 | u16::from(low)) >> 4;
            if (level.wrapping_sub(reached as u8) as i8) < 0 {
                level = level.wrapping_add(1);
                cycles += self.carries[2];
            }
        }
        (cycles, level)
    }

    /// Cycles for the points, of the soft drop first.
    fn points(&self, lock: &Lock, level: u8) -> u32 {
        const POINTS: [[u8; 2]; 5] = [[0x00, 0x00], [0x40, 0x00], [0x00, 0x01], [0x00, 0x03], [0x00, 0x12]];
        let mut cycles = 0;
        let mut score = lock.score;
        if lock.soft_rows >= 2 && lock.soft_rows < 0x80 {
            cycles += self.soft_drop[0];
            score[0] = score[0].wrapping_add(lock.soft_rows - 1);
            if score[0] & 0x0F >= 0x0A {
                score[0] = score[0].wrapping_add(6);
                cycles += self.soft_drop[1];
            }
            if score[0] >= 0xA0 {
                score[0] = (score[0] & 0xF0).wrapping_add(0x60);
                score[1] = score[1].wrapping_add(1);
                cycles += self.soft_drop[2];
            }
        }
        let points = POINTS[usize::from(lock.rows.min(4))];
        let turns = u32::from(level) + 1;
        cycles + self.turn * turns + (0..turns).map(|_| self.turn_carries(&mut score, points)).sum::<u32>()
    }

    /// Adds the points once. Returns the cycles of what is carried.
    fn turn_carries(&self, score: &mut [u8; 3], [low, high]: [u8; 2]) -> u32 {
        let [tens, hundreds, thousands, ten_thousands, limit] = self.turn_carries;
        let mut cycles = 0;
        score[0] = score[0].wrapping_add(low);
        if score[0] >= 0xA0 {
            score[0] = score[0].wrapping_add(0x60);
            score[1] = score[1].wrapping_add(1);
            cycles += tens;
        }
        score[1] = score[1].wrapping_add(high);
        if score[1] & 0x0F >= 0x0A {
            score[1] = score[1].wrapping_add(6);
            cycles += hundreds;
        }
        if score[1] >= 0xA0 {
            score[1] = score[1].wrapping_add(0x60);
            score[2] = score[2].wrapping_add(1);
            cycles += thousands;
        }
        if score[2] & 0x0F >= 0x0A {
            score[2] = score[2].wrapping_add(6);
            cycles += ten_thousands;
        }
        if score[2] >= 0xA0 {
            *score = [0x99; 3];
            cycles += limit;
        }
        cycles
    }

    /// Says whether the frame that reckons up `lock` may crash: whether the interrupt may find one of the eight jumps.
    pub fn may_crash(&self, lock: &Lock) -> bool {
        let cycles = self.cycles(lock);
        let finds = |jump: &u32| {
            let begins = cycles + jump;
            self.spoiled
                .iter()
                .any(|spoiled| begins <= *spoiled.end() && begins + self.jitter >= *spoiled.start())
        };
        self.jumps.iter().any(finds)
    }
}

fn when(is: bool, cycles: u32) -> u32 {
    if is { cycles } else { 0 }
}

/// What a frame finds that reckons up a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Rows that it completed, 0–4.
    pub rows: u8,
    /// Those that are drawn, by their numbers from the top; 0 is none.
    pub cleared_rows: [u8; 4],
    /// The level before.
    pub level: u8,
    /// Whether it is an A-type game, in which lines count up.
    pub a_type: bool,
    /// The lines before: two digits in BCD, then hundreds in binary.
    pub lines: [u8; 2],
    /// The score before, in BCD, low byte first.
    pub score: [u8; 3],
    /// Rows of the soft drop.
    pub soft_rows: u8,
    /// Clears of this kind before, in BCD.
    pub count: u8,
    /// The piece's orientation; 19 is hidden.
    pub orientation: u8,
    /// Whether the next piece is hidden, Select being taken into account.
    pub next_hidden: bool,
    /// Whether Select is newly pressed.
    pub select: bool,
    /// Free cells of row 5 before the first that is taken; `None` if the row is empty.
    pub danger: Option<u8>,
    /// Whether the music is fast.
    pub fast_music: bool,
    /// The low byte of the frame counter, before the frame.
    pub frame_counter: u8,
}

impl Lock {
    /// What the frame that comes next reckons up: `ram` is as the frame before has left it, `select` says whether Select
    /// will be newly pressed. `None` if it reckons up nothing, or two play.
    pub fn coming(ram: &[u8; 0x800], select: bool) -> Option<Self> {
        const DANGER_ROW: usize = 5;
        let view = View::new(ram);
        let frame_counter = view.byte(ram::FRAME_COUNTER);
        let due = match view.play_state() {
            play_state::LINES => true,
            // The interrupt's last step of the animation comes first.
            play_state::CLEAR => view.byte(ram::CLEAR_STEP) == 4 && frame_counter & 3 == 0,
            _ => false,
        };
        let alone = view.byte(ram::PLAYER_COUNT) != 2;
        if !(due && alone && view.in_play() && !view.is_late()) {
            return None;
        }
        let rows = view.byte(ram::LINES_COMPLETED);
        let counts = view.bytes(ram::LINE_COUNTS);
        let danger = view.playfield()[10 * DANGER_ROW..][..10].iter().position(|&cell| cell != EMPTY);
        Some(Self {
            rows,
            cleared_rows: core::array::from_fn(|check| view.bytes(ram::CLEARED_ROWS)[check]),
            level: view.level(),
            a_type: view.byte(ram::GAME_TYPE) == 0,
            lines: core::array::from_fn(|byte| view.bytes(ram::LINES)[byte]),
            score: core::array::from_fn(|byte| view.bytes(ram::SCORE)[byte]),
            soft_rows: view.byte(ram::SOFT_DROP_ROWS),
            count: usize::from(rows).checked_sub(1).and_then(|kind| counts.get(kind)).copied().unwrap_or(0),
            orientation: view.byte(ram::ORIENTATION),
            // Select comes first in the frame.
            next_hidden: (view.byte(ram::HIDE_NEXT) != 0) != select,
            select,
            danger: danger.map(|cells| cells as u8),
            fast_music: view.byte(ram::FAST_MUSIC) != 0,
            frame_counter,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lock at the limit of the score, next box shown, no music, nothing else.
    fn lock(rows: u8, level: u8) -> Lock {
        let cleared_rows = core::array::from_fn(|check| if check < usize::from(rows) { 7 } else { 0 });
        Lock {
            rows,
            cleared_rows,
            level,
            a_type: true,
            lines: [0x15, 4],
            score: [0x99; 3],
            soft_rows: 0,
            count: 0,
            orientation: 2,
            next_hidden: true,
            select: false,
            danger: Some(0),
            fast_music: true,
            frame_counter: 4,
        }
    }

    #[test]
    fn the_sums_are_those_of_the_published_table() {
        let level = 160;
        let of_rows = |rows: u32| 7_279 + 95 * rows;
        let cycles = |rows| Timing::US.cycles(&lock(rows, level as u8));
        assert_eq!(cycles(0), of_rows(0) + 737 + 83 * level);
        assert_eq!(cycles(1), of_rows(1) + 53 + 28 + 136 * level);
        assert_eq!(cycles(2), of_rows(2) + 42 + 56 + 125 * level);
        assert_eq!(cycles(3), of_rows(3) + 42 + 84 + 125 * level);
        assert_eq!(cycles(4), of_rows(4) + 42 + 128 + 125 * level);
        let with = |change: fn(&mut Lock)| {
            let mut lock = lock(0, level as u8);
            change(&mut lock);
            Timing::US.cycles(&lock) - cycles(0)
        };
        assert_eq!(with(|lock| lock.next_hidden = false), 394);
        assert_eq!(with(|lock| lock.danger = None), 149 + 38);
        assert_eq!(with(|lock| (lock.danger, lock.fast_music) = (Some(9), false)), 9 * 16 + 41);
        assert_eq!(with(|lock| lock.select = true), 7);
        assert_eq!(with(|lock| lock.soft_rows = 8), 90);
        assert_eq!(with(|lock| lock.soft_rows = 7), 99);
        assert_eq!(with(|lock| lock.orientation = 8), 8);
        assert_eq!(with(|lock| lock.orientation = 9), 12);
    }

    #[test]
    fn the_levels_of_the_published_sheet_are_in_danger() {
        // With whatever raises or lowers the sum: music, next box, soft drop, tens of lines.
        let any = |rows: u8, level: u8| {
            let mut found = false;
            for (danger, shown) in [(None, true), (Some(0), true), (Some(9), true), (None, false)] {
                for (soft_rows, lines) in [(0, [0x15, 4]), (8, [0x15, 4]), (0, [0x19, 4]), (8, [0x19, 4])] {
                    let lock = Lock {
                        danger,
                        fast_music: false,
                        next_hidden: !shown,
                        soft_rows,
                        lines,
                        ..lock(rows, level)
                    };
                    found |= Timing::US.may_crash(&lock);
                }
            }
            found
        };
        let first = |rows| (100..=255).find(|&level| any(rows, level));
        assert!((154..=156).contains(&first(1).unwrap()), "{:?}", first(1));
        assert!((165..=170).contains(&first(4).unwrap()), "{:?}", first(4));
        assert!((166..=172).contains(&first(3).unwrap()), "{:?}", first(3));
        assert!((166..=172).contains(&first(2).unwrap()), "{:?}", first(2));
        assert!((246..=250).contains(&first(0).unwrap()), "{:?}", first(0));
    }
}
