//! The module `maxout._maxout`. Buffers are Python's; Rust fills them with the interpreter's lock
//! released.

#![allow(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]

mod console;
mod events;
mod game;
mod movie;
mod pictures;
mod player;
mod randomizer;
mod search;
mod single;
mod state;
mod training;
mod vector;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::environment::STATISTIC_NAMES;
use crate::features::{AFTER_NAMES, names};

/// The built-in cartridge.
const IMAGE: &[u8] = include_bytes!("../../../../roms/maxout.nes");

/// An error of ours as a `ValueError`.
fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymodule]
#[pyo3(name = "_maxout")]
fn maxout(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<console::Console>()?;
    module.add_class::<events::Events>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<movie::Movie>()?;
    module.add_class::<player::PyPlayer>()?;
    module.add_class::<randomizer::Randomizer>()?;
    module.add_class::<search::Search>()?;
    module.add_class::<single::Single>()?;
    module.add_class::<state::State>()?;
    module.add_class::<training::Actor>()?;
    module.add_class::<training::Learner>()?;
    module.add_class::<vector::Vector>()?;
    module.add_function(wrap_pyfunction!(pictures::png, module)?)?;
    module.add_function(wrap_pyfunction!(pictures::gif, module)?)?;
    module.add("STATISTICS", STATISTIC_NAMES.to_vec())?;
    module.add("AFTERSTATE_FEATURES", AFTER_NAMES.to_vec())?;
    module.add("FEATURES", names())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
