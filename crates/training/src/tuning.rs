//! The search for weights of the linear player for points, one speed at a time.

use serde::{Deserialize, Serialize};
use tetris::SplitMix64;
use value::{Format, MEASURES, Speed, Weights, play_speed};

use crate::TrainingError;
use crate::cma::Cma;
use crate::random;

/// What a tuning follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuningPlan {
    /// The format whose taps are played.
    pub format: Format,
    /// The speed that is played.
    pub speed: Speed,
    /// Lines before it, from an empty board, that are played by the built-in weights; their points
    /// do not count.
    #[serde(default)]
    pub lead: u32,
    /// From which everything follows.
    pub seed: u64,
    /// Candidates a generation.
    pub candidates: u32,
    /// Games a candidate.
    pub games: u32,
    /// Points that count for a game which comes to the end of the speed: what follows is worth so
    /// much.
    pub after: f64,
    /// Where the search begins.
    pub start: Weights,
    /// How far it looks at first, in [`SCALES`].
    pub sigma: f64,
}

/// A unit of the search for each measure: how large a weight tells.
pub const SCALES: Weights = [
    3.0, 3.0, 3.0, 5.0, 5.0, 2.0, 20.0, 5.0, 3.0, 3.0, 1.0, 8.0, 2.0, 2.0, 1.0, 5.0, 2.0, 3.0, 5.0, 5.0, 5.0,
    5.0, 1.0, 2.0,
];

/// Weights by hand of a player that leaves the rightmost column free for tetrises: where a search
/// may begin.
pub const STACKING: Weights = [
    -1.0, 0.0, 0.0, -6.0, -8.0, 0.0, 40.0, -8.0, -4.0, 2.0, -0.3, -15.0, 0.0, -1.5, 0.0, -4.0, -3.0, -3.0,
    0.0, -5.0, -5.0, 3.0, -0.5, 0.0,
];

/// What is remembered of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningRound {
    /// Mean points of the best candidate, those for the end included.
    pub best: f64,
    /// The same of all candidates.
    pub mean: f64,
    /// The weights to keep after it: the middle of the distribution.
    pub champion: Weights,
}

/// A search for weights: one value, which is all that a checkpoint has to hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuning {
    plan: TuningPlan,
    strategy: Cma<MEASURES>,
    history: Vec<TuningRound>,
}

impl Tuning {
    /// A search that begins where its plan says.
    ///
    /// # Errors
    /// [`TrainingError::Candidates`] unless there are 4 to 10,000 of them.
    pub fn new(plan: TuningPlan) -> Result<Self, TrainingError> {
        if !(4..=10_000).contains(&plan.candidates) {
            return Err(TrainingError::Candidates(plan.candidates));
        }
        let chance = random::sequence(plan.seed);
        let strategy = Cma::about(plan.candidates as usize, [0.0; MEASURES], plan.sigma, chance);
        Ok(Self { plan, strategy, history: Vec::new() })
    }

    /// What it follows.
    pub const fn plan(&self) -> &TuningPlan {
        &self.plan
    }

    /// What each generation came to.
    pub fn history(&self) -> &[TuningRound] {
        &self.history
    }

    /// The weights of this generation's candidates.
    pub fn candidates(&self) -> Vec<Weights> {
        self.strategy.candidates().iter().map(|place| self.weights(place)).collect()
    }

    fn weights(&self, place: &[f64; MEASURES]) -> Weights {
        std::array::from_fn(|at| (f64::from(self.plan.start[at]) + place[at] * f64::from(SCALES[at])) as f32)
    }

    /// The seeds of this generation's games, the same for each candidate.
    pub fn games(&self) -> Vec<u64> {
        let generation = self.history.len() as u64;
        let games = u64::from(self.plan.games);
        (0..games)
            .map(|game| SplitMix64::mix(self.plan.seed ^ (generation * games + game + 1) << 20))
            .collect()
    }

    /// Ends a generation, given the mean points of each candidate in order.
    ///
    /// # Errors
    /// [`TrainingError::Fitness`] or [`TrainingError::Value`]; the search is then as it was.
    pub fn tell(&mut self, points: &[f64]) -> Result<(), TrainingError> {
        let (expected, found) = (self.strategy.candidates().len(), points.len());
        if expected != found {
            return Err(TrainingError::Fitness { expected, found });
        }
        if let Some(index) = points.iter().position(|value| !value.is_finite()) {
            return Err(TrainingError::Value { index, value: points[index] });
        }
        self.strategy.tell(points);
        self.history.push(TuningRound {
            best: points.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            mean: points.iter().sum::<f64>() / found as f64,
            champion: self.weights(&self.strategy.mean()),
        });
        Ok(())
    }
}

impl TuningPlan {
    /// Points of a game by weights: those made at the speed, and those for its end.
    pub fn play(&self, weights: &Weights, game: u64) -> f64 {
        let (points, survived) = play_speed(&self.format, self.speed, weights, self.lead, game);
        f64::from(points) + if survived { self.after } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> TuningPlan {
        TuningPlan {
            format: Format::HEADLINE,
            speed: Speed::L39,
            lead: 10,
            seed: 3,
            candidates: 6,
            games: 2,
            after: 1_000.0,
            start: STACKING,
            sigma: 0.3,
        }
    }

    fn told(mut tuning: Tuning, generations: usize) -> Tuning {
        for _ in 0..generations {
            let games = tuning.games();
            let mean = |weights: &Weights| {
                games.iter().map(|&game| tuning.plan().play(weights, game)).sum::<f64>() / games.len() as f64
            };
            let points: Vec<f64> = tuning.candidates().iter().map(mean).collect();
            tuning.tell(&points).unwrap();
        }
        tuning
    }

    #[test]
    fn a_tuning_that_was_saved_and_loaded_goes_on_to_the_same_bytes() {
        let unbroken = serde_json::to_string(&told(Tuning::new(plan()).unwrap(), 4)).unwrap();
        let mut broken = Tuning::new(plan()).unwrap();
        for _ in 0..4 {
            broken = told(broken, 1);
            broken = serde_json::from_str(&serde_json::to_string(&broken).unwrap()).unwrap();
        }
        assert_eq!(serde_json::to_string(&broken).unwrap(), unbroken);
        assert_eq!(broken.history().len(), 4);
    }

    #[test]
    fn generations_play_games_of_their_own() {
        let mut tuning = Tuning::new(plan()).unwrap();
        let before = tuning.games();
        tuning.tell(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        assert!(tuning.games().iter().all(|game| !before.contains(game)));
    }

    #[test]
    fn a_file_with_vectors_of_another_length_is_refused() {
        let text = serde_json::to_string(&Tuning::new(plan()).unwrap()).unwrap();
        let cut = text.replacen("\"mean\":[0.0,", "\"mean\":[", 1);
        assert_ne!(cut, text);
        assert!(serde_json::from_str::<Tuning>(&cut).is_err());
        assert!(Tuning::new(TuningPlan { candidates: 2, ..plan() }).is_err());
    }
}
