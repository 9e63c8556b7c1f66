//! The searches against records of the article's own programs.

use std::path::Path;

use ai::{Evaluator, Factors, Filter, SearchResult, Searcher, Tally, Walk, locks, search};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tetris::{Piece, Placement, Playfield};

#[derive(Deserialize)]
struct Search2 {
    id: u32,
    rows: Playfield,
    cur: u8,
    next: u8,
    board_eval: Factors,
    #[serde(flatten)]
    answer: SearchResult,
}

#[derive(Deserialize)]
struct Search1 {
    id: u32,
    rows: Playfield,
    cur: u8,
    locks: Vec<[u16; 4]>,
    fitness_per_lock: Vec<f64>,
    best: Option<Placement>,
    best_fitness: Option<f64>,
}

#[derive(Deserialize)]
struct Move {
    cur: u8,
    next: u8,
    #[serde(flatten)]
    place: Point,
    fitness: f64,
    n_evals: u64,
    cells_after: u32,
    board_fnv: String,
}

#[derive(Deserialize)]
struct Point {
    x: u8,
    y: u8,
    orient: u8,
}

fn records<T: DeserializeOwned>(name: &str, count: usize) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let text = std::fs::read_to_string(&path).expect("the records lie beside the test");
    let records: Vec<T> = text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    assert_eq!(records.len(), count, "{name}");
    records
}

fn piece(number: u8) -> Piece {
    Piece::from_number(number).expect("a piece")
}

fn holds(name: &str, count: usize, filter: &Filter) {
    let mut searcher = Searcher::new(Evaluator::Article, filter.clone());
    let mut portable = Searcher::portable(Evaluator::Article, filter.clone());
    for record in records::<Search2>(name, count) {
        let pieces = [piece(record.cur), piece(record.next)];
        assert_eq!(Factors::of(&record.rows), record.board_eval, "{}", record.id);
        assert_eq!(
            search(&record.rows, &pieces, &Evaluator::Article, filter),
            record.answer,
            "{}",
            record.id
        );
        let choice = record.answer.result.map(|choice| (choice.x, choice.y, choice.orient, choice.fitness));
        for searcher in [&mut searcher, &mut portable] {
            let decision = searcher.decide(&record.rows, &pieces);
            let decision =
                decision.map(|made| (made.place.x, made.place.y, made.place.orientation.id(), made.fitness));
            assert_eq!(decision, choice, "{}", record.id);
        }
    }
}

#[test]
fn boards_met_in_play_get_the_articles_answers() {
    holds("search2_selfplay.jsonl", 2500, &Filter::None);
}

#[test]
fn garbage_caves_and_full_rows_get_the_articles_answers() {
    holds("search2_random.jsonl", 1000, &Filter::None);
}

#[test]
fn the_well_filter_answers_as_the_articles() {
    holds("search2_wellfilter.jsonl", 250, &Filter::Well);
}

#[test]
fn one_piece_locks_in_the_articles_order_at_its_distances() {
    for record in records::<Search1>("search1_locks.jsonl", 250) {
        let piece = piece(record.cur);
        let walk = Walk::new(&record.rows, piece, &Filter::None);
        let found: Vec<[u16; 4]> = walk
            .locks()
            .iter()
            .map(|&place| {
                let [x, y, orient] = place.into();
                [x.into(), y.into(), orient.into(), walk.distance(place).expect("a lock is reached") as u16]
            })
            .collect();
        assert_eq!(found, record.locks, "{}", record.id);
        let fitness: Vec<f64> = walk
            .locks()
            .iter()
            .map(|&place| {
                let mut board = record.rows;
                let cleared = board.lock_in_window(place);
                Evaluator::Article.rate(&board, &Tally::default().with(place, cleared))
            })
            .collect();
        assert_eq!(fitness, record.fitness_per_lock, "{}", record.id);
        let decision = Searcher::new(Evaluator::Article, Filter::None).decide(&record.rows, &[piece]);
        assert_eq!(decision.map(|made| made.place), record.best, "{}", record.id);
        assert_eq!(decision.map(|made| made.fitness), record.best_fitness, "{}", record.id);
        let mut sorted = walk.locks().to_vec();
        sorted.sort_unstable();
        let mut set = locks(&record.rows, piece, &Filter::None);
        set.sort_unstable();
        assert_eq!(set, sorted, "{}", record.id);
    }
}

#[test]
fn three_thousand_pieces_fall_as_in_the_articles_program() {
    let mut searcher = Searcher::new(Evaluator::Article, Filter::None);
    let mut board = Playfield::EMPTY;
    for (number, record) in records::<Move>("trace_plain.jsonl", 3000).into_iter().enumerate() {
        let pieces = [piece(record.cur), piece(record.next)];
        let made = searcher.decide(&board, &pieces).expect("there is room");
        let place = (made.place.x, made.place.y, made.place.orientation.id());
        assert_eq!(place, (record.place.x, record.place.y, record.place.orient), "{number}");
        assert_eq!(made.fitness.to_bits(), record.fitness.to_bits(), "{number}");
        if number % 50 == 0 {
            assert_eq!(search(&board, &pieces, &Evaluator::Article, &Filter::None).n_evals, record.n_evals);
        }
        board.lock_in_window(made.place);
        assert_eq!(board.cells(), record.cells_after, "{number}");
        let fnv = board
            .rows()
            .iter()
            .fold(1469598103934665603u64, |hash, &row| (hash ^ u64::from(row)).wrapping_mul(1099511628211));
        assert_eq!(format!("{fnv:x}"), record.board_fnv, "{number}");
    }
}
