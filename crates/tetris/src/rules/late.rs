//! The frames that take longer than a frame.
//!
//! Only one kind of frame can: the one in which a lock is reckoned up, because its loop of points runs level + 1 times.
//! Its time is counted here in CPU cycles from the interrupt on. Where the next interrupt comes before the main thread
//! waits for it, the frame is late: what the thread has not done by then it does in the next frame, and the interrupt has
//! used the temporaries of both. The loop's own counter is one of them.
//!
//! Sources: the figures of `TetrisGYM`'s crash model (`HydrantDude`), and traces of the game. The sound engine's time depends
//! on the notes of the music, which the model does not know: [`Game::sound_decides`].

use super::lines::{add_points, points_of};
use super::play::STATE_PLAYER;
use super::player::Player;
use super::{Game, Wait, dirty, mode, mode_state, render};
use crate::buttons::{DOWN, LEFT, RIGHT, SELECT};
use crate::rom::SoundCycles;

/// Where the main thread was when the interrupt came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Adding points; this many turns are left.
    Points(u8),
    /// Staging the piece's sprites.
    Sprites,
    /// Putting the working copy back, from the last byte on; this many are left.
    Copy(u8),
    /// In one of the states that follow, by number.
    State(u8),
    /// In the sound engine.
    Sound,
}

/// Cycles from an interrupt to the next.
const FRAME: i32 = 29_780;
/// Levels from which a frame can be late.
const LATE_LEVELS: u8 = 130;

/// From the interrupt to the first of the jumps that follow the player, without what is counted below.
const BASE: i32 = 7_279;
/// By rows completed: what else there is to do.
const COMPLETED: [i32; 5] = [654, -55, -27, 1, 45];
/// Drawing a cleared row, and one from row 11 on.
const ROW: i32 = 95;
const LOW_ROW: i32 = 97;
const LOW_ROWS: u8 = 11;
const NEXT_BOX: i32 = 394;
const SELECT_TAKEN: i32 = 7;
/// Looking for danger in an empty row, and a column of it.
const NO_DANGER: i32 = 149;
const COLUMN: i32 = 16;
const MUSIC_SLOWER: i32 = 38;
const MUSIC_FASTER: i32 = 41;
/// A counter of clears beyond nine, lines beyond nine and ninety-nine, a level.
const CLEARS_TEN: i32 = 11;
const TENS: i32 = 79;
const HUNDREDS: i32 = 12;
const LEVEL_UP: i32 = 18;
/// Points of a soft drop, and what is carried of them.
const DROP: i32 = 37;
const DROP_TEN: i32 = 9;
const DROP_HUNDRED: i32 = 11;
/// A turn of the loop that carries nothing.
const TURN: i32 = 83;
/// A piece whose shape lies beyond a page of the table.
const PIECE_ACROSS: u8 = 8;
/// From the loop's end to the sprites, the copy, its end, and the first jump; the next box comes before that one.
const TO_SPRITES: i32 = 24;
const SPRITES: i32 = 518;
const COPY_BEGINS: i32 = 16;
const COPY_BYTE: i32 = 15;
const COPY: i32 = 501;
const TO_JUMP: i32 = 18 + 49;
/// From the first jump to the moment in which a state's number is written: 6, 7, 8, and 2 again; before it is 5's.
const STATE_5: i32 = -44;
const STATES: [(u8, i32); 4] = [(5, 118), (6, 279), (7, 458), (8, 612)];
/// From the first jump to the sound engine, and from its end to the wait.
const TO_SOUND: i32 = 656;
const TO_SOUND_EARLY: i32 = 311;
const TO_WAIT: i32 = 11;
/// Each pass of the main loop in the demo, and its buttons: held on, or a new pair.
const DEMO_PASS: i32 = 7;
const DEMO_HELD: i32 = 39;
const DEMO_PAIR: i32 = 140;
/// Cycles by which two frames that are the same to the model differ: when the interrupt came in the wait, what it
/// interrupts, a step of the register, sprites sent on an odd cycle.
const JITTER: i32 = 12;
/// From the first jump to each of the eight jumps, and the cycles of one in which an interrupt sends it astray.
const JUMPS: [i32; 8] = [0, 60, 162, 222, 323, 383, 502, 562];
const JUMP_ASTRAY: std::ops::RangeInclusive<i32> = 10..=41;
/// The interrupt in a frame that goes on with the loop.
const INTERRUPT: i32 = 2_300;

