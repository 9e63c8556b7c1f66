//! `maxout puzzle history`: the player's rating over the days, and the last answers.

use std::fmt::Write as _;
use std::path::PathBuf;

use ::puzzle::{Bank, Progress, Solved};
use serde::Serialize;

use super::{progress, store, today};
use cli::error::Error;
use cli::output;

/// Print your rating over the days as a plot, your streak and your last answers.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout puzzle history
  maxout puzzle history --json")]
pub(super) struct Arguments {
    /// File of rating and history [default: in your data folder].
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Answers that are listed, the latest first.
    #[arg(long, value_name = "N", default_value_t = LAST)]
    last: usize,
    /// Print one JSON object, with all answers.
    #[arg(long)]
    json: bool,
}

/// A player for programs.
#[derive(Serialize)]
struct Standing<'a> {
    rating: f64,
    deviation: f64,
    answered: usize,
    streak: u32,
    due: usize,
    /// Puzzles of the built-in bank.
    bank: usize,
    /// The rating at the end of each day with an answer. Days are counted from 1 January 1970, UTC.
    days: Vec<Day>,
    history: &'a [Solved],
}

#[derive(Serialize)]
struct Day {
    day: u32,
    rating: f64,
}

/// Columns and rows of the plot.
const COLUMNS: usize = 60;
const ROWS: usize = 10;

/// Answers that are listed.
const LAST: usize = 20;

/// The same for the option `--history`.
pub(super) fn of_store(named: Option<&PathBuf>, json: bool) -> Result<(), Error> {
    run(&Arguments { store: named.cloned(), last: LAST, json })
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Error> {
    let store = store(arguments.store.as_ref())?;
    let progress = progress(&store)?;
    let today = today();
    let bank = Bank::built_in();
    let (rating, deviation) = progress.rating();
    let standing = Standing {
        rating,
        deviation,
        answered: progress.history().len(),
        streak: progress.streak(today),
        due: [&bank, &store.own_bank()].map(|bank| progress.due(bank, today).len()).iter().sum(),
        bank: bank.puzzles.len(),
        days: progress.ratings().into_iter().map(|(day, rating)| Day { day, rating }).collect(),
        history: progress.history(),
    };
    output::print(&standing, arguments.json, |out| {
        let Standing { rating, deviation, answered, streak, due, bank, history, .. } = &standing;
        writeln!(out, "rating     {rating:.0} ± {:.0}", 2.0 * deviation)?;
        writeln!(out, "answered   {answered} of {bank} puzzles, {due} are due again")?;
        writeln!(out, "streak     {streak} days")?;
        out.write_all(plot(&progress).as_bytes())?;
        for Solved { day, puzzle, grade, cost, rating, .. } in history.iter().rev().take(arguments.last) {
            let ago = today.saturating_sub(*day);
            writeln!(
                out,
                "  {ago:>4} days ago  {puzzle:08x}  {grade:<7} {cost:>8.0} points  rating {rating:.0}"
            )?;
        }
        Ok(())
    })
}

/// The rating after each answer, the latest at the right: as many answers a column as there have to
/// be.
fn plot(progress: &Progress) -> String {
    let ratings: Vec<f64> = progress.history().iter().map(|solved| solved.rating).collect();
    if ratings.len() < 2 {
        return String::new();
    }
    let columns = ratings.len().min(COLUMNS);
    let at = |column: usize| ratings[(column + 1) * ratings.len() / columns - 1];
    let (low, high) =
        ratings.iter().fold((f64::MAX, f64::MIN), |(low, high), &rating| (low.min(rating), high.max(rating)));
    let step = ((high - low) / (ROWS - 1) as f64).max(1.0);
    let row_of = |rating: f64| ((rating - low) / step).round() as usize;
    let mut text = String::new();
    for row in (0..ROWS).rev().skip_while(|&row| row > row_of(high)) {
        let dots: String =
            (0..columns).map(|column| if row_of(at(column)) == row { '●' } else { ' ' }).collect();
        let _ = writeln!(text, "{:>8.0} │{}", step.mul_add(row as f64, low), dots.trim_end());
    }
    let _ = writeln!(text, "         └{} {} answers", "─".repeat(columns), ratings.len());
    text
}
