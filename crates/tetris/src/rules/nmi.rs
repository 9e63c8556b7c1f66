//! The vertical-blank interrupt: the picture's part of the state first, the buttons last.

use super::{Clock, Game, ROWS, ROWS_DONE, dirty, effect, mode, render, state};
use crate::lfsr;

/// Steps of the line-clear animation.
const CLEAR_STEPS: u8 = 5;
/// Playfield rows that one vblank has time for.
const ROWS_A_FRAME: u8 = 4;

impl Game<'_> {
    /// The interrupt between two frames of play.
    #[inline(always)]
    pub(super) fn nmi(&mut self, buttons: u8) {
        if self.render_mode == render::PLAY {
            self.render_play(self.player.lines_completed);
        }
        self.count_frame(buttons);
    }

    /// The interrupt wherever the working copy at `$40` is not the player: what is drawn of a game
    /// goes through it.
    pub(super) fn nmi_with_copy(&mut self, buttons: u8) {
        match self.render_mode {
            render::PLAY => {
                let clears = self.player.state == state::CLEAR;
                self.render_play(self.hand.lines_completed);
                self.field_page = 4;
                if clears {
                    self.hand.cleared_rows = self.player.cleared_rows;
                    self.hand.clear_step = self.player.clear_step;
                    self.hand.state = self.player.state;
                } else {
                    self.hand.vram_row = self.player.vram_row;
                }
            }
            render::SCORES if self.dirty & dirty::LETTER != 0 => self.dirty = 0,
            _ => {}
        }
        self.count_frame(buttons);
    }

    #[inline(always)]
    fn count_frame(&mut self, buttons: u8) {
        self.sleep_counter = self.sleep_counter.saturating_sub(1);
        self.frame_counter = self.frame_counter.wrapping_add(1);
        self.lfsr = lfsr::step(self.lfsr);
        self.pad_pressed = buttons & !self.pad_held;
        self.pad_held = buttons;
        self.clock = Clock::default();
        if self.mode == mode::DEMO {
            self.demo_input();
        }
    }

    #[inline(always)]
    fn render_play(&mut self, lines_completed: u8) {
        let player = &mut self.player;
        if player.state == state::CLEAR {
            player.vram_row = 0;
            if self.frame_counter & 3 == 0 {
                player.clear_step = player.clear_step.wrapping_add(1);
                if (player.clear_step.wrapping_sub(CLEAR_STEPS) as i8) >= 0 {
                    player.state = state::LINES;
                }
            }
        } else if player.vram_row < ROWS {
            player.vram_row += ROWS_A_FRAME;
            if player.vram_row >= ROWS {
                player.vram_row = ROWS_DONE;
            }
        }
        self.dirty &= !(dirty::LINES | dirty::LEVEL | dirty::SCORE | dirty::STATISTICS);
        if lines_completed == 4 && self.frame_counter & 7 == 0 {
            self.effect_pulse = effect::CLEARING;
        }
    }
}
