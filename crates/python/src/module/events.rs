//! Events of a game.

use numpy::PyReadonlyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tetris::events::Watcher;

use super::wrong;

/// Says what happened between two frames, from RAM alone.
#[pyclass(module = "maxout._maxout")]
#[derive(Clone, Default)]
pub(super) struct Events(Watcher);

#[pymethods]
impl Events {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// The state as bytes.
    fn get_state<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// The watcher of a state.
    #[staticmethod]
    #[pyo3(name = "_remade")]
    fn remade(state: &[u8]) -> PyResult<Self> {
        let watcher = Watcher::from_bytes(state);
        watcher
            .map(Self)
            .ok_or_else(|| wrong(format!("state: expected 8 or 2056 bytes, found {}", state.len())))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("_remade")?, (self.get_state(py),)))
    }

    /// What happened in a frame, `ram` being its 2,048 bytes at its end: a line of JSON for each
    /// event.
    fn observe_json(&mut self, frame: u64, ram: PyReadonlyArrayDyn<'_, u8>) -> PyResult<Vec<String>> {
        let bytes = ram.as_slice()?;
        let ram: &[u8; 0x800] = bytes
            .try_into()
            .map_err(|_| wrong(format!("ram: expected 2048 bytes, found {}", bytes.len())))?;
        self.0.observe(frame, ram).iter().map(|record| serde_json::to_string(record).map_err(wrong)).collect()
    }
}