impl Game<'_> {
    /// Did the last frame end before the main thread was done?
    pub fn is_late(&self) -> bool {
        matches!(self.wait, Wait::Late(_))
    }

    /// Did the sound engine's time decide whether the frame just stepped is late? It lies between two bounds, of which
    /// the model takes the middle: whoever has a machine beside the model, [decides](Self::decide).
    pub fn sound_decides(&self) -> bool {
        self.undecided
    }

    /// Says whether the frame just stepped is late, where [the sound decides](Self::sound_decides).
    pub fn decide(&mut self, late: bool) {
        if self.undecided {
            self.wait = if late { Wait::Late(Stage::Sound) } else { Wait::Main };
        }
    }

    /// Did the frame just stepped end in the middle of a jump, or near one? The interrupt uses the bytes that the jump
    /// has its target in. A machine goes astray there, and runs what is not program: nobody's rules say where to. The
    /// model plays on as if it had not.
    pub fn may_go_astray(&self) -> bool {
        self.in_jump
    }

    /// The game after `ram`, which is a machine's at the end of a frame of play: what a machine that went astray has come
    /// back to. `None` if no frame of play has ended there.
    #[must_use]
    pub fn beside(&self, ram: &[u8; 0x800]) -> Option<Self> {
        let byte = |place: crate::ram::Place| ram[place.at()];
        let plays = matches!(byte(crate::ram::GAME_MODE), mode::PLAY | mode::DEMO)
            && byte(crate::ram::MODE_STATE) == mode_state::COUNTERS
            && byte(crate::ram::RENDER_MODE) == render::PLAY
            && byte(crate::ram::VBLANK_DONE) == 0;
        let mut game = Self { wait: Wait::Main, in_jump: false, undecided: false, ..*self };
        game.set_memory(ram);
        game.music_plays = byte(crate::ram::MUSIC_PLAYING) != 0;
        plays.then_some(game)
    }

    /// Can the frame be late that a lock is reckoned up in?
    #[inline(always)]
    pub(super) fn may_be_late(&self) -> bool {
        self.rom.sound_cycles.is_some() && self.player.level >= LATE_LEVELS
    }

    /// Cycles from the interrupt to the loop of points, but for lines and drop points.
    pub(super) fn cycles_before_lines(&self, was_fast: bool) -> i32 {
        let player = &self.player;
        let completed = usize::from(player.lines_completed).min(4);
        let mut cycles = BASE + COMPLETED[completed] - (TO_SPRITES + SPRITES + COPY + TO_JUMP);
        if completed != 0 {
            let rows = player.cleared_rows.into_iter().filter(|&row| row != 0);
            cycles += rows.map(|row| if row >= LOW_ROWS { LOW_ROW } else { ROW }).sum::<i32>();
        }
        if self.mode == mode::DEMO {
            cycles += 4 * DEMO_PASS + if self.demo_pair_taken { DEMO_PAIR } else { DEMO_HELD };
        }
        if self.pressed & SELECT != 0 {
            cycles += SELECT_TAKEN;
        }
        cycles
            + match self.danger_column() {
                None => NO_DANGER + if was_fast { MUSIC_SLOWER } else { 0 },
                Some(column) => COLUMN * i32::from(column) + if was_fast { 0 } else { MUSIC_FASTER },
            }
    }

    /// What the lines took: `before` is the player before them.
    pub(super) fn cycles_of_lines(&self, before: &Player, clears_ten: bool) -> i32 {
        let (old, new) = (before, &self.player);
        let mut cycles = if clears_ten { CLEARS_TEN } else { 0 };
        if old.lines & 0xF0 != new.lines & 0xF0 || old.lines_hundreds != new.lines_hundreds {
            cycles += TENS;
        }
        if old.lines_hundreds != new.lines_hundreds {
            cycles += HUNDREDS;
        }
        if old.level != new.level {
            cycles += LEVEL_UP;
        }
        cycles
    }

    /// What the points of `rows` of soft drop take, added to `score`.
    pub(super) fn cycles_of_drop(rows: u8, score: u8) -> i32 {
        if (rows.wrapping_sub(2) as i8) < 0 {
            return 0;
        }
        let (mut sum, mut cycles) = (score.wrapping_add(rows - 1), DROP);
        if sum & 0x0F >= 0x0A {
            sum = sum.wrapping_add(6);
            cycles += DROP_TEN;
        }
        if sum & 0xF0 >= 0xA0 {
            cycles += DROP_HUNDRED;
        }
        cycles
    }

    /// Adds points in `turns`, 0 being 256, from `cycle` on, and goes on to the wait if that is before the interrupt.
    /// `before` is the player's block as it holds while this goes on. Out: is the frame over?
    pub(super) fn add_points_timed(&mut self, before: Player, mut cycle: i32, turns: u8) -> bool {
        let Some(sound) = &self.rom.sound_cycles else { return false };
        let tail = TO_SPRITES + SPRITES + COPY + TO_JUMP + self.cycles_of_staging();
        let points = points_of(&self.player);
        let mut left = if turns == 0 { 256 } else { i32::from(turns) };
        while left > 0 {
            let mut score = self.player.score;
            let taken = TURN + add_points(&mut score, points);
            if cycle + taken > FRAME {
                self.be_late(before, Stage::Points(left as u8));
                return true;
            }
            cycle += taken;
            self.player.score = score;
            left -= 1;
        }
        self.end_points();
        let jump = cycle + tail;
        let ahead = FRAME - jump;
        if ahead >= TO_SOUND + TO_WAIT + sound.range(self.music_plays).1 {
            return false;
        }
        self.end_late(before, FRAME - cycle, ahead, sound);
        true
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "it is a part of the cartridge's constants")]
    /// The interrupt comes `behind` cycles after the loop and `ahead` cycles after the first jump that follows.
    fn end_late(&mut self, before: Player, behind: i32, ahead: i32, sound: &SoundCycles) {
        let copy_from = TO_SPRITES + SPRITES + COPY_BEGINS;
        if behind < copy_from {
            self.be_late(before, Stage::Sprites);
        } else if behind < copy_from + 32 * COPY_BYTE {
            let left = 32 - (behind - copy_from) / COPY_BYTE;
            self.be_late(before, Stage::Copy(left as u8));
        } else if ahead < STATE_5 {
            self.be_late(self.player, Stage::State(STATE_PLAYER));
            self.unsettled = ahead >= STATE_5 - JITTER;
        } else if let Some(state) = self.state_at(ahead) {
            self.be_late(self.player, Stage::State(state));
            self.unsettled = self.state_at(ahead - JITTER) != self.state_at(ahead + JITTER);
            self.in_jump = (ahead - JITTER..=ahead + JITTER).any(|ahead| self.jumps_at(ahead));
        } else {
            let requests = self.effect_noise | self.effect_pulse | self.music_request;
            self.unsettled = requests != 0;
            self.end_player();
            if self.wait != Wait::Main {
                return;
            }
            let passes = if self.mode_state == mode_state::PAUSE { 1 } else { 4 };
            let from = if passes == 1 { TO_SOUND_EARLY } else { TO_SOUND } + self.demo_passes(passes);
            let sounds = ahead - from - TO_WAIT;
            let (least, most) = sound.range(self.music_plays);
            self.undecided = (least..most).contains(&sounds);
            if sounds < i32::midpoint(least, most) {
                self.wait = Wait::Late(Stage::Sound);
            }
        }
    }

    /// The state that the game is in so many cycles after the first jump; none once the frame's last has been left. With
    /// Left, Right and Down held that is the sixth, two earlier than else.
    fn state_at(&self, ahead: i32) -> Option<u8> {
        let early = self.pad_held == LEFT | RIGHT | DOWN;
        let states = if early { &STATES[..2] } else { &STATES };
        let until = |(number, until): (i32, i32)| until + self.demo_passes(number);
        let found = (0..).zip(states).find(|&(number, &(_, cycle))| ahead < until((number, cycle)));
        found.map(|(_, &(state, _))| state)
    }

    /// Is a jump under way so many cycles after the first?
    fn jumps_at(&self, ahead: i32) -> bool {
        let passes = (0..).zip(JUMPS).map(|(number, cycle)| cycle + self.demo_passes(number / 2));
        passes.into_iter().any(|begins| JUMP_ASTRAY.contains(&(ahead - begins)))
    }

    /// What so many passes of the main loop take longer in the demo.
    fn demo_passes(&self, passes: i32) -> i32 {
        if self.mode == mode::DEMO { passes * DEMO_PASS } else { 0 }
    }

    fn be_late(&mut self, before: Player, stage: Stage) {
        self.hand = self.player;
        self.player = before;
        self.saved = self.staged_row();
        self.mode_state = match stage {
            Stage::State(state) => state,
            _ => STATE_PLAYER,
        };
        self.wait = Wait::Late(stage);
    }

    /// The interrupt comes while the main thread is at `stage`; then the thread goes on.
    pub(super) fn late_frame(&mut self, stage: Stage, buttons: u8) {
        if matches!(stage, Stage::State(_) | Stage::Sound) {
            self.hand = self.player;
        }
        let drawn = match stage {
            Stage::Points(turns) => self.turns_after_interrupt(turns),
            _ => 0,
        };
        self.nmi_with_copy(buttons);
        match stage {
            Stage::Points(_) => {
                // The demo takes its buttons through that byte too.
                let taken = self.mode == mode::DEMO && self.demo_pair_taken;
                let turns = if taken { self.demo_held } else { drawn };
                let before = self.player;
                self.player = self.hand;
                if !self.add_points_timed(before, INTERRUPT, turns) {
                    self.go_on_from(STATE_PLAYER + 1);
                }
            }
            Stage::Sprites | Stage::Copy(_) => {
                self.player = self.hand;
                self.go_on_from(STATE_PLAYER + 1);
            }
            Stage::State(state @ ..mode_state::PAUSE) => self.go_on_from(state.max(STATE_PLAYER + 1)),
            Stage::State(mode_state::PAUSE) => self.play_pause(),
            Stage::State(_) => {
                self.mode_state = mode_state::COUNTERS;
                self.end_frame(Wait::Main);
            }
            Stage::Sound => self.end_frame(Wait::Main),
        }
    }

    /// The loop's counter after the interrupt, which has drawn what was due through the same byte.
    fn turns_after_interrupt(&self, turns: u8) -> u8 {
        if self.render_mode != render::PLAY {
            return turns;
        }
        if self.dirty & dirty::STATISTICS != 0 {
            self.piece_counts[6][0]
        } else if self.dirty & dirty::SCORE != 0 {
            self.player.score[0]
        } else if self.dirty & dirty::LEVEL != 0 {
            0x20
        } else if self.dirty & dirty::LINES != 0 {
            self.player.lines
        } else {
            turns
        }
    }

    fn cycles_of_staging(&self) -> i32 {
        let across = match self.player.orientation {
            ..PIECE_ACROSS => 0,
            PIECE_ACROSS => 8,
            _ => 12,
        };
        across + if self.hide_next == 0 { NEXT_BOX } else { 0 }
    }
}
