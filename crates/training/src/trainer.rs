//! The search for weights, a generation at a time.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};
use tetris::SplitMix64;

use crate::cma::Cma;
use crate::swarm::Swarm;
use crate::{SIZE, Trial, Vector};

/// How candidates are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive)]
#[strum(parse_err_ty = TrainingError, parse_err_fn = unknown_method)]
pub enum Method {
    /// Particle swarm optimisation, as the article's author did.
    Pso,
    /// Covariance matrix adaptation.
    #[serde(rename = "cma-es")]
    #[strum(to_string = "cma-es", serialize = "cma")]
    Cma,
}

impl Method {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Pso, Self::Cma];

    /// The name, as it is parsed.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Candidates a generation where nobody says.
    pub const fn usual_candidates(self) -> u32 {
        match self {
            Self::Pso => 24,
            Self::Cma => 16,
        }
    }
}

fn unknown_method(name: &str) -> TrainingError {
    TrainingError::Method(name.to_owned())
}

/// What a trainer refuses.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrainingError {
    /// A name that is no method's.
    #[error("method `{0}`: expected pso or cma-es")]
    Method(String),
    /// Too few candidates to compare, or more than anybody plays.
    #[error("{0} candidates a generation: expected 4 to 10,000")]
    Candidates(u32),
    /// Another number of values than of candidates.
    #[error("{found} values of fitness, expected {expected}, one a candidate")]
    Fitness {
        /// Candidates.
        expected: usize,
        /// Values.
        found: usize,
    },
    /// A fitness that is no number.
    #[error("candidate {index}: fitness {value}, expected a finite number")]
    Value {
        /// Which candidate, from 0.
        index: usize,
        /// What it was said to be worth.
        value: f64,
    },
}

/// What is remembered of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Fitness of the best candidate.
    pub best: f64,
    /// Mean fitness.
    pub mean: f64,
    /// Fitness of the worst candidate.
    pub worst: f64,
    /// The candidate to keep after it: the swarm's best place so far, or the middle of the
    /// distribution.
    pub champion: Vector,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Search {
    Pso(Swarm),
    Cma(Box<Cma<SIZE>>),
}

/// A search for weights: one value, which is all that a checkpoint has to hold.
///
/// A swarm remembers how good a place was, so all its generations play the same games; CMA-ES
/// compares candidates of one generation only, and each generation plays games of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trainer {
    trial: Trial,
    seed: u64,
    search: Search,
    history: Vec<Generation>,
}

impl Trainer {
    /// A search from random weights, from -1 to 1 each.
    ///
    /// # Errors
    /// [`TrainingError::Candidates`] unless there are 4 to 10,000 of them.
    pub fn new(method: Method, candidates: u32, trial: Trial, seed: u64) -> Result<Self, TrainingError> {
        if !(4..=10_000).contains(&candidates) {
            return Err(TrainingError::Candidates(candidates));
        }
        let (count, chance) = (candidates as usize, SplitMix64::mix(seed ^ 1));
        let search = match method {
            Method::Pso => Search::Pso(Swarm::new(count, chance)),
            Method::Cma => Search::Cma(Box::new(Cma::new(count, chance))),
        };
        Ok(Self { trial, seed, search, history: Vec::new() })
    }

    /// How candidates are chosen.
    pub const fn method(&self) -> Method {
        match self.search {
            Search::Pso(_) => Method::Pso,
            Search::Cma(_) => Method::Cma,
        }
    }

    /// From which everything follows.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Generations told so far.
    pub fn generation(&self) -> u64 {
        self.history.len() as u64
    }

    /// What each generation came to.
    pub fn history(&self) -> &[Generation] {
        &self.history
    }

    /// The candidates of this generation.
    pub fn candidates(&self) -> &[Vector] {
        match &self.search {
            Search::Pso(swarm) => swarm.candidates(),
            Search::Cma(strategy) => strategy.candidates(),
        }
    }

    /// The games by which this generation is measured.
    pub fn trial(&self) -> Trial {
        let games = match self.search {
            Search::Pso(_) => 0,
            Search::Cma(_) => self.generation().wrapping_mul(self.trial.games.into()),
        };
        Trial { first_game: self.trial.first_game.wrapping_add(games), ..self.trial.clone() }
    }

    /// The candidate to keep as things stand; `None` before a generation was told.
    pub fn champion(&self) -> Option<Vector> {
        self.history.last().map(|generation| generation.champion)
    }

