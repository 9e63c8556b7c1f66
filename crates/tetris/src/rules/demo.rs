//! The demo: a recorded player at the pad.

use super::{Game, mode, mode_state, state};
use crate::buttons::START;
use crate::rom::{DEMO_BUTTONS, DEMO_PIECES};

impl Game<'_> {
    /// An A-type game at level 0 begins.
    pub(super) fn start_demo(&mut self) {
        self.kind = 0;
        self.player.start_level = 0;
        self.mode_state = mode_state::SCREEN;
        self.player.state = state::ENDED;
        self.mode = mode::DEMO;
        self.run_play();
    }

    /// In the interrupt: the recording takes the place of the pad. The real pad's Start ends the
    /// demo.
    ///
    /// The recording is read from the first frame of the screen on, though it is wound back when
    /// the game is set up: until then it goes on where the last one ended, or, if there was none,
    /// in what zero page holds.
    pub(super) fn demo_input(&mut self) {
        if self.demo_recording == 0xFF {
            return;
        }
        if self.pad_pressed == START {
            self.demo_pointer = DEMO_BUTTONS | self.demo_pointer & 0xFF;
            self.frame_counter &= 0xFF;
            self.mode = mode::TITLE;
            return;
        }
        self.demo_pair_taken = self.demo_repeats == 0;
        if self.demo_pair_taken {
            let held = self.demo_byte();
            self.pad_pressed = (held ^ self.demo_held) & held;
            self.demo_held = held;
            self.demo_repeats = self.demo_byte();
            if self.demo_is_over() {
                return;
            }
        } else {
            self.demo_repeats -= 1;
            self.pad_pressed = 0;
        }
        self.pad_held = self.demo_held;
    }

    /// The next byte of the recording.
    fn demo_byte(&mut self) -> u8 {
        let pointer = self.demo_pointer;
        self.demo_pointer = pointer.wrapping_add(1);
        match pointer.checked_sub(DEMO_BUTTONS).map(usize::from) {
            Some(place) => self.rom.demo_buttons.get(place).copied().unwrap_or(0),
            None => self.rom.demo_unset.get(usize::from(pointer)).copied().unwrap_or(0),
        }
    }

    /// Has the recording run into the table of pieces, which is how its end is known?
    #[inline(always)]
    pub(super) fn demo_is_over(&self) -> bool {
        self.demo_pointer >> 8 == DEMO_PIECES >> 8
    }

    /// The main loop's look at the recording, after every pass.
    #[inline(always)]
    pub(super) fn end_demo(&mut self) {
        if self.mode == mode::DEMO && self.demo_is_over() {
            self.demo_pointer = DEMO_BUTTONS | self.demo_pointer & 0xFF;
            self.frame_counter &= 0xFF;
            self.mode = mode::TITLE;
        }
    }
}
