//! The RAM-write driver: pieces are moved by writes, and gravity has no say.

use ai::{Evaluator, Filter, Searcher, Walk};
use tetris::{Placement, View, ram};

use crate::Action;
use crate::perception;

/// A fall timer that the coming frame brings to 0: a piece does not fall.
const HELD_OFF: u8 = 0xFF;

/// Moves pieces to where the search without gravity wants them.
#[derive(Clone, Debug)]
pub(crate) struct RamDriver {
    searcher: Searcher,
    filter: Filter,
    /// Does it show every step?
    walks: bool,
    /// What is left of the way, the place included, last first; `None` before the piece in play was
    /// looked at.
    way: Option<Vec<Placement>>,
}

impl RamDriver {
    pub(crate) fn new(evaluator: Evaluator, filter: Filter, walks: bool) -> Self {
        Self { searcher: Searcher::new(evaluator, filter.clone()), filter, walks, way: None }
    }

    pub(crate) fn forget(&mut self) {
        self.way = None;
    }

    /// The writes for a frame of a piece in play. Out: has it decided?
    pub(crate) fn drive(&mut self, view: View, frames_per_row: u8, action: &mut Action) -> bool {
        let decides = self.way.is_none();
        if decides {
            self.way = Some(self.plan(view).unwrap_or_default());
            // The first piece does not hang.
            action.poke(ram::DOWN_REPEAT, 0);
        }
        let Some(place) = self.way.as_mut().and_then(Vec::pop) else { return decides };
        let arrived = self.way.as_ref().is_none_or(Vec::is_empty);
        action.poke(ram::PIECE_X, place.x);
        action.poke(ram::PIECE_Y, place.y);
        action.poke(ram::ORIENTATION, place.orientation.id());
        action.poke(ram::FALL_TIMER, if arrived { frames_per_row } else { HELD_OFF });
        decides
    }

    /// The way of the piece in play, last step first. Where the next one would have no room, the
    /// best without it.
    fn plan(&mut self, view: View) -> Option<Vec<Placement>> {
        let (board, piece) = (perception::board(view), view.piece()?);
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
