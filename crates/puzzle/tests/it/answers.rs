//! Answers, judged.

use puzzle::{AnswerError, Bank, Grade, Judge};
use tetris::Placement;

use crate::nets::nets;

#[test]
fn the_best_line_costs_nothing_and_another_one_costs_what_it_loses() {
    let bank = Bank::built_in();
    let (mut solved, mut failed) = (0, 0);
    let asked: Vec<_> = bank.puzzles.iter().step_by(bank.puzzles.len() / 24).collect();
    for puzzle in &asked {
        let mut judge = Judge::new(puzzle.hertz, nets()).unwrap();
        let verdict = judge.verdict(&puzzle.position, [puzzle.best, puzzle.then]).unwrap();
        assert_eq!(verdict.best[0], puzzle.best);
        assert_eq!(verdict.grade, Grade::Solved, "{verdict:?}");
        assert!(verdict.cost.abs() < 1.0 && verdict.reasons.is_empty());
        solved += 1;
        let places = judge.places(&puzzle.position);
        assert!(places.contains(&puzzle.best));
        let other = places
            .into_iter()
            .find(|&place| place != puzzle.best && !judge.next_places(&puzzle.position, place).is_empty());
        let Some(other) = other else { continue };
        let then = judge.next_places(&puzzle.position, other)[0];
        let verdict = judge.verdict(&puzzle.position, [other, then]).unwrap();
        assert!(verdict.costs[0] > 0.0 && verdict.costs[1] >= 0.0 && verdict.grade != Grade::Solved);
        assert!(!verdict.reasons.is_empty(), "{verdict:?}");
        failed += 1;
    }
    assert!(solved >= 24 && failed > 20);
}

#[test]
fn where_the_hands_do_not_get_a_piece_is_no_answer() {
    let puzzle = Bank::built_in().puzzles[0];
    let mut judge = Judge::new(puzzle.hertz, nets()).unwrap();
    let flying = Placement { y: 1, ..puzzle.best };
    let refused = judge.verdict(&puzzle.position, [flying, puzzle.then]).unwrap_err();
    assert!(matches!(refused, AnswerError::Unreachable(..)), "{refused}");
    let refused = judge.verdict(&puzzle.position, [puzzle.best, flying]).unwrap_err();
    assert!(matches!(refused, AnswerError::Unreachable(..)), "{refused}");
    assert!(Judge::new(30, value::Nets::default()).is_err());
}
