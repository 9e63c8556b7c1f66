//! Players as one type, whatever they evaluate boards by.

use crate::by_level::{ByLevel, NetMind};
use crate::decide::{Child, Choice, Decider, Evaluator, SHARES, Worth, is_looked_at, mean};
use crate::evaluator::NetEvaluator;
use crate::format::Format;
use crate::linear::Linear;
use crate::outlook::Outlook;
use crate::play::{Placed, PointsGame, Start, play_watched};
use crate::weight_search::WeightSearch;
use tetris::{Orientation, Piece, Placement, Playfield};

/// How a player evaluates boards.
#[derive(Clone, Debug)]
pub enum Mind {
    /// By weights, and for each further piece that is looked at, the number of boards for which it
    /// is; none for one piece deep.
    Weights(Box<Linear>, Vec<usize>),
    /// By nets, and by weights at the speeds that have none.
    Nets(Box<NetMind>),
}

impl Mind {
    /// By weights, with a breadth for each further piece that is looked at.
    pub fn weights(weights: Linear, breadths: Vec<usize>) -> Self {
        Self::Weights(Box::new(weights), breadths)
    }
}

impl From<Linear> for Mind {
    /// By weights, one piece deep.
    fn from(weights: Linear) -> Self {
        Self::weights(weights, Vec::new())
    }
}

impl From<NetMind> for Mind {
    fn from(mind: NetMind) -> Self {
        Self::Nets(Box::new(mind))
    }
}

/// A player of a format.
#[derive(Clone, Debug)]
pub struct Player {
    decider: Decider,
    evaluator: ByLevel,
    /// The nets as they were given, for [`Self::outlook`].
    nets: Option<Box<NetEvaluator>>,
}

impl Player {
    /// A player of a format.
    pub fn new(format: &Format, mind: Mind) -> Self {
        let mut nets = None;
        let evaluator = match mind {
            Mind::Weights(linear, breadths) => {
                ByLevel::weights(WeightSearch::new(format, *linear, &breadths))
            }
            Mind::Nets(mind) => {
                nets = Some(Box::new(NetEvaluator::new(format, mind.nets.clone())));
                ByLevel::nets(format, *mind)
            }
        };
        Self { decider: Decider::new(format), evaluator, nets }
    }

    /// The best for a piece that has just appeared; none where it has no place.
    pub fn decide(&mut self, board: &Playfield, lines: u32, piece: Piece) -> Option<Choice> {
        self.decider.decide(&mut self.evaluator, board, lines, piece)
    }

    /// What the places of a piece are worth, and the boards after them, in their order.
    pub fn rate(
        &mut self,
        board: &Playfield,
        lines: u32,
        piece: Piece,
        places: impl Iterator<Item = Placement>,
    ) -> Vec<(Child, Worth)> {
        let evaluator = &mut self.evaluator;
        evaluator.begin(board, lines);
        let child = |place| {
            let mut after = *board;
            let cleared = after.lock(place);
            Child { board: after, place, cleared, lines: lines + cleared }
        };
        let children: Vec<Child> = places.map(child).collect();
        let mut worths = Vec::new();
        evaluator.rate_all(&children, &mut worths);
        evaluator.look_ahead(piece, true, &children, &mut worths);
        children.into_iter().zip(worths).collect()
    }

    /// The same with the next piece known: what each place is worth by that. Boards are looked at
    /// as by [`Self::rate`], in a seventh of the time where the player looks ahead by nets.
    pub fn rate_with_next(
        &mut self,
        board: &Playfield,
        lines: u32,
        (piece, next): (Piece, Piece),
        places: impl Iterator<Item = Placement>,
    ) -> Vec<(Child, f32)> {
        self.evaluator.know(Some(next));
        let rated = self.rate(board, lines, piece, places);
        self.evaluator.know(None);
        rated.into_iter().map(|(child, worth)| (child, worth[next as usize])).collect()
    }

    /// What a board is worth by the piece that appears, as after a lock that cleared nothing. Of
    /// weights only differences mean anything.
    pub fn worth(&mut self, board: &Playfield, lines: u32) -> Worth {
        // Of boards without a lock evaluators ask the placement for its height alone.
        let place = Placement { orientation: Orientation::spawn(Piece::O), x: 5, y: 19 };
        let child = Child { board: *board, place, cleared: 0, lines };
        self.evaluator.begin(board, lines);
        self.evaluator.rate(&child)
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
        let shares = &SHARES[piece as usize];
        let rate = |(child, worth): (&Child, &Worth)| (*child, mean(worth, shares));
        let seen = boards.clone().filter(|(_, worth)| is_looked_at(worth));
        let mut ranking: Vec<(Child, f32)> = seen.map(rate).collect();
        if ranking.is_empty() {
            ranking.extend(boards.map(rate));
        }
        ranking.sort_by(|one, other| other.1.total_cmp(&one.1));
        ranking.truncate(most);
        ranking
    }

    /// Returns what the nets expect after the last decision, which was `choice` about `piece` with
    /// so many lines; none where weights have decided. Level 39 has its double speed in the points.
    pub fn outlook(&self, lines: u32, piece: Piece, choice: &Choice) -> Option<Outlook> {
        let evaluator = self.nets.as_ref().filter(|_| self.in_points(lines))?;
        let (mut points, mut reached) = (0.0, Some([0.0; 3]));
        for (next, &share) in SHARES[piece as usize].iter().enumerate().take(7) {
            let child = &self.decider.children()[choice.targets[next]];
            points += share * evaluator.points_to_come(child)[next];
            let odds = evaluator.odds_from(&child.board, child.lines);
            reached = reached.zip(odds).map(|(so_far, odds): ([f32; 3], [f32; 3])| {
                std::array::from_fn(|speed| so_far[speed] + share * odds[speed])
            });
        }
        Some(Outlook { points, odds: reached })
    }

    /// Are its values at so many lines points, and not a weighted sum?
    pub fn in_points(&self, lines: u32) -> bool {
        self.evaluator.has_net(lines)
    }

    /// Plays a game to its end.
    pub fn play(&mut self, start: &Start, seed: u32, pieces: impl Iterator<Item = Piece>) -> PointsGame {
        self.play_watched(start, seed, pieces, &mut |_| ())
    }

    /// The same, and tells of each piece that was placed.
    pub fn play_watched(
        &mut self,
        start: &Start,
        seed: u32,
        pieces: impl Iterator<Item = Piece>,
        each: &mut dyn FnMut(&Placed),
    ) -> PointsGame {
        // One copy of the search for all kinds of dealers.
        let pieces: &mut dyn Iterator<Item = Piece> = &mut { pieces };
        play_watched(&mut self.decider, &mut self.evaluator, start, seed, pieces, each)
    }
}
