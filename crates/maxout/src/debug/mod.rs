//! `maxout debug`: the debugger, in the terminal, by a script, or for an editor.

mod dap;
mod screen;
mod script;
mod store;

use std::io::{self, BufRead, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use draft::SourceFolders;
use nes::Config;
use nes_debug::command::{CommandError, CommandSession};
use nes_debug::{Debugger, Symbols};

use self::store::Disk;
use cli::error::{Error, wrong};
use cli::game::{Found, found};
use cli::machine::PowerOn;
use cli::source::Patches;
use cli::{built_in, image_file};

/// Debug a cartridge: step forwards and back, break on conditions, inspect everything.
///
/// Without --script or --command it takes over the terminal (F1 there lists the keys); if there is
/// none it reads commands from standard input. The commands are the same everywhere:
/// `maxout debug --command help` lists them.
#[derive(Clone, clap::Args)]
#[command(after_help = "\
Examples:
  maxout debug                                        the built-in cartridge, in the terminal
  maxout debug --script lock.script game.nes          a session as a test
  maxout debug -c 'break lock if level >= 1' -c run -c game
  maxout debug --symbols game.mlb --patch hack.ips game.nes
  maxout debug --symbols game.dbg -c 'break main.c:12' -c run -c locals game.nes
  maxout debug --dap                                  for VS Code and other editors (docs/vscode.md)

Exit status of a script: 0 done, 1 an `expect` failed or something was not reached, 2 a command could not be carried
out.")]
pub(crate) struct Arguments {
    /// Cartridge image (iNES or NES 2.0); without one, the built-in cartridge. The file is never
    /// written.
    rom: Option<PathBuf>,
    /// Run the commands in this file, one per line, then exit.
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    script: Option<PathBuf>,
    /// Run a command; exit after the last.
    #[arg(short, long, value_name = "COMMAND")]
    command: Vec<String>,
    /// Speak the Debug Adapter Protocol on standard input and output, for an editor.
    #[arg(long, conflicts_with_all = ["script", "command"])]
    dap: bool,
    /// Symbols to load (.lbl, .dbg, .nl, .mlb). Can be repeated. A .dbg file of ld65 also loads the
    /// source files.
    #[arg(long, value_name = "FILE")]
    symbols: Vec<PathBuf>,
    /// Additional folder with source files of a .dbg file. Can be repeated.
    #[arg(long, value_name = "FOLDER")]
    sources: Vec<PathBuf>,
    #[command(flatten)]
    patches: Patches,
    /// Memory map of a Tetris cartridge that is not recognised (docs/profiles.md).
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
    #[command(flatten)]
    power_on: PowerOn,
}

/// Why a session could not go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DebugError {
    #[error("{place}: {source}")]
    Command { place: String, source: CommandError },
    #[error("the terminal: {0}")]
    Terminal(io::Error),
}

impl From<DebugError> for Error {
    fn from(error: DebugError) -> Self {
        Self::Command(Box::new(error))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    if arguments.dap {
        return dap::run(arguments);
    }
    let mut disk = disk(arguments);
    let session = session(arguments, &mut disk)?;
    if let Some(path) = &arguments.script {
        let text = String::from_utf8_lossy(&image_file::read(path)?).into_owned();
        return script::run(session, disk, &path.display().to_string(), text.lines());
    }
    if !arguments.command.is_empty() {
        return script::run(session, disk, "--command", arguments.command.iter().map(String::as_str));
    }
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return screen::run(session, disk);
    }
    script::run_each(session, disk, "standard input", lines(io::stdin().lock()))
}

/// Bytes of a line of standard input, at most. What is longer is no command, and the last line that
/// is read.
const LONGEST_LINE: u64 = 4096;

/// Lines as they come, until there are no more.
fn lines(mut input: impl BufRead) -> impl Iterator<Item = String> {
    let mut over = false;
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let read =
            if over { 0 } else { input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).ok()? };
        over = read as u64 == LONGEST_LINE && !line.ends_with(b"\n");
        let text = String::from_utf8_lossy(&line);
        (read > 0).then(|| text.trim_end_matches(['\n', '\r']).to_owned())
    })
}

/// The files of a session.
fn disk(arguments: &Arguments) -> Disk {
    // Symbols may be written back; what the session runs may not.
    let inputs = [&arguments.rom, &arguments.script].into_iter().flatten();
    let inputs = inputs.chain(&arguments.patches.patches).cloned().collect();
    let debug_files = arguments.symbols.iter().filter(|path| path.extension().is_some_and(|it| it == "dbg"));
    let around = debug_files.flat_map(|path| SourceFolders::around(path).0);
    let sources = SourceFolders(arguments.sources.iter().cloned().chain(around).collect());
    Disk { inputs, sources }
}

/// The session as the arguments want it.
fn session(arguments: &Arguments, disk: &mut Disk) -> Result<CommandSession, Error> {
    let rom = arguments.rom.as_deref();
    // A cartridge of which nothing is known can be debugged too.
    let source = arguments.patches.over(rom);
    let Found { image, cartridge, profile } = found(source, arguments.profile.as_deref())?;
    built_in::announce(&cartridge, rom);
    let config: Config = arguments.power_on.config(None);
    let mut debugger = Debugger::new(cartridge, config, profile);
    let own = rom.is_none().then_some(built_in::LABELS);
    debugger.symbols =
        Symbols::of_program(own, debugger.profile()).map_err(wrong(Path::new("roms/maxout.lbl")))?;
    let mut session = CommandSession::new(debugger, image);
    for path in &arguments.symbols {
        let text = String::from_utf8_lossy(&image_file::read(path)?).into_owned();
        session.load_symbols(&path.to_string_lossy(), &text, disk).map_err(wrong(path))?;
    }
    Ok(session)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_an_end_is_read_up_to_a_bound_and_is_the_last() {
        let read = |text: &str| lines(text.as_bytes()).map(|line| line.len()).collect::<Vec<_>>();
        assert_eq!(read("run\r\n\nquit"), [3, 0, 4]);
        assert_eq!(read(&("x".repeat(10_000) + "\nrun\n")), [4096]);
        assert_eq!(lines(io::BufReader::new(io::repeat(b'x'))).count(), 1);
    }
}
