//! Movies.

use nes::Buttons;
use nes::fm2::{self, FrameInput};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::wrong;

/// Buttons from power-on, frame by frame.
#[pyclass(module = "maxout._maxout")]
pub(super) struct Movie(pub(super) fm2::Movie);

#[pymethods]
impl Movie {
    /// A movie of an array of buttons, (frames, 2).
    #[new]
    fn new(buttons: PyReadonlyArray2<'_, u8>) -> PyResult<Self> {
        let shape = buttons.shape_of();
        if shape[1] != 2 {
            return Err(wrong(format!("buttons: expected an array (frames, 2), found (.., {})", shape[1])));
        }
        let pads = buttons.as_slice()?.as_chunks::<2>().0;
        let frames = pads.iter().map(|&[first, second]| FrameInput {
            pads: [Buttons::from_bits_retain(first), Buttons::from_bits_retain(second)],
            ..FrameInput::default()
        });
        Ok(Self(fm2::Movie { ram: fm2::RamInit::Zeros, frames: frames.collect(), ..fm2::Movie::default() }))
    }

    /// Reads an FM2 file, text or binary.
    #[staticmethod]
    fn parse(data: &[u8]) -> PyResult<Self> {
        fm2::Movie::parse(data).map(Self).map_err(wrong)
    }

    /// The file's text as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.to_string().as_bytes())
    }

    /// Buttons held in each frame, (frames, 2).
    #[getter]
    fn buttons<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let held: Vec<u8> = self.0.frames.iter().flat_map(|input| input.pads.map(|pad| pad.bits())).collect();
        PyArray1::from_vec(py, held).reshape([self.0.frames.len(), 2])
    }

    /// Commands of each frame: 1 reset, 2 power.
    #[getter]
    fn commands<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_vec(py, self.0.frames.iter().map(|input| input.commands.bits()).collect())
    }

    /// What the file says of its cartridge.
    #[getter]
    fn rom_checksum(&self) -> &str {
        &self.0.rom_checksum
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("parse")?, (self.to_bytes(py),)))
    }

    fn __len__(&self) -> usize {
        self.0.frames.len()
    }

    fn __repr__(&self) -> String {
        format!("maxout.Movie({} frames)", self.0.frames.len())
    }
}

/// Rows and columns.
trait Shape {
    fn shape_of(&self) -> [usize; 2];
}

impl Shape for PyReadonlyArray2<'_, u8> {
    fn shape_of(&self) -> [usize; 2] {
        let dimensions = self.as_array();
        [dimensions.nrows(), dimensions.ncols()]
    }
}
