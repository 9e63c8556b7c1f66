//! A game, or several, as one page.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ::value::Nets;
use ai::Evaluator;
use draft::Draft;
use practice::{
    Charges, Coach, Finesse, HOLE_AGES, Holes, Loss, PointsCoach, Review, Statistics, TapHands, TapTable,
    Taps, Unrated, misdrop_odds, taps, worst,
};
use serde::Serialize;
use tetris::{Feature, Placement};

use super::kept;
use super::page::{Page, numbered};
use super::refused;
use super::several::Several;
use super::taps::{self as tapping, TapLine};
use cli::error::Error;
use cli::game::{Known, known};
use cli::interrupt::Interrupt;
use cli::written::{self, Kind, Written};
use cli::{image_file, nets, output};

/// Rate every placement of a kept game against the best that your hands can reach, and list the
/// costliest. For several games, print their statistics side by side and in total.
///
/// The player for points (docs/points.md) rates, by nets: those of --net, of the setting
/// tetris.nets, of a folder beside the program, or the built-in ones. Costs are in points. Both
/// boards of the placements that cost most are played on for forty lines, a hundred times each,
/// for a loss in points. A game from any level counts as one from level 18 that is as far from the
/// next speed. Placements that cannot be rated are counted, with the reason. --evaluator weights
/// rates by the weights of the player for points, and el-tetris or another evaluator with the next
/// piece in view: each in its own unit, which does not compare with any other. Games are files or
/// folders of them: kept (.mxgame), movies (.fm2), recordings of NestrisChamps (.ngf, .ngf.gz),
/// one line a placement (.csv, .jsonl). Any other file is a ROM that they were played on, beside
/// the built-in cartridge.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout practice report games/GAME.mxgame
  maxout practice report games/GAME.mxgame --hertz 30 --reaction 18
  maxout practice report game.ngf.gz            a game of a real console
  maxout practice report games tetris.nes --html --out games.html
  maxout practice report games/GAME.mxgame --hertz 14 --reaction 12 --html --out game.html")]
pub(super) struct Arguments {
    /// Games, folders of games, and ROMs.
    #[arg(required = true, value_name = "GAME|FOLDER|ROM")]
    files: Vec<PathBuf>,
    /// Memory map of a cartridge that is not recognised (docs/profiles.md).
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
    /// Your taps a second.
    #[arg(long, value_name = "HZ", default_value_t = 12.0)]
    hertz: f64,
    /// Frames from a spawn to your first tap.
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = clap::value_parser!(u16).range(0..=60))]
    reaction: u16,
    /// How placements are rated: points or weights, by the player of docs/points.md; article,
    /// el-tetris or dellacherie [default: points].
    #[arg(long, value_name = "NAME", value_parser = rating)]
    evaluator: Option<Rating>,
    /// Rate by points and by this net, once for each speed, or by a folder of nets. A speed without
    /// one is rated by the built-in net.
    #[arg(long = "net", value_name = "FILE|FOLDER")]
    nets: Vec<PathBuf>,
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

/// Games that can be reported on.
const KINDS: [Kind; 4] = [Kind::Kept, Kind::Movie, Kind::Recording, Kind::Lines];
/// Placements that are listed, and draws of the odds of a misdrop.
const WORST: usize = 10;
/// Games that are played on from each of their boards.
const GAMES: u32 = 100;
const DRAWS: u32 = 5_000;

#[derive(Serialize)]
struct Report {
    statistics: Statistics,
    taps: Vec<Taps>,
    /// Taps needed and made, by level and column.
    columns: Vec<TapLine>,
    /// `None` where buttons are not known, as in a recording of NestrisChamps.
    charge: Option<Charges>,
    /// See `charge`.
    finesse: Option<Finesse>,
    holes: Holes,
    /// `None` if no placement was rated.
    mean_cost: Option<f64>,
    /// Unit of the costs.
    unit: String,
    /// Whether that is points, which compare with those of other games.
    in_points: bool,
    /// Number of placements that the player for points cannot rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    unrated: Option<usize>,
    /// Why they are not rated, with their number.
    not_rated: Vec<(Unrated, usize)>,
    worst: Vec<Dear>,
    /// Every placement that was rated.
    placements: Vec<Rate>,
}

