//! Games of three players in the order of their points.

use ai::{Evaluator, Filter, Searcher};
use tetris::rules::frames_per_row;
use value::NetSource;

use super::*;

/// Pieces of each game.
const PIECES: usize = 120;

/// Places a piece by the rows, the lines and the two pieces in view.
type Decide<'a> = Box<dyn FnMut(&value::Board, u32, [Piece; 2]) -> Placement + 'a>;

/// Returns a game from level 18 and its share of lines cleared by four.
fn game(mut decide: Decide<'_>) -> (Log, f64) {
    let pieces: Vec<Piece> = deal_by_odds(35).take(PIECES + 1).collect();
    let (mut board, mut lines, mut by_four) = (value::Board::EMPTY, 0, 0);
    let mut log = Log::default();
    for (number, pair) in (1..).zip(pieces.windows(2)) {
        let place = decide(&board, lines, [pair[0], pair[1]]);
        log.pieces.push(Played {
            number,
            next: pair[1],
            rows: board.rows(),
            level: 18,
            frames_per_row: frames_per_row(18),
            lines,
            place: Some(place.into()),
            ..Played::first(pair[0])
        });
        let cleared = board.lock(Place { orientation: place.orientation, x: place.x, y: place.y });
        by_four += if cleared == 4 { 4 } else { 0 };
        lines += cleared;
    }
    (log, f64::from(by_four) / f64::from(lines))
}

/// A computer that places pieces anywhere they fall to.
fn by(evaluator: Evaluator) -> Decide<'static> {
    let mut searcher = Searcher::new(evaluator, Filter::None);
    Box::new(move |board, _, pieces| {
        searcher.decide(&ai::Board::from_rows(&board.rows()), &pieces).unwrap().place
    })
}

/// The player for points.
fn by_nets(hands: Hands) -> Decide<'static> {
    let format = PointsCoach::by(hands, Some(NetSource::default().get().clone())).format;
    let linear = Linear::by_speed(&format, WeightsFile::built_in().weights);
    let mut player = Player::new(&format, NetMind::new(NetSource::default().get().clone(), linear).into());
    Box::new(move |board, lines, [piece, next]| {
        let choice = player.decide(board, lines, piece).unwrap();
        let Place { orientation, x, y } = player.decider().children()[choice.targets[next as usize]].place;
        Placement { x, y, orientation }
    })
}

fn mean_cost(mut coach: PointsCoach, log: &Log) -> f64 {
    let reviews = coach.reviews(log);
    assert_eq!(reviews.len(), PIECES);
    reviews.iter().map(|review| review.cost).sum::<f64>() / PIECES as f64
}

#[test]
fn by_nets_a_burner_costs_more_than_a_stacker_and_that_more_than_the_player_for_points() {
    let hands = Hands { hertz: 30.0, reaction: 18 };
    let [(points, tetrises), (stacker, stacked), (burner, burnt)] =
        [by_nets(hands), by(Evaluator::Stacking), by(Evaluator::Article)].map(game);
    assert!(tetrises > 0.4 && stacked > 0.4 && burnt < 0.2, "{tetrises} {stacked} {burnt}");
    for hertz in [12.0, 30.0] {
        let hands = Hands { hertz, ..hands };
        let coach = PointsCoach::with_nets(hands, NetSource::default().get().clone());
        let costs = [&points, &stacker, &burner].map(|log| mean_cost(coach.clone(), log));
        let by_weights = [&stacker, &burner].map(|log| mean_cost(PointsCoach::new(hands), log));
        println!("{hertz} taps a second: {costs:.0?}; stacker and burner by weights {by_weights:.1?}");
        assert!(costs.is_sorted_by(|less, more| 1.5 * less < *more), "{hertz} taps a second: {costs:?}");
    }
}
