//! The frames that take longer than a frame.
//!
//! Only one kind of frame can: the one in which a lock is scored, because its loop of points runs
//! level + 1 times. Its time is counted here in CPU cycles from the interrupt on, by the table of
//! [`Timing`]. Where the next interrupt comes before the main thread waits for it, the frame is
//! late: what the thread has not done by then it does in the next frame, and the interrupt has used
//! the temporaries of both. The loop's own counter is one of them.
//!
//! The sound engine's time depends on the notes of the music, which the model does not know:
//! [`Game::sound_decides`].

use serde::{Deserialize, Serialize};

use super::play::STATE_PLAYER;
use super::player::PlayerBlock;
use super::{Game, Wait, dirty, mode, mode_state, render};
use crate::buttons::{DOWN, LEFT, RIGHT, SELECT};
use crate::kill_screen::{Lock, Timing};

/// Where the main thread was when the interrupt came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Stage {
    /// Adding points; this many turns are left.
    Points(u8),
    /// Staging the piece's sprites.
    Sprites,
    /// Putting the working copy back, from the last byte on; this many are left.
    Copy(#[serde(deserialize_with = "super::saved::of_block")] u8),
    /// In one of the states that follow, by number.
    State(u8),
    /// In the sound engine.
    Sound,
}

/// What the clock said of the last frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each says something of its own")]
pub(super) struct Clock {
    /// Cycles were counted.
    counted: bool,
    /// The interrupt came to the sound engine, or after it.
    to_sound: bool,
    /// The sound engine's time decided whether the frame is late.
    undecided: bool,
    /// The frame ended near a jump.
    in_jump: bool,
    /// The parade of an ending wrote beyond its variables.
    pub(super) overwritten: bool,
    /// It ended while the number of a state was being written, or requests of sound stood that the
    /// engine takes away.
    pub(super) unsettled: bool,
}

/// Levels from which a frame can be late.
const LATE_LEVELS: u8 = 130;
/// Cycles beyond the sound engine's bounds within which the frame still counts as one that came to
/// it.
const BEYOND: i32 = 1_000;
/// Bytes of the player's block.
const BLOCK: i32 = 32;

