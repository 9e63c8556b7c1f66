//! The lines of the trainers' pages: taps, the auto shift, finesse. Their charts are the window's.

use practice::{Kind, Trainer, needed_table, pace_of};
use tetris::Piece;

use super::rows::setting_rows;
use super::{Item, Row, Scene};
use crate::config::table::Setting;
use crate::ui::games;

/// Returns what begins modes that train it.
fn begin(kinds: &[Kind], scene: &Scene<'_>) -> Vec<Row> {
    let row = |&kind: &Kind| {
        let mode = scene.settings.practice.mode(kind).to_string();
        let value = mode.split_once('=').map_or("", |(_, value)| value).to_owned();
        let help = format!("{}; the charts beside the picture follow the game", kind.about());
        Row::new(Item::Practise(kind), format!("Begin: {}", kind.title())).with(value).saying(help)
    };
    let mut rows = vec![Row::heading("Train").saying("in the real game")];
    rows.extend(kinds.iter().map(row));
    rows
}

/// Returns the lines of the game that is on.
fn of_game(scene: &Scene<'_>, lines: fn(&Trainer) -> Vec<(&'static str, String)>) -> Vec<Row> {
    let mut rows = vec![Row::heading("This game")];
    match &scene.status.game {
        Some(game) => rows.extend(
            lines(&game.trainer).into_iter().map(|(name, value)| Row::new(Item::Text, name).with(value)),
        ),
        None => rows.push(Row::new(Item::Text, "No game is running")),
    }
    rows
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "–".into())
}

fn frames(count: usize) -> String {
    if count == 1 { "1 frame".into() } else { format!("{count} frames") }
}

fn taps_of_game(trainer: &Trainer) -> Vec<(&'static str, String)> {
    let roll = trainer.fastest.as_ref().map(|taps| {
        let (least, most) = (taps.intervals.iter().min(), taps.intervals.iter().max());
        let apart = least.zip(most).map_or(0, |(least, most)| most - least);
        let (taps, hertz) = (taps.intervals.len() + 1, taps.hertz);
        format!("{hertz:.1} Hz, {taps} taps, even within {}", frames(apart.into()))
    });
    let delay = trainer.median_delay().map(frames);
    vec![
        ("Bursts of two or more taps", trainer.count.to_string()),
        ("Roll test: fastest burst of three taps", or_dash(roll)),
        ("Mean", or_dash(trainer.mean_hertz().map(|hertz| format!("{hertz:.1} Hz")))),
        ("Tap delay: spawn to first tap, median", or_dash(delay)),
    ]
}

/// Returns what became of the charge of the auto shift.
pub(super) fn das(scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = begin(&[Kind::DasDelay], scene);
    let options = scene.settings.practice.options();
    rows.push(
        Row::new(Item::PracticeOption("das-only"), "DAS only")
            .with(options.value("das-only"))
            .saying("taps do nothing: only the auto shift moves pieces"),
    );
    rows.extend(of_game(scene, |trainer| {
        let charges = &trainer.charges;
        let shift = charges.first_shift.map(|frames| format!("{frames:.1} frames"));
        vec![
            ("Charge kept to the next spawn", charges.kept.to_string()),
            ("Lost", format!("{}, {} by a tap", charges.lost, charges.lost_by_taps)),
            ("Regained", charges.regained.to_string()),
            ("Missing at both spawns", charges.missing.to_string()),
            ("Filled at a wall or the stack", charges.filled_at_walls.to_string()),
            ("Stopped by Down", charges.stopped_by_down.to_string()),
            ("Spawn to first shift, mean", or_dash(shift)),
        ]
    }));
    if let Some(game) = &scene.status.game {
        rows.push(Row::heading("Mean counter at spawn"));
        let of_piece = Piece::ALL.iter().zip(game.trainer.charges.by_piece);
        rows.extend(of_piece.map(|(piece, mean)| {
            let mean = or_dash(mean.map(|mean| format!("{mean:.1}")));
            Row::new(Item::Text, piece.to_string()).with(mean)
        }));
    }
    rows
}

/// Returns the shifts and turns that were too many.
pub(super) fn finesse(scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = begin(&[Kind::Tetris, Kind::Stacking], scene);
    rows.extend(of_game(scene, |trainer| {
        let finesse = &trainer.finesse;
        vec![
            ("Placements without extra presses", or_dash(finesse.rate().map(|rate| format!("{rate:.0} %")))),
            ("Counted placements", finesse.placements.to_string()),
            ("Extra shifts", finesse.shifts.to_string()),
            ("Extra rotations", finesse.turns.to_string()),
        ]
    }));
    rows.push(Row::new(Item::Text, "Tucks and spins are not counted: they have no direct path"));
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
    let hands = [Setting::StartLevel, Setting::CoachHertz, Setting::CoachReaction];
    let mut rows = setting_rows(&hands, scene);
    rows.extend(begin(&[Kind::Tap, Kind::TapQuantity], scene));
    rows.extend(of_game(scene, taps_of_game));
    rows.push(Row::heading("Kept games"));
    if made.rows().is_empty() {
        rows.push(text("No kept game has a placement that took two taps yet".into()));
    } else {
        rows.push(text(format!(
            "Your taps a second in {} games: mean needed, most, made, fewest",
            games::counted(scene.games).count()
        )));
    }
    rows.extend(made.rows().iter().map(|row| {
        // Counted from 1, as everywhere in the window.
        let column = row.column + 1;
        let label = format!("Level {}, column {column}: {} placements", row.level, row.placements);
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
        rows.push(text(format!("Level {level}: taps a second to bring an upright I into a well,")));
        rows.push(text(format!("by height of the stack; the first tap {reaction} frames after the spawn")));
        let columns: [String; 10] = std::array::from_fn(|column| (column + 1).to_string());
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
