//! The games by which weights are measured, as arguments; and the measuring, on all processors.

use ::ai::Weights;
use randomizers::Kind;
use rayon::prelude::*;
use training::{Objective, Trial, Vector};

use cli::error::Error;

use super::AiError;

/// Which games are played, and what counts in them.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct TrialOptions {
    /// What counts: rising (pieces survived while S and Z take a rising share), garbage (lines a
    /// piece on ten rows of garbage that are filled up from below), survival (pieces of --pieces),
    /// lines (a piece), score (points a piece).
    #[arg(long, value_name = "FITNESS", default_value = "rising")]
    fitness: Objective,
    /// Games a candidate [default: 8; of garbage 128].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,
    /// Most pieces a game; of rising those until S and Z alone are left
    /// [default: 1,000; of survival 20,000, of garbage 100].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pieces: Option<u64>,
    /// Who deals the pieces; `maxout randomizer list` shows all.
    #[arg(long, value_name = "KIND", default_value = "uniform")]
    randomizer: Kind,
}

impl TrialOptions {
    pub(super) fn trial(self, seed: u64) -> Trial {
        let Self { fitness, games, pieces, randomizer } = self;
        let usual = Trial::new(fitness);
        Trial {
            games: games.unwrap_or(usual.games),
            pieces: pieces.unwrap_or(usual.pieces),
            randomizer,
            seed,
            ..usual
        }
    }
}

/// What each game is worth, by candidate. It is the same on any number of threads.
pub(super) fn play(trial: &Trial, candidates: &[Vector]) -> Vec<Vec<f64>> {
    let games = trial.games as usize;
    let numbers = 0..candidates.len() * games;
    let worth = |number: usize| trial.play(&candidates[number / games], (number % games) as u32);
    let worths: Vec<f64> = numbers.into_par_iter().with_max_len(1).map(worth).collect();
    worths.chunks(games.max(1)).map(<[f64]>::to_vec).collect()
}

/// The mean of a candidate's games, added up in their order.
pub(super) fn mean(games: &[f64]) -> f64 {
    games.iter().sum::<f64>() / games.len().max(1) as f64
}

/// So many threads, or all processors.
pub(super) fn threads(threads: Option<u16>) -> Result<rayon::ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, usize::from))
        .build()
        .map_err(|error| AiError::Threads(error.to_string()).into())
}

/// Weights by name, from any candidate: scaled so that the largest is 1, because only ratios
/// matter.
pub(super) fn scaled(candidate: &Vector) -> Vector {
    let largest = candidate.iter().fold(0.0, |largest: f64, weight| largest.max(weight.abs()));
    if largest > 0.0 { candidate.map(|weight| weight / largest) } else { *candidate }
}

/// Names of the weights in their order.
pub(super) const NAMES: [&str; 6] = ["lines", "lock_height", "wells", "holes", "col_trans", "row_trans"];

/// The six by name.
pub(super) fn weights(candidate: &Vector) -> Weights {
    Weights::from(*candidate)
}

/// The six as a file of an evaluator.
pub(super) fn weights_file(weights: &Weights) -> String {
    let mut lines = vec!["# Weights of the article's six factors; a positive weight is a cost.".to_owned()];
    let named = NAMES.into_iter().zip(<[f64; 6]>::from(*weights));
    lines.extend(named.map(|(name, weight)| format!("{name} = {weight:?}")));
    lines.push(String::new());
    lines.join("\n")
}
