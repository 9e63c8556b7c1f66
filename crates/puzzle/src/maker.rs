//! Which positions are worth asking about.

use review::{Hands, NoNets, Reviewer, is_tuck, tetris_points};
use tetris::Piece;
use tetris::rules::frames_per_row;
use value::{Board, Child, Linear, Mind, Nets, Pace, Player, WeightsFile};

use crate::bank::Puzzle;
use crate::check::Checker;
use crate::theme::{Theme, themes};

/// How much better than the second the best placement has to be, in tetrises of its level, by every
/// evaluation.
pub const MARGIN: f32 = 0.6;
/// Taps a second of slow hands, of slow hands at level 29 and up, where slower ones reach nothing,
/// and of fast ones.
const HERTZ: [u8; 3] = [12, 15, 30];
/// What a position has to be worth, in tetrises: a game that is lost asks nothing.
const HOPE: f32 = 8.0;
/// Games by which a puzzle about hands is confirmed.
const CONFIRMING: u32 = 60;
/// Positions after a puzzle that are passed over.
const APART: usize = 4;
/// A rating that no puzzle is below or above.
const BOUNDS: (f32, f32) = (500.0, 2_600.0);

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The board.
    pub board: Board,
    /// The piece.
    pub piece: Piece,
    /// The next one.
    pub next: Piece,
    /// The level.
    pub level: u8,
    /// The lines.
    pub lines: u32,
}

impl Position {
    /// The position before a placement; `None` if the next piece is not known.
    pub fn of_turn(turn: &notation::Turn) -> Option<Self> {
        let notation::Turn { board, piece, next, level, lines, .. } = turn;
        Some(Self { board: *board, piece: *piece, next: (*next)?, level: *level, lines: *lines })
    }

    /// The position of a link; `None` if its next piece is not known.
    pub fn of_link(link: &notation::link::Link) -> Option<Self> {
        let notation::link::Link { board, piece, next, level, lines, .. } = link;
        Some(Self { board: *board, piece: *piece, next: (*next)?, level: *level, lines: (*lines).into() })
    }

    /// Lines of a game from level 18 that is as far from the next speed.
    pub fn pace_lines(&self) -> u32 {
        Pace::of(self.level, self.lines, frames_per_row).lines
    }
}

/// Makes puzzles of positions.
#[derive(Clone, Debug)]
pub struct Maker {
    /// By [`HERTZ`].
    reviewers: Vec<Reviewer>,
    /// What looks best to the weights alone, a piece deep.
    naive: Player,
    checker: Checker,
}

/// What an evaluation says of the placements of a position.
struct Opinion {
    best: Child,
    second: Child,
    value: f32,
    /// Tetrises between them.
    margin: f32,
    /// Placements that are less than a tetris worse.
    near: usize,
}

impl Maker {
    /// A maker that evaluates by nets.
    ///
    /// # Errors
    /// When there are none.
    pub fn new(nets: &Nets) -> Result<Self, NoNets> {
        let reviewer =
            |hertz: u8| Reviewer::new(Hands { hertz: hertz.into(), ..Hands::default() }, nets.clone());
        let format = Hands { hertz: HERTZ[2].into(), ..Hands::default() }.format();
        let linear = Linear::by_speed(&format, WeightsFile::built_in().weights);
        Ok(Self {
            reviewers: HERTZ.into_iter().map(reviewer).collect::<Result<_, _>>()?,
            naive: Player::new(&format, Mind::Linear(linear)),
            checker: Checker::new(nets.clone()),
        })
    }

    fn opinion(&mut self, hands: usize, position: &Position, deeper: bool) -> Option<Opinion> {
        let Position { board, piece, next, level, .. } = position;
        let lines = position.pace_lines();
        let ranked = self.reviewers[hands].rank(board, lines, (*piece, Some(*next)), None, deeper);
        let [(best, value), (second, other), ..] = ranked[..] else { return None };
        let tetris = tetris_points(*level);
        Some(Opinion {
            best,
            second,
            value,
            margin: (value - other) / tetris,
            near: ranked.iter().filter(|(_, of)| value - of < tetris).count() - 1,
        })
    }

