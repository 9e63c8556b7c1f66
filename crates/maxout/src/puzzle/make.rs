//! `maxout puzzle make`: a bank of puzzles.

use std::path::PathBuf;

use ::puzzle::{Bank, Checker, Count, Maker, Position, Puzzle, SelfPlay, Theme, play};
use ::value::Nets;
use draft::Draft;
use rayon::prelude::*;
use serde::Serialize;
use tetris::Feature;

use super::{bank, refused};
use cli::error::Error;
use cli::game::known;
use cli::interrupt::Interrupt;
use cli::progress::Progress;
use cli::{image_file, nets, output, written};

/// Make a bank of puzzles from games of the computer player, with some random placements, and from
/// given games.
///
/// A position is kept if one placement is the best by a clear margin, at two depths of search and
/// for slow hands as for fast ones; or if slow hands have a best placement of their own, and fast
/// ones a clearly better one. Puzzles are spread over themes and difficulty, and played on. The
/// same games make the same bank.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout puzzle make --out bank.bin
  maxout puzzle make --out mine.bin --games 0 games/*.mxgame
  maxout puzzle make --bank bank.bin --theme hands --seed 1601 --out more.bin")]
pub(super) struct Arguments {
    /// Games of players: .mxgame, .fm2, .ngf, .ngf.gz, .csv or .jsonl.
    #[arg(value_name = "GAME")]
    players: Vec<PathBuf>,
    /// Games of the computer player.
    #[arg(long, value_name = "N", default_value_t = 1_600)]
    games: u32,
    /// Number of its first game.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Play each puzzle on N times from its best and its second-best placement, and drop it unless
    /// the answer wins by more than the standard error; 0 drops none.
    #[arg(long, value_name = "N", default_value_t = 80)]
    confirm: u32,
    /// Number of puzzles to find before they are played on.
    #[arg(long, value_name = "N", default_value_t = 2_400)]
    count: usize,
    /// Add to the puzzles of this bank.
    #[arg(long, value_name = "FILE")]
    bank: Option<PathBuf>,
    /// Find only puzzles of this theme.
    #[arg(long, value_name = "THEME")]
    theme: Option<Theme>,
    /// Networks: a file, once for each speed, or a folder.
    #[arg(long = "net", value_name = "FILE|FOLDER")]
    nets: Vec<PathBuf>,
    /// Where to write it.
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Made {
    positions: usize,
    candidates: usize,
    puzzles: usize,
    bytes: usize,
    themes: Vec<Count>,
    ratings: Vec<Count>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut inputs: Vec<_> = arguments.players.iter().map(|path| ("a game", Some(path.as_path()))).collect();
    inputs.push(("--bank", arguments.bank.as_deref()));
    image_file::check_outputs(&inputs, &[("--out", Some(arguments.out.as_path()))])?;
    let kept = arguments.bank.as_ref().map_or_else(|| Ok(Bank::default()), |path| bank(Some(path)))?;
    let (nets, _) = nets::for_rating(&arguments.nets)?;
    let maker = Maker::new(&nets).map_err(refused)?;
    let interrupt = Interrupt::listen();
    let mut games: Vec<Game> = Vec::new();
    for path in &arguments.players {
        let known = [known(None, None, Feature::Practice)?];
        let turns = written::read(path, &known, &interrupt)?.turns;
        games.push(Game::Player(turns.iter().filter_map(Position::of_turn).collect()));
    }
    let numbers = arguments.seed..arguments.seed + u64::from(arguments.games);
    games.extend(numbers.map(|number| Game::Own(SelfPlay::numbered(number))));
    let progress = Progress::new(games.len() as u64, "games");
    let found: Vec<(usize, Vec<Puzzle>)> = games
        .par_iter()
        .map_with(maker, |maker, game| {
            let found = if interrupt.asked() { Default::default() } else { game.puzzles(&nets, maker) };
            progress.advance(1);
            found
        })
        .collect();
    progress.finish();
    interrupt.check()?;
    let positions = found.iter().map(|(positions, _)| positions).sum();
    let is_new = |puzzle: &Puzzle| {
        let is_wanted = arguments.theme.is_none_or(|theme| puzzle.themes.has(theme));
        is_wanted && kept.puzzles.iter().all(|known| known.position != puzzle.position)
    };
    let candidates: Vec<Puzzle> = found.into_iter().flat_map(|(_, puzzles)| puzzles).filter(is_new).collect();
    let mut new = Bank::select(&candidates, arguments.count);
    if arguments.confirm > 0 {
        new = confirmed(&new, &Checker::new(nets), arguments.confirm, &interrupt)?;
    }
    let bank = Bank { puzzles: [kept.puzzles, new.puzzles].concat() };
    if bank.puzzles.is_empty() {
        return Err(refused("no position of these games is worth asking about: name more games"));
    }
    let bytes = bank.bytes();
    Draft::write_file(&arguments.out, &bytes)?;
    let made = Made {
        positions,
        candidates: candidates.len(),
        puzzles: bank.puzzles.len(),
        bytes: bytes.len(),
        themes: bank.by_theme(),
        ratings: bank.by_rating(),
    };
    output::print(&made, arguments.json, |out| {
        let Made { positions, candidates, puzzles, bytes, themes, ratings } = &made;
        writeln!(
            out,
            "{puzzles} puzzles, {bytes} bytes, of {candidates} candidates in {positions} positions"
        )?;
        for Count { name, puzzles } in themes.iter().chain(ratings) {
            writeln!(out, "  {name:<14} {puzzles:>5}")?;
        }
        Ok(())
    })
}

/// The puzzles whose answers win when they are played on.
fn confirmed(bank: &Bank, checker: &Checker, games: u32, interrupt: &Interrupt) -> Result<Bank, Error> {
    let progress = Progress::new(bank.puzzles.len() as u64, "puzzles");
    let wins = |puzzle: &&Puzzle| {
        progress.advance(1);
        !interrupt.asked() && checker.check(puzzle, games).is_ok_and(|checked| checked.is_won_clearly())
    };
    let puzzles = bank.puzzles.par_iter().filter(wins).copied().collect();
    interrupt.check()?;
    Ok(Bank { puzzles })
}

enum Game {
    Player(Vec<Position>),
    Own(SelfPlay),
}

impl Game {
    /// The number of its positions, and its puzzles.
    fn puzzles(&self, nets: &Nets, maker: &mut Maker) -> (usize, Vec<Puzzle>) {
        let mut own = Vec::new();
        let positions = match self {
            Self::Player(positions) => positions,
            Self::Own(game) => {
                play(nets, game, |position| {
                    own.push(*position);
                    true
                });
                &own
            }
        };
        (positions.len(), maker.of_game(positions))
    }
}
