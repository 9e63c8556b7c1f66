//! Puzzles in a terminal.

use std::mem::ManuallyDrop;

use ::puzzle::{Cursor, Judge, Position, Puzzle, Store, Verdict};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Text};
use ratatui::widgets::Paragraph;
use tetris::{Placement, Playfield};
use tty::Keys;

use super::board::{self, is_end, pressed};
use super::refused;
use super::solve::{PuzzleSession, told};
use cli::error::Error;
use cli::interrupt::Interrupt;

/// Asks puzzles until the player has enough.
pub(super) fn run(
    session: &mut PuzzleSession,
    asked: &dyn Fn(&PuzzleSession) -> Result<Puzzle, Error>,
    daily: bool,
    goes_on: bool,
    store: &Store,
) -> Result<(), Error> {
    let interrupt = Interrupt::listen();
    let first = asked(session)?;
    // What its `drop` does is done below: it would panic where the terminal is gone.
    let mut terminal = ManuallyDrop::new(ratatui::try_init().map_err(Error::Output)?);
    let outcome = ask_all(&mut terminal, &interrupt, first, (session, asked, daily, goes_on, store));
    let restored = terminal.show_cursor().and_then(|()| ratatui::try_restore());
    if tty::has_hung_up() {
        return Ok(());
    }
    outcome.and(restored.map_err(Error::Output))
}

