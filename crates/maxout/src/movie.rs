//! `maxout movie`: movies in another format.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use draft::Draft;
use movies::Kind;

use cli::error::{Error, wrong};
use cli::{image_file, output};

/// Convert movies between FCEUX's format, BizHawk's and Mesen's.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  maxout movie convert old.fm2 --out new.fm2
  maxout movie convert game.bk2 --out game.fm2")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Convert(Convert),
}

/// Convert a movie to FCEUX's format or to BizHawk's.
///
/// Reads .fm2 (text, binary, or of an older Maxout, whose lines were its frames), .fm3, .bk2,
/// .tasproj and .mmo. What comes of it plays here, frame by frame, as the movie that was read did.
/// Comments and the ROM's hash stay; subtitles and other keys of FM2 do in FM2.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout movie convert old.fm2 --out game.fm2
  maxout movie convert game.mmo --out game.fm2     of Mesen
  maxout movie convert game.fm2 --out game.bk2     for BizHawk")]
struct Convert {
    /// The movie.
    #[arg(value_name = "MOVIE")]
    movie: PathBuf,
    /// Where to write it: .bk2 is BizHawk's format, .fm2 FCEUX's.
    #[arg(long, value_name = "NEW.fm2|NEW.bk2")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let Command::Convert(Convert { movie: path, out }) = &arguments.command;
    if image_file::is_same(path, out) {
        return Err(Error::MovieInPlace(path.clone()));
    }
    let kind = Kind::of(out).ok_or_else(|| Error::MovieName(out.clone()))?;
    let movie = movies::read(&image_file::read(path)?).map_err(wrong(path))?;
    Draft::write_file(out, &movies::write(kind, &movie).map_err(wrong(path))?)?;
    let from = if movie.older { ", recorded by an older Maxout" } else { "" };
    output::text(&format!("{} frames{from}\n", movie.frames.len()))?;
    Ok(ExitCode::SUCCESS)
}
