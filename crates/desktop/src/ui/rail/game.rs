//! The cards of a game: pace, figures, stack, drought, odds, taps.

use egui::Color32;
use nes_debug::{Crash, CrashCause};
use practice::{Item, Slot, Tone, Trainer};
use tetris::Piece;
use tetris::scoring::DROUGHT;

use super::Line;
use super::card::{Bar, Block, Card};
use crate::config::practice::PracticeSettings;
use crate::messages::status::{GameStatus, PracticeStatus, Status};
use crate::ui::canvas::{signed, thousands};
use crate::ui::theme::Colours;

/// Efficiency at which every line is by a tetris, in points a line.
const MOST_EFFICIENCY: f64 = 300.0;

/// The counter of the auto shift at which it shifts at once, and from which it is of use.
const DAS_FULL: u8 = 15;
const DAS_OF_USE: u8 = 10;

/// A stack of that height leaves little room.
const HIGH: u32 = 12;

/// Returns the cards of the left rail.
pub(crate) fn left(status: &Status, wanted: &PracticeSettings, colours: &Colours) -> Vec<Card> {
    let practice = status.practice.as_ref().filter(|_| wanted.panel);
    let mut cards: Vec<Card> =
        practice.and_then(|practice| mode(practice, status.game.as_deref(), colours)).into_iter().collect();
    let Some(game) = &status.game else { return cards };
    if wanted.figures {
        cards.extend([tetris_rate(game, colours), clears(game, colours)]);
    }
    cards.extend(wanted.stack.then(|| stack(game, colours)));
    cards.extend(wanted.finesse.then(|| finesse(&game.trainer, colours)));
    cards
}

/// Returns the cards of the right rail.
pub(crate) fn right(
    status: &Status,
    wanted: &PracticeSettings,
    colours: &Colours,
    has_pads: bool,
) -> Vec<Card> {
    let mut cards = vec![];
    if let Some(game) = &status.game {
        if wanted.stack {
            cards.push(drought(game, colours));
            cards.extend(odds(game, colours));
        }
        cards.extend(wanted.das.then(|| das(game, colours)));
        cards.extend(wanted.taps.then(|| taps(game, colours)));
    }
    if !has_pads {
        return cards;
    }
    let second = !status.buttons[1].is_empty() || status.pads.iter().any(|pad| pad.player == Some(1));
    let ports = if second { 2 } else { 1 };
    let pads = status.buttons[..ports].iter().map(|&buttons| Block::Pad(buttons));
    cards.push(pads.fold(Card::new("", ""), Card::with));
    cards
}

