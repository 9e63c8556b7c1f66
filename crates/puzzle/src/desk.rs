//! Puzzles as a front end asks them: which one, where the piece is held, what the answer came to.

use notation::link::{Link, LinkError};
use review::NoNets;
use strum::{Display, EnumString};
use tetris::{Piece, Placement, Playfield};
use value::NetSource;

use crate::bank::{Bank, Puzzle};
use crate::cursor::Cursor;
use crate::judge::{AnswerError, Judge, Verdict};
use crate::maker::Position;
use crate::progress::Progress;
use crate::theme::{Theme, Themes};

/// Taps a second where a link names none.
const USUAL_HERTZ: u8 = 30;
/// Rating of a puzzle that is not of a bank.
const USUAL_RATING: u16 = 1_500;

/// Why a puzzle is not asked, or a piece is not placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeskError {
    /// There is nothing to evaluate with.
    #[error(transparent)]
    Nets(#[from] NoNets),
    /// The answer cannot be judged.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// The text is no link.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The link is of a position whose next piece is not known.
    #[error("the link has no next piece, and a puzzle needs one")]
    NoNext,
    /// No puzzle fits.
    #[error("there is no such puzzle")]
    None,
    /// The first placement leaves the next piece no place.
    #[error("the next piece has no place after that")]
    NoPlace,
}

/// What a player does with the piece that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum Move {
    /// To the next column on the left.
    Left,
    /// To the next column on the right.
    Right,
    /// To the next orientation, clockwise.
    Clockwise,
    /// To the next orientation, counterclockwise.
    Counterclockwise,
    /// To another place in the same column.
    Other,
    /// Places the piece.
    Place,
    /// Takes the first piece back.
    TakeBack,
}

impl Cursor {
    /// Moves the piece; placing and taking back are not the cursor's.
    pub fn go_to(&mut self, step: Move) {
        match step {
            Move::Left => self.shift(-1),
            Move::Right => self.shift(1),
            Move::Clockwise => self.turn(true),
            Move::Counterclockwise => self.turn(false),
            Move::Other => self.other(),
            Move::Place | Move::TakeBack => {}
        }
    }
}

/// From where the next puzzle is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The bank, puzzles of a theme or of any.
    #[default]
    Any,
    /// The bank, puzzles of a theme.
    Of(Theme),
    /// The player's own games.
    Own,
    /// Both, those that were failed and are due again; then as [`Choice::Any`].
    Due,
}

/// A puzzle that is asked.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Where the first piece was placed.
    pub first: Option<Placement>,
    /// What the answer came to; `None` before both pieces are placed.
    pub verdict: Option<Verdict>,
    /// Is it the puzzle of the day?
    pub is_daily: bool,
    cursor: Option<Cursor>,
}

impl Asked {
    /// Returns the piece that is held, and where.
    pub fn held(&self) -> Option<(Piece, Placement)> {
        let position = &self.puzzle.position;
        let piece = if self.first.is_some() { position.next } else { position.piece };
        Some((piece, self.cursor.as_ref()?.place()))
    }

    /// Returns the board on which the piece is held.
    pub fn board(&self) -> Playfield {
        let mut board = self.puzzle.position.board;
        if let Some(first) = self.first {
            board.lock(first);
        }
        board
    }

    /// Returns the board after both pieces of a line.
    pub fn after(&self, line: [Placement; 2]) -> Playfield {
        let mut board = self.puzzle.position.board;
        for place in line {
            board.lock(place);
        }
        board
    }

    /// Returns the answer, once both pieces are placed.
    pub fn answer(&self) -> Option<[Placement; 2]> {
        self.verdict.as_ref()?;
        Some([self.first?, self.held()?.1])
    }
}

/// The banks, the player's progress, and the puzzle that is asked.
#[derive(Clone, Debug, Default)]
pub struct Desk {
    /// The bank; empty until [`Desk::open`].
    pub bank: Bank,
    /// Puzzles of the player's own games.
    pub own: Bank,
    /// The player's progress.
    pub progress: Progress,
    /// The puzzle that is asked.
    pub asked: Option<Asked>,
    nets: NetSource,
    judge: Option<(u8, Judge)>,
    choice: Choice,
}

