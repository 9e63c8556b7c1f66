//! The lines of the pages for practice.

use practice::{Kind, Options, needed_table, pace_of};

use super::rows::setting_rows;
use super::{Item, Page, Row, Scene};
use crate::config::table::Setting;
use crate::messages::command::PracticeCommand;
use crate::messages::mistakes::Cost;
use crate::ui::editor::{EditorAction, Part};
use crate::ui::games;
use crate::ui::names::when;
use crate::ui::shortcut::Shortcut;

/// Returns all modes, and what can be done in the one that is on. Each row keeps its place.
pub(super) fn rows(scene: &Scene<'_>) -> Vec<Row> {
    let row = Row::new(Item::Goto(Page::Games), "Games");
    let mut rows = vec![row.saying("games that were kept: play them again, take over")];
    let row = Row::new(Item::Goto(Page::Editor), "Position editor");
    rows.push(row.saying("field, piece, level, score: a game begins from there"));
    let row = Row::new(Item::Goto(Page::Coach), "Coach");
    rows.push(row.saying("your placements beside the best; the costliest to try again"));
    let row = Row::new(Item::Goto(Page::Taps), "Taps");
    rows.push(
        row.saying("what a column needs at each level and height, and what you made of it in your games"),
    );
    let options = scene.settings.practice_options().to_string();
    let row = Row::new(Item::Goto(Page::PracticeOptions), "Options and panel").with(options);
    rows.push(row.saying("start level, score, crash, line cap, and what the panel shows"));
    rows.extend(Kind::ALL.iter().map(|&kind| {
        let mode = scene.settings.practice.mode(kind).to_string();
        let value = mode.split_once('=').map_or("", |(_, value)| value).to_owned();
        let help = match kind.value() {
            "" => kind.about().to_owned(),
            value if kind == Kind::Seed => format!("{} · {value} · R or Select: draw one", kind.about()),
            value => format!("{} · {value}", kind.about()),
        };
        Row::new(Item::Practise(kind), label(kind)).with(value).saying(help)
    }));
    rows.extend(acts(scene));
    rows
}

