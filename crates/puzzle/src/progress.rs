//! What a player has come to: rating, streak, and which puzzles are due again.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

use crate::bank::{Bank, Puzzle};
use crate::judge::{Grade, Verdict};
use crate::theme::Theme;

/// Answers that are remembered.
const HISTORY: usize = 20_000;
/// Days after which a puzzle that was failed comes again, each time that it is solved.
const AGAIN: [u32; 4] = [1, 3, 7, 21];
/// How sure a first guess at a puzzle's rating is.
const GUESS: f64 = 150.0;
/// Puzzles of about the player's rating from which the next is drawn.
const NEAREST: usize = 30;

/// Seconds of a day.
const DAY: u64 = 86_400;

/// Returns the day of a time in seconds, both counted from 1 January 1970, UTC.
pub fn day_of(seconds: u64) -> u32 {
    (seconds / DAY) as u32
}

/// An answer that was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solved {
    /// The day, counted from 1 January 1970, UTC.
    pub day: u32,
    /// The puzzle's number.
    pub puzzle: u32,
    /// How good it was.
    pub grade: Grade,
    /// Points that it cost.
    pub cost: f32,
    /// Was it the puzzle of the day?
    pub daily: bool,
    /// The player's rating after it.
    pub rating: f64,
}

/// A rating of Glicko-2.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Rating {
    #[serde(rename = "rating")]
    value: f64,
    deviation: f64,
    volatility: f64,
}

impl From<Glicko2Rating> for Rating {
    fn from(Glicko2Rating { rating, deviation, volatility }: Glicko2Rating) -> Self {
        Self { value: rating, deviation, volatility }
    }
}

impl From<Rating> for Glicko2Rating {
    fn from(Rating { value, deviation, volatility }: Rating) -> Self {
        Self { rating: value, deviation, volatility }
    }
}

/// When a puzzle that was failed comes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Due {
    day: u32,
    /// How often it was solved since.
    solved: u8,
}

/// A player, to be kept as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    player: Rating,
    /// Puzzles whose rating has moved.
    puzzles: BTreeMap<u32, Rating>,
    due: BTreeMap<u32, Due>,
    history: Vec<Solved>,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            player: Glicko2Rating::new().into(),
            puzzles: BTreeMap::new(),
            due: BTreeMap::new(),
            history: Vec::new(),
        }
    }
}

impl Progress {
    /// The player's rating, and how unsure it is.
    pub const fn rating(&self) -> (f64, f64) {
        (self.player.value, self.player.deviation)
    }

    /// What was answered, the oldest first.
    pub fn history(&self) -> &[Solved] {
        &self.history
    }

    /// Returns the rating at the end of each day with an answer, the oldest first: the day, and the
    /// rating.
    pub fn ratings(&self) -> Vec<(u32, f64)> {
        let mut days: Vec<(u32, f64)> = Vec::new();
        for solved in &self.history {
            match days.last_mut().filter(|(day, _)| *day == solved.day) {
                Some((_, rating)) => *rating = solved.rating,
                None => days.push((solved.day, solved.rating)),
            }
        }
        days
    }

    /// How hard a puzzle is, by its first guess and by the player's answers.
    pub fn rating_of(&self, puzzle: &Puzzle) -> f64 {
        self.puzzles.get(&puzzle.id()).map_or(f64::from(puzzle.rating), |rating| rating.value)
    }

