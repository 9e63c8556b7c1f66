//! Finds weights for the player of `ai`: a particle swarm and CMA-ES, with games on the model as
//! the measure. [`Tuning`] does so for the linear player of `value`.
//!
//! A [`Trainer`] is asked for candidates and told how good each one was; a [`Trial`] says how good,
//! by games whose pieces follow from its seed. Both are plain values (serde): a trainer that is
//! saved, loaded and told the same goes on as if it had never stopped, to the last bit. The crate
//! ends there: which thread or machine plays a game, and when a file is written, is the caller's
//! business.
//!
//! ```
//! use training::{Method, Objective, Trainer, Trial};
//!
//! let trial = Trial { games: 1, pieces: 30, ..Trial::new(Objective::Survival) };
//! let mut trainer = Trainer::new(Method::Cma, 4, trial, 7)?;
//! let fitness: Vec<f64> = trainer.candidates().iter().map(|candidate| trainer.trial().mean(candidate)).collect();
//! trainer.tell(&fitness)?;
//! assert_eq!((trainer.generation(), trainer.history().len()), (1, 1));
//! # Ok::<(), training::TrainingError>(())
//! ```

mod array;
mod cma;
mod garbage;
mod pressure;
mod random;
mod swarm;
mod symmetric;
mod trainer;
mod trial;
mod tuning;

pub use trainer::{Generation, Method, Trainer, TrainingError};
pub use trial::{Objective, Trial, UnknownObjective};
pub use tuning::{SCALES, STACKING, Tuning, TuningPlan, TuningRound};

/// Weights of a candidate.
pub const SIZE: usize = 6;

/// A candidate: weights of the article's six factors in the order of [`ai::Weights`]. Only their
/// ratios matter.
pub type Vector = [f64; SIZE];
