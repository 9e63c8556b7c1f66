//! `maxout tetris`: the game, where others see a cartridge.

use std::process::ExitCode;

use clap::Subcommand;

use crate::error::Error;
use crate::{
    tetris_colours, tetris_endings, tetris_forecast, tetris_levels, tetris_music, tetris_orientations,
    tetris_parity, tetris_tiles, tetris_watch,
};

/// NES Tetris: watch it as events, prove the model of its rules.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Watch(tetris_watch::Arguments),
    Parity(tetris_parity::Arguments),
    Forecast(tetris_forecast::Arguments),
    Colours(tetris_colours::Arguments),
    Levels(tetris_levels::Arguments),
    Orientations(tetris_orientations::Arguments),
    Endings(tetris_endings::Arguments),
    Music(tetris_music::Arguments),
    Tiles(tetris_tiles::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Command::Watch(arguments) => tetris_watch::run(arguments),
        Command::Parity(arguments) => tetris_parity::run(arguments),
        Command::Forecast(arguments) => tetris_forecast::run(arguments),
        Command::Colours(arguments) => tetris_colours::run(arguments),
        Command::Levels(arguments) => tetris_levels::run(arguments),
        Command::Orientations(arguments) => tetris_orientations::run(arguments),
        Command::Endings(arguments) => tetris_endings::run(arguments),
        Command::Music(arguments) => tetris_music::run(arguments),
        Command::Tiles(arguments) => tetris_tiles::run(arguments),
    }
}
