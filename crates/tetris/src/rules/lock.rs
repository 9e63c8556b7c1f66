//! Locking, and the rows that a lock completes.

use super::{EMPTY, Game, MUSIC_OFF, ROWS_DONE, WIDTH, effect, mode, state};
use crate::orientation::{Orientation, SHAPES};

/// Curtain rows before the first that is in the picture, as a negative number.
const CURTAIN_START: u8 = 0xF0;
/// Rows looked at after a lock, one a frame.
const ROWS_OF_PIECE: u8 = 4;
/// Music is fast while any cell of this row is taken.
const DANGER_ROW: usize = 5;

/// From a slow track to its fast one.
const FAST_TRACKS: u8 = 4;

/// The track of each type of music, and of the same while the stack is high.
const TRACKS: [u8; 8] = [3, 4, 5, MUSIC_OFF, 6, 7, 8, MUSIC_OFF];

impl Game<'_> {
    /// A piece that overlaps something has just spawned there: the curtain falls. Otherwise its
    /// cells are written once the picture has the playfield as it was.
    pub(super) fn play_lock(&mut self) {
        if !self.fits() {
            self.effect_noise = effect::CURTAIN;
            self.player.state = state::CURTAIN;
            self.player.curtain_row = CURTAIN_START;
            return;
        }
        if self.picture_lacks_rows() {
            return;
        }
        let shape = &SHAPES[usize::from(self.player.orientation & 0x1F)];
        let pivot = self.player.y.wrapping_mul(10).wrapping_add(self.player.x);
        for (row, column) in shape.cells {
            self.cursor = pivot.wrapping_add((row as u8).wrapping_mul(10));
            self.field[usize::from(self.cursor.wrapping_add(column as u8))] = shape.tile;
        }
        self.player.row_check = 0;
        self.update_playfield();
        self.update_music_speed();
        self.player.state = state::ROW_CHECK;
    }

    /// Is the picture still taking rows of the playfield?
    #[inline(always)]
    pub(super) fn picture_lacks_rows(&self) -> bool {
        (self.player.vram_row.wrapping_sub(ROWS_DONE) as i8) < 0
    }

    /// Looks at the next of the four rows from two above the pivot. Complete is a row without
    /// [`EMPTY`].
    pub(super) fn play_row_check(&mut self) {
        if self.picture_lacks_rows() {
            return;
        }
        let check = self.player.row_check;
        let row = self.top_of_piece().wrapping_add(check);
        let first = row.wrapping_mul(10);
        let complete =
            (0..WIDTH as u8).all(|column| self.field[usize::from(first.wrapping_add(column))] != EMPTY);
        if complete {
            self.effect_pulse = effect::LINE;
            self.player.lines_completed = self.player.lines_completed.wrapping_add(1);
            self.take_row_out(usize::from(first));
            self.player.orientation = Orientation::HIDDEN.id();
        }
        if let Some(note) = self.player.cleared_rows.get_mut(usize::from(check)) {
            // Row 0 notes itself as none.
            *note = if complete { row } else { 0 };
        }
        self.player.row_check = check.wrapping_add(1);
        if check >= ROWS_OF_PIECE - 1 {
            self.end_row_check();
        }
    }

    fn end_row_check(&mut self) {
        let completed = self.player.lines_completed;
        let garbage = self.rom.garbage[usize::from(completed).min(self.rom.garbage.len() - 1)];
        self.garbage_sent = self.garbage_sent.wrapping_add(garbage);
        self.player.vram_row = 0;
        self.player.clear_step = 0;
        if completed == ROWS_OF_PIECE {
            self.effect_pulse = effect::TETRIS;
        }
        self.player.state = state::CLEAR;
        if completed == 0 {
            self.player.state = state::LINES;
            self.effect_pulse = effect::LOCK;
        }
    }

    /// Moves everything above the row down by one and empties row 0. Row 0 coming out takes the
    /// whole page along, the last ten bytes into the next page: the index wraps past the top.
    fn take_row_out(&mut self, first: usize) {
        if first == 0 {
            self.second_field.copy_from_slice(&self.field[246..]);
            self.field.copy_within(..246, WIDTH);
        } else {
            let moved = first.min(246);
            for place in moved + WIDTH..first + WIDTH {
                self.second_field[place - 256] = self.field[place - WIDTH];
            }
            self.field.copy_within(..moved, WIDTH);
        }
        self.field[..WIDTH].fill(EMPTY);
    }

    /// Has the picture take the playfield from the piece's first row on, or from where it is,
    /// whichever is higher.
    pub(super) fn update_playfield(&mut self) {
        let top = self.top_of_piece();
        if (top.wrapping_sub(self.player.vram_row) as i8) < 0 {
            self.player.vram_row = top;
        }
    }

    /// The first row that the piece in play can reach, two above its pivot.
    fn top_of_piece(&self) -> u8 {
        let top = self.player.y.wrapping_sub(2);
        if top & 0x80 == 0 { top } else { 0 }
    }

    /// The fast track while the stack is high.
    pub(super) fn update_music_speed(&mut self) {
        let danger = self.danger_column().is_some();
        if danger != (self.fast_music != 0) {
            self.fast_music = if danger { 0xFF } else { 0 };
            self.start_music(if danger { FAST_TRACKS } else { 0 });
        }
    }

    /// The first column taken of the row that makes the music fast.
    #[inline(always)]
    pub(super) fn danger_column(&self) -> Option<u8> {
        let row = &self.field[WIDTH * DANGER_ROW..][..WIDTH];
        row.iter().position(|&cell| cell != EMPTY).map(|column| column as u8)
    }

    /// The track of the music chosen, or the one `fast` further on. The demo is silent.
    pub(super) fn start_music(&mut self, fast: u8) {
        let track = TRACKS[usize::from((self.music_type & 3) + fast)];
        self.request_track(track);
    }

    pub(super) fn request_track(&mut self, track: u8) {
        self.music_request = if self.mode == mode::DEMO { MUSIC_OFF } else { track };
    }
}
