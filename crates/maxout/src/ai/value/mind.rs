//! By what a player of `maxout ai value` judges, as arguments.

use std::path::PathBuf;

use ::value::{EL_TETRIS, Format, Linear, Mind, Nets, Weights, WeightsFile, fnv};

use crate::ai::AiError;
use crate::error::Error;
use crate::image_file;

use super::read_nets;

/// By what it judges: the built-in weights, where nobody says otherwise.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MindOptions {
    /// A net, once for each speed; a speed without one is played by the weights.
    #[arg(long = "net", value_name = "FILE")]
    pub(super) nets: Vec<PathBuf>,
    /// Weights, as `maxout ai value tune --out` writes them [default: the built-in ones].
    #[arg(long, value_name = "FILE.json", conflicts_with = "el_tetris")]
    weights: Option<PathBuf>,
    /// El-Tetris' weights instead.
    #[arg(long)]
    el_tetris: bool,
    /// Look at what each next piece makes of the N boards that look best, and decide by that.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=400))]
    ahead: Option<u16>,
    /// Ask the nets about the N boards alone that the weights like best; 0 about all.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=400), requires = "nets")]
    guided: u16,
}

/// More boards than a piece has places.
const EVERY: usize = 1_000;

impl MindOptions {
    /// The mind, and a name that no other mind has.
    pub(crate) fn mind(&self, format: &Format) -> Result<(Mind, String), Error> {
        let weights = self.weights()?;
        let name = if self.el_tetris {
            "el-tetris".to_owned()
        } else {
            let bytes: Vec<u8> = weights.iter().flatten().flat_map(|weight| weight.to_le_bytes()).collect();
            format!("linear {:016x}", fnv(&bytes))
        };
        let linear = Linear::by_speed(format, weights);
        if !self.nets.is_empty() {
            let (nets, hashes): (Nets, Vec<String>) = read_nets(&self.nets)?;
            let breadth = self.ahead.unwrap_or(0).into();
            let guided = self.guided.into();
            let name = format!("nets {}, {name}, ahead {breadth}, guided {guided}", hashes.join("+"));
            return Ok((Mind::Nets { nets, linear, breadth, guided }, name));
        }
        Ok(match self.ahead {
            Some(breadth) => (Mind::Ahead(linear, breadth.into()), format!("{name}, ahead {breadth}")),
            None => (Mind::Linear(linear), name),
        })
    }

    /// The same for one who rates every place: nets are asked about every board, and whoever looks
    /// ahead does so of every board.
    pub(crate) fn thorough(&self, format: &Format) -> Result<(Mind, String), Error> {
        let (mind, name) = self.mind(format)?;
        let mind = match mind {
            Mind::Ahead(linear, _) => Mind::Ahead(linear, EVERY),
            Mind::Nets { nets, linear, breadth, .. } => {
                Mind::Nets { nets, linear, breadth: if breadth > 0 { EVERY } else { 0 }, guided: 0 }
            }
            linear @ Mind::Linear(_) => linear,
        };
        Ok((mind, name))
    }

    fn weights(&self) -> Result<[Weights; 4], Error> {
        if self.el_tetris {
            return Ok([EL_TETRIS; 4]);
        }
        match &self.weights {
            Some(path) => Ok(read_weights(path)?.weights),
            None => Ok(WeightsFile::built_in().weights),
        }
    }
}

pub(super) fn read_weights(path: &std::path::Path) -> Result<WeightsFile, Error> {
    let bytes = image_file::read_short(path)?;
    let refused = |source| AiError::ValueWeights { path: path.into(), source };
    let text = std::str::from_utf8(&bytes).map_err(|_| AiError::NoText { path: path.into() })?;
    Ok(WeightsFile::parse(text).map_err(refused)?)
}
