//! `maxout match`: the files of matches over the network.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use emulator::{Both, GameResult, MatchFile, MatchHeader, MatchRules};
use serde::Serialize;
use tetris::Feature;

use cli::error::{Error, wrong};
use cli::game;
use cli::image_file;
use cli::output;

/// Show online matches, and replay them to verify them.
///
/// A match is kept among your games as a file of its rules, what both players held in each frame,
/// and hashes. Anyone with the same cartridge can replay it to the same results
/// (docs/streaming.md).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout match show 1700000000-0.mxmatch
  maxout match verify 1700000000-0.mxmatch
  maxout match verify mine.mxmatch theirs.mxmatch     both players' files are of the same match")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Show(Show),
    Verify(Verify),
}

/// Print players, rules and results of matches.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout match show 1700000000-0.mxmatch
  maxout match show *.mxmatch --json")]
struct Show {
    /// Files of matches.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print a line of JSON for each.
    #[arg(long)]
    json: bool,
}

/// Replay matches, and compare all hashes and results with their files.
///
/// Files of the same match must agree: give those of both players. Exit status 1 if anything
/// differs.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout match verify 1700000000-0.mxmatch
  maxout match verify mine.mxmatch theirs.mxmatch")]
struct Verify {
    /// Files of matches.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The cartridge of the matches, if not the built-in one.
    #[arg(long, value_name = "ROM")]
    rom: Option<PathBuf>,
    /// Memory map of a cartridge that is not recognised (docs/profiles.md).
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
    /// Print a line of JSON for each.
    #[arg(long)]
    json: bool,
}

/// Two consoles, each on a thread.
const BOTH: Both<'static> = &|one, two| {
    rayon::join(one, two);
};

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Command::Show(show) => show.run(),
        Command::Verify(verify) => verify.run(),
    }
}

fn read(path: &Path) -> Result<MatchFile, Error> {
    MatchFile::read(&image_file::read(path)?).map_err(wrong(path))
}

impl Show {
    fn run(&self) -> Result<ExitCode, Error> {
        for path in &self.files {
            let file = read(path)?;
            output::text(&if self.json { json(path, &file.header, None) } else { text(path, &file.header) })?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Verify {
    fn run(&self) -> Result<ExitCode, Error> {
        let known = game::known(self.rom.as_deref(), self.profile.as_deref(), Feature::Versus)?;
        let files = self.files.iter().map(|path| read(path).map(|file| (path, file)));
        let files = files.collect::<Result<Vec<_>, Error>>()?;
        let mut all_right = true;
        for (number, (path, file)) in files.iter().enumerate() {
            let differs =
                file.verify(&known.cartridge, &known.profile, BOTH).err().map(|error| error.to_string());
            let other = files[..number].iter().find_map(|(other, one)| disagreement(one, file, other));
            let wrong = differs.or(other);
            all_right &= wrong.is_none();
            output::text(&match (&wrong, self.json) {
                (_, true) => json(path, &file.header, Some(wrong.as_deref())),
                (Some(wrong), false) => format!("{}: {wrong}\n", path.display()),
                (None, false) => format!(
                    "{}  verified, hash {:016x}\n",
                    text(path, &file.header).trim_end(),
                    file.header.hash
                ),
            })?;
        }
        Ok(ExitCode::from(u8::from(!all_right)))
    }
}

/// Where two files that seem to be of one match differ, in words. One may be longer.
fn disagreement(one: &MatchFile, other: &MatchFile, path: &Path) -> Option<String> {
    let [a, b] = [&one.header, &other.header];
    if (a.cartridge, a.rules, a.own) == (b.cartridge, b.rules, b.own)
        || a.cartridge != b.cartridge
        || a.rules != b.rules
    {
        return None; // not the other player's file of the same match
    }
    let shared = one.buttons.len().min(other.buttons.len());
    let at = one.buttons[..shared].iter().zip(&other.buttons).position(|(one, other)| one != other)?;
    Some(format!("the two players' files differ from frame {at} on: {}", path.display()))
}

fn player(header: &MatchHeader, number: usize) -> String {
    let name = &header.names[number];
    if name.is_empty() { ["the host", "the guest"][number].to_owned() } else { name.clone() }
}

fn text(path: &Path, header: &MatchHeader) -> String {
    let MatchRules { kind, best_of, level, dealer, seed } = header.rules;
    let [one, two] = [0, 1].map(|number| player(header, number));
    let seconds = header.frames / 60;
    let mut text = format!(
        "{}: {one} against {two}: {kind}, level {level}, best of {best_of}, {dealer} {seed}, {}:{:02}\n",
        path.display(),
        seconds / 60,
        seconds % 60
    );
    for (number, GameResult { winner, standings: [a, b] }) in (1..).zip(&header.results) {
        let won =
            winner.map_or_else(|| "a draw".to_owned(), |winner| format!("{} wins", player(header, winner)));
        let [a, b] = [a, b].map(|player| format!("{} points and {} lines", player.score, player.lines));
        // Writing into a string does not fail.
        let _ = writeln!(text, "  game {number}: {won}: {a}, {b}");
    }
    text
}

/// A line of a match.
#[derive(Serialize)]
struct Row<'a> {
    file: String,
    cartridge: String,
    kind: String,
    best_of: u8,
    level: u8,
    dealer: String,
    seed: u32,
    names: &'a [String; 2],
    own: usize,
    begun: u64,
    frames: u64,
    hash: String,
    agreed: u64,
    games: Vec<Game>,
    /// Whether replaying the buttons gives what the file says; absent if not verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<&'a str>,
}

#[derive(Serialize)]
struct Game {
    winner: Option<usize>,
    scores: [u32; 2],
    lines: [u32; 2],
}

/// `looked` says what is wrong, if anything; `None` if nobody has looked.
#[expect(clippy::option_option, reason = "looked at or not, and right or wrong")]
fn json(path: &Path, header: &MatchHeader, looked: Option<Option<&str>>) -> String {
    let MatchRules { kind, best_of, level, dealer, seed } = header.rules;
    let games = header.results.iter().map(|result| Game {
        winner: result.winner,
        scores: result.standings.map(|standing| standing.score),
        lines: result.standings.map(|standing| standing.lines),
    });
    let row = Row {
        file: path.display().to_string(),
        cartridge: format!("{:08X}", header.cartridge),
        kind: kind.to_string(),
        best_of,
        level,
        dealer: dealer.to_string(),
        seed,
        names: &header.names,
        own: header.own,
        begun: header.begun,
        frames: header.frames,
        hash: format!("{:016x}", header.hash),
        agreed: header.agreed,
        games: games.collect(),
        verified: looked.map(|wrong| wrong.is_none()),
        wrong: looked.flatten(),
    };
    // Only maps with keys that are no strings fail.
    serde_json::to_string(&row).unwrap_or_default() + "\n"
}
