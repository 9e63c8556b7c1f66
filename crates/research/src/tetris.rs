//! `maxout tetris`: the game, where others see a cartridge.

mod colours;
mod demo;
mod endings;
mod forecast;
mod legal;
mod levels;
mod music;
mod orientations;
mod parity;
mod replay;
mod sheet;
pub(crate) mod stage;
mod tiles;
mod traces;
mod two_player;
mod watch;

use std::process::ExitCode;

use clap::Subcommand;

use cli::error::Error;

/// NES Tetris: watch it as events, prove the model of its rules, see its curiosities.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  maxout tetris watch --movie game.fm2 --json
  maxout tetris endings --points 120000 --out rocket.png
  maxout tetris music fast-1 --out song.wav")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Watch(watch::Arguments),
    Parity(parity::Arguments),
    Forecast(forecast::Arguments),
    Colours(colours::Arguments),
    Levels(levels::Arguments),
    Orientations(orientations::Arguments),
    Endings(endings::Arguments),
    Music(music::Arguments),
    Tiles(tiles::Arguments),
    Legal(legal::Arguments),
    Demo(demo::Arguments),
    TwoPlayer(two_player::Arguments),
}

/// Carries out a command of `maxout tetris`.
///
/// # Errors
/// What the command refuses, and Ctrl-C.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Command::Watch(arguments) => watch::run(arguments),
        Command::Parity(arguments) => parity::run(arguments),
        Command::Forecast(arguments) => forecast::run(arguments),
        Command::Colours(arguments) => colours::run(arguments),
        Command::Levels(arguments) => levels::run(arguments),
        Command::Orientations(arguments) => orientations::run(arguments),
        Command::Endings(arguments) => endings::run(arguments),
        Command::Music(arguments) => music::run(arguments),
        Command::Tiles(arguments) => tiles::run(arguments),
        Command::Legal(arguments) => legal::run(arguments),
        Command::Demo(arguments) => demo::run(arguments),
        Command::TwoPlayer(arguments) => two_player::run(arguments),
    }
}
