//! How good a candidate is: games on the model, their pieces fixed by a seed.

use std::collections::VecDeque;

use ai::{Evaluator, Filter, Searcher, Weights};
use randomizers::Kind;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};
use tetris::scoring::POINTS;
use tetris::{Piece, Playfield, SplitMix64};

use crate::pressure::Rising;
use crate::random;
use crate::{Vector, garbage};

/// What a game is played for. More is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive)]
#[strum(parse_err_ty = UnknownObjective, parse_err_fn = UnknownObjective::from)]
pub enum Objective {
    /// Pieces placed, of at most as many as the trial allows.
    Survival,
    /// Pieces placed while S and Z in turn take a rising share, all of it from the trial's number
    /// of pieces on.
    Rising,
    /// Lines a piece on ten rows of garbage, where another row comes up from below for each one
    /// cleared.
    Garbage,
    /// Lines a piece.
    Lines,
    /// Points a piece by the game's rules, an A-type game from level 0.
    Score,
}

/// A name that is no objective's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("fitness `{0}`: expected one of {names}", names = Objective::ALL.map(Objective::name).join(", "))]
pub struct UnknownObjective(String);

impl From<&str> for UnknownObjective {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl Objective {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Rising, Self::Garbage, Self::Survival, Self::Lines, Self::Score];

    /// The name, as it is parsed.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A measure of candidates: so many games of so many pieces. A game's pieces follow from seed and
/// number alone, so that every candidate plays the same ones, on whatever machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// What is counted.
    pub objective: Objective,
    /// Games a candidate.
    pub games: u32,
    /// Most pieces a game; of [`Objective::Rising`] those until S and Z alone are left.
    pub pieces: u64,
    /// Who deals.
    pub randomizer: Kind,
    /// From which the seeds of all games follow.
    pub seed: u64,
    /// Number of the first game.
    pub first_game: u64,
}

/// Garbage rows at the start.
const GARBAGE: usize = 10;

impl Trial {
    /// Games of a number and a length that tell candidates apart within a second or two: good
    /// players live through some 900 pieces of [`Objective::Rising`] and 25 on garbage.
    pub fn new(objective: Objective) -> Self {
        let (games, pieces) = match objective {
            Objective::Survival => (8, 20_000),
            Objective::Rising | Objective::Lines | Objective::Score => (8, 1_000),
            Objective::Garbage => (128, 100),
        };
        Self { objective, games, pieces, randomizer: Kind::Uniform, seed: 0, first_game: 0 }
    }

    /// What a game of this number, counted from [`Self::first_game`], is worth with these weights.
    /// A game is over where a known piece has no room, and what was not placed then is worth
    /// nothing.
    pub fn play(&self, candidate: &Vector, number: u32) -> f64 {
        let seed = SplitMix64::mix(self.seed ^ SplitMix64::mix(self.first_game.wrapping_add(number.into())));
        let dealer = self.randomizer.seeded(seed);
        let mut chance = random::sequence(!seed);
        let mut board = Playfield::EMPTY;
        if self.objective == Objective::Garbage {
            garbage::push(&mut board, GARBAGE, &mut chance);
        }
        let table = Table {
            board,
            searcher: Searcher::new(Evaluator::Weighted(Weights::from(*candidate)), Filter::None),
            chance,
            objective: self.objective,
        };
        if self.objective == Objective::Rising {
            // Nobody lives through S and Z alone: 70,000 is the longest that was proved (Burgiel
            // 1997).
            table.play(
                Rising::new(dealer, self.pieces, seed.rotate_left(32)),
                self.pieces.saturating_add(70_000),
            )
        } else {
            let sum = table.play(dealer, self.pieces);
            if self.objective == Objective::Survival { sum } else { sum / self.pieces.max(1) as f64 }
        }
    }

    /// The mean of all games.
    pub fn mean(&self, candidate: &Vector) -> f64 {
        let games = (0..self.games).map(|number| self.play(candidate, number));
        games.sum::<f64>() / f64::from(self.games.max(1))
    }
}

/// A game in progress.
struct Table {
    board: Playfield,
    searcher: Searcher,
    chance: SplitMix64,
    objective: Objective,
}

impl Table {
    fn play(mut self, mut pieces: impl Iterator<Item = Piece>, limit: u64) -> f64 {
        let mut known: VecDeque<Piece> = pieces.by_ref().take(2).collect();
        let (mut placed, mut lines, mut points) = (0u64, 0u64, 0u64);
        while placed < limit {
            let Some(decision) = self.searcher.decide(&self.board, known.make_contiguous()) else { break };
            let cleared = self.board.lock_in_window(decision.place).lines as usize;
            known.pop_front();
            known.extend(pieces.next());
            placed += 1;
            lines += cleared as u64;
            if cleared > 0 {
                // The points are counted with the level that the lines have led to.
                points += u64::from(POINTS[cleared.min(4)]) * (lines / 10 + 1);
                if self.objective == Objective::Garbage
                    && !garbage::push(&mut self.board, cleared, &mut self.chance)
                {
                    break;
                }
            }
        }
        match self.objective {
            Objective::Survival | Objective::Rising => placed as f64,
            Objective::Garbage | Objective::Lines => lines as f64,
            Objective::Score => points as f64,
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "equal games give equal sums")]
mod tests {
    use super::*;

    /// The article's weights.
    fn article() -> Vector {
        Weights::ARTICLE.into()
    }

    #[test]
    fn every_objective_prefers_the_articles_weights_to_their_opposite() {
        for objective in Objective::ALL {
            let trial = Trial { games: 2, pieces: 200, ..Trial::new(objective) };
            let (good, bad) = (trial.mean(&article()), trial.mean(&article().map(|weight| -weight)));
            assert!(good > 2.0 * bad, "{objective}: {good} {bad}");
        }
    }

    #[test]
    fn only_ratios_of_weights_matter() {
        let trial = Trial { games: 1, pieces: 300, ..Trial::new(Objective::Rising) };
        assert_eq!(trial.mean(&article()), trial.mean(&article().map(|weight| weight * 0.125)));
    }

    #[test]
    fn a_game_depends_on_its_number_alone() {
        let trial = Trial { pieces: 200, ..Trial::new(Objective::Garbage) };
        let later = Trial { first_game: 3, ..trial.clone() };
        assert_eq!(trial.play(&article(), 5), later.play(&article(), 2));
        assert_ne!(trial.play(&article(), 5), trial.play(&article(), 4));
    }

    #[test]
    fn s_and_z_end_a_rising_game_soon_after_nothing_else_comes() {
        let trial = Trial { games: 4, pieces: 500, ..Trial::new(Objective::Rising) };
        let mean = trial.mean(&article());
        assert!((100.0..1_000.0).contains(&mean), "{mean}");
    }

    #[test]
    fn a_survivor_of_four_hundred_pieces_clears_four_lines_in_ten() {
        let trial = Trial { games: 1, pieces: 400, ..Trial::new(Objective::Lines) };
        let mean = trial.mean(&article());
        assert!((0.35..=0.4).contains(&mean), "{mean}");
        let trial = Trial { objective: Objective::Survival, ..trial };
        assert_eq!(trial.mean(&article()), 400.0);
    }
}
