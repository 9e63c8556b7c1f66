//! Players as one type, whatever they judge by.

use crate::ahead::Ahead;
use crate::board::{Board, Place};
use crate::decide::{Child, Choice, Decider, Judge, SHARES, Worth, mean};
use crate::format::Format;
use crate::judge::Nets;
use crate::linear::Linear;
use crate::mixed::Mixed;
use crate::play::{Outcome, Start, play};
use tetris::{Orientation, Piece};

/// How a player judges.
#[derive(Clone, Debug)]
pub enum Mind {
    /// By weights, a piece deep.
    Linear(Linear),
    /// By weights, some pieces deep: so many boards broad, a breadth for each piece that is looked
    /// at.
    Ahead(Linear, Vec<usize>),
    /// By nets, and by weights at the speeds that have none.
    Nets {
        /// By speed.
        nets: Nets,
        /// The weights.
        linear: Linear,
        /// Boards that are looked at a piece further; of the decisions about that piece, boards
        /// that are looked at another piece further, and so on.
        breadths: Vec<usize>,
        /// Where three pieces are looked at, boards that are best by two of them, for which alone
        /// the third is looked at; all of them where it is 0.
        narrow: usize,
        /// Boards that the weights like best, about which alone the nets are asked; all of them
        /// where it is 0.
        guided: usize,
        /// How much the odds of surviving a slow speed count, see [`NetJudge::with_caution`].
        ///
        /// [`NetJudge::with_caution`]: crate::NetJudge::with_caution
        caution: f32,
    },
}

/// No board that was looked at is worth so much less than the best.
const UNSEEN: f32 = 5e5;

/// A player of a format.
#[derive(Clone, Debug)]
pub struct Player {
    decider: Decider,
    judge: Judging,
}

#[derive(Clone, Debug)]
enum Judging {
    Linear(Box<Linear>),
    Ahead(Box<Ahead>),
    Nets(Box<Mixed>),
}

impl Player {
    /// A player of a format.
    pub fn new(format: &Format, mind: Mind) -> Self {
        let judge = match mind {
            Mind::Linear(linear) => Judging::Linear(Box::new(linear)),
            Mind::Ahead(linear, breadths) => Judging::Ahead(Box::new(Ahead::new(format, linear, &breadths))),
            Mind::Nets { nets, linear, breadths, narrow, guided, caution } => {
                Judging::Nets(Box::new(Mixed::new(format, nets, linear, &breadths, narrow, guided, caution)))
            }
        };
        Self { decider: Decider::new(format), judge }
    }

    /// The best for a piece that has just appeared; none where it has no place.
    pub fn decide(&mut self, board: &Board, lines: u32, piece: Piece) -> Option<Choice> {
        let decider = &mut self.decider;
        match &mut self.judge {
            Judging::Linear(judge) => decider.decide(&mut **judge, board, lines, piece),
            Judging::Ahead(judge) => decider.decide(&mut **judge, board, lines, piece),
            Judging::Nets(judge) => decider.decide(&mut **judge, board, lines, piece),
        }
    }

    /// What the places of a piece are worth, and the boards after them, in their order.
    pub fn rate(
        &mut self,
        board: &Board,
        lines: u32,
        piece: Piece,
        places: impl Iterator<Item = Place>,
    ) -> Vec<(Child, Worth)> {
        match &mut self.judge {
            Judging::Linear(judge) => rated(&mut **judge, board, lines, piece, places),
            Judging::Ahead(judge) => rated(&mut **judge, board, lines, piece, places),
            Judging::Nets(judge) => rated(&mut **judge, board, lines, piece, places),
        }
    }

    /// What a board is worth by the piece that appears, as after a lock that cleared nothing. Of
    /// weights only differences mean anything.
    pub fn worth(&mut self, board: &Board, lines: u32) -> Worth {
        // Of boards without a lock the judges ask the place for its height alone.
        let place = Place { orientation: Orientation::spawn(Piece::O), x: 5, y: 19 };
        let child = Child { board: *board, place, cleared: 0, lines };
        match &mut self.judge {
            Judging::Linear(judge) => judge.rate(&child),
            Judging::Ahead(judge) => judge.rate(&child),
            Judging::Nets(judge) => {
                judge.begin(board, lines);
                judge.rate(&child)
            }
        }
    }

    /// What the last decision was made from.
    pub const fn decider(&self) -> &Decider {
        &self.decider
    }

    /// The boards that the last decision looked at, the best first, at most so many, each with its
    /// mean over the next pieces of `piece`. Of weights only differences mean anything; see
    /// [`Self::in_points`].
    pub fn ranking(&self, piece: Piece, most: usize) -> Vec<(Child, f32)> {
        let boards = self.decider.children().iter().zip(self.decider.worths());
        let rate = |(child, worth): (&Child, &Worth)| (*child, mean(worth, &SHARES[piece as usize]));
        let mut ranking: Vec<(Child, f32)> = boards.map(rate).collect();
        ranking.sort_by(|one, other| other.1.total_cmp(&one.1));
        // Those that were not looked at two pieces deep lie far behind.
        let least = ranking.first().map_or(0.0, |best| best.1) - UNSEEN;
        ranking.retain(|(_, value)| *value > least);
        ranking.truncate(most);
        ranking
    }

    /// Are its values at so many lines points, and not a weighted sum?
    pub fn in_points(&self, lines: u32) -> bool {
        matches!(&self.judge, Judging::Nets(judge) if judge.has_net(lines))
    }

    /// Plays a game to its end.
    pub fn play(&mut self, start: &Start, seed: u32, pieces: impl Iterator<Item = Piece>) -> Outcome {
        self.play_on(start, seed, &mut { pieces })
    }

    // One copy of the search and its judges for all kinds of dealers.
    fn play_on(&mut self, start: &Start, seed: u32, pieces: &mut dyn Iterator<Item = Piece>) -> Outcome {
        let decider = &mut self.decider;
        match &mut self.judge {
            Judging::Linear(judge) => play(decider, &mut **judge, start, seed, pieces),
            Judging::Ahead(judge) => play(decider, &mut **judge, start, seed, pieces),
            Judging::Nets(judge) => play(decider, &mut **judge, start, seed, pieces),
        }
    }
}

fn rated(
    judge: &mut impl Judge,
    board: &Board,
    lines: u32,
    piece: Piece,
    places: impl Iterator<Item = Place>,
) -> Vec<(Child, Worth)> {
    judge.begin(board, lines);
    let child = |place| {
        let mut after = *board;
        let cleared = after.lock(place);
        Child { board: after, place, cleared, lines: lines + cleared }
    };
    let children: Vec<Child> = places.map(child).collect();
    let mut worths = Vec::new();
    judge.rate_all(&children, &mut worths);
    judge.look_ahead(piece, true, &children, &mut worths);
    children.into_iter().zip(worths).collect()
}
