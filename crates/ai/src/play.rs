//! Whole games in memory: no gravity, no level, no score; pieces go where the search says.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use tetris::{HEIGHT, Piece, Playfield, WIDTH};

use crate::{Decision, Searcher};

/// A game of one player, who knows the current piece and those after it.
///
/// ```
/// use ai::{Evaluator, Filter, Game, Searcher};
/// use tetris::Playfield;
/// use randomizers::Kind;
///
/// let searcher = Searcher::new(Evaluator::Article, Filter::None);
/// let mut game = Game::new(Playfield::EMPTY, Kind::Uniform.seeded(7), 2, searcher);
/// while game.statistics().pieces < 100 && game.step().is_some() {}
/// assert_eq!(game.statistics().pieces, 100);
/// assert_eq!(4 * 100 - 10 * game.statistics().lines, u64::from(game.board().cells()));
/// ```
#[derive(Clone, Debug)]
pub struct Game<P> {
    board: Playfield,
    pieces: P,
    known: VecDeque<Piece>,
    searcher: Searcher,
    statistics: PlayStatistics,
    /// Pieces since the board was last without a cell; `None` where it never was.
    since_empty: Option<u64>,
}

impl<P: Iterator<Item = Piece>> Game<P> {
    /// A game on a board. The player knows `known` pieces, at least one; two as in NES Tetris.
    pub fn new(board: Playfield, pieces: P, known: usize, searcher: Searcher) -> Self {
        let mut game = Self {
            board,
            pieces,
            known: VecDeque::with_capacity(known.max(1)),
            searcher,
            statistics: PlayStatistics::default(),
            since_empty: (board == Playfield::EMPTY).then_some(0),
        };
        game.known.extend(game.pieces.by_ref().take(known.max(1)));
        game
    }

    /// Reachable the current piece. `None` when the game is over: a known piece has no room
    /// wherever the pieces before it go, or there is no piece left.
    pub fn step(&mut self) -> Option<Decision> {
        let decision = self.searcher.decide(&self.board, self.known.make_contiguous())?;
        let piece = self.known.pop_front()?;
        let cleared = self.board.lock_in_window(decision.place);
        self.known.extend(self.pieces.next());
        let statistics = &mut self.statistics;
        statistics.pieces += 1;
        statistics.piece_counts[piece as usize] += 1;
        let (x, y) = (usize::from(decision.place.x), usize::from(decision.place.y));
        statistics.row_locks[y] += 1;
        statistics.cell_locks[piece as usize][y][x] += 1;
        statistics.lines += u64::from(cleared.lines);
        if let Some(kind) = (cleared.lines as usize).checked_sub(1) {
            statistics.clears[kind] += 1;
        }
        if let Some(since) = &mut self.since_empty {
            *since += 1;
        }
        if cleared.lines > 0 && self.board == Playfield::EMPTY {
            statistics.full_clears += 1;
            if let Some(since) = self.since_empty {
                statistics.spans += 1;
                statistics.span_pieces += since;
                *statistics.span_counts.entry(since).or_default() += 1;
            }
            self.since_empty = Some(0);
        }
        Some(decision)
    }

    /// The pieces that the player knows, the current one first.
    pub fn known(&self) -> impl Iterator<Item = Piece> + '_ {
        self.known.iter().copied()
    }

    /// The board after the last piece.
    pub fn board(&self) -> &Playfield {
        &self.board
    }

    /// What was counted so far.
    pub fn statistics(&self) -> &PlayStatistics {
        &self.statistics
    }
}

/// Counts of one game or several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayStatistics {
    /// Pieces placed.
    pub pieces: u64,
    /// Rows removed.
    pub lines: u64,
    /// Locks that removed one, two, three and four rows.
    pub clears: [u64; 4],
    /// Times that a lock left the board without a cell.
    pub full_clears: u64,
    /// Those of them after which the spawns since the board was last empty are known.
    pub spans: u64,
    /// Pieces in all of those spans.
    pub span_pieces: u64,
    /// How many of those spans have so many pieces, a multiple of five.
    pub span_counts: BTreeMap<u64, u64>,
    /// Locks by the row of the pivot, from the top.
    pub row_locks: [u64; HEIGHT],
    /// Pieces placed by kind, `T J Z O S L I`.
    pub piece_counts: [u64; 7],
    /// Locks by kind, and by row and column of the pivot.
    pub cell_locks: [[[u64; WIDTH]; HEIGHT]; 7],
}

