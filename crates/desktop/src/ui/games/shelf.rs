//! The table of kept games: what it is sorted by, which games it shows, and which are selected.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::PathBuf;

use strum::VariantArray;

use super::{KeptGame, best, index};
use crate::ui::names::when;

/// What the table is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, VariantArray, strum::Display)]
#[strum(serialize_all = "title_case")]
pub(crate) enum Order {
    #[default]
    Date,
    Mode,
    Level,
    Lines,
    Score,
    #[strum(serialize = "Tetris rate")]
    TetrisRate,
}

/// Which games the table shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, VariantArray, strum::Display)]
pub(crate) enum Filter {
    #[default]
    #[strum(serialize = "all games")]
    All,
    #[strum(serialize = "counted games")]
    Counted,
    #[strum(serialize = "versus")]
    Versus,
    #[strum(serialize = "by the computer")]
    Computer,
}

/// What the chart above the table shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, VariantArray, strum::Display)]
pub(crate) enum Figure {
    #[default]
    Score,
    Lines,
    #[strum(serialize = "Tetris rate")]
    TetrisRate,
}

impl Figure {
    /// Returns the figure of a game, if it is known.
    pub(crate) fn of(self, game: &KeptGame) -> Option<f64> {
        match self {
            Self::Score => game.score.map(f64::from),
            Self::Lines => number(game.lines.as_ref()),
            Self::TetrisRate => number(game.tetris_rate.as_ref()),
        }
    }
}

/// A part of the table's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub(crate) enum Part {
    Order,
    Filter,
    Figure,
}

/// What can be done with several games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Reverse,
    Delete,
    BringBack,
    Export,
    Deselect,
}

/// How the player looks at the kept games.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shelf {
    pub(crate) order: Order,
    pub(crate) filter: Filter,
    pub(crate) figure: Figure,
    /// From the least up instead of from the most down.
    pub(crate) rises: bool,
    /// What was typed: a part of the mode, of the date or of the note.
    pub(crate) sought: String,
    selected: BTreeSet<PathBuf>,
    deleted: Vec<PathBuf>,
}

fn number(text: Option<&String>) -> Option<f64> {
    text.and_then(|text| text.parse().ok())
}

fn stepped<T: VariantArray + PartialEq>(value: &T, by: i32) -> &'static T {
    let at = T::VARIANTS.iter().position(|variant| variant == value).unwrap_or(0) as i32;
    &T::VARIANTS[(at + by).rem_euclid(T::VARIANTS.len() as i32) as usize]
}

impl Shelf {
    /// Returns the games of the table as numbers in `games`, which are sorted from the latest to
    /// the oldest.
    pub(crate) fn shown(&self, games: &[KeptGame]) -> Vec<usize> {
        let mut shown: Vec<usize> = (0..games.len()).filter(|&at| self.passes(&games[at])).collect();
        let by = |one: &KeptGame, other: &KeptGame| match self.order {
            Order::Date => one.begun.cmp(&other.begun),
            Order::Mode => other.mode.cmp(&one.mode),
            Order::Level => compare(number(one.level.as_ref()), number(other.level.as_ref())),
            Order::Lines => compare(number(one.lines.as_ref()), number(other.lines.as_ref())),
            Order::Score => one.score.cmp(&other.score),
            Order::TetrisRate => {
                compare(number(one.tetris_rate.as_ref()), number(other.tetris_rate.as_ref()))
            }
        };
        // Stable: equal ones stay from the latest to the oldest.
        shown.sort_by(|&one, &other| {
            let order = by(&games[other], &games[one]);
            if self.rises { order.reverse() } else { order }
        });
        shown
    }

