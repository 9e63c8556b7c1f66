//! `maxout randomizer`: the pieces of NES Tetris and of other games, dealt, counted, drawn,
//! compared.

mod compare;
mod count;
mod deal;
mod deck;
mod list;
mod picker;
mod plot;
mod register;
mod stats;
mod table;

use std::process::ExitCode;

use clap::Subcommand;

use cli::error::Error;

/// Deal and examine pieces of NES Tetris's and other games' randomizers.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  maxout randomizer list
  maxout randomizer deal tgm3 --seed 7 -n 35
  maxout randomizer deal nes --seed '$8988:1A' -n 20
  maxout randomizer stats nes -n 10000000
  maxout randomizer plot nes --of register --out register.png
  maxout randomizer compare nes tetrio-7bag tgm3

The same kind and seed deal the same pieces on any machine. docs/randomizers/ has a page for each.")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    List(list::Arguments),
    Deal(deal::Arguments),
    Stats(stats::Arguments),
    Plot(plot::Arguments),
    Compare(compare::Arguments),
}

/// Carries out a command of `maxout randomizer`.
///
/// # Errors
/// What the command refuses, and Ctrl-C.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Command::List(arguments) => list::run(arguments),
        Command::Deal(arguments) => deal::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Plot(arguments) => plot::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
    }?;
    Ok(ExitCode::SUCCESS)
}
