//! `maxout tetris parity`: the cartridge in the console and the model of its rules side by side.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use nes::{Buttons, Config, Console};
use serde::Serialize;
use tetris::parity::Player;
use tetris::rules::Game;
use tetris::{Rom, View, ram};

use crate::built_in;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::tetris_game as game;

/// Run the cartridge and the model of its rules on the same input and compare RAM after every frame.
///
/// The input is a player's who visits the whole game by a seed: stacking with some sense, pressing at random, menus,
/// pauses, demo, endings, resets, and new games poked to levels, lines, scores and fields that nobody plays to. Every
/// byte of RAM with a meaning is compared, but sprites, sound and scratch. The first difference ends the run. How long the
/// built-in cartridge takes to draw a screen is compared as well; with another, the model waits for the machine there.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris parity
  maxout tetris parity --frames 10000000 --seed 7 --json

Exit status: 0 no difference, 1 a difference, 2 it could not run.")]
pub(crate) struct Arguments {
    /// Cartridge image; without one, the built-in cartridge.
    rom: Option<PathBuf>,
    /// Frames to compare.
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    frames: u64,
    /// The player's seed.
    #[arg(long, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What came out.
#[derive(Serialize)]
struct Outcome {
    seed: u64,
    /// Frames compared.
    frames: u64,
    /// Frames with a difference: 0, or 1 as the first ends the run.
    differences: u64,
    /// Bytes compared in the last frame.
    bytes: usize,
    games: u64,
    pieces: u64,
    lines: u64,
    highest_level: u8,
    /// Frames of play at level 30 and up, 138 and up, 235 and up.
    frames_at_level: [u64; 3],
    frames_per_second: f64,
    first: Option<Difference>,
}

#[derive(Serialize)]
struct Difference {
    frame: u64,
    game_mode: u8,
    places: Vec<Byte>,
}

#[derive(Serialize)]
struct Byte {
    address: u16,
    place: Option<&'static str>,
    model: u8,
    machine: u8,
}

const LEVELS: [u8; 3] = [30, 138, 235];

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let game::Known { image, cartridge, profile } = game::known(arguments.rom.as_deref(), None)?;
    // A header, and no trainer: a profile knows the image by its hash.
    let rom = Rom::from_prg(image.get(16..).unwrap_or_default(), &profile).unwrap_or(Rom::MAXOUT);
    let follows = image != built_in::IMAGE;
    let mut console = Console::new(cartridge, Config::default());
    let mut game = Game::power_on(&rom);
    let mut player = Player::new(arguments.seed);
    let interrupt = Interrupt::listen();
    let mut progress = Progress::new(arguments.frames, "frames");
    let begun = Instant::now();
    let mut outcome = Outcome {
        seed: arguments.seed,
        frames: 0,
        differences: 0,
        bytes: game.memory().known(),
        games: 0,
        pieces: 0,
        lines: 0,
        highest_level: 0,
        frames_at_level: [0; 3],
        frames_per_second: 0.0,
        first: None,
    };
    while outcome.frames < arguments.frames && outcome.first.is_none() {
        if interrupt.asked() {
            break;
        }
        let before = *console.ram();
        let turn = player.turn(View::new(&before));
        if !turn.pokes.is_empty() {
            let mut memory = *game.memory().ram();
            for &(address, value) in &turn.pokes {
                memory[usize::from(address)] = value;
                console.ram_mut()[usize::from(address)] = value;
            }
            game.set_memory(&memory);
        }
        let buttons = Buttons::from_bits_retain(turn.buttons);
        let _ = console.run_frame(&mut [buttons, Buttons::empty()], &mut ());
        if follows {
            game.follow_machine(console.ram());
        }
        game.step(turn.buttons);
        outcome.frames += 1;
        outcome.count(&before, console.ram());
        outcome.compare(&game, console.ram());
        if outcome.frames.is_multiple_of(4096) {
            progress.reach(outcome.frames);
        }
    }
    progress.finish();
    outcome.frames_per_second = outcome.frames as f64 / begun.elapsed().as_secs_f64().max(1e-9);
    outcome.print(arguments.json).map_err(Error::Output)?;
    if outcome.first.is_some() {
        return Ok(ExitCode::from(1));
    }
    interrupt.check()?;
    Ok(ExitCode::SUCCESS)
}

impl Outcome {
    fn compare(&mut self, game: &Game, machine: &[u8; 0x800]) {
        let memory = game.memory();
        if memory.agrees(machine) {
            return;
        }
        self.differences += 1;
        let places = memory.differences(machine).map(|address| Byte {
            address,
            place: ram::place_of(address).map(|place| place.name),
            model: memory.ram()[usize::from(address)],
            machine: machine[usize::from(address)],
        });
        self.first = Some(Difference {
            frame: self.frames,
            game_mode: machine[ram::GAME_MODE.at()],
            places: places.collect(),
        });
    }

    /// What kind of play it is.
    fn count(&mut self, before: &[u8; 0x800], after: &[u8; 0x800]) {
        let (old, new) = (View::new(before), View::new(after));
        self.games += u64::from(old.byte(ram::RENDER_MODE) != 3 && new.byte(ram::DOWN_REPEAT) == 0xA1);
        self.pieces += u64::from(old.byte(ram::SPAWN_COUNT) != new.byte(ram::SPAWN_COUNT));
        if old.byte(ram::LINES_COMPLETED) > 0 && new.byte(ram::LINES_COMPLETED) == 0 {
            self.lines += u64::from(old.byte(ram::LINES_COMPLETED));
        }
        if new.byte(ram::RENDER_MODE) == 3 {
            self.highest_level = self.highest_level.max(new.level());
            for (frames, level) in self.frames_at_level.iter_mut().zip(LEVELS) {
                *frames += u64::from(new.level() >= level);
            }
        }
    }

    fn print(&self, json: bool) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        if json {
            serde_json::to_writer(&mut out, self)?;
            return writeln!(out);
        }
        let [level_30, level_138, level_235] = self.frames_at_level;
        writeln!(out, "seed         {}", self.seed)?;
        writeln!(out, "frames       {}", self.frames)?;
        writeln!(out, "differences  {}", self.differences)?;
        writeln!(out, "bytes        {} of 2048 compared each frame", self.bytes)?;
        writeln!(out, "games        {}", self.games)?;
        writeln!(out, "pieces       {}", self.pieces)?;
        writeln!(out, "lines        {}", self.lines)?;
        writeln!(
            out,
            "levels       up to {}; frames at 30+ {level_30}, 138+ {level_138}, 235+ {level_235}",
            self.highest_level
        )?;
        writeln!(out, "speed        {:.0} frames/s", self.frames_per_second)?;
        let Some(difference) = &self.first else { return Ok(()) };
        writeln!(out, "\nfirst difference: frame {}, game mode {}", difference.frame, difference.game_mode)?;
        for Byte { address, place, model, machine } in &difference.places {
            let place = place.unwrap_or("?");
            writeln!(
                out,
                "  ${address:04X} {place}: expected ${model:02X} by the model, found ${machine:02X}"
            )?;
        }
        Ok(())
    }
}
