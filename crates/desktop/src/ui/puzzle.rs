//! Puzzles in the window and in a terminal: which is asked, where the piece is held, what the
//! answer came to.

use std::time::{SystemTime, UNIX_EPOCH};

use autopilot::NetSource;
use puzzle::{Choice, Desk, DeskError, Lesson, Move, Store, StoreError, Theme, day_of};
use review::{Hands, NoNets, Reviewed};

use crate::messages::status::PuzzleSearchStatus;
use crate::ui::page::Page;
use crate::ui::step::Step;

/// Why a puzzle is not asked, or an answer is not kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PuzzleError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Nets(#[from] NoNets),
    #[error(transparent)]
    Desk(#[from] DeskError),
    #[error("there is no mistake in this game")]
    NoMistake,
}

/// The puzzles of the window: the desk that asks them, and the file of the player's progress.
#[derive(Debug, Default)]
pub(crate) struct PuzzleDesk {
    store: Option<Store>,
    is_open: bool,
    pub(crate) desk: Desk,
    /// The mistakes of a review that are asked again.
    pub(crate) lesson: Option<Lesson>,
    /// Something to tell the player.
    pub(crate) says: Option<String>,
}

impl PuzzleDesk {
    /// Returns a desk whose player is kept in the file `store`.
    pub(crate) fn new(store: Option<Store>, nets: NetSource) -> Self {
        Self { store, desk: Desk::new(nets), ..Self::default() }
    }

    /// Reads the bank and the player's progress, once.
    pub(crate) fn open(&mut self) {
        if std::mem::replace(&mut self.is_open, true) {
            return;
        }
        self.desk.open();
        let Some(store) = &self.store else { return };
        self.desk.own = store.own_bank();
        match store.read() {
            Ok(progress) => self.desk.progress = progress,
            Err(error) => {
                self.store = None;
                self.tell(error);
            }
        }
    }

    fn tell(&mut self, error: impl Into<PuzzleError>) {
        self.says = Some(error.into().to_string());
    }

    /// Takes over what a search in the player's games has found, and keeps it.
    pub(crate) fn take_own(&mut self, search: &PuzzleSearchStatus) {
        if self.desk.own.puzzles == search.puzzles || search.puzzles.is_empty() {
            return;
        }
        self.desk.own.puzzles.clone_from(&search.puzzles);
        let kept = self.store.as_ref().map(|store| store.keep_own_bank(&self.desk.own));
        if let Some(Err(error)) = kept {
            self.tell(error);
        }
    }

    /// Returns how many puzzles there are of the player's own games.
    pub(crate) fn own_count(&self) -> usize {
        self.desk.own.puzzles.len()
    }

    /// Asks the mistakes of a review again. Returns whether there are any.
    pub(crate) fn begin_lesson(&mut self, reviews: &[Reviewed], hands: Hands) -> bool {
        match Lesson::new(reviews, hands, self.desk.nets().get().clone()) {
            Ok(lesson) if lesson.asked().is_some() => self.lesson = Some(lesson),
            Ok(_) => self.tell(PuzzleError::NoMistake),
            Err(error) => self.tell(error),
        }
        self.lesson.as_ref().is_some_and(|lesson| lesson.asked().is_some())
    }

    /// Returns whether steps on `page` move a piece.
    pub(crate) fn moves_piece(&self, page: Page) -> bool {
        match page {
            Page::Puzzle => self.desk.asked.as_ref().is_some_and(|asked| asked.verdict.is_none()),
            Page::Lesson => self.lesson.as_ref().is_some_and(|lesson| lesson.asked().is_some()),
            _ => false,
        }
    }

    /// Does a step on `page`. Returns whether it was one of these pages' own.
    pub(crate) fn step_on(&mut self, page: Page, step: Step) -> bool {
        match page {
            Page::Puzzle => self.step(step),
            Page::Lesson => self.lesson.as_mut().is_some_and(|lesson| step_in(lesson, step)),
            _ => false,
        }
    }

