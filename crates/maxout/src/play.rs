//! `maxout play`: the window.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::built_in;
use crate::error::Error;

/// Open the window and play.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  maxout play          the built-in cartridge\n  maxout play game.nes")]
pub(crate) struct Arguments {
    /// Cartridge image (iNES or NES 2.0); without one, the built-in cartridge.
    rom: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let rom = arguments.rom.as_deref();
    // The image is looked at first, so that what is wrong with it is said as every command says it.
    built_in::or_file(rom)?;
    #[cfg(feature = "window")]
    {
        desktop::run(match rom {
            Some(path) => desktop::Options::from_file(path)?,
            // Its title is the program's.
            None => desktop::Options::new("", built_in::IMAGE.to_vec()),
        })?;
        Ok(ExitCode::SUCCESS)
    }
    #[cfg(not(feature = "window"))]
    Err(Error::NoWindow)
}
