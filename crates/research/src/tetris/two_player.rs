//! `maxout tetris two-player`: the game's hidden mode, two fields side by side.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use autopilot::{Autopilot, Settings};
use clap::ValueEnum;
use nes::{Buttons, Config, Console, Palette};
use serde::Serialize;
use tetris::ram::play_state::{CLEAR, CURTAIN};
use tetris::ram::{self, Variable, game_mode};
use tetris::{Feature, SplitMix64};

use super::stage::{LONGEST_WAY, Stage, start_at_times};
use cli::error::Error;
use cli::game::{Choice, Known};
use cli::interrupt::Interrupt;
use cli::{output, screenshot};

/// Play the game's hidden mode for two players.
///
/// The number of players ($BE) is set to 2 in RAM before the game begins, and both pads are played:
/// by the computer's player, or at random. Two, three or four rows cleared at once raise one, two
/// or four on the other field. On the built-in cartridge Start on the second pad at the title leads
/// to the same game, without a write to RAM. Nothing says that a cartridge has this mode: one
/// without it is told by the second player, who never gets a piece.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris two-player --out two.png
  maxout tetris two-player --frames 20000 --level 9 --seed 7 --json
  maxout tetris two-player game.nes --hands random --out two.png")]
pub(crate) struct Arguments {
    #[command(flatten)]
    cartridge: Choice,
    /// Frames to play; a game that is over before ends it.
    #[arg(long, value_name = "N", default_value_t = 6_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    frames: u32,
    /// Seed of the pieces, and of what is pressed at random.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Level that both start at.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=29))]
    level: u8,
    /// Who holds the pads.
    #[arg(long, value_name = "WHO", value_enum, default_value_t = Who::Ai)]
    hands: Who,
    /// Draw the last picture of the game, 256 x 240.
    #[arg(long, visible_alias = "screenshot", value_name = "OUT.png")]
    out: Option<PathBuf>,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Who {
    /// The computer's player, by buttons alone.
    Ai,
    /// Nobody: buttons at random.
    Random,
}

/// What is on both fields.
#[derive(Serialize)]
struct Standing {
    /// Frames played.
    frames: u32,
    /// Is the game over, its screen gone?
    over: bool,
    players: [PlayerTotals; 2],
}

#[derive(Default, Serialize)]
struct PlayerTotals {
    level: u8,
    lines: u32,
    /// Clears of one to four rows.
    clears: [u32; 4],
    /// Garbage rows for the other player.
    sent: u32,
    /// Garbage rows that have come up.
    received: u32,
    /// Garbage rows to come.
    pending: u8,
    topped_out: bool,
    /// Twenty rows of ten from the top: `#` is taken.
    field: Vec<String>,
}

/// Bytes from a player's block to the next.
const BLOCK: usize = 0x20;
const PAGE: usize = 0x100;
/// Frames after which the first piece of a game has fallen a row by itself, and some to spare (it
/// takes 97).
const FIRST_FALL: u32 = 110;

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let game =
        arguments.cartridge.known_beside(Feature::TwoPlayers, &[], &[("--out", arguments.out.as_deref())])?;
    let config = Config { video: arguments.out.is_some(), ..Config::default() };
    let mut stage = begin(&game, config, arguments.seed, arguments.level)
        .ok_or_else(|| Error::OnePlayer { path: arguments.cartridge.path().into() })?;
    let mut hands = [0, 1].map(|player| PadHolder::new(arguments, &game, player));
    let interrupt = Interrupt::listen();
    let mut standing = Standing { frames: 0, over: false, players: <[PlayerTotals; 2]>::default() };
    let mut picture = stage.emulator.picture().clone();
    while standing.frames < arguments.frames {
        interrupt.check()?;
        let before = stage.memory();
        let pads = hands.each_mut().map(|hands| hands.turn(stage.emulator.state()));
        stage.frame_of(pads);
        if !stage.plays() {
            standing.over = true;
            break;
        }
        standing.add(&before, &stage.memory());
        picture.clone_from(stage.emulator.picture());
    }
    if let Some(path) = &arguments.out {
        screenshot::write(path, &picture, &Palette::ntsc())?;
    }
    output::print(&standing, arguments.json, |out| standing.text(out))?;
    Ok(ExitCode::SUCCESS)
}

/// A game for two in its first frame; `None` if the second player does not take part.
fn begin(game: &Known, config: Config, seed: u64, level: u8) -> Option<Stage> {
    let mut stage = Stage::new(game, config);
    // Any register but 0 and 1 is on the way to the long cycle.
    let lfsr = SplitMix64::new(seed).next_u64() as u16 | 0x0100;
    for number in 0..LONGEST_WAY {
        if stage.plays() {
            break;
        }
        match stage.byte(ram::GAME_MODE) {
            game_mode::LEVEL_MENU => {
                stage.poke(ram::PLAYER_COUNT, &[2]);
                stage.poke(ram::LFSR, &lfsr.to_be_bytes());
            }
            game_mode::PLAY => {
                for player in 0..2 {
                    stage.emulator.console().ram_mut()[ram::START_LEVEL.at() + player * BLOCK] = level;
                }
            }
            _ => {}
        }
        stage.frame(start_at_times(number));
    }
    (stage.plays() && second_player_falls(&stage)).then_some(stage)
}

