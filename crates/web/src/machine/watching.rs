//! Games that are looked at, and games as files.

use emulator::Practice;
use nes::fm2::{FrameInput, Movie, RamInit};
use nes::{Config, Region};
use practice::{Kept, Session, TapHands};
use tetris::{Feature, Profile};

use super::Machine;
use crate::Error;
use crate::viewer::{self, Viewer};

impl Machine {
    /// Opens a kept game (`.mxgame`) or a movie (`.fm2`) in the viewer. The coach has hands of so
    /// many taps a second.
    ///
    /// # Errors
    /// When it is none, or of another cartridge, or has resets in it.
    pub fn open_game(&mut self, name: &str, bytes: &[u8], hertz: f64, reaction: u16) -> Result<(), Error> {
        let profile = Profile::for_feature(&self.image, Feature::Practice)?;
        let (cartridge, mut config) = self.emulator.power();
        (config.ram_fill, config.region) = (Config::default().ram_fill, None);
        let game = if bytes.starts_with(b"MXGAME") {
            Kept::read(bytes).map_err(|error| Error::Kept { name: name.to_owned(), error })?
        } else {
            let movie = read_movie(name, bytes)?;
            if movie.frames.iter().any(|frame| !frame.commands.is_empty()) {
                return Err(Error::Refused(
                    "the movie presses Reset or Power: the viewer takes games without",
                ));
            }
            config.ram_fill = movie.ram.into();
            config.region = movie.pal.then_some(Region::Pal);
            viewer::of_movie(&movie, &profile, self.cartridge().crc32())
        };
        if game.header.crc32 != self.cartridge().crc32() {
            return Err(Error::OtherCartridge { game: game.header.crc32, console: self.cartridge().crc32() });
        }
        let hands = TapHands { hertz: hertz.clamp(1.0, 60.0), reaction: reaction.min(60) };
        self.viewer = Some(Viewer::new(game, cartridge, profile, config, hands)?);
        Ok(())
    }

    /// Closes the viewer: the console is where it was.
    pub fn close_game(&mut self) {
        self.viewer = None;
    }

    /// Takes the game of the viewer over, at the frame that is shown, to be played on.
    ///
    /// # Errors
    /// When no game is looked at.
    pub fn take_over(&mut self) -> Result<(), Error> {
        let viewer = self.viewer.take().ok_or(Error::Refused("no game is looked at"))?;
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
    /// When no game is looked at, or it cannot be read on.
    pub fn read_on(&mut self, frames: usize) -> Result<f64, Error> {
        self.viewer.as_mut().ok_or(Error::Refused("no game is looked at"))?.read_on(frames)
    }

    /// Shows the viewer's frame of that number.
    ///
    /// # Errors
    /// See [`Machine::read_on`].
    pub fn seek(&mut self, frame: usize) -> Result<(), Error> {
        self.quiet = true;
        self.viewer.as_mut().ok_or(Error::Refused("no game is looked at"))?.seek(frame)
    }

    /// The game so far as a kept game's file.
    ///
    /// # Errors
    /// When the cartridge is not known as Tetris.
    pub fn game_file(&self) -> Result<Vec<u8>, Error> {
        let unknown = Error::Refused("this cartridge is not known as Tetris");
        let (game, practice) = self.game.as_ref().zip(self.emulator.watched()).ok_or(unknown)?;
        Ok(game.file(self.emulator.state(), practice))
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

/// Reads a movie.
///
/// # Errors
/// When it is none, or one that this console cannot play.
pub(super) fn read_movie(name: &str, bytes: &[u8]) -> Result<Movie, Error> {
    Movie::parse(bytes).map_err(|error| Error::Movie { name: name.to_owned(), error })
}
