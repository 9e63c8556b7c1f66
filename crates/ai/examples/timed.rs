//! Plays in memory against gravity: what a decision costs at each drop speed, in CPU time, and how
//! long a game lasts.
//!
//! `cargo run --release -p ai --example timed -- [pieces] [games] [evaluator] [filter] [frames/row]`

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example measures and asks")]

use std::time::Duration;

use ai::{Evaluator, Filter, Start, TimedSearcher};
use cpu_time::ThreadTime;
use randomizers::Kind;
use tetris::Playfield;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (pieces, games) = (value(&mut arguments, 1_000), value(&mut arguments, 1));
    let evaluator = value(&mut arguments, Evaluator::Article);
    let filter = value(&mut arguments, Filter::None);
    let only = value(&mut arguments, 0u8);
    println!(
        "{:>11} {:>9} {:>9} {:>7}   lines (tetrises) of each game, + = not over",
        "frames/row", "mean us", "max us", "places"
    );
    for speed in (1..=48).filter(|&speed| only == 0 || only == speed) {
        let mut searcher = TimedSearcher::new(evaluator.clone(), filter.clone());
        let (mut spent, mut longest, mut decisions, mut places) = (Duration::ZERO, Duration::ZERO, 0u32, 0);
        let mut ends = Vec::new();
        for seed in 0..games {
            let mut dealer = Kind::Nes.seeded(seed);
            let mut board = Playfield::EMPTY;
            let mut current = dealer.next();
            let (mut lines, mut placed, mut tetrises) = (0, 0, 0);
            while let (Some(piece), Some(next)) = (current, dealer.next()) {
                let begun = ThreadTime::now();
                let start = Start::spawn(board, piece, speed);
                let Some(decision) = searcher.decide(&start, next) else { break };
                let took = begun.elapsed();
                spent += took;
                longest = longest.max(took);
                decisions += 1;
                places += searcher.find(&start).len();
                let cleared = board.lock_in_window(decision.place).lines;
                lines += cleared;
                tetrises += u32::from(cleared == 4);
                placed += 1;
                if placed == pieces {
                    break;
                }
                current = Some(next);
            }
            ends.push(format!("{lines}{} ({tetrises})", if placed == pieces { "+" } else { "" }));
        }
        let micro = |time: Duration| time.as_secs_f64() * 1e6;
        println!(
            "{speed:>11} {:>9.1} {:>9.1} {:>7.2}   {}",
            micro(spent) / f64::from(decisions.max(1)),
            micro(longest),
            places as f64 / f64::from(decisions.max(1)),
            ends.join(" ")
        );
    }
}

/// The next argument, or a default where there is none or another kind of thing.
fn value<T: std::str::FromStr>(arguments: &mut impl Iterator<Item = String>, default: T) -> T {
    arguments.next().and_then(|text| text.parse().ok()).unwrap_or(default)
}