/// Returns how the mode stands, in one line.
pub(crate) fn line(status: &Status) -> String {
    let Some(practice) = &status.practice else { return String::new() };
    let texts = practice.items.iter().filter_map(|item| match item {
        Item::Text { slot: Slot::Pace, text, .. } => Some(format!("pace {text}")),
        Item::Text { slot: Slot::Count, text, .. } => Some(format!("hits {text}")),
        Item::Text { slot: Slot::Taps, text, .. } => Some(format!("taps needed {text}")),
        Item::Text { slot: Slot::Score, text, .. } => Some(format!("score {text}")),
        Item::Text { slot: Slot::Notice, text, .. } => Some(text.clone()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(" · ")
}

/// The texts of the mode: its pace, its count, what its taps need.
fn mode(practice: &PracticeStatus, game: Option<&GameStatus>, colours: &Colours) -> Option<Card> {
    let mut lines = vec![];
    let mut figure = None;
    for item in &practice.items {
        let Item::Text { slot, text, tone } = item else { continue };
        let colour = match tone {
            Tone::Plain => colours.text,
            Tone::Good => colours.best,
            Tone::Bad => colours.blunder,
        };
        let name = match slot {
            Slot::Pace => {
                let number = text.parse::<i64>().map_or_else(|_| text.clone(), signed);
                figure = Some(Block::Figure { figure: number, unit: "", colour, beside: Default::default() });
                continue;
            }
            Slot::Count => "Hits",
            Slot::Taps => "Taps needed",
            Slot::Score => "Score",
            Slot::Notice => "",
        };
        lines.push(Line { name: name.into(), value: text.clone(), colour });
    }
    if practice.tries > 1 {
        lines.push(Line { name: "Attempt".into(), value: practice.tries.to_string(), colour: colours.text });
    }
    if figure.is_none() && lines.is_empty() {
        return None;
    }
    let title = if figure.is_some() { "Pace" } else { practice.mode.kind().title() };
    let value = practice.mode.to_string();
    let value = value.split_once('=').map_or(String::new(), |(_, value)| value.to_owned());
    let mut card = Card::new(title, value);
    if figure.is_some()
        && let Some(pace) = game.map(|game| &game.pace).filter(|pace| pace.len() > 1)
    {
        card.blocks.extend(figure);
        let colour = if pace.last() < Some(&0) { colours.blunder } else { colours.best };
        card.blocks.push(Block::Chart(pace.iter().map(|&points| points as f32).collect(), colour));
    } else {
        card.blocks.extend(figure);
    }
    card.blocks.extend((!lines.is_empty()).then_some(Block::Lines(lines)));
    Some(card)
}

/// Tens of lines whose efficiency is shown.
const TENS: usize = 13;

fn tetris_rate(game: &GameStatus, colours: &Colours) -> Card {
    let figures = &game.figures;
    let efficiency = figures.efficiency.map_or_else(|| "–".into(), |points| format!("{points:.0}"));
    let since = if figures.clears[3] > 0 { "since the last tetris" } else { "no tetris yet" };
    let burn = match figures.burn {
        0 => ["no line burnt".into(), "since the tetris".into()],
        1 => ["1 line burnt".into(), since.into()],
        burn => [format!("{burn} lines burnt"), since.into()],
    };
    let card = Card::new("Tetris rate", format!("efficiency {efficiency}")).with(Block::Figure {
        figure: figures.tetris_rate.map_or_else(|| "–".into(), |rate| format!("{rate:.0}")),
        unit: if figures.tetris_rate.is_some() { "%" } else { "" },
        colour: colours.text,
        beside: if figures.lines > 0 { burn } else { ["no line yet".into(), String::new()] },
    });
    if figures.efficiency_by_ten.is_empty() {
        return card;
    }
    let tens = &figures.efficiency_by_ten;
    let tens = &tens[tens.len().saturating_sub(TENS)..];
    let colour = |points: f64| match points {
        250.0.. => colours.best,
        150.0.. => colours.info,
        _ => colours.mistake,
    };
    let columns = tens.iter().map(|&points| ((points / MOST_EFFICIENCY) as f32, colour(points)));
    let mut columns: Vec<_> = columns.collect();
    columns.resize(TENS, (0.0, colours.well));
    card.with(Block::Words("Points per line, by ten lines".into(), colours.soft))
        .with(Block::Columns(columns))
}

fn clears(game: &GameStatus, colours: &Colours) -> Card {
    let clears = game.figures.clears;
    let most = clears.iter().copied().max().unwrap_or(0).max(1);
    let names = ["Single", "Double", "Triple", "Tetris"];
    let bars = names.into_iter().zip(clears).map(|(name, count)| Bar {
        name: name.into(),
        piece: None,
        share: count as f32 / most as f32,
        value: count.to_string(),
        colour: if name == "Tetris" { colours.best } else { colours.faint },
    });
    Card::new("Clears", lines_of(game.figures.lines)).with(Block::Bars(bars.collect()))
}

fn lines_of(lines: u32) -> String {
    if lines == 1 { "1 line".into() } else { format!("{lines} lines") }
}

fn stack(game: &GameStatus, colours: &Colours) -> Card {
    let stack = &game.stack;
    let line = |name: &str, value: String, colour| Line { name: name.into(), value, colour };
    let well = match stack.covered {
        Some(row) => line("Well", format!("covered at row {row}"), colours.blunder),
        None => line("Well", format!("column {}", stack.well + 1), colours.text),
    };
    let high = if stack.height >= HIGH { colours.mistake } else { colours.text };
    let lines = vec![
        line("Height", stack.height.to_string(), high),
        line("Rows ready", stack.ready.to_string(), colours.text),
        well,
        line("Holes", stack.holes.to_string(), if stack.holes > 0 { colours.slip } else { colours.text }),
    ];
    Card::new("Stack", "").with(Block::Lines(lines))
}

fn drought(game: &GameStatus, colours: &Colours) -> Card {
    let figures = &game.figures;
    let is_on = figures.drought >= DROUGHT;
    let colour = if is_on { colours.blunder } else { colours.text };
    let share = figures.drought as f32 / figures.longest_drought.max(2 * DROUGHT) as f32;
    let pieces = if figures.drought == 1 { "piece without an I," } else { "pieces without an I," };
    let mut card = Card::new("Drought", format!("longest {}", figures.longest_drought)).with(Block::Figure {
        figure: figures.drought.to_string(),
        unit: "",
        colour,
        beside: [pieces.into(), format!("a drought from {DROUGHT} on")],
    });
    card.edge = is_on.then_some(colours.blunder);
    card.with(Block::Share(share, if is_on { colours.blunder } else { colours.faint }))
}

fn odds(game: &GameStatus, colours: &Colours) -> Option<Card> {
    let (odds, of_an_i) = game.odds?;
    let mut order: Vec<(Piece, f64)> = Piece::ALL.into_iter().zip(odds).collect();
    order.sort_by(|one, other| other.1.total_cmp(&one.1));
    let bars = order.into_iter().map(|(piece, share)| Bar {
        name: String::new(),
        piece: Some(piece),
        share: (share / 0.25) as f32,
        value: format!("{:.1} %", 100.0 * share),
        colour: if piece == Piece::I { colours.accent } else { colours.faint },
    });
    let note = format!("an I within five: {:.0} %", 100.0 * of_an_i);
    Some(Card::new(format!("After the {}", game.pieces[1].letter()), note).with(Block::Bars(bars.collect())))
}

fn das(game: &GameStatus, colours: &Colours) -> Card {
    let colour = |das: u8| match das {
        DAS_FULL.. => colours.best,
        DAS_OF_USE.. => colours.slip,
        _ => colours.blunder,
    };
    let note = game.charge.map_or_else(String::new, |(das, why)| format!("{das}, {}", why.text()));
    let spawns: Vec<_> =
        game.das_at_spawns.iter().map(|&das| (f32::from(das.max(1)) / 16.0, colour(das))).collect();
    let lost = game.das_at_spawns.iter().filter(|das| **das < DAS_OF_USE).count();
    let words = format!("at each spawn · {lost} of {} below {DAS_OF_USE}", game.das_at_spawns.len());
    Card::new("DAS", note)
        .with(Block::Counter(game.das.min(16), colour(game.das)))
        .with(Block::Columns(spawns))
        .with(Block::Words(words, colours.soft))
}

fn taps(game: &GameStatus, colours: &Colours) -> Card {
    let Some((taps, needed)) = &game.taps else {
        return Card::new("Taps", "two or more to one side")
            .with(Block::Words("none yet".into(), colours.soft));
    };
    let side = if taps.side < 0 { "left" } else { "right" };
    let needed_text = needed.map_or_else(String::new, |needed| format!("{needed:.1} needed"));
    let enough = needed.is_none_or(|needed| taps.hertz >= needed);
    let mut frames = vec![0];
    frames.extend(taps.intervals.iter().scan(0, |at, frames| {
        *at += frames;
        Some(*at)
    }));
    Card::new("Taps", format!("{side} × {}", taps.intervals.len() + 1))
        .with(Block::Figure {
            figure: format!("{:.1}", taps.hertz),
            unit: "Hz",
            colour: if enough { colours.text } else { colours.mistake },
            beside: [needed_text, String::new()],
        })
        .with(Block::Taps(frames))
        .with(Block::Words("last bursts and the speed needed".into(), colours.soft))
        .with(Block::Columns(burst_columns(&game.trainer, colours)))
}

/// Taps a second at which a column is full.
const MOST_HERTZ: f64 = 30.0;

/// Returns a column for each of the last bursts: its taps a second, in the colour of whether they
/// were enough.
pub(crate) fn burst_columns(trainer: &Trainer, colours: &Colours) -> Vec<(f32, Color32)> {
    let column = |burst: &practice::Burst| {
        let colour = if burst.is_enough() { colours.best } else { colours.mistake };
        ((burst.taps.hertz / MOST_HERTZ).min(1.0) as f32, colour)
    };
    let mut columns: Vec<_> = trainer.bursts.iter().map(column).collect();
    columns.resize(Trainer::LAST, (0.0, colours.well));
    columns
}

/// Extra shifts and rotations at which a column is full.
const MOST_TOO_MANY: f32 = 6.0;

/// Returns a column for each of the last placements: how many shifts and turns were too many.
pub(crate) fn finesse_columns(trainer: &Trainer, colours: &Colours) -> Vec<(f32, Color32)> {
    let column = |[shifts, turns]: &[u32; 2]| {
        let count = (shifts + turns) as f32;
        let share = (count.min(MOST_TOO_MANY) + 0.5) / (MOST_TOO_MANY + 0.5);
        let colour = if count == 0.0 { colours.best } else { colours.mistake };
        (share, colour)
    };
    let mut columns: Vec<_> = trainer.too_many.iter().map(column).collect();
    columns.resize(Trainer::LAST, (0.0, colours.well));
    columns
}

fn finesse(trainer: &Trainer, colours: &Colours) -> Card {
    let finesse = &trainer.finesse;
    let card = Card::new("Finesse", "extra shifts and rotations");
    let Some(rate) = finesse.rate() else {
        return card.with(Block::Words("no placement yet".into(), colours.soft));
    };
    let beside = [format!("{} extra shifts", finesse.shifts), format!("{} extra rotations", finesse.turns)];
    card.with(Block::Figure { figure: format!("{rate:.0}"), unit: "%", colour: colours.text, beside })
        .with(Block::Columns(finesse_columns(trainer, colours)))
}

/// Returns the cards below two pictures: both sides with their wins, and who leads.
pub(crate) fn versus(status: &Status, colours: &Colours) -> Option<[Card; 2]> {
    let versus = status.versus?;
    let players = status.players.clone().unwrap_or_default();
    let other = if status.network.is_some() { "The other player" } else { "Computer" };
    let side = |usual: &str, at: usize, colour| {
        let line = |name: &str, value: String, colour| Line { name: name.into(), value, colour };
        let name = if players.names[at].is_empty() { usual } else { &players.names[at] };
        let lead = |of: [u32; 2]| i64::from(of[at]) - i64::from(of[1 - at]);
        let leads = |lead: i64| if lead > 0 { colours.best } else { colours.text };
        let (lines, points) = (lead(versus.lines), lead(versus.scores));
        let wins = match players.best_of {
            Some(1) | None => players.wins[at].to_string(),
            Some(best_of) => format!("{}, best of {best_of}", players.wins[at]),
        };
        let all = (versus.lines[0] + versus.lines[1]).max(1);
        Card::new(name, "").with(Block::Share(versus.lines[at] as f32 / all as f32, colour)).with(
            Block::Lines(vec![
                line("Games won", wins, colour),
                line("Score", thousands(versus.scores[at].into()), colour),
                line("Lead in points", signed(points), leads(points)),
                line("Lines", versus.lines[at].to_string(), colour),
                line("Lead in lines", signed(lines), leads(lines)),
                line("Rows sent", versus.sent[at].to_string(), colour),
            ]),
        )
    };
    Some([side("You", 0, colours.info), side(other, 1, colours.computer)])
}

/// Returns the card of a crash: what has happened, where, and what can be done.
pub(crate) fn crash(crash: &Crash, way_back: bool, colours: &Colours) -> Card {
    let Crash { frame, level, pc, cause, jump } = crash;
    let mut words = vec![format!("Frame {frame}, level {level}, PC ${pc:04X}"), cause.to_string()];
    words.extend(jump.filter(|_| !matches!(cause, CrashCause::Jump(_))).map(|jump| jump.to_string()));
    words.push(if way_back { "B: back to two seconds before" } else { "Rewind does not reach back" }.into());
    let mut card = Card::new("The game has crashed", "");
    card.edge = Some(colours.blunder);
    words.into_iter().fold(card, |card, words| card.with(Block::Words(words, colours.text)))
}
