//! Puzzles in the window and in a terminal: which is asked, where the piece is held, what the
//! answer came to.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use autopilot::NetSource;
use draft::Draft;
use puzzle::{Bank, Cursor, Judge, Progress, Puzzle, Theme, Verdict};
use tetris::Piece;
use value::{Board, Place};

use crate::ui::step::Step;

/// Seconds of a day.
const DAY: u64 = 86_400;

/// No file of what a player has come to is larger.
const MOST_BYTES: u64 = 16 << 20;

/// Why what a player has come to is not kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PuzzleError {
    #[error("cannot read the puzzles' file {path}: {reason}; it is left as it is, and nothing is kept")]
    Read { path: PathBuf, reason: String },
    #[error("cannot write the puzzles' file {path}: {reason}")]
    Write { path: PathBuf, reason: String },
    #[error("{0}")]
    Judge(String),
}

/// A puzzle that is asked.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) puzzle: Puzzle,
    /// Where the first piece was placed.
    pub(crate) first: Option<Place>,
    cursor: Option<Cursor>,
    pub(crate) verdict: Option<Verdict>,
    is_daily: bool,
}

impl Asked {
    /// Returns the piece that is held, and where.
    pub(crate) fn held(&self) -> Option<(Piece, Place)> {
        let position = &self.puzzle.position;
        let piece = if self.first.is_some() { position.next } else { position.piece };
        Some((piece, self.cursor.as_ref()?.place()))
    }

    /// Returns the board on which the piece is held.
    pub(crate) fn board(&self) -> Board {
        let mut board = self.puzzle.position.board;
        if let Some(first) = self.first {
            board.lock(first);
        }
        board
    }
}

/// The bank, what the player has come to, and the puzzle that is asked.
#[derive(Debug, Default)]
pub(crate) struct PuzzleDesk {
    store: Option<PathBuf>,
    nets: NetSource,
    bank: Option<Bank>,
    pub(crate) progress: Progress,
    judge: Option<(u8, Judge)>,
    pub(crate) asked: Option<Asked>,
    theme: Option<Theme>,
    /// Something to tell the player.
    pub(crate) says: Option<String>,
}

impl PuzzleDesk {
    /// Returns a desk whose player is kept in the file `store`.
    pub(crate) fn new(store: Option<PathBuf>, nets: NetSource) -> Self {
        Self { store, nets, ..Self::default() }
    }

    /// Reads the bank and what the player has come to, once.
    pub(crate) fn open(&mut self) {
        if self.bank.is_some() {
            return;
        }
        self.bank = Some(Bank::built_in());
        match self.store.as_deref().map_or_else(|| Ok(Progress::default()), read) {
            Ok(progress) => self.progress = progress,
            Err(error) => {
                self.store = None;
                self.says = Some(error.to_string());
            }
        }
    }

    /// Returns how many puzzles there are.
    pub(crate) fn count(&self) -> usize {
        self.bank.as_ref().map_or(0, |bank| bank.puzzles.len())
    }

    /// Returns the themes with the number of their puzzles.
    pub(crate) fn themes(&self) -> Vec<(Theme, usize)> {
        use strum::IntoEnumIterator;

        let Some(bank) = &self.bank else { return vec![] };
        let count = |theme| bank.puzzles.iter().filter(|puzzle| puzzle.themes.has(theme)).count();
        Theme::iter().map(|theme| (theme, count(theme))).collect()
    }

    /// Asks the puzzle of the day.
    pub(crate) fn ask_daily(&mut self) {
        self.open();
        self.theme = None;
        let puzzle = self.bank.as_ref().and_then(|bank| bank.daily(today())).copied();
        self.ask(puzzle, true);
    }

