//! The game itself: a model of its rules that is exact to the frame and to the byte.
//!
//! [`Game`] is a value of less than 512 bytes. [`Game::step`] is one frame: the vertical-blank interrupt that reads
//! the buttons, then the main loop up to its next wait. [`Game::memory`] is what the machine's RAM holds then, for
//! every byte that has a meaning in the map ([`crate::ram`]) but those of sprites, sound and scratch.
//!
//! The order of work in a frame is the machine's, because it is what makes a press of a button count in this frame or
//! the next. Bytes are added as the 6502 does, in eight bits, BCD or not: the bugs that players know by name follow
//! from that.
//!
//! What takes the machine longer than a frame, drawing a screen with the picture off, is a number of frames in
//! [`Rom`].

mod active;
mod ending_a;
mod ending_b;
mod endings;
mod high_scores;
mod level_menu;
mod lines;
mod lock;
mod memory;
mod name_entry;
mod nmi;
mod play;
mod player;
mod screens;
mod second_field;
mod spawn;
mod start;
mod type_menu;

use core::fmt;

pub use active::frames_per_row;
pub use high_scores::HighScores;
pub use memory::Memory;
use player::{Player, Working};
use screens::Screen;
use second_field::SecondField;

use crate::ram::{EMPTY, game_mode as mode, mode_state, play_state as state, render_mode as render};
use crate::rom::Rom;

/// Columns of the playfield.
const COLUMNS: usize = 10;
/// Rows of the playfield.
const ROWS: u8 = 20;
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
    pub(super) const SELECT: u8 = 2;
    pub(super) const SHIFT: u8 = 3;
    pub(super) const TETRIS: u8 = 4;
    pub(super) const ROTATE: u8 = 5;
    pub(super) const LEVEL_UP: u8 = 6;
    pub(super) const LOCK: u8 = 7;
    pub(super) const CHIRP: u8 = 8;
    pub(super) const CLEARING: u8 = 9;
    pub(super) const LINE: u8 = 0x0A;
}

/// Where the main loop waits for the interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// At its end, in a game.
    Play,
    Pause,
    /// Switched on this many frames ago; no interrupt yet.
    Boot(u8),
    /// Before the picture goes off to draw the screen.
    ToDark(Screen),
    /// Drawing with the picture and the interrupt off, this many more frames.
    Dark(Screen, u8),
    /// Before the picture comes on.
    ToLit(Screen),
    LegalForced,
    LegalSkippable,
    Title,
    TypeMenu,
    LevelMenu,
    /// After a row of the B-type's garbage.
    Garbage,
    SuccessDrawn,
    SuccessPause,
    EndingPause,
    EndingA,
    EndingB,
    NameEntry,
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
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Game<'rom> {
    rom: &'rom Rom,
    wait: Wait,
    player: Player,
    working: Working,
    pressed: u8,
    held: u8,
    pad_pressed: u8,
    pad_held: u8,
    mode_state: u8,
    mode: u8,
    render_mode: u8,
    dirty: u8,
    lfsr: u16,
    frame_counter: u16,
    last_piece: u8,
    spawn_count: u8,
    next_piece: u8,
    cursor: u8,
    saved: u8,
    drop_speed: u8,
    hide_next: u8,
    kind: u8,
    music_type: u8,
    fast_music: u8,
    sleep_counter: u8,
    effect_noise: u8,
    effect_pulse: u8,
    music_request: u8,
    pause_frames: u8,
    active_player: u8,
    field_page: u8,
    second_hole: u8,
    countdown: u8,
    level_bonus: u8,
    height_bonus: u8,
    ending_vars: [u8; 5],
    ending_sprite: u8,
    ending_delay: u8,
    demo_held: u8,
    demo_repeats: u8,
    demo_recording: u8,
    demo_piece: u8,
    demo_pointer: u16,
    name_letter: u8,
    name_row: u8,
    name_offset: u8,
    name_symbol: u8,
    line_counts: [u8; 4],
    b_total: [u8; 3],
    piece_counts: [[u8; 2]; 7],
    field: [u8; 256],
    second_field: SecondField,
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
    /// One frame with `buttons` held on the first pad (see [`crate::buttons`]): from the interrupt that reads them to
    /// the main loop's next wait for it.
    #[inline]
    pub fn step(&mut self, buttons: u8) {
        if self.wait == Wait::Play {
            self.nmi(buttons);
            self.play_frame();
        } else {
            self.step_screen(buttons);
        }
    }

    /// Before a step beside a machine whose screens take another number of frames to draw: `ram` is the machine's after
    /// the frame that is to be stepped. While the machine draws, the model does.
    pub fn follow_machine(&mut self, ram: &[u8; 0x800]) {
        if let Wait::Dark(screen, _) = self.wait {
            let draws = ram[crate::ram::PPUCTRL_COPY.at()] & 0x80 == 0;
            self.wait = Wait::Dark(screen, if draws { 2 } else { 1 });
        }
    }

    /// Does the play run: not in a menu, a demo, a pause, an ending?
    pub fn in_play(&self) -> bool {
        self.wait == Wait::Play && self.mode == mode::PLAY
    }

    /// Has the curtain begun to fall, or the play ended?
    pub fn is_over(&self) -> bool {
        matches!(self.player.state, state::CURTAIN | state::ENDED)
    }

    /// The end of a frame: the sound engine takes the requests, then the main loop waits.
    #[inline(always)]
    fn end_frame(&mut self, wait: Wait) {
        self.effect_noise = 0;
        self.effect_pulse = 0;
        if wait == Wait::Pause {
            self.pause_frames = self.pause_frames.saturating_add(1);
        } else {
            self.pause_frames = 0;
            self.music_request = 0;
        }
        self.wait = wait;
    }

    /// Off to the first state of another mode.
    fn leave_for(&mut self, game_mode: u8) {
        self.mode = game_mode;
        self.mode_state = mode_state::SCREEN;
    }
}
