//! Which positions are worth asking about.

use review::{Hands, NoNets, Reviewer, is_tuck, tetris_points};
use tetris::rules::frames_per_row;
use tetris::{Piece, Placement, Playfield};
use value::{Child, Linear, Nets, Pace, Player, WeightsFile};

use crate::bank::Puzzle;
use crate::check::Checker;
use crate::theme::{Theme, themes};

/// How much better than the second the best placement has to be, in tetrises of its level, by every
/// evaluation.
pub const MARGIN: f32 = 0.6;
/// Taps a second of hands, the slowest first.
const HERTZ: [u8; 4] = [12, 15, 20, 30];
/// The fast ones.
const FAST: usize = 3;
/// What a position has to be worth, in tetrises: a game that is lost asks nothing.
const HOPE: f32 = 8.0;
/// Games by which a puzzle about hands is confirmed: more if the first ones leave it open.
const CONFIRMING: [u32; 2] = [60, 240];
/// Positions after a puzzle that are passed over.
const APART: usize = 4;
/// A rating that no puzzle is below or above.
const BOUNDS: (f32, f32) = (500.0, 2_600.0);

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The board.
    pub board: Playfield,
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
    /// All that were compared, the best first.
    ranked: Vec<(Child, f32)>,
}

impl Opinion {
    fn is_clear(&self) -> bool {
        self.margin >= MARGIN
    }

    /// Is the game lost, whatever is played?
    fn is_hopeless(&self, level: u8) -> bool {
        self.value < HOPE * tetris_points(level)
    }

    /// Is the best one better than this place by as much as it is asked for?
    fn is_ahead_of(&self, place: Placement, level: u8) -> bool {
        let of_place = self.ranked.iter().find(|(child, _)| child.place == place);
        of_place.is_none_or(|(_, value)| self.value - value >= MARGIN * tetris_points(level))
    }
}

/// Slow hands: from level 29 on slower ones reach nothing.
const fn slowest(level: u8) -> usize {
    if level >= 29 { 1 } else { 0 }
}

impl Maker {
    /// A maker that evaluates by nets.
    ///
    /// # Errors
    /// When there are none.
    pub fn new(nets: &Nets) -> Result<Self, NoNets> {
        let reviewer =
            |hertz: u8| Reviewer::new(Hands { hertz: hertz.into(), ..Hands::default() }, nets.clone());
        let format = Hands { hertz: HERTZ[FAST].into(), ..Hands::default() }.format();
        let linear = Linear::by_speed(&format, WeightsFile::built_in().weights);
        Ok(Self {
            reviewers: HERTZ.into_iter().map(reviewer).collect::<Result<_, _>>()?,
            naive: Player::new(&format, linear.into()),
            checker: Checker::new(nets.clone()),
        })
    }

    /// `asked` is a place that is compared as well, among the best or not.
    fn opinion(
        &mut self,
        hands: usize,
        position: &Position,
        deeper: bool,
        asked: Option<Placement>,
    ) -> Option<Opinion> {
        let Position { board, piece, next, level, .. } = position;
        let lines = position.pace_lines();
        let ranked = self.reviewers[hands].rank(board, lines, (*piece, Some(*next)), asked, deeper);
        let [(best, value), (second, other), ..] = ranked[..] else { return None };
        let tetris = tetris_points(*level);
        Some(Opinion {
            best,
            second,
            value,
            margin: (value - other) / tetris,
            near: ranked.iter().filter(|(_, of)| value - of < tetris).count() - 1,
            ranked,
        })
    }

    /// The puzzle of a position, if its answer is worth asking for: by two evaluations of different
    /// depth, and for slow and for fast hands, one placement is the best by [`MARGIN`] and more. If
    /// slow hands do not reach the placement of fast ones, lose by that, and have a best one of
    /// their own, it is a puzzle about hands.
    pub fn consider(&mut self, position: &Position) -> Option<Puzzle> {
        let shallow = self.opinion(FAST, position, false, None)?;
        self.for_all_hands(position, &shallow).or_else(|| self.for_slow_hands(position, &shallow))
    }

