//! NestrisChamps: the frames bit by bit, and which of them are sent.

use nes::Buttons;
use stream::Source;
use stream::nestris::{CELLS, Frame, Pieces, Producer, Version};
use tetris::events::Event;
use tetris::ram::play_state;
use tetris::{Piece, SplitMix64, View};

use crate::rig::{Game, IMAGES};

/// A frame as the table of the site's format has it, read bit by bit.
pub(crate) fn parse(bytes: &[u8]) -> (Version, Frame) {
    let bits: Vec<u32> =
        bytes.iter().flat_map(|&byte| (0..8).map(move |bit| u32::from(byte >> (7 - bit) & 1))).collect();
    let mut at = 0;
    let mut take = |count: usize| {
        at += count;
        bits[at - count..at].iter().fold(0, |value, bit| value << 1 | bit)
    };
    let known = |value: u32, count: usize| (value != (1 << count) - 1).then_some(value);
    let version = match (take(3), bytes.len()) {
        (1, 71) => Version::V1,
        (2, 72) => Version::V2,
        (3, 73) => Version::V3,
        other => panic!("{other:?}"),
    };
    assert_eq!((take(2), take(3)), (1, 0), "classic, and a player whom the server writes");
    let game = take(16) as u16;
    let ctime = take(28);
    let (lines, level, score);
    if version == Version::V1 {
        score = known(take(21), 21);
        lines = known(take(9), 9);
        level = known(take(6), 6);
    } else {
        lines = known(take(12), 12);
        level = known(take(8), 8);
        score = known(take(24), 24);
    }
    let mut pair = || {
        let das = known(take(5), 5).map(|das| das as u8);
        (das, known(take(3), 3).map(|piece| Piece::ALL[piece as usize]))
    };
    let ((das, next), (spawn_das, current)) = (pair(), pair());
    let width = match version {
        Version::V1 => 8,
        Version::V2 => 9,
        Version::V3 => 10,
    };
    let counts = std::array::from_fn(|_| known(take(width), width));
    match version {
        Version::V1 => {}
        Version::V2 => assert_eq!(take(1), 0),
        Version::V3 => assert_eq!(take(2), 0),
    }
    let mut cells = [0; CELLS];
    for cell in &mut cells {
        *cell = take(2) as u8;
    }
    let pieces = Pieces { das, next, spawn_das, current };
    (
        version,
        Frame { game, ctime, lines, level: level.map(|level| level as u8), score, pieces, counts, cells },
    )
}

fn sample() -> Frame {
    let mut cells = [0; CELLS];
    cells[..4].copy_from_slice(&[0, 1, 2, 3]);
    cells[CELLS - 1] = 3;
    let pieces = Pieces { das: Some(16), next: Some(Piece::S), spawn_das: Some(5), current: Some(Piece::I) };
    Frame {
        game: 0x1234,
        ctime: 0xABCDEF,
        lines: Some(123),
        level: Some(18),
        score: Some(123_456),
        pieces,
        counts: [1, 2, 3, 4, 5, 6, 7].map(Some),
        cells,
    }
}

/// Head by hand, then 50 bytes of the field.
fn with_field(head: &[u8], after: &[u8]) -> Vec<u8> {
    let mut field = [0; 50];
    (field[0], field[49]) = (0b00_01_10_11, 0b00_00_00_11);
    [head, &field, after].concat()
}

