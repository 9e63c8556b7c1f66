//! A placement beside the best one, in points and in odds.

use tetris::{Piece, Placement, Playfield};

use crate::decide::Worth;
use crate::evaluator::{Nets, odds};
use crate::format::Format;
use crate::player::{Mind, Player};
use crate::reach::Reach;

/// A placement that was looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// What it is worth with the next piece: points of the lock, those to come, and what the odds
    /// of surviving a slow speed add.
    pub value: f32,
    /// Where the piece should have gone; the same place where nothing is better.
    pub best: Placement,
    /// What that is worth.
    pub best_value: f32,
    /// Can the format's taps bring the piece where it went?
    pub reachable: bool,
    /// The odds to come to levels 19, 29 and 39 after it, and after the best; none without nets.
    pub odds: Option<[f32; 3]>,
    /// See `odds`.
    pub best_odds: Option<[f32; 3]>,
}

impl Review {
    /// What the placement lost.
    pub fn loss(&self) -> f32 {
        self.best_value - self.value
    }
}

/// Rates placements by a player's judgement.
#[derive(Clone, Debug)]
pub struct Reviewer {
    format: Format,
    nets: Nets,
    player: Player,
    reach: Reach,
}

impl Reviewer {
    /// Rates as a player of this mind in this format would. One that looks ahead has to look at
    /// every board.
    pub fn new(format: &Format, mind: Mind) -> Self {
        let nets = match &mind {
            Mind::Nets(mind) => mind.nets.clone(),
            Mind::Weights(..) => Nets::default(),
        };
        Self { format: *format, nets, player: Player::new(format, mind), reach: Reach::new(format) }
    }

    /// A placement beside the best of those that the format's taps reach, the next piece known in
    /// time.
    pub fn review(
        &mut self,
        board: &Playfield,
        lines: u32,
        piece: Piece,
        next: Piece,
        place: Placement,
    ) -> Review {
        let targets = self.reach.find(board, piece, self.format.speed(lines));
        let reachable = targets.iter().any(|target| target.place == place);
        let others = targets.iter().map(|target| target.place).filter(|&other| other != place);
        let places: Vec<Placement> = std::iter::once(place).chain(others).collect();
        let rated = self.player.rate(board, lines, piece, places.into_iter());
        let of = |worth: &Worth| worth[next as usize];
        // Of equals the first, which is the placement itself.
        let best = rated.iter().reduce(|best, found| if of(&found.1) > of(&best.1) { found } else { best });
        let (own, best) = (&rated[0], best.unwrap_or(&rated[0]));
        let odds = |board: &Playfield, lines: u32| odds(&self.format, &self.nets, board, lines);
        Review {
            value: of(&own.1),
            best: best.0.place,
            best_value: of(&best.1),
            reachable,
            odds: odds(&own.0.board, own.0.lines),
            best_odds: odds(&best.0.board, best.0.lines),
        }
    }
}
