//! The game itself: a model of its rules that is exact to the frame and to the byte.
//!
//! [`Game`] is a value of less than 512 bytes. [`Game::step`] is one frame: the vertical-blank
//! interrupt that reads the buttons, then the main loop up to its next wait. [`Game::memory`] is
//! what the machine's RAM holds then, for every byte that has a meaning in the map ([`crate::ram`])
//! but those of sprites, sound and scratch.
//!
//! The order of work in a frame is the machine's, because it is what makes a press of a button
//! count in this frame or the next. Bytes are added as the 6502 does, in eight bits, BCD or not:
//! the bugs that players know by name follow from that.
//!
//! What takes the machine longer than a frame is in [`Rom`]: frames of drawing with the picture
//! off, and the cycles of the loops that overrun a frame at high levels.

mod active;
mod demo;
mod domes;
mod ending_a;
mod ending_b;
mod endings;
mod fast;
mod high_scores;
mod late;
mod level_menu;
mod lines;
mod lock;
mod memory;
mod name_entry;
mod nmi;
mod pace;
mod parade;
mod play;
mod player;
mod saved;
mod screens;
mod spawn;
mod start;
mod type_menu;

use core::fmt;

use serde::{Deserialize, Serialize};

pub use crate::tally::{lines_to_level, score_after};
pub use high_scores::HighScores;
use late::{Clock, Stage};
pub use memory::Memory;
pub use pace::{Pace, frames_per_row};
use player::{PlayerBlock, Second};
use screens::Screen;

use crate::ram::{EMPTY, game_mode as mode, mode_state, play_state as state, render_mode as render};
use crate::rom::Rom;
use crate::{HEIGHT, WIDTH};

/// Rows of the playfield.
const ROWS: u8 = HEIGHT as u8;
/// In `vram_row`: the picture has every row.
const ROWS_DONE: u8 = 0x20;
/// The column of the pivot of a piece that appears.
const SPAWN_X: u8 = 5;
/// In `music_request`: silence.
const MUSIC_OFF: u8 = 0xFF;

/// Bits of `$A3`: what the interrupt has to draw.
mod dirty {
    pub(super) const LINES: u8 = 0x01;
    pub(super) const LEVEL: u8 = 0x02;
    pub(super) const SCORE: u8 = 0x04;
    pub(super) const STATISTICS: u8 = 0x40;
    pub(super) const LETTER: u8 = 0x80;
}

/// Effects: numbers written to `$06F0` (the first two) and `$06F1`.
mod effect {
    pub(super) const CURTAIN: u8 = 2;
    pub(super) const ROCKET: u8 = 3;
    pub(super) const CURSOR: u8 = 1;
    pub(super) const SELECT: u8 = 2;
    pub(super) const SHIFT: u8 = 3;
    pub(super) const TETRIS: u8 = 4;
    pub(super) const ROTATE: u8 = 5;
    pub(super) const LEVEL_UP: u8 = 6;
    pub(super) const LOCK: u8 = 7;
    pub(super) const CLEARING: u8 = 9;
    pub(super) const LINE: u8 = 0x0A;
}

/// Where the main thread waits for the interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Wait {
    /// At the main loop's end: the mode decides what is next. In a game, the end of a frame.
    Main,
    Pause,
    /// After a pause: the working copy has not heard yet that the picture takes the playfield anew.
    Resumed,
    /// Switched on this many frames ago; no interrupt yet.
    Boot(u8),
    /// Nowhere: the interrupt came too early.
    Late(Stage),
    /// Before the picture goes off to draw the screen.
    ToDark(Screen),
    /// Drawing with the picture and the interrupt off, this many more frames.
    Dark(Screen, u8),
    /// The screen is drawn; this many more frames until the picture comes on, and one after it.
    ToLit(Screen, u8),
    LegalForced,
    LegalSkippable,
    Title,
    TypeMenu,
    LevelMenu,
    /// A new game is set up.
    Begin,
    /// After a row of the B-type's garbage; this many are left, this one included.
    Garbage(u8),
    /// A pause that the interrupt counts down, and what follows.
    Sleep(Sleep),
    EndingA,
    EndingB,
    NameEntry,
    /// After the name was entered.
    NameDone,
    /// After the field was emptied, before the level menu.
    GameDone,
}

/// What a pause is before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Sleep {
    /// The sign over the field of a B-type game that is won.
    Sign,
    SignSeen,
    /// The ending of a game worth one, under its curtain.
    Curtain,
    /// The rocket of an A-type ending.
    Rocket,
    /// The B-type's ending: before the score is taken, before the bonus for the level is counted, a
    /// step of it, before the bonus for the height, a step of it, its end.
    Score,
    LevelBonus,
    LevelStep,
    HeightBonus,
    HeightStep,
    Counted,
}

