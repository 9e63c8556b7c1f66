//! The lines of the pages for practice.

use practice::{Kind, Options};

use super::rows::setting_rows;
use super::{Item, Page, Row, Scene};
use crate::config::table::Setting;
use crate::messages::command::PracticeCommand;
use crate::ui::editor::{EditorAction, Part};
use crate::ui::names::when;
use crate::ui::shortcut::Shortcut;

/// Returns all modes, with what can be done in the one that is on.
pub(super) fn rows(scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = vec![];
    if let Some(status) = &scene.status.practice {
        if status.replay.is_some() {
            let row = Row::new(Item::Practice(PracticeCommand::TakeOver), "Play on from here");
            rows.push(row.key(Shortcut::TakeOver));
        }
        let act = |command, label, shortcut: Shortcut| Row::new(Item::Practice(command), label).key(shortcut);
        rows.extend([
            act(PracticeCommand::Undo { other_luck: false }, "Take the last piece back", Shortcut::UndoPiece),
            act(
                PracticeCommand::Undo { other_luck: true },
                "Take it back, other pieces follow",
                Shortcut::OtherPieces,
            ),
            act(PracticeCommand::Mark, "Mark this position", Shortcut::MarkPosition),
        ]);
        if status.marks > 0 {
            let retry = PracticeCommand::Retry { other_luck: false };
            rows.push(act(retry, "Try the marked position again", Shortcut::RetryPosition));
        }
        rows.push(
            Row::new(Item::Practice(PracticeCommand::End), "End practice").with(status.mode.to_string()),
        );
    }
    rows.push(
        Row::new(Item::Goto(Page::Games), "Games").saying("games that were kept: play them again, take over"),
    );
    let row = Row::new(Item::Goto(Page::Editor), "Position editor");
    rows.push(row.saying("field, piece, level, score: a game begins from there"));
    let row = Row::new(Item::Goto(Page::Coach), "Coach");
    rows.push(row.saying("your placements beside the best; the dearest to try again"));
    let options = scene.settings.practice.options().to_string();
    let row = Row::new(Item::Goto(Page::PracticeOptions), "Options and panel").with(options);
    rows.push(row.saying("start level, score, crash, line cap, and what the panel shows"));
    rows.extend(Kind::ALL.iter().map(|&kind| {
        let mode = scene.settings.practice.mode(kind).to_string();
        let value = mode.split_once('=').map_or("", |(_, value)| value).to_owned();
        let help = match kind.value() {
            "" => kind.about().to_owned(),
            value => format!("{} · {value}", kind.about()),
        };
        Row::new(Item::Practise(kind), label(kind)).with(value).saying(help)
    }));
    rows
}

/// Returns what can be changed of a position, beside its field.
pub(super) fn editor(scene: &Scene<'_>) -> Vec<Row> {
    let act = |action, label| Row::new(Item::Editor(action), label);
    let mut rows = vec![act(EditorAction::Begin, "Begin a game from here").saying("E tries it again")];
    rows.extend(Part::ALL.map(|part| {
        Row::new(Item::Part(part), part.label()).with(scene.editor.value(part)).saying(part.help())
    }));
    rows.extend([
        act(EditorAction::Clear, "Take all blocks out"),
        act(EditorAction::Copy, "Copy the position as a line of text").with("Ctrl+C"),
        act(EditorAction::Paste, "Paste a line of text").with("Ctrl+V"),
    ]);
    rows
}

