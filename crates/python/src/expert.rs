//! What a player by an evaluator does in an environment: actions for imitation.

use ai::{Evaluator, Filter, Searcher, Tally};
use tetris::{Cleared, Orientation, Piece, Placement, Playfield};

use crate::field::Field;
use crate::game::Shown;
use crate::places::{Action, Legal};
use crate::settings::Reach;

/// A player that rates the boards to which the places of the piece and of the next one lead.
#[derive(Clone)]
pub struct Expert {
    evaluator: Evaluator,
    searcher: Searcher,
}

impl Expert {
    /// By an evaluator; the filter keeps the search of places anywhere from some of them.
    pub fn new(evaluator: Evaluator, filter: Filter) -> Self {
        Self { searcher: Searcher::new(evaluator.clone(), filter), evaluator }
    }

    /// Returns the searcher of places anywhere.
    pub const fn searcher(&mut self) -> &mut Searcher {
        &mut self.searcher
    }

    /// Returns the action of a legal place. Where places are anywhere on a board, it is the
    /// article's search; else the place whose best answer to the next piece rates least, the first
    /// of equals.
    pub(crate) fn action(
        &mut self,
        reach: Reach,
        is_board: bool,
        shown: &Shown,
        places: &Legal,
    ) -> Option<u16> {
        let piece = shown.piece?;
        if is_board && reach == Reach::Free {
            let board = Playfield::from_rows(shown.field.rows());
            let known: Vec<Piece> = [shown.piece, shown.next].into_iter().flatten().collect();
            if let Some(decision) = self.searcher.decide(&board, &known) {
                return Some(Action::of(decision.place).number);
            }
        }
        let mut best: Option<(f64, u16)> = None;
        places.each(&shown.field, piece, |Action { number, placement }| {
            let (mut board, mut field) = (Playfield::from_rows(shown.field.rows()), shown.field);
            let tally = Tally::default().with(placement, board.lock_in_window(placement));
            field.lock(placement);
            let rating = shown.next.map_or_else(
                || self.evaluator.rate(&board, &tally),
                |next| self.answer(reach, &board, &field, next, &tally),
            );
            if best.is_none_or(|(least, _)| rating < least) {
                best = Some((rating, number));
            }
        });
        best.map(|(_, action)| action)
    }

    /// Returns the least rating of a board after the next piece.
    fn answer(&self, reach: Reach, board: &Playfield, field: &Field, next: Piece, tally: &Tally) -> f64 {
        let rate = |least: f64, placement: Placement| {
            let mut after = *board;
            let cleared: Cleared = after.lock_in_window(placement);
            least.min(self.evaluator.rate(&after, &tally.with(placement, cleared)))
        };
        if reach == Reach::Drop {
            let drops = field.drops(next);
            let places = (0..40)
                .filter(|action| drops >> action & 1 == 1)
                .map(|action| field.fall(Orientation::nth(next, action / 10), (action % 10) as u8));
            places.fold(f64::INFINITY, rate)
        } else {
            ai::locks(board, next, &Filter::None).into_iter().fold(f64::INFINITY, rate)
        }
    }
}
