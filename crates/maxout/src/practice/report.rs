//! A game, or several, as one page.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ai::Evaluator;
use draft::Draft;
use practice::{Coach, Review, Statistics, TapHands, Taps, misdrop_odds, taps, worst};
use serde::Serialize;
use tetris::Feature;

use super::kept::{self, Played};
use super::page::{Page, numbered};
use super::refused;
use super::several::Several;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::tetris::game::{Known, known};
use crate::{image_file, output};

/// Rate every placement of a kept game beside the best that your hands reach, and say which cost most. Of several games,
/// their figures side by side and over all.
///
/// The best place is searched with the next piece in view, of all that turns and taps from one frame on reach; the cost is
/// in units of the evaluation. Games are files or folders of them; any other file is a ROM that they were played on, beside
/// the built-in cartridge.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout practice report games/GAME.mxgame
  maxout practice report games tetris.nes --html --out games.html
  maxout practice report games/GAME.mxgame --hertz 14 --reaction 12 --html --out game.html")]
pub(super) struct Arguments {
    /// Games, folders of games, and ROMs.
    #[arg(required = true, value_name = "GAME|FOLDER|ROM")]
    files: Vec<PathBuf>,
    /// Memory map of a cartridge that is not recognised (docs/profiles.md).
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
    /// Taps a second that your hands make.
    #[arg(long, value_name = "HZ", default_value_t = 12.0)]
    hertz: f64,
    /// Frames from a spawn to your first tap.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=60))]
    reaction: u16,
    /// How boards are rated: article, el-tetris, dellacherie.
    #[arg(long, value_name = "NAME", default_value = "el-tetris")]
    evaluator: Evaluator,
    /// Write one self-contained page.
    #[arg(long, requires = "out")]
    html: bool,
    /// Where to write it.
    #[arg(long, value_name = "OUT.html")]
    out: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long, conflicts_with = "html")]
    json: bool,
}

/// Placements that are listed, and draws of the odds of a misdrop.
const WORST: usize = 10;
const DRAWS: u32 = 5_000;

#[derive(Serialize)]
struct Report {
    statistics: Statistics,
    taps: Vec<Taps>,
    mean_cost: f64,
    worst: Vec<Dear>,
}

