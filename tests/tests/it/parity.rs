//! The model of the game's rules against the built-in cartridge in the console: the same input, RAM
//! compared after every frame, wherever the model knows what it holds.
//!
//! The big run is `maxout tetris parity --frames 10000000`.

use nes::{Buttons, Cartridge, Config, Console};
use tetris::parity::Explorer;
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
        let mut player = Explorer::new(seed);
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

/// Begins a game and waits for its second piece to be shown.
fn begin(pair: &mut Pair) {
    while !pair.game.in_play() {
        pair.step(if pair.frame.is_multiple_of(6) { tetris::buttons::START } else { 0 });
    }
    (0..120).for_each(|_| pair.step(0));
}

/// What to poke so that the next lock is a tetris at a level.
fn tetris_at(level: u8, score: [u8; 3]) -> Vec<(u16, u8)> {
    const I_UPRIGHT: u8 = 0x11;
    let above = (0..160).map(|cell| (0x400 + cell, ram::EMPTY));
    let rows = (160..200).map(|cell| (0x400 + cell, if cell % 10 == 9 { ram::EMPTY } else { 0x7B }));
    let piece = [(0x60, 9), (0x61, 17), (0x62, I_UPRIGHT), (0x64, level), (0x68, 1)];
    above.chain(rows).chain(piece).chain((0x73..).zip(score)).collect()
}

/// 256 turns of the loop that adds the points of four rows, the most work that a frame can have.
#[test]
fn a_four_row_clear_at_level_255_takes_one_frame() {
    let mut pair = Pair::power_on();
    begin(&mut pair);
    for score in [[0x00, 0x00, 0x00], [0x99, 0x99, 0x60], [0x99, 0x99, 0x99]] {
        pair.poke(&tetris_at(255, score));
        let tetrises = pair.console.ram()[ram::LINE_COUNTS.at() + 3];
        (0..80).for_each(|_| pair.step(0));
        assert_eq!(pair.console.ram()[ram::LINE_COUNTS.at() + 3], tetrises + 1, "score {score:02X?}");
    }
}

/// Seed 17 of `maxout tetris parity` came to five rows at 996,529 points and level 234: the loop
/// that adds what lies behind the points ends at the limit. Eight rows are counted in the byte that
/// hides the next box.
#[test]
fn rows_that_a_reset_left_to_a_tetris_are_counted_as_the_cartridge_counts_them() {
    static SLOW_ROM: Rom = Rom::MAXOUT_SLOW;
    let slow = || Pair::with(SLOW, &SLOW_ROM);
    // From level 130 on frames of the slow build are late.
    let cases = [(Pair::power_on as fn() -> Pair, [18, 234]), (Pair::pal, [18, 234]), (slow, [18, 129])];
    for (insert, levels) in cases {
        let mut begun = insert();
        begin(&mut begun);
        for (left, level) in (0..=4).flat_map(|left| levels.map(|level| (left, level))) {
            let mut pair = begun.clone();
            let mut pokes = tetris_at(level, [0x29, 0x65, 0x99]);
            // The block and its working copy.
            pokes.extend([(0x56, left), (0x76, left)]);
            pair.poke(&pokes);
            (0..80).for_each(|_| pair.step(0));
            let memory = pair.console.ram();
            assert_eq!(memory[ram::LINES_COMPLETED.at()], 0, "{left} rows left at level {level}");
            assert_eq!(memory[ram::HIDE_NEXT.at()], u8::from(left == 4), "{left} rows left");
            if (left, level) == (1, 234) {
                assert_eq!(memory[ram::SCORE.range()], [0x99; 3]);
            }
        }
    }
}

/// Seed 124 of `maxout tetris parity roms/maxout-pal.nes` did so in the frame between the beginning
/// of the game and its first frame of play, in its 15,188th frame.
#[test]
fn start_ends_the_demo_in_the_frames_in_which_the_model_says_so() {
    const DEMO: u8 = 5;
    static SLOW_ROM: Rom = Rom::MAXOUT_SLOW;
    let slow = || Pair::with(SLOW, &SLOW_ROM);
    for insert in [Pair::power_on as fn() -> Pair, Pair::pal, slow] {
        let mut pair = insert();
        while pair.console.ram()[ram::GAME_MODE.at()] != DEMO {
            pair.step(0);
            assert!(pair.frame < 4_000, "no demo");
        }
        // In frames that take longer to build a screen nobody reads the pad.
        let mut ends = 0;
        for _ in 0..24 {
            let mut ended = pair.clone();
            ended.step(tetris::buttons::START);
            (0..400).for_each(|_| ended.step(0));
            ends += usize::from(ended.console.ram()[ram::GAME_MODE.at()] != DEMO);
            pair.step(0);
        }
        assert!((12..=24).contains(&ends), "{ends} of 24");
    }
}
