//! How long a search for places takes, on boards of the linear player's play, and how many premoves
//! it finds there and on boards of pieces that are put anywhere:
//!
//!     cargo run --release -p value --example reach_time

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example measures")]

use std::hint::black_box;
use std::time::Instant;

use tetris::{Piece, Playfield, SplitMix64};
use value::{Decider, EL_TETRIS, Format, Linear, Reach, Speed, deal, tuning_seeds};

/// Boards of games in which every piece goes to any of its places, by their greatest height:
/// premoves at 18 and 19.
fn anywhere(format: &Format) {
    let mut reach = Reach::new(format);
    let mut sums = [[0.0; 3]; 5];
    for seed in tuning_seeds(400) {
        let (mut board, mut random) = (Playfield::EMPTY, SplitMix64::new(seed.into()));
        for piece in deal(seed) {
            let height = board
                .columns
                .iter()
                .map(|column| 20 - (column | 1 << 20).trailing_zeros())
                .max()
                .unwrap_or(0);
            for piece in Piece::ALL {
                let sums = &mut sums[height as usize / 5];
                sums[0] += 1.0;
                for (sum, speed) in sums[1..].iter_mut().zip([Speed::L18, Speed::L19]) {
                    reach.find(&board, piece, speed);
                    *sum += reach.premoves().len() as f64;
                }
            }
            let places = reach.find(&board, piece, Speed::L18);
            let places: Vec<_> =
                places.iter().filter(|target| target.at_once).map(|target| target.place).collect();
            if places.is_empty() {
                break;
            }
            board.lock(random.pick(&places));
        }
    }
    for (number, [count, l18, l19]) in sums.into_iter().enumerate() {
        println!(
            "greatest height from {}: {:.1} premoves at 18, {:.1} at 19",
            5 * number,
            l18 / count,
            l19 / count
        );
    }
    let [count, l18, l19]: [f64; 3] = std::array::from_fn(|at| sums.iter().map(|sums| sums[at]).sum());
    println!("all of them: {:.1} at 18, {:.1} at 19", l18 / count, l19 / count);
}

fn main() {
    let format = Format::HEADLINE;
    anywhere(&format);
    let (mut decider, mut judge) = (Decider::new(&format), Linear::new(EL_TETRIS));
    let mut boards = Vec::new();
    for seed in tuning_seeds(20) {
        let (mut board, mut pieces) = (Playfield::EMPTY, deal(seed));
        for _ in 0..100 {
            let Some(piece) = pieces.next() else { break };
            let Some(choice) = decider.decide(&mut judge, &board, 0, piece) else { break };
            board = decider.children()[choice.targets[0]].board;
            boards.push(board);
        }
    }
    for speed in Speed::ALL {
        let mut reach = Reach::new(&format);
        let (mut at_once, mut premoves, mut entries, mut searches) = (0, 0, 0, 0);
        for board in &boards {
            for piece in Piece::ALL {
                let targets = reach.find(board, piece, speed);
                at_once += targets.iter().filter(|target| target.at_once).count();
                entries += targets.iter().map(|target| target.premoves.count_ones()).sum::<u32>();
                premoves += reach.premoves().len();
                searches += 1;
            }
        }
        // The least of several runs: what else the machine does only adds to it.
        let time = |definition: bool, reach: &mut Reach| {
            let mut least = f64::INFINITY;
            for _ in 0..if definition { 3 } else { 20 } {
                let begun = Instant::now();
                for board in boards.iter().step_by(5) {
                    for piece in Piece::ALL {
                        black_box(if definition {
                            reach.find_by_definition(board, piece, speed).len()
                        } else {
                            reach.find(board, piece, speed).len()
                        });
                    }
                }
                let count = boards.iter().step_by(5).count() * Piece::ALL.len();
                least = least.min(begun.elapsed().as_secs_f64() / count as f64);
            }
            1e6 * least
        };
        let (sweep, definition) = (time(false, &mut reach), time(true, &mut reach));
        let mean = |sum: f64| sum / f64::from(searches);
        println!(
            "{speed:?}: {:.1} places at once, {:.1} premoves, {:.1} of their places, {sweep:.2} us, one by one {definition:.2} us",
            mean(at_once as f64),
            mean(premoves as f64),
            mean(f64::from(entries)),
        );
    }
}
