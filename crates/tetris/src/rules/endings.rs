//! What follows a finished game: an ending if it was earned, a name if the score stays, then the level menu.

use super::play::ENDING_SCORE;
use super::{COLUMNS, Game, Wait, mode};

/// Frames between the curtain and the ending.
const ENDING_PAUSE: u8 = 128;
/// The first cell of the sign over a finished B-type game.
const SUCCESS_PLACE: usize = 0x46;
const SUCCESS_TRACK: u8 = 2;
/// Frames for the sign to get into the picture, and to be looked at.
const SUCCESS_DRAW: u8 = 20;
const SUCCESS_PAUSE: u8 = 128;

/// The sign: a frame of tiles around eight letters.
const SUCCESS: [[u8; COLUMNS]; 3] = [
    [0x30, 0x31, 0x31, 0x31, 0x31, 0x31, 0x31, 0x31, 0x31, 0x32],
    [0x33, 0x1C, 0x1E, 0x0C, 0x0C, 0x0E, 0x1C, 0x1C, 0x28, 0x34],
    [0x35, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x37],
];

impl Game<'_> {
    /// After the curtain of a lost game. The B-type has its ending from its goal.
    pub(super) fn enter_ending(&mut self) {
        if self.kind == 0 && self.player.score[2] >= ENDING_SCORE {
            self.sleep_counter = ENDING_PAUSE;
            self.end_frame(Wait::EndingPause);
        } else {
            self.enter_high_scores();
        }
    }

    pub(super) fn enter_high_scores(&mut self) {
        if self.insert_score() {
            self.enter_name_entry();
        } else {
            self.leave_endings();
        }
    }

    pub(super) fn leave_endings(&mut self) {
        self.leave_for(mode::LEVEL_MENU);
        self.enter_level_menu();
    }

    /// A B-type game at its goal.
    pub(super) fn enter_success(&mut self) {
        self.field[SUCCESS_PLACE..][..3 * COLUMNS].copy_from_slice(SUCCESS.as_flattened());
        self.music_request = SUCCESS_TRACK;
        self.working.vram_row = 0;
        self.player.vram_row = 0;
        self.sleep_counter = SUCCESS_DRAW;
        self.end_frame(Wait::SuccessDrawn);
    }

    /// A frame of a pause that the interrupt counts down.
    pub(super) fn sleep_frame(&mut self) {
        match self.wait {
            wait if self.sleep_counter != 0 => self.end_frame(wait),
            Wait::SuccessDrawn => {
                self.sleep_counter = SUCCESS_PAUSE;
                self.end_frame(Wait::SuccessPause);
            }
            Wait::SuccessPause => self.enter_ending_b(),
            _ => self.enter_ending_a(),
        }
    }
}
