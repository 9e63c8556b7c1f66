//! The trained player for points.

use numpy::PyReadonlyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use tetris::{Piece, Playfield};
use value::{
    CAUTION, Choice, Format, Linear, Mind, NetMind, NetSource, Speed, Start, WeightsFile, breadths_by_speed,
    deal,
};

use super::search::{pieces, rows};
use super::training::nets as nets_of;
use super::wrong;

/// Column, row and orientation by next piece, and the value in points.
type Decision = (Vec<(u8, u8, u8)>, f32);

/// Boards that are looked at a piece further: of a piece, or of each piece.
#[derive(FromPyObject)]
enum Breadth {
    One(usize),
    Each(Vec<usize>),
}

impl Breadth {
    /// A breadth for each piece; none where it is 0.
    fn each(self) -> PyResult<Vec<usize>> {
        let each = match self {
            Self::One(0) => Vec::new(),
            Self::One(breadth) => vec![breadth],
            Self::Each(each) => each,
        };
        if !is_breadths(&each) {
            return Err(wrong(format!(
                "breadth: expected 0, or one to three numbers from 1 to 64, found {each:?}"
            )));
        }
        Ok(each)
    }
}

fn is_breadths(breadths: &[usize]) -> bool {
    breadths.len() <= 3 && breadths.iter().all(|breadth| (1..=64).contains(breadth))
}

/// A level, and the breadths from it on.
type Deeper = (u32, Vec<usize>);

/// The speed that begins at the level, and its breadths.
fn deeper_of(deeper: Option<Deeper>) -> PyResult<Option<(Speed, Vec<usize>)>> {
    let Some((level, breadths)) = deeper else { return Ok(None) };
    match Speed::of_first_level(level) {
        Some(from) if from > Speed::L18 && is_breadths(&breadths) && !breadths.is_empty() => {
            Ok(Some((from, breadths)))
        }
        _ => Err(wrong(format!(
            "deeper: expected level 19, 29 or 39 and one to three numbers from 1 to 64, as in (29, (6, 1, 1)), \
             found ({level}, {breadths:?})"
        ))),
    }
}

