//! `maxout review --learn`: the mistakes of a game are asked again.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::mem::ManuallyDrop;

use ::puzzle::{Correction, Grade, Lesson};
use ::review::{Hands, Reviewed};
use ::value::Nets;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Text};
use ratatui::widgets::Paragraph;
use serde::Serialize;
use tetris::{Placement, Playfield};
use tty::Keys;

use crate::puzzle::board::{self, is_end, pressed};
use cli::error::Error;
use cli::interrupt::Interrupt;
use cli::output;

/// An answer of the command line: the number of the piece, column, row and orientation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    number: u32,
    place: [u8; 3],
}

/// A word of the command line that is no answer.
#[derive(Debug, thiserror::Error)]
#[error("expected the number of the piece, column, row and orientation as in 120,3,18,2, found {0}")]
pub(super) struct NoAnswer(String);

impl std::str::FromStr for Answer {
    type Err = NoAnswer;

    fn from_str(text: &str) -> Result<Self, NoAnswer> {
        let (number, place) = text.split_once(',').ok_or_else(|| NoAnswer(text.to_owned()))?;
        let wrong = || NoAnswer(text.to_owned());
        let number = number.trim().parse().map_err(|_| wrong())?;
        let place: Result<Vec<u8>, _> = place.split(',').map(|part| part.trim().parse()).collect();
        let place = place.ok().and_then(|place| place.try_into().ok()).ok_or_else(wrong)?;
        Ok(Self { number, place })
    }
}

/// A mistake for programs.
#[derive(Serialize)]
struct Asked {
    number: u32,
    piece: char,
    next: Option<char>,
    level: u8,
    lines: u32,
    /// Rows from the top, `.` for a free cell and `#` for a taken one.
    board: Vec<String>,
    /// What was played: column, row and orientation.
    played: Placement,
    /// Points that it cost.
    cost: f32,
    /// The legal places.
    places: Vec<Placement>,
}

/// A lesson for programs.
#[derive(Serialize)]
struct Report<'a> {
    mistakes: Vec<Asked>,
    corrections: &'a [Correction],
}

/// Asks the mistakes of a review: by keys in a terminal, elsewhere as a list.
pub(super) fn run(
    reviews: &[Reviewed],
    hands: Hands,
    nets: Nets,
    (answers, json): (&[Answer], bool),
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let refused = |error: Box<dyn std::error::Error + Send + Sync>| Error::Command(error);
    let mut lesson = Lesson::new(reviews, hands, nets).map_err(|error| refused(error.into()))?;
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !json && answers.is_empty() && is_terminal && !lesson.mistakes().is_empty() {
        return in_terminal(&mut lesson, interrupt);
    }
    let mut mistakes = Vec::new();
    let mut given = 0;
    while let Some(asked) = lesson.asked().cloned() {
        interrupt.check()?;
        let places = lesson.places();
        if let Some(answer) = answers.iter().find(|answer| answer.number == asked.number) {
            let place = Placement::try_from(answer.place)
                .map_err(|error| refused(format!("--answer: {error}").into()))?;
            lesson.answer(place).map_err(|error| refused(error.into()))?;
            given += 1;
        } else if answers.is_empty() {
            mistakes.push(question(&asked, places));
        }
        lesson.go_on();
    }
    if given < answers.len() {
        return Err(refused("--answer: expected the number of a mistake or blunder of this game".into()));
    }
    let report = Report { mistakes, corrections: lesson.corrections() };
    output::print(&report, json, |out| {
        for asked in &report.mistakes {
            let Asked { number, piece, next, level, lines, board, played, cost, places } = asked;
            for row in board {
                writeln!(out, "|{row}|")?;
            }
            let next = next.map_or_else(String::new, |next| format!(", then {next}"));
            writeln!(out, "piece {number} {piece}{next}; level {level}, {lines} lines")?;
            let [column, row, orientation] = (*played).into();
            writeln!(
                out,
                "played column {column}, row {row}, orientation {orientation}: {cost:.0} points lost; {} places\n",
                places.len()
            )?;
        }
        for correction in report.corrections {
            out.write_all(told(correction).as_bytes())?;
        }
        if report.mistakes.is_empty() && report.corrections.is_empty() {
            return writeln!(out, "No mistake and no blunder in this game.");
        }
        if report.corrections.is_empty() {
            writeln!(out, "Answer with --answer NUMBER,COLUMN,ROW,ORIENTATION, once for each.")?;
        }
        Ok(())
    })
}

