//! The plain search with all that can be said about it.

use serde::{Deserialize, Serialize};
use tetris::{Piece, Placement, Playfield};

use crate::evaluate::{Evaluator, Factors, Tally};
use crate::{Filter, Walk};

/// What a search of known pieces finds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// Reachable where the first piece can lock.
    pub n_locks: usize,
    /// Those places in the order in which the search meets them.
    pub locks: Vec<Placement>,
    /// Boards evaluated.
    pub n_evals: u64,
    /// The best move; `None` where nothing was evaluated, because a piece has no room to spawn.
    pub result: Option<Choice>,
}

/// The best move, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Column of the first piece's pivot.
    pub x: u8,
    /// Row of the first piece's pivot.
    pub y: u8,
    /// The game's number of the first piece's orientation.
    pub orient: u8,
    /// The rating of the best board. Lower is better.
    pub fitness: f64,
    /// Rows removed by all the pieces.
    pub lines: u32,
    /// The sum of the pieces' lock heights.
    pub lock_height: u32,
    /// The article's factors of the best board.
    #[serde(flatten)]
    pub factors: Factors,
    /// Where the second piece locks; `None` where one piece was searched.
    pub second: Option<Placement>,
    /// Evaluated boards with this fitness.
    pub tie_leaves: u64,
    /// Reachable of the first piece from which this fitness is reached, in the order of the locks;
    /// the first is chosen.
    pub tie_first: Vec<Placement>,
    /// Moves from spawn to the first piece's lock.
    pub path_len: usize,
}

/// Searches every placement of the pieces one state after the other, in the article's order, and
/// keeps the first of the best. Without a piece there is nothing to find.
///
/// ```
/// use ai::{Evaluator, Filter, search};
/// use tetris::{Piece, Playfield};
///
/// let found = search(&Playfield::EMPTY, &[Piece::S, Piece::I], &Evaluator::Article, &Filter::None);
/// assert_eq!((found.n_locks, found.n_evals), (17, 298));
/// let best = found.result.unwrap();
/// assert_eq!((best.x, best.y, best.orient), (1, 18, 11));
/// assert_eq!(best.fitness, 244.48149304542784);
/// ```
pub fn search(board: &Playfield, pieces: &[Piece], evaluator: &Evaluator, filter: &Filter) -> SearchResult {
    let mut search =
        Search { evaluator, filter, n_evals: 0, least: f64::INFINITY, best: None, ties: 0, ways: Vec::new() };
    let Some(&first) = pieces.first() else {
        return SearchResult { n_locks: 0, locks: Vec::new(), n_evals: 0, result: None };
    };
    let walk = Walk::new(board, first, filter);
    search.descend(board, pieces, Tally::default(), &mut Vec::with_capacity(pieces.len()));
    let result = search.best.and_then(|best| {
        let [x, y, orient] = best.way[0].into();
        Some(Choice {
            x,
            y,
            orient,
            fitness: search.least,
            lines: best.tally.lines,
            lock_height: best.tally.lock_height,
            factors: Factors::of(&best.board),
            second: best.way.get(1).copied(),
            tie_leaves: search.ties,
            path_len: walk.distance(best.way[0])?,
            tie_first: search.ways,
        })
    });
    SearchResult {
        n_locks: walk.locks().len(),
        locks: walk.locks().to_vec(),
        n_evals: search.n_evals,
        result,
    }
}

struct Search<'a> {
    evaluator: &'a Evaluator,
    filter: &'a Filter,
    n_evals: u64,
    least: f64,
    best: Option<Leaf>,
    ties: u64,
    /// First placements that reach the least fitness.
    ways: Vec<Placement>,
}

struct Leaf {
    board: Playfield,
    tally: Tally,
    way: Vec<Placement>,
}

impl Search<'_> {
    fn descend(&mut self, board: &Playfield, pieces: &[Piece], tally: Tally, way: &mut Vec<Placement>) {
        let Some((&piece, rest)) = pieces.split_first() else {
            self.leaf(board, tally, way);
            return;
        };
        for &place in Walk::new(board, piece, self.filter).locks() {
            let mut locked = *board;
            let cleared = locked.lock_in_window(place);
            way.push(place);
            self.descend(&locked, rest, tally.with(place, cleared), way);
            way.pop();
        }
    }

    fn leaf(&mut self, board: &Playfield, tally: Tally, way: &[Placement]) {
        self.n_evals += 1;
        let fitness = self.evaluator.rate(board, &tally);
        if fitness < self.least {
            self.least = fitness;
            self.ties = 0;
            self.ways.clear();
            self.best = Some(Leaf { board: *board, tally, way: way.to_vec() });
        }
        if fitness <= self.least {
            self.ties += 1;
            if self.ways.last() != way.first() {
                self.ways.push(way[0]);
            }
        }
    }
}