    /// Holds the piece of `page` where it covers a cell, column and row.
    pub(crate) fn point_on(&mut self, page: Page, (column, row): (i32, i32)) {
        if page == Page::Lesson {
            if let Some(cursor) = self.lesson.as_mut().and_then(Lesson::cursor) {
                cursor.point(column, row);
            }
        } else {
            self.desk.point(column, row);
        }
    }

    /// Returns how many puzzles there are.
    pub(crate) fn count(&self) -> usize {
        self.desk.bank.puzzles.len()
    }

    /// Returns the themes with the number of their puzzles.
    pub(crate) fn themes(&self) -> Vec<(Theme, usize)> {
        use strum::IntoEnumIterator;

        if self.count() == 0 {
            return vec![];
        }
        let puzzles = &self.desk.bank.puzzles;
        let count = |theme| puzzles.iter().filter(|puzzle| puzzle.themes.has(theme)).count();
        Theme::iter().map(|theme| (theme, count(theme))).collect()
    }

    /// Asks the puzzle of the day.
    pub(crate) fn ask_daily(&mut self) {
        self.open();
        let asked = self.desk.ask_daily(today());
        self.take(asked);
    }

    /// Asks the next puzzle, of a theme or of any.
    pub(crate) fn ask_next(&mut self, theme: Option<Theme>) {
        self.ask(theme.map_or(Choice::Any, Choice::Of));
    }

    /// Asks a puzzle that was failed and is due again, or the next one.
    pub(crate) fn ask_due(&mut self) {
        self.ask(Choice::Due);
    }

    /// Asks the next puzzle of the player's own games.
    pub(crate) fn ask_own(&mut self) {
        self.ask(Choice::Own);
    }

    fn ask(&mut self, choice: Choice) {
        self.open();
        let asked = self.desk.ask_next(choice, today(), chance());
        self.take(asked);
    }

    /// Tells the player what went wrong.
    fn take<T: Default>(&mut self, result: Result<T, DeskError>) -> T {
        result.unwrap_or_else(|error| {
            self.tell(error);
            T::default()
        })
    }

    /// Asks the next puzzle of the same kind.
    pub(crate) fn ask_another(&mut self) {
        let asked = self.desk.ask_another(today(), chance());
        self.take(asked);
    }

    /// Asks the puzzle that was answered once more.
    pub(crate) fn ask_again(&mut self) {
        let asked = self.desk.ask_again();
        self.take(asked);
    }

    /// Moves the piece or places it. Returns whether the step was one of these; going back is one
    /// while the first piece can be taken back, and after an answer none is.
    pub(crate) fn step(&mut self, step: Step) -> bool {
        if !self.moves_piece(Page::Puzzle) {
            return false;
        }
        let is_back = step == Step::Back;
        let Some(step) = move_of(step) else { return false };
        let done = self.desk.step(step, today());
        let is_answered = self.desk.asked.as_ref().is_some_and(|asked| asked.verdict.is_some());
        if is_answered
            && let Some(Err(error)) = self.store.as_ref().map(|store| store.write(&self.desk.progress))
        {
            self.tell(error);
        }
        let failed = done.is_err();
        self.take(done) || (failed && !is_back)
    }
}

/// Returns what a step does with a piece.
const fn move_of(step: Step) -> Option<Move> {
    Some(match step {
        Step::Left => Move::Left,
        Step::Right => Move::Right,
        Step::Up => Move::Clockwise,
        Step::Down => Move::Other,
        Step::Draw => Move::Counterclockwise,
        Step::Enter => Move::Place,
        Step::Back => Move::TakeBack,
        _ => return None,
    })
}

/// Returns the day, counted from 1 January 1970, UTC.
pub(crate) fn today() -> u32 {
    day_at(SystemTime::now())
}

/// Returns the day of a time.
pub(crate) fn day_at(time: SystemTime) -> u32 {
    time.duration_since(UNIX_EPOCH).map_or(0, |time| day_of(time.as_secs()))
}

