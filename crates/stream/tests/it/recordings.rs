//! Games of the computer as recordings of NestrisChamps, and the placements that are found in them
//! however badly they were read.

use notation::ngf::{CELLS, Found, Frame, Recording, Version, find};
use stream::Source;
use stream::nestris::Producer;
use tetris::events::Event;
use tetris::{Piece, SplitMix64, View};

use crate::rig::{Game, IMAGES};

/// What the game itself says of a piece: next piece, level and lines at its spawn, and its place.
type Truth = (Option<Piece>, u8, u32, [u8; 3]);

/// A game of the computer, sixty frames a second.
fn play(image: &[u8], level: u8, frames: u64) -> (Vec<Frame>, Vec<Truth>) {
    let mut game = Game::new(image, 1, level);
    let (mut source, mut producer) = (Source::default(), Producer::new(9));
    let (mut sent, mut truth) = (Vec::new(), Vec::new());
    let mut spawned = (None, 0, 0);
    for number in 0..frames {
        let snapshot = game.frame();
        let update = source.observe(&snapshot);
        let view = View::new(&snapshot.ram);
        for line in &update.lines {
            match line.event() {
                Some(Event::Spawn { next, .. }) => spawned = (next.piece(), view.level(), view.lines()),
                Some(Event::Lock { orientation, column, row, .. }) => {
                    truth.push((spawned.0, spawned.1, spawned.2, [*column, *row, *orientation]));
                }
                _ => {}
            }
        }
        let frame = producer.take(&update, (number * 1_000 / 60) as u32);
        sent.extend(frame.filter(|frame| frame.score.is_some()));
    }
    (sent, truth)
}

fn found(frames: &[Frame]) -> Found {
    let mut recording = Recording::new(Version::V3);
    for frame in frames {
        recording.push(frame);
    }
    let recording = Recording::read(&recording.packed().unwrap()).unwrap();
    find(&recording).into_iter().max_by_key(|game| game.frames).unwrap()
}

/// How many placements of the game are found as they were: the longest common subsequence.
fn right(found: &Found, truth: &[Truth]) -> usize {
    let of = |turn: &notation::Turn| -> Truth {
        (turn.next, turn.level, turn.lines, [turn.place.x, turn.place.y, turn.place.orientation.id()])
    };
    let found: Vec<Truth> = found.turns.iter().map(of).collect();
    let mut row = vec![0; truth.len() + 1];
    for turn in &found {
        let mut diagonal = 0;
        for at in 0..truth.len() {
            let above = row[at + 1];
            row[at + 1] = if *turn == truth[at] { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row[truth.len()]
}

/// Frames seventeen a second, in which a hundredth of the cells and of the counters is wrong.
fn misread(frames: &[Frame], seed: u64) -> Vec<Frame> {
    let mut random = SplitMix64::new(seed);
    let mut due = 0;
    let mut kept = Vec::new();
    for frame in frames.iter().filter(|frame| {
        let now = frame.ctime >= due;
        due = if now { frame.ctime / 59 * 59 + 59 } else { due };
        now
    }) {
        let mut frame = frame.clone();
        for at in 0..CELLS {
            if random.one_in(100) {
                frame.cells[at] = if frame.cells[at] == 0 { 1 + random.below(3) as u8 } else { 0 };
            }
        }
        let mut number = |value: &mut Option<u32>, most: u32| {
            if random.one_in(100) {
                *value = (!random.one_in(3)).then(|| random.below(most));
            }
        };
        number(&mut frame.lines, 400);
        number(&mut frame.score, 999_999);
        frame.counts.iter_mut().for_each(|count| number(count, 100));
        let mut small = [frame.level.map(u32::from), frame.pieces.next.map(|piece| piece as u32)];
        number(&mut small[0], 40);
        number(&mut small[1], 7);
        frame.level = small[0].map(|level| level as u8);
        frame.pieces.next = small[1].and_then(|piece| Piece::from_number(piece as u8));
        kept.push(frame);
    }
    kept
}

#[test]
fn every_placement_of_a_recording_of_ours_is_found() {
    for image in IMAGES {
        for level in [9, 18, 29] {
            let (frames, truth) = play(image, level, 12_000);
            let game = found(&frames);
            let locked = game.turns.len();
            assert!(locked + 1 >= truth.len() && truth.len() > 60, "{locked} of {}", truth.len());
            assert_eq!(right(&game, &truth), locked, "level {level}");
            assert_eq!(game.gaps, []);
        }
    }
}

#[test]
fn at_seventeen_frames_a_second_with_a_hundredth_misread_nearly_all_placements_are_right() {
    let (mut all, mut count) = (0, 0);
    for (number, image) in IMAGES.into_iter().enumerate() {
        for level in [18, 19, 29] {
            let (frames, truth) = play(image, level, 16_000);
            let game = found(&misread(&frames, number as u64 * 100 + u64::from(level)));
            let right = right(&game, &truth[..truth.len() - 1]);
            println!(
                "level {level}: {right} of {} right, {} unread frames of {}, {:?}",
                truth.len() - 1,
                game.unread,
                game.frames,
                game.gaps
            );
            (all, count) = (all + right, count + truth.len() - 1);
        }
    }
    assert!(all * 1_000 >= count * 995, "{all} of {count}");
}

#[test]
fn what_is_missing_of_a_game_is_told_and_the_rest_is_found() {
    let (frames, truth) = play(IMAGES[0], 18, 12_000);
    let game = found(&frames[..]);
    // Twenty pieces are missing within, and twenty at the beginning.
    let ms = |piece: usize| game.turns[piece].ms[0] + frames[0].ctime;
    let shown = |frame: &&Frame| {
        let within = |from: u32, to: u32| (from..to).contains(&frame.ctime);
        !within(0, ms(20)) && !within(ms(60), ms(80))
    };
    let shown: Vec<Frame> = frames.iter().filter(shown).cloned().collect();
    let torn = found(&shown);
    let [first, second] = &torn.gaps[..] else { panic!("{:?}", torn.gaps) };
    assert_eq!(first.frame, 1);
    assert!(first.pieces.is_some_and(|pieces| (20..=23).contains(&pieces)), "{first:?}");
    assert!(second.pieces.is_some_and(|pieces| (19..=25).contains(&pieces)), "{second:?}");
    let missed = first.pieces.unwrap() + second.pieces.unwrap();
    let right = right(&torn, &truth);
    assert!(right + missed as usize + 5 >= truth.len(), "{right} and {missed} of {}", truth.len());
    // No placement is made up.
    assert!(right + 1 >= torn.turns.len(), "{right} of {}", torn.turns.len());
}
