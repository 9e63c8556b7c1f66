//! The game: its model with any memory and beside the machine, the two searchers side by side, and
//! files of kept games.

use ai::{Evaluator, Filter, Searcher, search};
use emulator::{Attached, Emulator, SavedPractice, SavedState};
use nes::fm2::FrameInput;
use nes::{Buttons, Cartridge, Config, Frame, Palette};
use practice::{Header, Kept, Mode, Options, Recorder};
use tetris::parity::Explorer;
use tetris::rules::Game;
use tetris::{HEIGHT, Piece, Playfield, Rom, View};

use crate::bytes::mutate;
use crate::choices::Choices;
use crate::reached::{came_to, reached};

/// Frames of a case of the model alone, and of one beside the machine: deep enough for a whole game
/// and its end.
const ALONE: usize = 240;
const BESIDE: usize = 20_000;

/// Memory that holds anything: the model never panics, whatever it is asked to go on from.
pub(crate) fn rules(random: &mut Choices, in_play: &Game<'static>) {
    let mut game = *in_play;
    let mut memory = *game.memory().ram();
    for _ in 0..=random.below(40) {
        let at = if random.below(2) == 0 { random.below(0x100) } else { random.below(0x800) };
        memory[at as usize] = random.next_u64() as u8;
    }
    game.set_memory(&memory);
    let mut held = 0;
    for _ in 0..ALONE {
        if random.below(4) == 0 {
            held = random.next_u64() as u8;
        }
        game.step(held);
    }
    came_to(screen(&game));
}

/// Which screen and which part of a game the memory is at.
fn screen(game: &Game<'_>) -> String {
    let memory = game.memory();
    let view = View::new(memory.ram());
    format!("screen {}, state {}", view.game_mode(), view.play_state())
}

/// A seeded player of the whole game, in the machine and in the model: the same memory after every
/// frame.
pub(crate) fn machine(random: &mut Choices) {
    static ROM: Rom = Rom::MAXOUT;
    let cartridge = Cartridge::from_bytes(nes_testing::MAXOUT).expect("the built-in cartridge");
    let mut emulator = Emulator::bare(cartridge, Config { video: false, ..Config::default() });
    let mut game = Game::power_on(&ROM);
    let mut player = Explorer::new(random.next_u64());
    let mut last = String::new();
    for frame in 0..BESIDE {
        let turn = player.turn(View::new(emulator.state().ram()));
        if !turn.pokes.is_empty() {
            let mut memory = *game.memory().ram();
            for &(address, value) in &turn.pokes {
                memory[usize::from(address)] = value;
                emulator.console().ram_mut()[usize::from(address)] = value;
            }
            game.set_memory(&memory);
        }
        let held = Buttons::from_bits_retain(turn.buttons);
        emulator.frame(&mut [held, Buttons::empty()], Attached::default());
        game.step(turn.buttons);
        let now = screen(&game);
        if now != last {
            last.clone_from(&now);
            came_to(now);
        }
        let memory = game.memory();
        assert!(
            memory.agrees(emulator.state().ram()),
            "frame {frame}, {game:?}: {:04X?}",
            memory.differences(emulator.state().ram()).collect::<Vec<_>>()
        );
    }
}

/// A board from almost empty to almost full.
pub(crate) fn board(random: &mut Choices) -> Playfield {
    let top = random.below(HEIGHT as u32 + 1) as usize;
    let mut rows = [0; HEIGHT];
    for row in &mut rows[top..] {
        let (one, other) = (random.next_u64() as u16, random.next_u64() as u16);
        *row = 0x3FF
            & match random.below(6) {
                0 => one,
                1 => one | other,
                2 => one & other,
                3 => 0x3FF,
                _ => !(1 << random.below(10)),
            };
    }
    Playfield::from_rows(&rows)
}

/// The fast searcher decides as the plain search does.
pub(crate) fn searches(random: &mut Choices) {
    let board = board(random);
    let pieces: Vec<Piece> = (0..=random.below(2)).map(|_| Piece::ALL[random.below(7) as usize]).collect();
    let filter = if random.below(3) == 0 { Filter::Well } else { Filter::None };
    let evaluator =
        [Evaluator::Article, Evaluator::ElTetris, Evaluator::Dellacherie][random.below(3) as usize].clone();
    let plain = search(&board, &pieces, &evaluator, &filter).result;
    let plain = plain.map(|choice| ([choice.x, choice.y, choice.orient], choice.fitness));
    let made = Searcher::new(evaluator, filter).decide(&board, &pieces);
    let fast = made.map(|made| (<[u8; 3]>::from(made.place), made.fitness));
    assert_eq!(fast, plain, "{board:?} {pieces:?}");
    came_to(format!("{} pieces, {}", pieces.len(), if plain.is_some() { "placed" } else { "no place" }));
}

