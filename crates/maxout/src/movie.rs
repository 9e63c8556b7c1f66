//! `maxout movie`: movies in the present form.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use draft::Draft;
use nes::fm2::Movie;

use crate::error::{Error, wrong};
use crate::{image_file, output};

/// Convert movies to FCEUX's format.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Example:
  maxout movie convert old.fm2 new.fm2")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Convert(Convert),
}

/// Convert a movie of an older Maxout, or a binary one, to what Maxout writes today.
///
/// The lines of an older Maxout's movies were its frames, which FCEUX counts from one line later.
/// What comes of it is text, and plays here, frame by frame, as the old one did. Comments,
/// subtitles and the other keys stay.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout movie convert old.fm2 --out game.fm2")]
struct Convert {
    /// The movie.
    #[arg(value_name = "OLD.fm2")]
    movie: PathBuf,
    /// Where to write it.
    #[arg(long, value_name = "NEW.fm2")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let Command::Convert(Convert { movie: path, out }) = &arguments.command;
    if image_file::is_same(path, out) {
        return Err(Error::MovieInPlace(path.clone()));
    }
    let movie = Movie::parse(&image_file::read(path)?).map_err(wrong(path))?;
    Draft::write_file(out, movie.to_string().as_bytes())?;
    let from = if movie.older { ", recorded by an older Maxout" } else { "" };
    output::text(&format!("{} frames{from}\n", movie.frames.len()))?;
    Ok(ExitCode::SUCCESS)
}
