//! The model of the rules.

use nes::Region;
use numpy::{PyArray1, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tetris::{Piece, Rom, View, rules};

use super::wrong;

/// NES Tetris without the machine, frame by frame from power-on.
#[pyclass(module = "maxout._maxout")]
pub(super) struct Game(rules::Game<'static>, Region);

/// What a pickled game is made of: state and region.
type Reduced<'py> = (Bound<'py, PyBytes>, &'static str);

/// The ROM whose rules a region plays by.
fn rom_of(region: Region) -> &'static Rom {
    match region {
        Region::Pal => &Rom::MAXOUT_PAL,
        Region::Ntsc => &Rom::MAXOUT,
    }
}

impl Game {
    fn look<T>(&self, look: impl FnOnce(View<'_>) -> T) -> T {
        look(View::new(self.0.memory().ram()))
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (*, region = None))]
    fn new(region: Option<&str>) -> PyResult<Self> {
        let region = region.map(super::console::region_of).transpose()?.unwrap_or(Region::Ntsc);
        Ok(Self(rules::Game::power_on(rom_of(region)), region))
    }

    /// Runs `frames` frames with these buttons held.
    #[pyo3(signature = (buttons = 0, frames = 1))]
    fn step(&mut self, py: Python<'_>, buttons: u8, frames: u32) {
        let game = &mut self.0;
        py.detach(|| (0..frames).for_each(|_| game.step(buttons)));
    }

    /// Runs a frame for each number of an array of buttons.
    fn run(&mut self, py: Python<'_>, buttons: PyReadonlyArrayDyn<'_, u8>) -> PyResult<()> {
        let buttons = buttons.as_slice()?;
        let game = &mut self.0;
        py.detach(|| buttons.iter().for_each(|&held| game.step(held)));
        Ok(())
    }

    /// The 2 KiB of RAM as the model has it; what it does not know is 0.
    fn ram<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, self.0.memory().ram())
    }

    /// Takes over what an array of 2,048 bytes holds of a game under way.
    fn set_ram(&mut self, ram: PyReadonlyArrayDyn<'_, u8>) -> PyResult<()> {
        let bytes = ram.as_slice()?;
        let ram = bytes
            .try_into()
            .map_err(|_| wrong(format!("ram: expected 2048 bytes, found {}", bytes.len())))?;
        self.0.set_memory(ram);
        Ok(())
    }

    /// Deals another next piece.
    fn set_next(&mut self, piece: char) -> PyResult<()> {
        let piece = Piece::from_letter(piece);
        self.0.set_next(piece.ok_or_else(|| wrong("piece: expected a letter of TJZOSLI"))?);
        Ok(())
    }

    /// Does the play run?
    #[getter]
    fn in_play(&self) -> bool {
        self.0.in_play()
    }

    /// Has the curtain begun to fall?
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Points.
    #[getter]
    fn score(&self) -> u32 {
        self.look(|view| view.score())
    }

    /// Lines.
    #[getter]
    fn lines(&self) -> u32 {
        self.look(|view| view.lines())
    }

    /// The level.
    #[getter]
    fn level(&self) -> u8 {
        self.look(|view| view.level())
    }

    /// The piece in play as a letter; None while none is shown.
    #[getter]
    fn piece(&self) -> Option<char> {
        self.look(|view| view.piece().map(Piece::letter))
    }

    /// The next piece as a letter.
    #[getter]
    fn next(&self) -> Option<char> {
        self.look(|view| view.next().map(Piece::letter))
    }

    /// The twenty rows of the field from the top, bit 0 the leftmost cell.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        self.look(|view| PyArray1::from_slice(py, &view.rows()))
    }

    /// A game with the same future.
    fn clone(&self) -> Self {
        Self(self.0, self.1)
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// The state as bytes.
    fn get_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &serde_json::to_vec(&self.0).map_err(wrong)?))
    }

    /// Goes on from a state.
    fn set_state(&mut self, state: &[u8]) -> PyResult<()> {
        let game: rules::Game<'static> = serde_json::from_slice(state).map_err(wrong)?;
        self.0 = game.with_rom(rom_of(self.1));
        Ok(())
    }

    /// The region: "ntsc" or "pal".
    #[getter]
    fn region(&self) -> &'static str {
        super::console::name_of(self.1)
    }

    /// The game of a state and a region.
    #[staticmethod]
    #[pyo3(name = "_remade")]
    fn remade(state: &[u8], region: &str) -> PyResult<Self> {
        let mut game = Self::new(Some(region))?;
        game.set_state(state)?;
        Ok(game)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Reduced<'py>)> {
        Ok((py.get_type::<Self>().getattr("_remade")?, (self.get_state(py)?, self.region())))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __repr__(&self) -> String {
        self.look(|view| {
            format!(
                "maxout.Game(level {}, lines {}, score {}, in_play {})",
                view.level(),
                view.lines(),
                view.score(),
                self.0.in_play()
            )
        })
    }
}
