//! `maxout`: the console from the command line.
//!
//! One command a module. This is the only room, besides the window and the project's own tools, that reads and
//! writes files; what it runs is `nes`, how it judges test ROMs is `nes-conformance`, the window is `desktop`.
//! Exit status: 0 done, 1 a test failed, 2 it could not run, 3 the game crashed, 130 stopped by Ctrl-C.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

mod ai;
mod built_in;
mod debug;
mod digest;
mod drawing;
mod error;
mod image_file;
mod inspect;
mod interrupt;
mod junit;
mod lua;
mod machine;
mod movie;
mod output;
mod play;
mod progress;
mod randomizer;
mod run;
mod screenshot;
mod sequence;
mod session;
mod test;
mod tetris;
mod trace;
mod wave;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// An NES that is right to the dot: play, run headless, test, trace.
#[derive(Parser)]
#[command(name = "maxout", version, arg_required_else_help = true)]
#[command(after_help = "Without a ROM, play, run, trace and inspect take the built-in cartridge.\n\n\
                        Examples:\n  maxout play\n  maxout run game.nes --frames 600 --screenshot out.png\n  \
                        maxout test roms/\n\nExit status: 0 done, 1 a test failed, 2 it could not run, \
                        3 the game crashed, 130 stopped by Ctrl-C.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Play(play::Arguments),
    Run(run::Arguments),
    Test(test::Arguments),
    Tetris(tetris::Arguments),
    Trace(trace::Arguments),
    Debug(debug::Arguments),
    Inspect(inspect::Arguments),
    Lua(lua::Arguments),
    Movie(movie::Arguments),
    Randomizer(randomizer::Arguments),
    Ai(ai::Arguments),
}

/// Everywhere a negative number is a value, to be refused by what it is for, and not an option that nobody knows.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| {
            let takes = argument.get_action().takes_values();
            argument.allow_negative_numbers(takes)
        })
        .mut_subcommands(with_negative_numbers)
}

fn main() -> ExitCode {
    let matches = with_negative_numbers(Arguments::command()).get_matches();
    let Arguments { command } = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let result = match command {
        Command::Play(arguments) => play::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
        Command::Tetris(arguments) => tetris::run(&arguments),
        Command::Trace(arguments) => trace::run(&arguments),
        Command::Debug(arguments) => debug::run(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Lua(arguments) => lua::run(&arguments),
        Command::Movie(arguments) => movie::run(&arguments),
        Command::Randomizer(arguments) => randomizer::run(&arguments),
        Command::Ai(arguments) => ai::run(&arguments),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            if let Some(message) = error.message() {
                eprintln!("error: {message}");
            }
            error.exit_code()
        }
    }
}