#[test]
fn frames_are_those_written_by_hand() {
    let v3 = [
        0x68, 0x12, 0x34, 0x0A, 0xBC, 0xDE, 0xF0, 0x7B, 0x12, 0x01, 0xE2, 0x40, 0x84, 0x2E, 0x00, 0x40, 0x20,
        0x0C, 0x04, 0x01, 0x40, 0x60, 0x1C,
    ];
    let v2 = [
        0x48, 0x12, 0x34, 0x0A, 0xBC, 0xDE, 0xF0, 0x7B, 0x12, 0x01, 0xE2, 0x40, 0x84, 0x2E, 0x00, 0x80, 0x80,
        0x60, 0x40, 0x28, 0x18, 0x0E,
    ];
    let v1 =
        [0x28, 0x12, 0x34, 0x0A, 0xBC, 0xDE, 0xF0, 0xF1, 0x20, 0x1E, 0xD2, 0x84, 0x2E, 1, 2, 3, 4, 5, 6, 7];
    assert_eq!(sample().bytes(Version::V3), with_field(&v3, &[]));
    assert_eq!(sample().bytes(Version::V2), with_field(&v2, &[]));
    assert_eq!(sample().bytes(Version::V1), with_field(&v1, &[0]));
    let mut unknown = vec![0x68, 0, 1, 0, 0, 0, 0x2F];
    unknown.extend([0xFF; 15]);
    unknown.push(0xFC);
    unknown.extend([0; 50]);
    assert_eq!(Frame::menu(1, 2).bytes(Version::V3), unknown);
}

#[test]
fn every_frame_is_read_as_it_was_meant_and_too_much_is_the_most() {
    let mut random = SplitMix64::new(3);
    let piece = |random: &mut SplitMix64| random.one_in(5).then(|| random.pick(&Piece::ALL));
    for _ in 0..500 {
        let mut cells = [0; CELLS];
        for cell in &mut cells {
            *cell = random.below(4) as u8;
        }
        let frame = Frame {
            game: random.next_u64() as u16,
            ctime: random.below(1 << 28),
            lines: (!random.one_in(4)).then(|| random.below(500)),
            level: (!random.one_in(4)).then(|| random.below(60) as u8),
            score: (!random.one_in(4)).then(|| random.below(2_000_000)),
            pieces: Pieces {
                das: (!random.one_in(4)).then(|| random.below(17) as u8),
                next: piece(&mut random),
                spawn_das: (!random.one_in(4)).then(|| random.below(17) as u8),
                current: piece(&mut random),
            },
            counts: std::array::from_fn(|_| (!random.one_in(4)).then(|| random.below(250))),
            cells,
        };
        for version in [Version::V1, Version::V2, Version::V3] {
            assert_eq!(parse(&frame.bytes(version)), (version, frame.clone()));
        }
    }
    let much = Frame { lines: Some(9_999), score: Some(99_999_999), counts: [Some(5_000); 7], ..sample() };
    let (_, read) = parse(&much.bytes(Version::V3));
    assert_eq!((read.lines, read.score, read.counts), (Some(0xFFE), Some(0xFF_FFFE), [Some(0x3FE); 7]));
}

/// What the site makes of frames: it takes score, lines and level one frame after the score, and a
/// piece one frame after the counts; a new number begins a new game; row 0 full is the curtain.
#[derive(Default)]
struct SiteModel {
    game: Option<u16>,
    games: u32,
    score: u32,
    lines: u32,
    pending: bool,
    pieces: u32,
    pending_piece: bool,
    over: bool,
}

impl SiteModel {
    fn take(&mut self, frame: &Frame) {
        let (Some(score), Some(lines)) = (frame.score, frame.lines) else {
            return;
        };
        let sum: u32 = frame.counts.iter().flatten().sum();
        if self.game != Some(frame.game) {
            assert!(sum <= 1 || self.game.is_none(), "a new game begins with its counts reset");
            *self = Self { game: Some(frame.game), games: self.games + 1, score, lines, ..Self::default() };
        }
        if std::mem::replace(&mut self.pending, false) {
            (self.score, self.lines) = (score, lines);
        } else {
            self.pending = score != self.score;
        }
        if std::mem::replace(&mut self.pending_piece, false) {
            self.pieces = sum;
        } else {
            self.pending_piece = sum != self.pieces;
        }
        self.over |= frame.cells[..10].iter().all(|&cell| cell > 0);
    }
}

fn blocks(frame: &Frame) -> usize {
    frame.cells.iter().filter(|&&cell| cell > 0).count()
}

