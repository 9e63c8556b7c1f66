//! A game from power-on or a saved state on, played by a movie or left alone.

use std::path::PathBuf;

use nes::{Buttons, Config};
use nes_debug::Crash;
use tetris::Feature;

use cli::error::Error;
use cli::game::{Choice, Known};
use cli::machine::PowerOn;
use cli::session::{HeadlessRun, read_movie};

/// Which game is looked at, as arguments.
#[derive(clap::Args)]
pub(super) struct Replay {
    #[command(flatten)]
    cartridge: Choice,
    /// Frames to run [default: the movie's length].
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// FM2 movie to play, text or binary.
    #[arg(long, visible_alias = "input", value_name = "FILE.fm2")]
    pub(super) movie: Option<PathBuf>,
    /// Begin from a saved state instead of power-on.
    #[arg(long, value_name = "FILE")]
    load_state: Option<PathBuf>,
    #[command(flatten)]
    power_on: PowerOn,
}

/// A game at its beginning, or after its last frame.
pub(super) struct Played {
    pub(super) known: Known,
    session: HeadlessRun,
    frames: Option<u64>,
}

impl Replay {
    /// The game at its beginning, on a cartridge of which enough is known for `feature`.
    pub(super) fn begin(&self, feature: Feature) -> Result<Played, Error> {
        let known = self.cartridge.known(feature)?;
        let movie = self.movie.as_deref().map(|path| read_movie(path, &known.cartridge)).transpose()?;
        let config = Config { video: false, ..self.power_on.config_of(None, movie.as_ref()) };
        let mut session =
            HeadlessRun::begin(known.cartridge.clone(), config, movie, self.load_state.as_deref())?;
        let frames = self.frames.or(session.length());
        session.emulator.watch_crashes(Some(&known.profile));
        Ok(Played { known, session, frames })
    }
}

impl Played {
    /// Plays the frames that were asked for, or the movie's, or `otherwise` so many. `look` gets
    /// each frame's number from 1, what was held, and RAM after it as [`Self::memory`] has it.
    ///
    /// A game that crashes ends it, after `look`, as an error.
    pub(super) fn play(
        &mut self,
        otherwise: u64,
        mut look: impl FnMut(u64, [Buttons; 2], &[u8; 0x800]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Self { known, session, frames } = self;
        session.play(frames.unwrap_or(otherwise), |emulator, frame, pads| {
            look(frame + 1, pads, &known.profile.as_mapped(emulator.state().ram()))?;
            emulator.crash().map_or(Ok(()), |crash| Err(Error::Crashed(crash.to_string())))
        })
    }

    /// How the game has crashed.
    pub(super) fn crash(&self) -> Option<&Crash> {
        self.session.emulator.crash()
    }

    /// RAM with everything where the map says.
    pub(super) fn memory(&self) -> [u8; 0x800] {
        self.known.profile.as_mapped(self.session.emulator.state().ram())
    }

    /// Frames since power-on.
    pub(super) fn frame(&self) -> u64 {
        self.session.emulator.state().frame_number()
    }
}
