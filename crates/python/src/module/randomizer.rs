//! Randomizers.

use numpy::PyArray1;
use pyo3::prelude::*;
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