/// The first piece is turned in its very first frame, so that a part of it is above the field: the
/// site, which counts blocks, has to begin with none.
#[test]
fn the_first_frame_of_a_game_has_no_part_of_a_piece() {
    for image in IMAGES {
        let mut game = Game::new(image, 1, 18);
        let (mut source, mut producer) = (Source::default(), Producer::new(3));
        let mut first = None;
        let mut second = None;
        for _ in 0..3_000 {
            let view = View::new(game.console.ram());
            let buttons = if view.in_play() { Buttons::A } else { game.buttons() };
            let update = source.observe(&game.hold(buttons));
            let frame = producer.take(&update, 0).filter(|frame| frame.score.is_some());
            if first.is_some() {
                second = second.or(frame);
            } else {
                first = frame;
            }
            if second.is_some() {
                break;
            }
        }
        let (first, second) = (first.expect("a game"), second.expect("its second frame"));
        assert_eq!((blocks(&first), first.game), (0, second.game));
        assert_eq!(first.counts.iter().flatten().sum::<u32>(), 1);
        assert!(blocks(&second) > 0, "then the piece is seen");
    }
}

#[test]
fn the_site_follows_a_game_to_its_end_and_the_next_one() {
    for image in IMAGES {
        let mut game = Game::new(image, 1, 18);
        let (mut source, mut producer) = (Source::default(), Producer::new(700));
        let mut site = SiteModel::default();
        let (mut sent, mut played, mut ended, mut silent) = (0, 0, None, 0);
        let mut topped_out = None;
        for number in 0..40_000_u64 {
            // The computer for a while, nobody until the curtain is down, then the computer again.
            let is_away = topped_out.is_none_or(|topped_out| number < topped_out + 200);
            let snapshot =
                if number >= 6_000 && is_away { game.hold(Buttons::empty()) } else { game.frame() };
            let update = source.observe(&snapshot);
            let frame = producer.take(&update, (number * 1_000 / 60) as u32);
            silent = if frame.is_some() { 0 } else { silent + 1 };
            assert!(silent < 15, "a quarter of a second without a frame");
            if let Some(frame) = frame {
                let (_, frame) = parse(&frame.bytes(Version::V3));
                sent += 1;
                site.take(&frame);
            }
            played += 1;
            let view = View::new(&snapshot.ram);
            if update.lines.iter().any(|line| matches!(line.event(), Some(Event::TopOut { .. }))) {
                topped_out = Some(number);
            }
            if update.lines.iter().any(|line| matches!(line.event(), Some(Event::GameOver { .. }))) {
                assert!(site.over, "the curtain was seen");
                assert_eq!((site.score, site.lines), (snapshot.score, view.lines()));
                assert_eq!(site.pieces, view.piece_counts().iter().sum::<u32>());
                assert!(site.score > 0 && site.lines > 4, "{} {}", site.score, site.lines);
                ended = Some(number);
            }
            if ended.is_some()
                && site.games == 2
                && view.play_state() == play_state::ACTIVE
                && site.pieces > 2
            {
                break;
            }
        }
        assert_eq!(site.games, 2, "ended: {ended:?}");
        assert!(sent < played, "{sent} of {played}");
    }
}

#[test]
fn a_rewind_is_another_game_to_the_site() {
    let mut game = Game::new(IMAGES[0], 1, 18);
    let (mut source, mut producer) = (Source::default(), Producer::new(5));
    let mut kept = None;
    let mut last = None;
    for number in 0..4_000 {
        let update = source.observe(&game.frame());
        last = producer.take(&update, 0).or(last);
        if number == 3_000 {
            kept = Some(game.clone());
        }
    }
    let before = last.unwrap();
    assert!(before.score.is_some());
    let mut game = kept.unwrap();
    let after = producer.take(&source.observe(&game.frame()), 0).unwrap();
    assert_eq!(after.game, before.game + 1);
    assert!(after.score.is_some());
}
