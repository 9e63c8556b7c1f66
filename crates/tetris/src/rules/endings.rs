//! What follows a finished game: an ending if it was earned, a name if the score stays, then the
//! level menu.

use super::play::STATE_PLAYER;
use super::screens::Screen;
use super::{EMPTY, Game, Sleep, WIDTH, Wait, mode, render, state};

/// The first cell of the sign over a finished B-type game.
const SUCCESS_PLACE: usize = 0x46;
const SUCCESS_TRACK: u8 = 2;
const ENDING_TRACK: u8 = 10;
/// Frames for the sign to get into the picture, and to be looked at.
const SUCCESS_DRAW: u8 = 20;
const SUCCESS_PAUSE: u8 = 128;
/// Frames in which nothing ends the ending.
const OVERTURE: u8 = 128;

/// The sign: a frame of tiles around eight letters.
const SUCCESS: [[u8; WIDTH]; 3] = [
    [0x38, 0x39, 0x39, 0x39, 0x39, 0x39, 0x39, 0x39, 0x39, 0x3A],
    [0x3B, 0x1C, 0x1E, 0x0C, 0x0C, 0x0E, 0x1C, 0x1C, 0x28, 0x3C],
    [0x3D, 0x3E, 0x3E, 0x3E, 0x3E, 0x3E, 0x3E, 0x3E, 0x3E, 0x3F],
];

impl Game<'_> {
    /// Frames that the interrupt counts down.
    pub(super) fn sleep(&mut self, before: Sleep, frames: u8) {
        self.sleep_counter = frames;
        self.end_frame(Wait::Sleep(before));
    }

    pub(super) fn sleep_frame(&mut self, before: Sleep) {
        if self.sleep_counter == 0 {
            self.wake(before);
        } else {
            if !matches!(before, Sleep::Sign | Sleep::SignSeen | Sleep::Curtain) {
                self.play_ending();
            }
            self.end_frame(Wait::Sleep(before));
        }
    }

    fn wake(&mut self, before: Sleep) {
        match before {
            Sleep::Sign => {
                self.render_mode = render::STILL;
                self.sleep(Sleep::SignSeen, SUCCESS_PAUSE);
            }
            Sleep::SignSeen | Sleep::Curtain => self.enter_ending(),
            Sleep::Rocket => self.ending_a(),
            _ => self.count_bonus(before),
        }
    }

    fn enter_ending(&mut self) {
        self.render_mode = render::ENDING;
        if self.kind == 0 {
            self.draw(Screen::EndingA);
        } else {
            self.prepare_bonus();
            self.draw(Screen::EndingB);
        }
    }

    pub(super) fn begin_ending(&mut self, before: Sleep) {
        self.render_mode = render::ENDING;
        self.request_track(ENDING_TRACK);
        self.sleep_and_play(before, OVERTURE);
    }

    /// The same with the ending going on.
    pub(super) fn sleep_and_play(&mut self, before: Sleep, frames: u8) {
        self.play_ending();
        self.sleep(before, frames);
    }

    /// A frame of the ending's animation.
    pub(super) fn play_ending(&mut self) {
        if self.kind == 0 { self.fly() } else { self.parade() }
    }

    /// The ending is over: back to where the play was left for it.
    pub(super) fn end_ending(&mut self) {
        if self.hand.state == state::CURTAIN {
            self.resume_from_curtain();
        } else {
            self.resume_from_goal();
        }
    }

    /// A B-type game at its goal.
    pub(super) fn enter_success(&mut self) {
        self.request_track(SUCCESS_TRACK);
        self.field[SUCCESS_PLACE..][..3 * WIDTH].copy_from_slice(SUCCESS.as_flattened());
        self.put_player_down();
        self.player.vram_row = 0;
        self.mode_state = STATE_PLAYER;
        self.sleep(Sleep::Sign, SUCCESS_DRAW);
    }

    /// After the end of a game.
    pub(super) fn enter_high_scores(&mut self) {
        self.render_mode = render::PLAY;
        if self.insert_score() {
            self.enter_name_entry();
        } else {
            self.empty_field();
        }
    }

    pub(super) fn empty_field(&mut self) {
        self.player.state = state::ACTIVE;
        self.second.state = state::ACTIVE;
        self.field = [EMPTY; 256];
        self.second_field = [EMPTY; WIDTH];
        self.player.vram_row = 0;
        self.end_frame(Wait::GameDone);
    }

    pub(super) fn leave_game(&mut self) {
        self.mode = mode::LEVEL_MENU;
        self.return_to_main(mode::LEVEL_MENU);
    }
}
