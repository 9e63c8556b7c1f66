//! Games as other programs write them down, links and puzzles.

use notation::link::Link;
use notation::ngf::{Frame, Recording, Version, find};
use puzzle::Bank;
use tetris::{Piece, SplitMix64};

use crate::bytes::{mutate, mutate_text};
use crate::reached::reached;

/// A recording of a few pieces that fall on each other in the middle.
pub(crate) fn recording() -> Recording {
    let mut recording = Recording::new(Version::V3);
    let mut frame = Frame::menu(1, 0);
    (frame.lines, frame.level, frame.score) = (Some(0), Some(18), Some(0));
    for number in 0..8 {
        for row in 0..18 - 2 * number {
            let before = frame.cells;
            for at in [4, 5, 14, 15] {
                frame.cells[row * 10 + at] = 1;
            }
            frame.ctime += 50;
            frame.pieces.next = Some(Piece::O);
            frame.counts = [Some(number as u32 + 1); 7];
            recording.push(&frame);
            if row < 17 - 2 * number {
                frame.cells = before;
            }
        }
    }
    recording
}

/// Bytes of a recording, packed or not, changed anywhere.
pub(crate) fn ngf(random: &mut SplitMix64, usual: &Recording) {
    let mut bytes = usual.plain().to_vec();
    mutate(&mut bytes, random);
    if random.one_in(4) {
        for _ in 0..random.below(4_000) {
            let at = random.below(bytes.len().max(1) as u32) as usize;
            if let Some(byte) = bytes.get_mut(at) {
                *byte = if at.is_multiple_of(73) { 0x68 } else { random.next_u64() as u8 };
            }
        }
    }
    if random.one_in(4) {
        let Ok(packed) = usual.packed() else { return };
        bytes = packed;
        mutate(&mut bytes, random);
    }
    let Some(recording) = reached(Recording::read(&bytes)) else { return };
    for game in find(&recording) {
        assert!(game.turns.len() <= game.frames && game.unread <= game.frames);
        let mut frames = game.turns.iter().map(|turn| turn.cleared);
        assert!(frames.all(|cleared| cleared <= 4));
    }
}

/// A game as JSON and as CSV.
pub(crate) fn texts() -> [String; 2] {
    let turns: Vec<_> = find(&recording()).into_iter().flat_map(|game| game.turns).collect();
    [notation::lines::json(&turns), notation::lines::csv(&turns)]
}

/// What is read is a game, and is written and read again as it is.
pub(crate) fn lines(random: &mut SplitMix64, usual: &[String; 2]) {
    let text = mutate_text(&usual[random.below(2) as usize], random);
    let Some(turns) = reached(notation::lines::read(text.as_bytes())) else { return };
    for written in [notation::lines::json(&turns), notation::lines::csv(&turns)] {
        assert_eq!(notation::lines::read(written.as_bytes()).as_ref(), Ok(&turns));
    }
}

/// Links with wrong letters, and banks with wrong bytes, whose checksum is right half the time.
pub(crate) fn puzzles(random: &mut SplitMix64, usual: &Bank) {
    let puzzle = random.pick(&usual.puzzles);
    if let Some(link) = reached(Link::parse(&mutate_text(&puzzle.link().text(), random))) {
        assert_eq!(Link::parse(&link.text()), Ok(link));
    }
    let mut bytes = Bank { puzzles: vec![puzzle; 3] }.bytes();
    mutate(&mut bytes, random);
    if random.one_in(2) && bytes.len() > 4 {
        bytes.truncate(bytes.len() - 4);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    }
    if let Some(bank) = reached(Bank::read(&bytes)) {
        assert_eq!(Bank::read(&bank.bytes()), Ok(bank));
    }
}
