//! Puzzles played on, to see whether their answers win.

use review::{Hands, NoNets, Reviewer};
use serde::{Deserialize, Serialize};
use tetris::{Piece, SplitMix64};
use value::{Child, Format, Linear, Mind, NetMind, Nets, Player, WeightsFile, deal_by_odds, points};

use crate::bank::Puzzle;

/// Pieces that are played on; what is left of the game then is what the nets expect of it.
const PIECES: usize = 30;

/// What came of playing a puzzle on from its best and from its second best placement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// The puzzle's number.
    pub puzzle: u32,
    /// Games from each of both boards, with the same pieces.
    pub games: u32,
    /// Points that the best placement makes more, in the mean.
    pub points: f64,
    /// The standard error of that.
    pub error: f64,
}

impl Checked {
    /// Returns whether the best placement has won.
    pub fn is_won(&self) -> bool {
        self.points > 0.0
    }

    /// Returns whether it has won by more than the standard error.
    pub fn is_won_clearly(&self) -> bool {
        self.points > self.error
    }
}

/// Plays puzzles on, on the model of the game's rules.
#[derive(Clone, Debug)]
pub struct Checker {
    nets: Nets,
}

impl Checker {
    /// A checker whose player judges by nets.
    pub const fn new(nets: Nets) -> Self {
        Self { nets }
    }

    /// Plays so many games from the answer of a puzzle and from its second best placement, each
    /// pair with the same pieces.
    ///
    /// # Errors
    /// When there are no nets.
    pub fn check(&self, puzzle: &Puzzle, games: u32) -> Result<Checked, NoNets> {
        let hands = Hands { hertz: puzzle.hertz.into(), ..Hands::default() };
        let mut reviewer = Reviewer::new(hands, self.nets.clone())?;
        let position = &puzzle.position;
        let lines = position.pace_lines();
        let pieces = (position.piece, Some(position.next));
        let ranked = reviewer.rank(&position.board, lines, pieces, None, true);
        let best = ranked.iter().find(|(child, _)| child.place == puzzle.best);
        let second = ranked.iter().find(|(child, _)| child.place != puzzle.best);
        let format = hands.format();
        let linear = Linear::by_speed(&format, WeightsFile::built_in().weights);
        let mut player = Player::new(&format, Mind::from(NetMind::new(self.nets.clone(), linear)));
        let (mut sum, mut squares) = (0.0, 0.0);
        let games = games.max(2);
        for game in 0..games {
            let seed = SplitMix64::mix(u64::from(puzzle.id()) << 32 | u64::from(game));
            let mut of = |found: Option<&(Child, f32)>| {
                found.map_or(0.0, |(child, _)| go_on(&mut player, &format, child, position.next, seed))
            };
            let difference = of(best) - of(second);
            sum += difference;
            squares += difference * difference;
        }
        let count = f64::from(games);
        let mean = sum / count;
        let variance = (squares / count - mean * mean).max(0.0) * count / (count - 1.0);
        Ok(Checked { puzzle: puzzle.id(), games, points: mean, error: (variance / count).sqrt() })
    }
}

/// Points of a placement and of what is played after it, and what the nets expect then.
///
/// Nets count what comes after a speed for a share of its points while it is played. So a game that
/// is about to leave the speed of the puzzle ends there: what is expected is counted alike in both.
fn go_on(player: &mut Player, format: &Format, child: &Child, next: Piece, seed: u64) -> f64 {
    let of_lock =
        |child: &Child| if child.cleared > 0 { f64::from(points(child.cleared, child.lines)) } else { 0.0 };
    let mut score = of_lock(child);
    let (mut board, mut lines) = (child.board, child.lines);
    let speed = format.speed(lines);
    let mut pieces = deal_by_odds(seed).skip_while(|&piece| piece != next).take(PIECES + 1);
    let Some(mut piece) = pieces.next() else { return score };
    for (number, next) in (1..).zip(pieces) {
        let Some(choice) = player.decide(&board, lines, piece) else { return score };
        let at = choice.targets[next as usize];
        let child = &player.decider().children()[at];
        if number == PIECES || format.speed(child.lines) != speed {
            return score + f64::from(player.decider().worths()[at][next as usize]);
        }
        score += of_lock(child);
        (board, lines, piece) = (child.board, child.lines, next);
    }
    score
}
