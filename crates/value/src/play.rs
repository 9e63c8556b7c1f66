//! Whole games, and what is kept of each.

use serde::{Deserialize, Serialize};
use tetris::{Piece, Placement, Playfield};

use crate::decide::{Decider, Evaluator};
use crate::format::{Speed, points};
use crate::reach::Premove;

/// What became of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointsGame {
    /// From which the pieces follow.
    pub seed: u32,
    /// Points.
    pub score: u32,
    /// Lines.
    pub lines: u32,
    /// Pieces placed.
    pub pieces: u32,
    /// Points at 130, 230 and 330 lines; those of the end where it did not come to that.
    pub at: [u32; 3],
    /// Lines by speed, the slowest first.
    pub lines_at: [u32; 4],
    /// Those of them that went by tetrises.
    pub tetris_lines_at: [u32; 4],
}

/// Where a game begins, and where it is stopped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start {
    /// The board.
    pub board: Playfield,
    /// Lines that count for level and end. Their points do not count.
    pub lines: u32,
    /// Lines at which it stops, if that is before the end of the format. Decisions know nothing of
    /// it.
    pub until: Option<u32>,
}

/// A piece of a game that was placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Where it locked.
    pub place: Placement,
    /// Rows that it cleared.
    pub cleared: u32,
    /// Where it waited for the next piece to be known; none where its place was decided at the
    /// spawn.
    pub premove: Option<Premove>,
    /// The piece after it.
    pub next: Piece,
}

/// Plays a game to its end by the decisions of an evaluator.
pub fn play(
    decider: &mut Decider,
    evaluator: &mut impl Evaluator,
    start: &Start,
    seed: u32,
    pieces: impl Iterator<Item = Piece>,
) -> PointsGame {
    play_watched(decider, evaluator, start, seed, pieces, &mut |_| ())
}

/// The same, and tells of each piece that was placed.
pub fn play_watched(
    decider: &mut Decider,
    evaluator: &mut impl Evaluator,
    start: &Start,
    seed: u32,
    mut pieces: impl Iterator<Item = Piece>,
    each: &mut dyn FnMut(&Placed),
) -> PointsGame {
    let format = decider.format();
    let mut outcome = PointsGame { seed, ..PointsGame::default() };
    let (mut board, mut lines) = (start.board, start.lines);
    let (Some(mut piece), Some(mut next)) = (pieces.next(), pieces.next()) else { return outcome };
    let until = start.until.map_or(format.lines, |until| until.min(format.lines));
    while lines < until {
        let Some(choice) = decider.decide(evaluator, &board, lines, piece) else { break };
        let child = &decider.children()[choice.targets[next as usize]];
        let slot = Speed::of_lines(lines) as usize;
        outcome.lines_at[slot] += child.cleared;
        if child.cleared == 4 {
            outcome.tetris_lines_at[slot] += 4;
        }
        if child.cleared > 0 {
            outcome.score += points(child.cleared, child.lines);
        }
        outcome.pieces += 1;
        let premove = choice.premove.map(|number| decider.reach().premoves()[number]);
        each(&Placed { place: child.place, cleared: child.cleared, premove, next });
        for (at, &limit) in outcome.at.iter_mut().zip(&Speed::LINES[1..]) {
            if lines < limit {
                *at = outcome.score;
            }
        }
        (board, lines) = (child.board, child.lines);
        piece = next;
        let Some(another) = pieces.next() else { break };
        next = another;
    }
    outcome.lines = lines;
    outcome
}
