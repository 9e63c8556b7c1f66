//! `maxout ai value convert`: nets of an older version as files of this one, and nets in less room.

use std::path::PathBuf;
use std::process::ExitCode;

use ::value::{Format, Net, Outputs, Speed, net_hash, pack};
use draft::Draft;

use crate::ai::AiError;
use cli::error::Error;
use cli::image_file;
use cli::output;

/// Write a net of version 2 as a net of this version, which plays the same games; or write a net in
/// less room.
///
/// A net says since version 3 what its outputs mean; nothing in a file of version 2 does. Unless
/// options say otherwise they mean what the nets of 24 November 2026 do, at the speed of the net.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout ai value convert old/l18.net --out l18.net
  maxout ai value convert old/l29.net --after 560000 --out l29.net
  maxout ai value convert l18.net --small --out l18-small.net        a quarter as long
  maxout ai value convert l18.net --small --packed --out l18-small.net        a little less again
  maxout ai value convert l29.net --rounded --packed --out l29-rounded.net        nearly the same games
  maxout ai value convert slow.net --small --asked bt-12hz-18f --asked bt-10hz-18f --out slower.net")]
pub(super) struct Arguments {
    /// The net: of version 2, or, with --rounded, --small, --packed or --asked, of any.
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
    /// Round its weights to 16 significant bits: packed, three tenths shorter than without.
    #[arg(long, conflicts_with = "small")]
    rounded: bool,
    /// Round its weights to bytes: a quarter as long, and within 1 % of its points.
    #[arg(long)]
    small: bool,
    /// Deflate it: a seventh shorter, or a fifteenth with --small, and the same net.
    #[arg(long)]
    packed: bool,
    /// Ask it only in the tap speed of this format, where others of its speed lie beside it; may be
    /// given more than once.
    #[arg(long, value_name = "FORMAT")]
    asked: Vec<Format>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let Arguments { net: path, out, .. } = arguments;
    image_file::check_outputs(&[("OLD.net", Some(&**path))], &[("--out", Some(&**out))])?;
    let bytes = image_file::read(path)?;
    let refused = |source| AiError::ValueFile { path: path.clone(), source };
    let stays = arguments.rounded || arguments.small || arguments.packed || !arguments.asked.is_empty();
    let (net, mut provenance) = match Net::from_bytes(&bytes) {
        Ok(read) if stays && !arguments.sets_outputs() => read,
        read => {
            // Of a file that is of neither version, what the newer lacks says more.
            let (_, usual) =
                Net::from_version_2(&bytes, None).map_err(|old| refused(read.err().unwrap_or(old)))?;
            Net::from_version_2(&bytes, Some(arguments.outputs(usual.speed))).map_err(refused)?
        }
    };
    if !arguments.asked.is_empty() {
        provenance.asked.clone_from(&arguments.asked);
    }
    let net = if arguments.rounded { net.rounded() } else { net };
    let new = if arguments.small { net.to_small_bytes(&provenance) } else { net.to_bytes(&provenance) };
    let new = if arguments.packed { pack(&new).map_err(refused)? } else { new };
    Draft::write_file(out, &new)?;
    let Outputs { per_line, after, share_of_later, worth_of_later, bonus } = provenance.outputs;
    let bonus = if bonus > 0.0 { format!(", tetrises {} times", 1.0 + bonus) } else { String::new() };
    output::text(&format!(
        "net {:016x}: {per_line} points a line and {after}, {share_of_later} of what comes later, worth {worth_of_later}{bonus}\n",
        net_hash(&new)
    ))?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// Does it say what outputs mean? Only a net of version 2 lacks that.
    fn sets_outputs(&self) -> bool {
        let Self { per_line, after, share_of_later, worth_of_later, .. } = self;
        [per_line, after, share_of_later, worth_of_later].iter().any(|given| given.is_some())
    }

    fn outputs(&self, speed: Speed) -> Outputs {
        let usual = Outputs::usual(speed);
        Outputs {
            per_line: self.per_line.unwrap_or(usual.per_line),
            after: self.after.unwrap_or(usual.after),
            share_of_later: self.share_of_later.unwrap_or(usual.share_of_later),
            worth_of_later: self.worth_of_later.unwrap_or(usual.worth_of_later),
            bonus: usual.bonus,
        }
    }
}
