//! `maxout puzzle check`: whether the answers of puzzles win when they are played on.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ::puzzle::{Bank, Checked, Checker, Puzzle};
use draft::Draft;
use rayon::prelude::*;
use serde::Serialize;
use tetris::SplitMix64;

use super::{bank, refused};
use cli::error::Error;
use cli::interrupt::Interrupt;
use cli::progress::Progress;
use cli::{image_file, nets, output};

/// Play a sample of puzzles on from their best and second-best placements, with the same pieces,
/// and report how often the best wins.
///
/// Each game goes on for thirty pieces by the player for points with nets, or to the end of the
/// speed; what the nets expect of the rest is added.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout puzzle check --sample 20 --games 50
  maxout puzzle check --bank mine.bin --sample 5000 --out better.bin")]
pub(super) struct Arguments {
    /// Puzzles of this bank [default: the built-in one].
    #[arg(long, value_name = "FILE")]
    bank: Option<PathBuf>,
    /// Number of puzzles to check.
    #[arg(long, value_name = "N", default_value_t = 50)]
    sample: usize,
    /// Games from each of both boards.
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,
    /// Draws the sample.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Networks: a file, once for each speed, or a folder.
    #[arg(long = "net", value_name = "FILE|FOLDER")]
    nets: Vec<PathBuf>,
    /// Write the bank without the puzzles of the sample whose answer did not win.
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    puzzles: usize,
    games: u32,
    /// Puzzles whose answer won, in per cent.
    won: f64,
    /// Those whose answer lost by more than two standard errors.
    lost_clearly: usize,
    mean_points: f64,
    checked: Vec<Checked>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Error> {
    let (read, written) = (arguments.bank.as_deref(), arguments.out.as_deref());
    image_file::check_outputs(&[("--bank", read)], &[("--out", written)])?;
    let bank = bank(arguments.bank.as_ref())?;
    let (nets, _) = nets::for_rating(&arguments.nets)?;
    let checker = Checker::new(nets);
    let mut left: Vec<&Puzzle> = bank.puzzles.iter().collect();
    let mut random = SplitMix64::new(arguments.seed);
    let mut sample = Vec::new();
    while sample.len() < arguments.sample && !left.is_empty() {
        sample.push(left.swap_remove(random.below(left.len() as u32) as usize));
    }
    let interrupt = Interrupt::listen();
    let progress = Progress::new(sample.len() as u64, "puzzles");
    let checked: Result<Vec<Checked>, Error> = sample
        .par_iter()
        .map(|puzzle| {
            interrupt.check()?;
            let checked = checker.check(puzzle, arguments.games).map_err(refused);
            progress.advance(1);
            checked
        })
        .collect();
    progress.finish();
    let checked = checked?;
    if checked.is_empty() {
        return Err(refused("expected a bank with puzzles, found none in it"));
    }
    let count = checked.len() as f64;
    let report = Report {
        puzzles: checked.len(),
        games: arguments.games,
        won: 100.0 * checked.iter().filter(|checked| checked.is_won()).count() as f64 / count,
        lost_clearly: checked.iter().filter(|checked| checked.points < -2.0 * checked.error).count(),
        mean_points: checked.iter().map(|checked| checked.points).sum::<f64>() / count,
        checked,
    };
    if let Some(path) = written {
        let lost: BTreeSet<u32> =
            report.checked.iter().filter(|checked| !checked.is_won()).map(|checked| checked.puzzle).collect();
        let won = bank.puzzles.iter().filter(|puzzle| !lost.contains(&puzzle.id())).copied();
        Draft::write_file(path, &Bank { puzzles: won.collect() }.bytes())?;
    }
    output::print(&report, arguments.json, |out| {
        let Report { puzzles, games, won, lost_clearly, mean_points, checked } = &report;
        writeln!(
            out,
            "{puzzles} puzzles, {games} games from each board: the answer wins {won:.1} % of them and loses {lost_clearly} clearly, {mean_points:.0} points in the mean"
        )?;
        for Checked { puzzle, points, error, .. } in checked.iter().filter(|checked| !checked.is_won()) {
            writeln!(out, "  puzzle {puzzle:08x}: {points:.0} ± {error:.0} points")?;
        }
        Ok(())
    })
}