    /// Asks the next puzzle, of a theme or of any.
    pub(crate) fn ask_next(&mut self, theme: Option<Theme>) {
        self.open();
        self.theme = theme;
        let chance =
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| u64::from(time.subsec_nanos()));
        let bank = self.bank.as_ref();
        let puzzle = bank.and_then(|bank| self.progress.next(bank, today(), theme, chance)).copied();
        self.ask(puzzle, false);
    }

    fn ask(&mut self, puzzle: Option<Puzzle>, is_daily: bool) {
        self.asked = None;
        let Some(puzzle) = puzzle else {
            self.says = Some("there is no such puzzle".into());
            return;
        };
        if self.judge.as_ref().is_none_or(|(hertz, _)| *hertz != puzzle.hertz) {
            match Judge::new(puzzle.hertz, self.nets.get().clone()) {
                Ok(judge) => self.judge = Some((puzzle.hertz, judge)),
                Err(error) => {
                    self.says = Some(PuzzleError::Judge(error.to_string()).to_string());
                    return;
                }
            }
        }
        self.asked = Some(Asked { puzzle, first: None, cursor: None, verdict: None, is_daily });
        self.take_back();
    }

    /// Takes the first piece back.
    fn take_back(&mut self) {
        let (Some(asked), Some((_, judge))) = (&mut self.asked, &mut self.judge) else { return };
        asked.first = None;
        asked.cursor = Cursor::new(judge.places(&asked.puzzle.position), &asked.puzzle.position.board);
    }

    /// Moves the piece, places it, or goes on to the next puzzle after an answer. Returns whether
    /// the step was one of these; going back is one while the first piece can be taken back.
    pub(crate) fn step(&mut self, step: Step) -> bool {
        let Some(asked) = &mut self.asked else { return false };
        if asked.verdict.is_some() {
            if step == Step::Enter {
                let theme = self.theme;
                self.ask_next(theme);
                return true;
            }
            return false;
        }
        let Some(cursor) = &mut asked.cursor else { return false };
        match step {
            Step::Left => cursor.shift(-1),
            Step::Right => cursor.shift(1),
            Step::Up => cursor.turn(true),
            Step::Down => cursor.other(),
            Step::Draw => cursor.turn(false),
            Step::Enter => self.place(),
            Step::Back if asked.first.is_some() => self.take_back(),
            _ => return false,
        }
        true
    }

    /// Holds the piece where it covers a cell.
    pub(crate) fn point(&mut self, column: i32, row: i32) {
        if let Some(cursor) = self
            .asked
            .as_mut()
            .filter(|asked| asked.verdict.is_none())
            .and_then(|asked| asked.cursor.as_mut())
        {
            cursor.point(column, row);
        }
    }

    fn place(&mut self) {
        let (Some(asked), Some((_, judge))) = (&mut self.asked, &mut self.judge) else { return };
        let Some((_, place)) = asked.held() else { return };
        let Some(first) = asked.first else {
            asked.first = Some(place);
            let places = judge.next_places(&asked.puzzle.position, place);
            let board = asked.board();
            asked.cursor = Cursor::new(places, &board);
            if asked.cursor.is_none() {
                self.says = Some("the next piece has no place after that".into());
                self.take_back();
            }
            return;
        };
        match judge.verdict(&asked.puzzle.position, [first, place]) {
            Ok(verdict) => {
                self.progress.take(&asked.puzzle, &verdict, today(), asked.is_daily);
                asked.verdict = Some(verdict);
                if let Err(error) = self.keep() {
                    self.says = Some(error.to_string());
                }
            }
            Err(error) => self.says = Some(error.to_string()),
        }
    }

    fn keep(&self) -> Result<(), PuzzleError> {
        let Some(path) = &self.store else { return Ok(()) };
        let failed = |reason: String| PuzzleError::Write { path: path.clone(), reason };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        }
        let bytes = serde_json::to_vec(&self.progress).map_err(|error| failed(error.to_string()))?;
        Draft::write_file(path, &bytes).map_err(|error| failed(error.to_string()))
    }
}

/// Returns the day, counted from 1 January 1970, UTC.
pub(crate) fn today() -> u32 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| (time.as_secs() / DAY) as u32)
}

fn read(path: &Path) -> Result<Progress, PuzzleError> {
    let failed = |reason: String| PuzzleError::Read { path: path.to_owned(), reason };
    if !path.exists() {
        return Ok(Progress::default());
    }
    let bytes = draft::read_file(path, MOST_BYTES).map_err(|error| failed(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_is_answered_by_steps_alone_and_the_answer_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let store = place.path().join("data").join("puzzles.json");
        let mut desk = PuzzleDesk::new(Some(store.clone()), NetSource::default());
        desk.ask_daily();
        let asked = desk.asked.as_ref().unwrap();
        let (piece, held) = asked.held().unwrap();
        assert_eq!(piece, asked.puzzle.position.piece);
        for step in [Step::Left, Step::Up, Step::Right, Step::Down] {
            assert!(desk.step(step), "{step:?}");
        }
        assert!(desk.step(Step::Enter));
        assert_eq!(
            desk.asked.as_ref().unwrap().held().unwrap().0,
            desk.asked.as_ref().unwrap().puzzle.position.next
        );
        assert!(desk.step(Step::Back), "takes the first piece back");
        assert_eq!(desk.asked.as_ref().unwrap().held(), Some((piece, held)));
        assert!(desk.step(Step::Enter) && desk.step(Step::Enter));
        assert!(desk.asked.as_ref().unwrap().verdict.is_some());
        assert!(!desk.step(Step::Back), "back to the list");
        assert_eq!(desk.progress.history().len(), 1);
        let mut again = PuzzleDesk::new(Some(store.clone()), NetSource::default());
        again.open();
        assert_eq!(again.progress, desk.progress);
        assert!(desk.step(Step::Enter), "the next one");
        assert!(desk.asked.as_ref().unwrap().verdict.is_none());
        // A damaged file is left alone.
        std::fs::write(&store, "{").unwrap();
        let mut damaged = PuzzleDesk::new(Some(store.clone()), NetSource::default());
        damaged.open();
        assert!(damaged.says.as_ref().unwrap().contains("left as it is"), "{:?}", damaged.says);
        damaged.ask_next(None);
        assert!(damaged.step(Step::Enter) && damaged.step(Step::Enter));
        assert_eq!(std::fs::read_to_string(&store).unwrap(), "{");
    }

    #[test]
    fn the_best_line_solves_its_puzzle_and_pointing_finds_a_place() {
        let mut desk = PuzzleDesk::new(None, NetSource::default());
        desk.ask_next(None);
        let puzzle = desk.asked.as_ref().unwrap().puzzle;
        for best in [puzzle.best, puzzle.then] {
            let wanted =
                |desk: &PuzzleDesk| desk.asked.as_ref().unwrap().held().is_some_and(|(_, held)| held == best);
            for _ in 0..4 {
                let cells = best.cells();
                for (column, row) in cells {
                    if !wanted(&desk) {
                        desk.point(column, row);
                    }
                }
                for _ in 0..4 {
                    if !wanted(&desk) {
                        desk.step(Step::Down);
                    }
                }
                if !wanted(&desk) {
                    desk.step(Step::Up);
                }
            }
            assert!(wanted(&desk), "{best:?}");
            desk.step(Step::Enter);
        }
        let verdict = desk.asked.as_ref().unwrap().verdict.clone().unwrap();
        assert_eq!(verdict.grade, puzzle::Grade::Solved, "{verdict:?}");
    }
}