/// A placement that cost much.
#[derive(Serialize)]
struct Dear {
    piece: u32,
    letter: char,
    cost: f64,
    chosen: [u8; 3],
    best: [u8; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    misdrop: Option<f64>,
    /// To try again with `--position`.
    position: String,
}

/// The games that are named, and the cartridges that they may be of.
fn sorted(arguments: &Arguments) -> Result<(Vec<PathBuf>, Vec<Known>, bool), Error> {
    let is_game = |path: &Path| path.extension().is_some_and(|ending| ending == practice::EXTENSION);
    let (mut games, mut cartridges, mut single) = (vec![], vec![], true);
    for path in &arguments.files {
        if path.is_dir() {
            single = false;
            games.extend(kept::in_folder(path)?);
        } else if is_game(path) {
            games.push(path.clone());
        } else {
            cartridges.push(known(Some(path), arguments.profile.as_deref(), Feature::Practice)?);
        }
    }
    cartridges.push(known(None, None, Feature::Practice)?);
    if games.is_empty() {
        let text = format!("report: expected games that end in .{}, found none", practice::EXTENSION);
        return Err(refused(text));
    }
    single &= games.len() == 1;
    Ok((games, cartridges, single))
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Error> {
    if !(1.0..=60.0).contains(&arguments.hertz) {
        return Err(refused(format!("--hertz: expected 1 to 60 taps a second, found {}", arguments.hertz)));
    }
    let (games, cartridges, single) = sorted(arguments)?;
    if let Some(out) = &arguments.out {
        let inputs: Vec<_> =
            games.iter().chain(&arguments.files).map(|path| ("the games", Some(path.as_path()))).collect();
        image_file::check_outputs(&inputs, &[("--out", Some(out.as_path()))])?;
    }
    if !single {
        let several = Several::play(&games, &cartridges)?;
        several.warn();
        return show(arguments, &several, || several.page(), || several.text());
    }
    let played = kept::play(&games[0], &cartridges, &Interrupt::listen())?;
    let hands = TapHands { hertz: arguments.hertz, reaction: arguments.reaction };
    let reviews = Coach::new(arguments.evaluator.clone(), hands).reviews(&played.log);
    let bursts = taps(&played.log);
    let spread: Vec<u16> = bursts.iter().flat_map(|burst| burst.intervals.iter().copied()).collect();
    let dear = worst(&reviews, WORST).into_iter().filter_map(|review| dear(&played, review, &spread));
    let report = Report {
        statistics: Statistics::of(&played.log),
        mean_cost: reviews.iter().map(|review| review.cost).sum::<f64>() / reviews.len().max(1) as f64,
        worst: dear.collect(),
        taps: bursts,
    };
    show(arguments, &report, || page(&played, &report, &reviews), || report.text(&played))
}

/// Writes the page, or prints the rest.
fn show(
    arguments: &Arguments,
    value: &impl Serialize,
    page: impl FnOnce() -> String,
    text: impl FnOnce() -> String,
) -> Result<(), Error> {
    if let Some(path) = arguments.out.as_ref().filter(|_| arguments.html) {
        Draft::write_file(path, page().as_bytes())?;
        return output::text(&format!("{}\n", path.display()));
    }
    output::print(value, arguments.json, |out| out.write_all(text().as_bytes()))
}

fn dear(played: &Played, review: &Review, spread: &[u16]) -> Option<Dear> {
    let piece = played.log.pieces.iter().find(|piece| piece.number == review.number)?;
    Some(Dear {
        piece: review.number,
        letter: piece.piece.letter(),
        cost: review.cost,
        chosen: review.chosen.into(),
        best: review.best.into(),
        misdrop: misdrop_odds(piece, spread, DRAWS, u64::from(review.number)),
        position: piece.position().to_string(),
    })
}

impl Report {
    fn text(&self, played: &Played) -> String {
        let mut text = played.outcomes.text();
        let hertz: Vec<f64> = self.taps.iter().map(|burst| burst.hertz).collect();
        if !hertz.is_empty() {
            let mean = hertz.iter().sum::<f64>() / hertz.len() as f64;
            let _ = writeln!(text, "taps       {mean:.1} Hz in {} bursts", hertz.len());
        }
        let _ = writeln!(text, "mean cost  {:.2} a placement", self.mean_cost);
        for Dear { piece, letter, cost, chosen, best, position, .. } in &self.worst {
            let _ = writeln!(
                text,
                "  piece {piece} {letter}: column {} row {} cost {cost:.2}; best column {} row {}\n    {position}",
                chosen[0], chosen[1], best[0], best[1]
            );
        }
        text
    }
}

/// One page without anything outside of it.
fn page(played: &Played, report: &Report, reviews: &[Review]) -> String {
    let game = &played.game.header;
    let mut page = Page::new(&format!("{} on {}", game.mode, game.cartridge), &played.outcomes.text());
    let pieces = &played.log.pieces;
    let heights = pieces
        .iter()
        .map(|piece| piece.rows.iter().position(|&row| row != 0).map_or(0.0, |row| 20.0 - row as f64));
    page.chart("Height of the stack before each piece", &numbered(heights));
    page.chart("Score before each piece", &numbered(pieces.iter().map(|piece| f64::from(piece.score))));
    page.chart(
        "Efficiency of each ten lines",
        &numbered(report.statistics.efficiency_by_ten.iter().copied()),
    );
    page.chart("DAS counter at each spawn", &numbered(pieces.iter().map(|piece| f64::from(piece.das))));
    page.chart("Cost of each placement", &numbered(reviews.iter().map(|review| review.cost)));
    page.chart("Hz of each burst of taps", &numbered(report.taps.iter().map(|burst| burst.hertz)));
    let mut covered = [[0_u32; 10]; 20];
    pieces.iter().flat_map(cells).for_each(|(x, y)| covered[y][x] += 1);
    page.line("<div class=\"maps\">");
    page.heat("Cells covered by locks", &covered);
    page.line("</div><h2>Placements that cost most</h2>");
    let rows = report.worst.iter().map(|dear| {
        let Dear { piece, letter, cost, chosen, best, misdrop, position } = dear;
        let odds = misdrop.map_or_else(|| "-".to_owned(), |odds| format!("{:.0} %", 100.0 * odds));
        vec![
            format!("{piece} {letter}"),
            format!("{cost:.2}"),
            format!("{chosen:?}"),
            format!("{best:?}"),
            odds,
            position.clone(),
        ]
    });
    page.table(&["piece", "cost", "chosen", "best", "misdrop", "position"], rows);
    page.finish()
}

/// Cells of the field in which a piece locked: columns and rows.
pub(super) fn cells(piece: &practice::Played) -> impl Iterator<Item = (usize, usize)> + use<> {
    let place = piece.place.and_then(|place| ai::Placement::try_from(place).ok());
    let cells = place.map(ai::Placement::cells).into_iter().flatten();
    cells.filter_map(|(x, y)| {
        let cell = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (cell.0 < 10 && cell.1 < 20).then_some(cell)
    })
}
