//! A game as one page.

use std::fmt::Write as _;
use std::path::PathBuf;

use ai::Evaluator;
use draft::Draft;
use practice::{Coach, Review, Statistics, TapHands, Taps, misdrop_odds, taps, worst};
use serde::Serialize;

use super::kept::{self, Played};
use super::refused;
use crate::error::Error;
use crate::output;
use crate::tetris::game::Choice;

/// Rate every placement of a kept game beside the best that your hands reach, and say which cost most.
///
/// The best place is searched with the next piece in view, of all that turns and taps from one frame on reach; the cost is
/// in units of the evaluation.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout practice report games/GAME.mxgame
  maxout practice report games/GAME.mxgame --hertz 14 --reaction 12 --html --out game.html")]
pub(super) struct Arguments {
    /// The game's file.
    game: PathBuf,
    #[command(flatten)]
    cartridge: Choice,
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

pub(super) fn run(arguments: &Arguments) -> Result<(), Error> {
    if !(1.0..=60.0).contains(&arguments.hertz) {
        return Err(refused(format!("--hertz: expected 1 to 60 taps a second, found {}", arguments.hertz)));
    }
    let played = kept::play(&arguments.game, &arguments.cartridge)?;
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
    if let Some(path) = arguments.out.as_ref().filter(|_| arguments.html) {
        Draft::write_file(path, page(&played, &report, &reviews).as_bytes())?;
        return output::text(&format!("{}\n", path.display()));
    }
    output::print(&report, arguments.json, |out| out.write_all(report.text(&played).as_bytes()))
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
    let title = format!("{} on {}", game.mode, game.cartridge);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title>\n<style>body{{font:15px \
         sans-serif;max-width:60em;margin:2em auto;color:#222}}svg{{background:#f6f6f6;width:100%}}td,th{{padding:.2em \
         .6em;text-align:right}}code{{font-size:11px}}</style>\n<h1>{0}</h1>\n<pre>{1}</pre>\n",
        escaped(&title),
        escaped(&played.outcomes.text())
    );
    let pieces = &played.log.pieces;
    let heights = pieces
        .iter()
        .map(|piece| piece.rows.iter().position(|&row| row != 0).map_or(0.0, |row| 20.0 - row as f64));
    chart(&mut page, "Height of the stack before each piece", &heights.collect::<Vec<_>>());
    chart(
        &mut page,
        "Score before each piece",
        &pieces.iter().map(|piece| f64::from(piece.score)).collect::<Vec<_>>(),
    );
    chart(&mut page, "Efficiency of each ten lines", &report.statistics.efficiency_by_ten);
    chart(
        &mut page,
        "DAS counter at each spawn",
        &pieces.iter().map(|piece| f64::from(piece.das)).collect::<Vec<_>>(),
    );
    chart(&mut page, "Cost of each placement", &reviews.iter().map(|review| review.cost).collect::<Vec<_>>());
    chart(
        &mut page,
        "Hz of each burst of taps",
        &report.taps.iter().map(|burst| burst.hertz).collect::<Vec<_>>(),
    );
    heat(&mut page, played);
    page.push_str("<h2>Placements that cost most</h2>\n<table><tr><th>piece<th>cost<th>chosen<th>best<th>misdrop<th>position\n");
    for Dear { piece, letter, cost, chosen, best, misdrop, position } in &report.worst {
        let odds = misdrop.map_or_else(|| "-".to_owned(), |odds| format!("{:.0} %", 100.0 * odds));
        let _ = writeln!(
            page,
            "<tr><td>{piece} {letter}<td>{cost:.2}<td>{chosen:?}<td>{best:?}<td>{odds}<td><code>{position}</code>"
        );
    }
    page.push_str("</table>\n</html>\n");
    page
}

/// Values as a line.
fn chart(page: &mut String, title: &str, values: &[f64]) {
    const WIDTH: f64 = 800.0;
    const HEIGHT: f64 = 160.0;
    let most = values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
    let _ = writeln!(page, "<h2>{}</h2>", escaped(title));
    if values.len() < 2 || most <= 0.0 {
        page.push_str("<p>nothing to show</p>\n");
        return;
    }
    let _ = write!(
        page,
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\"><polyline fill=\"none\" stroke=\"#05a\" points=\""
    );
    for (number, value) in values.iter().enumerate() {
        let x = number as f64 / (values.len() - 1) as f64 * WIDTH;
        let y = HEIGHT - value.clamp(0.0, most) / most * (HEIGHT - 20.0);
        let _ = write!(page, "{x:.1},{y:.1} ");
    }
    let _ = writeln!(page, "\"/><text x=\"4\" y=\"14\" font-size=\"12\">{most:.1}</text></svg>");
}

/// Where pieces locked.
fn heat(page: &mut String, played: &Played) {
    let mut cells = [[0_u32; 10]; 20];
    for piece in &played.log.pieces {
        let place = piece.place.and_then(|place| ai::Placement::try_from(place).ok());
        for (x, y) in place.map(ai::Placement::cells).into_iter().flatten() {
            if let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y))
                && let Some(cell) = cells.get_mut(y).and_then(|row| row.get_mut(x))
            {
                *cell += 1;
            }
        }
    }
    let most = cells.iter().flatten().copied().max().unwrap_or(0).max(1);
    page.push_str("<h2>Cells covered by locks</h2>\n<svg viewBox=\"0 0 400 210\">");
    for (y, row) in cells.iter().enumerate() {
        for (x, &count) in row.iter().enumerate() {
            let shade = 255 - 215 * count / most;
            let _ = write!(
                page,
                "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"rgb({shade},{shade},255)\"><title>{count}</title></rect>",
                10 * x + 5,
                10 * y + 5
            );
        }
    }
    page.push_str("</svg>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
