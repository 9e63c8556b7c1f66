//! `maxout ai value`: the player for points, under taps that a hand can press.

mod convert;
mod games;
mod mind;
mod pack;
mod play;
mod published;
mod table;
mod train;
mod tune;

pub(super) use mind::MindOptions;

use std::process::ExitCode;

use clap::Subcommand;

use cli::error::Error;

/// Play for points in a format of taps and reaction time, and train the nets for it.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  maxout ai value play --net built-in --ahead 6,2 --narrow 2 --games 10
  maxout ai value table --folder games --games 300
  maxout ai value train --speed 39 --checkpoint l39.train --minutes 60 --out l39.net")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Convert(convert::Arguments),
    Pack(pack::Arguments),
    Play(play::Arguments),
    Table(table::Arguments),
    Train(train::Arguments),
    Tune(tune::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Command::Convert(arguments) => convert::run(arguments),
        Command::Pack(arguments) => pack::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Table(arguments) => table::run(arguments),
        Command::Train(arguments) => train::run(arguments),
        Command::Tune(arguments) => tune::run(arguments),
    }
}
