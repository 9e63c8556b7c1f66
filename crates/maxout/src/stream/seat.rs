//! A game, and who plays it.

use std::path::PathBuf;

use autopilot::{NetSource, Substitution};
use emulator::{Attached, Computer, Emulator, Pieces};
use nes::fm2::Movie;
use nes::{Buttons, Cartridge, Config, Region};
use nes_debug::Crash;
use randomizers::Kind;
use stream::Snapshot;
use tetris::{Feature, Profile};

use cli::error::Error;
use cli::game::Known;
use cli::session::{config_of, read_movie};

/// Who plays, as it is asked for.
pub(super) enum SeatPlayer {
    Movie(PathBuf),
    Computer(ComputerSeat),
    Nobody,
}

/// The computer, and the game that it is dealt.
#[derive(Clone)]
pub(super) struct ComputerSeat {
    pub(super) computer: Computer,
    pub(super) nets: NetSource,
    pub(super) level: u8,
    /// The seed of its first game; the next one has the next.
    pub(super) seed: u32,
}

/// Who plays.
enum Driver {
    Movie(Movie),
    Computer(Box<ComputerSeat>),
    Nobody,
}

/// Frames of the level menu in which other games begin where pieces cannot be dealt.
const MOMENTS: u32 = 240;

/// A game, and who plays it.
pub(super) struct Seat {
    number: u8,
    cartridge: Cartridge,
    profile: Profile,
    config: Config,
    player: Driver,
    emulator: Emulator,
    frame: u64,
    frames: Option<u64>,
}

impl Seat {
    /// Player `number`, from 1, at power-on.
    pub(super) fn new(
        number: u8,
        known: &Known,
        hands: SeatPlayer,
        frames: Option<u64>,
    ) -> Result<Self, Error> {
        let (player, length) = match hands {
            SeatPlayer::Movie(path) => {
                let movie = read_movie(&path, &known.cartridge)?;
                let length = movie.frames.len() as u64;
                (Driver::Movie(movie), Some(length))
            }
            SeatPlayer::Computer(hands) => (Driver::Computer(Box::new(hands)), None),
            SeatPlayer::Nobody => (Driver::Nobody, None),
        };
        let movie = if let Driver::Movie(movie) = &player { Some(movie) } else { None };
        let config = Config { video: false, ..config_of(movie) };
        let (cartridge, profile) = (known.cartridge.clone(), known.profile.clone());
        let emulator = Emulator::bare(cartridge.clone(), config);
        let frames = frames.or(length);
        let mut seat = Self { number, cartridge, profile, config, player, emulator, frame: 0, frames };
        seat.begin();
        Ok(seat)
    }

    /// Back to power-on.
    pub(super) fn begin(&mut self) {
        self.emulator = Emulator::bare(self.cartridge.clone(), self.config);
        self.emulator.watch_crashes(Some(&self.profile));
        match &mut self.player {
            Driver::Movie(movie) => self.emulator.movie.play(movie.clone()),
            Driver::Computer(hands) => {
                let ComputerSeat { computer, nets, level, seed } = &mut **hands;
                if self.profile.missing(Feature::Pieces).is_empty() {
                    let dealt = Kind::Nes.seeded((*seed).into());
                    let substitution = Substitution::new(self.profile.clone(), dealt);
                    self.emulator.set_pieces(Some(Pieces::new(substitution, format!("--seed {seed}"))));
                }
                let player = computer.player(self.profile.clone(), nets, *level, *seed % MOMENTS);
                self.emulator.set_computer(Some(player));
                *seed = seed.wrapping_add(1);
            }
            Driver::Nobody => {}
        }
        self.frame = 0;
    }

    /// Runs a frame; `None` once it has come to its end.
    pub(super) fn frame(&mut self) -> Option<Snapshot> {
        if self.crash().is_some() || self.frames.is_some_and(|frames| self.frame >= frames) {
            return None;
        }
        self.frame += 1;
        self.emulator.frame(&mut [Buttons::empty(); 2], Attached::default());
        Some(self.snapshot())
    }

    /// Frames a second of the console.
    pub(super) fn rate(&self) -> f64 {
        match self.emulator.region() {
            Region::Ntsc => stream::RATE,
            Region::Pal => stream::PAL_RATE,
        }
    }

    /// RAM as it is.
    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot::of(self.number, self.frame, &self.profile, self.emulator.state().ram())
    }

    /// How the game has crashed.
    pub(super) fn crash(&self) -> Option<Crash> {
        self.emulator.crash().copied()
    }
}
