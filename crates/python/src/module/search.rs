//! The search of the article's player.

use ai::{Evaluator, Filter, Formula};
use numpy::PyReadonlyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyType;
use tetris::{Piece, Placement, Playfield};

use super::wrong;
use crate::{Action, Expert};

/// Decides where a piece goes.
#[pyclass(module = "maxout._maxout")]
pub(super) struct Search {
    pub(super) expert: Expert,
    filter: Filter,
    /// What it was made of.
    made: (String, String),
}

/// The field of an array of 20 rows, or of 200 cells.
pub(super) fn rows(field: &PyReadonlyArrayDyn<'_, u8>) -> PyResult<[u16; 20]> {
    let cells = field.as_slice()?;
    if cells.len() != 200 {
        return Err(wrong(format!("field: expected 200 cells (20, 10), found {}", cells.len())));
    }
    let row =
        |y: usize| cells[10 * y..][..10].iter().rev().fold(0, |row, &cell| row << 1 | u16::from(cell != 0));
    Ok(std::array::from_fn(row))
}

/// Pieces of their letters.
pub(super) fn pieces(letters: &str) -> PyResult<Vec<Piece>> {
    let piece = |letter| {
        Piece::from_letter(letter)
            .ok_or_else(|| wrong(format!("pieces: expected letters of TJZOSLI, found {letter:?}")))
    };
    letters.chars().map(piece).collect()
}

#[pymethods]
impl Search {
    /// By the name of an evaluator or the text of a formula (TOML), and the name of a filter.
    #[new]
    #[pyo3(signature = (evaluator = "article", filter = "none"))]
    fn new(evaluator: &str, filter: &str) -> PyResult<Self> {
        let made = (evaluator.to_owned(), filter.to_owned());
        let evaluator = if evaluator.contains('\n') || evaluator.contains('=') {
            Formula::parse(evaluator).map(Evaluator::from).map_err(wrong)?
        } else {
            evaluator.parse().map_err(wrong)?
        };
        let filter: Filter = filter.parse().map_err(wrong)?;
        Ok(Self { expert: Expert::new(evaluator, filter.clone()), filter, made })
    }

    /// Column, row and orientation of the best place for the first of the pieces, and its rating
    /// (lower is better); None where one of them has no room.
    fn decide(
        &mut self,
        py: Python<'_>,
        field: PyReadonlyArrayDyn<'_, u8>,
        pieces: &str,
    ) -> PyResult<Option<(u8, u8, u8, f64)>> {
        let board = Playfield::from_rows(&rows(&field)?);
        let known = self::pieces(pieces)?;
        if !(1..=3).contains(&known.len()) {
            return Err(wrong(format!("pieces: expected one to three letters, found {pieces:?}")));
        }
        let searcher = self.expert.searcher();
        let decision = py.detach(|| searcher.decide(&board, &known));
        Ok(decision.map(|decision| {
            let place = decision.place;
            (place.x, place.y, place.orientation.id(), decision.fitness)
        }))
    }

    /// The best place as an action of `reach="free"`, 200 * turn + 10 * row + column; None where
    /// one of the pieces has no room.
    fn action(
        &mut self,
        py: Python<'_>,
        field: PyReadonlyArrayDyn<'_, u8>,
        pieces: &str,
    ) -> PyResult<Option<u16>> {
        let decision = self.decide(py, field, pieces)?;
        let placement = decision.and_then(|(x, y, id, _)| Placement::try_from([x, y, id]).ok());
        Ok(placement.map(|placement| Action::of(placement).number))
    }

    fn clone(&self) -> Self {
        let Self { expert, filter, made } = self;
        Self { expert: expert.clone(), filter: filter.clone(), made: made.clone() }
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, String)) {
        (py.get_type::<Self>(), self.made.clone())
    }

    /// Columns, rows and orientations of all places of a piece.
    fn places(&self, field: PyReadonlyArrayDyn<'_, u8>, piece: &str) -> PyResult<Vec<(u8, u8, u8)>> {
        let board = Playfield::from_rows(&rows(&field)?);
        let &[piece] = pieces(piece)?.as_slice() else {
            return Err(wrong("piece: expected one letter"));
        };
        let places = ai::locks(&board, piece, &self.filter);
        Ok(places.into_iter().map(|place| (place.x, place.y, place.orientation.id())).collect())
    }
}
