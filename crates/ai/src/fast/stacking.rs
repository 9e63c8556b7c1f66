//! The stacking policy: it builds for tetrises while the board is low, and burns rows while it is
//! high.
//!
//! While the board is safe it is rated by [`Evaluator::Stacking`], which packs nine columns and
//! keeps the tenth free. Above a height it is rated by Dellacherie's player, which removes rows as
//! they come. Either way the best few boards that the known pieces make are looked at once more:
//! what would the best place of each of the seven pieces make of them? The mean decides. That
//! lookahead keeps the pile clean; without it one row in twelve less is removed by a tetris.

use tetris::{HEIGHT, Piece, Placement, Playfield};

use crate::evaluate::Tally;
use crate::fast::reachable::Reachable;
use crate::fast::vectors::Vectors;
use crate::{Decision, Evaluator, Filter};

/// Boards looked at once more.
const FINALISTS: usize = 10;
/// The height above which rows are removed in any way. Above 11 games end before 100,000 pieces;
/// below 10 fewer rows go by tetrises.
const HIGH: u32 = 10;
/// The rating of a board without room for a piece.
const NO_ROOM: f64 = 5000.0;

/// The policy's scratch space.
#[derive(Clone, Debug)]
pub(crate) struct StackingPolicy {
    leaves: Vec<Leaf>,
    /// Reachable of the pieces, by depth.
    places: Vec<Vec<Placement>>,
}

#[derive(Clone, Copy, Debug)]
struct Leaf {
    rating: f64,
    first: Placement,
    board: Playfield,
    tally: Tally,
}

/// What does not change within one decision.
struct Scene<'a> {
    vectors: Vectors,
    filter: &'a Filter,
    evaluator: Evaluator,
}

impl StackingPolicy {
    pub(crate) const fn new() -> Self {
        Self { leaves: Vec::new(), places: Vec::new() }
    }

    /// The move whose boards promise most; `None` where a known piece has no room to spawn.
    pub(crate) fn decide(
        &mut self,
        sets: &mut Reachable,
        vectors: Vectors,
        filter: &Filter,
        board: &Playfield,
        pieces: &[Piece],
    ) -> Option<Decision> {
        let height = HEIGHT as u32 - (board.occupied() | 1 << HEIGHT).trailing_zeros();
        let evaluator = if height > HIGH { Evaluator::Dellacherie } else { Evaluator::Stacking };
        let scene = Scene { vectors, filter, evaluator };
        self.leaves.clear();
        self.places.resize(pieces.len() + 1, Vec::new());
        self.descend(sets, &scene, board, pieces, Tally::default(), None);
        let finalists = FINALISTS.min(self.leaves.len());
        if finalists == 0 {
            return None;
        }
        // Stable, so that of equals the first found stays first.
        self.leaves.sort_by(|one, other| one.rating.total_cmp(&other.rating));
        let mut best: Option<Decision> = None;
        for finalist in 0..finalists {
            let leaf = self.leaves[finalist];
            let fitness = self.promise(sets, &scene, &leaf);
            if best.is_none_or(|best| fitness < best.fitness) {
                best = Some(Decision { place: leaf.first, fitness });
            }
        }
        best
    }

    fn descend(
        &mut self,
        sets: &mut Reachable,
        scene: &Scene<'_>,
        board: &Playfield,
        pieces: &[Piece],
        tally: Tally,
        first: Option<Placement>,
    ) {
        let Some((&piece, rest)) = pieces.split_first() else {
            let rating = scene.evaluator.rate(board, &tally);
            self.leaves.extend(first.map(|first| Leaf { rating, first, board: *board, tally }));
            return;
        };
        let mut places = std::mem::take(&mut self.places[rest.len()]);
        sets.find(scene.vectors, board, piece, scene.filter, &mut places);
        for &place in &places {
            let mut locked = *board;
            let cleared = locked.lock_in_window(place);
            self.descend(sets, scene, &locked, rest, tally.with(place, cleared), first.or(Some(place)));
        }
        self.places[rest.len()] = places;
    }

    /// The best rating that one more piece reaches, as a mean of the seven.
    fn promise(&mut self, sets: &mut Reachable, scene: &Scene<'_>, leaf: &Leaf) -> f64 {
        let places = &mut self.places[0];
        let mut sum = 0.0;
        for piece in Piece::ALL {
            sets.find(scene.vectors, &leaf.board, piece, scene.filter, places);
            let mut least = NO_ROOM;
            for &place in places.iter() {
                let mut locked = leaf.board;
                let cleared = locked.lock_in_window(place);
                least = least.min(scene.evaluator.rate(&locked, &leaf.tally.with(place, cleared)));
            }
            sum += least;
        }
        sum / Piece::ALL.len() as f64
    }
}
