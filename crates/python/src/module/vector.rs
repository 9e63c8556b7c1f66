//! Environments as Python steps them.

use numpy::{PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use practice::{Options, Position};
use pyo3::prelude::*;

use super::search::Search;
use super::state::State;
use super::{IMAGE, wrong};
use crate::settings::{Observation, Settings};
use crate::{Batch, STATISTICS};

/// Many games, stepped together. `maxout.TetrisVector` has the spaces around it.
#[pyclass(module = "maxout._maxout")]
pub(super) struct Vector(pub(super) crate::Vector);

/// The buffers of a call.
struct Arrays<'py> {
    bytes: Option<PyReadwriteArrayDyn<'py, u8>>,
    floats: Option<PyReadwriteArrayDyn<'py, f32>>,
    statistics: PyReadwriteArrayDyn<'py, i32>,
    mask: Option<PyReadwriteArrayDyn<'py, i8>>,
}

impl Arrays<'_> {
    fn batch(&mut self) -> PyResult<Batch<'_>> {
        Ok(Batch {
            bytes: slice(self.bytes.as_mut())?,
            floats: slice(self.floats.as_mut())?,
            statistics: self.statistics.as_slice_mut()?,
            mask: slice(self.mask.as_mut())?,
        })
    }
}

fn slice<'a, T: numpy::Element>(array: Option<&'a mut PyReadwriteArrayDyn<'_, T>>) -> PyResult<&'a mut [T]> {
    Ok(match array {
        Some(array) => array.as_slice_mut()?,
        None => &mut [],
    })
}

