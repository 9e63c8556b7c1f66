//! `maxout tetris parity`: the cartridge in the console and the model of its rules side by side.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use nes::{Buttons, Config, Console};
use nes_debug::{Crash, CrashWatch};
use rayon::prelude::*;
use serde::Serialize;
use tetris::parity::{Away, Explorer, Judge, Turn};
use tetris::ram::{self, play_state, render_mode};
use tetris::rules::{Game, Memory};
use tetris::{Feature, Hashes, Rom, View};

use super::traces;
use cli::error::Error;
use cli::game::{self, Known};
use cli::interrupt::Interrupt;
use cli::output;
use cli::progress::Progress;

/// Run the cartridge and the model of its rules on the same input and compare RAM after every
/// frame.
///
/// The input is a player's who visits the whole game by a seed: stacking with some sense, pressing
/// at random, menus, pauses, demo, endings, resets, and new games poked to levels, lines, scores
/// and fields that nobody plays to. Every byte of RAM with a meaning is compared, but sprites,
/// sound and scratch. The first difference ends the run. How long the cartridge takes to draw a
/// screen is compared as well. Where a game crashes, the console is switched off and on, and the
/// player goes on.
///
/// Cartridges of which the durations are known: the built-in one, its slow build and its PAL build
/// (which is played on a PAL console), and Tetris (US), by their hashes.
///
/// Several players divide the frames among them, as many at once as there are cores; what comes out
/// depends on their seeds and on nothing else.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris parity
  maxout tetris parity --frames 10000000 --seeds 20    players 0 to 19, half a million frames each
  maxout tetris parity --frames 500000 --seed 7 --json  the eighth of them alone
  maxout tetris parity tetris.nes                       your copy of the US cartridge
  maxout tetris parity roms/maxout-pal.nes              the PAL build
  maxout tetris parity --trace *.trace.gz               recordings of it

