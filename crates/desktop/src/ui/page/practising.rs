//! The lines of the pages for practice.

use practice::{Kind, Options};
use review::Class;

use super::rows::setting_rows;
use super::sections::{game_name, game_row};
use super::{Item, Row, Scene, Zone};
use crate::config::table::Setting;
use crate::messages::command::PracticeCommand;
use crate::ui::canvas::thousands;
use crate::ui::editor::{EditorAction, Part};
use crate::ui::field::Field;
use crate::ui::games::{Act, Part as ShelfPart};
use crate::ui::shortcut::Shortcut;
use crate::ui::theme::icon;

/// Returns all modes in their groups, and what can be done in the one that is on. Each row keeps
/// its place.
pub(super) fn rows(scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = vec![];
    for group in practice::GROUPS {
        rows.push(Row::heading(group.name).saying(group.about));
        rows.extend(group.modes.iter().map(|&(kind, ..)| {
            let mode = scene.settings.practice.mode(kind).to_string();
            let value = mode.split_once('=').map_or("", |(_, value)| value).to_owned();
            let help = match kind.value() {
                "" => kind.about().to_owned(),
                value if kind == Kind::Seed => format!("{} · {value} · R or Select: random", kind.about()),
                value => format!("{} · {value}", kind.about()),
            };
            Row::new(Item::Practise(kind), kind.title()).with(value).saying(help)
        }));
    }
    let panel = setting_rows(&[Setting::StartLevel, Setting::Randomizer], scene);
    rows.extend(panel.into_iter().map(|row| row.in_zone(Zone::Panel)));
    rows.extend(acts(scene).map(|row| row.in_zone(Zone::Panel)));
    rows
}

/// Returns what can be done in a practice game.
fn acts(scene: &Scene<'_>) -> [Row; 4] {
    let status = scene.status.practice.as_ref();
    let act = |is_possible: bool, command, label: &str, shortcut: Shortcut| {
        let item = if is_possible { Ok(Item::Practice(command)) } else { Err("in practice") };
        let row = Row::if_possible(item, label);
        if is_possible { row.key(shortcut) } else { row }
    };
    let play_on = if status.is_some_and(|status| status.replay.is_some()) {
        Row::new(Item::Practice(PracticeCommand::TakeOver), "Play on from here").key(Shortcut::TakeOver)
    } else {
        Row::if_possible(Err("in a kept game"), "Play on from here")
    };
    let is_on = status.is_some();
    let end = match status {
        Some(_) => Row::new(Item::Practice(PracticeCommand::End), "End practice"),
        None => Row::if_possible(Err("in practice"), "End practice"),
    };
    let other = PracticeCommand::Undo { other_luck: true };
    [
        play_on,
        act(is_on, other, "Take back, other pieces", Shortcut::OtherPieces),
        act(is_on, PracticeCommand::Mark, "Mark this position", Shortcut::MarkPosition),
        end,
    ]
}

/// Returns what can be changed of a position, beside its field.
pub(super) fn editor(scene: &Scene<'_>) -> Vec<Row> {
    let act = |action, label| Row::new(Item::Editor(action), label);
    let mut rows = vec![act(EditorAction::Begin, "Begin a game from here").saying("E tries it again")];
    rows.extend(Part::ALL.map(|part| {
        Row::new(Item::Part(part), part.label()).with(scene.editor.value(part)).saying(part.help())
    }));
    rows.extend([
        act(EditorAction::Clear, "Clear field"),
        act(EditorAction::Copy, "Copy the position as a line of text").with("Ctrl+C"),
        act(EditorAction::Paste, "Paste a line of text").with("Ctrl+V"),
    ]);
    rows
}

