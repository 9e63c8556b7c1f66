//! Games that are looked at, and games as files.

use emulator::Practice;
use nes::fm2::{FrameInput, Movie, RamInit, Warning};
use nes::{Cartridge, Config, Region};
use practice::{Kept, Session};
use serde_json::json;
use tetris::{Feature, Profile};

use super::Machine;
use crate::Error;
use crate::viewer::{self, Viewer};

impl Machine {
    /// Says on which cartridge a kept game or a movie plays: an object of JSON with `here`, whether
    /// it is the one in the console, `builtIn`, whether it is the built-in one, and its `crc32` or
    /// `md5`.
    ///
    /// # Errors
    /// When the bytes are neither.
    pub fn wants(&self, name: &str, bytes: &[u8]) -> Result<String, Error> {
        let built_in = Cartridge::from_bytes(super::BUILT_IN)
            .map_err(|error| Error::Rom { name: super::BUILT_IN_NAME.into(), error })?;
        let own = self.cartridge();
        let wanted = if bytes.starts_with(b"MXGAME") {
            let crc32 = read_kept(name, bytes)?.header.crc32;
            json!({
                "here": crc32 == own.crc32(),
                "builtIn": crc32 == built_in.crc32(),
                "crc32": format!("{crc32:08X}"),
            })
        } else {
            let movie = read_movie(name, bytes)?;
            let fits = |cartridge: &Cartridge| !is_of_another(&movie, cartridge);
            json!({
                "here": fits(own),
                "builtIn": !movie.rom_checksum.is_empty() && fits(&built_in),
                "checksum": movie.rom_checksum,
            })
        };
        Ok(wanted.to_string())
    }

    /// Returns the checksum by which movies name the cartridge in the console.
    pub fn checksum(&self) -> String {
        Movie::checksum_of(self.cartridge().info().md5.0)
    }

    /// Opens a kept game (`.mxgame`) or a movie (`.fm2`) in the viewer. A movie that presses Reset
    /// or Power, or of a cartridge that is not known as Tetris, plays on the console instead.
    /// Returns whether the viewer has it.
    ///
    /// # Errors
    /// When it is none, or of another cartridge.
    pub fn open_game(&mut self, name: &str, bytes: &[u8]) -> Result<bool, Error> {
        let profile = Profile::for_feature(&self.image, Feature::Practice);
        let (cartridge, mut config) = self.emulator.power();
        (config.ram_fill, config.region) = (Config::default().ram_fill, None);
        let game = if bytes.starts_with(b"MXGAME") {
            self.kept_game(name, bytes)?
        } else {
            let movie = read_movie(name, bytes)?;
            if is_of_another(&movie, self.cartridge()) {
                return Err(Error::OtherMovie { name: name.to_owned(), cartridge: movie.rom_filename });
            }
            let presses = movie.frames.iter().any(|frame| !frame.commands.is_empty());
            let Some(profile) = profile.as_ref().ok().filter(|_| !presses) else {
                self.play_movie(name, bytes)?;
                return Ok(false);
            };
            config.ram_fill = movie.ram.into();
            config.region = movie.pal.then_some(Region::Pal);
            config.devices = movie.devices;
            viewer::of_movie(&movie, profile, self.cartridge().crc32())
        };
        let profile = profile.map_err(super::practising::refused)?;
        self.viewer = Some(Viewer::new(game, cartridge, profile, config)?);
        (self.review, self.lesson) = (None, None);
        Ok(true)
    }

    /// Reads a kept game of the cartridge in the console.
    pub(crate) fn kept_game(&self, name: &str, bytes: &[u8]) -> Result<Kept, Error> {
        let game = read_kept(name, bytes)?;
        if game.header.crc32 != self.cartridge().crc32() {
            return Err(Error::OtherCartridge { game: game.header.crc32, console: self.cartridge().crc32() });
        }
        Ok(game)
    }

    /// Closes the viewer: the console is where it was.
    pub fn close_game(&mut self) {
        self.viewer = None;
    }

