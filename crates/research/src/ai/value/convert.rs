//! `maxout ai value convert`: nets of an older version as files of this one.

use std::path::PathBuf;
use std::process::ExitCode;

use ::value::{Net, Outputs, Speed, fnv};
use draft::Draft;

use crate::ai::AiError;
use cli::error::Error;
use cli::image_file;
use cli::output;

/// Write a net of version 2 as a net of this version, which plays the same games.
///
/// A net says since version 3 what its outputs mean; nothing in a file of version 2 does. Unless
/// options say otherwise they mean what the nets of 24 November 2026 do, at the speed of the net.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout ai value convert old/l18.net --out l18.net
  maxout ai value convert old/l29.net --after 560000 --out l29.net")]
pub(super) struct Arguments {
    /// The net.
    #[arg(value_name = "OLD.net")]
    net: PathBuf,
    /// The file to write.
    #[arg(long, value_name = "NEW.net")]
    out: PathBuf,
    /// Points that an output of 1 stands for, for each line to the end of the speed.
    #[arg(long, value_name = "POINTS")]
    per_line: Option<f32>,
    /// Points that it stands for besides.
    #[arg(long, value_name = "POINTS")]
    after: Option<f32>,
    /// Share of the points after the speed that counts while it is played, from 0 to 1.
    #[arg(long, value_name = "SHARE")]
    share_of_later: Option<f32>,
    /// Points of a game after the speed.
    #[arg(long, value_name = "POINTS")]
    worth_of_later: Option<f32>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let Arguments { net: path, out, .. } = arguments;
    image_file::check_outputs(&[("OLD.net", Some(&**path))], &[("--out", Some(&**out))])?;
    let bytes = image_file::read(path)?;
    let refused = |source| AiError::ValueFile { path: path.clone(), source };
    let (_, usual) = Net::from_version_2(&bytes, None).map_err(refused)?;
    let outputs = arguments.outputs(usual.speed);
    let (net, provenance) = Net::from_version_2(&bytes, Some(outputs)).map_err(refused)?;
    let new = net.to_bytes(&provenance);
    Draft::write_file(out, &new)?;
    let Outputs { per_line, after, share_of_later, worth_of_later } = outputs;
    output::text(&format!(
        "net {:016x}: {per_line} points a line and {after}, {share_of_later} of what comes later, worth {worth_of_later}\n",
        fnv(&new)
    ))?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn outputs(&self, speed: Speed) -> Outputs {
        let usual = Outputs::usual(speed);
        Outputs {
            per_line: self.per_line.unwrap_or(usual.per_line),
            after: self.after.unwrap_or(usual.after),
            share_of_later: self.share_of_later.unwrap_or(usual.share_of_later),
            worth_of_later: self.worth_of_later.unwrap_or(usual.worth_of_later),
        }
    }
}