/// What a pickled player is made of.
type Reduced<'py> =
    (String, Option<String>, Option<Vec<Bound<'py, PyBytes>>>, Vec<usize>, Option<Deeper>, u16, f32);

/// A player for points under human-legal taps.
#[pyclass(module = "maxout._maxout", name = "Player")]
pub(super) struct PyPlayer {
    inner: value::Player,
    format: Format,
    made: Made,
    /// Lines, piece and choice of the last decision.
    decided: Option<(u32, Piece, Choice)>,
}

/// What it was made of.
#[derive(Clone)]
struct Made {
    weights: Option<String>,
    /// Bytes of files; none for the built-in nets.
    nets: Option<Vec<Vec<u8>>>,
    breadths: Vec<usize>,
    deeper: Option<Deeper>,
    narrow: u16,
    caution: f32,
}

// What lies in a Python object is aligned to sixteen bytes.
const _: () = assert!(align_of::<PyPlayer>() <= 16);

#[pymethods]
impl PyPlayer {
    /// By nets (the bytes of files; the built-in ones if none), or by weights (the text of a file),
    /// which also rate at the speeds that have no net, for a format.
    #[new]
    #[pyo3(signature = (format = "bt-30hz-18f", *, weights = None, nets = None, breadth = Breadth::One(0),
        deeper = None, narrow = 0, caution = CAUTION))]
    fn new(
        format: &str,
        weights: Option<&str>,
        nets: Option<Vec<Vec<u8>>>,
        breadth: Breadth,
        deeper: Option<Deeper>,
        narrow: u16,
        caution: f32,
    ) -> PyResult<Self> {
        if !(0.0..=1.0).contains(&caution) {
            return Err(wrong(format!("caution: expected 0 to 1, found {caution}")));
        }
        let format: Format = format.parse().map_err(wrong)?;
        let breadths = breadth.each()?;
        let made = Made {
            weights: weights.map(str::to_owned),
            nets: nets.clone(),
            breadths: breadths.clone(),
            deeper: deeper.clone(),
            narrow,
            caution,
        };
        let deeper = deeper_of(deeper)?;
        // Weights that are given are meant, and so is an empty list of nets.
        let by_weights = nets.as_ref().map_or(weights.is_some(), Vec::is_empty);
        if by_weights && deeper.is_some() {
            return Err(wrong("deeper: expected a player by nets, found one by weights"));
        }
        let file = weights.map(WeightsFile::parse).transpose().map_err(wrong)?;
        let linear = Linear::by_speed(&format, file.unwrap_or_else(WeightsFile::built_in).weights);
        let mind = if by_weights {
            Mind::weights(linear, breadths)
        } else {
            let minds = match nets {
                None => NetSource::default().get().clone(),
                Some(files) => nets_of(&files)?,
            };
            let narrow = narrow.into();
            let deeper = deeper.as_ref().map(|(from, breadths)| (*from, &breadths[..]));
            let breadths = breadths_by_speed(&breadths, deeper);
            NetMind { breadths, narrow, caution, ..NetMind::new(minds, linear) }.into()
        };
        Ok(Self { inner: value::Player::new(&format, mind), format, made, decided: None })
    }

    /// Column, row and orientation by next piece, and the value in points; None where the piece has
    /// no place.
    fn decide(
        &mut self,
        py: Python<'_>,
        field: PyReadonlyArrayDyn<'_, u8>,
        lines: u32,
        piece: &str,
    ) -> PyResult<Option<Decision>> {
        let board = Playfield::from_rows(&rows(&field)?);
        let &[piece] = pieces(piece)?.as_slice() else {
            return Err(wrong("piece: expected one letter"));
        };
        let player = &mut self.inner;
        self.decided = None;
        let Some(choice) = py.detach(|| player.decide(&board, lines, piece)) else { return Ok(None) };
        self.decided = Some((lines, piece, choice));
        let children = self.inner.decider().children();
        let place = |next: Piece| {
            let place = children[choice.targets[next as usize]].place;
            (place.x, place.y, place.orientation.id())
        };
        Ok(Some((Piece::ALL.map(place).to_vec(), choice.value)))
    }

    /// Mean points to come and the odds of levels 19, 29 and 39 after the last decision; None where
    /// weights have decided, or there was none.
    fn outlook(&mut self) -> Option<(f32, Option<[f32; 3]>)> {
        let (lines, piece, choice) = self.decided.as_ref()?;
        let outlook = self.inner.outlook(*lines, *piece, choice)?;
        Some((outlook.points, outlook.odds))
    }

    /// Plays a whole game of the pieces of a seed (six hexadecimal digits as a number).
    #[pyo3(signature = (seed, lines = 0))]
    fn play<'py>(&mut self, py: Python<'py>, seed: u32, lines: u32) -> PyResult<Bound<'py, PyDict>> {
        self.decided = None;
        let player = &mut self.inner;
        let outcome = py.detach(|| player.play(&Start { lines, ..Start::default() }, seed, deal(seed)));
        let dict = PyDict::new(py);
        dict.set_item("seed", outcome.seed)?;
        dict.set_item("score", outcome.score)?;
        dict.set_item("lines", outcome.lines)?;
        dict.set_item("pieces", outcome.pieces)?;
        Ok(dict)
    }

    fn clone(&self) -> PyResult<Self> {
        let Made { weights, nets, breadths, deeper, narrow, caution } = self.made.clone();
        let breadth = Breadth::Each(breadths);
        Self::new(&self.format.to_string(), weights.as_deref(), nets, breadth, deeper, narrow, caution)
    }

    fn __copy__(&self) -> PyResult<Self> {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.clone()
    }

    /// The player of what another was made of.
    #[staticmethod]
    #[pyo3(name = "_remade")]
    fn remade(
        format: &str,
        weights: Option<&str>,
        nets: Option<Vec<Vec<u8>>>,
        breadths: Vec<usize>,
        deeper: Option<Deeper>,
        narrow: u16,
        caution: f32,
    ) -> PyResult<Self> {
        Self::new(format, weights, nets, Breadth::Each(breadths), deeper, narrow, caution)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Reduced<'py>)> {
        let Made { weights, nets, breadths, deeper, narrow, caution } = self.made.clone();
        let nets = nets.map(|nets| nets.iter().map(|net| PyBytes::new(py, net)).collect());
        let parts = (self.format.to_string(), weights, nets, breadths, deeper, narrow, caution);
        Ok((py.get_type::<Self>().getattr("_remade")?, parts))
    }

    /// The format.
    #[getter]
    fn format(&self) -> String {
        self.format.to_string()
    }
}
