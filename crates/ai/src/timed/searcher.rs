//! Decisions for two pieces against gravity.

use tetris::{Orientation, Piece, Placement};

use super::collision_mask::CollisionMask;
use super::reachability::{self, History};
use super::start::{Start, Step};
use super::walk::TimedWalk;
use crate::evaluate::Tally;
use crate::filter::Gate;
use crate::{Decision, Evaluator, Filter};

/// Decides where a piece goes, of the places that buttons reach, and with which buttons.
///
/// No button keeps a piece from falling past a place that the filter rejects: of the filter only
/// this is left that nothing locks there, if there is a place elsewhere.
///
/// ```
/// use ai::{Evaluator, Filter, Start, TimedSearcher};
/// use tetris::{Piece, Playfield, rules::frames_per_row};
///
/// let mut searcher = TimedSearcher::new(Evaluator::Article, Filter::None);
/// let start = Start::spawn(Playfield::EMPTY, Piece::S, frames_per_row(29));
/// let decision = searcher.decide(&start, Piece::I).unwrap();
/// assert_eq!(searcher.way().last().unwrap().place, decision.place);
/// ```
#[derive(Clone, Debug)]
pub struct TimedSearcher {
    evaluator: Evaluator,
    filter: Filter,
    walk: TimedWalk,
    history: History,
    mask: CollisionMask,
    piece: Piece,
    places: Vec<Placement>,
    way: Vec<Step>,
}

impl TimedSearcher {
    /// A searcher that rates boards so, and leaves out what the filter rejects.
    pub fn new(evaluator: Evaluator, filter: Filter) -> Self {
        Self {
            evaluator,
            filter,
            walk: TimedWalk::new(),
            history: History::new(),
            mask: CollisionMask::EMPTY,
            piece: Piece::T,
            places: Vec::with_capacity(4 * 200),
            way: Vec::with_capacity(1024),
        }
    }

    /// The best place for the piece in the air, `next` being the one after it; [`Self::way`] then
    /// leads there. Where no place leaves room for the next one, the best board without it; `None`
    /// where the piece does not fit where it is.
    pub fn decide(&mut self, start: &Start, next: Piece) -> Option<Decision> {
        self.find(start);
        let gate = self.filter.gate(&start.board, self.piece);
        let gate = open_if_all_rejected(gate, self.places.iter().copied());
        let mut best: Option<(bool, Decision)> = None;
        for &place in self.places.iter().filter(|&&place| gate.allows(place)) {
            let mut board = start.board;
            let cleared = board.lock_in_window(place);
            let tally = Tally::default().with(place, cleared);
            let spawned = Start { above: start.above, ..Start::spawn(board, next, start.frames_per_row) };
            let (ends, fitness) = match self.least(&spawned, next, tally) {
                Some(fitness) => (false, fitness),
                None => (true, self.evaluator.rate(&board, &tally)),
            };
            if best.is_none_or(|(other, best)| (ends, fitness) < (other, best.fitness)) {
                best = Some((ends, Decision { place, fitness }));
            }
        }
        let (_, decision) = best?;
        self.lead(decision.place).then_some(decision)
    }

    /// Finds the places of the piece in the air: first the soonest. None where it does not fit
    /// where it is.
    pub fn find(&mut self, start: &Start) -> &[Placement] {
        self.places.clear();
        self.way.clear();
        if let Some(piece) = start.place.orientation.piece() {
            self.piece = piece;
            self.mask = CollisionMask::new(&start.board, start.above, piece);
            self.walk.search(&self.mask, piece, start);
            // The walk's places in its order, then those that only the sets know.
            let mut missing = reachability::locks(&self.mask, piece, start, Some(&mut self.history));
            for place in self.walk.locks() {
                let turn = usize::from(place.orientation.id() - Orientation::nth(piece, 0).id());
                missing[usize::from(place.y)][turn] &= !(1 << place.x);
                self.places.push(place);
            }
            self.places.extend(places(piece, &missing));
        }
        &self.places
    }

    /// Prepares [`Self::way`] to one of the places last found. Is it one?
    pub fn lead(&mut self, place: Placement) -> bool {
        self.walk.write_way(place, &mut self.way)
            || self.history.write_way(&self.mask, self.piece, place, &mut self.way)
    }

    /// The buttons of each frame up to the lock.
    pub fn way(&self) -> &[Step] {
        &self.way
    }

    /// The least rating that a piece from its spawn reaches; `None` where it has no room.
    fn least(&self, start: &Start, piece: Piece, tally: Tally) -> Option<f64> {
        let mask = CollisionMask::new(&start.board, start.above, piece);
        let locks = reachability::locks(&mask, piece, start, None);
        let gate = self.filter.gate(&start.board, piece);
        let gate = open_if_all_rejected(gate, places(piece, &locks));
        let mut least = None;
        for place in places(piece, &locks).filter(|&place| gate.allows(place)) {
            let mut board = start.board;
            let cleared = board.lock_in_window(place);
            let fitness = self.evaluator.rate(&board, &tally.with(place, cleared));
            if least.is_none_or(|least| fitness < least) {
                least = Some(fitness);
            }
        }
        least
    }
}

/// A filter gives way where it leaves nothing.
fn open_if_all_rejected(gate: Gate, mut places: impl Iterator<Item = Placement>) -> Gate {
    if gate == Gate::Open || places.any(|place| gate.allows(place)) { gate } else { Gate::Open }
}

/// The members of a set of places.
fn places(piece: Piece, locks: &reachability::Locks) -> impl Iterator<Item = Placement> {
    locks.iter().enumerate().flat_map(move |(y, row)| {
        row.iter().enumerate().flat_map(move |(turn, &columns)| {
            (0..10).filter(move |x| columns >> x & 1 == 1).map(move |x| Placement {
                x,
                y: y as u8,
                orientation: Orientation::nth(piece, turn),
            })
        })
    })
}
