//! Pictures as files.

use numpy::{PyReadonlyArray3, PyReadonlyArray4};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::wrong;

/// An array (height, width, 3) of bytes as a PNG file.
#[pyfunction]
pub(super) fn png<'py>(py: Python<'py>, pixels: PyReadonlyArray3<'_, u8>) -> PyResult<Bound<'py, PyBytes>> {
    let (height, width, depth) = pixels.as_array().dim();
    if depth != 3 {
        return Err(wrong(format!("pixels: expected (height, width, 3), found a last length of {depth}")));
    }
    let bytes = pixels.as_slice()?;
    let file = recording::png(width as u32, height as u32, bytes).map_err(wrong)?;
    Ok(PyBytes::new(py, &file))
}

/// An array (pictures, height, width, 3) of bytes as a GIF file, each picture shown for `delay`
/// hundredths of a second.
#[pyfunction]
#[pyo3(signature = (pixels, delay = 3))]
pub(super) fn gif<'py>(
    py: Python<'py>,
    pixels: PyReadonlyArray4<'_, u8>,
    delay: u16,
) -> PyResult<Bound<'py, PyBytes>> {
    let (_, height, width, depth) = pixels.as_array().dim();
    let (Ok(width), Ok(height), 3) = (u16::try_from(width), u16::try_from(height), depth) else {
        return Err(wrong("pixels: expected (pictures, height, width, 3), each side below 65536"));
    };
    let bytes = pixels.as_slice()?;
    let one = 3 * usize::from(width) * usize::from(height);
    let file = py.detach(|| -> std::io::Result<Vec<u8>> {
        let mut file = recording::Gif::new(Vec::new(), width, height)?;
        let mut time = 0;
        for picture in bytes.chunks_exact(one.max(1)) {
            file.show(time, picture.as_chunks::<3>().0.to_vec())?;
            time += u64::from(delay);
        }
        file.finish(time)
    });
    Ok(PyBytes::new(py, &file.map_err(wrong)?))
}