    /// Takes in an answer. Player and puzzle are rated the first time on a day: who tries again at
    /// once has seen the answer.
    pub fn take(&mut self, puzzle: &Puzzle, verdict: &Verdict, day: u32, daily: bool) {
        let id = puzzle.id();
        let seen = self
            .history
            .iter()
            .rev()
            .take_while(|solved| solved.day == day)
            .any(|solved| solved.puzzle == id);
        if !seen {
            let guess =
                Rating { value: puzzle.rating.into(), deviation: GUESS, volatility: self.player.volatility };
            let of_puzzle = self.puzzles.get(&id).copied().unwrap_or(guess);
            let outcome = match verdict.grade {
                Grade::Solved => Outcomes::WIN,
                Grade::Close => Outcomes::DRAW,
                Grade::Failed => Outcomes::LOSS,
            };
            let rated = glicko2(&self.player.into(), &of_puzzle.into(), &outcome, &Glicko2Config::new());
            self.player = rated.0.into();
            self.puzzles.insert(id, rated.1.into());
            self.remember(id, verdict.grade, day);
        }
        self.history.push(Solved {
            day,
            puzzle: id,
            grade: verdict.grade,
            cost: verdict.cost,
            daily,
            rating: self.player.value,
        });
        if self.history.len() > HISTORY {
            self.history.remove(0);
        }
    }

    /// Puts off a puzzle that was failed once, or lets it go.
    fn remember(&mut self, id: u32, grade: Grade, day: u32) {
        if grade == Grade::Failed {
            self.due.insert(id, Due { day: day + AGAIN[0], solved: 0 });
        } else if let Some(due) = self.due.get_mut(&id) {
            due.solved += 1;
            match AGAIN.get(usize::from(due.solved)) {
                Some(days) => due.day = day + days,
                None => drop(self.due.remove(&id)),
            }
        }
    }

    /// Days in a row, up to this one or the day before, on which the puzzle of the day was
    /// answered.
    pub fn streak(&self, today: u32) -> u32 {
        let days: BTreeSet<u32> =
            self.history.iter().filter(|solved| solved.daily).map(|solved| solved.day).collect();
        let last = if days.contains(&today) { Some(today) } else { today.checked_sub(1) };
        let Some(last) = last else { return 0 };
        (0..=last).rev().take_while(|day| days.contains(day)).count() as u32
    }

    /// Returns the puzzles of a bank that were failed and are due again, the longest due first.
    pub fn due<'a>(&self, bank: &'a Bank, today: u32) -> Vec<&'a Puzzle> {
        if self.due.values().all(|due| due.day > today) {
            return vec![];
        }
        let day_of = |puzzle: &Puzzle| self.due.get(&puzzle.id()).map(|due| due.day);
        let dated = bank.puzzles.iter().filter_map(|puzzle| Some((day_of(puzzle)?, puzzle)));
        let mut due: Vec<(u32, &Puzzle)> = dated.filter(|(day, _)| *day <= today).collect();
        due.sort_by_key(|(day, _)| *day);
        due.into_iter().map(|(_, puzzle)| puzzle).collect()
    }

    /// Returns how good the first answer of a day to its puzzle of the day was; `None` if there was
    /// none.
    pub fn daily(&self, today: u32) -> Option<Grade> {
        let of_today = self.history.iter().rev().take_while(|solved| solved.day == today);
        of_today.filter(|solved| solved.daily).last().map(|solved| solved.grade)
    }

    /// The puzzle to ask next: one that is due again, or one of about the player's rating that was
    /// not answered yet. `chance` draws among those.
    pub fn next<'a>(
        &self,
        bank: &'a Bank,
        today: u32,
        theme: Option<Theme>,
        chance: u64,
    ) -> Option<&'a Puzzle> {
        let fits = |puzzle: &&Puzzle| theme.is_none_or(|theme| puzzle.themes.has(theme));
        if let Some(puzzle) = self.due(bank, today).into_iter().find(fits) {
            return Some(puzzle);
        }
        let answered: BTreeSet<u32> = self.history.iter().map(|solved| solved.puzzle).collect();
        let mut fitting: Vec<&Puzzle> = bank.puzzles.iter().filter(fits).collect();
        let new: Vec<&Puzzle> =
            fitting.iter().copied().filter(|puzzle| !answered.contains(&puzzle.id())).collect();
        if !new.is_empty() {
            fitting = new;
        }
        let distance = |puzzle: &&Puzzle| (self.rating_of(puzzle) - self.player.value).abs();
        fitting.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
        fitting.truncate(NEAREST);
        let count = fitting.len() as u64;
        fitting.get(chance.checked_rem(count)? as usize).copied()
    }
}
