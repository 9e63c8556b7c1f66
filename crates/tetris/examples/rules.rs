//! Frames a second of the model, and what a clone of it costs, in CPU time of one core.
//!
//! `cargo run --release -p tetris --example rules`

use std::hint::black_box;

use cpu_time::ProcessTime;
use tetris::SplitMix64;
use tetris::{Rom, buttons, rules::Game};

const FRAMES: u64 = 100_000_000;
const CLONES: u64 = 100_000_000;

fn main() {
    let start = in_play();
    let (mut random, mut bits, mut game) = (SplitMix64::new(1), 0, start);
    let begun = ProcessTime::now();
    for frame in 0..FRAMES {
        if frame % 8 == 0 {
            bits = random.next_u64();
        }
        // Start would pause, and all of A, B, Select and Start leave the game.
        game.step(bits as u8 & !buttons::START);
        bits >>= 8;
        if game.is_over() {
            game = start;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    black_box(&game);
    println!("random play: {:.1} million frames/s, {:?}", FRAMES as f64 / seconds / 1e6, game);

    let begun = ProcessTime::now();
    for _ in 0..CLONES {
        black_box(*black_box(&game));
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("clone: {:.1} ns for {} bytes", seconds / CLONES as f64 * 1e9, size_of::<Game>());
}

/// A game at level 0 in its first frame.
fn in_play() -> Game<'static> {
    static ROM: Rom = Rom::MAXOUT;
    let mut game = Game::power_on(&ROM);
    for frame in 0.. {
        if game.in_play() {
            break;
        }
        game.step(if frame % 6 == 0 { buttons::START } else { 0 });
    }
    game
}
