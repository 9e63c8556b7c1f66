//! The sweep beside its definition.

use tetris::{Piece, SplitMix64};

use super::*;
use crate::format::Speed;
use crate::reach::Reach;

/// Columns of some height with more or fewer holes in them, from flat to wild; full rows too.
fn board(random: &mut SplitMix64) -> Playfield {
    let (kind, height, spread) = (random.below(4), random.below(19), random.below(8) + 1);
    let mut board = Playfield::EMPTY;
    for column in &mut board.columns {
        let height = (height + random.below(spread)).min(20);
        let noise = match kind {
            0 => 0,
            1 => random.next_u64() & random.next_u64() & random.next_u64(),
            2 => random.next_u64() & random.next_u64(),
            _ => random.next_u64(),
        };
        *column = (ALL_ROWS ^ (ALL_ROWS >> height)) & !(noise as u32);
    }
    board
}

#[test]
fn the_sweep_finds_what_the_definition_finds() {
    let names = [
        "bt-30hz-18f",
        "bt-30hz-0f",
        "bt-30hz-61f",
        "bt-20hz-18f",
        "bt-15hz-24f",
        "bt-12hz-21f",
        "bt-24hz-18f",
        "bt-10hz-18f",
        "bt-slow5-18f",
    ];
    let mut places = 0;
    for name in names {
        let mut reach = Reach::new(&name.parse().unwrap());
        let mut random = SplitMix64::new(places as u64);
        for _ in 0..600 {
            let board = board(&mut random);
            let piece = random.pick(&Piece::ALL);
            for speed in Speed::ALL {
                reach.find_by_definition(&board, piece, speed);
                let (targets, premoves) = (reach.targets().to_vec(), reach.premoves().to_vec());
                reach.find(&board, piece, speed);
                let rows = board.rows();
                assert_eq!(reach.targets(), targets, "{name}, {piece}, {speed:?}: {rows:?}");
                assert_eq!(reach.premoves(), premoves, "{name}, {piece}, {speed:?}: {rows:?}");
                places += targets.len();
            }
        }
    }
    assert!(places > 200_000, "{places}");
}
