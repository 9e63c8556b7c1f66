//! What the player for points thinks of the piece in play, for whoever watches it.

use tetris::{Piece, Placement};
use value::{Choice, Outlook, Pace, Player};

/// Candidates of a thought.
pub const CANDIDATES: usize = 5;

/// What the values of places are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Weighted sums, of which only differences mean anything.
    Weights,
    /// Points, of which differences alone mean something here too: what is to come in all is in
    /// [`Thought::outlook`].
    Points,
    /// The same, as if the game were at this level: it is below level 18, or beyond level 38.
    PointsOfLevel(u32),
}

/// What was thought of a piece when it was decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The piece in play.
    pub piece: Piece,
    /// Where it may go, the best first: at most [`CANDIDATES`].
    pub candidates: Vec<Candidate>,
    /// Where it goes by the piece that comes next, in the order of [`Piece::ALL`]; all alike where
    /// it does not wait for that.
    pub plan: [Placement; 7],
    /// It taps first, and goes on when it knows the next piece.
    pub waits: bool,
    /// What the values of the candidates are.
    pub unit: Unit,
    /// What is expected of the rest of the game, where values are points.
    pub outlook: Option<Outlook>,
    /// The hands miss, and the piece ends beside its place.
    pub misdrop: bool,
}

/// A place, and what the board after it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Where the piece locks.
    pub place: Placement,
    /// Mean over the next pieces.
    pub value: f32,
    /// Rows that it clears.
    pub cleared: u32,
}

impl Thought {
    /// What `player` has just decided by `choice` about a piece.
    pub(crate) fn of(
        player: &Player,
        piece: Piece,
        Pace { lines, is_level, .. }: Pace,
        choice: &Choice,
    ) -> Self {
        let outlook = player.outlook(lines, piece, choice).filter(|_| is_level);
        let children = player.decider().children();
        let plan = choice.targets.map(|target| children[target].place);
        let candidate = |(child, value): (value::Child, f32)| Candidate {
            place: child.place,
            value,
            cleared: child.cleared,
        };
        Self {
            piece,
            candidates: player.ranking(piece, CANDIDATES).into_iter().map(candidate).collect(),
            plan,
            waits: choice.premove.is_some(),
            unit: match (player.in_points(lines), is_level) {
                (false, _) => Unit::Weights,
                (true, true) => Unit::Points,
                (true, false) => Unit::PointsOfLevel(value::level(lines)),
            },
            outlook,
            misdrop: false,
        }
    }

    /// The different places of the plan, each with the next pieces that it is for.
    pub fn plans(&self) -> Vec<(Placement, Vec<Piece>)> {
        let mut plans: Vec<(Placement, Vec<Piece>)> = vec![];
        for (place, next) in self.plan.into_iter().zip(Piece::ALL) {
            match plans.iter_mut().find(|plan| plan.0 == place) {
                Some((_, pieces)) => pieces.push(next),
                None => plans.push((place, vec![next])),
            }
        }
        plans
    }
}
