//! `maxout ai value table`: every published format, ours beside what is published.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use ::value::{Format, Report, Start, report_seeds};
use serde::Serialize;

use crate::ai::trial;
use cli::error::{Error, writing};
use cli::interrupt::Interrupt;
use cli::output;

use super::games::{Games, Terms};
use super::mind::MindOptions;
use super::published::{Published, PublishedFormat};

/// Play every format of which BetaTetris v1.0.0 publishes a figure, and print ours beside it.
///
/// Games are those of `maxout ai value play` with the same options; without --net and --weights the
/// built-in nets play three pieces deep (--ahead 6,2 --narrow 2). A folder keeps the games: the
/// same command goes on where it was stopped, and more --games are added to those that are there.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout ai value table --folder games --games 300
  maxout ai value table --folder games --games 2000 --format bt-30hz-18f --format bt-20hz-18f --json
  maxout ai value table --folder weights --games 100 --weights built-in --ahead 12")]
pub(super) struct Arguments {
    /// Where the games are kept.
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// Games of each format.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    games: u32,
    /// A format, once for each [default: all 42].
    #[arg(long = "format", value_name = "FORMAT")]
    formats: Vec<Format>,
    #[command(flatten)]
    mind: MindOptions,
    /// Threads to play on [default: all processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// A row of the table.
#[derive(Serialize)]
struct Row {
    format: String,
    player: String,
    games: usize,
    mean: f64,
    se: f64,
    reached: [f64; 3],
    published: f64,
    published_se: f64,
    published_reached: [f64; 3],
    setting: String,
    ratio: f64,
    z: f64,
}

#[derive(Serialize)]
struct Table<'a> {
    repository: &'a str,
    commit: &'a str,
    file: &'a str,
    games: u32,
    rows: Vec<Row>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let published = Published::built_in();
    let seeds = report_seeds(arguments.games as usize);
    let pool = trial::threads(arguments.threads)?;
    let interrupt = Interrupt::listen();
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).map_err(|error| writing(folder, error))?;
    let mut rows = Vec::new();
    for figure in &published.formats {
        let Some(format) = arguments.format(&figure.name) else { continue };
        if interrupt.asked() {
            break;
        }
        let (mind, player) = arguments.mind.mind_or_strongest(&format)?;
        let name = format.to_string();
        let terms = Terms { format: name.clone(), player, from: 0, until: None, tuning: false, seeds: None };
        let path = folder.join(format!("{name}.jsonl"));
        let mut games = Games::begin(&seeds, &terms, (Some(&*path), None), true)?;
        games.play(&format, &mind, &Start::default(), &pool, &interrupt)?;
        rows.extend(row(figure, published.games, terms.player, &Report::of(games.outcomes())));
    }
    let Published { repository, commit, file, games, .. } = &published;
    let table = Table { repository, commit, file, games: *games, rows };
    output::print(&table, arguments.json, |out| out.write_all(table.text().as_bytes()))?;
    Ok(if interrupt.asked() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

impl Arguments {
    /// The format of this name, if it is asked for.
    fn format(&self, name: &str) -> Option<Format> {
        let format: Format = name.parse().ok()?;
        (self.formats.is_empty() || self.formats.contains(&format)).then_some(format)
    }
}

/// The row of a report; none without games.
fn row(figure: &PublishedFormat, published_games: u32, player: String, report: &Report) -> Option<Row> {
    if report.games == 0 {
        return None;
    }
    let (ours, published_se) = (report.score, figure.sd / f64::from(published_games).sqrt());
    Some(Row {
        format: figure.name.clone(),
        player,
        games: report.games,
        mean: ours.mean,
        se: ours.se,
        reached: report.reached,
        published: figure.mean,
        published_se,
        published_reached: figure.reached,
        setting: figure.setting.clone(),
        ratio: ours.mean / figure.mean,
        z: (ours.mean - figure.mean) / ours.se.hypot(published_se),
    })
}

impl Table<'_> {
    fn text(&self) -> String {
        let Self { repository, commit, file, games, rows } = self;
        let mut text = String::from(
            "| format | games | ours | se | to 330 lines | published | se | to 330 lines | setting | ratio | z |\n\
             |---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for row in rows {
            // Text takes whatever is written to it.
            let _ = writeln!(
                text,
                "| `{}` | {} | {} | {} | {:.1} % | {} | {} | {:.1} % | {} | {:.3} | {:+.1} |",
                row.format,
                row.games,
                grouped(row.mean),
                grouped(row.se),
                100.0 * row.reached[2],
                grouped(row.published),
                grouped(row.published_se),
                100.0 * row.published_reached[2],
                row.setting,
                row.ratio,
                row.z
            );
        }
        let players: std::collections::BTreeSet<&str> = rows.iter().map(|row| &*row.player).collect();
        for player in players {
            let _ = writeln!(text, "\nours: {player}");
        }
        let _ = writeln!(
            text,
            "\npublished: {repository}, {file} at commit {}, {games} games, the best of six settings",
            &commit[..commit.len().min(7)]
        );
        let beaten = rows.iter().filter(|row| row.z >= 2.0).count();
        let _ = writeln!(text, "{beaten} of {} beaten with z of 2 and more", rows.len());
        text
    }
}

/// A number of points in groups of three digits.
fn grouped(points: f64) -> String {
    let digits = format!("{points:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && digits.as_bytes()[at - 1] != b'-' {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use ::value::PointsGame;

    use super::*;

    #[test]
    fn a_row_has_the_ratio_and_how_many_errors_lie_between_the_means() {
        let figure = PublishedFormat {
            name: "bt-30hz-18f".to_owned(),
            setting: "normal".to_owned(),
            mean: 1_000.0,
            sd: 80.0,
            reached: [1.0, 0.5, 0.25],
        };
        let scores = [1_070, 1_130];
        let games: Vec<PointsGame> =
            scores.iter().map(|&score| PointsGame { score, lines: 330, ..PointsGame::default() }).collect();
        let row = row(&figure, 4, "player".to_owned(), &Report::of(&games)).unwrap();
        // Our error is 30, theirs 40: together 50.
        assert!((row.se - 30.0).abs() < 1e-9 && (row.published_se - 40.0).abs() < 1e-9);
        assert!((row.z - 2.0).abs() < 1e-9 && (row.ratio - 1.1).abs() < 1e-9);
        let table = Table { repository: "r", commit: "c", file: "f", games: 4, rows: vec![row] };
        let text = table.text();
        assert!(text.contains(
            "| `bt-30hz-18f` | 2 | 1,100 | 30 | 100.0 % | 1,000 | 40 | 25.0 % | normal | 1.100 | +2.0 |"
        ));
        assert!(text.contains("1 of 1 beaten"), "{text}");
        assert_eq!([0.0, 999.0, -1_000.0, 2_462_239.2].map(grouped), ["0", "999", "-1,000", "2,462,239"]);
    }

    #[test]
    fn without_games_there_is_no_row() {
        let figure = &Published::built_in().formats[0];
        assert!(row(figure, 1, String::new(), &Report::of(&[])).is_none());
    }
}
