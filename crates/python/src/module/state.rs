//! States of environments.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::wrong;

/// An environment at a moment: `get_state` makes it, `set_state` goes on from it.
#[pyclass(module = "maxout._maxout", frozen)]
pub(super) struct State(Kept);

enum Kept {
    /// As the environment is.
    Live(Box<crate::State>),
    /// As bytes, which the environment reads that takes it over.
    Bytes(Vec<u8>),
}

impl State {
    pub(super) fn of(games: &crate::Vector, number: usize, observed: &[u8]) -> PyResult<Self> {
        Ok(Self(Kept::Live(Box::new(games.state(number, observed).map_err(wrong)?))))
    }

    /// Lets an environment go on from the state.
    pub(super) fn give(&self, games: &mut crate::Vector, number: usize, observed: &mut [u8]) -> PyResult<()> {
        match &self.0 {
            Kept::Live(state) => games.set_state(number, state, observed),
            Kept::Bytes(bytes) => {
                games.read_state(bytes).and_then(|state| games.set_state(number, &state, observed))
            }
        }
        .map_err(wrong)
    }
}

#[pymethods]
impl State {
    /// The state of bytes. What is wrong with them is said by the environment that takes it over.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> Self {
        Self(Kept::Bytes(bytes.to_vec()))
    }

    /// The state as bytes, the same on any machine.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        match &self.0 {
            Kept::Live(state) => PyBytes::new(py, &state.to_bytes()),
            Kept::Bytes(bytes) => PyBytes::new(py, bytes),
        }
    }

    fn __copy__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __deepcopy__<'py>(this: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        this
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("from_bytes")?, (self.to_bytes(py),)))
    }
}
