//! The lines of the pages for puzzles.

use practice::{Kind, Position};
use puzzle::{Asked, Cost, Grade, Theme};

use super::{Item, Row, Scene, Zone};
use crate::messages::command::PracticeCommand;
use crate::ui::candidates;
use crate::ui::canvas::{sentence, signed};
use crate::ui::editor::Editor;
use crate::ui::theme::icon;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    Daily,
    Any,
    Of(Theme),
    /// One of the player's own games.
    Own,
    /// One that was failed and is due again.
    Due,
}

/// Returns what can be asked, and what the player has come to.
pub(super) fn rows(scene: &Scene<'_>) -> Vec<Row> {
    let desk = scene.puzzles;
    let today = crate::ui::puzzle::day_at(scene.now);
    let (rating, deviation) = desk.desk.progress.rating();
    let due = match desk.desk.due(today) {
        0 => String::new(),
        1 => "one is due again".into(),
        due => format!("{due} are due again"),
    };
    let streak = match desk.desk.progress.streak(today) {
        0 => String::new(),
        1 => " · 1 day in a row".into(),
        days => format!(" · {days} days in a row"),
    };
    let daily = match desk.desk.progress.daily(today) {
        None => "not answered yet",
        Some(Grade::Solved) => "solved today",
        Some(Grade::Close) => "close today",
        Some(Grade::Failed) => "failed today",
    };
    let mut rows = vec![
        Row::heading("Puzzles").saying("two pieces, the best placements, no clock"),
        Row::new(Item::Puzzle(Ask::Daily), "Puzzle of the day")
            .with(format!("{daily}{streak}"))
            .saying("the same for everyone on this date (UTC)")
            .icon(icon::TROPHY),
        Row::new(Item::Puzzle(Ask::Any), "Next puzzle")
            .with(due)
            .saying("matches your rating; failed ones return after some days")
            .icon(icon::PUZZLE),
        Row::new(Item::Text, "Your rating (Glicko-2)").with(format!("{rating:.0} ± {deviation:.0}")),
        Row::new(Item::Text, "Answered").with(desk.desk.progress.history().len().to_string()),
    ];
    rows.extend(own(scene));
    rows.push(Row::heading("By theme"));
    rows.extend(desk.themes().into_iter().filter(|(_, count)| *count > 0).map(|(theme, count)| {
        let name = name_of(theme);
        Row::new(Item::Puzzle(Ask::Of(theme)), name).with(count.to_string())
    }));
    rows
}

/// Returns what there is of the player's own games.
fn own(scene: &Scene<'_>) -> Vec<Row> {
    let search = scene.status.puzzle_search.as_deref();
    let found = scene.puzzles.own_count();
    let stands = match search {
        Some(search) if !search.is_done => format!("{} of {} games", search.games, search.total),
        Some(search) if search.left_out > 0 => {
            format!("{} games, {} of another cartridge", search.games, search.left_out)
        }
        Some(search) => format!("{} games", search.games),
        None => String::new(),
    };
    let look = Row::new(Item::Practice(PracticeCommand::FindPuzzles), "Look for puzzles in your kept games");
    let next = Row::if_possible(
        if found > 0 { Ok(Item::Puzzle(Ask::Own)) } else { Err("none found yet") },
        "Next puzzle of your games",
    );
    let next = if found > 0 { next.with(format!("{found} found")) } else { next };
    vec![
        Row::heading("Your own games"),
        look.with(stands).saying("positions with one clearly best placement").icon(icon::SEARCH),
        next.saying("what you would play now").icon(icon::PUZZLE),
    ]
}

