//! Many games at once, on one thread or several.

use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError};

use crate::environment::{Buffers, Common, Environment, IllegalAction, STATISTICS, StepResult, prototype};
use crate::expert::Expert;
use crate::frames::BeginError;
use crate::observations::is_picture;
use crate::picture::Colours;
use crate::places::Searches;
use crate::pool::Pool;
use crate::settings::{Settings, SettingsError};
use crate::state::{State, StateError};

/// Games that are stepped together. A copy has the same future.
pub struct Vector {
    common: Arc<Common>,
    environments: Vec<Environment>,
    /// One for each thread.
    searches: Vec<Mutex<Searches>>,
    pool: Pool,
}

/// Buffers of all games, one after the other; without length where nobody asks.
#[derive(Default)]
pub struct Batch<'a> {
    /// Observations of bytes.
    pub bytes: &'a mut [u8],
    /// Observations of floats.
    pub floats: &'a mut [f32],
    /// Statistics.
    pub statistics: &'a mut [i32],
    /// Legal actions.
    pub mask: &'a mut [i8],
}

/// What goes wrong.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    /// Settings that do not go together.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// No game begins.
    #[error(transparent)]
    Begin(#[from] BeginError),
    /// An action.
    #[error("environment {environment}: {error}")]
    Action {
        /// Whose.
        environment: usize,
        /// What.
        error: IllegalAction,
    },
    /// A step of a game that has ended.
    #[error("environment {0} has ended: reset it first (options={{\"reset_mask\": ...}})")]
    Ended(usize),
    /// A step before the first game.
    #[error("environment {0} has no game yet: call reset() first")]
    NotBegun(usize),
    /// A state that is none of this vector.
    #[error("state: {0}")]
    State(#[from] StateError),
    /// A number of no environment.
    #[error("environment: expected 0 to {most}, found {found}")]
    NoSuch {
        /// The last.
        most: usize,
        /// What was found.
        found: usize,
    },
    /// A buffer of another length.
    #[error("{name}: expected {expected} numbers, found {found}")]
    Length {
        /// Which.
        name: &'static str,
        /// As many as there are games, times the width.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// No threads.
    #[error("threads: {0}")]
    Threads(#[from] ThreadPoolBuildError),
}

/// One game's share of a step.
struct Job<'a> {
    environment: &'a mut Environment,
    action: i64,
    buffers: Buffers<'a>,
    reward: &'a mut f64,
    terminated: &'a mut bool,
    truncated: &'a mut bool,
    result: Result<(), VectorError>,
}

impl Vector {
    /// `count` games without a beginning, on `threads` threads; `image` is the cartridge.
    ///
    /// # Errors
    /// When the settings do not go together, or the cartridge does not serve.
    pub fn new(settings: Settings, image: &[u8], count: usize, threads: usize) -> Result<Self, VectorError> {
        settings.check()?;
        let prototype = prototype(&settings, image)?;
        let key = State::key(&settings, prototype.as_ref());
        let pool = Pool::new(threads)?;
        Ok(Self {
            searches: searches(&settings, threads),
            common: Arc::new(Common { settings, prototype, colours: Colours::ntsc(), key }),
            environments: (0..count).map(|_| Environment::new()).collect(),
            pool,
        })
    }

    /// What it was made with.
    pub fn settings(&self) -> &Settings {
        &self.common.settings
    }

    /// How many games.
    pub const fn len(&self) -> usize {
        self.environments.len()
    }

    /// Are there none?
    pub const fn is_empty(&self) -> bool {
        self.environments.is_empty()
    }

    /// Games that have ended and were not begun anew.
    pub fn ended(&self) -> impl Iterator<Item = bool> + '_ {
        self.environments.iter().map(|environment| environment.ended)
    }

    /// From here on the games of an environment follow from a seed.
    pub fn seed(&mut self, environment: usize, seed: u64) {
        if let Some(environment) = self.environments.get_mut(environment) {
            environment.seed(seed);
        }
    }

    /// Begins games anew, all or those that are named.
    ///
    /// # Errors
    /// When no game begins, or a buffer has another length.
    pub fn reset(&mut self, which: Option<&[bool]>, batch: Batch<'_>) -> Result<(), VectorError> {
        let count = self.len();
        if let Some(which) = which {
            length("reset_mask", count, which.len())?;
        }
        let Shares { common, searches, environments, pool, buffers } = self.shares(batch)?;
        let mut jobs: Vec<_> = environments
            .iter_mut()
            .zip(buffers)
            .enumerate()
            .filter(|(number, _)| which.is_none_or(|which| which[*number]))
            .map(|(_, (environment, buffers))| (environment, buffers, Ok(())))
            .collect();
        each(pool, &mut jobs, |(environment, buffers, result)| {
            let mut searches = lock(searches);
            *result = environment.reset(common, &mut searches, std::mem::take(buffers));
        });
        jobs.into_iter().try_for_each(|(.., result)| result)?;
        Ok(())
    }

    /// Does an action in each game. Those that had ended begin anew where `begin_anew` is set,
    /// without a reward, and their action is ignored.
    ///
    /// # Errors
    /// When an action is not legal and that is an error, or a game has ended, or a buffer has
    /// another length.
    pub fn step(
        &mut self,
        actions: &[i64],
        begin_anew: bool,
        batch: Batch<'_>,
        rewards: &mut [f64],
        terminated: &mut [bool],
        truncated: &mut [bool],
    ) -> Result<(), VectorError> {
        let count = self.len();
        for (name, found) in [
            ("actions", actions.len()),
            ("rewards", rewards.len()),
            ("terminated", terminated.len()),
            ("truncated", truncated.len()),
        ] {
            length(name, count, found)?;
        }
        if let Some(without) = self.environments.iter().position(|environment| !environment.has_begun()) {
            return Err(VectorError::NotBegun(without));
        }
        if !begin_anew && let Some(ended) = self.environments.iter().position(|environment| environment.ended)
        {
            return Err(VectorError::Ended(ended));
        }
        let Shares { common, searches, environments, pool, buffers } = self.shares(batch)?;
        let flags = terminated.iter_mut().zip(truncated);
        let told = actions.iter().zip(rewards).zip(flags);
        let mut jobs: Vec<Job<'_>> = environments
            .iter_mut()
            .zip(buffers)
            .zip(told)
            .map(|((environment, buffers), ((&action, reward), (terminated, truncated)))| Job {
                environment,
                action,
                buffers,
                reward,
                terminated,
                truncated,
                result: Ok(()),
            })
            .collect();
        each(pool, &mut jobs, |job| {
            let mut searches = lock(searches);
            let buffers = std::mem::take(&mut job.buffers);
            let environment = &mut *job.environment;
            let outcome = if environment.ended {
                job.result = environment.reset(common, &mut searches, buffers).map_err(VectorError::from);
                StepResult::default()
            } else {
                environment.step(common, &mut searches, job.action, buffers).unwrap_or_else(|error| {
                    job.result = Err(VectorError::Action { environment: 0, error });
                    StepResult::default()
                })
            };
            (*job.reward, *job.terminated, *job.truncated) =
                (outcome.reward, outcome.terminated, outcome.truncated);
        });
        for (number, job) in jobs.into_iter().enumerate() {
            job.result.map_err(|error| match error {
                VectorError::Action { error, .. } => VectorError::Action { environment: number, error },
                other => other,
            })?;
        }
        Ok(())
    }

    /// Lifts the field of an environment by rows of garbage with one free cell each; false where
    /// its game is no board's.
    pub fn lift(&mut self, environment: usize, count: usize, hole: usize) -> bool {
        self.environments.get_mut(environment).is_some_and(|environment| environment.lift(count, hole))
    }

    /// Is the game of an environment over?
    pub fn is_over(&mut self, environment: usize) -> bool {
        self.environments.get_mut(environment).is_none_or(Environment::is_over)
    }

    /// Tells anew how all games stand.
    ///
    /// # Errors
    /// When a buffer has another length.
    pub fn observe(&mut self, batch: Batch<'_>) -> Result<(), VectorError> {
        let Shares { common, searches, environments, buffers, .. } = self.shares(batch)?;
        for (environment, buffers) in environments.iter_mut().zip(buffers) {
            environment.observe(common, &mut lock(searches), buffers);
        }
        Ok(())
    }

    /// Writes anew how one game stands. Observations that are pictures stay as they are.
    ///
    /// # Errors
    /// When a buffer has another length, or there is no such environment.
    pub fn observe_one(&mut self, number: usize, batch: Batch<'_>) -> Result<(), VectorError> {
        self.check(number)?;
        let Shares { common, searches, environments, mut buffers, .. } = self.shares(batch)?;
        if let (Some(environment), Some(buffers)) = (environments.get_mut(number), buffers.nth(number)) {
            environment.observe(common, &mut lock(searches), buffers);
        }
        Ok(())
    }

    /// Writes the legal actions of an environment, as steps write them.
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn write_mask(&mut self, number: usize, mask: &mut [i8]) -> Result<(), VectorError> {
        self.check(number)?;
        length("mask", self.common.settings.actions(), mask.len())?;
        let Self { common, environments, .. } = self;
        environments[number].write_mask(common, mask);
        Ok(())
    }

    /// Returns the state of an environment: all of its future. `observed` is its observation, which
    /// is kept if it is a picture.
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn state(&self, number: usize, observed: &[u8]) -> Result<State, VectorError> {
        self.check(number)?;
        let observed =
            if is_picture(self.common.settings.observation) { observed.to_vec() } else { Vec::new() };
        Ok(State::new(self.environments[number].clone(), Arc::clone(&self.common.key), observed))
    }

    /// Lets an environment go on from a state, of this vector or another of the same settings.
    /// `observed` takes over an observation that is a picture; others are written by
    /// [`Self::observe_one`].
    ///
    /// # Errors
    /// When the state is none of such a vector, or there is no such environment. Nothing has
    /// changed then.
    pub fn set_state(
        &mut self,
        number: usize,
        state: &State,
        observed: &mut [u8],
    ) -> Result<(), VectorError> {
        self.check(number)?;
        let (environment, pictures) = state.of(&self.common.key)?;
        if !pictures.is_empty() {
            length("observation", observed.len(), pictures.len())?;
            observed.copy_from_slice(pictures);
        }
        self.environments[number] = environment.clone();
        Ok(())
    }

    /// Reads a state of such a vector from its bytes.
    ///
    /// # Errors
    /// Says what is wrong with them.
    pub fn read_state(&self, bytes: &[u8]) -> Result<State, VectorError> {
        let mut searches = lock(&self.searches);
        Ok(State::from_bytes(bytes, &self.common, &mut searches)?)
    }

    /// Returns the action of an expert for each game; `None` where no action is legal.
    pub fn expert(&mut self, expert: &mut Expert) -> Vec<Option<u16>> {
        let Self { common, environments, .. } = self;
        environments.iter_mut().map(|environment| environment.expert(common, expert)).collect()
    }

    fn check(&self, number: usize) -> Result<(), VectorError> {
        match self.len().checked_sub(1) {
            Some(most) if number <= most => Ok(()),
            most => Err(VectorError::NoSuch { most: most.unwrap_or(0), found: number }),
        }
    }

    /// Writes the picture of an environment, 240 by 256 by three bytes; false where it has none.
    pub fn write_picture(&mut self, environment: usize, bytes: &mut [u8]) -> bool {
        let Self { common, environments, .. } = self;
        environments.get_mut(environment).is_some_and(|game| game.write_picture(common, bytes))
    }

    /// Writes the 200 cells of an environment: 0 free, 1 taken, 2 the piece in play.
    pub fn write_cells(&mut self, environment: usize, cells: &mut [u8]) {
        if let Some(environment) = self.environments.get_mut(environment) {
            environment.write_cells(cells);
        }
    }

    /// The parts of the vector that a step takes, and each game's buffers.
    fn shares<'a, 'b>(
        &'a mut self,
        batch: Batch<'b>,
    ) -> Result<Shares<'a, impl Iterator<Item = Buffers<'b>> + use<'b>>, VectorError> {
        self.pool.renew()?;
        let count = self.len();
        let (bytes, floats) = self.common.settings.widths();
        let actions = self.common.settings.actions();
        let Batch { bytes: all_bytes, floats: all_floats, statistics, mask } = batch;
        length("observations of bytes", count * bytes, all_bytes.len())?;
        length("observations of floats", count * floats, all_floats.len())?;
        length("statistics", count * STATISTICS, statistics.len())?;
        if !mask.is_empty() {
            length("mask", count * actions, mask.len())?;
        }
        let mut bytes = Cut { rest: all_bytes, width: bytes };
        let mut floats = Cut { rest: all_floats, width: floats };
        let mut statistics = Cut { rest: statistics, width: STATISTICS };
        let width = if mask.is_empty() { 0 } else { actions };
        let mut mask = Cut { rest: mask, width };
        let buffers = (0..count).map(move |_| Buffers {
            bytes: bytes.next(),
            floats: floats.next(),
            statistics: statistics.next(),
            mask: mask.next(),
        });
        let Self { common, environments, searches, pool } = self;
        Ok(Shares { common, searches, environments, pool: pool.get(), buffers })
    }
}