Exit status: 0 no difference, 1 a difference, 2 it could not run, 3 no difference, and a game has crashed.")]
pub(crate) struct Arguments {
    /// Cartridge image; without one, the built-in cartridge.
    rom: Option<PathBuf>,
    /// Frames to compare, by all players together.
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    frames: u64,
    /// The player's seed; the first of them, if there are several.
    #[arg(long, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// Players, with seeds one after the other, each at a console of its own.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    seeds: u64,
    /// Compare the model of the US cartridge with traces of it instead: buttons, and RAM after
    /// every frame.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["rom", "frames", "seed", "seeds"])]
    trace: Vec<PathBuf>,
    /// Write the traces to this folder, packed, with those places alone that are compared.
    #[arg(long, value_name = "FOLDER", requires = "trace")]
    pack: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What came out, of one player or of several together.
#[derive(Serialize)]
struct ParityResult {
    seed: u64,
    seeds: u64,
    /// Frames compared.
    frames: u64,
    /// Players who found a difference: the first ends the run.
    differences: u64,
    /// Bytes compared in each frame.
    bytes: usize,
    /// Frames that took longer than a frame.
    late: u64,
    /// Frames of which the machine said where they ended, as the sound engine's time or a few
    /// cycles decided.
    told: u64,
    /// Bytes not compared, because the machine was writing them as the frame ended.
    bytes_left_out: u64,
    /// Frames not compared, because an interrupt in the middle of a jump had sent the machine
    /// astray.
    crashed: u64,
    /// Frames not compared, because one was late in no way that the model knows.
    lost: u64,
    /// Games that have crashed.
    crashes: u64,
    /// How the first of them did, and the seed of its player.
    first_crash: Option<String>,
    games: u64,
    /// Games that were over: the curtain fell.
    topped_out: u64,
    /// Games that earned an ending: points of the A-type, or the B-type's goal.
    endings: u64,
    pieces: u64,
    lines: u64,
    highest_level: u8,
    /// By [`LEVELS`].
    levels: [AtLevel; LEVELS.len()],
    frames_per_second: f64,
    first: Option<Difference>,
}

/// Play at a level and all above it.
#[derive(Clone, Copy, Serialize)]
struct AtLevel {
    level: u8,
    games: u64,
    frames: u64,
}

#[derive(Serialize)]
struct Difference {
    seed: u64,
    frame: u64,
    game_mode: u8,
    places: Vec<Byte>,
}

/// A byte in which the model and the machine differ.
#[derive(Serialize)]
pub(super) struct Byte {
    pub(super) address: u16,
    pub(super) place: Option<&'static str>,
    pub(super) model: u8,
    pub(super) machine: u8,
}

impl Byte {
    /// Returns the bytes in which the model's memory and the machine's differ.
    pub(super) fn differing(memory: &Memory, machine: &[u8; 0x800]) -> Vec<Self> {
        let byte = |address| Self {
            address,
            place: ram::place_of(address).map(|place| place.name),
            model: memory.ram()[usize::from(address)],
            machine: machine[usize::from(address)],
        };
        memory.differences(machine).map(byte).collect()
    }
}

/// What the model knows nothing of.
pub(super) const NOT_COMPARED: &str = "sprites, sound, stack and scratch";

/// Gravity's last, the first beside the table of colours, the long one.
const LEVELS: [u8; 3] = [30, 138, 235];
/// Of all players together: what they have done, and whether to go on.
struct Shared {
    interrupt: Interrupt,
    found: AtomicBool,
    progress: Progress,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    if !arguments.trace.is_empty() {
        return traces::run(&arguments.trace, arguments.pack.as_deref(), arguments.json);
    }
    let &Arguments { frames, seed, seeds, .. } = arguments;
    let path = arguments.rom.as_deref();
    let game = game::known(path, None, Feature::Parity)?;
    let rom = Rom::of_image(&game.image).ok_or_else(|| Error::Unmeasured {
        path: path.unwrap_or(Path::new("the built-in cartridge")).into(),
        sha1: Hashes::of(&game.image).file,
    })?;
    let shared = Shared {
        interrupt: Interrupt::listen(),
        found: AtomicBool::new(false),
        progress: Progress::new(frames, "frames"),
    };
    let begun = Instant::now();
    let share = |number| frames / seeds + u64::from(number < frames % seeds);
    let outcome = (0..seeds)
        .into_par_iter()
        .map(|number| ParityResult::of(&game, &rom, seed.wrapping_add(number), share(number), &shared))
        .reduce_with(ParityResult::and);
    shared.progress.finish();
    let Some(mut outcome) = outcome else { return Ok(ExitCode::SUCCESS) };
    outcome.frames_per_second = outcome.frames as f64 / begun.elapsed().as_secs_f64().max(1e-9);
    output::print(&outcome, arguments.json, |out| outcome.text(out))?;
    if outcome.first.is_some() {
        return Ok(ExitCode::from(1));
    }
    shared.interrupt.check()?;
    match outcome.first_crash {
        Some(first) => Err(Error::Crashed(first)),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// A console and the model beside it, switched on together.
struct Pair<'a> {
    console: Console,
    model: Game<'a>,
    judge: Judge<'a>,
    watch: CrashWatch,
    /// Jumps are watched, on a cartridge whose jumps can go wild.
    watches: bool,
}

impl<'a> Pair<'a> {
    fn power_on(game: &Known, rom: &'a Rom) -> Self {
        let console = Console::new(game.cartridge.clone(), Config { video: false, ..Config::default() });
        let watch = CrashWatch::new(&game.profile, &console);
        let model = Game::power_on(rom);
        Self { console, model, judge: Judge::default(), watch, watches: rom.timing.is_some() }
    }

