//! The viewer of a game that is over: forwards, and to any frame.

use std::sync::Arc;

use nes::fm2::Movie;
use nes::{Buttons, Cartridge, Config, Console};
use practice::{Header, Kept, Log, Options, Replay, Start};
use tetris::Profile;

use crate::Error;

/// Frames from one place to come back to to the next.
const STEP: usize = 900;

/// A game that is looked at.
pub(crate) struct Viewer {
    game: Arc<Kept>,
    replay: Replay<Arc<Kept>>,
    /// The one that reads the game ahead of whoever looks.
    scout: Option<Replay<Arc<Kept>>>,
    /// Places to come back to, the first frame's first.
    places: Vec<Replay<Arc<Kept>>>,
    /// All pieces, as far as the scout has come.
    log: Log,
    state_hash: u64,
    /// Frames since power-on with which the game begins.
    first: u64,
}

/// A movie of buttons as a game that begins with the power's switching on.
pub(crate) fn of_movie(movie: &Movie, profile: &Profile, crc32: u32) -> Kept {
    Kept {
        header: Header {
            mode: practice::Kind::Tetris.usual(),
            options: Options::default(),
            cartridge: profile.name.clone(),
            crc32,
            begun: 0,
            pieces: None,
            score: None,
        },
        start: Start::PowerOn,
        frames: movie.frames.iter().map(|frame| frame.pads).collect(),
        positions: Vec::new(),
        chances: Vec::new(),
        rises: Vec::new(),
        backs: 0,
        result: Vec::new(),
        lost: 0,
    }
}

impl Viewer {
    /// At the first frame of a game.
    ///
    /// # Errors
    /// When the cartridge cannot carry the game.
    pub(crate) fn new(
        game: Kept,
        cartridge: Cartridge,
        profile: Profile,
        config: Config,
    ) -> Result<Self, Error> {
        let game = Arc::new(game);
        let replay = Replay::new(Arc::clone(&game), cartridge, profile, config)?;
        let first = replay.console().frame_number();
        let mut scout = replay.clone();
        scout.console_mut().set_video(false);
        scout.console_mut().set_sound(false);
        Ok(Self {
            game,
            places: vec![scout.clone()],
            replay,
            scout: Some(scout),
            log: Log::default(),
            state_hash: 0,
            first,
        })
    }

    /// The game that is looked at.
    pub(crate) fn game(&self) -> &Kept {
        &self.game
    }

    /// Reads on by at most so many frames. Returns the share that is done, 1 at the end.
    ///
    /// # Errors
    /// When the game is put into a position that cannot be.
    pub(crate) fn read_on(&mut self, frames: usize) -> Result<f64, Error> {
        let length = self.length().max(1) as f64;
        let Some(scout) = &mut self.scout else { return Ok(1.0) };
        for _ in 0..frames {
            if scout.step()?.is_none() {
                self.state_hash = scout.console().state_hash();
                self.log = scout.log().clone();
                self.scout = None;
                return Ok(1.0);
            }
            if scout.frame() % STEP == 0 {
                self.places.push(scout.clone());
            }
        }
        Ok((scout.frame() as f64 / length).min(0.999))
    }

    /// Runs a frame. Returns the buttons that the console got; none at the end.
    ///
    /// # Errors
    /// See [`Viewer::read_on`].
    pub(crate) fn step(&mut self) -> Result<Option<[Buttons; 2]>, Error> {
        Ok(self.replay.step()?.map(|(_, buttons)| buttons))
    }

    /// Goes to the end of a frame.
    ///
    /// # Errors
    /// See [`Viewer::read_on`].
    pub(crate) fn seek(&mut self, frame: usize) -> Result<(), Error> {
        let frame = frame.clamp(1, self.length().max(1));
        let place = self.places.iter().rev().find(|place| place.frame() < frame);
        let nearer =
            place.filter(|place| self.replay.frame() >= frame || place.frame() > self.replay.frame());
        if let Some(place) = nearer {
            self.replay = place.clone();
        }
        self.replay.console_mut().set_video(false);
        self.replay.console_mut().set_sound(false);
        while self.replay.frame() < frame {
            if self.replay.frame() + 1 == frame {
                self.replay.console_mut().set_video(true);
            }
            if self.replay.step()?.is_none() {
                break;
            }
        }
        self.replay.console_mut().set_video(true);
        self.replay.console_mut().set_sound(true);
        self.replay.console_mut().clear_samples();
        Ok(())
    }

    /// The console, for its picture and its sound.
    pub(crate) fn console(&self) -> &Console {
        self.replay.console()
    }

    /// The same, to take its sound.
    pub(crate) fn console_mut(&mut self) -> &mut Console {
        self.replay.console_mut()
    }

    /// The session as it was in the frame that is shown.
    pub(crate) fn session(&self) -> &practice::Session {
        self.replay.session()
    }

    /// Frames so far, and of the whole game.
    pub(crate) fn frame(&self) -> usize {
        self.replay.frame()
    }

    /// See [`Viewer::frame`].
    pub(crate) fn length(&self) -> usize {
        self.game.frames.len()
    }

    /// All pieces, once the game was read.
    pub(crate) fn log(&self) -> &Log {
        if self.scout.is_some() { self.replay.log() } else { &self.log }
    }

    /// The pieces up to the frame that is shown.
    pub(crate) fn log_so_far(&self) -> &Log {
        self.replay.log()
    }

    /// Frames since power-on with which the game begins.
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// The hash of the console's state at the end of the game; 0 before it was read.
    pub(crate) fn state_hash(&self) -> u64 {
        self.state_hash
    }
}