/// Returns a number by which the next puzzle is drawn.
fn chance() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| u64::from(time.subsec_nanos()))
}

/// A step in a lesson: moves the piece and places it; after that it goes on, or asks again. Returns
/// whether it was one of these.
fn step_in(lesson: &mut Lesson, step: Step) -> bool {
    if lesson.asked().is_none() {
        return false;
    }
    if lesson.correction().is_some() {
        match step {
            Step::Enter | Step::Right => drop(lesson.go_on()),
            Step::Left => lesson.again(),
            _ => return false,
        }
        return true;
    }
    if step == Step::PageDown {
        lesson.go_on();
        return true;
    }
    let Some(cursor) = lesson.cursor() else { return false };
    match move_of(step) {
        Some(Move::Place) => drop(lesson.place().cloned()),
        Some(Move::TakeBack) | None => return false,
        Some(step) => cursor.go_to(step),
    }
    true
}

#[cfg(test)]
mod tests {
    use puzzle::Bank;
    use tetris::{Piece, Placement, Playfield};

    use super::*;

    #[test]
    fn a_puzzle_is_answered_by_steps_alone_and_the_answer_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let store = place.path().join("data").join("puzzles.json");
        let mut desk = PuzzleDesk::new(Some(Store::at(store.clone())), NetSource::default());
        desk.ask_daily();
        let asked = desk.desk.asked.as_ref().unwrap();
        let (piece, held) = asked.held().unwrap();
        assert_eq!(piece, asked.puzzle.position.piece);
        for step in [Step::Left, Step::Up, Step::Right, Step::Down] {
            assert!(desk.step(step), "{step:?}");
        }
        assert!(desk.step(Step::Enter));
        assert_eq!(
            desk.desk.asked.as_ref().unwrap().held().unwrap().0,
            desk.desk.asked.as_ref().unwrap().puzzle.position.next
        );
        assert!(desk.step(Step::Back), "takes the first piece back");
        assert_eq!(desk.desk.asked.as_ref().unwrap().held(), Some((piece, held)));
        assert!(desk.step(Step::Enter) && desk.step(Step::Enter));
        assert!(desk.desk.asked.as_ref().unwrap().verdict.is_some());
        assert!(!desk.step(Step::Back), "back to the list");
        assert_eq!(desk.desk.progress.history().len(), 1);
        let mut again = PuzzleDesk::new(Some(Store::at(store.clone())), NetSource::default());
        again.open();
        assert_eq!(again.desk.progress, desk.desk.progress);
        let answered = desk.desk.asked.as_ref().unwrap().puzzle;
        desk.ask_again();
        assert_eq!(desk.desk.asked.as_ref().unwrap().puzzle, answered);
        assert!(desk.step(Step::Enter) && desk.step(Step::Enter));
        assert_eq!(desk.desk.progress.rating(), again.desk.progress.rating(), "it does not count twice");
        desk.ask_another();
        assert!(desk.desk.asked.as_ref().unwrap().verdict.is_none());
        // A damaged file is left alone.
        std::fs::write(&store, "{").unwrap();
        let mut damaged = PuzzleDesk::new(Some(Store::at(store.clone())), NetSource::default());
        damaged.open();
        assert!(damaged.says.as_ref().unwrap().contains("left as it is"), "{:?}", damaged.says);
        damaged.ask_next(None);
        assert!(damaged.step(Step::Enter) && damaged.step(Step::Enter));
        assert_eq!(std::fs::read_to_string(&store).unwrap(), "{");
    }

    #[test]
    fn mistakes_of_a_review_are_asked_by_steps_and_puzzles_of_own_games_are_kept() {
        let place = tempfile::tempdir().unwrap();
        let open =
            || PuzzleDesk::new(Some(Store::at(place.path().join("puzzles.json"))), NetSource::default());
        let mut desk = open();
        assert!(!desk.begin_lesson(&[], Hands::default()) && desk.says.take().is_some());
        let turns = [9, 1].map(|x| notation::Turn {
            number: x.into(),
            board: Playfield::from_rows(&std::array::from_fn(|row| if row < 8 { 0 } else { 0x1FF })),
            piece: Piece::O,
            next: Some(Piece::I),
            level: 18,
            lines: 40,
            score: None,
            place: Placement { orientation: tetris::Orientation::spawn(Piece::O), x, y: 6 },
            cleared: 0,
            ms: [0, 0],
            shifts: vec![],
        });
        let mut reviewer = review::Reviewer::new(Hands::default(), desk.desk.nets().get().clone()).unwrap();
        let reviews: Vec<Reviewed> = reviewer.reviews(&turns).collect();
        assert!(desk.begin_lesson(&reviews, Hands::default()) && desk.moves_piece(Page::Lesson));
        let lesson = |desk: &PuzzleDesk| desk.lesson.clone().unwrap();
        for step in [Step::Up, Step::Draw, Step::Down, Step::Left] {
            assert!(desk.step_on(Page::Lesson, step), "{step:?}");
        }
        desk.point_on(Page::Lesson, (9, 7));
        assert_eq!(lesson(&desk).held().unwrap().1.x, 9);
        assert!(desk.step_on(Page::Lesson, Step::Enter));
        assert_eq!(lesson(&desk).correction().unwrap().grade, puzzle::Grade::Failed);
        assert!(!desk.step_on(Page::Lesson, Step::Back), "back to the review");
        assert!(desk.step_on(Page::Lesson, Step::Left) && lesson(&desk).correction().is_none());
        desk.point_on(Page::Lesson, (0, 7));
        assert!(desk.step_on(Page::Lesson, Step::Enter) && lesson(&desk).solved() == 1);
        assert!(desk.step_on(Page::Lesson, Step::Enter) && !desk.moves_piece(Page::Lesson));
        // Puzzles of the player's own games are asked, and there the next time.
        assert!(desk.own_count() == 0 && !desk.step_on(Page::Lesson, Step::Enter));
        desk.ask_own();
        assert!(desk.says.take().unwrap().contains("no such puzzle"));
        let puzzles = Bank::built_in().puzzles[..2].to_vec();
        desk.take_own(&PuzzleSearchStatus { puzzles: puzzles.clone(), ..PuzzleSearchStatus::default() });
        let mut again = open();
        again.ask_own();
        assert_eq!(again.own_count(), 2);
        assert!(puzzles.contains(&again.desk.asked.as_ref().unwrap().puzzle));
        assert!(again.step(Step::Enter) && again.step(Step::Enter) && !again.step(Step::Enter));
        again.ask_another();
        assert!(puzzles.contains(&again.desk.asked.as_ref().unwrap().puzzle), "of the same games");
    }

    #[test]
    fn the_best_line_solves_its_puzzle_and_pointing_finds_a_place() {
        let mut desk = PuzzleDesk::new(None, NetSource::default());
        desk.ask_next(None);
        let puzzle = desk.desk.asked.as_ref().unwrap().puzzle;
        for best in [puzzle.best, puzzle.then] {
            let wanted = |desk: &PuzzleDesk| {
                desk.desk.asked.as_ref().unwrap().held().is_some_and(|(_, held)| held == best)
            };
            // Any of its cells, then every turn, and every tuck of each.
            for (column, row) in best.cells() {
                if !wanted(&desk) {
                    desk.desk.point(column, row);
                }
                for press in 0..4 * 8 {
                    if !wanted(&desk) {
                        desk.step(if press % 8 == 7 { Step::Up } else { Step::Down });
                    }
                }
            }
            assert!(wanted(&desk), "{best:?}");
            desk.step(Step::Enter);
        }
        let verdict = desk.desk.asked.as_ref().unwrap().verdict.clone().unwrap();
        assert_eq!(verdict.grade, puzzle::Grade::Solved, "{verdict:?}");
    }
}