    /// Takes the game of the viewer over, at the frame that is shown, to be played on.
    ///
    /// # Errors
    /// When no kept game is open.
    pub fn take_over(&mut self) -> Result<(), Error> {
        let viewer = self.viewer.take().ok_or(Error::Refused("no kept game is open"))?;
        let header = &viewer.game().header;
        let pieces = header.pieces.clone();
        let session: Session = viewer.session().clone();
        let watches = session.mode() == practice::Kind::Tetris.usual() && pieces.is_none();
        let practice = if watches { Practice::watching(session) } else { Practice::new(session) };
        let state = viewer.console().save();
        self.emulator.movie.stop_playing();
        self.emulator.load(&state, vec![], self.emulator.movie.ram())?;
        let practice = practice.joined(self.emulator.state());
        self.adopt(Some((practice, pieces)));
        Ok(())
    }

    /// Reads the viewer's game on by at most so many frames. Returns the share that is done.
    ///
    /// # Errors
    /// When no kept game is open, or it cannot be read on.
    pub fn read_on(&mut self, frames: usize) -> Result<f64, Error> {
        self.viewer.as_mut().ok_or(Error::Refused("no kept game is open"))?.read_on(frames)
    }

    /// Shows the viewer's frame of that number.
    ///
    /// # Errors
    /// See [`Machine::read_on`].
    pub fn seek(&mut self, frame: usize) -> Result<(), Error> {
        self.quiet = true;
        self.viewer.as_mut().ok_or(Error::Refused("no kept game is open"))?.seek(frame)
    }

    /// The game so far as a kept game's file.
    ///
    /// # Errors
    /// When the cartridge is not known as Tetris.
    pub fn game_file(&self) -> Result<Vec<u8>, Error> {
        let unknown = Error::Refused("this cartridge is not recognised as Tetris");
        let (game, practice) = self.game.as_ref().zip(self.emulator.watched()).ok_or(unknown)?;
        Ok(game.file(self.emulator.state(), practice))
    }

    /// A kept game in as few bytes as it can be, for a link.
    pub fn for_link(bytes: &[u8]) -> Vec<u8> {
        practice::condensed(bytes)
    }

    /// The game so far as a movie.
    ///
    /// # Errors
    /// When buttons alone cannot repeat it.
    pub fn movie_file(&self) -> Result<String, Error> {
        let kept = Kept::read(&self.game_file()?)
            .map_err(|error| Error::Kept { name: "the game".to_owned(), error })?;
        let practice = self.emulator.watched();
        if !practice.is_some_and(|practice| kept.is_a_movie(practice.session())) {
            return Err(Error::Refused(
                "buttons alone cannot repeat this game: it has a mode, a position, other pieces or a loaded state; keep it as a game",
            ));
        }
        let frame = |&pads| FrameInput { pads, ..FrameInput::default() };
        let movie = Movie {
            rom_filename: self.name.clone(),
            rom_checksum: Movie::checksum_of(self.cartridge().info().md5.0),
            ram: RamInit::Zeros,
            pal: self.is_pal(),
            frames: kept.frames.iter().map(frame).collect(),
            ..Movie::default()
        };
        Ok(movie.to_string())
    }
}

/// Was the movie recorded with another cartridge? One without a checksum fits any.
fn is_of_another(movie: &Movie, cartridge: &Cartridge) -> bool {
    let warnings = movie.warnings(&nes::rom_hashes(cartridge));
    warnings.iter().any(|warning| matches!(warning, Warning::OtherCartridge { .. }))
}

fn read_kept(name: &str, bytes: &[u8]) -> Result<Kept, Error> {
    Kept::read(bytes).map_err(|error| Error::Kept { name: name.to_owned(), error })
}

/// Reads a movie.
///
/// # Errors
/// When it is none, or one that this console cannot play.
pub(super) fn read_movie(name: &str, bytes: &[u8]) -> Result<Movie, Error> {
    movies::read(bytes).map_err(|error| Error::Movie { name: name.to_owned(), error })
}