    fn passes(&self, game: &KeptGame) -> bool {
        let passes = match self.filter {
            Filter::All => true,
            Filter::Counted => game.counts(),
            Filter::Versus => game.versus.is_some(),
            Filter::Computer => game.standing.by == practice::PlayedBy::Computer,
        };
        let words = self.sought.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&words);
        passes
            && (words.is_empty()
                || has(&game.mode)
                || has(game.standing.note().unwrap_or_default())
                || has(&when(game.begun, game.begun)))
    }

    /// Returns the value of a part as the page writes it.
    pub(crate) fn value(&self, part: Part) -> String {
        match part {
            Part::Order => format!("{} {}", self.order, if self.rises { "\u{2191}" } else { "\u{2193}" }),
            Part::Filter => self.filter.to_string(),
            Part::Figure => self.figure.to_string(),
        }
    }

    /// Changes a part.
    pub(crate) fn step(&mut self, part: Part, by: i32) {
        match part {
            Part::Order => self.order = *stepped(&self.order, by),
            Part::Filter => self.filter = *stepped(&self.filter, by),
            Part::Figure => self.figure = *stepped(&self.figure, by),
        }
    }

    /// Selects a game, or selects it no more.
    pub(crate) fn toggle(&mut self, game: &KeptGame) {
        if !self.selected.remove(&game.path) {
            self.selected.insert(game.path.clone());
        }
    }

    pub(crate) fn deselect(&mut self) {
        self.selected.clear();
    }

    pub(crate) fn is_selected(&self, game: &KeptGame) -> bool {
        self.selected.contains(&game.path)
    }

    /// Returns how many games are selected.
    pub(crate) fn count(&self) -> usize {
        self.selected.len()
    }

    /// Returns how many games were deleted last, which can be brought back.
    pub(crate) fn deleted(&self) -> usize {
        self.deleted.len()
    }

    /// Returns the games that the chart shows, from the oldest to the latest: the selected ones, or
    /// those of the table that count if fewer than two are selected.
    pub(crate) fn charted<'a>(&self, games: &'a [KeptGame]) -> Vec<&'a KeptGame> {
        let is_charted = |game: &&KeptGame| match self.selected.len() {
            0 | 1 => game.counts() && self.passes(game),
            _ => self.is_selected(game),
        };
        let mut charted: Vec<&KeptGame> = games.iter().filter(is_charted).collect();
        charted.reverse();
        charted
    }

    /// Deletes the selected games so that they can be brought back. Returns how many.
    pub(crate) fn delete(&mut self) -> usize {
        self.deleted = index::delete(std::mem::take(&mut self.selected).into_iter());
        self.deleted.len()
    }

    /// Brings back what was deleted last. Returns how many games.
    pub(crate) fn bring_back(&mut self) -> usize {
        index::bring_back(&std::mem::take(&mut self.deleted))
    }

    /// Forgets what was deleted, for good. Nothing is selected or sought.
    pub(crate) fn open(&mut self, folder: Option<&std::path::Path>) {
        self.deleted.clear();
        self.selected.clear();
        self.sought.clear();
        if let Some(folder) = folder {
            index::purge(folder);
        }
    }

    /// Returns the selected games as CSV with a head.
    pub(crate) fn csv(&self, games: &[KeptGame]) -> String {
        const HEAD: [&str; 8] = ["file", "begun", "mode", "level", "lines", "score", "tetris_rate", "note"];
        let mut rows = vec![HEAD.map(str::to_owned)];
        let known = |text: &Option<String>| text.clone().unwrap_or_default();
        rows.extend(games.iter().filter(|game| self.is_selected(game)).map(|game| {
            let seconds = game.begun.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
            let begun = jiff::Timestamp::from_second(seconds as i64).unwrap_or_default();
            let is_best = game.score.is_some() && game.counts() && game.score == best(games);
            [
                game.path.display().to_string(),
                begun.to_string(),
                game.mode.clone(),
                known(&game.level),
                known(&game.lines),
                game.score.map(|score| score.to_string()).unwrap_or_default(),
                known(&game.tetris_rate),
                game.standing.note().unwrap_or(if is_best { "best" } else { "" }).to_owned(),
            ]
        }));
        rows.iter().map(|row| row.each_ref().map(|field| quoted(field)).join(",") + "\n").collect()
    }
}

