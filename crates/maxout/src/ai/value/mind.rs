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
    /// A net, once for each speed; a speed without one counts for nothing.
    #[arg(long = "net", value_name = "FILE", conflicts_with_all = ["weights", "el_tetris", "ahead"])]
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
}

impl MindOptions {
    /// The mind, and a name that no other mind has.
    pub(crate) fn mind(&self, format: &Format) -> Result<(Mind, String), Error> {
        if !self.nets.is_empty() {
            let (nets, hashes): (Nets, Vec<String>) = read_nets(&self.nets)?;
            return Ok((Mind::Nets(nets), hashes.join("+")));
        }
        let weights = self.weights()?;
        let name = if self.el_tetris {
            "el-tetris".to_owned()
        } else {
            let bytes: Vec<u8> = weights.iter().flatten().flat_map(|weight| weight.to_le_bytes()).collect();
            format!("linear {:016x}", fnv(&bytes))
        };
        let linear = Linear::by_speed(format, weights);
        Ok(match self.ahead {
            Some(breadth) => (Mind::Ahead(linear, breadth.into()), format!("{name}, ahead {breadth}")),
            None => (Mind::Linear(linear), name),
        })
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
