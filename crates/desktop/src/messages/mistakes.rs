//! What the coach tells the interface.

use ai::Placement;

/// What the coach found in a game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mistakes {
    /// What cost most, the dearest first.
    pub dear: Vec<Mistake>,
    /// Placements that were rated.
    pub rated: usize,
    /// How they were, and what else there is to say, a line each.
    pub notes: Vec<String>,
}

/// What a placement cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cost {
    /// In the units of an evaluation of boards.
    Units(f64),
    /// In points of the rest of the game, as nets know it.
    Points(f64),
}

/// A placement that cost much, as the coach rates it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistake {
    /// The piece's number in its game, from 1.
    pub number: u32,
    /// The piece: T, J, Z, O, S, L or I.
    pub letter: char,
    /// What was lost by it.
    pub cost: Cost,
    /// Where it locked.
    pub chosen: Placement,
    /// Where it should have locked.
    pub best: Placement,
    /// Its spawn as a position, to try it again.
    pub position: String,
}
