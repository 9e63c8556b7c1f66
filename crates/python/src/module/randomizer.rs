//! Randomizers.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use randomizers::{Dealer, Kind, Randomizer as _};
use tetris::Piece;

use super::wrong;

/// Which piece comes next, without end.
#[pyclass(module = "maxout._maxout")]
#[derive(Clone)]
pub(super) struct Randomizer(Dealer);

#[pymethods]
impl Randomizer {
    /// By name and seed: a whole number, or a text in the form of that randomizer.
    #[new]
    #[pyo3(signature = (kind = "nes", seed = Seed::Number(0)))]
    fn new(kind: &str, seed: Seed) -> PyResult<Self> {
        let kind: Kind = kind.parse().map_err(wrong)?;
        Ok(Self(match seed {
            Seed::Number(seed) => kind.seeded(seed),
            Seed::Text(seed) => kind.dealer(&seed).map_err(wrong)?,
        }))
    }

    /// Names of all randomizers, and what each does.
    #[staticmethod]
    fn kinds() -> Vec<(&'static str, &'static str)> {
        Kind::ALL.map(|kind| (kind.name(), kind.summary())).to_vec()
    }

    /// The next piece as a letter.
    fn deal(&mut self) -> char {
        self.0.deal().letter()
    }

    /// The next pieces as the game's numbers, 0 to 6 for TJZOSLI.
    fn take<'py>(&mut self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyArray1<u8>>> {
        if count > 1 << 30 {
            return Err(wrong("count: expected at most 1073741824"));
        }
        let dealer = &mut self.0;
        let pieces = py.detach(|| dealer.take(count).map(Piece::number).collect());
        Ok(PyArray1::from_vec(py, pieces))
    }

    /// The randomizer's name.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind().name()
    }

    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    /// The state as bytes.
    fn get_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &serde_json::to_vec(&self.0).map_err(wrong)?))
    }

    /// Goes on from a state.
    fn set_state(&mut self, state: &[u8]) -> PyResult<()> {
        self.0 = serde_json::from_slice(state).map_err(wrong)?;
        Ok(())
    }

    /// The randomizer of a state.
    #[staticmethod]
    #[pyo3(name = "_remade")]
    fn remade(state: &[u8]) -> PyResult<Self> {
        serde_json::from_slice(state).map(Self).map_err(wrong)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("_remade")?, (self.get_state(py)?,)))
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> char {
        self.deal()
    }

    fn __repr__(&self) -> String {
        format!("maxout.Randomizer({:?})", self.kind())
    }
}

/// A seed in either form.
#[derive(FromPyObject)]
enum Seed {
    Number(u64),
    Text(String),
}