impl Clone for Vector {
    fn clone(&self) -> Self {
        let Self { common, environments, searches: _, pool } = self;
        Self {
            searches: searches(&common.settings, pool.threads()),
            common: Arc::clone(common),
            environments: environments.clone(),
            pool: pool.clone(),
        }
    }
}

/// What a step takes.
struct Shares<'a, B> {
    common: &'a Common,
    searches: &'a [Mutex<Searches>],
    environments: &'a mut [Environment],
    pool: Option<&'a ThreadPool>,
    buffers: B,
}

/// A slice that is cut into pieces of one width, which may be 0.
struct Cut<'a, T> {
    rest: &'a mut [T],
    width: usize,
}

impl<'a, T> Cut<'a, T> {
    fn next(&mut self) -> &'a mut [T] {
        let (piece, rest) = std::mem::take(&mut self.rest).split_at_mut(self.width);
        self.rest = rest;
        piece
    }
}

fn length(name: &'static str, expected: usize, found: usize) -> Result<(), VectorError> {
    if expected == found { Ok(()) } else { Err(VectorError::Length { name, expected, found }) }
}

/// Searches for each thread.
fn searches(settings: &Settings, threads: usize) -> Vec<Mutex<Searches>> {
    (0..threads.max(1)).map(|_| Mutex::new(Searches::new(settings.reach))).collect()
}

/// The searches of this thread.
fn lock(searches: &[Mutex<Searches>]) -> std::sync::MutexGuard<'_, Searches> {
    let thread = rayon::current_thread_index().unwrap_or(0) % searches.len();
    // What a search that panicked has left behind, the next begins anew.
    searches[thread].lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn each<T: Send>(pool: Option<&ThreadPool>, jobs: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
    match pool {
        // Pieces large enough that handing them out costs little beside them.
        Some(pool) => {
            let least = (jobs.len() / (8 * pool.current_num_threads())).max(1);
            pool.install(|| jobs.par_iter_mut().with_min_len(least).for_each(work));
        }
        None => jobs.iter_mut().for_each(work),
    }
}