type Asking<'a> =
    (&'a mut PuzzleSession, &'a dyn Fn(&PuzzleSession) -> Result<Puzzle, Error>, bool, bool, &'a Store);

fn ask_all(
    terminal: &mut DefaultTerminal,
    interrupt: &Interrupt,
    first: Puzzle,
    (session, asked, daily, goes_on, store): Asking<'_>,
) -> Result<(), Error> {
    let keys = Keys::listen().map_err(Error::Output)?;
    let mut puzzle = first;
    loop {
        let mut asking = Ask::new(session.judge(&puzzle)?, puzzle);
        let Some(verdict) = asking.answer(terminal, &keys, interrupt)? else { return Ok(()) };
        session.progress.take(&puzzle, &verdict, session.today, daily);
        store.write(&session.progress).map_err(refused)?;
        asking.says = told(&verdict, &session.progress);
        if !goes_on {
            asking.says += "Any key ends.";
            asking.wait(terminal, &keys, interrupt)?;
            return Ok(());
        }
        asking.says += "Any key asks the next; Q ends.";
        if !asking.wait(terminal, &keys, interrupt)? {
            return Ok(());
        }
        puzzle = asked(session)?;
    }
}

/// A puzzle that is being answered.
struct Ask {
    puzzle: Puzzle,
    judge: Judge,
    /// Where the first piece was put.
    first: Option<Placement>,
    cursor: Option<Cursor>,
    verdict: Option<Verdict>,
    says: String,
}

/// What a key asks for.
enum Key {
    End,
    Nothing,
    Placed,
}

impl Ask {
    fn new(mut judge: Judge, puzzle: Puzzle) -> Self {
        let cursor = Cursor::new(judge.places(&puzzle.position), &puzzle.position.board);
        Self { puzzle, judge, first: None, cursor, verdict: None, says: String::new() }
    }

    /// `None` if the player has enough.
    fn answer(
        &mut self,
        terminal: &mut DefaultTerminal,
        keys: &Keys,
        interrupt: &Interrupt,
    ) -> Result<Option<Verdict>, Error> {
        while !interrupt.asked() {
            terminal.draw(|frame| self.draw(frame)).map_err(Error::Output)?;
            let Some(code) = pressed(keys)? else { continue };
            match self.hear(code) {
                Key::End => return Ok(None),
                Key::Nothing => {}
                Key::Placed => {
                    let (Some(first), Some(cursor)) = (self.first, &self.cursor) else { continue };
                    match self.judge.verdict(&self.puzzle.position, [first, cursor.place()]) {
                        Ok(verdict) => {
                            self.verdict = Some(verdict.clone());
                            return Ok(Some(verdict));
                        }
                        Err(error) => self.says = error.to_string(),
                    }
                }
            }
        }
        Ok(None)
    }

    /// Shows the answer until a key is pressed; `false` if that ends it.
    fn wait(
        &self,
        terminal: &mut DefaultTerminal,
        keys: &Keys,
        interrupt: &Interrupt,
    ) -> Result<bool, Error> {
        while !interrupt.asked() {
            terminal.draw(|frame| self.draw(frame)).map_err(Error::Output)?;
            if let Some(code) = pressed(keys)? {
                return Ok(!is_end(code));
            }
        }
        Ok(false)
    }

    fn hear(&mut self, code: KeyCode) -> Key {
        if is_end(code) {
            return Key::End;
        }
        let Some(cursor) = &mut self.cursor else { return Key::Nothing };
        match code {
            _ if board::steer(cursor, code) => {}
            KeyCode::Char('h' | 'H') => {
                let themes: Vec<String> = self.puzzle.themes.iter().map(|theme| theme.to_string()).collect();
                self.says = format!("It is about: {}.", themes.join(", "));
            }
            KeyCode::Backspace => self.take_back(),
            KeyCode::Char(' ') | KeyCode::Enter | KeyCode::Down => {
                if self.first.is_some() {
                    return Key::Placed;
                }
                let first = cursor.place();
                let places = self.judge.next_places(&self.puzzle.position, first);
                let next = Cursor::new(places, &self.after(first));
                if next.is_none() {
                    self.says = "The next piece has no place after that.".into();
                    return Key::Nothing;
                }
                (self.first, self.cursor) = (Some(first), next);
            }
            _ => {}
        }
        Key::Nothing
    }

    fn take_back(&mut self) {
        self.first = None;
        self.cursor = Cursor::new(self.judge.places(&self.puzzle.position), &self.puzzle.position.board);
    }

    fn after(&self, first: Placement) -> Playfield {
        let mut board = self.puzzle.position.board;
        board.lock(first);
        board
    }

    fn draw(&self, frame: &mut ratatui::Frame<'_>) {
        let area = frame.area();
        let field = Rect { width: 24.min(area.width), ..area };
        let side = Rect { x: area.x + field.width, width: area.width - field.width, ..area };
        frame.render_widget(Paragraph::new(Text::from(self.field())), field);
        let Position { piece, next, level, lines, .. } = self.puzzle.position;
        let present = if self.first.is_some() { next } else { piece };
        let mut text = vec![
            Line::from(format!(
                "{present} to place{}",
                if self.first.is_none() { format!(", then {next}") } else { String::new() }
            )),
            Line::from(format!("level {level}, {lines} lines, {} taps a second", self.puzzle.hertz)),
            Line::from(""),
        ];
        text.extend(self.says.lines().map(|line| Line::from(line.to_owned())));
        text.push(Line::from(""));
        if self.verdict.is_none() {
            for line in ["←→ column   ↑ Z turn   Tab tuck", "Space place   Backspace back   H hint   Q end"]
            {
                text.push(Line::styled(line, Style::new().fg(Color::DarkGray)));
            }
        }
        text.push(Line::styled(self.puzzle.link().text(), Style::new().fg(Color::DarkGray)));
        frame.render_widget(Paragraph::new(Text::from(text)), side);
    }

    /// The rows of the field, with the piece that is placed, or the best line.
    fn field(&self) -> Vec<Line<'static>> {
        let board = match (&self.verdict, self.first) {
            (None, Some(first)) => self.after(first),
            _ => self.puzzle.position.board,
        };
        let ghost = match &self.verdict {
            Some(verdict) => Some((verdict.best[0], Color::Green)),
            None => self.cursor.as_ref().map(|cursor| (cursor.place(), Color::Cyan)),
        };
        board::rows(&board, ghost.as_slice())
    }
}
