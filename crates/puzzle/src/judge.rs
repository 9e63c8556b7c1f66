//! What an answer is worth.

use review::{Hands, NoNets, Reviewer, rows_ready, tetris_points};
use serde::{Deserialize, Serialize};
use strum::Display;
use tetris::{Piece, Placement, Playfield, WIDTH};
use value::{Child, Nets};

use crate::maker::Position;

/// Where both pieces go.
pub type Answer = [Placement; 2];

/// How good an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Grade {
    /// As good as the best line: less than a tenth of a tetris of the level is lost.
    Solved,
    /// Close: less than half a tetris is lost. It counts half.
    Close,
    /// More is lost.
    Failed,
}

impl Grade {
    /// Returns the grade of an answer that loses points at a level.
    pub fn of(cost: f32, level: u8) -> Self {
        match cost / tetris_points(level) {
            loss if loss < 0.1 => Self::Solved,
            loss if loss < 0.5 => Self::Close,
            _ => Self::Failed,
        }
    }

    /// What it counts, 0 to 1.
    pub const fn score(self) -> f64 {
        match self {
            Self::Solved => 1.0,
            Self::Close => 0.5,
            Self::Failed => 0.0,
        }
    }
}

/// Something in which two boards differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// In what.
    pub what: String,
    /// After the answer.
    pub yours: f32,
    /// After the best line.
    pub best: f32,
}

/// A place of the first piece, with what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Where the piece goes.
    pub place: Placement,
    /// Points.
    pub points: f32,
}

/// What an answer comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// How good it is.
    pub grade: Grade,
    /// Points that it costs.
    pub cost: f32,
    /// Points that each of its two placements costs.
    pub costs: [f32; 2],
    /// The best line: where both pieces go.
    pub best: Answer,
    /// The eight best places of the first piece, and that of the answer: the best first.
    pub places: Vec<Cost>,
    /// In what the boards after both lines differ.
    pub reasons: Vec<Reason>,
}

/// Why an answer cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The hands do not get the piece there.
    #[error(
        "the {0} cannot be brought to column {x}, row {y}, orientation {id} by such hands",
        x = .1.x, y = .1.y, id = .1.orientation.id()
    )]
    Unreachable(Piece, Placement),
    /// The position leaves the piece no place at all.
    #[error("the position leaves no place for the {0}")]
    NoPlace(Piece),
}

/// Judges answers, for hands of a certain speed.
#[derive(Clone, Debug)]
pub struct Judge {
    reviewer: Reviewer,
}

impl Judge {
    /// A judge for puzzles of so many taps a second.
    ///
    /// # Errors
    /// When there are no nets to evaluate with.
    pub fn new(hertz: u8, nets: Nets) -> Result<Self, NoNets> {
        let hertz = f64::from(hertz.clamp(1, 60));
        Ok(Self { reviewer: Reviewer::new(Hands { hertz, ..Hands::default() }, nets)? })
    }

    /// The places that the piece of a board can be brought to.
    pub fn places(&mut self, position: &Position) -> Vec<Placement> {
        self.reviewer.places(&position.board, position.pace_lines(), position.piece, None)
    }

    /// The same of the next piece, after the first one has locked.
    pub fn next_places(&mut self, position: &Position, first: Placement) -> Vec<Placement> {
        let (board, lines) = after(position, first);
        self.reviewer.places(&board, lines, position.next, None)
    }

    /// What an answer comes to.
    ///
    /// # Errors
    /// When the hands do not get a piece where it is said to go.
    pub fn verdict(&mut self, position: &Position, answer: Answer) -> Result<Verdict, AnswerError> {
        let [first, second] = answer;
        let Position { board, piece, next, level, .. } = position;
        let lines = position.pace_lines();
        if !self.places(position).contains(&first) {
            return Err(AnswerError::Unreachable(*piece, first));
        }
        let ranked = self.reviewer.rank(board, lines, (*piece, Some(*next)), Some(first), true);
        let &(best, most) = ranked.first().ok_or(AnswerError::NoPlace(*piece))?;
        let own = ranked.iter().find(|(child, _)| child.place == first).map_or(most, |(_, value)| *value);
        let (after_first, lines_after) = after(position, first);
        let reviewer = &mut self.reviewer;
        if !reviewer.places(&after_first, lines_after, *next, None).contains(&second) {
            return Err(AnswerError::Unreachable(*next, second));
        }
        let seconds = reviewer.rank(&after_first, lines_after, (*next, None), Some(second), false);
        let value = |place: Placement| {
            seconds.iter().find(|(child, _)| child.place == place).map(|(_, value)| *value)
        };
        let most_of_second = seconds.first().map_or(0.0, |(_, value)| *value);
        let costs = [most - own, most_of_second - value(second).unwrap_or(most_of_second)];
        let then = reviewer.rank(&best.board, best.lines, (*next, None), None, false);
        let then = then.first().map(|(child, _)| *child);
        let cost = costs[0] + costs[1];
        let grade = Grade::of(cost, *level);
        let own_end = {
            let mut board = after_first;
            let cleared = board.lock(second);
            (board, lines_after + cleared)
        };
        let best_end = then.map_or((best.board, best.lines), |then| (then.board, then.lines));
        let then_place = then.map_or(second, |then| then.place);
        let cost_of = |(child, value): &(Child, f32)| Cost { place: child.place, points: most - value };
        Ok(Verdict {
            grade,
            cost,
            costs,
            best: [best.place, then_place],
            places: ranked.iter().map(cost_of).collect(),
            reasons: self.reasons(lines, own_end, best_end),
        })
    }

    /// In what two boards differ, lines with them.
    fn reasons(&self, before: u32, own: (Playfield, u32), best: (Playfield, u32)) -> Vec<Reason> {
        let well = |board: &Playfield| board.columns[WIDTH - 1].count_ones();
        let of = |(board, lines): &(Playfield, u32)| -> [(&str, f32); 6] {
            let odds = self.reviewer.odds(board, *lines);
            let next = odds.iter().copied().find(|&odds| odds < 1.0).unwrap_or(1.0);
            [
                ("holes", board.holes() as f32),
                ("cells in the right column", well(board) as f32),
                ("rows ready for a tetris", rows_ready(board) as f32),
                ("greatest height", board.height() as f32),
                ("rows cleared", lines.saturating_sub(before) as f32),
                ("odds of reaching the next speed, in %", (next * 1_000.0).round() / 10.0),
            ]
        };
        let pairs = of(&own).into_iter().zip(of(&best));
        let differs = |((_, yours), (_, best)): &((&str, f32), (&str, f32))| (yours - best).abs() > 0.05;
        let reason = |((what, yours), (_, best)): ((&str, f32), (&str, f32))| Reason {
            what: what.to_owned(),
            yours,
            best,
        };
        pairs.filter(differs).map(reason).collect()
    }
}

/// The board after the first piece, and the lines.
fn after(position: &Position, first: Placement) -> (Playfield, u32) {
    let mut board = position.board;
    let cleared = board.lock(first);
    (board, position.pace_lines() + cleared)
}