impl Desk {
    /// Returns a desk with these nets.
    pub fn new(nets: NetSource) -> Self {
        Self { nets, ..Self::default() }
    }

    /// Returns the nets.
    pub const fn nets(&self) -> &NetSource {
        &self.nets
    }

    /// Exchanges the nets; the puzzle that is asked stays.
    pub fn set_nets(&mut self, nets: NetSource) {
        (self.nets, self.judge) = (nets, None);
    }

    /// Reads the built-in bank, unless a bank is there.
    pub fn open(&mut self) {
        if self.bank.puzzles.is_empty() {
            self.bank = Bank::built_in();
        }
    }

    /// Asks the puzzle of a day, counted from 1 January 1970, UTC.
    ///
    /// # Errors
    /// When there is none, or no net to judge with.
    pub fn ask_daily(&mut self, today: u32) -> Result<(), DeskError> {
        self.open();
        self.choice = Choice::Any;
        let puzzle = self.bank.daily(today).copied();
        self.ask(puzzle, true)
    }

    /// Asks the next puzzle. `chance` draws among those that fit.
    ///
    /// # Errors
    /// When there is none, or no net to judge with.
    pub fn ask_next(&mut self, choice: Choice, today: u32, chance: u64) -> Result<(), DeskError> {
        self.open();
        self.choice = choice;
        let (bank, theme) = match choice {
            Choice::Due if !self.progress.due(&self.own, today).is_empty() => (&self.own, None),
            Choice::Any | Choice::Due => (&self.bank, None),
            Choice::Of(theme) => (&self.bank, Some(theme)),
            Choice::Own => (&self.own, None),
        };
        let puzzle = self.progress.next(bank, today, theme, chance).copied();
        self.ask(puzzle, false)
    }

    /// Returns how many puzzles of both banks are due again.
    pub fn due(&self, today: u32) -> usize {
        [&self.bank, &self.own].map(|bank| self.progress.due(bank, today).len()).iter().sum()
    }

    /// Asks the next puzzle of the same kind as the last one.
    ///
    /// # Errors
    /// See [`Desk::ask_next`].
    pub fn ask_another(&mut self, today: u32, chance: u64) -> Result<(), DeskError> {
        self.ask_next(self.choice, today, chance)
    }

    /// Asks the puzzle that was answered once more; only the first answer of a
    /// day counts.
    ///
    /// # Errors
    /// When none was answered, or there is no net to judge with.
    pub fn ask_again(&mut self) -> Result<(), DeskError> {
        let answered = self.asked.as_ref().filter(|asked| asked.verdict.is_some());
        let (puzzle, is_daily) =
            answered.map(|asked| (asked.puzzle, asked.is_daily)).ok_or(DeskError::None)?;
        self.ask(Some(puzzle), is_daily)
    }

    /// Asks the puzzle of a link. One that is not in the bank is made of its position.
    ///
    /// # Errors
    /// When the text is no link, or its position is no puzzle.
    pub fn ask_link(&mut self, link: &str) -> Result<(), DeskError> {
        self.open();
        let puzzle = Self::of_link(&self.bank, &self.nets, link)?;
        self.choice = Choice::Any;
        self.ask(Some(puzzle), false)
    }

    /// Returns the puzzle of a link.
    ///
    /// # Errors
    /// See [`Desk::ask_link`].
    pub fn of_link(bank: &Bank, nets: &NetSource, link: &str) -> Result<Puzzle, DeskError> {
        let link = Link::parse(link)?;
        let position = Position::of_link(&link).ok_or(DeskError::NoNext)?;
        let hertz = if link.hertz == 0 { USUAL_HERTZ } else { link.hertz };
        let known = bank.puzzles.iter().find(|puzzle| puzzle.position == position && puzzle.hertz == hertz);
        if let Some(puzzle) = known {
            return Ok(*puzzle);
        }
        let mut judge = Judge::new(hertz, nets.get().clone())?;
        let nowhere = |piece| AnswerError::NoPlace(piece);
        let best = *judge.places(&position).first().ok_or_else(|| nowhere(position.piece))?;
        let then = *judge.next_places(&position, best).first().ok_or_else(|| nowhere(position.next))?;
        let verdict = judge.verdict(&position, [best, then])?;
        let [best, then] = verdict.best;
        Ok(Puzzle { position, hertz, best, then, themes: Themes::default(), rating: USUAL_RATING })
    }

