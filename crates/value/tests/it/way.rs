//! The buttons that lead to what was decided, pressed frame by frame on a plain game and on the
//! model of the rules.

use tetris::{Piece, Placement, Playfield, SplitMix64};
use value::{Falling, Format, Reach, Speed, way_to, way_to_premove, ways};

use crate::machines::{Machine, Model, Plain};

/// Where the buttons bring the piece; they are as many as it has frames to its lock.
fn pressed<M: Machine>(mut machine: M, ways: &[&[u8]]) -> Option<Placement> {
    for &held in ways.iter().copied().flatten() {
        assert!(machine.locked().is_none(), "locked before the way ends");
        machine.step(held);
    }
    machine.locked()
}

/// Every target of a board: those decided at the spawn, and those after every premove.
fn check<M: Machine>(
    reach: &mut Reach,
    machine: M,
    board: &Playfield,
    piece: Piece,
    speed: Speed,
    format: &Format,
) {
    reach.find(board, piece, speed);
    let spawned = Falling::new(board, piece, speed, 0).unwrap();
    for target in reach.targets().iter().filter(|target| target.at_once) {
        let way = way_to(&spawned, format, target.place).unwrap_or_else(|| {
            panic!("{format}, {piece}, {speed:?}, {:?}: {:?}", target.place, board.rows())
        });
        assert_eq!(pressed(machine, &[&way]), Some(target.place), "{piece}, {speed:?}: {:?}", board.rows());
    }
    if format.delay > 0 {
        let all = ways(&spawned, format);
        let mut places: Vec<Placement> = all.iter().map(|&(place, _)| place).collect();
        places.sort();
        let mut known: Vec<Placement> =
            reach.targets().iter().filter(|target| target.at_once).map(|target| target.place).collect();
        known.sort();
        assert_eq!(places, known, "{piece}, {speed:?}: {:?}", board.rows());
        for (place, way) in &all {
            assert_eq!(pressed(machine, &[way]), Some(*place), "{piece}, {speed:?}: {:?}", board.rows());
        }
    }
    for (number, &premove) in reach.premoves().iter().enumerate() {
        let (before, falling) = way_to_premove(&spawned, format, premove)
            .unwrap_or_else(|| panic!("{format}, {piece}, {speed:?}, {premove:?}: {:?}", board.rows()));
        for target in reach.targets().iter().filter(|target| target.premoves >> number & 1 == 1) {
            let way = way_to(&falling, format, target.place).unwrap();
            let place = pressed(machine, &[&before, &way]);
            assert_eq!(place, Some(target.place), "{piece}, {speed:?}, {premove:?}: {:?}", board.rows());
        }
    }
}

fn board(random: &mut SplitMix64) -> Playfield {
    let (height, spread) = (random.below(13), random.below(6) + 1);
    let mut board = Playfield::EMPTY;
    for column in &mut board.columns {
        let height = height + random.below(spread);
        let noise = random.next_u64() & random.next_u64() & random.next_u64();
        *column = (0xF_FFFF ^ (0xF_FFFF >> height)) & !(noise as u32);
    }
    board
}

#[test]
fn every_place_that_the_search_finds_is_reached_by_the_buttons_of_its_way() {
    for name in ["bt-30hz-18f", "bt-12hz-18f", "bt-24hz-0f", "bt-30hz-61f"] {
        let format: Format = name.parse().unwrap();
        let mut reach = Reach::new(&format);
        let mut random = SplitMix64::new(7);
        for _ in 0..4 {
            let (board, piece) = (board(&mut random), random.pick(&Piece::ALL));
            for speed in Speed::ALL {
                let plain = Plain::new(&board, piece, speed);
                if plain.locked().is_none() {
                    check(&mut reach, plain, &board, piece, speed, &format);
                }
            }
        }
    }
}

#[test]
fn the_model_of_the_rules_goes_the_same_ways() {
    let (mut reach, powered) = (Reach::new(&Format::HEADLINE), Model::power_on());
    let mut random = SplitMix64::new(11);
    for _ in 0..2 {
        let (board, piece) = (board(&mut random), random.pick(&Piece::ALL));
        for (speed, level) in [(Speed::L18, 18), (Speed::L19, 19), (Speed::L29, 29)] {
            if let Some(model) = powered.spawned(&board, piece, level) {
                check(&mut reach, model, &board, piece, speed, &Format::HEADLINE);
            }
        }
    }
}

/// A timeline of up to 60 frames with one tap: at tap 2 or 3 its phase is longer than any piece
/// falls.
#[test]
fn taps_that_come_after_every_lock_reach_nothing_and_end_nothing() {
    let mut reached = Vec::new();
    for (before, after) in [(0, 59), (0, 31), (0, 30), (0, 20), (30, 29), (59, 0)] {
        for delay in [0, 18, 61] {
            let name = format!("bt-{}X{}-{delay}f", ".".repeat(before), ".".repeat(after));
            let format: Format = name.parse().unwrap();
            let (mut reach, mut random) = (Reach::new(&format), SplitMix64::new(13));
            for piece in Piece::ALL {
                let board = board(&mut random);
                for speed in Speed::ALL {
                    let plain = Plain::new(&board, piece, speed);
                    if plain.locked().is_none() {
                        check(&mut reach, plain, &board, piece, speed, &format);
                    }
                }
            }
            reach.find(&Playfield::EMPTY, Piece::T, Speed::L18);
            reached.push(reach.targets().len());
        }
    }
    assert!(reached.iter().all(|&count| count > 0), "{reached:?}");
}