/// Whether the second player's first piece falls. With one player its block has a piece all the
/// same, which never does.
fn second_player_falls(stage: &Stage) -> bool {
    let mut later = stage.clone();
    (0..FIRST_FALL).for_each(|_| later.frame(Buttons::empty()));
    let row = ram::PIECE_Y.at() + BLOCK;
    later.emulator.state().ram()[row] > stage.emulator.state().ram()[row]
}

/// A byte of a player's block, by the first player's place.
fn of(memory: &[u8; 0x800], place: Variable, player: usize) -> u8 {
    memory[place.at() + player * BLOCK]
}

/// Whoever holds a pad.
enum PadHolder {
    Ai { player: usize, autopilot: Box<Autopilot> },
    Random { random: SplitMix64, held: Buttons },
}

impl PadHolder {
    const CHOICES: [Buttons; 6] =
        [Buttons::empty(), Buttons::LEFT, Buttons::RIGHT, Buttons::A, Buttons::B, Buttons::DOWN];

    fn new(arguments: &Arguments, game: &Known, player: usize) -> Self {
        match arguments.hands {
            Who::Ai => {
                let autopilot = Autopilot::new(game.profile.clone(), Settings::default());
                Self::Ai { player, autopilot: Box::new(autopilot) }
            }
            Who::Random => {
                let seed = arguments.seed.wrapping_mul(2).wrapping_add(player as u64);
                Self::Random { random: SplitMix64::new(seed), held: Buttons::empty() }
            }
        }
    }

    fn turn(&mut self, console: &Console) -> Buttons {
        match self {
            Self::Ai { player: 0, autopilot } => autopilot.action(console).buttons,
            Self::Ai { autopilot, .. } => autopilot.action(&from_the_other_side(console)).buttons,
            Self::Random { random, held } => {
                if random.one_in(8) {
                    *held = Self::CHOICES[random.below(Self::CHOICES.len() as u32) as usize];
                }
                *held
            }
        }
    }
}

/// The same game with its players in each other's place.
fn from_the_other_side(console: &Console) -> Console {
    let mut console = console.clone();
    let memory = console.ram_mut();
    let (first, second) = (ram::PLAYER_1.range(), ram::PLAYER_2.at());
    first.for_each(|byte| memory.swap(byte, second + byte - ram::PLAYER_1.at()));
    ram::PLAYFIELD.range().for_each(|cell| memory.swap(cell, cell + PAGE));
    for pair in [ram::PAD_PRESSED, ram::PAD_HELD, ram::PENDING_GARBAGE] {
        memory.swap(pair.at(), pair.at() + 1);
    }
    console
}

impl Standing {
    /// What came of a frame.
    fn add(&mut self, before: &[u8; 0x800], after: &[u8; 0x800]) {
        self.frames += 1;
        for player in 0..2 {
            // It comes up all at once, and more can be sent in the same frame.
            let [had, has] = [before, after].map(|memory| memory[ram::PENDING_GARBAGE.at() + player]);
            let came = has < had;
            self.players[player].received += if came { u32::from(had) } else { 0 };
            self.players[1 - player].sent += u32::from(if came { has } else { has - had });
            self.players[player].see(player, before, after);
        }
    }

    fn text(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Self { frames, over, players } = self;
        writeln!(out, "{frames} frames{}", if *over { ", then the game was over" } else { "" })?;
        writeln!(out, "player  level  lines  1s  2s  3s  4s  sent  received")?;
        for (number, player) in (1..).zip(players) {
            let PlayerTotals {
                level,
                lines,
                clears: [one, two, three, four],
                sent,
                received,
                topped_out,
                ..
            } = player;
            let end = if *topped_out { "  topped out" } else { "" };
            writeln!(
                out,
                "{number:>6}  {level:>5}  {lines:>5}  {one:>2}  {two:>2}  {three:>2}  {four:>2}  {sent:>4}  {received:>8}{end}"
            )?;
        }
        let [one, two] = players;
        one.field.iter().zip(&two.field).try_for_each(|(one, two)| writeln!(out, "{one}   {two}"))
    }
}

impl PlayerTotals {
    fn see(&mut self, player: usize, before: &[u8; 0x800], after: &[u8; 0x800]) {
        let state = of(after, ram::PLAY_STATE, player);
        if state == CLEAR && of(before, ram::PLAY_STATE, player) != CLEAR {
            let rows = usize::from(of(after, ram::LINES_COMPLETED, player)).clamp(1, 4);
            self.clears[rows - 1] += 1;
        }
        self.topped_out |= state == CURTAIN;
        self.level = of(after, ram::LEVEL, player);
        self.pending = after[ram::PENDING_GARBAGE.at() + player];
        let low = u32::from(of(after, ram::LINES, player));
        let hundreds = u32::from(after[ram::LINES.at() + 1 + player * BLOCK]);
        self.lines = hundreds * 100 + (low >> 4) * 10 + (low & 0xF);
        let field = &after[ram::PLAYFIELD.at() + player * PAGE..][..200];
        let row = |row: &[u8]| row.iter().map(|&tile| if tile < ram::EMPTY { '#' } else { '.' }).collect();
        self.field = field.chunks_exact(10).map(row).collect();
    }
}
