//! The places that the search finds, beside every button sequence of the format pressed frame by
//! frame.

use std::collections::{BTreeMap, BTreeSet};

use tetris::{Orientation, Piece, Placement, Playfield, SplitMix64, buttons};
use value::{Format, Reach, Speed, Taps};

use crate::machines::{Machine, Model, Plain};

type Places = BTreeSet<Placement>;

/// Runs the piece to its lock; a lock that sticks out above the top counts for nothing.
fn settle(mut machine: impl Machine, places: &mut Places) {
    while machine.locked().is_none() {
        machine.step(0);
    }
    let place = machine.locked().unwrap();
    if place.cells().iter().all(|&(_, y)| y >= 0) {
        places.insert(place);
    }
}

/// One frame with buttons of which each has to do something. Nothing where one does not; a piece
/// may lock in it.
fn pressed<M: Machine>(mut machine: M, held: u8) -> Option<M> {
    let (x, turned) = machine.pose();
    machine.step(held);
    let (now, turn) = machine.pose();
    let shifted = match held & (buttons::LEFT | buttons::RIGHT) {
        buttons::LEFT => now == x - 1,
        buttons::RIGHT => now == x + 1,
        _ => now == x,
    };
    let wanted = match held & (buttons::A | buttons::B) {
        buttons::A => turned.clockwise(),
        buttons::B => turned.counterclockwise(),
        _ => turned,
    };
    (shifted && turn == wanted && (held & (buttons::A | buttons::B) == 0 || turned != wanted))
        .then_some(machine)
}

/// All targets of a phase: answers the machine before the first frame of a tuck, and the frame, or
/// settles it.
fn phase<M: Machine>(machine: M, taps: Taps, begin: u32, piece: Piece, mut tell: impl FnMut(M, u32)) {
    for (button, turnings) in [(0, 0), (buttons::A, 1), (buttons::A, 2), (buttons::B, 1)] {
        if piece == Piece::O && turnings > 0
            || matches!(piece, Piece::I | Piece::S | Piece::Z) && (turnings > 1 || button == buttons::B)
        {
            continue;
        }
        for shifts in -9i32..=9 {
            let side = if shifts < 0 { buttons::LEFT } else { buttons::RIGHT };
            let count = shifts.unsigned_abs().max(turnings);
            let mut now = machine;
            let mut pressed_all = true;
            for frame in 0..taps.frame(count as usize) {
                let tap = (0..count).find(|&number| taps.frame(number as usize) == frame);
                let held = tap.map_or(0, |tap| {
                    (if tap < shifts.unsigned_abs() { side } else { 0 })
                        | if tap < turnings { button } else { 0 }
                });
                if now.locked().is_some() && held != 0 {
                    pressed_all = false;
                } else if now.locked().is_none() {
                    match pressed(now, held) {
                        Some(next) => now = next,
                        None => pressed_all = false,
                    }
                }
                if !pressed_all {
                    break;
                }
            }
            if pressed_all {
                tell(now, begin + taps.frame(count as usize));
            }
        }
    }
}

/// Every way on from the first frame of a tuck.
fn tucks<M: Machine>(machine: M, places: &mut Places) {
    let shifts = [buttons::LEFT, buttons::RIGHT];
    let turns = [buttons::A, buttons::B];
    let mut now = machine;
    while now.locked().is_none() {
        for single in [buttons::LEFT, buttons::RIGHT, buttons::A, buttons::B] {
            if let Some(next) = pressed(now, single) {
                settle(next, places);
            }
        }
        for shift in shifts {
            for turn in turns {
                if let Some(next) = pressed(now, shift | turn) {
                    settle(next, places);
                }
                for (first, second) in [(shift, turn), (turn, shift)] {
                    if let Some(next) = pressed(now, first)
                        && next.locked().is_none()
                        && let Some(next) = pressed(next, second)
                    {
                        settle(next, places);
                    }
                }
            }
        }
        now.step(0);
    }
    settle(now, places);
}

/// What is reached by decisions at the spawn, and after each premove.
fn brute<M: Machine>(
    machine: M,
    piece: Piece,
    format: &Format,
) -> (Places, BTreeMap<(Orientation, u8), Places>) {
    let (mut at_once, mut premoves) = (Places::new(), BTreeMap::new());
    if machine.locked().is_some() {
        return (at_once, premoves);
    }
    phase(machine, format.taps, 0, piece, |machine, slot| {
        tucks(machine, &mut at_once);
        let start = slot.max(format.delay);
        let mut now = machine;
        for _ in slot..start {
            if now.locked().is_none() {
                now.step(0);
            }
        }
        if now.locked().is_some() {
            return;
        }
        let mut places = Places::new();
        phase(now, format.taps, start, piece, |machine, _| tucks(machine, &mut places));
        let (x, orientation) = machine.pose();
        if !places.is_empty() {
            premoves.insert((orientation, x as u8), places);
        }
    });
    (at_once, premoves)
}

/// The same of the search.
fn found(
    reach: &mut Reach,
    board: &Playfield,
    piece: Piece,
    speed: Speed,
) -> (Places, BTreeMap<(Orientation, u8), Places>) {
    reach.find(board, piece, speed);
    let at_once = reach.targets().iter().filter(|target| target.at_once).map(|target| target.place).collect();
    let premoves = reach
        .premoves()
        .iter()
        .enumerate()
        .map(|(number, premove)| {
            let places = reach.targets().iter().filter(|target| target.premoves >> number & 1 == 1);
            ((premove.orientation, premove.x), places.map(|target| target.place).collect())
        })
        .collect();
    (at_once, premoves)
}

