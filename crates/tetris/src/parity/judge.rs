//! Where the model and a machine can be compared, and where not.

use crate::ram::{self, game_mode};
use crate::rules::{Game, Memory};

/// Frames after an interrupt in the middle of a jump within which it shows whether the machine went
/// astray.
const ASTRAY_SHOWS: u8 = 3;
/// Frames after one that counted cycles within which it shows where the machine was interrupted.
const DOUBT_SHOWS: u8 = 4;
/// Cycles by which the machine may be off the model's count; and in a frame that goes on with the
/// loop of points, of which the model knows the interrupt's time less well; and in the B-type, the
/// cycles of whose lines nobody has counted.
const DRIFT: i16 = 40;
const DRIFT_B_TYPE: i16 = 160;
const DRIFT_GOING_ON: i16 = 400;
/// Ways the frame may have gone that are kept in mind.
const MOST_WAYS: usize = 256;
/// Frames of play that the model has to foretell before the machine counts as back.
const FORETOLD: u8 = 2;

/// Compares the model with a machine, frame by frame.
///
/// A frame that takes longer than a frame ends where some cycles decide. The judge keeps every way
/// that such a frame may have gone by the model, and drops those that the machine then contradicts.
/// Where the model's own is among those it is replaced by the next, and the frame is counted as
/// [told](Judged::told).
#[derive(Clone, Debug, Default)]
pub struct Judge<'rom> {
    /// Other ways the last frames may have gone.
    ways: Vec<Game<'rom>>,
    /// Frames that are left to drop them.
    doubt: u8,
    /// Frames that are left to show whether the machine has gone astray.
    shows: u8,
    /// Frames that are left to show in what way a frame was late.
    late: u8,
    /// Since when nothing is compared.
    away: Option<Away>,
    /// The machine has crashed, and the game that went on then has not ended.
    crashed: bool,
    /// The model at the end of the last frame of play, and how many it has foretold in a row.
    back: Option<(Game<'rom>, u8)>,
}

/// Why nothing is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Away {
    /// An interrupt came in the middle of a jump, and sent the machine astray.
    Crashed,
    /// A frame was late, and ended in no way that the model knows.
    Late,
}

/// What can be compared of a frame.
pub struct Judged {
    /// What the model holds, or why it is not compared.
    pub memory: Result<Memory, Away>,
    /// Did the machine say where the interrupt found it, because a few cycles or the notes of its
    /// music decided that?
    pub told: bool,
}

impl<'rom> Judge<'rom> {
    /// Writes to the RAM of the model, as to the machine's, before a frame.
    pub fn poke(&mut self, game: &mut Game, pokes: &[(u16, u8)]) {
        let poke = |game: &mut Game| {
            let mut memory = *game.memory().ram();
            for &(address, value) in pokes {
                memory[usize::from(address) & 0x7FF] = value;
            }
            game.set_memory(&memory);
        };
        if !pokes.is_empty() {
            poke(game);
            self.ways.iter_mut().for_each(poke);
        }
    }

    /// Steps the model through a frame in which `buttons` are held, and judges it: `machine` is the
    /// machine's RAM after the same frame.
    pub fn step(&mut self, game: &mut Game<'rom>, buttons: u8, machine: &[u8; 0x800]) -> Judged {
        if let Some(away) = self.away {
            self.look_for_return(game, buttons, machine);
            return Judged { memory: Err(away), told: false };
        }
        let before = *game;
        game.step(buttons);
        let told = game.sound_decides();
        if told {
            game.decide(machine[ram::VBLANK_DONE.at()] != 0);
        }
        self.shows = if game.may_go_astray() { ASTRAY_SHOWS } else { self.shows.saturating_sub(1) };
        let is_late = game.is_late() || game.may_be_late() && machine[ram::VBLANK_DONE.at()] != 0;
        self.late = if is_late { DOUBT_SHOWS } else { self.late.saturating_sub(1) };
        self.crashed &= matches!(machine[ram::GAME_MODE.at()], game_mode::PLAY | game_mode::DEMO);
        let memory = game.memory();
        let agrees = memory.agrees(machine);
        if agrees && !game.is_clocked() && self.ways.is_empty() {
            return Judged { memory: Ok(memory), told };
        }
        self.go_every_way(&before, game, buttons, machine);
        if agrees {
            return Judged { memory: Ok(memory), told };
        }
        if !self.ways.is_empty() {
            *game = self.ways.remove(0);
            return Judged { memory: Ok(game.memory()), told: true };
        }
        // A frame that goes no way the model knows is a difference, but for two reasons.
        let away = match self {
            Self { shows: 1.., .. } | Self { crashed: true, .. } => Away::Crashed,
            Self { late: 1.., .. } => Away::Late,
            _ => return Judged { memory: Ok(memory), told },
        };
        *self = Self { away: Some(away), crashed: self.crashed || away == Away::Crashed, ..Self::default() };
        Judged { memory: Err(away), told: false }
    }

    /// Steps what else may be, drops what the machine contradicts, and adds how else this frame may
    /// have gone.
    fn go_every_way(&mut self, before: &Game<'rom>, game: &Game<'rom>, buttons: u8, machine: &[u8; 0x800]) {
        let mut ways = Vec::new();
        let mut in_jump = false;
        let mut keep = |way: Game<'rom>| {
            in_jump |= way.may_go_astray();
            let new = ways.len() < MOST_WAYS
                && !way.is_like(game)
                && !ways.iter().any(|known: &Game| known.is_like(&way));
            if new && way.memory().agrees(machine) {
                ways.push(way);
            }
        };
        let mut clocked = game.is_clocked();
        for origin in core::iter::once(before).chain(&self.ways) {
            let mut straight = *origin;
            straight.step(buttons);
            keep(straight);
            if !straight.is_clocked() {
                continue;
            }
            clocked = true;
            let most = match () {
                () if origin.is_late() => DRIFT_GOING_ON,
                () if origin.is_b_type() => DRIFT_B_TYPE,
                () => DRIFT,
            };
            for drift in (1..=most).flat_map(|cycles| [cycles, -cycles]) {
                let mut way = *origin;
                way.step_with_drift(buttons, drift);
                keep(way);
            }
            for late in [true, false] {
                straight.decide(late);
                keep(straight);
            }
        }
        if in_jump {
            self.shows = ASTRAY_SHOWS;
        }
        self.ways = ways;
        self.doubt = if clocked { DOUBT_SHOWS } else { self.doubt.saturating_sub(1) };
        if self.doubt == 0 {
            self.ways.clear();
        }
    }

    /// The machine is back when the model has foretold two frames of play from where it was.
    fn look_for_return(&mut self, game: &mut Game<'rom>, buttons: u8, machine: &[u8; 0x800]) {
        let foretold = self.back.take().and_then(|(mut back, frames)| {
            back.step(buttons);
            back.memory().agrees(machine).then_some((back, frames + 1))
        });
        self.back = foretold.or_else(|| Some((game.beside(machine)?, 0)));
        if let Some((back, FORETOLD..)) = self.back {
            *game = back;
            *self = Self { crashed: self.crashed, ..Self::default() };
        }
    }
}
