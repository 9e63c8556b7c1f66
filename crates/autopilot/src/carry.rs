//! Pieces carried by writes to RAM: gravity has no say.

use ai::{Evaluator, Filter, Placement, Searcher, Walk};
use tetris::{View, ram};

use crate::sight;
use crate::turn::Turn;

/// A fall timer that the coming frame brings to 0: a piece does not fall.
const HELD_OFF: u8 = 0xFF;

/// Carries pieces to where the search without gravity wants them.
#[derive(Clone, Debug)]
pub(crate) struct Carry {
    searcher: Searcher,
    filter: Filter,
    /// Does it show every step?
    walks: bool,
    /// What is left of the way, the place included, last first; `None` before the piece in play was looked at.
    way: Option<Vec<Placement>>,
}

impl Carry {
    pub(crate) fn new(evaluator: Evaluator, filter: Filter, walks: bool) -> Self {
        Self { searcher: Searcher::new(evaluator, filter.clone()), filter, walks, way: None }
    }

    pub(crate) fn forget(&mut self) {
        self.way = None;
    }

    /// The writes for a frame of a piece in play. Out: has it decided?
    pub(crate) fn turn(&mut self, view: View, frames_per_row: u8, turn: &mut Turn) -> bool {
        let decides = self.way.is_none();
        if decides {
            self.way = Some(self.plan(view).unwrap_or_default());
            // The first piece does not hang.
            turn.poke(ram::DOWN_REPEAT, 0);
        }
        let Some(place) = self.way.as_mut().and_then(Vec::pop) else { return decides };
        let arrived = self.way.as_ref().is_none_or(Vec::is_empty);
        turn.poke(ram::PIECE_X, place.x);
        turn.poke(ram::PIECE_Y, place.y);
        turn.poke(ram::ORIENTATION, place.orientation.id());
        turn.poke(ram::FALL_TIMER, if arrived { frames_per_row } else { HELD_OFF });
        decides
    }

    /// The way of the piece in play, last step first. Where the next one would have no room, the best without it.
    fn plan(&mut self, view: View) -> Option<Vec<Placement>> {
        let (board, piece) = (sight::board(view), view.piece()?);
        let pieces = [piece, view.next().unwrap_or(piece)];
        let decision =
            self.searcher.decide(&board, &pieces).or_else(|| self.searcher.decide(&board, &pieces[..1]))?;
        if !self.walks {
            return Some(vec![decision.place]);
        }
        let mut way = Walk::new(&board, piece, &self.filter).path(decision.place)?;
        way.reverse();
        Some(way)
    }
}