fn question(asked: &Reviewed, places: Vec<Placement>) -> Asked {
    Asked {
        number: asked.number,
        piece: asked.piece,
        next: asked.next,
        level: asked.level,
        lines: asked.lines,
        board: board::text(&asked.rows),
        played: asked.chosen.place,
        cost: asked.loss,
        places,
    }
}

/// A correction in words.
fn told(correction: &Correction) -> String {
    let Correction { number, grade, cost, cost_in_game, best, .. } = correction;
    let verdict = match grade {
        Grade::Solved => "Solved",
        Grade::Close => "Close",
        Grade::Failed => "Not this",
    };
    let mut text =
        format!("Piece {number}. {verdict}: {cost:.0} points lost, {cost_in_game:.0} in the game.\n");
    let [column, row, orientation] = (*best).into();
    let _ = writeln!(text, "Best: column {column}, row {row}, orientation {orientation}.");
    text
}

fn in_terminal(lesson: &mut Lesson, interrupt: &Interrupt) -> Result<(), Error> {
    // What its `drop` does is done below: it would panic where the terminal is gone.
    let mut terminal = ManuallyDrop::new(ratatui::try_init().map_err(Error::Output)?);
    let outcome = ask_all(&mut terminal, lesson, interrupt);
    let restored = terminal.show_cursor().and_then(|()| ratatui::try_restore());
    if tty::has_hung_up() {
        return Ok(());
    }
    outcome.and(restored.map_err(Error::Output))?;
    let (solved, answered) = (lesson.solved(), lesson.corrections().len());
    output::text(&format!("{solved} of {answered} solved, {} mistakes\n", lesson.mistakes().len()))
}

fn ask_all(terminal: &mut DefaultTerminal, lesson: &mut Lesson, interrupt: &Interrupt) -> Result<(), Error> {
    let keys = Keys::listen().map_err(Error::Output)?;
    while lesson.asked().is_some() && !interrupt.asked() {
        terminal.draw(|frame| draw(lesson, frame)).map_err(Error::Output)?;
        let Some(code) = pressed(&keys)? else { continue };
        if is_end(code) {
            return Ok(());
        }
        if lesson.correction().is_some() {
            match code {
                KeyCode::Backspace => lesson.again(),
                _ => drop(lesson.go_on()),
            }
            continue;
        }
        if let KeyCode::Char('n' | 'N') = code {
            lesson.go_on();
            continue;
        }
        let Some(cursor) = lesson.cursor() else {
            lesson.go_on();
            continue;
        };
        match code {
            _ if board::steer(cursor, code) => {}
            KeyCode::Char(' ') | KeyCode::Enter | KeyCode::Down => drop(lesson.place().cloned()),
            _ => {}
        }
    }
    Ok(())
}

fn draw(lesson: &Lesson, frame: &mut ratatui::Frame<'_>) {
    let Some(asked) = lesson.asked() else { return };
    let area = frame.area();
    let field = Rect { width: 24.min(area.width), ..area };
    let side = Rect { x: area.x + field.width, width: area.width - field.width, ..area };
    let correction = lesson.correction();
    let pieces: Vec<_> = if let Some(Correction { best, place, .. }) = correction {
        vec![(*best, Color::Green), (*place, Color::Cyan)]
    } else {
        let played = Some((asked.chosen.place, Color::Red));
        lesson.held().map(|(_, place)| (place, Color::Cyan)).into_iter().chain(played).collect()
    };
    let board = lesson.board().unwrap_or(Playfield::EMPTY);
    frame.render_widget(Paragraph::new(Text::from(board::rows(&board, &pieces))), field);
    let next = asked.next.map_or_else(String::new, |next| format!(", then {next}"));
    let mut text = vec![
        Line::from(format!("Mistake {} of {}", lesson.number() + 1, lesson.mistakes().len())),
        Line::from(format!("{} to place{next}", asked.piece)),
        Line::from(format!("level {}, {} lines, piece {}", asked.level, asked.lines, asked.number)),
        Line::from(""),
    ];
    if let Some(correction) = correction {
        text.extend(told(correction).lines().map(|line| Line::from(line.to_owned())));
        text.push(Line::from("Any key asks the next, Backspace this one again, Q ends."));
    } else {
        let lost = format!("In the game (red) it cost {:.0} points: find a better place.", asked.loss);
        text.push(Line::from(lost));
        for keys in ["←→ column   ↑ Z turn   Tab tuck", "Space place   N next   Q end"] {
            text.push(Line::styled(keys, Style::new().fg(Color::DarkGray)));
        }
    }
    frame.render_widget(Paragraph::new(Text::from(text)), side);
}