/// Returns a field of CSV, in quotes if it needs them (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Compares figures of which one may be unknown: those come last.
fn compare(one: Option<f64>, other: Option<f64>) -> Ordering {
    one.unwrap_or(-1.0).total_cmp(&other.unwrap_or(-1.0))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use practice::{PlayedBy, Standing};

    use super::*;

    fn game(number: u64, score: u32, mode: &str) -> KeptGame {
        KeptGame {
            path: format!("{number}, of \"two\".mxgame").into(),
            begun: UNIX_EPOCH + Duration::from_secs(86_400 * number),
            mode: mode.into(),
            score: Some(score),
            level: Some("19".into()),
            lines: (number > 1).then(|| (10 * number).to_string()),
            tetris_rate: None,
            versus: None,
            taps: practice::TapTable::default(),
            standing: Standing::default(),
            board: None,
            is_match: false,
        }
    }

    /// From the latest to the oldest, as they are listed.
    fn games() -> Vec<KeptGame> {
        let mut games = vec![game(3, 500, "tetris"), game(2, 900, "floor=3"), game(1, 700, "tetris")];
        games[2].standing.by = PlayedBy::Computer;
        games
    }

    #[test]
    fn games_are_sorted_filtered_and_sought() {
        let games = games();
        let mut shelf = Shelf::default();
        assert_eq!(shelf.shown(&games), [0, 1, 2]);
        shelf.rises = true;
        assert_eq!(shelf.shown(&games), [2, 1, 0]);
        shelf.rises = false;
        shelf.order = Order::Score;
        assert_eq!(shelf.shown(&games), [1, 2, 0]);
        shelf.order = Order::Lines;
        assert_eq!(shelf.shown(&games), [0, 1, 2], "unknown lines come last");
        shelf.order = Order::Mode;
        assert_eq!(shelf.shown(&games), [1, 0, 2]);
        shelf.sought = "Tetris".into();
        assert_eq!(shelf.shown(&games), [0, 2]);
        shelf.filter = Filter::Counted;
        assert_eq!(shelf.shown(&games), [0]);
        shelf.sought = "1970-01".into();
        assert_eq!(shelf.shown(&games), [1, 0]);
        shelf.filter = Filter::Computer;
        assert_eq!((shelf.shown(&games), shelf.value(Part::Filter)), (vec![2], "by the computer".into()));
    }

    #[test]
    fn parts_step_around() {
        let mut shelf = Shelf::default();
        let values: Vec<String> = (0..Order::VARIANTS.len())
            .map(|_| {
                shelf.step(Part::Order, 1);
                shelf.value(Part::Order)
            })
            .collect();
        assert_eq!(values, ["Mode ↓", "Level ↓", "Lines ↓", "Score ↓", "Tetris rate ↓", "Date ↓"]);
        shelf.step(Part::Order, -1);
        assert_eq!(shelf.order, Order::TetrisRate);
    }

    #[test]
    fn the_chart_shows_what_is_selected_or_what_counts() {
        let games = games();
        let mut shelf = Shelf::default();
        let scores = |shelf: &Shelf| {
            shelf.charted(&games).iter().filter_map(|game| shelf.figure.of(game)).collect::<Vec<_>>()
        };
        assert_eq!(scores(&shelf), [900.0, 500.0]);
        shelf.toggle(&games[0]);
        assert_eq!(scores(&shelf), [900.0, 500.0], "one game is no comparison");
        shelf.toggle(&games[2]);
        assert_eq!(scores(&shelf), [700.0, 500.0]);
        shelf.figure = Figure::Lines;
        assert_eq!(scores(&shelf), [30.0]);
        shelf.toggle(&games[2]);
        assert_eq!(shelf.count(), 1);
    }

    #[test]
    fn selected_games_are_exported_as_csv() {
        let games = games();
        let mut shelf = Shelf::default();
        shelf.toggle(&games[1]);
        shelf.toggle(&games[2]);
        assert_eq!(
            shelf.csv(&games),
            "file,begun,mode,level,lines,score,tetris_rate,note\n\
             \"2, of \"\"two\"\".mxgame\",1970-01-03T00:00:00Z,floor=3,19,20,900,,best\n\
             \"1, of \"\"two\"\".mxgame\",1970-01-02T00:00:00Z,tetris,19,,700,,by the computer\n"
        );
    }
}