/// A placement that was rated. Places are column and row of the pivot, counted from 0 at the top
/// left, and the game's number of the orientation.
#[derive(Serialize)]
struct Rate {
    piece: u32,
    letter: char,
    level: u8,
    lines: u32,
    chosen: Placement,
    best: Placement,
    cost: f64,
    position: String,
}

/// A placement that cost much.
#[derive(Serialize)]
struct Dear {
    piece: u32,
    letter: char,
    cost: f64,
    /// Points lost, and the standard error of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<Loss>,
    chosen: Placement,
    best: Placement,
    #[serde(skip_serializing_if = "Option::is_none")]
    misdrop: Option<f64>,
    /// To try again with `--position`.
    position: String,
}

/// The games that are named, and the cartridges that they may be of.
pub(super) fn sorted(
    command: &str,
    files: &[PathBuf],
    profile: Option<&Path>,
    kinds: &[Kind],
) -> Result<(Vec<PathBuf>, Vec<Known>, bool), Error> {
    let is_game = |path: &Path| Kind::of(path).is_some_and(|kind| kinds.contains(&kind));
    // A folder may hold other tables than games.
    let is_text = |path: &Path| Kind::of(path) == Some(Kind::Lines);
    let (mut games, mut cartridges, mut single) = (vec![], vec![], true);
    for path in files {
        if path.is_dir() {
            single = false;
            games.extend(kept::in_folder(path, |path| is_game(path) && !is_text(path))?);
        } else if is_game(path) {
            games.push(path.clone());
        } else {
            cartridges.push(known(Some(path.as_path()), profile, Feature::Games)?);
        }
    }
    cartridges.push(known(None, None, Feature::Games)?);
    if games.is_empty() {
        let text = format!("{command}: expected games that end in .{}, found none", practice::EXTENSION);
        return Err(refused(text));
    }
    single &= games.len() == 1;
    Ok((games, cartridges, single))
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Error> {
    if !(1.0..=60.0).contains(&arguments.hertz) {
        return Err(refused(format!("--hertz: expected 1 to 60 taps a second, found {}", arguments.hertz)));
    }
    let rating = arguments.rating()?;
    let (games, cartridges, single) =
        sorted("report", &arguments.files, arguments.profile.as_deref(), &KINDS)?;
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
    let interrupt = Interrupt::listen();
    let played = written::read(&games[0], &cartridges, &interrupt)?;
    let hands = TapHands { hertz: arguments.hertz, reaction: arguments.reaction };
    let bursts = taps(&played.log);
    let spread: Vec<u16> = bursts.iter().flat_map(|burst| burst.intervals.iter().copied()).collect();
    let Rated { reviews, dear, unit, in_points, reasons } =
        rating.rate(&played, hands, &spread, &interrupt)?;
    let table = TapTable::of(&played.log);
    let report = Report {
        columns: TapLine::of(&table),
        charge: played.has_buttons().then(|| Charges::of(&played.log)),
        finesse: played.has_buttons().then(|| Finesse::of(&played.log)),
        holes: Holes::of(&played.log),
        unit,
        in_points,
        unrated: reasons.as_ref().map(|counts| counts.iter().map(|(_, count)| count).sum()),
        not_rated: reasons.unwrap_or_default(),
        statistics: Statistics::of(&played.log),
        mean_cost: (!reviews.is_empty())
            .then(|| reviews.iter().map(|review| review.cost).sum::<f64>() / reviews.len() as f64),
        worst: dear,
        placements: reviews.iter().filter_map(|review| rate_of(&played, review)).collect(),
        taps: bursts,
    };
    show(
        arguments,
        &report,
        || page(&played, &report, &reviews, &table, arguments.reaction),
        || report.text(&played),
    )
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

/// How placements are rated.
#[derive(Clone, Debug)]
enum Rating {
    Boards(Evaluator),
    /// By the weights of the player for points.
    Weights,
    /// By its nets.
    Points(Nets),
}

impl Arguments {
    /// How placements are rated, nets included.
    fn rating(&self) -> Result<Rating, Error> {
        let other = match &self.evaluator {
            Some(Rating::Boards(evaluator)) => evaluator.to_string(),
            Some(Rating::Weights) => "weights".to_owned(),
            Some(Rating::Points(_)) | None => return Ok(Rating::Points(nets::for_rating(&self.nets)?.0)),
        };
        if !self.nets.is_empty() {
            return Err(refused(format!(
                "--net: expected --evaluator points, or none, found --evaluator {other}"
            )));
        }
        Ok(self.evaluator.clone().unwrap_or(Rating::Weights))
    }
}

/// Why a text names nothing that can rate placements.
#[derive(Debug, thiserror::Error)]
#[error("{0}; or points, weights")]
struct NoRating(<Evaluator as std::str::FromStr>::Err);

fn rating(text: &str) -> Result<Rating, NoRating> {
    if text.eq_ignore_ascii_case("points") {
        return Ok(Rating::Points(Nets::default()));
    }
    if text.eq_ignore_ascii_case("weights") {
        return Ok(Rating::Weights);
    }
    let known: Result<Evaluator, _> = text.parse();
    known.map(Rating::Boards).map_err(NoRating)
}

/// What a rating made of a game.
struct Rated {
    reviews: Vec<Review>,
    dear: Vec<Dear>,
    unit: String,
    in_points: bool,
    /// `None` if an evaluator rated.
    reasons: Option<Vec<(Unrated, usize)>>,
}

impl Rating {
    fn rate(
        &self,
        played: &Written,
        hands: TapHands,
        spread: &[u16],
        interrupt: &Interrupt,
    ) -> Result<Rated, Error> {
        let log = &played.log;
        let mut coach = match self {
            Self::Boards(evaluator) => {
                let reviews = Coach::new(evaluator.clone(), hands).reviews(log);
                let dear = worst(&reviews, WORST).into_iter();
                let dear = dear.filter_map(|review| dear_of(played, review, None, spread)).collect();
                let unit = format!("units of {evaluator}");
                return Ok(Rated { reviews, dear, unit, in_points: false, reasons: None });
            }
            Self::Weights => PointsCoach::new(hands),
            Self::Points(nets) => PointsCoach::with_nets(hands, nets.clone()),
        };
        let reviews = coach.reviews(log);
        let lost = coach.worst(log, &reviews, (WORST, GAMES), || interrupt.check().is_ok());
        interrupt.check()?;
        let dear =
            lost.iter().filter_map(|(review, loss)| dear_of(played, review, Some(*loss), spread)).collect();
        let in_points = matches!(self, Self::Points(_));
        let of = if in_points { "points" } else { "weights" };
        let unit = format!("{of} of the player for points, {}", coach.format());
        Ok(Rated { reviews, dear, unit, in_points, reasons: Some(PointsCoach::unrated(log)) })
    }
}

fn rate_of(played: &Written, review: &Review) -> Option<Rate> {
    let piece = played.log.pieces.iter().find(|piece| piece.number == review.number)?;
    Some(Rate {
        piece: review.number,
        letter: piece.piece.letter(),
        level: piece.level,
        lines: piece.lines,
        chosen: review.chosen,
        best: review.best,
        cost: review.cost,
        position: piece.position().to_string(),
    })
}

fn dear_of(played: &Written, review: &Review, loss: Option<Loss>, spread: &[u16]) -> Option<Dear> {
    let piece = played.log.pieces.iter().find(|piece| piece.number == review.number)?;
    Some(Dear {
        piece: review.number,
        letter: piece.piece.letter(),
        cost: review.cost,
        loss,
        chosen: review.chosen,
        best: review.best,
        misdrop: misdrop_odds(piece, spread, DRAWS, u64::from(review.number)),
        position: piece.position().to_string(),
    })
}

impl Report {
    fn text(&self, played: &Written) -> String {
        let mut text = played.summary.clone();
        let hertz: Vec<f64> = self.taps.iter().map(|burst| burst.hertz).collect();
        if !hertz.is_empty() {
            let mean = hertz.iter().sum::<f64>() / hertz.len() as f64;
            let _ = writeln!(text, "taps       {mean:.1} Hz in {} bursts", hertz.len());
        }
        if let (Some(charge), Some(finesse)) = (&self.charge, &self.finesse) {
            let _ = writeln!(text, "charge     {}", charge_text(charge));
            let _ = writeln!(text, "finesse    {}", finesse_text(finesse));
        }
        let _ = writeln!(text, "holes      {}", holes_text(&self.holes));
        let _ = match self.mean_cost {
            Some(mean) => writeln!(text, "mean cost  {mean:.2} a placement, in {}", self.unit),
            None => writeln!(text, "mean cost  none: no placement was rated"),
        };
        if !self.in_points {
            let _ = writeln!(text, "           {NO_COMPARISON}");
        }
        for (why, count) in &self.not_rated {
            let _ = writeln!(text, "not rated  {count} placements: {why}");
        }
        if !self.worst.is_empty() {
            let _ = writeln!(text, "Placements that cost most. {PLACES}");
        }
        for Dear { piece, letter, cost, loss, chosen, best, position, .. } in &self.worst {
            let cost = cost_text(*cost, *loss);
            let _ = writeln!(
                text,
                "  piece {piece} {letter}: {chosen}, cost {cost}; best {best}\n    {position}"
            );
        }
        text
    }
}

/// One page without anything outside of it.
fn page(played: &Written, report: &Report, reviews: &[Review], table: &TapTable, reaction: u16) -> String {
    let mut page = Page::new(&played.title, &played.summary);
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
    if played.has_buttons() {
        page.chart("DAS counter at each spawn", &numbered(pieces.iter().map(|piece| f64::from(piece.das))));
    }
    page.chart(
        &format!("Cost of each placement, in {}", report.unit),
        &numbered(reviews.iter().map(|review| review.cost)),
    );
    if played.has_buttons() {
        page.chart("Hz of each burst of taps", &numbered(report.taps.iter().map(|burst| burst.hertz)));
    }
    let mut covered = [[0_u32; 10]; 20];
    pieces.iter().flat_map(cells).for_each(|(x, y)| covered[y][x] += 1);
    page.line("<div class=\"maps\">");
    page.heat("Cells covered by locks", &covered);
    page.line("</div>");
    let before = &report.holes.before;
    page.chart("Holes before each piece", &numbered(before.iter().map(|[count, _]| f64::from(*count))));
    page.chart("Age of the oldest hole, in pieces", &numbered(before.iter().map(|[_, age]| f64::from(*age))));
    show_holes(&mut page, &report.holes);
    if let (Some(charge), Some(finesse)) = (&report.charge, &report.finesse) {
        show_charge(&mut page, charge);
        page.line(format_args!("<h2>Finesse</h2><p>{}</p>", finesse_text(finesse)));
        tapping::show(&mut page, table, played.log.region(), reaction);
    }
    page.line("<h2>Placements that cost most</h2>");
    page.line(format_args!("<p>{PLACES}</p>"));
    page.line(format_args!("<p>Costs are in {}.</p>", report.unit));
    if !report.in_points {
        page.line(format_args!("<p>{NO_COMPARISON}</p>"));
    }
    for (why, count) in &report.not_rated {
        page.line(format_args!("<p>{count} placements are not rated: {why}</p>"));
    }
    let rows = report.worst.iter().map(|dear| {
        let Dear { piece, letter, cost, loss, chosen, best, misdrop, position } = dear;
        let odds = misdrop.map_or_else(|| "-".to_owned(), |odds| format!("{:.0} %", 100.0 * odds));
        vec![
            format!("{piece} {letter}"),
            cost_text(*cost, *loss),
            chosen.to_string(),
            best.to_string(),
            odds,
            position.clone(),
        ]
    });
    page.table(&["piece", "cost", "chosen", "best", "misdrop", "position"], rows);
    page.finish()
}

/// What is said of costs that are not in points.
const NO_COMPARISON: &str = "Figures of two evaluators do not compare; only points compare between games.";

/// How placements are written.
const PLACES: &str = "A placement is the columns that the piece fills, from 1 at the left, its lowest row, from 1 at the floor, and its rotations clockwise from how it appears.";

/// A cost in units of the evaluation, or in points with its standard error.
fn cost_text(cost: f64, loss: Option<Loss>) -> String {
    // Adding 0 leaves no minus before a rounded 0.
    let points = |Loss { points, error }| format!("{:.0} ± {error:.0} points", points.round() + 0.0);
    loss.map_or_else(|| format!("{cost:.2}"), points)
}

/// What became of the charge, in a line.
fn charge_text(charge: &Charges) -> String {
    let Charges { kept, lost, lost_by_taps, regained, missing, .. } = charge;
    format!("kept {kept} times, lost {lost} ({lost_by_taps} by taps), regained {regained}, missing {missing}")
}

/// Extra shifts and rotations, in a line.
fn finesse_text(finesse: &Finesse) -> String {
    let rate = finesse.rate().map_or_else(|| "-".to_owned(), |rate| format!("{rate:.1} %"));
    let Finesse { placements, shifts, turns, .. } = finesse;
    format!("{rate} of {placements} placements; {shifts} extra shifts and {turns} extra rotations")
}

/// What became of the charge of the auto shift.
fn show_charge(page: &mut Page, charge: &Charges) {
    let known = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
    page.line("<h2>Charge of the auto shift</h2>");
    page.line(format_args!(
        "<p>{}. Filled at a wall or the stack {} times, stopped by Down {} times; the first shift comes {} frames after the spawn in the mean.</p>",
        charge_text(charge),
        charge.filled_at_walls,
        charge.stopped_by_down,
        known(charge.first_shift)
    ));
    let cells = charge.by_piece.map(known).into_iter();
    page.table(
        &["counter at the spawn of", "T", "J", "Z", "O", "S", "L", "I"],
        std::iter::once(std::iter::once("mean".to_owned()).chain(cells).collect()),
    );
}

/// Holes by the pieces that they lasted.
pub(super) fn show_holes(page: &mut Page, holes: &Holes) {
    page.line("<h2>Holes by age</h2>");
    page.line(format_args!("<p>{}</p>", holes_text(holes)));
    let mut least = 1;
    let rows = HOLE_AGES.iter().enumerate().map(|(class, &most)| {
        let name = if most == u32::MAX { format!("{least} and more") } else { format!("{least} to {most}") };
        least = most.saturating_add(1);
        vec![name, holes.mended[class].to_string(), holes.left[class].to_string()]
    });
    page.table(&["pieces", "opened or filled again", "there in the end"], rows);
}

/// Holes in a line.
pub(super) fn holes_text(holes: &Holes) -> String {
    let mean = holes.mean_age().map_or_else(|| "-".to_owned(), |mean| format!("{mean:.1}"));
    let left: u32 = holes.left.iter().sum();
    format!(
        "{}, for {mean} pieces in the mean, {} at most; {left} there in the end",
        holes.count(),
        holes.oldest
    )
}

/// Cells of the field in which a piece locked: columns and rows.
pub(super) fn cells(piece: &practice::Played) -> impl Iterator<Item = (usize, usize)> + use<> {
    let place = piece.place.and_then(|place| tetris::Placement::try_from(place).ok());
    let cells = place.map(tetris::Placement::cells).into_iter().flatten();
    cells.filter_map(|(x, y)| {
        let cell = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (cell.0 < 10 && cell.1 < 20).then_some(cell)
    })
}
