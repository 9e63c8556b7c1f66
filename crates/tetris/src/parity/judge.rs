//! Where the model and a machine can be compared, and where not.

use crate::ram;
use crate::rules::{Game, Memory};

/// Frames after an interrupt in the middle of a jump within which it shows whether the machine went astray.
const ASTRAY_SHOWS: u8 = 3;

/// Compares the model with a machine, frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    /// Frames that are left to show whether the machine has gone astray.
    shows: u8,
    astray: bool,
    /// Frames of play that have ended since it went astray, one after the other.
    played: u8,
}

/// What can be compared of a frame.
pub struct Judged {
    /// What the model holds; `None` while the machine is astray.
    pub memory: Option<Memory>,
    /// Was it the machine's to say whether the frame is late? See [`Game::sound_decides`].
    pub told: bool,
}

impl Judge {
    /// After a frame of both: `machine` is the machine's RAM.
    pub fn judge(&mut self, game: &mut Game, machine: &[u8; 0x800]) -> Judged {
        if self.astray {
            self.look_for_return(game, machine);
            return Judged { memory: None, told: false };
        }
        let told = game.sound_decides();
        game.decide(machine[ram::VBLANK_DONE.at()] != 0);
        let memory = game.memory();
        self.shows = if game.may_go_astray() { ASTRAY_SHOWS } else { self.shows.saturating_sub(1) };
        if self.shows == 0 || memory.agrees(machine) {
            return Judged { memory: Some(memory), told };
        }
        *self = Self { astray: true, ..Self::default() };
        Judged { memory: None, told }
    }

    /// The machine is back when two frames of play have ended, one after the other.
    fn look_for_return(&mut self, game: &mut Game, machine: &[u8; 0x800]) {
        let Some(back) = game.beside(machine) else {
            self.played = 0;
            return;
        };
        self.played += 1;
        if self.played > 1 {
            *game = back;
            *self = Self::default();
        }
    }
}