/// Returns what a review is told, and what it found: a line for each placement.
pub(super) fn coach(scene: &Scene<'_>) -> Vec<Row> {
    let status = scene.status;
    let practice = &scene.settings.practice;
    let (hertz, reaction) = (practice.hertz, practice.reaction);
    let review = Item::Practice(PracticeCommand::Review { hertz, reaction });
    let row = match &status.review {
        Some(review) if !review.is_done && review.total == 0 => Row::new(Item::Text, "Reading …"),
        Some(review) if !review.is_done => {
            let text = format!("Reviewing {} of {} …", review.reviews.len(), review.total);
            Row::new(Item::Text, text)
        }
        _ if status.can_review => Row::new(review, "Review this game"),
        // A file's or a kept game is reviewed, and none is played.
        Some(review) if !review.file.is_empty() => Row::new(Item::Text, &review.file),
        Some(review) if review.total > 0 => Row::new(Item::Text, "An earlier game"),
        _ => Row::new(Item::Text, "Play a game, or replay a kept one, to review it"),
    };
    let about = "each placement compared with the best that your hands can reach, in expected points";
    let mut rows = vec![row.saying(about).icon(icon::SEARCH).in_zone(Zone::Panel)];
    let hands = setting_rows(&[Setting::CoachHertz, Setting::CoachReaction], scene);
    rows.extend(hands.into_iter().map(|row| row.in_zone(Zone::Panel)));
    let Some(review) = &status.review else { return rows };
    if !review.file.is_empty() && rows[0].label != review.file {
        rows.push(Row::new(Item::Text, &review.file).in_zone(Zone::Panel));
    }
    let mistakes = review.reviews.iter().filter(|reviewed| reviewed.class >= Class::Mistake).count();
    if review.is_done && mistakes > 0 {
        let about = "each mistake and blunder again: find the better placement";
        let learn = Row::new(Item::Learn, "Learn from your mistakes").with(mistakes.to_string());
        rows.insert(1, learn.saying(about).icon(icon::PUZZLE).in_zone(Zone::Panel));
    }
    rows.extend(review.notes.iter().map(|note| Row::new(Item::Text, note).in_zone(Zone::Panel)));
    let (mode, options) = status.practice.as_ref().map_or_else(
        || (Kind::Tetris.usual(), scene.settings.practice_options()),
        |game| (game.mode, game.options),
    );
    rows.extend(review.reviews.iter().map(|reviewed| {
        let position = review.positions.iter().find(|(number, _)| *number == reviewed.number);
        let position = position.map(|(_, position)| position.clone());
        let label = format!("{} {}", reviewed.number, reviewed.piece);
        let value = match reviewed.class {
            Class::Best => "best".into(),
            class => format!("{} {class}", thousands(-(reviewed.loss.round() as i64))),
        };
        let item = match position {
            Some(position) => {
                Item::Practice(PracticeCommand::Begin { mode, options, position: Some(position) })
            }
            None => Item::Unavailable,
        };
        Row::new(item, label).with(value).saying("Enter: try this position again; E: once more")
    }));
    rows
}

/// Returns the name of an option as menus write it.
fn option_label(name: &'static str) -> &'static str {
    match name {
        "wait" => "Frames in the level menu",
        "score" => "Score display",
        "crash" => "Crash",
        "strict" => "Strict about crashes",
        "cap" => "Line cap",
        "cap-effect" => "Effect of the line cap",
        "das-only" => "DAS only",
        "goofy" => "Goofy foot",
        "no-pause" => "No pause",
        "no-flash" => "No flash",
        "no-next" => "No next piece",
        "pal" => "PAL timing",
        "qual" => "Qualifier",
        "all-pieces" => "Tap quantity with all pieces",
        other => other,
    }
}

pub(super) fn options(scene: &Scene<'_>) -> Vec<Row> {
    let options = scene.settings.practice.options();
    let shared = [Setting::StartLevel, Setting::Randomizer, Setting::Seed];
    let rows = Options::NAMES.iter().filter(|(name, _)| *name != "level").map(|&(name, takes)| {
        let help = takes.strip_prefix("on or off: ").unwrap_or(takes);
        Row::new(Item::PracticeOption(name), option_label(name)).with(options.value(name)).saying(help)
    });
    let shared_too = setting_rows(&[Setting::KeepGames], scene);
    let shared = setting_rows(&shared, scene);
    shared.into_iter().chain(rows).chain(shared_too).collect()
}

/// Returns the games of the table, what it shows, and what can be done with those selected.
pub(super) fn games(scene: &Scene<'_>) -> Vec<Row> {
    let Scene { games, shelf, .. } = *scene;
    if games.is_empty() && shelf.deleted() == 0 {
        return vec![Row::new(Item::Text, "No games yet: play one")];
    }
    let best = crate::ui::games::best(games);
    // In the window they are told of as they are drawn.
    let row = |at: usize| {
        if scene.sidebar { game_name(&games[at]) } else { game_row(&games[at], best, scene.now) }
    };
    let mut rows: Vec<Row> = shelf.shown(games).into_iter().map(row).collect();
    let part = |part, label: &str, help: &str| {
        Row::new(Item::Shelf(part), label).with(shelf.value(part)).saying(help)
    };
    let act = |act, label: String, icon| Row::new(Item::Games(act), label).icon(icon);
    let chips = [
        part(ShelfPart::Filter, "Show", "type a mode or a date to see only those"),
        part(ShelfPart::Order, "Sort by", "the next figure"),
        act(Act::Reverse, if shelf.rises { "Least first" } else { "Most first" }.into(), icon::SORT),
        part(ShelfPart::Figure, "Chart", "of all counted games, or of the selected ones"),
    ];
    rows.extend(chips.map(|row| row.in_zone(Zone::Panel)));
    rows.push(Row::field(Field::Games, scene).icon(icon::SEARCH).in_zone(Zone::Panel));
    let games = |count: usize| format!("{count} game{}", if count == 1 { "" } else { "s" });
    if shelf.count() > 0 {
        let count = games(shelf.count());
        let acts = [
            act(Act::Export, format!("Export {count} as CSV"), icon::EXPORT),
            act(Act::Delete, format!("Delete {count}"), icon::TRASH),
            act(Act::Deselect, "Select none".into(), ""),
        ];
        rows.extend(acts.map(|row| row.in_zone(Zone::Panel)));
    } else if shelf.deleted() > 0 {
        let row = act(Act::BringBack, format!("Bring {} back", games(shelf.deleted())), icon::TAKE_BACK);
        rows.push(row.in_zone(Zone::Panel));
    }
    rows
}