    /// Ends a generation, given the fitness of each candidate in order; higher is better.
    ///
    /// # Errors
    /// [`TrainingError::Fitness`] or [`TrainingError::Value`]; the trainer is then as it was.
    pub fn tell(&mut self, fitness: &[f64]) -> Result<(), TrainingError> {
        let (expected, found) = (self.candidates().len(), fitness.len());
        if expected != found {
            return Err(TrainingError::Fitness { expected, found });
        }
        if let Some(index) = fitness.iter().position(|value| !value.is_finite()) {
            return Err(TrainingError::Value { index, value: fitness[index] });
        }
        let champion = match &mut self.search {
            Search::Pso(swarm) => {
                swarm.tell(fitness);
                swarm.best().map(|(place, _)| place)
            }
            Search::Cma(strategy) => {
                strategy.tell(fitness);
                Some(strategy.mean())
            }
        };
        self.history.push(Generation {
            best: fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            mean: fitness.iter().sum::<f64>() / found as f64,
            worst: fitness.iter().copied().fold(f64::INFINITY, f64::min),
            champion: champion.unwrap_or_default(),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Objective;

    fn trainer(method: Method, seed: u64) -> Trainer {
        let trial = Trial { games: 1, pieces: 20, ..Trial::new(Objective::Survival) };
        Trainer::new(method, method.usual_candidates(), trial, seed).unwrap()
    }

    /// A narrow valley that turns: its top, 0, is at `1, 1, …`.
    fn rosenbrock(place: &Vector) -> f64 {
        -place
            .windows(2)
            .map(|pair| 100.0 * (pair[1] - pair[0] * pair[0]).powi(2) + (1.0 - pair[0]).powi(2))
            .sum::<f64>()
    }

    /// Stretched along axes that are no coordinates'.
    fn ellipsoid(place: &Vector) -> f64 {
        let turned = (0..SIZE).map(|at| place[at] + place[(at + 1) % SIZE] / 2.0 - 0.3);
        -turned.zip(0..).map(|(part, power)| 10f64.powi(power) * part * part).sum::<f64>()
    }

    fn hill(place: &Vector) -> f64 {
        -place.iter().zip(0..).map(|(part, power)| 2f64.powi(power) * (part - 0.3).powi(2)).sum::<f64>()
    }

    fn told(mut trainer: Trainer, landscape: fn(&Vector) -> f64, generations: u32) -> Trainer {
        for _ in 0..generations {
            let fitness: Vec<f64> = trainer.candidates().iter().map(landscape).collect();
            trainer.tell(&fitness).unwrap();
        }
        trainer
    }

    #[test]
    fn cma_es_climbs_a_turning_valley_and_a_stretched_hill() {
        for seed in 0..5 {
            for landscape in [rosenbrock, ellipsoid] {
                let best = told(trainer(Method::Cma, seed), landscape, 500).history().last().unwrap().best;
                // Rosenbrock's function has a second top near -1, 1, 1, …, worth -3.97 in six
                // dimensions.
                assert!(best > -1e-9 || (best + 3.97).abs() < 0.1, "seed {seed}: {best}");
            }
        }
    }

    #[test]
    fn a_swarm_climbs_a_hill() {
        for seed in 0..5 {
            let trained = told(trainer(Method::Pso, seed), hill, 400);
            let best = hill(&trained.champion().unwrap());
            assert!(best > -1e-6, "seed {seed}: {best}");
        }
    }

    #[test]
    fn a_trainer_that_was_saved_and_loaded_goes_on_as_if_it_had_not_been() {
        for method in Method::ALL {
            let unbroken = told(trainer(method, 9), rosenbrock, 40);
            let mut broken = trainer(method, 9);
            for _ in 0..8 {
                broken = told(broken, rosenbrock, 5);
                broken = serde_json::from_str(&serde_json::to_string(&broken).unwrap()).unwrap();
            }
            assert_eq!(broken, unbroken, "{method}");
        }
    }

    #[test]
    fn a_swarm_plays_the_same_games_again_and_cma_es_new_ones() {
        let firsts = Method::ALL.map(|method| told(trainer(method, 1), rosenbrock, 3).trial().first_game);
        assert_eq!(firsts, [0, 3]);
    }

    #[test]
    fn a_wrong_number_of_values_and_a_value_that_is_none_are_refused() {
        let mut trainer = trainer(Method::Cma, 1);
        let before = trainer.clone();
        assert_eq!(trainer.tell(&[1.0]), Err(TrainingError::Fitness { expected: 16, found: 1 }));
        let mut values = [1.0; 16];
        values[3] = f64::INFINITY;
        assert_eq!(trainer.tell(&values), Err(TrainingError::Value { index: 3, value: f64::INFINITY }));
        assert_eq!(trainer, before);
        assert!(Trainer::new(Method::Pso, 3, before.trial(), 1).is_err());
    }
}