/// Returns what the coach is told, and what it found.
pub(super) fn coach(scene: &Scene<'_>) -> Vec<Row> {
    let status = scene.status;
    let practice = &scene.settings.practice;
    let mut rows = setting_rows(&[Setting::CoachHertz, Setting::CoachReaction], scene);
    if status.reviewing {
        rows.push(Row::new(Item::Text, "The coach reviews the game …"));
    } else if status.can_review {
        let review = PracticeCommand::Review { hertz: practice.hertz, reaction: practice.reaction };
        let row = Row::new(Item::Practice(review), "Review this game");
        rows.push(
            row.saying("each placement beside the best that such hands reach, by El-Tetris' evaluation"),
        );
    } else {
        rows.push(Row::new(Item::Text, "Play a game, or a kept one again: then it can be reviewed"));
    }
    let Some(mistakes) = &status.mistakes else { return rows };
    if mistakes.is_empty() {
        rows.push(Row::new(Item::Text, "Every placement was the best by this evaluation"));
    }
    let (mode, options) = status
        .practice
        .as_ref()
        .map_or_else(|| (Kind::Tetris.usual(), practice.options()), |game| (game.mode, game.options));
    rows.extend(mistakes.iter().map(|mistake| {
        let position = Some(mistake.position.clone());
        let label = format!("Piece {}, {}", mistake.number, mistake.letter);
        let ([x, y], [best_x, best_y]) = (mistake.chosen, mistake.best);
        let value =
            format!("cost {:.1} · column {x} row {y}, best column {best_x} row {best_y}", mistake.cost);
        let begin = PracticeCommand::Begin { mode, options, position };
        Row::new(Item::Practice(begin), label)
            .with(value)
            .saying("Enter: try this position again; E: once more")
    }));
    rows
}

/// Returns the name of a mode as menus write it.
fn label(kind: Kind) -> String {
    if let Kind::TSpins | Kind::BType = kind {
        let (first, rest) = kind.name().split_at(1);
        return first.to_uppercase() + rest;
    }
    let name = kind.name().replace('-', " ");
    let first = name[..1].to_uppercase();
    format!("{first}{}", &name[1..])
}

/// Returns the name of an option as menus write it.
fn option_label(name: &'static str) -> &'static str {
    match name {
        "level" => "Start level",
        "wait" => "Frames in the level menu",
        "score" => "Score display",
        "crash" => "Crash",
        "strict" => "Strict about crashes",
        "cap" => "Line cap",
        "cap-effect" => "What the line cap does",
        "das-only" => "DAS only",
        "goofy" => "Goofy foot",
        "no-pause" => "No pause",
        "no-flash" => "No flash",
        "pal" => "PAL timing",
        "qual" => "Qualifier",
        "all-pieces" => "Tap quantity with all pieces",
        other => other,
    }
}

pub(super) fn options(scene: &Scene<'_>) -> Vec<Row> {
    let options = scene.settings.practice.options();
    let rows = Options::NAMES.iter().map(|&(name, takes)| {
        let help = takes.strip_prefix("on or off: ").unwrap_or(takes);
        Row::new(Item::PracticeOption(name), option_label(name)).with(options.value(name)).saying(help)
    });
    let panel = [
        Setting::KeepGames,
        Setting::PracticePanel,
        Setting::PanelTaps,
        Setting::PanelDas,
        Setting::PanelFigures,
        Setting::PanelStack,
        Setting::InputDisplay,
    ];
    rows.chain(setting_rows(&panel, scene)).collect()
}

pub(super) fn games(scene: &Scene<'_>) -> Vec<Row> {
    if scene.games.is_empty() {
        return vec![Row::new(Item::Text, "No games are kept yet: play one")];
    }
    let best = scene.games.iter().filter_map(|game| game.score).max();
    let row = |game: &crate::ui::games::KeptGame| {
        let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".into());
        let value = format!(
            "{}{} · level {} · {} lines · TRT {} · {}",
            game.score.map_or_else(|| "–".into(), |score| score.to_string()),
            if game.score.is_some() && game.score == best { " (best)" } else { "" },
            known(&game.level),
            known(&game.lines),
            known(&game.tetris_rate),
            when(game.begun, scene.now)
        );
        let command = PracticeCommand::Replay(game.path.clone());
        let help = format!("{} · Enter: play it again, A: take over", game.path.display());
        Row::new(Item::Practice(command), &game.mode).with(value).saying(help)
    };
    scene.games.iter().map(row).collect()
}
