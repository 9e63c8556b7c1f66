//! A console brought to a beginning, and the movie that plays it from there.

use std::path::Path;

use nes::controller::fm2::Movie;
use nes::{Buttons, Cartridge, Config, Console, Region};

use crate::error::{Error, wrong};
use crate::image_file;
use crate::interrupt::Interrupt;

/// A console from power-on or from a saved state on, with the buttons of a movie, or none.
pub(crate) struct Session {
    pub(crate) console: Console,
    cartridge: Cartridge,
    config: Config,
    movie: Option<Movie>,
}

impl Session {
    /// At its beginning: the state of the file `state`, or power-on.
    pub(crate) fn begin(
        cartridge: Cartridge,
        config: Config,
        movie: Option<Movie>,
        state: Option<&Path>,
    ) -> Result<Self, Error> {
        let mut console = Console::new(cartridge.clone(), config);
        if let Some(path) = state {
            let state = image_file::read(path)?;
            console.load(&state).map_err(wrong(path))?;
        }
        Ok(Self { console, cartridge, config, movie })
    }

    /// Frames of the movie; `None` without one.
    pub(crate) fn length(&self) -> Option<u64> {
        self.movie.as_ref().map(|movie| movie.frames.len() as u64)
    }

    /// Plays so many frames, or until Ctrl-C. `turn` is called with the console before each frame,
    /// after a movie's reset, with the frame's number from 0 and the buttons, and has to run it:
    /// [`run_frame`] does.
    pub(crate) fn play(
        &mut self,
        frames: u64,
        mut turn: impl FnMut(&mut Console, u64, [Buttons; 2]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let interrupt = Interrupt::listen();
        for frame in 0..frames {
            interrupt.check()?;
            let input = self.movie.as_ref().map(|movie| movie.frame(frame)).unwrap_or_default();
            self.console.carry_out(input.commands, &self.cartridge, self.config);
            turn(&mut self.console, frame, input.pads)?;
        }
        Ok(())
    }
}

/// The movie of the file `path`. What its player should know of it on this cartridge goes to
/// standard error.
pub(crate) fn read_movie(path: &Path, cartridge: &Cartridge) -> Result<Movie, Error> {
    let movie = Movie::parse(&image_file::read(path)?).map_err(wrong(path))?;
    for warning in movie.warnings(cartridge.info().md5.0) {
        tty::tell!("warning: {} {warning}", path.display());
    }
    Ok(movie)
}

/// Returns the configuration of the console that a movie was recorded on, as far as it says: its
/// region and what RAM held. Without a movie, the usual one.
pub(crate) fn config_of(movie: Option<&Movie>) -> Config {
    let Some(movie) = movie else { return Config::default() };
    let region = movie.pal.then_some(Region::Pal);
    Config { region, ram_fill: movie.ram.into(), ..Config::default() }
}

/// A frame that nobody observes, so nobody breaks it.
pub(crate) fn run_frame(console: &mut Console, mut pads: [Buttons; 2]) {
    let _ = console.run_frame(&mut pads, &mut ());
}
