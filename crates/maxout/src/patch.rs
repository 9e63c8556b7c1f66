//! `maxout patch`: the image that a patch makes, and the patch between two images.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use draft::Draft;
use nes::cartridge::patch::{self, Kind};

use cli::error::{Error, wrong};
use cli::source::Source;
use cli::{image_file, output};

/// Apply and create patches of cartridge images.
///
/// Formats are IPS, BPS and UPS, recognised by the first bytes when reading and by the file name
/// when writing. You need no patched file to play: every command that takes an image takes --patch,
/// or a BPS or UPS patch instead of the image.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  maxout patch apply GYM.bps --out GYM.nes              of the ROM that it is for, if that was played
  maxout patch apply taus.ips game.nes --out taus.nes
  maxout patch make game.nes hack.nes --out hack.bps")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Apply(Apply),
    Make(Make),
}

/// Write the image that a patch makes.
///
/// A BPS or UPS patch that was made for an image without its header is applied to the contents, and
/// the image keeps its header.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout patch apply GYM.bps --out GYM.nes
  maxout patch apply first.ips game.nes --patch second.ips --out both.nes")]
struct Apply {
    /// The patch.
    #[arg(value_name = "PATCH")]
    patch: PathBuf,
    /// The ROM [default: the one that the patch is for, if it says so, beside the patch or among
    /// the ROMs played].
    #[arg(value_name = "ROM")]
    rom: Option<PathBuf>,
    /// Apply this patch afterwards. Several are applied in their order.
    #[arg(long = "patch", value_name = "FILE")]
    more: Vec<PathBuf>,
    /// Where to write the image.
    #[arg(long, value_name = "OUT.nes")]
    out: PathBuf,
}

/// Create the patch from one image to another.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout patch make game.nes hack.nes --out hack.bps")]
struct Make {
    /// The image that the patch is for.
    #[arg(value_name = "OLD.nes")]
    old: PathBuf,
    /// The image that the patch makes.
    #[arg(value_name = "NEW.nes")]
    new: PathBuf,
    /// Where to write the patch, whose ending says which format it has.
    #[arg(long, value_name = "OUT.bps|OUT.ips|OUT.ups")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Command::Apply(arguments) => apply(arguments)?,
        Command::Make(arguments) => make(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn apply(arguments: &Apply) -> Result<(), Error> {
    let Apply { patch, rom, more, out } = arguments;
    let named = [("PATCH", Some(patch.as_path())), ("ROM", rom.as_deref())];
    let patches = more.iter().map(|path| ("--patch", Some(path.as_path())));
    let inputs: Vec<_> = named.into_iter().chain(patches).collect();
    image_file::check_outputs(&inputs, &[("--out", Some(out))])?;
    // Whatever is named as the patch has to be one.
    if Kind::of(&image_file::read(patch)?).is_none() {
        let found = image_file::read(patch)?.into_iter().take(5).collect();
        return Err(wrong(patch)(patch::PatchError::Format { found }));
    }
    let image = match rom {
        Some(rom) => {
            let patches = [std::slice::from_ref(patch), more].concat();
            Source::new(Some(rom), &patches).image()?
        }
        None => Source::new(Some(patch), more).image()?,
    };
    Draft::write_file(out, &image)?;
    output::text(&format!("{} bytes, CRC32 {:08x}\n", image.len(), crc32fast::hash(&image)))
}

fn make(arguments: &Make) -> Result<(), Error> {
    let Make { old, new, out } = arguments;
    let inputs = [("OLD.nes", Some(old.as_path())), ("NEW.nes", Some(new.as_path()))];
    image_file::check_outputs(&inputs, &[("--out", Some(out))])?;
    let kind = out.extension().and_then(|ending| Kind::of_extension(ending.to_str()?));
    let kind = kind.ok_or_else(|| Error::PatchName(out.clone()))?;
    let read = |path: &Path| draft::unpack_rom(image_file::read(path)?, MOST).map_err(wrong(path));
    let patch = patch::write(kind, &read(old)?, &read(new)?).map_err(wrong(out))?;
    Draft::write_file(out, &patch)?;
    output::text(&format!("{} bytes of {kind}\n", patch.len()))
}

/// No image has more bytes.
const MOST: u64 = 64 << 20;
