//! What the timed search says of buttons, beside the model of the game's rules.

use ai::{Evaluator, Filter, Start, TimedSearcher};
use nes_testing::model;
use proptest::prelude::*;
use tetris::ram::play_state::{ACTIVE, LOCK};
use tetris::rules::{Game, frames_per_row};
use tetris::{Piece, Placement, Playfield, View, buttons, ram};

/// A game whose piece has just appeared on a board.
fn spawned(rows: &[u16; 20], piece: Piece, level: u8) -> Game<'static> {
    let mut game = model::in_play();
    model::set(&mut game, rows, piece, level);
    game
}

fn place(view: View) -> Placement {
    Placement { x: view.column(), y: view.row(), orientation: view.orientation().unwrap() }
}

fn start(game: &Game, board: Playfield) -> Start {
    let memory = game.memory();
    let view = View::new(memory.ram());
    Start {
        board,
        above: [0; 2],
        place: place(view),
        fall_timer: view.byte(ram::FALL_TIMER),
        frames_per_row: frames_per_row(view.level()),
        held: view.held(),
        soft_drop: view.byte(ram::DOWN_REPEAT),
    }
}

/// Every way of a search, pressed on the model.
fn check(game: &Game, board: Playfield) -> usize {
    let mut searcher = TimedSearcher::new(Evaluator::Article, Filter::None);
    let places = searcher.find(&start(game, board)).to_vec();
    for &goal in &places {
        assert!(searcher.lead(goal), "no way to {goal:?}");
        let mut game = *game;
        let (last, steps) = searcher.way().split_last().unwrap();
        for step in steps {
            game.step(step.buttons);
            let memory = game.memory();
            let view = View::new(memory.ram());
            assert_eq!((view.play_state(), place(view)), (ACTIVE, step.place), "to {goal:?}");
        }
        game.step(last.buttons);
        let memory = game.memory();
        let view = View::new(memory.ram());
        assert_eq!((view.play_state(), place(view)), (LOCK, goal));
    }
    places.len()
}

/// Columns of some height with holes in them.
fn rows() -> impl Strategy<Value = [u16; 20]> {
    (prop::array::uniform10(0usize..16), any::<[u16; 20]>(), 0u16..4).prop_map(|(heights, noise, sparse)| {
        std::array::from_fn(|y| {
            let tall = (0..10).filter(|&x| y >= 20 - heights[x]).fold(0, |row, x| row | 1 << x);
            let holes =
                if sparse == 0 { noise[y] } else { noise[y] & noise[(y + 7) % 20] & noise[(y + 3) % 20] };
            tall & !holes & 0x3FF
        })
    })
}

fn piece() -> impl Strategy<Value = Piece> {
    prop::sample::select(Piece::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_place_is_reached_by_its_buttons_at_levels_0_18_19_and_29(rows in rows(), piece in piece()) {
        for level in [0, 18, 19, 29] {
            check(&spawned(&rows, piece, level), Playfield::from_rows(&rows));
        }
    }

    #[test]
    fn a_search_from_the_air_goes_on_with_what_is_held(
        rows in rows(),
        piece in piece(),
        level in prop::sample::select(vec![5, 18, 29]),
        presses in prop::collection::vec(0u8..0x10, 0..12),
    ) {
        let mut game = spawned(&rows, piece, level);
        let mut held = 0;
        for press in presses {
            // Turns and directions, never Select and Start.
            held ^= [buttons::A, buttons::B, buttons::LEFT, buttons::RIGHT, buttons::DOWN, 0][usize::from(press) % 6];
            // Left, Right and Down together would halve the game's speed: not every frame reads the
            // pads.
            if held & 7 != 7 {
                game.step(held);
            }
        }
        if game.memory().ram()[ram::PLAY_STATE.at()] == ACTIVE {
            check(&game, Playfield::from_rows(&rows));
        }
    }
}

#[test]
fn on_an_empty_board_every_lock_without_gravity_is_reached_at_every_speed() {
    for piece in Piece::ALL {
        let free = ai::Walk::new(&Playfield::EMPTY, piece, &Filter::None).locks().len();
        for level in [0, 8, 18, 19, 29] {
            assert_eq!(
                check(&spawned(&[0; 20], piece, level), Playfield::EMPTY),
                free,
                "{piece} at level {level}"
            );
        }
    }
}

#[test]
fn a_piece_that_does_not_fit_finds_nothing() {
    let mut searcher = TimedSearcher::new(Evaluator::Article, Filter::None);
    let start = Start::spawn(Playfield::FULL, Piece::I, 1);
    assert_eq!((searcher.find(&start).len(), searcher.decide(&start, Piece::O)), (0, None));
}

#[test]
fn a_filter_keeps_the_well_free_until_an_i_comes_and_gives_way_where_nothing_is_left() {
    let mut rows = [0; 20];
    for row in &mut rows[16..] {
        *row = 0x1FF;
    }
    let board = Playfield::from_rows(&rows);
    let rightmost = |piece, filter| {
        let mut searcher = TimedSearcher::new(Evaluator::Article, filter);
        let place = searcher.decide(&Start::spawn(board, piece, 1), Piece::O).unwrap().place;
        place.cells().iter().any(|&(x, _)| x == 9)
    };
    assert!(rightmost(Piece::J, Filter::None) && !rightmost(Piece::J, Filter::Well));
    assert!(rightmost(Piece::I, Filter::Well));
    // Two rows below the top only the rightmost columns are left to an O.
    let mut narrow = Start::spawn(board, Piece::O, 1);
    narrow.place.x = 9;
    narrow.place.y = 14;
    let mut searcher = TimedSearcher::new(Evaluator::Article, Filter::Well);
    assert!(searcher.decide(&narrow, Piece::O).is_some());
}
