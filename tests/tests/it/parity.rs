//! The model of the game's rules against the built-in cartridge in the console: the same input, RAM
//! compared after every frame, wherever the model knows what it holds.
//!
//! The big run is `maxout tetris parity --frames 10000000`.

use nes::{Buttons, Cartridge, Config, Console};
use tetris::parity::Player;
use tetris::rules::Game;
use tetris::{Rom, View, ram};

use nes_testing::MAXOUT as IMAGE;

/// The PAL build.
const PAL: &[u8] = include_bytes!("../../../roms/maxout-pal.nes");
/// The slow build.
const SLOW: &[u8] = include_bytes!("../../../roms/maxout-slow.nes");

/// A console with the cartridge and the model, a frame at a time.
#[derive(Clone)]
struct Pair {
    console: Console,
    game: Game<'static>,
    frame: usize,
}

impl Pair {
    fn power_on() -> Self {
        static ROM: Rom = Rom::MAXOUT;
        Self::with(IMAGE, &ROM)
    }

    fn pal() -> Self {
        static ROM: Rom = Rom::MAXOUT_PAL;
        Self::with(PAL, &ROM)
    }

    fn with(image: &[u8], rom: &'static Rom) -> Self {
        let cartridge = Cartridge::from_bytes(image).expect("the image is a cartridge");
        Self { console: Console::new(cartridge, Config::default()), game: Game::power_on(rom), frame: 0 }
    }

    fn poke(&mut self, pokes: &[(u16, u8)]) {
        let mut memory = *self.game.memory().ram();
        for &(address, value) in pokes {
            memory[usize::from(address)] = value;
            self.console.ram_mut()[usize::from(address)] = value;
        }
        self.game.set_memory(&memory);
    }

    fn step(&mut self, buttons: u8) {
        let held = Buttons::from_bits_retain(buttons);
        let done = self.console.run_frame(&mut [held, Buttons::empty()], &mut ());
        assert!(done.is_continue(), "nobody breaks a frame off");
        self.game.step(buttons);
        self.frame += 1;
        let memory = self.game.memory();
        if memory.agrees(self.console.ram()) {
            return;
        }
        let places: Vec<String> = memory
            .differences(self.console.ram())
            .map(|address| {
                let place = ram::place_of(address).map_or("?", |place| place.name);
                let (model, machine) =
                    (memory.ram()[usize::from(address)], self.console.ram()[usize::from(address)]);
                format!("${address:04X} {place}: expected ${model:02X} by the model, found ${machine:02X}")
            })
            .collect();
        panic!("frame {}, {:?}:\n{}", self.frame, self.game, places.join("\n"));
    }

    /// The player of a seed plays on. Out: rows cleared, and the highest level.
    fn play(&mut self, seed: u64, frames: usize) -> (usize, u8) {
        let mut player = Player::new(seed);
        let (mut rows, mut highest) = (0, 0);
        for _ in 0..frames {
            let view = View::new(self.console.ram());
            let completed = view.byte(ram::LINES_COMPLETED);
            let turn = player.turn(view);
            if !turn.pokes.is_empty() {
                self.poke(&turn.pokes);
            }
            self.step(turn.buttons);
            let view = View::new(self.console.ram());
            if view.byte(ram::LINES_COMPLETED) == 0 {
                rows += usize::from(completed);
            }
            highest = highest.max(view.level());
        }
        (rows, highest)
    }
}

/// The model is as fast as it is because it knows nothing of sprites, sound and scratch; all else
/// it knows.
#[test]
fn the_model_knows_every_place_of_the_game() {
    let memory = Pair::power_on().game.memory();
    for place in ram::MAP.iter().filter(|place| place.purpose == ram::Use::Game) {
        let unknown: Vec<_> = place.range().filter(|&address| !memory.knows(address as u16)).collect();
        assert!(unknown.is_empty(), "{}: {unknown:04X?}", place.name);
    }
}

#[test]
fn the_pal_build_on_its_console_is_the_model_with_its_speeds() {
    let mut pair = Pair::pal();
    (0..7_200).for_each(|_| pair.step(0));
    let mut rows = 0;
    for seed in 1..=3 {
        rows += Pair::pal().play(seed, 25_000).0;
    }
    assert!(rows > 150, "{rows} rows cleared");
}

#[test]
fn left_alone_model_and_cartridge_show_title_and_demo_alike() {
    let mut pair = Pair::power_on();
    (0..7_200).for_each(|_| pair.step(0));
}

#[test]
fn a_player_of_the_whole_game_finds_no_difference() {
    const FRAMES_A_SEED: usize = 25_000;
    let (mut rows, mut highest) = (0, 0);
    for seed in 1..=8 {
        let (cleared, level) = Pair::power_on().play(seed, FRAMES_A_SEED);
        rows += cleared;
        highest = highest.max(level);
    }
    assert!(rows > 500, "{rows} rows cleared");
    assert!(highest > 235, "level {highest} at most");
}

/// 256 turns of the loop that adds the points of four rows, the most work that a frame can have.
#[test]
fn a_four_row_clear_at_level_255_takes_one_frame() {
    const I_UPRIGHT: u8 = 0x11;
    let mut pair = Pair::power_on();
    while !pair.game.in_play() {
        pair.step(if pair.frame.is_multiple_of(6) { tetris::buttons::START } else { 0 });
    }
    (0..120).for_each(|_| pair.step(0));
    for score in [[0x00, 0x00, 0x00], [0x99, 0x99, 0x60], [0x99, 0x99, 0x99]] {
        let rows = (160..200).map(|cell| (0x400 + cell, if cell % 10 == 9 { ram::EMPTY } else { 0x7B }));
        let piece = [(0x60, 9), (0x61, 17), (0x62, I_UPRIGHT), (0x64, 255), (0x68, 1)];
        let points = (0x73..).zip(score);
        let above = (0..160).map(|cell| (0x400 + cell, ram::EMPTY));
        let pokes: Vec<_> = above.chain(rows).chain(piece).chain(points).collect();
        pair.poke(&pokes);
        let tetrises = pair.console.ram()[ram::LINE_COUNTS.at() + 3];
        (0..80).for_each(|_| pair.step(0));
        assert_eq!(pair.console.ram()[ram::LINE_COUNTS.at() + 3], tetrises + 1, "score {score:02X?}");
    }
}

/// Seed 124 of `maxout tetris parity roms/maxout-pal.nes` did so in the frame between the beginning
/// of the game and its first frame of play, in its 15,188th frame.
#[test]
fn start_ends_the_demo_in_any_frame_from_its_beginning_on() {
    const DEMO: u8 = 5;
    static SLOW_ROM: Rom = Rom::MAXOUT_SLOW;
    let pairs: [fn() -> Pair; 3] = [Pair::power_on, Pair::pal, || Pair::with(SLOW, &SLOW_ROM)];
    for pair in pairs {
        let mut pair = pair();
        while pair.console.ram()[ram::GAME_MODE.at()] != DEMO {
            pair.step(0);
            assert!(pair.frame < 4_000, "no demo");
        }
        for frame in 0..24 {
            let mut ended = pair.clone();
            ended.step(tetris::buttons::START);
            (0..400).for_each(|_| ended.step(0));
            assert_ne!(ended.console.ram()[ram::GAME_MODE.at()], DEMO, "frame {frame}");
            pair.step(0);
        }
    }
}
