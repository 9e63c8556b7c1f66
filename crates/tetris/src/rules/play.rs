//! A frame of a game: a pass through the states 2 to 8.

use super::{Game, ROWS, Sleep, WIDTH, Wait, mode, mode_state, render, state};
use crate::buttons::{DOWN, LEFT, RESET, RIGHT, SELECT, START};
use crate::orientation::{Orientation, SHAPES};

const TILE_CURTAIN: u8 = 0x4F;
/// Ten thousands of a score that earns an ending, BCD.
const ENDING_SCORE: u8 = 0x03;
/// Frames between the curtain and the ending.
const ENDING_PAUSE: u8 = 128;
/// The state of the first player, and the one that follows the second's.
pub(super) const STATE_PLAYER: u8 = 4;
const STATE_RESET: u8 = 6;
/// The scanline of the playfield's first row.
const FIELD_TOP: u8 = 0x2F;

impl Game<'_> {
    /// From the end of the main loop's wait to its next one.
    #[inline(always)]
    pub(super) fn play_frame(&mut self) {
        self.end_demo();
        if self.mode < mode::PLAY {
            self.put_player_down();
            self.run_mode();
        } else if self.mode_state == mode_state::PAUSE {
            self.play_pause();
        } else {
            self.play_counters();
        }
    }

    /// States of a game in which no frame of it is under way.
    pub(super) fn run_play(&mut self) {
        match self.mode_state {
            mode_state::SCREEN => self.enter_game(),
            mode_state::GAME => self.start_game(),
            mode_state::PAUSE => self.play_pause(),
            _ => self.play_counters(),
        }
    }

    /// States 2 to 6.
    #[inline(always)]
    pub(super) fn play_counters(&mut self) {
        self.player.fall_timer = self.player.fall_timer.wrapping_add(1);
        self.second.fall_timer = self.second.fall_timer.wrapping_add(1);
        if self.pad_pressed & SELECT != 0 {
            self.hide_next ^= 1;
        }
        if self.player.state == state::ENDED {
            self.put_player_down();
            // The working copy is not taken any more.
            self.hand.fall_timer = self.hand.fall_timer.wrapping_sub(1);
            self.mode_state = mode_state::GAME_OVER;
            self.enter_high_scores();
            return;
        }
        if self.play_player() {
            self.end_player();
        }
    }

    /// From the end of the player's state on: the reset combo, the pause, the wait.
    #[inline(always)]
    pub(super) fn end_player(&mut self) {
        if self.pad_held == RESET {
            self.put_player_down();
            self.mode_state = STATE_RESET;
            self.mode = mode::LEGAL;
            self.enter_legal();
        } else if self.pad_held == RIGHT | LEFT | DOWN {
            // The held buttons are taken for the number of the state to come, and so for the end of
            // the frame: the game runs at half its speed.
            self.mode_state = mode_state::PAUSE;
            self.end_frame(Wait::Main);
        } else {
            self.play_pause();
        }
    }

    /// States 7 and 8: Start pauses, whatever else is pressed with it, but neither under the
    /// curtain nor in the demo.
    #[inline(always)]
    pub(super) fn play_pause(&mut self) {
        if self.pad_pressed & START != 0 && self.pauses() {
            self.put_player_down();
            self.mode_state = mode_state::PAUSE;
            self.render_mode = render::STILL;
            self.end_frame(Wait::Pause);
        } else {
            self.mode_state = mode_state::COUNTERS;
            self.end_frame(Wait::Main);
        }
    }

    fn pauses(&self) -> bool {
        self.render_mode == render::PLAY && self.player.state != state::CURTAIN
    }

    /// A frame of the pause. Afterwards the picture takes the playfield again from its first row:
    /// until that is done nothing can lock.
    pub(super) fn pause_frame(&mut self) {
        if self.pad_pressed == START {
            self.player.vram_row = 0;
            self.render_mode = render::PLAY;
            self.mode_state = mode_state::COUNTERS;
            self.end_frame(Wait::Resumed);
        } else {
            self.end_frame(Wait::Pause);
        }
    }

    /// Returns whether the player's state is over, and not in a pause or an ending of its own.
    #[inline(always)]
    fn play_player(&mut self) -> bool {
        self.active_player = 1;
        self.field_page = 4;
        self.pressed = self.pad_pressed;
        self.held = self.pad_held;
        match self.player.state {
            state::ACTIVE => self.play_active(),
            state::LOCK => self.play_lock(),
            state::ROW_CHECK => self.play_row_check(),
            state::LINES => return self.play_lines(),
            state::B_GOAL => return self.play_goal(),
            state::GARBAGE | state::NEXT => self.player.state += 1,
            state::SPAWN => self.play_spawn(),
            state::CURTAIN => return self.play_curtain(),
            state::ENDED => self.player.orientation = Orientation::HIDDEN.id(),
            _ => {}
        }
        true
    }

    /// A row every fourth frame, after sixteen steps of nothing. Then a game worth an ending has it
    /// at once, any other is over when Start is pressed alone.
    fn play_curtain(&mut self) -> bool {
        let player = &mut self.player;
        if player.curtain_row == ROWS {
            if player.score[2] >= ENDING_SCORE {
                self.put_player_down();
                self.mode_state = STATE_PLAYER;
                self.sleep(Sleep::Curtain, ENDING_PAUSE);
                return false;
            }
            if self.pad_pressed == START {
                self.end_curtain();
            }
        } else if self.frame_counter & 3 == 0 {
            let row = player.curtain_row;
            if row & 0x80 == 0 {
                let mut rows = self.field.chunks_exact_mut(WIDTH).take(usize::from(ROWS));
                if let Some(cells) = rows.nth(row.into()) {
                    cells.fill(TILE_CURTAIN);
                }
                player.orientation = Orientation::HIDDEN.id();
                player.vram_row = row;
            }
            player.curtain_row = row.wrapping_add(1);
        }
        true
    }

    fn end_curtain(&mut self) {
        self.player.state = state::ENDED;
        // This Start must not pause.
        self.pad_pressed = 0;
    }

    /// The ending that followed the curtain is over: the rest of its frame.
    pub(super) fn resume_from_curtain(&mut self) {
        self.take_player_up();
        self.end_curtain();
        self.go_on_from(STATE_PLAYER + 1);
    }

    /// The ending of a B-type game that was won is over. The state counts itself on, and so leaves
    /// out the next.
    pub(super) fn resume_from_goal(&mut self) {
        self.take_player_up();
        self.player.state = state::ENDED;
        self.go_on_from(STATE_PLAYER + 2);
    }

    /// A frame of play that took longer goes on, its next state being `number`. An interrupt in
    /// between can have ended the demo.
    pub(super) fn go_on_from(&mut self, number: u8) {
        if self.mode < mode::PLAY {
            self.put_player_down();
            self.mode_state = number;
            self.run_mode();
        } else {
            self.end_player();
        }
    }

    /// Where the play is left, the working copy stays as the frame left it.
    pub(super) fn put_player_down(&mut self) {
        self.hand = self.player;
        self.saved = self.staged_row();
    }

    /// The working copy becomes what holds.
    fn take_player_up(&mut self) {
        self.player = self.hand;
    }

    /// What staging the piece's sprites leaves in `$AE`: the scanline of its last cell.
    pub(super) fn staged_row(&self) -> u8 {
        let (row, _) = SHAPES[usize::from(self.player.orientation & 0x1F)].cells[3];
        self.player.y.wrapping_add_signed(row).wrapping_mul(8).wrapping_add(FIELD_TOP)
    }
}