    /// The puzzle of a position, if its answer is worth asking for: by two evaluations of different
    /// depth, and for slow and for fast hands, one placement is the best by [`MARGIN`] and more. If
    /// slow hands cannot make it and have a best placement of their own, it is a puzzle about
    /// hands.
    pub fn consider(&mut self, position: &Position) -> Option<Puzzle> {
        let clear = |opinion: &Opinion| opinion.margin >= MARGIN;
        let (slow, fast) = (usize::from(position.level >= 29), 2);
        let shallow = self.opinion(fast, position, false).filter(clear)?;
        let deep = self.opinion(fast, position, true).filter(clear)?;
        if deep.best.place != shallow.best.place || deep.value < HOPE * tetris_points(position.level) {
            return None;
        }
        let slow_shallow = self.opinion(slow, position, false).filter(clear)?;
        let slow_deep = self.opinion(slow, position, true).filter(clear)?;
        let hopeless = slow_deep.value < HOPE * tetris_points(position.level);
        if slow_deep.best.place != slow_shallow.best.place || hopeless {
            return None;
        }
        let about_hands = slow_deep.best.place != deep.best.place;
        let (hands, opinion) = if about_hands { (slow, slow_deep) } else { (fast, deep) };
        let Opinion { best, second, margin, .. } = opinion;
        let after = self.reviewers[hands].rank(&best.board, best.lines, (position.next, None), None, false);
        let (then, _) = after.first()?;
        let mut themes = themes(position, &best, &second);
        if about_hands {
            themes = themes.with(Theme::Hands);
        }
        let margin = margin.min(shallow.margin);
        let rating = self.rating(position, &best, margin, shallow.near);
        let hertz = HERTZ[hands];
        let puzzle =
            Puzzle { position: *position, hertz, best: best.place, then: then.place, themes, rating };
        // The nets have learned by fast hands: what slow ones make of a board is played.
        (!about_hands || self.is_confirmed(&puzzle)).then_some(puzzle)
    }

    /// Returns whether the answer clearly wins when it is played on.
    fn is_confirmed(&self, puzzle: &Puzzle) -> bool {
        let least = f64::from(MARGIN * tetris_points(puzzle.position.level)) / 2.0;
        let checked = self.checker.check(puzzle, CONFIRMING);
        checked.is_ok_and(|checked| checked.points > least.max(2.5 * checked.error))
    }

    /// The puzzles of a game, by its positions in their order. Positions soon after a puzzle look
    /// like it and are passed over.
    pub fn of_game<'a>(&mut self, positions: impl IntoIterator<Item = &'a Position>) -> Vec<Puzzle> {
        let mut puzzles = Vec::new();
        let mut rest = 0;
        for position in positions {
            if rest > 0 {
                rest -= 1;
            } else if let Some(puzzle) = self.consider(position) {
                puzzles.push(puzzle);
                rest = APART;
            }
        }
        puzzles
    }

    /// A first guess at how hard it is: how far down the answer is for a weaker player, how many
    /// placements are nearly as good, by how much it is better, and whether it is a tuck.
    fn rating(&mut self, position: &Position, best: &Child, margin: f32, near: usize) -> u16 {
        let Position { board, piece, next, .. } = position;
        let lines = position.pace_lines();
        let reviewer = &mut self.reviewers[2];
        let places = reviewer.places(board, lines, *piece, Some(best.place));
        let rated = self.naive.rate_with_next(board, lines, (*piece, *next), places.into_iter());
        let own = rated.iter().find(|(child, _)| child.place == best.place).map_or(0.0, |(_, value)| *value);
        let better = rated.iter().filter(|(_, value)| *value > own).count() as f32;
        let tuck = if is_tuck(board, best.place) { 150.0 } else { 0.0 };
        let rating = 1_200.0 + 260.0 * better.ln_1p() + 55.0 * near.min(8) as f32 + tuck
            - 130.0 * (margin / MARGIN).log2();
        rating.clamp(BOUNDS.0, BOUNDS.1) as u16
    }
}