    fn for_all_hands(&mut self, position: &Position, shallow: &Opinion) -> Option<Puzzle> {
        if !shallow.is_clear() {
            return None;
        }
        let deep = self.opinion(FAST, position, true, None).filter(Opinion::is_clear)?;
        let place = deep.best.place;
        if place != shallow.best.place || deep.is_hopeless(position.level) {
            return None;
        }
        for deeper in [false, true] {
            let slow = self.opinion(slowest(position.level), position, deeper, None);
            slow.filter(|slow| slow.is_clear() && slow.best.place == place)?;
        }
        self.puzzle(position, FAST, &deep, shallow)
    }

    fn for_slow_hands(&mut self, position: &Position, fast: &Opinion) -> Option<Puzzle> {
        (slowest(position.level)..FAST).find_map(|hands| self.for_hands(hands, position, fast))
    }

    fn for_hands(&mut self, hands: usize, position: &Position, fast: &Opinion) -> Option<Puzzle> {
        let Position { board, piece, level, .. } = position;
        let reached = self.reviewers[hands].places(board, position.pace_lines(), *piece, None);
        if reached.contains(&fast.best.place) {
            return None;
        }
        let shallow = self.opinion(hands, position, false, None).filter(Opinion::is_clear)?;
        let place = shallow.best.place;
        if !fast.is_ahead_of(place, *level) {
            return None;
        }
        let deep = self.opinion(hands, position, true, None).filter(Opinion::is_clear)?;
        if deep.best.place != place || deep.is_hopeless(*level) {
            return None;
        }
        let fast_deep = self.opinion(FAST, position, true, Some(place))?;
        if fast_deep.best.place != fast.best.place || !fast_deep.is_ahead_of(place, *level) {
            return None;
        }
        let puzzle = self.puzzle(position, hands, &deep, &shallow)?;
        let puzzle = Puzzle { themes: puzzle.themes.with(Theme::Hands), ..puzzle };
        // The nets have learned by fast hands: what slow ones make of a board is played.
        self.is_confirmed(&puzzle).then_some(puzzle)
    }

    fn puzzle(
        &mut self,
        position: &Position,
        hands: usize,
        deep: &Opinion,
        shallow: &Opinion,
    ) -> Option<Puzzle> {
        let Opinion { best, second, margin, .. } = *deep;
        let after = self.reviewers[hands].rank(&best.board, best.lines, (position.next, None), None, false);
        let (then, _) = after.first()?;
        let themes = themes(position, &best, &second);
        let rating = self.rating(position, &best, margin.min(shallow.margin), shallow.near);
        let hertz = HERTZ[hands];
        Some(Puzzle { position: *position, hertz, best: best.place, then: then.place, themes, rating })
    }

    /// Returns whether the answer clearly wins when it is played on.
    fn is_confirmed(&self, puzzle: &Puzzle) -> bool {
        let least = f64::from(MARGIN * tetris_points(puzzle.position.level)) / 2.0;
        for games in CONFIRMING {
            let Ok(checked) = self.checker.check(puzzle, games) else { return false };
            if checked.points > least.max(2.5 * checked.error) {
                return true;
            }
            // What has no part of the margin by now will not come to it.
            if checked.points + checked.error < least {
                return false;
            }
        }
        false
    }

    /// The puzzles of a game, by its positions in their order. Positions soon after a puzzle look
    /// like it and are passed over.
    pub fn of_game<'a>(&mut self, positions: impl IntoIterator<Item = &'a Position>) -> Vec<Puzzle> {
        let mut passed_over = 0;
        positions.into_iter().filter_map(|position| self.go_on(&mut passed_over, position)).collect()
    }

    /// Considers the next position of a game. `passed_over` counts the positions that are still
    /// passed over after a puzzle; it is 0 at the beginning of a game.
    pub(crate) fn go_on(&mut self, passed_over: &mut usize, position: &Position) -> Option<Puzzle> {
        if *passed_over > 0 {
            *passed_over -= 1;
            return None;
        }
        let puzzle = self.consider(position)?;
        *passed_over = APART;
        Some(puzzle)
    }

    /// A first guess at how hard it is: how far down the answer is for a weaker player, how many
    /// placements are nearly as good, by how much it is better, and whether it is a tuck.
    fn rating(&mut self, position: &Position, best: &Child, margin: f32, near: usize) -> u16 {
        let Position { board, piece, next, .. } = position;
        let lines = position.pace_lines();
        let reviewer = &mut self.reviewers[FAST];
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
