//! `maxout ai stats`: the article's figures of a run, as text, data and pictures.

mod charts;
mod fit;
mod heat;
mod report;
mod table;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ::ai::{Board, Evaluator, Filter, Game, HEIGHT, PlayStatistics, Searcher};
use randomizers::Kind;
use rayon::prelude::*;
use report::{Pathological, Report};

use super::AiError;
use crate::error::{Error, writing};
use crate::image_file;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::randomizer::picture;

/// Count where pieces lock, how long the player will live, and how often it clears the board.
///
/// The rows' percentages fall by the same factor from row to row; the line through their logarithms ends at row 0, and
/// says after how many pieces one locks there. Rows are those of the pieces' centres, from the top.
#[derive(clap::Args)]
#[command(after_help = "\
A table has a line for each row, its number and its percentage: `6 0.0000512280`.

Examples:
  maxout ai stats --pieces 10000000 --out figures/
  maxout ai play --pieces 1000000 --randomizer uniform --json > run.json; maxout ai stats --from run.json --json
  maxout ai stats --table rows.txt")]
pub(crate) struct Arguments {
    /// Pieces to play, in all games.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pieces: u64,
    /// Games to share them.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Who deals the pieces; `maxout randomizer list` shows all.
    #[arg(long, value_name = "KIND", default_value = "uniform")]
    randomizer: Kind,
    /// Where the first game's deal begins; game n has the seed plus n.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How boards are rated, as `maxout ai play` takes it.
    #[arg(long, value_name = "EVALUATOR", default_value_t, value_parser = super::choices::evaluator)]
    evaluator: Evaluator,
    /// Places that pieces may not visit, as `maxout ai play` takes it.
    #[arg(long, value_name = "FILTER", default_value_t, value_parser = super::choices::filter)]
    filter: Filter,
    /// Take what `maxout ai play --json` has counted, instead of playing.
    #[arg(long, value_name = "RUN.json", conflicts_with = "table")]
    from: Option<PathBuf>,
    /// Take percentages of pieces by row from a file, instead of playing.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Rows that the line goes through.
    #[arg(long, value_name = "FROM-TO", default_value = "6-15", value_parser = rows)]
    rows: (usize, usize),
    /// Draw heatmap.png, pieces.png, rows.png, fit.png and clears.png into this folder, which is made.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

fn rows(text: &str) -> Result<(usize, usize), String> {
    let row = |text: &str| text.trim().parse::<usize>().ok().filter(|&row| row < HEIGHT);
    text.split_once('-')
        .and_then(|(from, to)| Some((row(from)?, row(to)?)))
        .filter(|(from, to)| from < to)
        .ok_or_else(|| "expected two rows from 0 to 19, as 6-15".to_owned())
}

/// Pieces between two looks at Ctrl-C and the bar.
const PORTION: u64 = 1024;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let report = match (&arguments.table, &arguments.from) {
        (Some(path), _) => Report::of_rows(path.display().to_string(), table::read(path)?, arguments.rows),
        (None, Some(path)) => Report::of_play(path.display().to_string(), counted(path)?, arguments.rows),
        (None, None) => {
            let (total, games_over) = play(arguments)?;
            let Arguments { games, randomizer, seed, evaluator, filter, .. } = arguments;
            let source = format!(
                "{} pieces of {randomizer}, {games} games from seed {seed}, {games_over} over; {evaluator}, filter \
                 {filter}",
                total.pieces
            );
            let mut report = Report::of_play(source, total, arguments.rows);
            report.s_and_z = Some(Pathological::played(evaluator, filter));
            report
        }
    };
    if let Some(folder) = &arguments.out {
        draw(folder, &report)?;
    }
    let mut out = stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, &report).map_err(|error| Error::Output(error.into()))?;
        writeln!(out).map_err(Error::Output)
    } else {
        out.write_all(report.text().as_bytes()).map_err(Error::Output)
    }
}

fn counted(path: &Path) -> Result<PlayStatistics, Error> {
    let refused = |source| AiError::Counted { path: path.into(), source };
    Ok(serde_json::from_slice(&image_file::read(path)?).map_err(refused)?)
}

/// Plays all games; answers what was counted, and how many were over.
fn play(arguments: &Arguments) -> Result<(PlayStatistics, usize), Error> {
    let interrupt = Interrupt::listen();
    let games = arguments.games;
    let progress = Mutex::new((0u64, Progress::new(arguments.pieces, "pieces")));
    let results = (0..games)
        .into_par_iter()
        .map(|number| {
            // The first games take what is left over.
            let (number, games) = (u64::from(number), u64::from(games));
            let pieces = arguments.pieces / games + u64::from(number < arguments.pieces % games);
            let searcher = Searcher::new(arguments.evaluator.clone(), arguments.filter.clone());
            let dealer = arguments.randomizer.seeded(arguments.seed.wrapping_add(number));
            let mut game = Game::new(Board::EMPTY, dealer, 2, searcher);
            let mut over = false;
            while !over && game.statistics().pieces < pieces {
                interrupt.check()?;
                let portion = PORTION.min(pieces - game.statistics().pieces);
                over = (0..portion).any(|_| game.step().is_none());
                if let Ok(mut progress) = progress.lock() {
                    progress.0 += portion;
                    let reached = progress.0;
                    progress.1.reach(reached);
                }
            }
            Ok((game.statistics().clone(), over))
        })
        .collect::<Result<Vec<_>, Error>>()?;
    if let Ok(progress) = progress.lock() {
        progress.1.finish();
    }
    let mut total = PlayStatistics::default();
    for (statistics, _) in &results {
        total.add(statistics);
    }
    Ok((total, results.iter().filter(|(_, over)| *over).count()))
}

/// The pictures that there is something for.
fn draw(folder: &Path, report: &Report) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|error| writing(folder, error))?;
    let path = |name: &str| folder.join(name);
    picture::write(&path("rows.png"), &charts::Rows(report))?;
    picture::write(&path("fit.png"), &charts::LogRows(report))?;
    if let Some(counted) = &report.counted {
        picture::write(&path("heatmap.png"), &heat::HeatMap(counted))?;
        picture::write(&path("pieces.png"), &heat::ByPiece(counted))?;
    }
    if let Some(clears) = &report.full_clears {
        picture::write(&path("clears.png"), &charts::Clears(clears))?;
    }
    Ok(())
}