#[pymethods]
#[allow(clippy::too_many_arguments, reason = "what Python names")]
impl Vector {
    #[new]
    #[pyo3(signature = (count, *, machine = "board", act = "place", reach = "drop", observation = "field", stack = 1,
        reward = "score", level = 18, randomizer = Some("sps"), position = None, practice = None, options = "",
        frame_skip = 1, max_steps = 0, strict = true, threads = 1, rom = None))]
    fn new(
        py: Python<'_>,
        count: usize,
        machine: &str,
        act: &str,
        reach: &str,
        observation: &str,
        stack: usize,
        reward: &str,
        level: u8,
        randomizer: Option<&str>,
        position: Option<&str>,
        practice: Option<&str>,
        options: &str,
        frame_skip: u32,
        max_steps: u64,
        strict: bool,
        threads: usize,
        rom: Option<&[u8]>,
    ) -> PyResult<Self> {
        let mut chosen = Options::default();
        for option in options.split_whitespace() {
            chosen.set(option).map_err(wrong)?;
        }
        let mode = practice.map(str::parse::<practice::Mode>).transpose().map_err(wrong)?;
        let practice = match mode {
            Some(mode) => Some((mode, chosen)),
            None if options.trim().is_empty() => None,
            None => Some((practice::Kind::Tetris.usual(), chosen)),
        };
        let settings = Settings {
            machine: machine.parse().map_err(wrong)?,
            act: act.parse().map_err(wrong)?,
            reach: reach.parse().map_err(wrong)?,
            observation: Observation::named(observation, stack).map_err(wrong)?,
            reward: reward.parse().map_err(wrong)?,
            level,
            randomizer: randomizer.map(str::parse).transpose().map_err(wrong)?,
            position: position.map(str::parse::<Position>).transpose().map_err(wrong)?,
            practice,
            frame_skip,
            max_steps,
            strict,
        };
        let image = rom.unwrap_or(IMAGE);
        py.detach(|| crate::Vector::new(settings, image, count, threads)).map(Self).map_err(wrong)
    }

    /// Bytes of an observation, floats of one (one of the two is 0), actions, statistics.
    fn widths(&self) -> (usize, usize, usize, usize) {
        let (bytes, floats) = self.0.settings().widths();
        (bytes, floats, self.0.settings().actions(), STATISTICS)
    }

    /// From here on the games of environment `number` follow from `seed`.
    fn seed(&mut self, number: usize, seed: u64) {
        self.0.seed(number, seed);
    }

    /// Begins all games anew, or those whose number is true in `which`.
    #[pyo3(signature = (which, bytes, floats, statistics, mask))]
    fn reset(
        &mut self,
        py: Python<'_>,
        which: Option<PyReadonlyArrayDyn<'_, bool>>,
        bytes: Option<PyReadwriteArrayDyn<'_, u8>>,
        floats: Option<PyReadwriteArrayDyn<'_, f32>>,
        statistics: PyReadwriteArrayDyn<'_, i32>,
        mask: Option<PyReadwriteArrayDyn<'_, i8>>,
    ) -> PyResult<()> {
        let mut arrays = Arrays { bytes, floats, statistics, mask };
        let batch = arrays.batch()?;
        let which = which.as_ref().map(|which| which.as_slice()).transpose()?;
        let vector = &mut self.0;
        py.detach(|| vector.reset(which, batch)).map_err(wrong)
    }

    /// Does an action in each game. Those that had ended begin anew if `begin_anew`; else they are
    /// an error.
    #[pyo3(signature = (actions, begin_anew, bytes, floats, statistics, mask, rewards, terminated, truncated))]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArrayDyn<'_, i64>,
        begin_anew: bool,
        bytes: Option<PyReadwriteArrayDyn<'_, u8>>,
        floats: Option<PyReadwriteArrayDyn<'_, f32>>,
        statistics: PyReadwriteArrayDyn<'_, i32>,
        mask: Option<PyReadwriteArrayDyn<'_, i8>>,
        mut rewards: PyReadwriteArrayDyn<'_, f64>,
        mut terminated: PyReadwriteArrayDyn<'_, bool>,
        mut truncated: PyReadwriteArrayDyn<'_, bool>,
    ) -> PyResult<()> {
        let mut arrays = Arrays { bytes, floats, statistics, mask };
        let batch = arrays.batch()?;
        let actions = actions.as_slice()?;
        let (rewards, terminated, truncated) =
            (rewards.as_slice_mut()?, terminated.as_slice_mut()?, truncated.as_slice_mut()?);
        let vector = &mut self.0;
        py.detach(|| vector.step(actions, begin_anew, batch, rewards, terminated, truncated)).map_err(wrong)
    }

    /// Writes anew how all games stand.
    #[pyo3(signature = (bytes, floats, statistics, mask))]
    fn observe(
        &mut self,
        py: Python<'_>,
        bytes: Option<PyReadwriteArrayDyn<'_, u8>>,
        floats: Option<PyReadwriteArrayDyn<'_, f32>>,
        statistics: PyReadwriteArrayDyn<'_, i32>,
        mask: Option<PyReadwriteArrayDyn<'_, i8>>,
    ) -> PyResult<()> {
        let mut arrays = Arrays { bytes, floats, statistics, mask };
        let batch = arrays.batch()?;
        let vector = &mut self.0;
        py.detach(|| vector.observe(batch)).map_err(wrong)
    }

    /// Writes anew how one game stands.
    #[pyo3(signature = (number, bytes, floats, statistics, mask))]
    fn observe_one(
        &mut self,
        number: usize,
        bytes: Option<PyReadwriteArrayDyn<'_, u8>>,
        floats: Option<PyReadwriteArrayDyn<'_, f32>>,
        statistics: PyReadwriteArrayDyn<'_, i32>,
        mask: Option<PyReadwriteArrayDyn<'_, i8>>,
    ) -> PyResult<()> {
        let mut arrays = Arrays { bytes, floats, statistics, mask };
        self.0.observe_one(number, arrays.batch()?).map_err(wrong)
    }

    /// The state of environment `number`; `observed` is its observation, if that is of bytes.
    #[pyo3(signature = (number, observed = None))]
    fn get_state(&self, number: usize, observed: Option<PyReadonlyArrayDyn<'_, u8>>) -> PyResult<State> {
        let observed = observed.as_ref().map(|observed| observed.as_slice()).transpose()?;
        State::of(&self.0, number, observed.unwrap_or_default())
    }

    /// Lets environment `number` go on from a state; `observed` takes over an observation that is a
    /// picture.
    #[pyo3(signature = (number, state, observed = None))]
    fn set_state(
        &mut self,
        number: usize,
        state: &State,
        mut observed: Option<PyReadwriteArrayDyn<'_, u8>>,
    ) -> PyResult<()> {
        state.give(&mut self.0, number, slice(observed.as_mut())?)
    }

    /// A vector with the same future.
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// The action of an expert in each game; -1 where none is legal.
    fn expert(&mut self, py: Python<'_>, search: &mut Search) -> Vec<i64> {
        let (games, expert) = (&mut self.0, &mut search.expert);
        py.detach(|| games.expert(expert)).into_iter().map(|action| action.map_or(-1, i64::from)).collect()
    }

    /// Which games have ended and were not begun anew.
    fn ended(&self) -> Vec<bool> {
        self.0.ended().collect()
    }

    /// Lifts the field of a board by `count` rows of garbage that are free in column `hole`.
    fn lift(&mut self, number: usize, count: usize, hole: usize) -> PyResult<()> {
        if self.0.lift(number, count, hole) {
            Ok(())
        } else {
            Err(wrong("garbage: expected machine \"board\" and a game under way"))
        }
    }

    /// Is the game of environment `number` over?
    fn is_over(&mut self, number: usize) -> bool {
        self.0.is_over(number)
    }

    /// Writes the picture of environment `number` into (240, 256, 3) bytes; false where it has
    /// none.
    fn picture(&mut self, number: usize, mut out: PyReadwriteArrayDyn<'_, u8>) -> PyResult<bool> {
        let bytes = out.as_slice_mut()?;
        if bytes.len() != 240 * 256 * 3 {
            return Err(wrong(format!("out: expected 184320 bytes (240, 256, 3), found {}", bytes.len())));
        }
        Ok(self.0.write_picture(number, bytes))
    }

    /// Writes the cells of environment `number` into (20, 10) bytes: 0 free, 1 taken, 2 the piece
    /// in play.
    fn cells(&mut self, number: usize, mut out: PyReadwriteArrayDyn<'_, u8>) -> PyResult<()> {
        let cells = out.as_slice_mut()?;
        if cells.len() != 200 {
            return Err(wrong(format!("out: expected 200 bytes (20, 10), found {}", cells.len())));
        }
        self.0.write_cells(number, cells);
        Ok(())
    }
}
