//! One environment as Gymnasium's `Env` steps it, without arrays of the caller.

use numpy::ndarray::{ArrayView2, ArrayView3};
use numpy::{PyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::state::State;
use super::vector::Vector;
use super::wrong;
use crate::environment::{STATISTIC_NAMES, STATISTICS};
use crate::settings::{Act, GRAY, Machine, Observation};
use crate::{Batch, VectorError};

/// What a step tells: observation, reward, terminated, truncated, info.
type Told<'py> = (Bound<'py, PyAny>, f64, bool, bool, Bound<'py, PyDict>);

/// The game of a vector of one.
#[pyclass(module = "maxout._maxout")]
pub(super) struct Single {
    vector: Py<Vector>,
    bytes: Vec<u8>,
    floats: Vec<f32>,
    statistics: [i32; STATISTICS],
    mask: Vec<i8>,
    /// Whether the observation has the mask as well.
    with_mask: bool,
    /// What an action of buttons holds.
    buttons: Option<Vec<i64>>,
    /// Names and numbers of the statistics that are told.
    told: Vec<(Py<PyString>, usize)>,
    names: Names,
}

/// Keys of dicts, made once.
struct Names {
    field: Py<PyString>,
    pieces: Py<PyString>,
    active: Py<PyString>,
    action_mask: Py<PyString>,
}

#[pymethods]
impl Single {
    #[new]
    #[pyo3(signature = (vector, told, with_mask, buttons = None))]
    fn new(
        py: Python<'_>,
        vector: Py<Vector>,
        told: Vec<usize>,
        with_mask: bool,
        buttons: Option<Vec<i64>>,
    ) -> PyResult<Self> {
        let (bytes, floats, actions, act) = {
            let vector = vector.borrow(py);
            let settings = vector.0.settings();
            if vector.0.len() != 1 {
                return Err(wrong("vector: expected one of one game"));
            }
            let (bytes, floats) = settings.widths();
            (bytes, floats, settings.actions(), settings.act)
        };
        let name = |name: &str| PyString::intern(py, name).unbind();
        let told = told.into_iter().map(|number| {
            let statistic = STATISTIC_NAMES.get(number);
            statistic
                .map(|text| (name(text), number))
                .ok_or_else(|| wrong("told: expected numbers of STATISTICS"))
        });
        Ok(Self {
            bytes: vec![0; bytes],
            floats: vec![0.0; floats],
            statistics: [0; STATISTICS],
            mask: vec![0; if act == Act::Place { actions } else { 0 }],
            with_mask,
            buttons,
            told: told.collect::<PyResult<_>>()?,
            names: Names {
                field: name("field"),
                pieces: name("pieces"),
                active: name("active"),
                action_mask: name("action_mask"),
            },
            vector,
        })
    }

    /// Begins a game; with a seed, the games follow from it.
    #[pyo3(signature = (seed = None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seed: Option<u64>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        {
            let Self { vector, bytes, floats, statistics, mask, .. } = self;
            let mut vector = vector.borrow_mut(py);
            if let Some(seed) = seed {
                vector.0.seed(0, seed);
            }
            let games = &mut vector.0;
            py.detach(|| games.reset(None, Batch { bytes, floats, statistics, mask })).map_err(wrong)?;
        }
        self.told(py)
    }

    /// Does an action.
    fn step<'py>(&mut self, py: Python<'py>, action: i64) -> PyResult<Told<'py>> {
        let action = match &self.buttons {
            None => action,
            Some(buttons) => {
                let held = usize::try_from(action).ok().and_then(|at| buttons.get(at));
                *held.ok_or_else(|| {
                    wrong(format!("action: expected 0 to {}, found {action}", buttons.len() - 1))
                })?
            }
        };
        let (mut reward, mut terminated, mut truncated) = ([0.0], [false], [false]);
        {
            let Self { vector, bytes, floats, statistics, mask, .. } = self;
            let mut vector = vector.borrow_mut(py);
            let games = &mut vector.0;
            let batch = Batch { bytes, floats, statistics, mask };
            let is_board = games.settings().machine == Machine::Board;
            let step = || games.step(&[action], false, batch, &mut reward, &mut terminated, &mut truncated);
            let done = if is_board { step() } else { py.detach(step) };
            done.map_err(|error| match error {
                VectorError::Ended(_) => wrong("the game has ended: call reset() first"),
                VectorError::NotBegun(_) => wrong("there is no game yet: call reset() first"),
                VectorError::Action { error, .. } => wrong(error),
                error => wrong(error),
            })?;
        }
        let (observation, info) = self.told(py)?;
        Ok((observation, reward[0], terminated[0], truncated[0], info))
    }

    /// Legal actions, (actions,) bool.
    fn action_masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        if self.mask.is_empty() {
            let actions = self.buttons.as_ref().map_or(256, Vec::len);
            return PyArray1::from_vec(py, vec![true; actions]);
        }
        PyArray1::from_vec(py, self.mask.iter().map(|&legal| legal == 1).collect())
    }

    /// The state of the game.
    fn get_state(&self, py: Python<'_>) -> PyResult<State> {
        State::of(&self.vector.borrow(py).0, 0, &self.bytes)
    }

    /// Goes on from a state; observation and info are those of its moment.
    fn set_state<'py>(
        &mut self,
        py: Python<'py>,
        state: &State,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        {
            let Self { vector, bytes, floats, statistics, mask, .. } = self;
            let games = &mut vector.borrow_mut(py).0;
            state.give(games, 0, bytes)?;
            games.observe_one(0, Batch { bytes, floats, statistics, mask }).map_err(wrong)?;
        }
        self.told(py)
    }
}

impl Single {
    /// Observation and info.
    fn told<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        let info = PyDict::new(py);
        for (name, number) in &self.told {
            info.set_item(name, self.statistics[*number])?;
        }
        let mask = (!self.mask.is_empty()).then(|| PyArray1::from_slice(py, &self.mask));
        if let Some(mask) = &mask {
            info.set_item(&self.names.action_mask, mask)?;
        }
        Ok((self.observation(py)?, info))
    }

    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shaped = |error: numpy::ndarray::ShapeError| wrong(error);
        let pictures = |shape: [usize; 3]| {
            let view = ArrayView3::from_shape(shape, &self.bytes).map_err(shaped)?;
            Ok::<_, PyErr>(view.to_pyarray(py).into_any())
        };
        let observation = self.vector.borrow(py).0.settings().observation;
        Ok(match observation {
            Observation::Field => {
                let Names { field, pieces, active, action_mask } = &self.names;
                let dict = PyDict::new(py);
                let (cells, rest) = self.bytes.split_at(200);
                let cells = ArrayView2::from_shape([20, 10], cells).map_err(shaped)?;
                dict.set_item(field, cells.to_pyarray(py))?;
                dict.set_item(pieces, PyArray1::from_slice(py, &rest[..2]))?;
                dict.set_item(active, PyArray1::from_slice(py, &rest[2..]))?;
                if self.with_mask {
                    dict.set_item(action_mask, PyArray1::from_slice(py, &self.mask))?;
                }
                dict.into_any()
            }
            Observation::Features => PyArray1::from_slice(py, &self.floats).into_any(),
            Observation::Afterstates => {
                let shape = [self.mask.len(), crate::features::AFTER];
                ArrayView2::from_shape(shape, &self.floats).map_err(shaped)?.to_pyarray(py).into_any()
            }
            Observation::Ram => PyArray1::from_slice(py, &self.bytes).into_any(),
            Observation::Picture => pictures([240, 256, 3])?,
            Observation::Gray(stack) => pictures([stack, GRAY, GRAY])?,
        })
    }
}