/// Returns what can be done in a practice game.
fn acts(scene: &Scene<'_>) -> [Row; 6] {
    let status = scene.status.practice.as_ref();
    let act = |is_possible: bool, command, label: &str, shortcut: Shortcut| {
        let item = if is_possible { Ok(Item::Practice(command)) } else { Err("in practice") };
        let row = Row::if_possible(item, label);
        if is_possible { row.key(shortcut) } else { row }
    };
    let play_on = if status.is_some_and(|status| status.replay.is_some()) {
        Row::new(Item::Practice(PracticeCommand::TakeOver), "Play on from here").key(Shortcut::TakeOver)
    } else {
        Row::if_possible(Err("while a kept game plays"), "Play on from here")
    };
    let retry = PracticeCommand::Retry { other_luck: false };
    let retry = match status {
        Some(status) if status.marks == 0 => {
            Row::if_possible(Err("nothing is marked"), "Try the marked position again")
        }
        _ => act(status.is_some(), retry, "Try the marked position again", Shortcut::RetryPosition),
    };
    let is_on = status.is_some();
    let end = match status {
        Some(status) => {
            Row::new(Item::Practice(PracticeCommand::End), "End practice").with(status.mode.to_string())
        }
        None => Row::if_possible(Err("in practice"), "End practice"),
    };
    [
        play_on,
        act(
            is_on,
            PracticeCommand::Undo { other_luck: false },
            "Take the last piece back",
            Shortcut::UndoPiece,
        ),
        act(
            is_on,
            PracticeCommand::Undo { other_luck: true },
            "Take it back, other pieces follow",
            Shortcut::OtherPieces,
        ),
        act(is_on, PracticeCommand::Mark, "Mark this position", Shortcut::MarkPosition),
        retry,
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

/// Returns what the coach is told, and what it found.
pub(super) fn coach(scene: &Scene<'_>) -> Vec<Row> {
    let status = scene.status;
    let practice = &scene.settings.practice;
    let mut rows = setting_rows(&[Setting::CoachHertz, Setting::CoachReaction, Setting::CoachPoints], scene);
    if status.reviewing {
        rows.push(Row::new(Item::Text, "The coach reviews the game …"));
    } else if status.can_review {
        let (hertz, reaction, points) = (practice.hertz, practice.reaction, practice.points);
        let review = PracticeCommand::Review { hertz, reaction, points };
        let row = Row::new(Item::Practice(review), "Review this game");
        rows.push(row.saying(if points {
            "each placement beside the best of the player for points, by its nets"
        } else {
            "each placement beside the best that such hands reach, by El-Tetris' evaluation"
        }));
    } else {
        rows.push(Row::new(Item::Text, "Play a game, or a kept one again: then it can be reviewed"));
    }
    let Some(mistakes) = &status.mistakes else { return rows };
    rows.extend(mistakes.notes.iter().map(|note| Row::new(Item::Text, note)));
    if mistakes.dear.is_empty() && mistakes.rated > 0 {
        rows.push(Row::new(Item::Text, "Every placement was the best by this evaluation"));
    }
    let (mode, options) = status.practice.as_ref().map_or_else(
        || (Kind::Tetris.usual(), scene.settings.practice_options()),
        |game| (game.mode, game.options),
    );
    rows.extend(mistakes.dear.iter().map(|mistake| {
        let position = Some(mistake.position.clone());
        let label = format!("Piece {}, {}", mistake.number, mistake.letter);
        let cost = match mistake.cost {
            Cost::Units(units) => format!("cost {units:.1}"),
            Cost::Points(points) => format!("{points:.0} points"),
        };
        let value = format!("{cost} · {}; best {}", mistake.chosen, mistake.best);
        let begin = PracticeCommand::Begin { mode, options, position };
        Row::new(Item::Practice(begin), label)
            .with(value)
            .saying("Enter: try this position again; E: once more")
    }));
    rows
}

/// Levels of the table of taps, by how fast their pieces fall, beside those of the player's games.
const LEVELS: [u8; 3] = [18, 19, 29];

/// Heights of the stack of the table of taps.
const HEIGHTS: [usize; 7] = [16, 14, 12, 10, 8, 4, 0];

/// Returns what the columns of the field need, and what the player made of it in the games that
/// were kept.
pub(super) fn taps(scene: &Scene<'_>) -> Vec<Row> {
    let made = games::taps(scene.games);
    let text = |text: String| Row::new(Item::Text, text);
    let mut rows = vec![];
    if made.rows().is_empty() {
        rows.push(text("No kept game has a placement that took two taps yet".into()));
    } else {
        rows.push(text(format!(
            "Your taps a second in {} games: mean needed, most, made, fewest",
            games::counted(scene.games).count()
        )));
    }
    rows.extend(made.rows().iter().map(|row| {
        let label = format!("Level {}, column {}: {} placements", row.level, row.column, row.placements);
        let hertz = [row.needed(), row.needed_most(), row.made(), row.made_least()];
        Row::of_table(label, &hertz.map(|hertz| format!("{hertz:.1}")))
    }));
    let mut levels: Vec<u8> = LEVELS.into_iter().chain(made.rows().iter().map(|row| row.level)).collect();
    levels.sort_unstable();
    let region = scene.status.region;
    levels.dedup_by_key(|level| pace_of(region).frames_per_row(*level));
    let reaction = scene.settings.practice.reaction;
    for level in levels {
        rows.push(text(String::new()));
        rows.push(text(format!("Level {level}: taps a second that an I needs upright into a well,")));
        rows.push(text(format!("by height of the stack; the first tap {reaction} frames after the spawn")));
        let columns: [String; 10] = std::array::from_fn(|column| column.to_string());
        rows.push(Row::of_table("Column", &columns));
        let table = needed_table(region, level, reaction);
        rows.extend(
            HEIGHTS
                .iter()
                .filter_map(|&height| table.get(height))
                .map(|row| Row::of_table(row[0].height.to_string(), &row.map(|needed| needed.to_string()))),
        );
    }
    rows
}

/// Returns the name of a mode as menus write it.
fn label(kind: Kind) -> String {
    if let Kind::TSpins | Kind::BType = kind {
        let (first, rest) = kind.name().split_at(1);
        return first.to_uppercase() + rest;
    }
    let name = kind.name().replace('-', " ");
    if let Some(rest) = name.strip_prefix("das ") {
        return format!("DAS {rest}");
    }
    let first = name[..1].to_uppercase();
    format!("{first}{}", &name[1..])
}

/// Returns the name of an option as menus write it.
fn option_label(name: &'static str) -> &'static str {
    match name {
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
    let panel = [
        Setting::KeepGames,
        Setting::PracticePanel,
        Setting::PanelTaps,
        Setting::PanelDas,
        Setting::PanelFigures,
        Setting::PanelStack,
        Setting::InputDisplay,
    ];
    let back = Row::new(Item::OverlaysBack, "Put overlays back")
        .saying("the mouse moves each overlay; a double click puts it back");
    let shared = setting_rows(&shared, scene);
    shared.into_iter().chain(rows).chain(setting_rows(&panel, scene)).chain([back]).collect()
}

pub(super) fn games(scene: &Scene<'_>) -> Vec<Row> {
    if scene.games.is_empty() {
        return vec![Row::new(Item::Text, "No games are kept yet: play one")];
    }
    let best = games::best(scene.games);
    let row = |game: &crate::ui::games::KeptGame| {
        let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".into());
        let value = format!(
            "{}{}{} · level {} · {} lines · TRT {}",
            game.score.map_or_else(|| "–".into(), |score| score.to_string()),
            match game.standing.note() {
                Some(note) => format!(" ({note})"),
                None if game.score.is_some() && game.score == best => " (best)".into(),
                None => String::new(),
            },
            game.versus.as_ref().map_or_else(String::new, |[how, _, score]| format!(" ({how}, {score})")),
            known(&game.level),
            known(&game.lines),
            known(&game.tetris_rate)
        );
        let command = PracticeCommand::Replay(game.path.clone());
        let begun = when(game.begun, scene.now);
        let mut help = format!("{begun} · {} · Enter: play it again, A: take over", game.path.display());
        if let Some([how, lines, score]) = &game.versus {
            help = format!("{how} against the computer's {lines} lines and {score} points · {help}");
        }
        Row::new(Item::Practice(command), &game.mode).with(value).saying(help)
    };
    scene.games.iter().map(row).collect()
}
