//! The lines of the pages for puzzles.

use puzzle::Theme;

use super::{Item, Row, Scene, Zone};
use crate::ui::theme::icon;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    Daily,
    Any,
    Of(Theme),
}

/// Returns what can be asked, and what the player has come to.
pub(super) fn rows(scene: &Scene<'_>) -> Vec<Row> {
    let desk = scene.puzzles;
    let today = crate::ui::puzzle::today();
    let (rating, deviation) = desk.progress.rating();
    let due = desk.progress.due(today);
    let mut rows = vec![
        Row::heading("Puzzles").saying("two pieces, the best places, no clock"),
        Row::new(Item::Puzzle(Ask::Daily), "Puzzle of the day")
            .with(format!("streak {}", desk.progress.streak(today)))
            .saying("the same for everyone on this date (UTC)")
            .icon(icon::TROPHY),
        Row::new(Item::Puzzle(Ask::Any), "Next puzzle")
            .with(format!("{due} due again"))
            .saying("about as hard as your rating; those that you failed come again after days")
            .icon(icon::PUZZLE),
        Row::new(Item::Text, "Your rating (Glicko-2)").with(format!("{rating:.0} ± {deviation:.0}")),
        Row::new(Item::Text, "Answered").with(desk.progress.history().len().to_string()),
        Row::heading("By theme"),
    ];
    rows.extend(desk.themes().into_iter().filter(|(_, count)| *count > 0).map(|(theme, count)| {
        let name = theme.to_string().replace(['_', '-'], " ");
        let mut letters = name.chars();
        let name: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        Row::new(Item::Puzzle(Ask::Of(theme)), name).with(count.to_string())
    }));
    rows
}

/// Returns what is said of the puzzle that is asked, for a list of characters too.
pub(super) fn puzzle(scene: &Scene<'_>) -> Vec<Row> {
    let Some(asked) = &scene.puzzles.asked else {
        return vec![Row::new(Item::Text, "No puzzle is asked")];
    };
    let position = &asked.puzzle.position;
    let mut rows = vec![
        Row::new(Item::Text, "Piece, then the next").with(format!(
            "{}, {}",
            position.piece.letter(),
            position.next.letter()
        )),
        Row::new(Item::Text, "Level, lines").with(format!("{}, {}", position.level, position.lines)),
        Row::new(Item::Text, "Hands").with(format!("{} taps a second", asked.puzzle.hertz)),
    ];
    if let Some(verdict) = &asked.verdict {
        rows.push(Row::new(Item::Text, "Your answer").with(format!("{:.0} points lost", verdict.cost)));
        rows.extend(verdict.reasons.iter().map(|reason| {
            Row::new(Item::Text, &reason.what).with(format!("{:.0}, best {:.0}", reason.yours, reason.best))
        }));
    }
    rows.into_iter().map(|row| row.in_zone(Zone::Panel)).collect()
}
