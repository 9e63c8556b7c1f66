//! `maxout ai play`: whole games in memory.

use std::path::PathBuf;

use ::ai::{Evaluator, Filter, Game, PlayStatistics};
use cli::unexpected::Unexpected;
use randomizers::Kind;
use rayon::prelude::*;
use serde::Serialize;
use tetris::{Piece, Playfield};

use super::choices::PlayerChoice;
use super::deal::Deal;
use super::games::{self, Games};
use super::watch::{self, Look};
use super::{AiError, seed_board};
use cli::error::Error;
use cli::interrupt::Interrupt;
use cli::output;
use cli::progress::Progress;

/// Play whole games on a board without console and gravity, and print statistics.
#[derive(clap::Args)]
#[command(mut_arg("randomizer", |kind| kind.default_value("nes")))]
#[command(mut_arg("evaluator", |evaluator| evaluator.default_value_if("watch", "true", Some("stacking"))))]
#[command(after_help = "\
Games run on all processors. A board file holds the lowest rows as lines of ten cells,
`.` free and `#` solid, or 20 numbers as `maxout ai search` takes them. With --watch the evaluator is stacking, which plays
for tetrises, unless --evaluator names another.

Examples:
  maxout ai play --pieces 1000000 --randomizer uniform
  maxout ai play --watch --speed 5
  maxout ai play --pieces 500 --screenshot board.png
  maxout ai play --games 20 --pieces 100000 --filter well --json
  maxout ai play --evaluator dellacherie --seed-board garbage.txt
  maxout ai play --evaluator stacking --pieces 100000
  maxout ai play --evaluator mine.toml --filter well+pattern:heart.png
  maxout ai play --games 4 --pieces 2500000 --randomizer uniform     the strength of the article's table")]
pub(crate) struct Arguments {
    /// Games to play.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Most pieces of a game.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pieces: u64,
    #[command(flatten)]
    deal: Deal,
    #[command(flatten)]
    player: PlayerChoice,
    /// Pieces that the player knows, the current one included.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=4))]
    known: u8,
    /// A board to begin with, instead of an empty one.
    #[arg(long, value_name = "FILE")]
    seed_board: Option<PathBuf>,
    /// Show the game in this terminal, drawn by the machine with the cartridge's own tiles: one
    /// game only.
    #[arg(long)]
    watch: bool,
    /// Pieces a second to watch, or `max` for as many as there is time for.
    #[arg(long, value_name = "N", default_value = "3", requires = "watch", value_parser = speed)]
    speed: f64,
    /// Draw the last board as the cartridge shows it: one game only.
    #[arg(long, value_name = "OUT.png")]
    screenshot: Option<PathBuf>,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

fn speed(text: &str) -> Result<f64, Unexpected> {
    let speed = if text == "max" { Some(f64::INFINITY) } else { text.parse().ok() };
    speed.filter(|speed| *speed > 0.0).ok_or(Unexpected::new("pieces a second, as 3 or 0.5, or max"))
}

#[derive(Serialize)]
struct Report {
    randomizer: Kind,
    seed: u64,
    evaluator: Evaluator,
    filter: Filter,
    known: u8,
    games: u32,
    games_over: usize,
    #[serde(flatten)]
    total: PlayStatistics,
    tetris_rate: Option<f64>,
    mean_spawns_between_full_clears: Option<f64>,
    by_game: Vec<Played>,
}

#[derive(Serialize)]
struct Played {
    seed: u64,
    over: bool,
    pieces: u64,
    lines: u64,
    board: Playfield,
    #[serde(skip)]
    statistics: PlayStatistics,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let look = Look {
        terminal: arguments.watch.then_some(arguments.speed),
        picture: arguments.screenshot.as_deref(),
    };
    if arguments.games > 1 && (look.terminal.is_some() || look.picture.is_some()) {
        let option = if arguments.watch { "--watch" } else { "--screenshot" };
        return Err(AiError::OneOfMany { option, games: arguments.games }.into());
    }
    let board = arguments.seed_board.as_deref().map_or(Ok(Playfield::EMPTY), seed_board::read)?;
    let interrupt = Interrupt::listen();
    let Arguments { games, pieces, deal, player, known, .. } = arguments;
    let all = u64::from(*games).saturating_mul(*pieces);
    let progress = Progress::new(all, "pieces");
    let table = Games { player, deal: *deal, known: *known, board };
    let by_game = (0..u64::from(*games))
        .into_par_iter()
        .map(|number| {
            let mut game = table.game(number);
            let over = if look.terminal.is_some() || look.picture.is_some() {
                watch::play(&mut game, player.filter.clone(), *pieces, look, &interrupt)?
            } else {
                games::play(&mut game, *pieces, &interrupt, &progress)?
            };
            Ok(Played::new(deal.seed_of(number), over, &game))
        })
        .collect::<Result<Vec<_>, Error>>()?;
    progress.finish();
    let mut total = PlayStatistics::default();
    for game in &by_game {
        total.add(&game.statistics);
    }
    let report = Report {
        randomizer: deal.randomizer,
        seed: deal.seed,
        evaluator: player.evaluator.clone(),
        filter: player.filter.clone(),
        known: *known,
        games: *games,
        games_over: by_game.iter().filter(|game| game.over).count(),
        tetris_rate: total.tetris_rate(),
        mean_spawns_between_full_clears: total.mean_span(),
        total,
        by_game,
    };
    output::print(&report, arguments.json, |out| out.write_all(report.text().as_bytes()))
}

impl Played {
    fn new<P: Iterator<Item = Piece>>(seed: u64, over: bool, game: &Game<P>) -> Self {
        let statistics = game.statistics().clone();
        let (pieces, lines) = (statistics.pieces, statistics.lines);
        Self { seed, over, pieces, lines, board: *game.board(), statistics }
    }
}

impl Report {
    fn text(&self) -> String {
        let total = &self.total;
        let share = |part: u64, whole: u64| match whole {
            0 => "-".into(),
            _ => format!("{:.3} %", 100.0 * part as f64 / whole as f64),
        };
        let mut lines = vec![
            format!("{:<26} {:>14}   {} over", "games", self.games, self.games_over),
            format!("{:<26} {:>14}", "pieces", total.pieces),
            format!("{:<26} {:>14}", "lines", total.lines),
        ];
        for (name, (clears, rows)) in
            ["singles", "doubles", "triples", "tetrises"].into_iter().zip(total.clears.iter().zip(1..))
        {
            let of_lines = share(clears * rows, total.lines);
            lines.push(format!("{name:<26} {clears:>14}   {of_lines} of lines"));
        }
        let mean = total.mean_span().map_or_else(|| "-".into(), |mean| format!("{mean:.1}"));
        lines.push(format!("{:<26} {:>14}", "full clears", total.full_clears));
        lines.push(format!("{:<26} {mean:>14}", "mean spawns between them"));
        lines.push(String::new());
        for piece in Piece::ALL {
            let count = total.piece_counts[piece as usize];
            lines.push(format!("{piece:<26} {count:>14}   {}", share(count, total.pieces)));
        }
        lines.push(String::new());
        for (row, &count) in total.row_locks.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let name = format!("locks in row {row}");
            lines.push(format!("{name:<26} {count:>14}   {}", share(count, total.pieces)));
        }
        lines.push(String::new());
        lines.join("\n")
    }
}
