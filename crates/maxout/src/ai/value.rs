//! `maxout ai value`: the player for points, under taps that a hand can press.

mod convert;
mod games;
mod mind;
mod play;
mod published;
mod table;
mod train;
mod tune;

pub(super) use mind::MindOptions;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use ::value::{Net, Nets, Provenance, assemble, fnv};
use clap::Subcommand;

use super::AiError;
use crate::error::{Error, reading};
use crate::image_file;

/// Play for points in a format of taps and reaction time, and train the nets for it.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  maxout ai value play --net built-in --ahead 6,2 --narrow 2 --games 10
  maxout ai value table --folder games --games 300
  maxout ai value train --speed 39 --checkpoint l39.train --minutes 60 --out l39.net")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Convert(convert::Arguments),
    Play(play::Arguments),
    Table(table::Arguments),
    Train(train::Arguments),
    Tune(tune::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Command::Convert(arguments) => convert::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Table(arguments) => table::run(arguments),
        Command::Train(arguments) => train::run(arguments),
        Command::Tune(arguments) => tune::run(arguments),
    }
}

/// A net of a file.
struct NetFile {
    net: Arc<Net>,
    provenance: Provenance,
    hash: u64,
}

fn read_net(path: &Path) -> Result<NetFile, Error> {
    let bytes = image_file::read(path)?;
    let (net, provenance) =
        Net::from_bytes(&bytes).map_err(|source| AiError::ValueFile { path: path.into(), source })?;
    Ok(NetFile { net: Arc::new(net), provenance, hash: fnv(&bytes) })
}

/// The `.net` files of a folder, by name.
fn nets_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = folder.read_dir().map_err(|error| reading(folder, error))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "net") && path.is_file());
    files.sort();
    if files.is_empty() { Err(AiError::NoNets { path: folder.into() }.into()) } else { Ok(files) }
}

/// The nets of some files, and of all `.net` files of some folders, by the speeds and the tap
/// speeds that they say, and a hash of each.
pub(crate) fn read_nets(paths: &[PathBuf]) -> Result<(Nets, Vec<String>), Error> {
    if let [only] = paths
        && only.as_os_str() == mind::BUILT_IN
    {
        return Ok(crate::nets::built_in());
    }
    let (mut nets, mut hashes, mut last) = (Vec::new(), Vec::new(), PathBuf::new());
    for path in paths {
        for path in if path.is_dir() { nets_in(path)? } else { vec![path.clone()] } {
            let NetFile { net, provenance, hash } = read_net(&path)?;
            nets.push((Arc::unwrap_or_clone(net), provenance.speed));
            hashes.push(format!("{hash:016x}"));
            last = path;
        }
    }
    let nets = assemble(nets).map_err(|speed| AiError::SameSpeed { path: last, speed })?;
    Ok((nets, hashes))
}
