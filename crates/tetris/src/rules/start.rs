//! The beginning of a game, and the B-type's garbage.

use super::player::{Player, Working};
use super::screens::Screen;
use super::{COLUMNS, EMPTY, Game, SPAWN_X, SecondField, Wait, dirty, mode_state, render, state};
use crate::lfsr;
use crate::rom::DEMO_BUTTONS;

/// The first piece hangs for 96 frames.
const FIRST_PIECE_HANG: u8 = 0xA0;
/// Lines of a B-type game, BCD.
const B_TYPE_LINES: u8 = 0x25;
/// Cell at which the garbage begins, and the one at which it ends.
const GARBAGE_BEGIN: u8 = 80;
const GARBAGE_END: u8 = 200;
/// A cell of garbage by three bits of chance.
const GARBAGE_TILES: [u8; 8] = [EMPTY, 0x7B, EMPTY, 0x7C, 0x7D, 0x7D, EMPTY, EMPTY];
/// By height: the last cell that is emptied again.
const CELLS_ABOVE: [u8; 6] = [200, 170, 150, 120, 100, 80];

impl Game<'_> {
    pub(super) fn enter_game(&mut self) {
        self.render_mode = render::STILL;
        self.draw(Screen::Game);
    }

    /// Everything of the last game is forgotten but the count of pieces and the clock.
    pub(super) fn start_game(&mut self) {
        self.field = [EMPTY; 256];
        self.second_field = SecondField::EMPTY;
        self.piece_counts = [[0; 2]; 7];
        self.line_counts = [0; 4];
        self.b_total = [0; 3];
        self.last_piece = 0;
        self.fast_music = 0;
        self.demo_piece = 0;
        self.demo_held = 0;
        self.demo_repeats = 0;
        self.demo_pointer = DEMO_BUTTONS;
        self.field_page = 4;
        if self.kind == 0 {
            self.begin_play();
        } else {
            self.ending_vars[0] = GARBAGE_BEGIN;
            self.garbage_row();
        }
    }

    /// The player as a game begins, which is also the working copy while the garbage is made.
    pub(super) fn fresh_player(&self) -> Player {
        let Player { start_level, start_height, .. } = self.player;
        let lines = if self.kind == 0 { 0 } else { B_TYPE_LINES };
        Player { start_level, start_height, level: start_level, lines, ..Player::default() }
    }

    fn begin_play(&mut self) {
        self.player =
            Player { state: state::ACTIVE, down_repeat: FIRST_PIECE_HANG, x: SPAWN_X, ..self.fresh_player() };
        self.player.orientation = self.pick_piece();
        self.count_piece();
        self.lfsr = lfsr::step(self.lfsr);
        self.next_piece = self.pick_piece();
        self.working = Working::of(&self.player);
        self.start_music();
        self.dirty = dirty::LINES | dirty::LEVEL | dirty::SCORE | dirty::STATISTICS;
        self.render_mode = render::PLAY;
        self.mode_state = mode_state::COUNTERS;
        self.play_counters();
    }

    /// A row of chance with one hole at least, a frame each.
    fn garbage_row(&mut self) {
        let row = self.ending_vars[0];
        for column in (0..COLUMNS as u8).rev() {
            let tile = GARBAGE_TILES[usize::from(self.chance() & 7)];
            self.field[usize::from(row.wrapping_add(column))] = tile;
        }
        self.ending_vars[1] = 0;
        // A register that has died finds column 0.
        let hole = loop {
            let column = self.chance() & 0x0F;
            if column < COLUMNS as u8 {
                break column;
            }
        };
        self.field[usize::from(row.wrapping_add(hole))] = EMPTY;
        self.end_frame(Wait::Garbage);
    }

    pub(super) fn garbage_frame(&mut self) {
        self.ending_vars[0] = self.ending_vars[0].wrapping_add(COLUMNS as u8);
        if self.ending_vars[0] != GARBAGE_END {
            self.garbage_row();
            return;
        }
        // One cell too many: the first of the garbage's top row goes as well.
        let above = CELLS_ABOVE[usize::from(self.player.start_height).min(CELLS_ABOVE.len() - 1)];
        self.field[..=usize::from(above)].fill(EMPTY);
        self.second_field = SecondField::of(&self.field);
        self.begin_play();
    }

    /// A step of the register. Out: its high byte.
    fn chance(&mut self) -> u8 {
        self.lfsr = lfsr::step(self.lfsr);
        (self.lfsr >> 8) as u8
    }
}
