//! The plan of the day: what is due, and what the last games advise. A line each, which opens its
//! thing.

use practice::{Advice, PastGame, seed_of_day};
use puzzle::Grade;

use super::puzzles::Ask;
use super::{Item, Row, Scene, Zone};
use crate::messages::command::PracticeCommand;
use crate::ui::canvas::thousands;
use crate::ui::games::{self, KeptGame};
use crate::ui::puzzle::day_at;
use crate::ui::theme::icon;

/// Returns the lines of the plan, under a heading that says how many days in a row the puzzle of
/// the day was answered. Each keeps its place, whether it is done or not.
pub(super) fn rows(scene: &Scene<'_>) -> Vec<Row> {
    let today = day_at(scene.now);
    let desk = &scene.puzzles.desk;
    let streak = match desk.progress.streak(today) {
        0 => String::new(),
        1 => "1 day in a row".into(),
        days => format!("{days} days in a row"),
    };
    let (daily, verb) = match desk.progress.daily(today) {
        None => ("Not answered yet", "Solve"),
        Some(Grade::Solved) => ("Solved today", "Again"),
        Some(Grade::Close) => ("Close today", "Again"),
        Some(Grade::Failed) => ("Failed today, due tomorrow", "Again"),
    };
    let due = match desk.due(today) {
        0 => "None is due: try a new one".into(),
        1 => "One is due again".into(),
        due => format!("{due} are due again"),
    };
    let line = |item, label: &str, about: &str, verb: &str, icon| {
        Row::new(item, label).with(verb).saying(about).icon(icon).in_zone(Zone::Panel)
    };
    vec![
        Row::heading("Today").saying(streak).in_zone(Zone::Panel),
        line(Item::Puzzle(Ask::Daily), "Puzzle of the day", daily, verb, icon::TROPHY),
        line(Item::Puzzle(Ask::Due), "Failed puzzles", &due, "Solve", icon::PUZZLE),
        advised(scene),
        seed(scene, today),
    ]
}

/// Returns the mode that the last results advise, with the reason.
fn advised(scene: &Scene<'_>) -> Row {
    let advice = Advice::of(games::counted(scene.games).filter_map(past));
    let mut options = scene.settings.practice_options();
    options.level = advice.level.unwrap_or(options.level);
    let begin = PracticeCommand::Begin { mode: advice.mode, options, position: None };
    Row::new(Item::Practice(begin), advice.to_string())
        .with("Begin")
        .saying(advice.reason.to_string())
        .icon(icon::PRACTISE)
        .in_zone(Zone::Panel)
}

/// Returns what a plan looks at of a kept game.
fn past(game: &KeptGame) -> Option<PastGame<'_>> {
    Some(PastGame {
        mode: game.mode.parse().ok()?,
        score: game.score,
        lines: game.lines.as_ref().and_then(|lines| lines.parse().ok()),
        tetris_rate: game.tetris_rate.as_ref().and_then(|rate| rate.parse().ok()),
        taps: &game.taps,
    })
}

/// Returns the pieces that everybody gets on a day, with the best score that was made of them.
fn seed(scene: &Scene<'_>, today: u32) -> Row {
    let mode = seed_of_day(today);
    let name = mode.to_string();
    let of_today = games::counted(scene.games).take_while(|game| day_at(game.begun) >= today);
    let scores: Vec<_> = of_today.filter(|game| game.mode == name).map(|game| game.score).collect();
    let (best, verb) = match scores.iter().max() {
        None => ("Not played yet".into(), "Play"),
        Some(None) => ("Played today".into(), "Again"),
        Some(Some(score)) => (format!("Best today {}", thousands((*score).into())), "Again"),
    };
    let options = scene.settings.practice_options();
    let begin = PracticeCommand::Begin { mode, options, position: None };
    Row::new(Item::Practice(begin), format!("Seed of the day: {:06X}", mode.value()))
        .with(verb)
        .saying(best)
        .icon(icon::CALENDAR)
        .in_zone(Zone::Panel)
}
