//! The beginning of a game, and the B-type's garbage.

use super::player::Second;
use super::screens::Screen;
use super::{EMPTY, Game, ROWS, SPAWN_X, WIDTH, Wait, dirty, mode_state, render, state};
use crate::lfsr;
use crate::rom::DEMO_BUTTONS;

/// What a state returns that does not end the frame: the number of no state.
const FRAME_GOES_ON: u8 = 0xFF;
/// The first piece hangs for 96 frames.
const FIRST_PIECE_HANG: u8 = 0xA0;
/// Lines of a B-type game, BCD.
const B_TYPE_LINES: u8 = 0x25;
/// Rows of garbage that are made, one a frame.
const GARBAGE_ROWS: u8 = 12;
/// A cell of garbage by three bits of chance.
const GARBAGE_TILES: [u8; 8] = [EMPTY, 0x7B, EMPTY, 0x7C, 0x7D, 0x7D, EMPTY, EMPTY];
/// By height: the last cell that is emptied again.
const CELLS_ABOVE: [u8; 6] = [200, 170, 150, 120, 100, 80];

impl Game<'_> {
    pub(super) fn enter_game(&mut self) {
        self.draw(Screen::Game);
    }

    pub(super) fn screen_drawn(&mut self) {
        self.player.state = state::ACTIVE;
        self.second.state = state::ACTIVE;
        self.player.level = self.player.start_level;
        self.mode_state = mode_state::GAME;
        self.return_to_main(0);
    }

    /// The player's block, the counts and the demo as a game begins with them. What no game sets
    /// stays as the last one left it: the shift counter, the soft drop's rows, the rows completed.
    pub(super) fn start_game(&mut self) {
        self.field = [EMPTY; 256];
        self.piece_counts = [[0; 2]; 7];
        let lines = if self.kind == 0 { 0 } else { B_TYPE_LINES };
        let player = &mut self.player;
        player.x = SPAWN_X;
        player.y = 0;
        player.vram_row = 0;
        player.fall_timer = 0;
        player.score = [0; 3];
        player.lines = lines;
        player.lines_hundreds = 0;
        player.down_repeat = FIRST_PIECE_HANG;
        self.garbage_sent = 0;
        self.line_counts = [0; 4];
        self.fast_music = 0;
        self.demo_held = 0;
        self.demo_repeats = 0;
        self.demo_piece = 0;
        self.demo_pointer = DEMO_BUTTONS;
        self.last_piece = 0;
        self.render_mode = render::PLAY;
        self.player.orientation = self.pick_piece();
        self.second = Second {
            x: SPAWN_X,
            orientation: self.player.orientation,
            fall_timer: 0,
            down_repeat: FIRST_PIECE_HANG,
            lines,
            ..self.second
        };
        self.count_piece();
        self.lfsr = lfsr::step(self.lfsr);
        self.next_piece = self.pick_piece();
        self.shared_piece = self.next_piece;
        self.dirty = dirty::LINES | dirty::LEVEL | dirty::SCORE | dirty::STATISTICS;
        self.end_frame(Wait::Begin);
    }

    pub(super) fn begin_frame(&mut self) {
        if self.kind == 0 {
            self.begin_play();
        } else {
            self.garbage_row(GARBAGE_ROWS);
        }
    }

    fn begin_play(&mut self) {
        self.start_music(0);
        self.mode_state = mode_state::COUNTERS;
        // Start may have ended the demo in this very frame.
        self.return_to_main(FRAME_GOES_ON);
    }

    /// A row of chance with one hole at least, a frame each.
    fn garbage_row(&mut self, rows: u8) {
        let row = (ROWS - rows) * WIDTH as u8;
        self.player.vram_row = 0;
        for column in (0..WIDTH as u8).rev() {
            let tile = GARBAGE_TILES[usize::from(self.chance() & 7)];
            self.field[usize::from(row + column)] = tile;
        }
        // A register that has died finds column 0.
        let hole = loop {
            let column = self.chance() & 0x0F;
            if column < WIDTH as u8 {
                break column;
            }
        };
        self.field[usize::from(row + hole)] = EMPTY;
        self.end_frame(Wait::Garbage(rows));
    }

    pub(super) fn garbage_frame(&mut self, rows: u8) {
        if rows > 1 {
            self.garbage_row(rows - 1);
            return;
        }
        // One cell too many: the first of the garbage's top row goes as well. The second player
        // gets a copy, of which height 0 leaves nothing.
        let above = CELLS_ABOVE[usize::from(self.player.start_height).min(CELLS_ABOVE.len() - 1)];
        self.field[..=usize::from(above)].fill(EMPTY);
        self.second_field = [EMPTY; WIDTH];
        self.begin_play();
    }

    /// A step of the register. Out: its high byte.
    fn chance(&mut self) -> u8 {
        self.lfsr = lfsr::step(self.lfsr);
        (self.lfsr >> 8) as u8
    }
}
