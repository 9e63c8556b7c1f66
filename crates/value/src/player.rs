//! Players as one type, whatever they judge by.

use crate::ahead::Ahead;
use crate::board::Board;
use crate::decide::{Choice, Decider};
use crate::format::Format;
use crate::judge::{NetJudge, Nets};
use crate::linear::Linear;
use crate::play::{Outcome, Start, play};
use tetris::Piece;

/// How a player judges.
#[derive(Clone, Debug)]
pub enum Mind {
    /// By weights, a piece deep.
    Linear(Linear),
    /// By weights, two pieces deep, so many boards broad.
    Ahead(Linear, usize),
    /// By nets.
    Nets(Nets),
}

/// A player of a format.
#[derive(Clone, Debug)]
pub struct Player {
    decider: Decider,
    judge: Judging,
}

#[derive(Clone, Debug)]
enum Judging {
    Linear(Linear),
    Ahead(Box<Ahead>),
    Nets(NetJudge),
}

impl Player {
    /// A player of a format.
    pub fn new(format: &Format, mind: Mind) -> Self {
        let judge = match mind {
            Mind::Linear(linear) => Judging::Linear(linear),
            Mind::Ahead(linear, breadth) => Judging::Ahead(Box::new(Ahead::new(format, linear, breadth))),
            Mind::Nets(nets) => Judging::Nets(NetJudge::new(format, nets)),
        };
        Self { decider: Decider::new(format), judge }
    }

    /// The best for a piece that has just appeared; none where it has no place.
    pub fn decide(&mut self, board: &Board, lines: u32, piece: Piece) -> Option<Choice> {
        let decider = &mut self.decider;
        match &mut self.judge {
            Judging::Linear(judge) => decider.decide(judge, board, lines, piece),
            Judging::Ahead(judge) => decider.decide(&mut **judge, board, lines, piece),
            Judging::Nets(judge) => decider.decide(judge, board, lines, piece),
        }
    }

    /// What the last decision was made from.
    pub const fn decider(&self) -> &Decider {
        &self.decider
    }

    /// Plays a game to its end.
    pub fn play(&mut self, start: &Start, seed: u32, pieces: impl Iterator<Item = Piece>) -> Outcome {
        self.play_on(start, seed, &mut { pieces })
    }

    // One copy of the search and its judges for all kinds of dealers.
    fn play_on(&mut self, start: &Start, seed: u32, pieces: &mut dyn Iterator<Item = Piece>) -> Outcome {
        let decider = &mut self.decider;
        match &mut self.judge {
            Judging::Linear(judge) => play(decider, judge, start, seed, pieces),
            Judging::Ahead(judge) => play(decider, &mut **judge, start, seed, pieces),
            Judging::Nets(judge) => play(decider, judge, start, seed, pieces),
        }
    }
}
