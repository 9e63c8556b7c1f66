//! A board in a terminal, and the keys that are pressed there.

use std::time::Duration;

use puzzle::Cursor;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use tetris::{HEIGHT, Placement, Playfield, WIDTH};
use tty::Keys;

use cli::error::Error;

/// How long a key is waited for before the interrupt is looked at.
const WAIT: Duration = Duration::from_millis(100);

/// The rows of a board from the top, with pieces over it in their colours, the first above all.
pub(crate) fn rows(board: &Playfield, pieces: &[(Placement, Color)]) -> Vec<Line<'static>> {
    let row = |y: usize| {
        let wall = || Span::styled("│", Style::new().fg(Color::DarkGray));
        let cell = |x: usize| {
            let piece = pieces.iter().find(|(place, _)| place.cells().contains(&(x as i32, y as i32)));
            let is_taken = board.columns[x] >> y & 1 == 1;
            let style = match piece {
                Some((_, colour)) => Style::new().bg(*colour),
                None if is_taken => Style::new().bg(Color::Gray),
                None => Style::new(),
            };
            Span::styled("  ", style)
        };
        [wall()].into_iter().chain((0..WIDTH).map(cell)).chain([wall()]).collect()
    };
    (0..HEIGHT).map(row).collect()
}

/// The rows of a board from the top as text, `.` for a free cell and `#` for a taken one.
pub(crate) fn text(rows: &[u16; HEIGHT]) -> Vec<String> {
    let row = |row: &u16| (0..WIDTH).map(|x| if row >> x & 1 == 1 { '#' } else { '.' }).collect();
    rows.iter().map(row).collect()
}

/// Moves a piece as a key says. Returns whether the key is one of those that move it.
pub(crate) fn steer(cursor: &mut Cursor, code: KeyCode) -> bool {
    match code {
        KeyCode::Left => cursor.shift(-1),
        KeyCode::Right => cursor.shift(1),
        KeyCode::Up | KeyCode::Char('x' | 'X') => cursor.turn(true),
        KeyCode::Char('z' | 'Z') => cursor.turn(false),
        KeyCode::Tab => cursor.other(),
        _ => return false,
    }
    true
}

/// A key that was pressed, if one was.
pub(crate) fn pressed(keys: &Keys) -> Result<Option<KeyCode>, Error> {
    let event = keys.next(WAIT).map_err(Error::Output)?;
    Ok(match event {
        Some(Event::Key(key)) if key.kind != KeyEventKind::Release => {
            let control = key.modifiers.contains(KeyModifiers::CONTROL);
            Some(if control && key.code == KeyCode::Char('c') { KeyCode::Esc } else { key.code })
        }
        _ => None,
    })
}

/// Is it a key that ends?
pub(crate) const fn is_end(code: KeyCode) -> bool {
    matches!(code, KeyCode::Esc | KeyCode::Char('q' | 'Q'))
}
