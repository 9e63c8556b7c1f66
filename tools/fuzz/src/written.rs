//! Games as other programs write them down, links and puzzles.

use std::io::{Read, Write};

use emulator::{MatchFile, MatchHeader, MatchKind, MatchRules};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use notation::link::Link;
use notation::ngf::{Frame, Recording, Version, find};
use puzzle::Bank;
use randomizers::Kind;
use tetris::Piece;

use crate::bytes::{mutate, mutate_text};
use crate::choices::Choices;
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
pub(crate) fn ngf(random: &mut Choices, usual: &Recording) {
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

/// The file of a match that was not played.
pub(crate) fn match_of(frames: u64) -> MatchFile {
    let rules = MatchRules { kind: MatchKind::ChaseDown, best_of: 3, level: 18, dealer: Kind::Nes, seed: 7 };
    let header = MatchHeader {
        cartridge: 0xA3B3_52F5,
        rules,
        names: ["Ada".to_owned(), "Ben".to_owned()],
        own: 1,
        begun: 1_700_000_000,
        frames,
        hash: 1,
        agreed: 30,
        results: Vec::new(),
    };
    let buttons = (0..frames).map(|frame| [(frame / 7) as u8, (frame / 300) as u8]).collect();
    MatchFile { header, buttons, marks: (0..frames / 600).collect() }
}

/// The file of a match, of which the head, the runs or any byte is changed. What is read of it is
/// written and read again.
pub(crate) fn match_file(random: &mut Choices, usual: &[u8]) {
    let head = usual.windows(2).position(|pair| pair == b"\n\n").expect("a head") + 2;
    let (head, body) = usual.split_at(head);
    let bytes = match random.below(3) {
        0 => [mutate_text(&String::from_utf8_lossy(head), random).as_bytes(), body].concat(),
        1 => {
            let mut runs = Vec::new();
            ZlibDecoder::new(body).read_to_end(&mut runs).expect("runs");
            mutate(&mut runs, random);
            let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
            packer.write_all(&runs).expect("memory");
            [head, &packer.finish().expect("memory")].concat()
        }
        _ => {
            let mut bytes = usual.to_vec();
            mutate(&mut bytes, random);
            bytes
        }
    };
    if let Some(file) = reached(MatchFile::read(&bytes)) {
        assert_eq!(file.buttons.len() as u64, file.header.frames);
        assert_eq!(MatchFile::read(&file.bytes()).as_ref(), Ok(&file), "what is read again is the same");
    }
}

/// A game as JSON and as CSV.
pub(crate) fn texts() -> [String; 2] {
    let turns: Vec<_> = find(&recording()).into_iter().flat_map(|game| game.turns).collect();
    [notation::lines::json(&turns), notation::lines::csv(&turns)]
}

/// What is read is a game, and is written and read again as it is.
pub(crate) fn lines(random: &mut Choices, usual: &[String; 2]) {
    let text = mutate_text(&usual[random.below(2) as usize], random);
    let Some(turns) = reached(notation::lines::read(text.as_bytes())) else { return };
    for written in [notation::lines::json(&turns), notation::lines::csv(&turns)] {
        assert_eq!(notation::lines::read(written.as_bytes()).as_ref(), Ok(&turns));
    }
}

/// Links with wrong letters, and banks with wrong bytes, whose checksum is right half the time.
pub(crate) fn puzzles(random: &mut Choices, usual: &Bank) {
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
