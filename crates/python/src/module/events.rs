//! Events of a game.

use numpy::PyReadonlyArrayDyn;
use pyo3::prelude::*;
use tetris::events::Watcher;

use super::wrong;

/// Says what happened between two frames, from RAM alone.
#[pyclass(module = "maxout._maxout")]
#[derive(Default)]
pub(super) struct Events(Watcher);

#[pymethods]
impl Events {
    #[new]
    fn new() -> Self {
        Self::default()
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
