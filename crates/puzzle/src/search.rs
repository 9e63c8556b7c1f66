//! A search for puzzles in the games of a player, as front ends do it: a few positions at a time.

use notation::Turn;
use review::NoNets;
use value::Nets;

use crate::bank::Puzzle;
use crate::maker::{Maker, Position};

/// A search through games that are handed over one after another, the latest first.
#[derive(Clone, Debug)]
pub struct Search {
    maker: Maker,
    /// Positions of the current game that were not considered yet, the next one last.
    positions: Vec<Position>,
    passed_over: usize,
    found: Vec<Puzzle>,
    games: usize,
    left_out: usize,
}

impl Search {
    /// Games that are looked through, at most: the latest.
    pub const MOST_GAMES: usize = 60;
    /// Puzzles that are enough.
    pub const ENOUGH: usize = 300;

    /// Returns a search that evaluates by nets.
    ///
    /// # Errors
    /// [`NoNets`] where the nets leave a speed out.
    pub fn new(nets: &Nets) -> Result<Self, NoNets> {
        let maker = Maker::new(nets)?;
        Ok(Self { maker, positions: vec![], passed_over: 0, found: vec![], games: 0, left_out: 0 })
    }

    /// Takes the next game. What was not considered of the one before is dropped.
    pub fn take_game(&mut self, turns: &[Turn]) {
        self.positions = turns.iter().rev().filter_map(Position::of_turn).collect();
        self.passed_over = 0;
        self.games += 1;
    }

    /// Counts a game that cannot be looked through: a damaged one, or one of another cartridge.
    pub const fn leave_out(&mut self) {
        self.games += 1;
        self.left_out += 1;
    }

    /// Considers so many positions of the current game. Returns whether any are left.
    pub fn go_on(&mut self, count: usize) -> bool {
        for _ in 0..count {
            let Some(position) = self.positions.pop() else { break };
            let puzzle = self.maker.go_on(&mut self.passed_over, &position);
            // The same position of two games is asked once.
            self.found.extend(puzzle.filter(|puzzle| !self.found.contains(puzzle)));
        }
        !self.positions.is_empty()
    }

    /// The puzzles that were found, of the latest game first.
    pub fn found(&self) -> &[Puzzle] {
        &self.found
    }

    /// Games that were taken or left out.
    pub const fn games(&self) -> usize {
        self.games
    }

    /// Games that were left out.
    pub const fn left_out(&self) -> usize {
        self.left_out
    }

    /// Returns whether enough puzzles were found.
    pub const fn is_enough(&self) -> bool {
        self.found.len() >= Self::ENOUGH
    }
}