/// A kept game that was cut and changed, or made of any blocks: what is read is no larger than a
/// game can be.
pub(crate) fn kept(random: &mut Choices) {
    let header = Header {
        mode: "levels".parse().unwrap_or_else(|_| practice::Kind::Seed.usual()),
        options: Options::default(),
        cartridge: "fuzz".to_owned(),
        crc32: 1,
        begun: 0,
        pieces: (random.below(3) == 0).then(|| "--randomizer tgm3".to_owned()),
        score: (random.below(3) == 0).then(|| random.below(1_000_000)),
    };
    let (mut recorder, mut bytes) = Recorder::new(&header);
    if random.below(2) == 0 {
        let length = random.below(50) as usize;
        bytes.extend(Recorder::begin_from(&vec![1; length], &[2; 9]));
    }
    let second = random.below(2) as u8;
    for _ in 0..random.below(400) {
        let [first, other, ..] = random.next_u64().to_le_bytes();
        let pads = [first, other * second].map(Buttons::from_bits_retain);
        bytes.extend(recorder.push(pads).unwrap_or_default());
    }
    bytes.extend(recorder.back(u64::from(random.below(100))));
    bytes.extend(recorder.chance(random.next_u64() as u16));
    if random.below(2) == 0 {
        bytes.extend(recorder.end(&[("score", "12".to_owned())]));
    }
    for _ in 0..random.below(4) {
        bytes.extend(block(random));
    }
    if random.below(2) == 0 {
        mutate(&mut bytes, random);
    }
    if let Some(game) = reached(Kept::read(&bytes)) {
        assert!(game.lost <= bytes.len(), "{} bytes lost of {}", game.lost, bytes.len());
        assert_eq!(game.header.mode.to_string().parse::<Mode>(), Ok(game.header.mode));
    }
}

/// The file of a save slot that was changed; in half of the cases its sums fit all the same.
pub(crate) fn slot(random: &mut Choices, usual: &[u8]) {
    let mut bytes = usual.to_vec();
    if random.below(4) == 0 {
        mutate(&mut bytes, random);
    } else {
        // The state's chunk and what describes the picture are near the front.
        for _ in 0..=random.below(8) {
            let at = random.below(1200.min(bytes.len() as u32)) as usize;
            bytes[at] = if random.below(2) == 0 { 0xFF } else { random.next_u64() as u8 };
        }
    }
    if random.below(2) == 0 {
        mend(&mut bytes);
    }
    let _ = reached(SavedState::read(&bytes));
    let _ = emulator::saved_picture(&bytes);
}

/// The file of a saved state with a session.
pub(crate) fn usual_slot() -> Vec<u8> {
    let practice = SavedPractice {
        mode: practice::Kind::Seed.usual(),
        options: Options::default(),
        pieces: Some("--randomizer tgm3".to_owned()),
        memory: vec![7, b'\n', 9],
        watches: true,
    };
    let log = vec![FrameInput::default(); 20];
    let saved = SavedState { console: vec![7; 900], log, practice: Some(practice), ..SavedState::default() };
    saved.write(&Frame::default(), &Palette::ntsc())
}

/// Gives the chunks of a PNG sums that fit, as far as their lengths lead from one to the next.
fn mend(bytes: &mut [u8]) {
    let mut at = 8;
    while let Some(length) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let Some(end) = at.checked_add(8 + length).filter(|end| end + 4 <= bytes.len()) else { return };
        let sum = crc32fast::hash(&bytes[at + 4..end]);
        bytes[end..end + 4].copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
}

/// Traces of frames, in both forms.
pub(crate) fn trace(random: &mut Choices) {
    let mut bytes: Vec<u8> =
        (0..random.below(200)).map(|_| random.next_u64() as u8 >> random.below(8)).collect();
    if random.below(2) == 0 {
        bytes.splice(0..0, *tetris::parity::MAGIC);
    }
    mutate(&mut bytes, random);
    if let Some(trace) = reached(tetris::parity::Trace::parse(&bytes)) {
        assert_eq!(trace.frames().count(), trace.len());
        assert!(trace.len() <= bytes.len() * 8, "{} frames of {} bytes", trace.len(), bytes.len());
    }
}

/// A block of any kind, with a sum that fits.
fn block(random: &mut Choices) -> Vec<u8> {
    let length = random.below(60) * random.below(60);
    let mut bytes = vec![random.below(10) as u8];
    bytes.extend(length.to_le_bytes());
    bytes.extend((0..length).map(|_| if random.below(3) == 0 { 0xFF } else { random.next_u64() as u8 }));
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}
