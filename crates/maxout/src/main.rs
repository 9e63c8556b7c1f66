//! `maxout`: the console from the command line.
//!
//! One command a module; those for research are in the crate `research`, what commands share is
//! in `cli`. What it runs is `nes`, how it judges test ROMs is `nes-conformance`, the window is
//! `desktop`. Exit status: 0 done, 1 a test failed, 2 it could not
//! run, 3 the game crashed, 130 stopped by Ctrl-C.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

mod chance;
mod debug;
mod digest;
mod help;
mod inspect;
mod junit;
#[cfg(any(feature = "window", test))]
mod library;
mod lua;
mod matches;
mod movie;
mod netplay;
mod patch;
mod play;
mod practice;
mod puzzle;
mod review;
mod room;
mod run;
mod sequence;
mod shell;
#[cfg(all(test, feature = "window"))]
mod stability;
mod stream;
mod test;
mod trace;

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use cli::written;
#[cfg(feature = "research")]
use research::{ai, randomizer, tetris};

/// A cycle-accurate NES emulator, made for Nintendo Tetris.
///
/// Without a command it plays: the file that is named, or the built-in cartridge.
#[derive(Parser)]
#[command(
    name = "maxout",
    version,
    override_usage = "maxout [FILE] [OPTIONS of play]\n       maxout COMMAND …"
)]
#[command(after_help = "Without a ROM, play, run, trace and inspect take the built-in cartridge.\n\n\
                        Examples:\n  maxout\n  maxout game.nes\n  maxout movie.fm2\n  maxout game.ngf.gz\n  maxout GYM.bps\n  \
                        maxout run game.nes --frames 600 --screenshot out.png\n  \
                        maxout test roms/\n\nExit status: 0 done, 1 a test failed, 2 it could not run, \
                        3 the game crashed, 130 stopped by Ctrl-C.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Play(Box<play::Arguments>),
    Run(run::Arguments),
    Test(test::Arguments),
    #[cfg(feature = "research")]
    Tetris(tetris::Arguments),
    Trace(trace::Arguments),
    Debug(debug::Arguments),
    Inspect(inspect::Arguments),
    Lua(lua::Arguments),
    Match(matches::Arguments),
    Movie(movie::Arguments),
    Netplay(Box<netplay::Arguments>),
    Patch(patch::Arguments),
    #[cfg(feature = "research")]
    Randomizer(randomizer::Arguments),
    #[cfg(feature = "research")]
    Ai(ai::Arguments),
    Practice(Box<practice::Arguments>),
    Review(review::Arguments),
    Room(room::Arguments),
    Puzzle(Box<puzzle::Arguments>),
    Stream(Box<stream::Arguments>),
    Completions(shell::Completions),
    Man(shell::Manual),
}

/// Everywhere a negative number is a value, to be refused by what it is for, and not an option that
/// nobody knows.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| {
            let takes = argument.get_action().takes_values();
            argument.allow_negative_numbers(takes)
        })
        .mut_subcommands(with_negative_numbers)
}

/// The command line. `play` goes before words that begin with no command: nothing at all, a file,
/// an option of `play`. A game without buttons, of which only placements are known, is reviewed.
fn with_command(command: &clap::Command, mut words: Vec<OsString>) -> Vec<OsString> {
    let first = words.get(1).map(|word| word.to_string_lossy());
    let plays = match first.as_deref() {
        None => true,
        Some("help" | "-h" | "--help" | "-V" | "--version") => false,
        Some(word) if command.find_subcommand(word).is_some() => false,
        // What looks like no file is a command with a slip in it, which is said.
        Some(word) => word.starts_with('-') || word.contains(['.', '/', '\\']) || Path::new(word).exists(),
    };
    if plays {
        let kind = words.get(1).and_then(|word| written::Kind::of(Path::new(word)));
        let is_written = matches!(kind, Some(written::Kind::Recording | written::Kind::Lines));
        words.insert(words.len().min(1), if is_written { "review" } else { "play" }.into());
    }
    words
}