    fn ask(&mut self, puzzle: Option<Puzzle>, is_daily: bool) -> Result<(), DeskError> {
        self.asked = None;
        let puzzle = puzzle.ok_or(DeskError::None)?;
        self.judge_of(puzzle.hertz)?;
        self.asked = Some(Asked { puzzle, first: None, cursor: None, verdict: None, is_daily });
        self.take_back()
    }

    /// Returns the judge for hands of so many taps a second.
    fn judge_of(&mut self, hertz: u8) -> Result<&mut Judge, NoNets> {
        let judge = match self.judge.take().filter(|(known, _)| *known == hertz) {
            Some((_, judge)) => judge,
            None => Judge::new(hertz, self.nets.get().clone())?,
        };
        Ok(&mut self.judge.insert((hertz, judge)).1)
    }

    fn take_back(&mut self) -> Result<(), DeskError> {
        let Some(mut asked) = self.asked.take() else { return Ok(()) };
        asked.first = None;
        let position = asked.puzzle.position;
        let places = self.judge_of(asked.puzzle.hertz)?.places(&position);
        asked.cursor = Cursor::new(places, &position.board);
        self.asked = Some(asked);
        Ok(())
    }

    /// Moves the piece, places it or takes it back. The second placement is judged, and the
    /// progress takes it in. Returns whether the step did something: after an answer none does, and
    /// without a first placement none is taken back.
    ///
    /// # Errors
    /// When the placement cannot be; the puzzle is asked as before then.
    pub fn step(&mut self, step: Move, today: u32) -> Result<bool, DeskError> {
        let Some(asked) = self.asked.as_mut().filter(|asked| asked.verdict.is_none()) else {
            return Ok(false);
        };
        match step {
            Move::Place => self.place(today)?,
            Move::TakeBack if asked.first.is_some() => self.take_back()?,
            Move::TakeBack => return Ok(false),
            _ => match &mut asked.cursor {
                Some(cursor) => cursor.go_to(step),
                None => return Ok(false),
            },
        }
        Ok(true)
    }

    /// Holds the piece where it covers a cell. Returns whether it can.
    pub fn point(&mut self, column: i32, row: i32) -> bool {
        let asked = self.asked.as_mut().filter(|asked| asked.verdict.is_none());
        asked.and_then(|asked| asked.cursor.as_mut()).is_some_and(|cursor| cursor.point(column, row))
    }

    fn place(&mut self, today: u32) -> Result<(), DeskError> {
        let Some(mut asked) = self.asked.take() else { return Ok(()) };
        let placed = self.place_in(&mut asked, today);
        self.asked = Some(asked);
        if placed == Err(DeskError::NoPlace) {
            self.take_back()?;
        }
        placed
    }

    fn place_in(&mut self, asked: &mut Asked, today: u32) -> Result<(), DeskError> {
        let Some((_, place)) = asked.held() else { return Ok(()) };
        let (hertz, position) = (asked.puzzle.hertz, asked.puzzle.position);
        let Some(first) = asked.first else {
            let places = self.judge_of(hertz)?.next_places(&position, place);
            asked.first = Some(place);
            asked.cursor = Cursor::new(places, &asked.board());
            return if asked.cursor.is_some() { Ok(()) } else { Err(DeskError::NoPlace) };
        };
        let verdict = self.judge_of(hertz)?.verdict(&position, [first, place])?;
        self.progress.take(&asked.puzzle, &verdict, today, asked.is_daily);
        asked.verdict = Some(verdict);
        Ok(())
    }
}