/// A game of NES Tetris from power-on, between two frames.
///
/// ```
/// use tetris::{Rom, View, rules::Game};
///
/// let mut game = Game::power_on(&Rom::MAXOUT);
/// for frame in 0..600 {
///     game.step(if frame % 6 == 0 { tetris::buttons::START } else { 0 });
/// }
/// let memory = game.memory();
/// let view = View::new(memory.ram());
/// assert_eq!((view.game_mode(), view.level()), (4, 0));
/// ```
///
/// A game is saved with serde, without its ROM: one that is loaded is of [`Rom::MAXOUT`] until
/// [`Game::with_rom`] says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game<'rom> {
    #[serde(skip, default = "saved::maxout")]
    rom: &'rom Rom,
    wait: Wait,
    /// The block at `$60`. While a frame of play runs the machine plays on the copy at `$40` and
    /// puts it back; here there is no copy then.
    player: PlayerBlock,
    /// The copy at `$40` wherever the two can differ: outside of [`Wait::Main`] in a game.
    hand: PlayerBlock,
    second: Second,
    pressed: u8,
    held: u8,
    pad_pressed: u8,
    pad_held: u8,
    // These eight are compared at once: `fast/frame.rs`.
    mode_state: u8,
    mode: u8,
    render_mode: u8,
    dirty: u8,
    music_request: u8,
    effect_noise: u8,
    effect_pulse: u8,
    pause_frames: u8,
    lfsr: u16,
    frame_counter: u16,
    last_piece: u8,
    spawn_count: u8,
    next_piece: u8,
    /// `$A6`: of two players' shared piece one player has only the first next piece.
    shared_piece: u8,
    cursor: u8,
    saved: u8,
    drop_speed: u8,
    hide_next: u8,
    kind: u8,
    music_type: u8,
    fast_music: u8,
    sleep_counter: u8,
    /// A song is playing.
    music_plays: bool,
    clock: Clock,
    /// Cycles that the machine is taken to need more in this frame.
    drift: i16,
    active_player: u8,
    field_page: u8,
    /// `$BC`: nobody's garbage, counted all the same.
    garbage_sent: u8,
    countdown: u8,
    level_bonus: u8,
    height_bonus: u8,
    /// `$C4` to `$CD`.
    ending: [u8; 10],
    demo_held: u8,
    demo_repeats: u8,
    demo_recording: u8,
    demo_piece: u8,
    demo_pointer: u16,
    demo_pair_taken: bool,
    name_letter: u8,
    name_row: u8,
    name_offset: u8,
    name_symbol: u8,
    line_counts: [u8; 4],
    b_total: [u8; 3],
    piece_counts: [[u8; 2]; 7],
    #[serde(with = "saved::field")]
    field: [u8; 256],
    /// The first row of the field at `$0500`, where the first field's last bytes go when its row 0
    /// is taken out.
    second_field: [u8; 10],
    high_scores: HighScores,
}

const _: () = assert!(size_of::<Game>() < 512);

/// Where the game stands; all of it would fill pages.
impl fmt::Debug for Game<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("wait", &self.wait)
            .field("game_mode", &self.mode)
            .field("frame_counter", &self.frame_counter)
            .field("player", &self.player)
            .finish_non_exhaustive()
    }
}

impl Game<'_> {
    /// One frame with `buttons` held on the first pad (see [`crate::buttons`]): from the interrupt
    /// that reads them to the main loop's next wait for it.
    #[inline]
    pub fn step(&mut self, buttons: u8) {
        if !self.step_active(buttons) {
            self.step_by_definition(buttons);
        }
    }

    /// The same without the shortcut.
    #[inline(never)]
    fn step_by_definition(&mut self, buttons: u8) {
        if self.plays() {
            self.nmi(buttons);
            self.play_frame();
        } else {
            self.step_screen(buttons);
        }
    }

    /// Does the play run: not in a menu, a demo, a pause, an ending?
    pub fn in_play(&self) -> bool {
        self.wait == Wait::Main && self.mode == mode::PLAY && self.mode_state >= mode_state::COUNTERS
    }

    /// Is it between two frames of a game or of the demo, where the working copy is the player?
    #[inline(always)]
    fn plays(&self) -> bool {
        self.wait == Wait::Main && matches!(self.mode, mode::PLAY | mode::DEMO)
    }

    /// Has the curtain begun to fall, or the play ended?
    pub fn is_over(&self) -> bool {
        matches!(self.player.state, state::CURTAIN | state::ENDED)
    }

    /// The end of a frame: the sound engine takes the requests, then the main thread waits.
    #[inline(always)]
    fn end_frame(&mut self, wait: Wait) {
        if wait == Wait::Pause {
            self.pause_frames = self.pause_frames.saturating_add(1);
        } else {
            self.effect_noise = 0;
            self.effect_pulse = 0;
            self.pause_frames = 0;
            if self.music_request != 0 {
                self.music_plays = self.music_request != MUSIC_OFF;
                self.music_request = 0;
            }
        }
        self.wait = wait;
    }

    /// Back in the main loop with `accumulator`: where it is the number of the mode's state, the
    /// loop takes that for the end of the frame; else it goes on at once.
    fn return_to_main(&mut self, accumulator: u8) {
        if accumulator == self.mode_state {
            self.end_frame(Wait::Main);
        } else {
            self.run_mode();
        }
    }

    /// A pass of the main loop outside of a frame of play.
    fn run_mode(&mut self) {
        match self.mode {
            mode::LEGAL => self.enter_legal(),
            mode::TITLE => self.enter_title(),
            mode::TYPE_MENU => self.enter_type_menu(),
            mode::LEVEL_MENU => self.enter_level_menu(),
            mode::START_DEMO => self.start_demo(),
            _ => self.run_play(),
        }
    }
}
