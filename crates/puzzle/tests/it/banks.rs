//! The bank that comes with the program, and banks of others.

use std::collections::BTreeSet;

use notation::lines::rests;
use puzzle::{Bank, BankError, Checker, Maker, Position, SelfPlay, play};
use strum::IntoEnumIterator;
use tetris::SplitMix64;

use crate::nets::nets;

#[test]
fn the_built_in_bank_has_two_thousand_puzzles_and_more_of_every_theme_and_difficulty() {
    let bank = Bank::built_in();
    assert!(bank.puzzles.len() >= 2_000, "{} puzzles", bank.puzzles.len());
    assert!(bank.bytes().len() <= 1 << 20);
    for theme in puzzle::Theme::iter() {
        let count = bank.puzzles.iter().filter(|puzzle| puzzle.themes.has(theme)).count();
        // Slow hands seldom have an answer of their own that survives being played on.
        let least = if theme == puzzle::Theme::Hands { 60 } else { 100 };
        assert!(count >= least, "{count} puzzles of {theme}");
    }
    let mut ratings: Vec<u16> = bank.puzzles.iter().map(|puzzle| puzzle.rating).collect();
    ratings.sort_unstable();
    let part = |tenths: usize| ratings[ratings.len() * tenths / 10];
    assert!(part(1) < 1_000 && part(9) > 1_400, "{} to {}", part(1), part(9));
    let ids: BTreeSet<u32> = bank.puzzles.iter().map(puzzle::Puzzle::id).collect();
    assert_eq!(ids.len(), bank.puzzles.len(), "no two are the same");
    for puzzle in &bank.puzzles {
        assert!(rests(&puzzle.position.board, puzzle.best));
        let link = puzzle.link();
        assert!(link.text().len() <= 100);
        assert_eq!(notation::link::Link::parse(&link.text()), Ok(link));
        assert_eq!(Position::of_link(&link), Some(puzzle.position));
    }
}

#[test]
fn every_day_has_a_puzzle_and_none_comes_again_before_all_have_been() {
    let bank = Bank::built_in();
    let count = bank.puzzles.len() as u32;
    let ids: BTreeSet<u32> = (20_000..20_000 + count).filter_map(|day| Some(bank.daily(day)?.id())).collect();
    assert_eq!(ids.len() as u32, count);
    assert_eq!(Bank::default().daily(1), None);
}

#[test]
fn a_bank_is_read_as_it_was_written_and_a_damaged_one_is_refused() {
    let bank = Bank { puzzles: Bank::built_in().puzzles[..20].to_vec() };
    let bytes = bank.bytes();
    assert_eq!(Bank::read(&bytes).as_ref(), Ok(&bank));
    let mut random = SplitMix64::new(3);
    for _ in 0..2_000 {
        let mut damaged = bytes.clone();
        let at = random.below(bytes.len() as u32) as usize;
        damaged[at] ^= 1 << random.below(8);
        assert!(Bank::read(&damaged).is_err(), "byte {at}");
        assert!(Bank::read(&bytes[..at]).is_err());
    }
    assert_eq!(Bank::read(b"MXGAME"), Err(BankError::NoBank));
}

#[test]
fn what_is_made_of_a_game_has_one_clear_answer_at_two_depths_for_slow_hands_and_fast_ones() {
    let nets = nets();
    let mut maker = Maker::new(&nets).unwrap();
    let mut positions = Vec::new();
    for number in 1..4 {
        play(&nets, &SelfPlay::numbered(number), |position| {
            positions.push(*position);
            positions.len() % 80 != 0
        });
    }
    let puzzles = maker.of_game(&positions);
    assert!(puzzles.len() > 3, "{} puzzles of {} positions", puzzles.len(), positions.len());
    for puzzle in &puzzles {
        assert_eq!(maker.consider(&puzzle.position), Some(*puzzle));
        assert!((500..=2_600).contains(&puzzle.rating) && puzzle.themes.iter().count() > 0);
    }
    // Played on, the answers win: the figure of many is told by `maxout puzzle check`.
    let checker = Checker::new(nets);
    let won = puzzles.iter().take(6).filter(|puzzle| checker.check(puzzle, 60).unwrap().is_won()).count();
    assert!(won + 1 >= puzzles.len().min(6), "{won}");
    let selected = Bank::select(&[&puzzles[..], &puzzles[..]].concat(), 1_000);
    assert_eq!(selected.puzzles.len(), puzzles.len(), "none twice");
}
