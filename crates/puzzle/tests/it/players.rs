//! What a player comes to.

use crate::nets::nets;
use puzzle::{Bank, Choice, Desk, Grade, Progress, Puzzle, Theme, Verdict};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};
use tetris::{Piece, Placement};

fn verdict(grade: Grade) -> Verdict {
    Verdict {
        grade,
        cost: 100.0,
        costs: [100.0, 0.0],
        best: [Placement::spawn(Piece::T); 2],
        places: Vec::new(),
        reasons: Vec::new(),
    }
}

fn puzzles() -> Vec<Puzzle> {
    Bank::built_in().puzzles
}

/// The worked example of Glickman's paper.
#[test]
fn ratings_are_those_of_glicko_2() {
    let rating = |rating: f64, deviation: f64| Glicko2Rating { rating, deviation, volatility: 0.06 };
    let results = [
        (rating(1_400.0, 30.0), Outcomes::WIN),
        (rating(1_550.0, 100.0), Outcomes::LOSS),
        (rating(1_700.0, 300.0), Outcomes::LOSS),
    ];
    let rated = glicko2_rating_period(&rating(1_500.0, 200.0), &results, &Glicko2Config::new());
    assert!((rated.rating - 1_464.06).abs() < 0.02 && (rated.deviation - 151.52).abs() < 0.02);
    assert!((rated.volatility - 0.059_99).abs() < 0.000_02);
}

#[test]
fn who_solves_rises_who_fails_falls_and_the_puzzle_the_other_way() {
    let puzzle = puzzles()[5];
    for (grade, rises) in [(Grade::Solved, true), (Grade::Failed, false)] {
        let mut progress = Progress::default();
        assert_eq!(progress.rating(), (1_500.0, 350.0));
        progress.take(&puzzle, &verdict(grade), 100, false);
        let (rating, deviation) = progress.rating();
        assert_eq!(rating > 1_500.0, rises);
        assert!(deviation < 350.0);
        assert_eq!(progress.rating_of(&puzzle) < f64::from(puzzle.rating), rises);
        // At once it is no test any more.
        progress.take(&puzzle, &verdict(Grade::Solved), 100, false);
        assert_eq!((progress.rating().0, progress.history().len()), (rating, 2));
    }
}

#[test]
fn a_puzzle_that_was_failed_comes_again_after_a_day_three_a_week_and_three_weeks() {
    let bank = Bank::built_in();
    let puzzle = bank.puzzles[7];
    let mut progress = Progress::default();
    progress.take(&puzzle, &verdict(Grade::Failed), 100, false);
    let due = |progress: &Progress, day| progress.due(&bank, day).len();
    assert_eq!(due(&progress, 100), 0);
    let mut day = 100;
    for days in [1, 3, 7, 21] {
        assert_eq!(due(&progress, day + days - 1), 0);
        day += days;
        assert_eq!(due(&progress, day), 1);
        assert_eq!(progress.next(&bank, day, None, 0).map(Puzzle::id), Some(puzzle.id()));
        progress.take(&puzzle, &verdict(Grade::Solved), day, false);
    }
    assert_eq!(due(&progress, day + 1_000), 0);
}

#[test]
fn of_puzzles_that_are_due_those_of_the_bank_and_of_the_theme_are_asked() {
    let bank = Bank::built_in();
    let other = Bank { puzzles: bank.puzzles[..2].to_vec() };
    let bank = Bank { puzzles: bank.puzzles[2..].to_vec() };
    let of = |theme: Theme, has: bool| {
        let found = bank.puzzles.iter().find(|puzzle| puzzle.themes.has(theme) == has);
        *found.unwrap()
    };
    let (dig, none) = (of(Theme::Dig, true), of(Theme::Dig, false));
    let mut progress = Progress::default();
    // The longest due first: one of another bank, one of another theme, one that fits.
    for (day, puzzle) in [(100, &other.puzzles[0]), (101, &none), (102, &dig)] {
        progress.take(puzzle, &verdict(Grade::Failed), day, false);
    }
    let ids = |bank: &Bank| progress.due(bank, 110).into_iter().map(Puzzle::id).collect::<Vec<_>>();
    assert_eq!(ids(&bank), [none.id(), dig.id()]);
    assert_eq!(ids(&other), [other.puzzles[0].id()]);
    let next = |theme| progress.next(&bank, 110, theme, 0).map(Puzzle::id);
    assert_eq!((next(None), next(Some(Theme::Dig))), (Some(none.id()), Some(dig.id())));
}

#[test]
fn the_desk_asks_what_is_due_of_both_banks_and_then_the_next_one() {
    let mut desk = Desk::new(nets().into());
    desk.open();
    desk.own = Bank { puzzles: desk.bank.puzzles.split_off(490) };
    let failed = [desk.bank.puzzles[3], desk.own.puzzles[0]];
    for puzzle in &failed {
        desk.progress.take(puzzle, &verdict(Grade::Failed), 100, false);
    }
    assert_eq!((desk.due(100), desk.due(101)), (0, 2));
    let mut asked = vec![];
    for _ in 0..2 {
        desk.ask_next(Choice::Due, 101, 0).unwrap();
        let puzzle = desk.asked.as_ref().unwrap().puzzle;
        asked.push(puzzle.id());
        desk.progress.take(&puzzle, &verdict(Grade::Solved), 101, false);
    }
    assert_eq!(asked, [failed[1].id(), failed[0].id()]);
    assert_eq!(desk.due(101), 0);
    desk.ask_another(101, 0).unwrap();
    assert!(!asked.contains(&desk.asked.as_ref().unwrap().puzzle.id()));
}

#[test]
fn of_the_puzzle_of_the_day_the_first_answer_counts() {
    let mut progress = Progress::default();
    let puzzle = puzzles()[0];
    progress.take(&puzzle, &verdict(Grade::Solved), 9, true);
    assert_eq!(progress.daily(10), None);
    progress.take(&puzzle, &verdict(Grade::Failed), 10, false);
    assert_eq!(progress.daily(10), None, "another puzzle's");
    for grade in [Grade::Close, Grade::Solved] {
        progress.take(&puzzle, &verdict(grade), 10, true);
    }
    assert_eq!((progress.daily(10), progress.daily(11)), (Some(Grade::Close), None));
}

#[test]
fn the_next_puzzle_is_of_about_the_players_rating_of_the_theme_and_new() {
    let bank = Bank::built_in();
    let mut progress = Progress::default();
    for chance in 0..40 {
        let puzzle = *progress.next(&bank, 10, Some(Theme::Dig), chance).unwrap();
        assert!(puzzle.themes.has(Theme::Dig));
        assert!(progress.history().iter().all(|solved| solved.puzzle != puzzle.id()));
        assert!((f64::from(puzzle.rating) - progress.rating().0).abs() < 700.0);
        progress.take(&puzzle, &verdict(Grade::Close), 10, false);
    }
    assert_eq!(progress.next(&Bank::default(), 10, None, 3), None);
}

#[test]
fn a_streak_is_days_in_a_row_with_the_puzzle_of_the_day() {
    let mut progress = Progress::default();
    for day in [3, 10, 11, 12] {
        progress.take(&puzzles()[day as usize], &verdict(Grade::Failed), day, true);
    }
    progress.take(&puzzles()[0], &verdict(Grade::Solved), 13, false);
    assert_eq!([11, 12, 13, 14].map(|today| progress.streak(today)), [2, 3, 3, 0]);
    let text = serde_json::to_string(&progress).unwrap();
    assert_eq!(serde_json::from_str::<Progress>(&text).unwrap(), progress);
}
