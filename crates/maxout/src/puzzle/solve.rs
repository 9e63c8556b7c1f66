//! A puzzle asked, and an answer judged.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};

use ::puzzle::{Bank, Cost, Desk, Judge, Maker, Position, Progress, Puzzle, Reason, Themes, Verdict};
use ::value::Nets;
use serde::Serialize;
use tetris::{Feature, Placement};

use super::{Arguments, bank, progress, refused, store, terminal, today};
use crate::chance;
use cli::error::Error;
use cli::game::known;
use cli::interrupt::Interrupt;
use cli::{nets, output, written};

/// A word of the command line that is no place.
#[derive(Debug, thiserror::Error)]
#[error("expected column, row and orientation as in 3,18,2, found {0}")]
pub(super) struct NoPlace(String);

/// A place of the command line.
pub(super) fn place(text: &str) -> Result<[u8; 3], NoPlace> {
    let numbers: Result<Vec<u8>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    numbers.ok().and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| NoPlace(text.to_owned()))
}

/// Puzzles, and what the player has come to with them.
pub(super) struct PuzzleSession {
    pub(super) bank: Bank,
    pub(super) progress: Progress,
    pub(super) today: u32,
    nets: Nets,
}

impl PuzzleSession {
    pub(super) fn judge(&self, puzzle: &Puzzle) -> Result<Judge, Error> {
        Judge::new(puzzle.hertz, self.nets.clone()).map_err(refused)
    }
}

/// A puzzle for programs.
#[derive(Serialize)]
struct Asked {
    puzzle: String,
    link: String,
    /// Rows from the top, `.` for a free cell and `#` for a taken one.
    board: Vec<String>,
    piece: char,
    next: char,
    level: u8,
    lines: u32,
    hertz: u8,
    rating: f64,
    themes: Vec<String>,
    /// The places of the piece: column, row and orientation.
    places: Vec<Placement>,
}

/// An answer for programs.
#[derive(Serialize)]
struct Answered<'a> {
    puzzle: String,
    #[serde(flatten)]
    verdict: &'a Verdict,
    themes: Vec<String>,
    rating: f64,
    deviation: f64,
    streak: u32,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Error> {
    let store = store(arguments.store.as_ref())?;
    let mut session = PuzzleSession {
        bank: bank(arguments.bank.as_ref())?,
        progress: progress(&store)?,
        today: today(),
        nets: nets::for_rating(&arguments.nets)?.0,
    };
    if let Some(game) = &arguments.from {
        let known = [known(None, None, Feature::Practice)?];
        let turns = written::read(game, &known, &Interrupt::listen())?.turns;
        let positions: Vec<Position> = turns.iter().filter_map(Position::of_turn).collect();
        let mut maker = Maker::new(&session.nets).map_err(refused)?;
        session.bank = Bank { puzzles: maker.of_game(&positions) };
    }
    let asked = |session: &PuzzleSession| match &arguments.link {
        Some(link) => Desk::of_link(&session.bank, &session.nets.clone().into(), link).map_err(refused),
        None if arguments.daily => {
            session.bank.daily(session.today).copied().ok_or_else(|| refused("the bank has no puzzle"))
        }
        None => {
            let chance = (u64::from(chance::seed()) << 32) | u64::from(chance::seed());
            let next = session.progress.next(&session.bank, session.today, arguments.theme, chance).copied();
            next.ok_or_else(|| {
                refused(if arguments.from.is_some() {
                    "the game has no mistake that makes a puzzle of this theme: ask for another theme, or name another \
                     game; a puzzle is made where one placement is clearly best"
                } else {
                    "the bank has no puzzle of this theme: ask for another theme"
                })
            })
        }
    };
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if arguments.answer.is_empty() && !arguments.json && is_terminal {
        let goes_on = arguments.link.is_none() && !arguments.daily;
        return terminal::run(&mut session, &asked, arguments.daily, goes_on, &store);
    }
    let puzzle = asked(&session)?;
    if arguments.answer.is_empty() {
        return ask(&session, &puzzle, arguments.json);
    }
    let [first, second] = arguments.answer[..] else {
        return Err(refused(format!("--answer: expected two places, found {}", arguments.answer.len())));
    };
    let mut judge = session.judge(&puzzle)?;
    let places = [place_of(first)?, place_of(second)?];
    let verdict = judge.verdict(&puzzle.position, places).map_err(refused)?;
    session.progress.take(&puzzle, &verdict, session.today, arguments.daily);
    store.write(&session.progress).map_err(refused)?;
    let (rating, deviation) = session.progress.rating();
    let answered = Answered {
        puzzle: format!("{:08x}", puzzle.id()),
        verdict: &verdict,
        themes: names(puzzle.themes),
        rating,
        deviation,
        streak: session.progress.streak(session.today),
    };
    output::print(&answered, arguments.json, |out| {
        out.write_all(told(&verdict, &session.progress).as_bytes())
    })
}

fn names(themes: Themes) -> Vec<String> {
    themes.iter().map(|theme| theme.to_string()).collect()
}

fn place_of(numbers: [u8; 3]) -> Result<Placement, Error> {
    Placement::try_from(numbers).map_err(|error| refused(format!("--answer: {error}")))
}

fn ask(session: &PuzzleSession, puzzle: &Puzzle, json: bool) -> Result<(), Error> {
    let Position { board, piece, next, level, lines } = puzzle.position;
    let places = session.judge(puzzle)?.places(&puzzle.position);
    let asked = Asked {
        puzzle: format!("{:08x}", puzzle.id()),
        link: puzzle.link().text(),
        board: super::board::text(&board.rows()),
        piece: piece.letter(),
        next: next.letter(),
        level,
        lines,
        hertz: puzzle.hertz,
        rating: session.progress.rating_of(puzzle),
        themes: names(puzzle.themes),
        places,
    };
    output::print(&asked, json, |out| {
        for row in &asked.board {
            writeln!(out, "|{row}|")?;
        }
        writeln!(out, "{piece}, then {next}; level {level}, {lines} lines, {} taps a second", asked.hertz)?;
        writeln!(out, "{}", asked.link)?;
        writeln!(out, "Answer with --answer COLUMN,ROW,ORIENTATION, once for each piece, after the link.")
    })
}

/// A verdict in words.
pub(super) fn told(verdict: &Verdict, progress: &Progress) -> String {
    let Verdict { grade, cost, costs, best, places, reasons } = verdict;
    let mut text = match grade {
        ::puzzle::Grade::Solved => format!("Solved: {cost:.0} points lost.\n"),
        ::puzzle::Grade::Close => {
            format!("Close: {cost:.0} points lost, {:.0} with the first piece.\n", costs[0])
        }
        ::puzzle::Grade::Failed => {
            format!("Not this: {cost:.0} points lost, {:.0} with the first piece.\n", costs[0])
        }
    };
    let shown = |place: Placement| {
        let [column, row, orientation] = place.into();
        format!("column {column}, row {row}, orientation {orientation}")
    };
    let _ = writeln!(text, "Best: {}; then {}.", shown(best[0]), shown(best[1]));
    text.push_str("Places of the first piece:\n");
    for (rank, Cost { place, points }) in places.iter().enumerate() {
        let _ = writeln!(text, "  {}. {}: {points:.0} points lost", rank + 1, shown(*place));
    }
    for Reason { what, yours, best } in reasons {
        let _ = writeln!(text, "  {what}: {yours} after yours, {best} after the best");
    }
    let (rating, deviation) = progress.rating();
    let _ = writeln!(text, "Rating {rating:.0} ± {:.0}.", 2.0 * deviation);
    text
}