    /// Runs the console for a frame. Gives the crash, if it comes to that.
    fn run(&mut self, turn: &Turn) -> Option<Crash> {
        let Self { console, model, judge, watch, .. } = self;
        judge.poke(model, &turn.pokes);
        for &(address, value) in &turn.pokes {
            console.ram_mut()[usize::from(address)] = value;
        }
        let mut pads = [Buttons::from_bits_retain(turn.buttons), Buttons::empty()];
        let _ = if self.watches {
            console.run_frame(&mut pads, watch)
        } else {
            console.run_frame(&mut pads, &mut ())
        };
        watch.end_frame(console)
    }
}

impl ParityResult {
    /// Of the player of `seed` over `frames` frames, or until a difference, here or elsewhere.
    fn of(game: &Known, rom: &Rom, seed: u64, frames: u64, shared: &Shared) -> Self {
        let mut pair = Pair::power_on(game, rom);
        let mut player = Explorer::new(seed);
        let mut outcome = Self::new(seed, pair.model.memory().known());
        let mut highest = 0;
        while outcome.frames < frames && outcome.first.is_none() {
            let before = *pair.console.ram();
            let turn = player.turn(View::new(&before));
            outcome.frames += 1;
            if let Some(crash) = pair.run(&turn) {
                outcome.crashes += 1;
                outcome
                    .first_crash
                    .get_or_insert_with(|| format!("seed {seed}, frame {}: {crash}", outcome.frames));
                pair = Pair::power_on(game, rom);
            } else {
                outcome.count(&before, pair.console.ram(), &mut highest);
                outcome.compare(&mut pair, turn.buttons);
            }
            if outcome.frames.is_multiple_of(4096) && !shared.goes_on(4096) {
                break;
            }
        }
        if outcome.first.is_some() {
            shared.found.store(true, Ordering::Relaxed);
        }
        outcome
    }

    /// Of a player who has not begun, `bytes` being compared in each frame.
    fn new(seed: u64, bytes: usize) -> Self {
        Self {
            seed,
            seeds: 1,
            frames: 0,
            differences: 0,
            bytes,
            late: 0,
            told: 0,
            bytes_left_out: 0,
            crashed: 0,
            lost: 0,
            crashes: 0,
            first_crash: None,
            games: 0,
            topped_out: 0,
            endings: 0,
            pieces: 0,
            lines: 0,
            highest_level: 0,
            levels: LEVELS.map(|level| AtLevel { level, games: 0, frames: 0 }),
            frames_per_second: 0.0,
            first: None,
        }
    }

    /// Of two players.
    fn and(self, other: Self) -> Self {
        let levels = std::array::from_fn(|i| AtLevel {
            level: LEVELS[i],
            games: self.levels[i].games + other.levels[i].games,
            frames: self.levels[i].frames + other.levels[i].frames,
        });
        Self {
            seed: self.seed,
            seeds: self.seeds + other.seeds,
            frames: self.frames + other.frames,
            differences: self.differences + other.differences,
            bytes: self.bytes,
            late: self.late + other.late,
            told: self.told + other.told,
            bytes_left_out: self.bytes_left_out + other.bytes_left_out,
            crashed: self.crashed + other.crashed,
            lost: self.lost + other.lost,
            crashes: self.crashes + other.crashes,
            first_crash: self.first_crash.or(other.first_crash),
            games: self.games + other.games,
            topped_out: self.topped_out + other.topped_out,
            endings: self.endings + other.endings,
            pieces: self.pieces + other.pieces,
            lines: self.lines + other.lines,
            highest_level: self.highest_level.max(other.highest_level),
            levels,
            frames_per_second: 0.0,
            first: self.first.or(other.first),
        }
    }

    fn compare(&mut self, pair: &mut Pair, buttons: u8) {
        let machine = pair.console.ram();
        let judged = pair.judge.step(&mut pair.model, buttons, machine);
        self.told += u64::from(judged.told);
        let memory = match judged.memory {
            Ok(memory) => memory,
            Err(Away::Crashed) => return self.crashed += 1,
            Err(Away::Late) => return self.lost += 1,
        };
        self.late += u64::from(pair.model.is_late());
        self.bytes_left_out += memory.left_out() as u64;
        if memory.agrees(machine) {
            return;
        }
        self.differences += 1;
        self.first = Some(Difference {
            seed: self.seed,
            frame: self.frames,
            game_mode: machine[ram::GAME_MODE.at()],
            places: Byte::differing(&memory, machine),
        });
    }

