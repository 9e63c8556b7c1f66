//! The mistakes of a game, asked again.

use notation::Turn;
use puzzle::{Grade, Lesson};
use review::{Class, Hands, Reviewer};
use tetris::{Orientation, Piece, Placement, Playfield};

use crate::nets::nets;

fn turn(number: u32, x: u8) -> Turn {
    // Twelve rows lack the right column alone.
    let well = (0..9).fold(Playfield::EMPTY, |mut board, column| {
        board.columns[column] = 0xFFF << 8;
        board
    });
    Turn {
        number,
        board: well,
        piece: Piece::O,
        next: Some(Piece::I),
        level: 18,
        lines: 40,
        score: None,
        place: place(x),
        cleared: 0,
        ms: [0, 0],
        shifts: Vec::new(),
    }
}

fn place(x: u8) -> Placement {
    Placement { orientation: Orientation::spawn(Piece::O), x, y: 6 }
}

/// An O over the well twice, where a tetris was ready, and once at the other side.
fn lesson() -> Lesson {
    let turns = [turn(7, 9), turn(8, 1), turn(9, 9)];
    let hands = Hands { hertz: 30.0, ..Hands::default() };
    let mut reviewer = Reviewer::new(hands, nets()).unwrap();
    let reviews: Vec<_> = reviewer.reviews(&turns).collect();
    assert_eq!(
        reviews.iter().map(|reviewed| reviewed.class >= Class::Mistake).collect::<Vec<_>>(),
        [true, false, true],
        "{reviews:?}"
    );
    Lesson::new(&reviews, hands, nets()).unwrap()
}

#[test]
fn mistakes_are_asked_in_their_order_and_the_better_place_solves_them() {
    let mut lesson = lesson();
    assert_eq!((lesson.mistakes().len(), lesson.asked().unwrap().number), (2, 7));
    let best = lesson.asked().unwrap().best.place;
    assert!(best.x < 9, "the well stays open");
    assert!(lesson.places().contains(&best));
    let correction = lesson.answer(best).unwrap().clone();
    assert_eq!((correction.grade, correction.number, correction.cost.round() as i32), (Grade::Solved, 7, 0));
    assert!(correction.cost_in_game > 10_000.0);
    assert!(lesson.held().is_none() && lesson.answer(best).is_err(), "it is answered");
    assert!(lesson.go_on());
    // The same mistake as in the game costs the same.
    let asked = lesson.asked().unwrap().clone();
    let correction = lesson.answer(asked.chosen.place).unwrap().clone();
    assert_eq!((correction.number, correction.grade), (9, Grade::Failed));
    assert!((correction.cost - asked.loss).abs() < 1.0, "{correction:?} {}", asked.loss);
    lesson.again();
    assert_eq!(lesson.corrections().len(), 1);
    assert!(!lesson.go_on() && lesson.asked().is_none() && lesson.held().is_none());
    assert!(lesson.answer(best).is_err());
    assert_eq!((lesson.solved(), lesson.number()), (1, 2));
}

#[test]
fn a_piece_is_moved_over_legal_places_and_placed() {
    let mut lesson = lesson();
    let (piece, held) = lesson.held().unwrap();
    assert!(piece == Piece::O && lesson.places().contains(&held));
    for _ in 0..9 {
        lesson.cursor().unwrap().shift(1);
    }
    assert_eq!(lesson.held().unwrap().1, place(9));
    assert_eq!(lesson.place().unwrap().grade, Grade::Failed);
    assert!(lesson.cursor().is_none());
    lesson.again();
    let error = lesson.answer(Placement { y: 3, ..place(3) }).unwrap_err().to_string();
    assert!(error.contains("cannot be brought to column 3, row 3"), "{error}");
}