fn main() -> ExitCode {
    tty::panics::end_the_program();
    let command = help::laid_out(with_negative_numbers(Arguments::command()));
    let words = with_command(&command, env::args_os().collect());
    let matches = command.get_matches_from(words);
    let Arguments { command } = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let result = match command {
        Command::Play(arguments) => play::run(*arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
        #[cfg(feature = "research")]
        Command::Tetris(arguments) => tetris::run(&arguments),
        Command::Trace(arguments) => trace::run(&arguments),
        Command::Debug(arguments) => debug::run(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Lua(arguments) => lua::run(&arguments),
        Command::Match(arguments) => matches::run(&arguments),
        Command::Movie(arguments) => movie::run(&arguments),
        Command::Netplay(arguments) => netplay::run(*arguments),
        Command::Patch(arguments) => patch::run(&arguments),
        #[cfg(feature = "research")]
        Command::Randomizer(arguments) => randomizer::run(&arguments),
        #[cfg(feature = "research")]
        Command::Ai(arguments) => ai::run(&arguments),
        Command::Practice(arguments) => practice::run(&arguments),
        Command::Review(arguments) => review::run(&arguments),
        Command::Room(arguments) => room::run(&arguments),
        Command::Puzzle(arguments) => puzzle::run(&arguments),
        Command::Stream(arguments) => stream::run(&arguments),
        Command::Completions(arguments) => shell::completions(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Man(arguments) => shell::manual(&arguments).map(|()| ExitCode::SUCCESS),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            if let Some(message) = error.message() {
                tty::tell!("error: {message}");
            }
            error.exit_code()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::error::ErrorKind;

    use super::*;

    /// The commands of a page: lines of its blocks of code, without what belongs to the shell.
    fn commands(page: &str) -> Vec<&str> {
        let blocks = page.split("```").skip(1).step_by(2);
        let commands = blocks.flat_map(str::lines).map(str::trim).filter(|line| line.starts_with("maxout "));
        let own = |line: &str| [" #", " | ", " > ", " && "].iter().filter_map(|end| line.find(end)).min();
        commands.map(|line| &line[..own(line).unwrap_or(line.len())]).collect()
    }

    #[test]
    fn every_command_in_the_pages_is_one() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let pages = fs::read_dir(root.join("docs")).expect("the pages").flatten().map(|entry| entry.path());
        let pages = pages.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
        let command = help::laid_out(with_negative_numbers(Arguments::command()));
        let mut count = 0;
        for page in pages.chain([root.join("README.md")]) {
            for line in commands(&fs::read_to_string(&page).expect("a page")) {
                let words = line.split('\'').enumerate().flat_map(|(part, text)| match part % 2 {
                    0 => text.split_whitespace().map(OsString::from).collect(),
                    _ => vec![OsString::from(text)],
                });
                let parsed = command.clone().try_get_matches_from(with_command(&command, words.collect()));
                // A value may be a file that only its reader has.
                let wrong = parsed.err().filter(|error| {
                    !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::DisplayHelp)
                });
                assert!(wrong.is_none(), "{}: {line}: {}", page.display(), wrong.unwrap());
                count += 1;
            }
        }
        assert!(count > 50, "{count} commands");
    }

    #[test]
    fn words_without_a_command_play() {
        let command = Arguments::command();
        for (words, first) in [
            (&[][..], "play"),
            (&["game.nes"], "play"),
            (&["roms/game", "--fullscreen"], "play"),
            (&["--terminal"], "play"),
            (&["src"], "play"),
            (&["game.ngf.gz", "--html", "out.html"], "review"),
            (&["game.csv"], "review"),
            (&["--help"], "--help"),
            (&["help", "run"], "help"),
            (&["run", "game.nes"], "run"),
            (&["pley"], "pley"),
        ] {
            let words = ["maxout"].iter().chain(words).map(OsString::from).collect();
            assert_eq!(with_command(&command, words)[1], *first);
        }
    }
}
