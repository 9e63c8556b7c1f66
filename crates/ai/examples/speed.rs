//! Decisions a second of processor time, one thread: the fast search with the widest vectors and
//! with portable ones, and the plain search, all three in the same game.
//!
//! `cargo run --release -p ai --example speed [PIECES [widest|portable]]`; with a name only that
//! search plays.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example measures and asks")]

use ai::{Evaluator, Filter, Game, Searcher, Walk, search};
use cpu_time::ThreadTime;
use randomizers::Kind;
use tetris::{Piece, Playfield};

fn main() {
    let pieces = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let only = std::env::args().nth(2);
    for randomizer in [Kind::Uniform, Kind::Nes] {
        for (name, searcher) in [
            ("widest vectors", Searcher::new(Evaluator::Article, Filter::None)),
            ("portable", Searcher::portable(Evaluator::Article, Filter::None)),
        ] {
            if only.as_ref().is_some_and(|only| !name.starts_with(only.as_str())) {
                continue;
            }
            let mut game = Game::new(Playfield::EMPTY, randomizer.seeded(1), 2, searcher);
            let begun = ThreadTime::now();
            while game.statistics().pieces < pieces && game.step().is_some() {}
            let seconds = begun.elapsed().as_secs_f64();
            let played = game.statistics().pieces;
            println!("{randomizer:<8} {name:<15} {:>9.0} decisions/CPU-s", played as f64 / seconds);
        }
        if only.is_none() {
            plain(randomizer, pieces / 100);
        }
    }
}

/// The same game with the plain search, which counts what there is to do.
fn plain(randomizer: Kind, pieces: u64) {
    let mut known = randomizer.seeded(1);
    let mut pair: [Piece; 2] = std::array::from_fn(|_| known.next().unwrap_or(Piece::O));
    let (mut board, mut boards, mut firsts) = (Playfield::EMPTY, 0, 0);
    let begun = ThreadTime::now();
    for _ in 0..pieces {
        let found = search(&board, &pair, &Evaluator::Article, &Filter::None);
        boards += found.n_evals;
        firsts += found.n_locks;
        let Some(place) = found.result.and_then(|best| best.tie_first.first().copied()) else { break };
        board.lock_in_window(place);
        pair = [pair[1], known.next().unwrap_or(Piece::O)];
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{randomizer:<8} {:<15} {:>9.0} decisions/CPU-s; {:.1} boards and {:.2} first placements a decision",
        "plain",
        pieces as f64 / seconds,
        boards as f64 / pieces as f64,
        firsts as f64 / pieces as f64
    );
    let begun = ThreadTime::now();
    let walks: usize = (0..10_000).map(|_| Walk::new(&board, pair[0], &Filter::None).locks().len()).sum();
    let each = begun.elapsed().as_secs_f64() / 10_000.0;
    println!("{randomizer:<8} {:<15} {:>9.2} us a walk of {} locks", "walk", each * 1e6, walks / 10_000);
}