impl Game<'_> {
    /// Did the last frame end before the main thread was done?
    pub fn is_late(&self) -> bool {
        matches!(self.wait, Wait::Late(_))
    }

    /// Did the sound engine's time decide whether the frame just stepped is late? It lies between
    /// two bounds, of which the model takes the middle: whoever has a machine beside the model,
    /// [decides](Self::decide).
    pub fn sound_decides(&self) -> bool {
        self.clock.undecided
    }

    /// Says whether the frame just stepped is late, where the interrupt came in the sound engine,
    /// or not long after it.
    pub fn decide(&mut self, late: bool) {
        if self.clock.to_sound {
            self.wait = if late { Wait::Late(Stage::Sound) } else { Wait::Main };
        }
    }

    /// Did the frame just stepped count cycles, to know where the next interrupt finds the main
    /// thread?
    pub fn is_clocked(&self) -> bool {
        self.clock.counted
    }

    /// Can the frame be late that a lock is scored in?
    pub fn may_be_late(&self) -> bool {
        self.timing().is_some()
    }

    /// Is it a game of the B-type, of whose lines nobody has counted the cycles?
    pub fn is_b_type(&self) -> bool {
        self.kind != 0
    }

    /// Is it the same game, whatever the clock said of the last frame?
    pub fn is_like(&self, other: &Self) -> bool {
        let unclocked = |game: &Self| Self { clock: Clock::default(), ..*game };
        unclocked(self) == unclocked(other)
    }

    /// [`Self::step`] of a machine that takes so many cycles more for what is counted in cycles.
    pub fn step_with_drift(&mut self, buttons: u8, cycles: i16) {
        self.drift = cycles;
        self.step(buttons);
        self.drift = 0;
    }

    /// Did the frame just stepped end in the middle of a jump, or near one? The interrupt uses the
    /// bytes that the jump has its target in. A machine goes astray there, and runs what is not
    /// program: nobody's rules say where to. The model plays on as if it had not. The same goes for
    /// a parade at a level whose last digit is a letter, as the B-type has it from level 30 on,
    /// where no menu leads: its tables' ends lie behind, and it writes over what it finds.
    pub fn may_go_astray(&self) -> bool {
        self.clock.in_jump || self.clock.overwritten
    }

    /// The game after `ram`, which is a machine's at the end of a frame of play: what a machine
    /// that went astray has come back to. `None` if no frame of play has ended there.
    #[must_use]
    pub fn beside(&self, ram: &[u8; 0x800]) -> Option<Self> {
        let byte = |place: crate::ram::Variable| ram[place.at()];
        let plays = matches!(byte(crate::ram::GAME_MODE), mode::PLAY | mode::DEMO)
            && byte(crate::ram::MODE_STATE) == mode_state::COUNTERS
            && byte(crate::ram::RENDER_MODE) == render::PLAY
            && byte(crate::ram::VBLANK_DONE) == 0;
        let mut game = Self { wait: Wait::Main, clock: Clock::default(), ..*self };
        game.set_memory(ram);
        game.music_plays = byte(crate::ram::MUSIC_PLAYING) != 0;
        plays.then_some(game)
    }

    /// How long the cartridge takes, if the frame can be late that a lock is scored in.
    #[inline(always)]
    pub(super) fn timing(&self) -> Option<&'static Timing> {
        self.rom.timing.filter(|_| self.player.level >= LATE_LEVELS)
    }

    /// Cycles from the interrupt to the loop of points.
    pub(super) fn cycles_before_points(&self, timing: &Timing, was_fast: bool) -> i32 {
        let player = &self.player;
        let kind = usize::from(player.lines_completed).checked_sub(1);
        let lock = Lock {
            rows: player.lines_completed,
            cleared_rows: player.cleared_rows,
            level: player.level,
            a_type: self.kind == 0,
            lines: [player.lines, player.lines_hundreds],
            score: player.score,
            soft_rows: player.soft_drop_rows,
            count: kind.and_then(|kind| self.line_counts.get(kind)).copied().unwrap_or(0),
            orientation: player.orientation,
            next_hidden: self.hide_next != 0,
            select: self.pressed & SELECT != 0,
            danger: self.danger_column(),
            fast_music: was_fast,
            // The interrupt has counted this frame already.
            frame_counter: (self.frame_counter as u8).wrapping_sub(1),
        };
        let [pass, held, pair] = timing.demo;
        let demo = match self.mode {
            mode::DEMO => 4 * pass + if self.demo_pair_taken { pair } else { held },
            _ => 0,
        };
        (timing.before_points(&lock) + demo) as i32 + i32::from(self.drift)
    }

    /// Adds points in `turns`, 0 being 256, from `cycle` on, and goes on to the wait if that is
    /// before the interrupt. `before` is the player's block as it holds while this goes on. Out: is
    /// the frame over?
    pub(super) fn add_points_timed(
        &mut self,
        timing: &Timing,
        before: PlayerBlock,
        mut cycle: i32,
        turns: u8,
    ) -> bool {
        self.clock.counted = true;
        let frame = timing.frame as i32;
        let points = self.points();
        let mut left = if turns == 0 { 256 } else { i32::from(turns) };
        while left > 0 {
            let mut score = self.player.score;
            let taken = timing.turn(&mut score, points) as i32;
            if cycle + taken > frame {
                self.be_late(before, Stage::Points(left as u8));
                return true;
            }
            cycle += taken;
            self.player.score = score;
            left -= 1;
        }
        self.end_points();
        let jump = cycle + timing.after_points(self.player.orientation, self.hide_next != 0) as i32;
        let ahead = frame - jump;
        let [_, most] = timing.sound.range(self.music_plays);
        if ahead >= (timing.tail.sound[0] + timing.tail.wait + most) as i32 + BEYOND {
            return false;
        }
        self.end_late(timing, before, frame - cycle, ahead);
        true
    }

    /// The interrupt comes `behind` cycles after the loop and `ahead` cycles after the first jump
    /// that follows.
    fn end_late(&mut self, timing: &Timing, before: PlayerBlock, behind: i32, ahead: i32) {
        let (tail, doubt) = (&timing.tail, timing.doubt as i32);
        let (copy, byte) = (tail.copy as i32, tail.copy_byte as i32);
        if behind < copy {
            self.be_late(before, Stage::Sprites);
        } else if behind < copy + BLOCK * byte {
            let left = BLOCK - (behind - copy) / byte;
            self.be_late(before, Stage::Copy(left as u8));
        } else if ahead < -(tail.state as i32) {
            self.be_late(self.player, Stage::State(STATE_PLAYER));
            self.clock.unsettled = ahead >= -(tail.state as i32) - doubt;
        } else if let Some(state) = self.state_at(timing, ahead) {
            self.be_late(self.player, Stage::State(state));
            self.clock.unsettled =
                self.state_at(timing, ahead - doubt) != self.state_at(timing, ahead + doubt);
            self.clock.in_jump = self.is_in_jump(timing, timing.frame as i32 - ahead);
        } else {
            let requests = self.effect_noise | self.effect_pulse | self.music_request;
            self.clock.unsettled = requests != 0;
            self.end_player();
            if self.wait != Wait::Main {
                return;
            }
            let passes = if self.mode_state == mode_state::PAUSE { 1 } else { 4 };
            let from = tail.sound[usize::from(passes == 1)] as i32 + self.demo_passes(timing, passes);
            let sounds = ahead - from - tail.wait as i32;
            let [least, most] = timing.sound.range(self.music_plays).map(|cycles| cycles as i32);
            self.clock.undecided = (least..most).contains(&sounds);
            self.clock.to_sound = true;
            if sounds < i32::midpoint(least, most) {
                self.wait = Wait::Late(Stage::Sound);
            }
        }
    }

    /// The state that the game is in so many cycles after the first jump; none once the frame's
    /// last has been left. With Left, Right and Down held that is the sixth, two earlier than else.
    fn state_at(&self, timing: &Timing, ahead: i32) -> Option<u8> {
        let early = self.pad_held == LEFT | RIGHT | DOWN;
        let states = if early { &timing.tail.states[..2] } else { &timing.tail.states };
        let until = |(number, until): (i32, u32)| until as i32 + self.demo_passes(timing, number);
        let found = (0..).zip(states).find(|&(number, &(_, cycle))| ahead < until((number, cycle)));
        found.map(|(_, &(state, _))| state)
    }

    /// Does the interrupt find one of the eight jumps, the first of which begins at `cycle`?
    fn is_in_jump(&self, timing: &Timing, cycle: i32) -> bool {
        let jumps = (0..).zip(timing.jumps).map(|(number, jump)| {
            cycle + jump as i32 + self.demo_passes(timing, number / 2) - timing.doubt as i32
        });
        jumps.into_iter().any(|begins| timing.is_spoiled(begins as u32, 0..=2 * timing.doubt))
    }

    /// What so many passes of the main loop take longer in the demo.
    fn demo_passes(&self, timing: &Timing, passes: i32) -> i32 {
        if self.mode == mode::DEMO { passes * timing.demo[0] as i32 } else { 0 }
    }

    fn be_late(&mut self, before: PlayerBlock, stage: Stage) {
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
                // Only a cartridge with such a table gets here.
                let over = self.rom.timing.is_some_and(|timing| {
                    let begins = timing.interrupt as i32 + i32::from(self.drift);
                    self.add_points_timed(timing, before, begins, turns)
                });
                if !over {
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
}
