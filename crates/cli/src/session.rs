//! A game brought to a beginning, and the movie that plays it from there.

use std::path::Path;

use emulator::{Attached, Emulator, SavedState};
use nes::fm2::Movie;
use nes::{Buttons, Cartridge, Config, Region};

use crate::error::{Error, wrong};
use crate::image_file;
use crate::interrupt::Interrupt;

/// A game from power-on or from a saved state on, with the buttons of a movie, or none.
pub struct HeadlessRun {
    /// The running game.
    pub emulator: Emulator,
    length: Option<u64>,
}

impl HeadlessRun {
    /// Returns the game at its beginning: the state of the file `state`, or power-on.
    ///
    /// # Errors
    /// When the state cannot be read, or is of another cartridge.
    pub fn begin(
        cartridge: Cartridge,
        config: Config,
        movie: Option<Movie>,
        state: Option<&Path>,
    ) -> Result<Self, Error> {
        let mut emulator = Emulator::bare(cartridge, config);
        if let Some(path) = state {
            let state = SavedState::read(&image_file::read(path)?).map_err(wrong(path))?;
            emulator.console().load(&state.console).map_err(wrong(path))?;
        }
        let length = movie.as_ref().map(|movie| movie.frames.len() as u64);
        if let Some(movie) = movie {
            emulator.movie.play(movie);
        }
        Ok(Self { emulator, length })
    }

    /// Returns the frames of the movie; `None` without one.
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// Plays so many frames, or until Ctrl-C. `look` gets the game after each frame, the frame's
    /// number from 0, and the buttons that were held.
    ///
    /// # Errors
    /// [`Error::Interrupted`] after Ctrl-C, and what `look` returns.
    pub fn play(
        &mut self,
        frames: u64,
        mut look: impl FnMut(&Emulator, u64, [Buttons; 2]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let interrupt = Interrupt::listen();
        for frame in 0..frames {
            interrupt.check()?;
            let mut pads = self.emulator.movie.input().map(|input| input.pads).unwrap_or_default();
            self.emulator.frame(&mut pads, Attached::default());
            look(&self.emulator, frame, pads)?;
        }
        Ok(())
    }
}

/// The movie of the file `path`. What its player should know of it on this cartridge goes to
/// standard error.
///
/// # Errors
/// When it cannot be read, or was recorded on another cartridge.
pub fn read_movie(path: &Path, cartridge: &Cartridge) -> Result<Movie, Error> {
    let movie = movies::read(&image_file::read(path)?).map_err(wrong(path))?;
    for warning in movie.warnings(&nes::rom_hashes(cartridge)) {
        tty::tell!("warning: {} {warning}", path.display());
    }
    Ok(movie)
}

/// Returns the configuration of the console that a movie was recorded on, as far as it says: its
/// region, what RAM held and what was plugged in. Without a movie, the usual one.
pub fn config_of(movie: Option<&Movie>) -> Config {
    let Some(movie) = movie else { return Config::default() };
    let region = movie.pal.then_some(Region::Pal);
    Config { region, ram_fill: movie.ram.into(), devices: movie.devices, ..Config::default() }
}
