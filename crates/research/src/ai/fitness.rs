//! `maxout ai fitness`: weights in, fitness out, a line each.

use std::io::stdout;

use ::ai::Weights;
use serde::{Deserialize, Serialize};
use training::{Trial, Vector};

use super::trial::{self, TrialOptions};
use super::{AiError, lines};
use cli::error::Error;
use cli::output;

/// Read weights, one JSON value per line, and print the fitness of each; higher is better.
///
/// It keeps nothing from one line to the next, and the same weights, options and seed have the same
/// fitness on any machine and in any order: lines can be spread over processes and machines.
#[derive(clap::Args)]
#[command(after_help = "\
Weights are six numbers, [lines, lock_height, wells, holes, col_trans, row_trans], of which positive ones are costs. They may also
be {\"weights\": [...]}, or all six by name. {\"weights\": [...], \"trial\": {...}} has options of its own.

An answer is {\"weights\": [...], \"fitness\": mean of the games, \"games\": [value of each game]}.

Examples:
  echo '[1, 12.9, 15.8, 26.9, 27.6, 30.2]' | maxout ai fitness --fitness garbage
  parallel --pipe -N 4 --keep-order maxout ai fitness --threads 1 --seed 7 < weights.jsonl > fitness.jsonl
  parallel --pipe -N 4 --keep-order --sshlogin node1,node2 maxout ai fitness < weights.jsonl > fitness.jsonl")]
pub(crate) struct Arguments {
    #[command(flatten)]
    trial: TrialOptions,
    /// From which the pieces of all games follow.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Threads for the games of a line [default: all processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// A line of the input.
#[derive(Deserialize)]
#[serde(untagged)]
enum Request {
    Numbers(Vector),
    Named(Weights),
    Whole {
        weights: Box<Self>,
        #[serde(default)]
        trial: Option<Trial>,
    },
}

/// A line of the output.
#[derive(Deserialize, Serialize)]
pub(super) struct Rating {
    pub(super) weights: Vector,
    pub(super) fitness: f64,
    games: Vec<f64>,
}

impl Request {
    fn parts(self) -> (Vector, Option<Trial>) {
        match self {
            Self::Numbers(weights) => (weights, None),
            Self::Named(weights) => (weights.into(), None),
            Self::Whole { weights, trial } => (weights.parts().0, trial),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let usual = arguments.trial.trial(arguments.seed);
    let pool = trial::threads(arguments.threads)?;
    lines::each(|line, bytes| {
        let request: Request = serde_json::from_slice(bytes).map_err(|_| AiError::WeightsLine { line })?;
        let (weights, own) = request.parts();
        let trial = own.unwrap_or_else(|| usual.clone());
        let games = pool.install(|| trial::play(&trial, &[weights])).into_iter().next().unwrap_or_default();
        let rating = Rating { weights, fitness: trial::mean(&games), games };
        // A line at a time, so that a program at the other end of two pipes can wait for it.
        output::json_line(&mut stdout().lock(), &rating).map_err(Error::Output)
    })
}
