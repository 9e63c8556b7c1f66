//! `maxout ai stats`: the article's figures of a run, as text, data and pictures.

mod charts;
mod fit;
mod heat;
mod report;
mod table;

use std::path::{Path, PathBuf};

use ::ai::PlayStatistics;
use cli::unexpected::Unexpected;
use rayon::prelude::*;
use report::{Pathological, Report};
use serde::de::Error as _;
use tetris::{HEIGHT, Playfield};

use super::AiError;
use super::choices::PlayerChoice;
use super::deal::Deal;
use super::games::{self, Games};
use cli::drawing;
use cli::error::{Error, writing};
use cli::image_file;
use cli::interrupt::Interrupt;
use cli::output;
use cli::progress::Progress;

/// Measure where pieces lock, how long the player survives, and how often it clears the board.
///
/// The rows' percentages fall by the same factor from row to row; the line through their logarithms
/// ends at row 0, and says after how many pieces one locks there. Rows are those of the pieces'
/// centres, from the top.
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
    #[command(flatten)]
    deal: Deal,
    #[command(flatten)]
    player: PlayerChoice,
    /// Take what `maxout ai play --json` has counted, instead of playing.
    #[arg(long, value_name = "RUN.json", conflicts_with = "table")]
    from: Option<PathBuf>,
    /// Take percentages of pieces by row from a file, instead of playing.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Rows that the line goes through.
    #[arg(long, value_name = "FROM-TO", default_value = "6-15", value_parser = rows)]
    rows: (usize, usize),
    /// Draw heatmap.png, pieces.png, rows.png, fit.png and clears.png into this folder, which is
    /// made.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

fn rows(text: &str) -> Result<(usize, usize), Unexpected> {
    let row = |text: &str| text.trim().parse::<usize>().ok().filter(|&row| row < HEIGHT);
    text.split_once('-')
        .and_then(|(from, to)| Some((row(from)?, row(to)?)))
        .filter(|(from, to)| from < to)
        .ok_or(Unexpected::new("two rows from 0 to 19, as 6-15"))
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let report = match (&arguments.table, &arguments.from) {
        (Some(path), _) => Report::of_rows(path.display().to_string(), table::read(path)?, arguments.rows),
        (None, Some(path)) => Report::of_play(path.display().to_string(), counted(path)?, arguments.rows),
        (None, None) => {
            let (total, games_over) = play(arguments)?;
            let Arguments { games, deal: Deal { randomizer, seed }, .. } = arguments;
            let PlayerChoice { evaluator, filter } = &arguments.player;
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
    output::print(&report, arguments.json, |out| out.write_all(report.text().as_bytes()))
}

fn counted(path: &Path) -> Result<PlayStatistics, Error> {
    let refused = |source| AiError::Counted { path: path.into(), source };
    let counted = serde_json::from_slice(&image_file::read(path)?).map_err(refused)?;
    if adds_up(&counted) {
        Ok(counted)
    } else {
        Err(refused(serde_json::Error::custom("its counts are not those of its pieces")).into())
    }
}

/// Is every piece in each of the counts that have all of them? Then no sum of any is too large.
fn adds_up(counted: &PlayStatistics) -> bool {
    let PlayStatistics { pieces, lines, spans, span_pieces, span_counts, .. } = counted;
    let sum = |counts: &[u64]| counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
    let all = Some(*pieces);
    let known = sum(&span_counts.values().copied().collect::<Vec<_>>());
    sum(&counted.piece_counts) == all
        && sum(&counted.row_locks) == all
        && sum(counted.cell_locks.as_flattened().as_flattened()) == all
        && *lines / 4 <= *pieces
        && span_pieces <= pieces
        && known == Some(*spans)
        && span_counts.keys().all(|span| span <= span_pieces)
        && *pieces < 1 << 53
}

/// Plays all games; answers what was counted, and how many were over.
fn play(arguments: &Arguments) -> Result<(PlayStatistics, usize), Error> {
    let interrupt = Interrupt::listen();
    let games = u64::from(arguments.games);
    let progress = Progress::new(arguments.pieces, "pieces");
    let table = Games { player: &arguments.player, deal: arguments.deal, known: 2, board: Playfield::EMPTY };
    let results = (0..games)
        .into_par_iter()
        .map(|number| {
            // The first games take what is left over.
            let pieces = arguments.pieces / games + u64::from(number < arguments.pieces % games);
            let mut game = table.game(number);
            let over = games::play(&mut game, pieces, &interrupt, &progress)?;
            Ok((game.statistics().clone(), over))
        })
        .collect::<Result<Vec<_>, Error>>()?;
    progress.finish();
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
    drawing::write(&path("rows.png"), &charts::Rows(report))?;
    drawing::write(&path("fit.png"), &charts::LogRows(report))?;
    if let Some(counted) = &report.counted {
        drawing::write(&path("heatmap.png"), &heat::HeatMap(counted))?;
        drawing::write(&path("pieces.png"), &heat::ByPiece(counted))?;
    }
    if let Some(clears) = &report.full_clears {
        drawing::write(&path("clears.png"), &charts::Clears(clears))?;
    }
    Ok(())
}
