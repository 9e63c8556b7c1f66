//! The vertical-blank interrupt: the picture's part of the state first, the buttons last.

use super::{Game, ROWS, ROWS_DONE, dirty, effect, mode, mode_state, render, state};
use crate::buttons::START;
use crate::lfsr;
use crate::rom::{DEMO_BUTTONS, DEMO_PIECES};

/// Steps of the line-clear animation.
const CLEAR_STEPS: u8 = 5;
/// Playfield rows that one vblank has time for.
const ROWS_A_FRAME: u8 = 4;

impl Game<'_> {
    #[inline(always)]
    pub(super) fn nmi(&mut self, buttons: u8) {
        match self.render_mode {
            render::PLAY => self.render_play(),
            render::SCORES => self.dirty &= !dirty::LETTER,
            _ => {}
        }
        self.sleep_counter = self.sleep_counter.saturating_sub(1);
        self.frame_counter = self.frame_counter.wrapping_add(1);
        self.lfsr = lfsr::step(self.lfsr);
        self.pad_pressed = buttons & !self.pad_held;
        self.pad_held = buttons;
        if self.mode == mode::DEMO {
            self.demo_input();
        }
    }

    #[inline(always)]
    fn render_play(&mut self) {
        let player = &mut self.player;
        if player.state == state::CLEAR {
            player.vram_row = 0;
            if self.frame_counter & 3 == 0 {
                player.clear_step = player.clear_step.wrapping_add(1);
                if (player.clear_step.wrapping_sub(CLEAR_STEPS) as i8) >= 0 {
                    player.clear_step = 0;
                    player.state = state::LINES;
                }
            }
        } else if player.vram_row < ROWS {
            player.vram_row += ROWS_A_FRAME;
            if player.vram_row >= ROWS {
                player.vram_row = ROWS_DONE;
            }
        }
        // The statistics wait for the rows; all else is drawn at once.
        let waits = self.dirty & dirty::STATISTICS != 0 && player.vram_row != ROWS_DONE;
        self.dirty = if waits { dirty::STATISTICS } else { 0 };
        if player.lines_completed == 4 && self.frame_counter & 7 == 0 {
            self.effect_pulse = effect::CLEARING;
        }
    }

    /// The recording takes the place of the pad; the real pad's Start, or the recording's end, ends the demo.
    fn demo_input(&mut self) {
        if self.pad_pressed == START {
            self.stop_demo();
            return;
        }
        if self.demo_recording & 0x80 != 0 {
            return;
        }
        if self.demo_is_over() || self.mode_state < mode_state::COUNTERS {
            self.pad_pressed = 0;
            self.pad_held = 0;
            return;
        }
        if self.demo_repeats == 0 {
            let place = usize::from(self.demo_pointer.wrapping_sub(DEMO_BUTTONS));
            let (Some(&held), Some(&repeats)) =
                (self.rom.demo_buttons.get(place), self.rom.demo_buttons.get(place + 1))
            else {
                self.stop_demo();
                return;
            };
            if repeats == 0 {
                self.stop_demo();
                return;
            }
            self.demo_repeats = repeats;
            self.pad_pressed = (held ^ self.demo_held) & held;
            self.demo_held = held;
            self.demo_pointer = self.demo_pointer.wrapping_add(2);
        } else {
            self.pad_pressed = 0;
        }
        self.demo_repeats -= 1;
        self.pad_held = self.demo_held;
    }

    fn stop_demo(&mut self) {
        self.demo_pointer = DEMO_PIECES & 0xFF00 | self.demo_pointer & 0xFF;
        self.pad_pressed = 0;
        self.pad_held = 0;
    }

    /// Has the recording run into the table of pieces, which is how its end is known?
    pub(super) fn demo_is_over(&self) -> bool {
        self.demo_pointer >> 8 == DEMO_PIECES >> 8
    }
}