    /// What kind of play it is; `highest` is the highest level of the game so far.
    fn count(&mut self, before: &[u8; 0x800], after: &[u8; 0x800], highest: &mut u8) {
        let (old, new) = (View::new(before), View::new(after));
        let (render, rendered) = (new.byte(ram::RENDER_MODE), old.byte(ram::RENDER_MODE));
        if rendered != render_mode::PLAY && new.byte(ram::DOWN_REPEAT) == 0xA1 {
            self.games += 1;
            *highest = 0;
        }
        self.pieces += u64::from(old.byte(ram::SPAWN_COUNT) != new.byte(ram::SPAWN_COUNT));
        if old.byte(ram::LINES_COMPLETED) > 0 && new.byte(ram::LINES_COMPLETED) == 0 {
            self.lines += u64::from(old.byte(ram::LINES_COMPLETED));
        }
        self.endings += u64::from(rendered != render_mode::ENDING && render == render_mode::ENDING);
        if render != render_mode::PLAY {
            return;
        }
        let falls = old.byte(ram::PLAY_STATE) != play_state::CURTAIN
            && new.byte(ram::PLAY_STATE) == play_state::CURTAIN;
        self.topped_out += u64::from(falls);
        self.highest_level = self.highest_level.max(new.level());
        for at in &mut self.levels {
            at.frames += u64::from(new.level() >= at.level);
            at.games += u64::from(new.level() >= at.level && *highest < at.level);
        }
        *highest = new.level().max(*highest);
    }

    fn text(&self, out: &mut dyn Write) -> std::io::Result<()> {
        match self.seeds {
            1 => writeln!(out, "seed         {}", self.seed)?,
            seeds => writeln!(out, "seeds        {} from {} on", seeds, self.seed)?,
        }
        writeln!(out, "frames       {}", self.frames)?;
        writeln!(out, "differences  {}", self.differences)?;
        writeln!(out, "bytes        {} of 2048 compared each frame; not {NOT_COMPARED}", self.bytes)?;
        let Self { late, told, bytes_left_out, crashed, lost, crashes, .. } = self;
        if *late > 0 {
            writeln!(out, "late         {late} frames took longer than a frame")?;
        }
        if *late > 0 || *told > 0 {
            writeln!(
                out,
                "left out     {bytes_left_out} bytes that the machine was writing as a frame ended; of {told} frames it said where they ended, as the sound engine's time or a few cycles decide that"
            )?;
        }
        if *lost > 0 {
            writeln!(
                out,
                "lost         {lost} frames left out behind a late frame that ended where the model does not know"
            )?;
        }
        if *crashes > 0 || *crashed > 0 {
            writeln!(
                out,
                "crashed      {crashes} games; {crashed} more frames left out, near an interrupt in the middle of a jump"
            )?;
        }
        let Self { games, topped_out, endings, .. } = self;
        writeln!(out, "games        {games}; {topped_out} topped out, {endings} earned an ending")?;
        writeln!(out, "pieces       {}", self.pieces)?;
        writeln!(out, "lines        {}", self.lines)?;
        writeln!(out, "highest      level {}", self.highest_level)?;
        for AtLevel { level, games, frames } in self.levels {
            writeln!(out, "level {level:>3}+   {games} games, {frames} frames")?;
        }
        writeln!(out, "speed        {:.0} frames/s", self.frames_per_second)?;
        let Some(difference) = &self.first else { return Ok(()) };
        let Difference { seed, frame, game_mode, places } = difference;
        writeln!(out, "\nfirst difference: seed {seed}, frame {frame}, game mode {game_mode}")?;
        for Byte { address, place, model, machine } in places {
            let place = place.unwrap_or("?");
            writeln!(
                out,
                "  ${address:04X} {place}: expected ${model:02X} by the model, found ${machine:02X}"
            )?;
        }
        Ok(())
    }
}

impl Shared {
    /// Counts `frames` more; is there reason to go on?
    fn goes_on(&self, frames: u64) -> bool {
        self.progress.advance(frames);
        !self.interrupt.asked() && !self.found.load(Ordering::Relaxed)
    }
}
