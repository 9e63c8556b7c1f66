//! A game on the model that comes back to where it began.

use ::ai::{Evaluator, Filter, Game, Searcher};
use tetris::{Piece, Playfield};

/// The pieces of a round, and the board after each of them; the last is clear.
pub(super) struct Circle {
    pub(super) pieces: Vec<Piece>,
    pub(super) boards: Vec<Playfield>,
}

impl Circle {
    /// The shortest round within the bounds, if a dealt sequence has one: the board is clear, and
    /// the two pieces that come then are the first two.
    pub(super) fn find(
        dealer: impl Iterator<Item = Piece>,
        evaluator: &Evaluator,
        (shortest, longest): (u32, u32),
    ) -> Option<Self> {
        let mut pieces = Vec::new();
        // What is dealt is kept: the game looks one piece ahead.
        let dealt = dealer.take(longest as usize + 2).inspect(|&piece| pieces.push(piece));
        let mut game = Game::new(Playfield::EMPTY, dealt, 2, Searcher::new(evaluator.clone(), Filter::None));
        let mut boards = Vec::new();
        let mut clears = Vec::new();
        while boards.len() < longest as usize && game.step().is_some() {
            boards.push(*game.board());
            if *game.board() == Playfield::EMPTY && boards.len() >= shortest as usize {
                clears.push(boards.len());
            }
        }
        drop(game);
        let round = clears
            .into_iter()
            .find(|&length| pieces.get(length..length + 2).is_some_and(|at_hand| at_hand == &pieces[..2]))?;
        pieces.truncate(round);
        boards.truncate(round);
        Some(Self { pieces, boards })
    }

    /// Does the player, who is dealt the round again and again, do the same again and again?
    pub(super) fn repeats(&self, evaluator: &Evaluator, rounds: u32) -> bool {
        let pieces = self.pieces.iter().copied().cycle();
        let mut game = Game::new(Playfield::EMPTY, pieces, 2, Searcher::new(evaluator.clone(), Filter::None));
        let boards = self.boards.iter().cycle().take(self.boards.len() * rounds as usize);
        boards.into_iter().all(|board| game.step().is_some() && game.board() == board)
    }
}

#[cfg(test)]
mod tests {
    use randomizers::Kind;

    use super::*;

    #[test]
    fn five_o_are_the_shortest_circle() {
        let circle = Circle::find(std::iter::repeat(Piece::O), &Evaluator::Article, (5, 100)).unwrap();
        assert_eq!((circle.pieces.len(), circle.boards[4]), (5, Playfield::EMPTY));
        assert!(circle.repeats(&Evaluator::Article, 3));
        let later = Circle::find(std::iter::repeat(Piece::O), &Evaluator::Article, (7, 100)).unwrap();
        assert_eq!(later.pieces.len(), 10);
    }

    #[test]
    fn a_dealt_circle_comes_again_and_its_pieces_are_needed_for_it() {
        let found = |seed| Circle::find(Kind::Uniform.seeded(seed), &Evaluator::Article, (20, 100));
        let mut circle = (0..20_000).find_map(found).expect("one of many seeds");
        assert!(circle.pieces.len().is_multiple_of(5) && circle.repeats(&Evaluator::Article, 4));
        let other = if circle.pieces[7] == Piece::I { Piece::O } else { Piece::I };
        circle.pieces[7] = other;
        assert!(!circle.repeats(&Evaluator::Article, 1));
    }
}
