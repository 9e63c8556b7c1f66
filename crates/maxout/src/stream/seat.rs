//! A console, and who plays on it.

use std::path::PathBuf;

use autopilot::{Autopilot, Settings};
use nes::controller::fm2::Movie;
use nes::{Buttons, Cartridge, Config, Console, Region};
use nes_debug::{Crash, CrashWatch};
use stream::Snapshot;
use tetris::Profile;

use crate::error::Error;
use crate::session::{config_of, read_movie};
use crate::tetris::game::Known;

/// Who plays, as it is asked for.
pub(super) enum Hands {
    Movie(PathBuf),
    Computer { level: u8, wait: u32 },
    Nobody,
}

/// Who plays.
enum Player {
    Movie(Box<Movie>),
    Computer(Box<Autopilot>, Settings),
    Nobody,
}

/// A console, and who plays on it.
pub(super) struct Seat {
    number: u8,
    cartridge: Cartridge,
    profile: Profile,
    config: Config,
    console: Console,
    player: Player,
    watch: CrashWatch,
    crash: Option<Crash>,
    frame: u64,
    frames: Option<u64>,
}

impl Seat {
    /// Player `number`, from 1, at power-on.
    pub(super) fn new(number: u8, known: &Known, hands: Hands, frames: Option<u64>) -> Result<Self, Error> {
        let (player, length) = match hands {
            Hands::Movie(path) => {
                let movie = read_movie(&path, &known.cartridge)?;
                let length = movie.frames.len() as u64;
                (Player::Movie(Box::new(movie)), Some(length))
            }
            Hands::Computer { level, wait } => {
                let settings = Settings { level, wait, ..Settings::default() };
                let computer = Autopilot::new(known.profile.clone(), settings.clone());
                (Player::Computer(Box::new(computer), settings), None)
            }
            Hands::Nobody => (Player::Nobody, None),
        };
        let movie = if let Player::Movie(movie) = &player { Some(&**movie) } else { None };
        let config = Config { video: false, ..config_of(movie) };
        let console = Console::new(known.cartridge.clone(), config);
        Ok(Self {
            number,
            cartridge: known.cartridge.clone(),
            profile: known.profile.clone(),
            config,
            watch: CrashWatch::new(&known.profile, &console),
            console,
            player,
            crash: None,
            frame: 0,
            frames: frames.or(length),
        })
    }

    /// Back to power-on.
    pub(super) fn begin(&mut self) {
        self.console = Console::new(self.cartridge.clone(), self.config);
        self.watch = CrashWatch::new(&self.profile, &self.console);
        if let Player::Computer(computer, settings) = &mut self.player {
            **computer = Autopilot::new(self.profile.clone(), settings.clone());
        }
        (self.crash, self.frame) = (None, 0);
    }

    /// Runs a frame; `None` once it has come to its end.
    pub(super) fn frame(&mut self) -> Option<Snapshot> {
        if self.crash.is_some() || self.frames.is_some_and(|frames| self.frame >= frames) {
            return None;
        }
        let pads = match &mut self.player {
            Player::Movie(movie) => {
                let input = movie.frame(self.frame);
                self.console.carry_out(input.commands, &self.cartridge, self.config);
                input.pads
            }
            Player::Computer(computer, _) => [computer.prepare(&mut self.console), Buttons::empty()],
            Player::Nobody => [Buttons::empty(); 2],
        };
        self.frame += 1;
        let _ = self.console.run_frame(&mut { pads }, &mut self.watch); // it breaks nothing
        self.crash = self.watch.end_frame(&self.console);
        Some(self.snapshot())
    }

    /// Frames a second of the console.
    pub(super) fn rate(&self) -> f64 {
        match self.console.region() {
            Region::Ntsc => stream::RATE,
            Region::Pal => stream::PAL_RATE,
        }
    }

    /// RAM as it is.
    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot::of(self.number, self.frame, &self.profile, self.console.ram())
    }

    /// How the game has crashed in the last frame.
    pub(super) fn crash(&self) -> Option<Crash> {
        self.crash
    }
}
