//! The cards of a computer that plays for points: what it weighs and what it expects.

use autopilot::{Thought, Unit};
use egui::Color32;
use tetris::Piece;

use super::Line;
use super::card::{Bar, Block, Card, RankedPlacement};
use crate::config::settings::{MISDROPS, TetrisSettings};
use crate::ui::candidates::{name_of, value};
use crate::ui::theme::Colours;

/// Returns the colour of a place by its rank, counted from 0.
pub(crate) fn colour_of(colours: &Colours, rank: usize) -> Color32 {
    match rank {
        0 => colours.best,
        1 => colours.slip,
        2 => colours.mistake,
        _ => colours.soft,
    }
}

/// Returns the cards with the computer's evaluation of its current piece.
pub(crate) fn cards(
    thought: &Thought,
    next: Option<Piece>,
    settings: &TetrisSettings,
    colours: &Colours,
) -> Vec<Card> {
    let mut cards = vec![places(thought, colours)];
    cards.extend(odds(thought, colours));
    cards.push(plan(thought, next));
    cards.push(hands(settings, colours));
    cards
}

fn places(thought: &Thought, colours: &Colours) -> Card {
    let best = thought.candidates.first().map_or(0.0, |best| best.value);
    let worst = thought.candidates.iter().map(|place| best - place.value).fold(1e-6, f32::max);
    let places = thought.candidates.iter().enumerate().map(|(rank, candidate)| RankedPlacement {
        name: name_of(candidate.place),
        value: value(thought, candidate),
        share: 0.05 + 0.95 * (best - candidate.value) / worst,
        colour: colour_of(colours, rank),
    });
    let note = match thought.unit {
        Unit::Weights => "weighted sum".to_owned(),
        Unit::Points => "expected points".into(),
        Unit::PointsOfLevel(level) => format!("points as at level {level}"),
    };
    let mut card = Card::new("Placement", note).with(Block::Places(places.collect()));
    card.piece = Some(thought.piece);
    if thought.misdrop {
        card = card.with(Block::Words("Misdrop".into(), colours.blunder));
    }
    card
}

/// The odds of the levels that have not come, where they are known.
fn odds(thought: &Thought, colours: &Colours) -> Option<Card> {
    let odds = thought.outlook?.odds?;
    let bars: Vec<Bar> = [19, 29, 39]
        .into_iter()
        .zip(odds)
        .filter(|(_, odds)| *odds < 1.0)
        .map(|(level, odds)| Bar {
            name: format!("level {level}"),
            piece: None,
            share: odds,
            value: format!("{:.1} %", 100.0 * odds),
            colour: colours.best,
        })
        .collect();
    (!bars.is_empty()).then(|| Card::new("Odds of reaching", "").with(Block::Bars(bars)))
}

fn plan(thought: &Thought, next: Option<Piece>) -> Card {
    let ranks = Piece::ALL.map(|piece| {
        let place = thought.plan[piece as usize];
        let rank = thought.candidates.iter().position(|candidate| candidate.place == place);
        (rank.map_or(thought.candidates.len() + 1, |rank| rank + 1), next == Some(piece))
    });
    let note = if thought.waits { "waits for it" } else { "" };
    Card::new("By the next piece", note).with(Block::Plan(ranks))
}

fn hands(settings: &TetrisSettings, colours: &Colours) -> Card {
    let line = |name: &str, value: String| Line { name: name.into(), value, colour: colours.text };
    let misdrops = MISDROPS.iter().position(|table| *table == settings.computer_misdrops);
    let misdrops = misdrops.map_or("its own", |at| ["none", "few", "some", "many"][at.min(3)]);
    Card::new("Computer", "plays for points").with(Block::Lines(vec![
        line("Taps", format!("{} Hz", settings.computer_taps)),
        line("Reaction", format!("{} frames", settings.computer_reaction)),
        line("Misdrops", misdrops.into()),
        line("Waits for tetrises", format!("{} %", settings.computer_aggression)),
    ]))
}
