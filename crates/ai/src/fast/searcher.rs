//! The fast search: the same move as the plain one's, without its order.

use tetris::{Piece, Placement, Playfield};

use crate::evaluate::{Evaluator, Tally};
use crate::fast::leaf_batch::LeafBatch;
use crate::fast::reachable::Reachable;
use crate::fast::stacking::StackingPolicy;
use crate::fast::vectors::{Kernel, Vectors};
use crate::{Filter, locks};

/// Boards side by side.
const LANES: usize = 16;

/// The move to make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Where the first piece goes.
    pub place: Placement,
    /// The rating of the best board that the known pieces reach. Lower is better.
    pub fitness: f64,
}

/// Finds the best move for any number of known pieces, by the machine's widest vectors.
///
/// It finds what [`crate::search`] finds, to the bit; but for [`Evaluator::Stacking`], which looks
/// further ahead and leaves its own rating where the board is high. The order of the plain search
/// decides only between first placements that are equally good; only then it is walked.
///
/// ```
/// use ai::{Evaluator, Filter, Searcher};
/// use tetris::{Piece, Playfield};
///
/// let mut searcher = Searcher::new(Evaluator::Article, Filter::None);
/// let decision = searcher.decide(&Playfield::EMPTY, &[Piece::S, Piece::I]).unwrap();
/// assert_eq!((decision.place.x, decision.place.y), (1, 18));
/// assert_eq!(decision.fitness, 244.48149304542784);
/// ```
#[derive(Clone, Debug)]
pub struct Searcher {
    evaluator: Evaluator,
    filter: Filter,
    vectors: Vectors,
    places: Box<Reachable>,
    /// The first piece's places.
    roots: Vec<Placement>,
    batch: Box<Batch>,
    stacking: StackingPolicy,
}

#[derive(Clone, Debug)]
struct Batch {
    leaves: LeafBatch<LANES>,
    /// The first placement that each lane descends from.
    roots: [usize; LANES],
    used: usize,
    /// The least rating by first placement.
    least: Vec<f64>,
}

impl Searcher {
    /// A searcher that uses the widest vectors that this machine has.
    pub fn new(evaluator: Evaluator, filter: Filter) -> Self {
        Self::with(evaluator, filter, Vectors::Widest)
    }

    /// A searcher that uses only what every machine of the target has; its decisions are the same.
    pub fn portable(evaluator: Evaluator, filter: Filter) -> Self {
        Self::with(evaluator, filter, Vectors::Portable)
    }

    fn with(evaluator: Evaluator, filter: Filter, vectors: Vectors) -> Self {
        let batch = Batch { leaves: LeafBatch::new(), roots: [0; LANES], used: 0, least: Vec::new() };
        let places = Box::new(Reachable::new());
        Self {
            evaluator,
            filter,
            vectors,
            places,
            roots: Vec::new(),
            batch: Box::new(batch),
            stacking: StackingPolicy::new(),
        }
    }

    /// The best move of the first of the pieces; `None` where nothing can be evaluated, because one
    /// of them has no room to spawn, or where there is no piece.
    pub fn decide(&mut self, board: &Playfield, pieces: &[Piece]) -> Option<Decision> {
        let (&first, rest) = pieces.split_first()?;
        if self.evaluator == Evaluator::Stacking {
            return self.stacking.decide(&mut self.places, self.vectors, &self.filter, board, pieces);
        }
        let mut places = std::mem::take(&mut self.roots);
        self.places.find(self.vectors, board, first, &self.filter, &mut places);
        self.batch.least.clear();
        self.batch.least.resize(places.len(), f64::INFINITY);
        for (root, &place) in places.iter().enumerate() {
            let mut locked = *board;
            let cleared = locked.lock_in_window(place);
            self.descend(root, &locked, Tally::default().with(place, cleared), rest);
        }
        if let Some(&last) = rest.last() {
            self.flush(last);
        }
        let fitness = self.batch.least.iter().copied().fold(f64::INFINITY, f64::min);
        if fitness == f64::INFINITY {
            self.roots = places;
            return None;
        }
        let least = &self.batch.least;
        let mut ties =
            places.iter().zip(least).filter(|&(_, &least)| least <= fitness).map(|(&place, _)| place);
        let place = match (ties.next(), ties.next()) {
            (Some(place), None) => place,
            (one, other) => self.places.first(self.vectors, one.into_iter().chain(other).chain(ties))?,
        };
        self.roots = places;
        Some(Decision { place, fitness })
    }

    fn descend(&mut self, root: usize, board: &Playfield, tally: Tally, pieces: &[Piece]) {
        match pieces {
            [] => self.batch.least[root] = self.evaluator.rate(board, &tally),
            [last] => {
                let batch = &mut *self.batch;
                batch.leaves.set(batch.used, board, tally);
                batch.roots[batch.used] = root;
                batch.used += 1;
                if batch.used == LANES {
                    self.flush(*last);
                }
            }
            [piece, rest @ ..] => {
                for place in locks(board, *piece, &self.filter) {
                    let mut locked = *board;
                    let cleared = locked.lock_in_window(place);
                    self.descend(root, &locked, tally.with(place, cleared), rest);
                }
            }
        }
    }

    fn flush(&mut self, piece: Piece) {
        if self.batch.used > 0 {
            let (evaluator, filter) = (&self.evaluator, &self.filter);
            self.vectors.run(Flush { batch: &mut self.batch, piece, evaluator, filter });
        }
    }
}

/// The work that is compiled once for each width of vectors.
struct Flush<'a> {
    batch: &'a mut Batch,
    piece: Piece,
    evaluator: &'a Evaluator,
    filter: &'a Filter,
}

impl Kernel for Flush<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const COUNTS: bool>(self) {
        let Batch { leaves, roots, used, least } = self.batch;
        let ratings = leaves.least::<COUNTS>(*used, self.piece, self.evaluator, self.filter);
        for (&root, &rating) in roots.iter().zip(ratings).take(*used) {
            if rating < least[root] {
                least[root] = rating;
            }
        }
        *used = 0;
    }
}
