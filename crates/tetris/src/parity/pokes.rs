//! Standings that no game reaches in reasonable time, poked into one that has just begun.

use crate::SplitMix64;
use crate::ram;

/// Bytes to write to a machine's RAM between two frames.
pub(super) type Pokes = Vec<(u16, u8)>;

/// Levels with something to them: speeds, killscreen, colours from 138 on, the long level, rebirth.
const LEVELS: [u8; 18] = [0, 5, 8, 9, 15, 18, 19, 28, 29, 49, 99, 137, 138, 154, 200, 234, 235, 255];
/// The block at `$60` and its working copy at `$40`.
const WORKING: u16 = 0x20;

/// What a new game begins with instead of nothing.
pub(super) fn new_game(random: &mut SplitMix64, b_type: bool) -> Pokes {
    let mut pokes = Pokes::new();
    if random.one_in(3) {
        return pokes;
    }
    let mut player = |place: ram::Variable, offset: u16, value: u8| {
        pokes.push((place.address + offset, value));
        pokes.push((place.address + offset - WORKING, value));
    };
    player(ram::LEVEL, 0, random.pick(&LEVELS));
    if b_type {
        player(ram::LINES, 0, random.pick(&[0x01, 0x02, 0x05, 0x10, 0x25]));
    } else {
        // Lines just before a multiple of ten, by BCD tens and binary hundreds.
        player(ram::LINES, 0, (random.below(10) as u8) << 4 | random.pick(&[0, 6, 8, 9]));
        player(ram::LINES, 1, random.pick(&[0, 0, 1, 2, 9, 13, 22, 23, 30, 33, 255]));
    }
    for (offset, digits) in [(0, 100), (1, 100), (2, 100)] {
        let value = random.below(digits) as u8;
        let value = if random.one_in(3) { 99 } else { value };
        player(ram::SCORE, offset, (value / 10) << 4 | (value % 10));
    }
    if random.one_in(2) {
        player(ram::SCORE, 2, 0);
    }
    if random.one_in(3) {
        pokes.extend(ram::PIECE_COUNTS.range().step_by(2).map(|at| (at as u16, 0x98)));
    }
    if random.one_in(3) {
        pokes.extend(ram::LINE_COUNTS.range().map(|at| (at as u16, 0x99)));
    }
    if random.one_in(2) {
        stack(random, &mut pokes);
    }
    if random.one_in(4) {
        // What a reset during the animation of a clear leaves to the next lock.
        let rows = 1 + random.below(4) as u8;
        pokes.push((ram::LINES_COMPLETED.address, rows));
        pokes.push((ram::LINES_COMPLETED.address - WORKING, rows));
    }
    pokes
}

/// Rows full but for a well, some of them up to the very top.
fn stack(random: &mut SplitMix64, pokes: &mut Pokes) {
    let top = if random.one_in(3) { 1 + random.below(4) } else { 6 + random.below(12) };
    let well = random.below(10);
    for row in top..20 {
        for column in 0..10 {
            if column != well {
                pokes.push((
                    ram::PLAYFIELD.address + (row * 10 + column) as u16,
                    random.pick(&[0x7B, 0x7C, 0x7D]),
                ));
            }
        }
    }
}
