//! `maxout ai value pack`: nets in less room.

use std::path::PathBuf;
use std::process::ExitCode;

use ::value::{Net, net_hash, pack, unpack};
use draft::Draft;

use crate::ai::AiError;
use cli::error::Error;
use cli::image_file;
use cli::output;

/// Write a net in less room, or as it was before.
///
/// Every command reads packed nets, and a net's hash is the same packed or not.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout ai value pack l18.net --out packed/l18.net
  maxout ai value pack --unpack packed/l18.net --out l18.net")]
pub(super) struct Arguments {
    /// The net.
    #[arg(value_name = "FILE.net")]
    net: PathBuf,
    /// The file to write.
    #[arg(long, value_name = "FILE.net")]
    out: PathBuf,
    /// Write the net as it was before it was packed.
    #[arg(long)]
    unpack: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let Arguments { net: path, out, unpack: unpacks } = arguments;
    image_file::check_outputs(&[("FILE.net", Some(&**path))], &[("--out", Some(&**out))])?;
    let bytes = image_file::read(path)?;
    let refused = |source| AiError::ValueFile { path: path.clone(), source };
    Net::from_bytes(&bytes).map_err(refused)?;
    let written = if *unpacks { unpack(&bytes).map(Into::into) } else { pack(&bytes) }.map_err(refused)?;
    Draft::write_file(out, &written)?;
    output::text(&format!(
        "net {:016x}: {} bytes, before {}\n",
        net_hash(&written),
        written.len(),
        bytes.len()
    ))?;
    Ok(ExitCode::SUCCESS)
}