/// Columns of some height with more or fewer holes in them, from flat to wild.
fn board(random: &mut SplitMix64) -> Playfield {
    let (kind, height, spread) = (random.next_u64(), random.next_u64() % 18, random.next_u64() % 8 + 1);
    let mut board = Playfield::EMPTY;
    for column in &mut board.columns {
        let height = (height + random.next_u64() % spread).min(19);
        let noise = match kind % 4 {
            0 => 0,
            1 => random.next_u64() & random.next_u64() & random.next_u64(),
            2 => random.next_u64() & random.next_u64(),
            _ => random.next_u64(),
        };
        *column = (((1 << 20) - 1) ^ ((1 << (20 - height)) - 1)) & !(noise as u32);
    }
    for y in 0..20 {
        if board.columns.iter().all(|column| column >> y & 1 == 1) {
            board.columns[(random.next_u64() % 10) as usize] &= !(1 << y);
        }
    }
    board
}

const FORMATS: [&str; 6] =
    ["bt-30hz-18f", "bt-30hz-0f", "bt-20hz-18f", "bt-12hz-21f", "bt-24hz-18f", "bt-slow5-18f"];

/// A board of each number, its piece, format and speed; the headline format every other time.
fn check_plain(numbers: std::ops::Range<u64>) -> usize {
    let mut searches = FORMATS.map(|name| {
        let format: Format = name.parse().unwrap();
        (format, Reach::new(&format))
    });
    let mut total = 0;
    for number in numbers {
        let mut random = SplitMix64::new(number);
        let board = board(&mut random);
        let piece = Piece::ALL[(random.next_u64() % 7) as usize];
        let speed = Speed::ALL[(random.next_u64() % 4) as usize];
        let choice = random.next_u64() as usize;
        let (format, reach) = &mut searches[if choice & 1 == 0 { 0 } else { choice / 2 % FORMATS.len() }];
        let (at_once, premoves) = brute(Plain::new(&board, piece, speed), piece, format);
        let mine = found(reach, &board, piece, speed);
        if format.delay > 0 {
            assert_eq!(mine.0, at_once, "board {number}, {piece}, {speed:?}, {format}: {:?}", board.rows());
            assert_eq!(mine.1, premoves, "board {number}, {piece}, {speed:?}, {format}: {:?}", board.rows());
        } else {
            // Known at the spawn: one phase, which is the one after the premove that presses
            // nothing.
            let (_, places) = mine.1.first_key_value().unwrap_or((&(Orientation::HIDDEN, 0), &at_once));
            assert!(mine.0.is_empty() && mine.1.len() <= 1, "{format}");
            assert_eq!(*places, at_once, "board {number}, {piece}, {speed:?}, {format}: {:?}", board.rows());
        }
        total += at_once.len();
    }
    total
}

#[test]
fn places_are_those_of_every_sequence_of_buttons_on_200_boards() {
    assert!(check_plain(0..200) > 200 * 10);
}

#[test]
#[ignore = "minutes: cargo test --release -p value --test it -- --ignored --nocapture"]
fn places_are_those_of_every_sequence_of_buttons_on_100_000_boards() {
    let places = check_plain(0..100_000);
    println!("100,000 boards, {places} places decided at the spawn");
    assert!(places > 1_000_000);
}

/// The same, pressed on the model of the game's rules, at the levels that it knows.
fn check_model(numbers: std::ops::Range<u64>) {
    let format = Format::HEADLINE;
    let mut reach = Reach::new(&format);
    let powered = Model::power_on();
    for number in numbers {
        let mut random = SplitMix64::new(!number);
        let board = board(&mut random);
        let piece = Piece::ALL[(random.next_u64() % 7) as usize];
        for (speed, level) in [(Speed::L18, 18), (Speed::L19, 19), (Speed::L29, 29)] {
            let Some(model) = powered.spawned(&board, piece, level) else { continue };
            let expected = brute(model, piece, &format);
            assert_eq!(
                found(&mut reach, &board, piece, speed),
                expected,
                "{piece} at level {level}: {:?}",
                board.rows()
            );
        }
    }
}

#[test]
fn the_games_rules_lead_the_same_buttons_to_the_same_places_on_2_boards() {
    check_model(0..2);
}

#[test]
#[ignore = "minutes: cargo test --release -p value --test it -- --ignored"]
fn the_games_rules_lead_the_same_buttons_to_the_same_places_on_200_boards() {
    check_model(0..200);
}

#[test]
fn an_empty_board_lets_every_piece_anywhere_up_to_level_28_and_not_at_39() {
    let mut reach = Reach::new(&Format::HEADLINE);
    let counts = Piece::ALL.map(|piece| {
        Speed::ALL.map(|speed| {
            reach.find(&Playfield::EMPTY, piece, speed).iter().filter(|target| target.at_once).count()
        })
    });
    for (piece, counts) in Piece::ALL.into_iter().zip(counts) {
        let all = match piece {
            Piece::T | Piece::J | Piece::L => 34,
            Piece::O => 9,
            Piece::S | Piece::Z | Piece::I => 17,
        };
        assert_eq!(counts[..3], [all; 3], "{piece}");
        assert!(counts[3] <= all);
    }
}
