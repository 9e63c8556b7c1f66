//! Which of many puzzles go into a bank.

use std::collections::BTreeSet;

use strum::IntoEnumIterator;

use crate::bank::{Bank, Puzzle};
use crate::theme::Theme;

/// Width of a class of ratings.
const CLASS: u16 = 150;

impl Bank {
    /// A bank of so many of these puzzles, spread over themes and difficulty: each theme in its
    /// turn takes one of the class of ratings of which it has fewest. Of equal puzzles one is
    /// taken.
    pub fn select(candidates: &[Puzzle], count: usize) -> Self {
        let mut left: Vec<Vec<Vec<&Puzzle>>> =
            Theme::iter().map(|theme| by_class(candidates, theme)).collect();
        let (mut taken, mut puzzles) = (BTreeSet::new(), Vec::new());
        let mut turns = vec![0; left.len()];
        while puzzles.len() < count && left.iter().any(|classes| !classes.is_empty()) {
            for (classes, turn) in left.iter_mut().zip(&mut turns) {
                // Puzzles that another theme has taken are passed over.
                while puzzles.len() < count && !classes.is_empty() {
                    let at = *turn % classes.len();
                    let Some(puzzle) = classes[at].pop() else {
                        classes.remove(at);
                        continue;
                    };
                    *turn += 1;
                    if taken.insert(puzzle.id()) {
                        puzzles.push(*puzzle);
                        break;
                    }
                }
            }
        }
        Self { puzzles }
    }
}

/// Puzzles of a theme by their rating, the first candidate last.
fn by_class(candidates: &[Puzzle], theme: Theme) -> Vec<Vec<&Puzzle>> {
    let of_theme = || candidates.iter().rev().filter(|puzzle| puzzle.themes.has(theme));
    let classes: BTreeSet<u16> = of_theme().map(|puzzle| puzzle.rating / CLASS).collect();
    let of = |class| of_theme().filter(|puzzle| puzzle.rating / CLASS == class).collect();
    classes.into_iter().map(of).collect()
}
