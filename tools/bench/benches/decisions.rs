//! Searches, decisions and evaluations a second of one thread:
//! `cargo bench -p maxout-bench --features measure --bench decisions`.

use std::hint::black_box;

use ai::{Decision, Evaluator, Factors, Filter, Game, Searcher, Tally, Walk, Weights, locks, search};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use randomizers::Kind;
use tetris::{Piece, Playfield};

const NAMES: [&str; 2] = ["widest vectors", "portable"];

fn searchers(filter: &Filter) -> [Searcher; 2] {
    [
        Searcher::new(Evaluator::Article, filter.clone()),
        Searcher::portable(Evaluator::Article, filter.clone()),
    ]
}

/// Boards and pieces as a game meets them.
fn positions() -> Vec<(Playfield, [Piece; 2])> {
    let mut dealt = Kind::Uniform.seeded(2);
    let [searcher, _] = searchers(&Filter::None);
    let mut game = Game::new(Playfield::EMPTY, Kind::Uniform.seeded(1), 2, searcher);
    let mut met = Vec::new();
    while met.len() < 256 && game.step().is_some() {
        met.extend(dealt.next().zip(dealt.next()).map(|(current, next)| (*game.board(), [current, next])));
    }
    met
}

fn decisions(criterion: &mut Criterion) {
    let met = positions();
    let mut group = criterion.benchmark_group("decisions");
    group.throughput(Throughput::Elements(met.len() as u64));
    for filter in Filter::NAMED {
        for (name, mut searcher) in NAMES.into_iter().zip(searchers(&filter)) {
            group.bench_function(format!("two pieces, {name}, filter {filter}"), |bencher| {
                bencher.iter(|| -> Vec<Option<Decision>> {
                    met.iter().map(|(board, pieces)| searcher.decide(board, pieces)).collect()
                });
            });
        }
    }
    group.sample_size(10);
    group.bench_function("two pieces, plain", |bencher| {
        bencher.iter(|| {
            met.iter()
                .map(|(board, pieces)| search(board, pieces, &Evaluator::Article, &Filter::None).n_evals)
                .sum::<u64>()
        });
    });
    group.finish();
}

/// Placements evaluated: every board that two pieces can make.
fn placements(criterion: &mut Criterion) {
    let met = positions();
    let boards: u64 = met
        .iter()
        .map(|(board, pieces)| search(board, pieces, &Evaluator::Article, &Filter::None).n_evals)
        .sum();
    let mut group = criterion.benchmark_group("placements");
    group.throughput(Throughput::Elements(boards));
    for (name, mut searcher) in NAMES.into_iter().zip(searchers(&Filter::None)) {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for (board, pieces) in &met {
                    black_box(searcher.decide(board, pieces));
                }
            });
        });
    }
    group.finish();
}

fn one_board(criterion: &mut Criterion) {
    let met = positions();
    let mut group = criterion.benchmark_group("one board");
    group.throughput(Throughput::Elements(met.len() as u64));
    group.bench_function("locks as a set", |bencher| {
        bencher.iter(|| {
            met.iter().map(|(board, pieces)| locks(board, pieces[0], &Filter::None).len()).sum::<usize>()
        });
    });
    group.bench_function("locks in order", |bencher| {
        bencher.iter(|| {
            met.iter()
                .map(|(board, pieces)| Walk::new(board, pieces[0], &Filter::None).locks().len())
                .sum::<usize>()
        });
    });
    group.bench_function("evaluation", |bencher| {
        bencher.iter(|| {
            met.iter()
                .map(|(board, _)| Weights::ARTICLE.fitness(&Tally::default(), &Factors::of(board)))
                .sum::<f64>()
        });
    });
    group.finish();
}

criterion_group!(benches, decisions, placements, one_board);
criterion_main!(benches);