/// Returns what is said of the mistake that is asked, for a list of characters too.
pub(super) fn lesson(scene: &Scene<'_>) -> Vec<Row> {
    let Some(lesson) = &scene.puzzles.lesson else {
        return vec![Row::new(Item::Text, "Review a game first")];
    };
    let text = |label: &str, value: String| Row::new(Item::Text, label).with(value).in_zone(Zone::Panel);
    let all = lesson.mistakes().len();
    let mut rows = vec![];
    if let Some(asked) = lesson.asked() {
        rows.push(text("Mistake", format!("{} of {all}", lesson.number() + 1)));
        let next = asked.next.map_or_else(String::new, |next| format!(", {next}"));
        rows.push(text("Piece and next piece", format!("{}{next}", asked.piece)));
        rows.push(text("Level, lines", format!("{}, {}", asked.level, asked.lines)));
        rows.push(text("Lost in the game", format!("{:.0} points", asked.loss)));
    }
    if let Some(correction) = lesson.correction() {
        rows.push(text("Lost now", format!("{:.0} points", correction.cost)));
    }
    rows.push(text("Solved", format!("{} of {}", lesson.solved(), lesson.corrections().len())));
    if lesson.asked().is_none() {
        rows.push(Row::new(Item::GoOn, "Back to the review").icon(icon::BACK));
    }
    rows
}

/// Returns the name of a theme as menus write it.
fn name_of(theme: Theme) -> String {
    let words = theme.to_string().replace(['_', '-'], " ").replace("level", "level ");
    sentence(&words.replace("  ", " "))
}

/// Returns what is said of the puzzle that is asked, for a list of characters too.
pub(super) fn puzzle(scene: &Scene<'_>) -> Vec<Row> {
    let Some(asked) = &scene.puzzles.desk.asked else {
        return vec![Row::new(Item::Text, "No puzzle yet")];
    };
    let position = &asked.puzzle.position;
    let mut rows = answered(scene, asked);
    rows.extend([
        Row::new(Item::Text, "Piece and next piece").with(format!(
            "{}, {}",
            position.piece.letter(),
            position.next.letter()
        )),
        Row::new(Item::Text, "Level, lines").with(format!("{}, {}", position.level, position.lines)),
        Row::new(Item::Text, "Hands").with(format!("{} taps a second", asked.puzzle.hertz)),
    ]);
    if let Some(verdict) = &asked.verdict {
        rows.push(Row::new(Item::Text, "Your answer").with(format!("{:.0} points lost", verdict.cost)));
        rows.extend(verdict.reasons.iter().map(|reason| {
            Row::new(Item::Text, &reason.what).with(format!("{:.0}, best {:.0}", reason.yours, reason.best))
        }));
    }
    rows.into_iter().map(|row| row.in_zone(Zone::Panel)).collect()
}

/// Returns what can be done after an answer, and the places of the first piece with their costs.
fn answered(scene: &Scene<'_>, asked: &Asked) -> Vec<Row> {
    let Some(verdict) = &asked.verdict else { return vec![] };
    let puzzle::Position { board, piece, next, level, lines } = asked.puzzle.position;
    let position = Position {
        rows: board.rows(),
        piece,
        next,
        level,
        lines,
        // Other pieces by other puzzles.
        lfsr: asked.puzzle.id() as u16 | 0x200,
        ..Editor::default().position
    };
    let play_on = PracticeCommand::Begin {
        mode: Kind::Tetris.usual(),
        options: scene.settings.practice_options(),
        position: Some(position.to_string()),
    };
    let mut rows = vec![
        Row::new(Item::NextPuzzle, "Next puzzle").icon(icon::PUZZLE),
        Row::new(Item::PuzzleAgain, "Once more").icon(icon::RETRY),
        Row::new(Item::Practice(play_on), "Play on from here").icon(icon::PLAY),
    ];
    let names = names_of(&verdict.places);
    rows.extend(verdict.places.iter().zip(names).enumerate().map(|(rank, (cost, name))| {
        let points = if rank == 0 { "best".to_owned() } else { signed(-(cost.points.round() as i64)) };
        Row::new(Item::PlaceOfPuzzle(rank), name).with(points)
    }));
    rows
}

/// Returns the names of places: their columns, and the lowest row of those that share them.
fn names_of(places: &[Cost]) -> Vec<String> {
    let names: Vec<String> = places.iter().map(|cost| candidates::name_of(cost.place)).collect();
    let named = names.iter().zip(places).map(|(name, cost)| {
        if names.iter().filter(|other| *other == name).count() > 1 {
            format!("{name}, row {}", cost.place.lock_height() + 1)
        } else {
            name.clone()
        }
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_have_names_of_words() {
        assert_eq!(
            [Theme::BurnOrWait, Theme::Level29, Theme::IDependency].map(name_of),
            ["Burn or wait", "Level 29", "I dependency"]
        );
    }
}
