//! Locks of every kind, written to RAM.

use nes::{Buttons, Console};
use tetris::kill_screen::Lock;
use tetris::ram::{self, EMPTY, Variable, play_state};
use tetris::{SplitMix64, View};

use super::in_play;

const BLOCK: u8 = 0x7B;
const I_UPRIGHT: u8 = 0x11;
/// Rows from its pivot to the lowest cell of an upright I.
const BELOW: u8 = 1;

/// Two decimal digits.
fn digits(random: &mut SplitMix64) -> u8 {
    (random.below(10) << 4 | random.below(10)) as u8
}

/// A lock that an upright I at the right wall makes.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// Rows that it completes.
    pub(super) rows: u8,
    /// The row of its lowest cell.
    pub(super) bottom: u8,
    pub(super) level: u8,
    /// The lines count down, which others than the A-type's cycles are for.
    pub(super) b_type: bool,
    pub(super) lines: [u8; 2],
    pub(super) score: [u8; 3],
    pub(super) soft_rows: u8,
    /// The first column of row 5 that is taken as the lock is scored.
    pub(super) danger: Option<u8>,
    pub(super) fast_music: bool,
    pub(super) next_hidden: bool,
    pub(super) select: bool,
    pub(super) next: u8,
    pub(super) count: u8,
    /// Frames to let pass before, which decide what the interrupt finds.
    pub(super) wait: u8,
}

impl Scene {
    /// One by chance, from level `first` to `last`.
    pub(super) fn chance(random: &mut SplitMix64, rows: u8, first: u8, last: u8) -> Self {
        const NEXT: [u8; 7] = [0x02, 0x07, 0x08, 0x0A, 0x0B, 0x0E, 0x12];
        let level = first + random.below(u32::from(last - first) + 1) as u8;
        let score = match random.below(3) {
            0 => [digits(random), digits(random), digits(random)],
            _ => [0x99; 3],
        };
        // Hundreds that leave most levels alone.
        let lines = [digits(random), (random.below(5) + u32::from(level) / 16) as u8];
        let b_type = random.one_in(6);
        let lines = if b_type { [0x10 | lines[0] & 0x0F, 0] } else { lines };
        Self {
            rows,
            b_type,
            bottom: 11 + random.below(9) as u8,
            level,
            lines,
            score,
            soft_rows: random.pick(&[0, 0, 1, 2, 5, 7, 8, 12, 19]),
            danger: random.one_in(3).then(|| random.below(9) as u8),
            fast_music: random.one_in(4),
            next_hidden: random.one_in(3),
            select: random.one_in(16),
            next: random.pick(&NEXT),
            count: digits(random),
            wait: random.below(12) as u8,
        }
    }

    /// The console with it, the piece where it will lock.
    pub(super) fn set(&self) -> Console {
        let mut console = in_play();
        for _ in 0..self.wait {
            frame(&mut console, Buttons::empty());
        }
        let memory = console.ram_mut();
        let mut poke = |place: Variable, bytes: &[u8]| {
            memory[place.at()..place.at() + bytes.len()].copy_from_slice(bytes);
        };
        poke(ram::PLAYFIELD, &self.playfield());
        poke(ram::PIECE_X, &[9]);
        poke(ram::PIECE_Y, &[self.bottom - BELOW]);
        poke(ram::ORIENTATION, &[I_UPRIGHT]);
        poke(ram::LEVEL, &[self.level]);
        poke(ram::FALL_TIMER, &[0x50]);
        poke(ram::DOWN_REPEAT, &[0]);
        poke(ram::VRAM_ROW, &[0x20]);
        poke(ram::GAME_TYPE, &[u8::from(self.b_type)]);
        poke(ram::LINES, &self.lines);
        poke(ram::SCORE, &self.score);
        poke(ram::HIDE_NEXT, &[u8::from(self.next_hidden)]);
        poke(ram::NEXT_PIECE, &[self.next]);
        poke(ram::LINE_COUNTS, &[self.count; 4]);
        console
    }

    /// The rows to be completed lack their last cell; below the piece there is a floor with a hole
    /// in every row.
    fn playfield(&self) -> [u8; 200] {
        let mut cells = [EMPTY; 200];
        for row in self.bottom - (self.rows.max(1) - 1)..20 {
            let row_cells = &mut cells[10 * usize::from(row)..][..10];
            if row > self.bottom {
                row_cells.fill(BLOCK);
                row_cells[0] = EMPTY;
            } else if self.rows > 0 {
                row_cells[..9].fill(BLOCK);
            }
        }
        if let Some(column) = self.danger {
            // What is above comes down by the rows that are cleared.
            cells[10 * (5 - usize::from(self.rows)) + usize::from(column)] = BLOCK;
        }
        cells
    }

    /// Runs to the frame before the one that scores the lock. Gives the buttons of that one, and
    /// what it finds.
    pub(super) fn lead(&self, console: &mut Console) -> (Buttons, Lock) {
        const LONGEST: usize = 60;
        let buttons = if self.select { Buttons::SELECT } else { Buttons::empty() };
        for _ in 0..LONGEST {
            let state = View::new(console.ram()).play_state();
            if matches!(state, play_state::CLEAR | play_state::LINES) {
                // The first row's check has told the music; here it is to be another.
                console.ram_mut()[ram::FAST_MUSIC.at()] = if self.fast_music { 0xFF } else { 0 };
                console.ram_mut()[ram::SOFT_DROP_ROWS.at()] = self.soft_rows;
            }
            if let Some(lock) = Lock::coming(console.ram(), self.select) {
                return (buttons, lock);
            }
            frame(console, Buttons::empty());
        }
        panic!("the piece did not lock: {self:?}");
    }
}

/// A frame that nobody watches.
pub(super) fn frame(console: &mut Console, buttons: Buttons) {
    let _ = console.run_frame(&mut [buttons, Buttons::empty()], &mut ());
}
