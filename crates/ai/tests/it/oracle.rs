//! The fast search against the plain one on boards of any kind.

use ai::{Evaluator, Filter, Formula, Pattern, Searcher, Walk, locks, search};
use proptest::prelude::*;
use tetris::{Piece, Placement, Playfield};

fn piece() -> impl Strategy<Value = Piece> {
    (0..7u8).prop_map(|number| Piece::ALL[usize::from(number)])
}

/// From almost empty to almost full, from the row `top` down, some rows full.
fn board() -> impl Strategy<Value = Playfield> {
    let row = prop_oneof![
        4 => any::<u16>().prop_map(|bits| bits & 0x3FF),
        4 => (any::<u16>(), any::<u16>()).prop_map(|(a, b)| (a | b) & 0x3FF),
        2 => (any::<u16>(), any::<u16>()).prop_map(|(a, b)| a & b & 0x3FF),
        4 => (0..10u16).prop_map(|hole| 0x3FF & !(1 << hole)),
        1 => Just(0x3FF),
        1 => Just(0),
    ];
    (prop::array::uniform20(row), 0..21usize).prop_map(|(mut rows, top)| {
        rows[..top].fill(0);
        Playfield::from_rows(&rows)
    })
}

fn filter() -> impl Strategy<Value = Filter> {
    let picture =
        prop::array::uniform20((0..10u16, any::<u16>()).prop_map(|(hole, row)| row & 0x3FF & !(1 << hole)));
    let pattern = picture.prop_map(|rows| Filter::Pattern(Pattern::new("any", rows).unwrap()));
    prop_oneof![
        2 => Just(Filter::None),
        2 => Just(Filter::Well),
        1 => pattern.clone(),
        1 => pattern.prop_map(|pattern| [Filter::Well, pattern].into_iter().collect()),
    ]
}

fn evaluator() -> impl Strategy<Value = Evaluator> {
    prop_oneof![
        3 => Just(Evaluator::Article),
        2 => prop::array::uniform6(-40.0..40.0).prop_map(|weights| Evaluator::Weighted(weights.into())),
        1 => Just(Evaluator::ElTetris),
        1 => Just(Formula::parse("tetrises = -90\nwells = 9\nroughness = 2\ncovered_rows = { weight = 3, power = 1.5 }").unwrap().into()),
        1 => Just(Evaluator::Dellacherie),
    ]
}

fn agree(
    board: &Playfield,
    pieces: &[Piece],
    evaluator: &Evaluator,
    filter: &Filter,
) -> Result<(), TestCaseError> {
    let plain = search(board, pieces, evaluator, filter).result;
    let plain = plain.map(|choice| ([choice.x, choice.y, choice.orient], choice.fitness));
    for mut searcher in [
        Searcher::new(evaluator.clone(), filter.clone()),
        Searcher::portable(evaluator.clone(), filter.clone()),
    ] {
        let fast = searcher.decide(board, pieces).map(|made| (<[u8; 3]>::from(made.place), made.fitness));
        prop_assert_eq!(fast, plain);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn sets_hold_the_locks_of_the_walk(board in board(), piece in piece(), filter in filter()) {
        let mut walked = Walk::new(&board, piece, &filter).locks().to_vec();
        let mut set = locks(&board, piece, &filter);
        walked.sort_unstable();
        set.sort_unstable();
        prop_assert_eq!(set, walked);
    }

    #[test]
    fn a_path_leads_from_spawn_to_its_lock_one_move_at_a_time(board in board(), piece in piece(), filter in filter()) {
        let walk = Walk::new(&board, piece, &filter);
        for &place in walk.locks() {
            let path = walk.path(place).unwrap();
            prop_assert_eq!(path[0], Placement::spawn(piece));
            prop_assert_eq!(*path.last().unwrap(), place);
            for step in path.windows(2) {
                prop_assert!(board.fits(step[1]));
                let (from, to) = (step[0], step[1]);
                let moved = from.x.abs_diff(to.x) + from.y.abs_diff(to.y);
                let turned = from.orientation != to.orientation;
                prop_assert!(moved + u8::from(turned) == 1 && to.y >= from.y);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn one_and_two_pieces_get_the_plain_searchs_move(
        board in board(), pieces in prop::collection::vec(piece(), 0..=2), evaluator in evaluator(), filter in filter()
    ) {
        agree(&board, &pieces, &evaluator, &filter)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn three_pieces_get_the_plain_searchs_move(
        board in board(), pieces in prop::array::uniform3(piece()), filter in filter()
    ) {
        agree(&board, &pieces, &Evaluator::Article, &filter)?;
    }
}
