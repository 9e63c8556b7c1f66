//! `maxout ai analyse`: what each placement of a game lost, in points.

use std::fmt::Write as _;
use std::path::PathBuf;

use ::value::{Format, Reviewer};
use practice::{Played, PointsCoach, Unrated};
use serde::Serialize;
use tetris::{Feature, Placement, Playfield};

use super::AiError;
use super::value::MindOptions;
use cli::error::Error;
use cli::game::Choice;
use cli::interrupt::Interrupt;
use cli::{output, written};

/// Rate every placement of a game against the best one: the points lost, and the odds of reaching
/// levels 29 and 39.
///
/// The best placement is the best one within reach of your taps, with the next piece known after
/// the reaction time. Points and odds are those of the networks (docs/points.md): those of --net,
/// of the setting tetris.nets, of a folder beside the program, or the built-in ones. With --weights
/// losses are in units of the weights, which compare with no others, and there are no odds. A game
/// from any level is rated as one from level 18 that is as far from the next speed; levels below 18
/// are rated as level 18. Placements that cannot be rated, as those on PAL, are counted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout ai analyse game.fm2
  maxout ai analyse game.fm2 --net l18.net --net l19.net --net l29.net
  maxout ai analyse games/GAME.mxgame --format bt-12hz-18f-cartridge --json
  maxout ai analyse game.fm2 tetris.nes --worst 20")]
pub(crate) struct Arguments {
    /// A movie (.fm2), a game that `maxout practice` or the window kept (.mxgame), a recording of
    /// NestrisChamps (.ngf, .ngf.gz), or one line a placement (.csv, .jsonl).
    file: PathBuf,
    #[command(flatten)]
    cartridge: Choice,
    /// Your taps and reaction, as `maxout ai value play` has them.
    #[arg(long, value_name = "FORMAT", default_value = "bt-30hz-18f-cartridge")]
    format: Format,
    #[command(flatten)]
    mind: MindOptions,
    /// Number of placements to list, costliest first.
    #[arg(long, value_name = "N", default_value_t = 10)]
    worst: usize,
    /// Print one JSON object, with every placement.
    #[arg(long)]
    json: bool,
}

/// The unit of nets.
const POINTS: &str = "points";

#[derive(Serialize)]
struct Analysis {
    player: String,
    format: String,
    /// Of losses and values: `points`, or `weights` if those were asked for.
    unit: &'static str,
    score: u32,
    lines: u32,
    loss: f64,
    mean_loss: f64,
    /// Number of placements that are not rated, by the reason.
    not_rated: Vec<(Unrated, usize)>,
    placements: Vec<Rated>,
}

/// A placement, places as column and row of the pivot and orientation.
#[derive(Clone, Serialize)]
struct Rated {
    piece: u32,
    letter: char,
    level: u8,
    lines: u32,
    chosen: Placement,
    best: Placement,
    loss: f32,
    value: f32,
    /// Can the format's taps bring the piece where it went?
    reachable: bool,
    #[serde(flatten)]
    odds: Option<Prospects>,
    /// To try again with `maxout practice --position`.
    position: String,
}

/// The odds to come to levels 29 and 39 after a placement, and after the best.
#[derive(Clone, Copy, Serialize)]
struct Prospects {
    odds_29: f32,
    odds_39: f32,
    best_odds_29: f32,
    best_odds_39: f32,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let known = arguments.cartridge.known(Feature::Games)?;
    let (mind, player) = arguments.mind.thorough(&arguments.format)?;
    let unit = if matches!(mind, ::value::Mind::Nets(_)) { POINTS } else { "weights" };
    let interrupt = Interrupt::listen();
    let written = written::read(&arguments.file, &[known], &interrupt)?;
    let log = &written.log;
    let mut reviewer = Reviewer::new(&arguments.format, mind);
    let mut placements = Vec::new();
    for played in &log.pieces {
        interrupt.check()?;
        placements.extend(review(&mut reviewer, played));
    }
    let not_rated = PointsCoach::unrated(log);
    if placements.is_empty() {
        let reasons: Vec<String> =
            not_rated.iter().map(|(why, count)| format!("; {count} are not rated: {why}")).collect();
        let reasons = reasons.concat();
        return Err(AiError::NoPlacements { path: arguments.file.clone(), reasons }.into());
    }
    let loss: f64 = placements.iter().map(|placement| f64::from(placement.loss)).sum();
    let analysis = Analysis {
        player,
        format: arguments.format.to_string(),
        unit,
        score: log.last.2,
        lines: log.last.1,
        loss,
        mean_loss: loss / placements.len() as f64,
        not_rated,
        placements,
    };
    output::print(&analysis, arguments.json, |out| out.write_all(analysis.text(arguments.worst).as_bytes()))
}

/// None for a piece that did not lock, or has no rating.
fn review(reviewer: &mut Reviewer, played: &Played) -> Option<Rated> {
    let placement = Placement::try_from(played.place?).ok()?;
    let Placement { x, y, orientation } = placement;
    let lines = PointsCoach::pace(played).ok()?.lines;
    let board = Playfield::from_rows(&played.rows);
    let review = reviewer.review(&board, lines, played.piece, played.next, Placement { orientation, x, y });
    let Placement { orientation, x, y } = review.best;
    let odds = review.odds.zip(review.best_odds).map(|(odds, best)| Prospects {
        odds_29: odds[1],
        odds_39: odds[2],
        best_odds_29: best[1],
        best_odds_39: best[2],
    });
    Some(Rated {
        piece: played.number,
        letter: played.piece.letter(),
        level: played.level,
        lines: played.lines,
        chosen: placement,
        best: Placement { x, y, orientation },
        loss: review.loss(),
        value: review.value,
        reachable: review.reachable,
        odds,
        position: played.position().to_string(),
    })
}

impl Analysis {
    fn text(&self, worst: usize) -> String {
        let Self { player, format, unit, score, lines, loss, mean_loss, not_rated, placements } = self;
        let mut text = format!(
            "{player}, {format}\n{} placements, {lines} lines, {score} points\nloss       {loss:.0} {unit}, {mean_loss:.1} a placement\n",
            placements.len()
        );
        if *unit != POINTS {
            text.push_str(
                "           figures of two evaluators do not compare; only points do between games\n",
            );
        }
        for (why, count) in not_rated {
            let _ = writeln!(text, "not rated  {count} placements: {why}");
        }
        if let Some(odds) = placements.last().and_then(|placement| placement.odds) {
            let _ = writeln!(
                text,
                "at the end {:.1} % to come to level 29, {:.1} % to 39",
                100.0 * odds.odds_29,
                100.0 * odds.odds_39
            );
        }
        let mut dear: Vec<&Rated> = placements.iter().filter(|placement| placement.loss > 0.0).collect();
        dear.sort_by(|one, other| other.loss.total_cmp(&one.loss).then(one.piece.cmp(&other.piece)));
        for placement in dear.into_iter().take(worst) {
            let Rated { piece, letter, level, lines, chosen, best, loss, odds, position, .. } = placement;
            let odds = odds.map_or_else(String::new, |odds| {
                let percent = |share: f32| 100.0 * share;
                format!(
                    "; to 29 {:.1} % of {:.1}, to 39 {:.1} % of {:.1}",
                    percent(odds.odds_29),
                    percent(odds.best_odds_29),
                    percent(odds.odds_39),
                    percent(odds.best_odds_39)
                )
            });
            let _ = writeln!(
                text,
                "  piece {piece} {letter}, level {level}, {lines} lines: {loss:.0} {unit}; {chosen}; best {best}{odds}\n    {position}"
            );
        }
        text
    }
}