impl PlayStatistics {
    /// Adds another count.
    pub fn add(&mut self, other: &Self) {
        let Self { pieces, lines, clears, full_clears, spans, span_pieces, .. } = other;
        let Self { span_counts, row_locks, piece_counts, cell_locks, .. } = other;
        self.pieces += pieces;
        self.lines += lines;
        self.full_clears += full_clears;
        self.spans += spans;
        self.span_pieces += span_pieces;
        let pairs = self.clears.iter_mut().zip(clears);
        let pairs = pairs.chain(self.row_locks.iter_mut().zip(row_locks));
        let pairs = pairs.chain(self.piece_counts.iter_mut().zip(piece_counts));
        let cells = self.cell_locks.as_flattened_mut().as_flattened_mut().iter_mut();
        for (own, more) in pairs.chain(cells.zip(cell_locks.as_flattened().as_flattened())) {
            *own += more;
        }
        for (&pieces, spans) in span_counts {
            *self.span_counts.entry(pieces).or_default() += spans;
        }
    }

    /// Rows removed four at a time, as a share of all rows; `None` before the first row.
    pub fn tetris_rate(&self) -> Option<f64> {
        (self.lines > 0).then(|| 4.0 * self.clears[3] as f64 / self.lines as f64)
    }

    /// Mean spawns between two boards without a cell; `None` before the first.
    pub fn mean_span(&self) -> Option<f64> {
        (self.spans > 0).then(|| self.span_pieces as f64 / self.spans as f64)
    }
}

#[cfg(test)]
mod tests {
    use randomizers::Kind;

    use super::*;
    use crate::{Evaluator, Filter};

    fn game(evaluator: Evaluator, filter: Filter) -> Game<randomizers::Dealer> {
        Game::new(Playfield::EMPTY, Kind::Uniform.seeded(1), 2, Searcher::new(evaluator, filter))
    }

    #[test]
    fn every_evaluator_survives_a_thousand_pieces() {
        for evaluator in Evaluator::NAMED {
            let mut game = game(evaluator.clone(), Filter::None);
            while game.statistics().pieces < 1000 {
                assert!(game.step().is_some(), "{evaluator}: {:?}", game.statistics());
            }
            let statistics = game.statistics();
            assert_eq!(statistics.row_locks.iter().sum::<u64>(), 1000);
            assert_eq!(statistics.piece_counts.iter().sum::<u64>(), 1000);
            let by_kind: u64 = statistics.clears.iter().zip(1..).map(|(clears, lines)| clears * lines).sum();
            assert_eq!(by_kind, statistics.lines);
        }
    }

    #[test]
    fn the_well_filter_makes_tetrises() {
        let (mut plain, mut well) =
            (game(Evaluator::Article, Filter::None), game(Evaluator::Article, Filter::Well));
        for _ in 0..3000 {
            assert!(plain.step().is_some() && well.step().is_some());
        }
        let rates = (plain.statistics().tetris_rate().unwrap(), well.statistics().tetris_rate().unwrap());
        assert!(rates.0 < 0.01 && (0.10..0.20).contains(&rates.1), "{rates:?}");
    }

    #[test]
    fn the_hunter_removes_most_rows_by_tetrises() {
        let mut game = game(Evaluator::Stacking, Filter::None);
        for _ in 0..3000 {
            assert!(game.step().is_some(), "{:?}", game.statistics());
        }
        assert!(game.statistics().tetris_rate().unwrap() > 0.55, "{:?}", game.statistics());
    }

    #[test]
    fn s_and_z_in_turn_end_every_game() {
        let pieces = [Piece::S, Piece::Z].into_iter().cycle();
        let searcher = Searcher::new(Evaluator::Article, Filter::None);
        let mut game = Game::new(Playfield::EMPTY, pieces, 2, searcher);
        while game.step().is_some() {
            assert!(game.statistics().pieces < 70_000);
        }
        assert!(game.statistics().pieces > 5);
    }

    #[test]
    fn five_o_in_a_row_clear_the_board() {
        let searcher = Searcher::new(Evaluator::Article, Filter::None);
        let mut game = Game::new(Playfield::EMPTY, std::iter::repeat(Piece::O), 2, searcher);
        for _ in 0..10 {
            game.step();
        }
        let mut statistics = game.statistics().clone();
        assert_eq!(
            (statistics.full_clears, statistics.mean_span(), statistics.clears),
            (2, Some(5.0), [0, 2, 0, 0])
        );
        statistics.add(&statistics.clone());
        assert_eq!(statistics.span_counts, BTreeMap::from([(5, 4)]));
        // The pivot of an O is its upper right cell.
        assert_eq!(statistics.cell_locks[Piece::O as usize][18], [0, 4, 0, 4, 0, 4, 0, 4, 0, 4]);
    }
}
