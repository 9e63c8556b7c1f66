//! `maxout play`: the window.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::error::Error;
use crate::image_file;

/// Open the window and play.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  maxout play game.nes")]
pub(crate) struct Arguments {
    /// Cartridge image (iNES or NES 2.0).
    rom: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let Some(rom) = &arguments.rom else { return Err(Error::NothingToPlay) };
    // The image is looked at first, so that what is wrong with it is said as every command says it.
    image_file::cartridge(rom)?;
    #[cfg(feature = "window")]
    {
        desktop::run(desktop::Options::from_file(rom)?)?;
        Ok(ExitCode::SUCCESS)
    }
    #[cfg(not(feature = "window"))]
    Err(Error::NoWindow)
}
