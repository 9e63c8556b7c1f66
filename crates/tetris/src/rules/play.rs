//! A frame of a game: a pass through the states 2 to 8.

use super::player::Working;
use super::{COLUMNS, Game, MUSIC_OFF, ROWS, Wait, mode, mode_state, render, state};
use crate::buttons::{DOWN, LEFT, RESET, RIGHT, SELECT, START};
use crate::orientation::Orientation;

const TILE_CURTAIN: u8 = 0x4F;
/// Ten thousands of a score that earns an A-type ending, BCD.
pub(super) const ENDING_SCORE: u8 = 0x03;

impl Game<'_> {
    /// From the end of the main loop's wait to its next one.
    #[inline(always)]
    pub(super) fn play_frame(&mut self) {
        if self.mode == mode::DEMO && self.demo_is_over() {
            self.leave_for(mode::TITLE);
            self.enter_title();
        } else if self.mode_state == mode_state::PAUSE {
            self.play_pause();
        } else {
            self.play_counters();
        }
    }

    /// States 2 to 6.
    #[inline(always)]
    pub(super) fn play_counters(&mut self) {
        self.player.fall_timer = self.player.fall_timer.wrapping_add(1);
        if self.pad_pressed & SELECT != 0 {
            self.hide_next ^= 1;
        }
        if self.player.state == state::ENDED && self.game_is_over() {
            return;
        }
        self.play_player();
        if self.pad_held == RESET {
            self.leave_for(mode::LEGAL);
            self.music_request = MUSIC_OFF;
            self.enter_legal();
        } else if self.pad_held == RIGHT | LEFT | DOWN {
            // The held buttons are taken for the number of the state to come, and so for the end of the frame: the
            // game runs at half its speed.
            self.mode_state = mode_state::PAUSE;
            self.end_frame(Wait::Play);
        } else {
            self.play_pause();
        }
    }

    /// States 7 and 8: Start pauses, whatever else is pressed with it, but neither under the curtain nor in the demo.
    #[inline(always)]
    fn play_pause(&mut self) {
        let pauses =
            self.pad_pressed & START != 0 && self.mode != mode::DEMO && self.player.state != state::CURTAIN;
        if pauses {
            self.enter_pause();
        } else {
            self.mode_state = mode_state::COUNTERS;
            self.end_frame(Wait::Play);
        }
    }

    fn enter_pause(&mut self) {
        self.mode_state = mode_state::PAUSE;
        self.render_mode = render::STILL;
        self.end_frame(Wait::Pause);
    }

    /// A frame of the pause. Afterwards the picture takes the playfield again from its first row: until that is done
    /// nothing can lock.
    pub(super) fn pause_frame(&mut self) {
        if self.pad_pressed == START {
            self.player.vram_row = 0;
            self.render_mode = render::PLAY;
            self.mode_state = mode_state::COUNTERS;
            self.end_frame(Wait::Play);
        } else {
            self.end_frame(Wait::Pause);
        }
    }

    /// A B-type game that is over with no line left is won. Out: has the play been left?
    fn game_is_over(&mut self) -> bool {
        self.mode_state = mode_state::GAME_OVER;
        if self.mode == mode::DEMO {
            self.leave_for(mode::TITLE);
            self.enter_title();
        } else if self.kind != 0 && self.player.lines == 0 {
            self.enter_success();
        } else {
            self.enter_ending();
        }
        true
    }

    #[inline(always)]
    fn play_player(&mut self) {
        self.active_player = 1;
        self.pressed = self.pad_pressed;
        self.held = self.pad_held;
        match self.player.state {
            state::ACTIVE => self.play_active(),
            state::LOCK => self.play_lock(),
            state::ROW_CHECK => self.play_row_check(),
            state::LINES => self.play_lines(),
            state::B_GOAL => self.play_goal(),
            state::GARBAGE | state::NEXT => self.player.state += 1,
            state::SPAWN => self.play_spawn(),
            state::CURTAIN => self.play_curtain(),
            _ => {}
        }
        self.working = Working::of(&self.player);
    }

    /// A row every fourth frame, after sixteen steps of nothing. Then a game worth an ending is over at once, any
    /// other when Start is pressed alone.
    fn play_curtain(&mut self) {
        let player = &mut self.player;
        player.orientation = Orientation::HIDDEN.id();
        if player.curtain_row == ROWS {
            let earned = self.kind == 0 && player.score[2] >= ENDING_SCORE;
            if earned || self.pressed == START {
                player.state = state::ENDED;
                // This Start must not pause.
                self.pad_pressed = 0;
            }
        } else if self.frame_counter & 3 == 0 {
            if let Some(row) =
                self.field.chunks_exact_mut(COLUMNS).take(usize::from(ROWS)).nth(player.curtain_row.into())
            {
                row.fill(TILE_CURTAIN);
                player.vram_row = player.curtain_row;
            }
            player.curtain_row = player.curtain_row.wrapping_add(1);
        }
    }
}
