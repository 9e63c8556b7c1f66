//! The trained player for points.

use std::sync::Arc;

use numpy::PyReadonlyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tetris::Piece;
use value::{Board, CAUTION, Format, Linear, Mind, Net, NetMind, Nets, Start, WeightsFile, deal};

use super::search::{pieces, rows};
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
        if each.len() > 2 || each.iter().any(|breadth| !(1..=64).contains(breadth)) {
            return Err(wrong(format!(
                "breadth: expected 0, or one or two numbers from 1 to 64, found {each:?}"
            )));
        }
        Ok(each)
    }
}

/// A player for points under human-legal taps.
#[pyclass(module = "maxout._maxout")]
pub(super) struct Player {
    player: value::Player,
    format: Format,
}

// What lies in a Python object is aligned to sixteen bytes.
const _: () = assert!(align_of::<Player>() <= 16);

#[pymethods]
impl Player {
    /// By nets (the bytes of files), and by weights (the text of a file; the built-in ones if none)
    /// at the speeds that have no net, for a format.
    #[new]
    #[pyo3(signature = (format = "bt-30hz-18f", *, weights = None, nets = Vec::new(), breadth = Breadth::One(0), narrow = 0,
        caution = CAUTION))]
    fn new(
        format: &str,
        weights: Option<&str>,
        nets: Vec<Vec<u8>>,
        breadth: Breadth,
        narrow: u16,
        caution: f32,
    ) -> PyResult<Self> {
        if !(0.0..=1.0).contains(&caution) {
            return Err(wrong(format!("caution: expected 0 to 1, found {caution}")));
        }
        let format: Format = format.parse().map_err(wrong)?;
        let breadths = breadth.each()?;
        let file = weights.map(WeightsFile::parse).transpose().map_err(wrong)?;
        let linear = Linear::by_speed(&format, file.unwrap_or_else(WeightsFile::built_in).weights);
        let mind = if nets.is_empty() {
            if breadths.is_empty() { Mind::Linear(linear) } else { Mind::Ahead(linear, breadths) }
        } else {
            let mut minds = Nets::default();
            for bytes in nets {
                let (net, provenance) = Net::from_bytes(&bytes).map_err(wrong)?;
                minds[provenance.speed as usize] = Some(Arc::new(net));
            }
            let narrow = narrow.into();
            NetMind { breadths, narrow, caution, ..NetMind::new(minds, linear) }.into()
        };
        Ok(Self { player: value::Player::new(&format, mind), format })
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
        let board = Board::from_rows(&rows(&field)?);
        let &[piece] = pieces(piece)?.as_slice() else {
            return Err(wrong("piece: expected one letter"));
        };
        let player = &mut self.player;
        let Some(choice) = py.detach(|| player.decide(&board, lines, piece)) else { return Ok(None) };
        let children = self.player.decider().children();
        let place = |next: Piece| {
            let place = children[choice.targets[next as usize]].place;
            (place.x, place.y, place.orientation.id())
        };
        Ok(Some((Piece::ALL.map(place).to_vec(), choice.value)))
    }

    /// Plays a whole game of the pieces of a seed (six hexadecimal digits as a number).
    #[pyo3(signature = (seed, lines = 0))]
    fn play<'py>(&mut self, py: Python<'py>, seed: u32, lines: u32) -> PyResult<Bound<'py, PyDict>> {
        let player = &mut self.player;
        let outcome = py.detach(|| player.play(&Start { lines, ..Start::default() }, seed, deal(seed)));
        let dict = PyDict::new(py);
        dict.set_item("seed", outcome.seed)?;
        dict.set_item("score", outcome.score)?;
        dict.set_item("lines", outcome.lines)?;
        dict.set_item("pieces", outcome.pieces)?;
        Ok(dict)
    }

    /// The format.
    #[getter]
    fn format(&self) -> String {
        self.format.to_string()
    }
}
