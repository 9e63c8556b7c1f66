//! The game in a terminal: a picture of half blocks in true colour, the same keys and the same
//! menus as the window.

mod screen;
mod typing;

use std::io::{self, IsTerminal, Write};
use std::mem::{self, ManuallyDrop};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::{Backend, ClearType, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode as Typed, KeyEventKind, KeyModifiers, KeyboardEnhancementFlags,
    PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::crossterm::{cursor, execute, terminal};
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use tty::Keys;
use tty::half_blocks::{self, Part};

use crate::emulation::running::{PlaySummary, Running};
use crate::messages::handle::MachineHandle;
use crate::messages::status::MessageKind;
use crate::ui::page::Page;
use crate::ui::pages;
use crate::ui::shortcut::Shortcut;
use crate::ui::state::{AppRequest, UiState};
use crate::video::render_settings::RenderSettings;
use crate::video::viewport::{Framing, Scaling, Viewport};
use crate::{DesktopError, Notice, Options, PICTURE_HEIGHT, PICTURE_WIDTH};
use screen::{Backlog, Screen};
use typing::{Typist, translate};

/// The least time from one drawing to the next: what most terminals and lines to them can take.
const DRAWING: Duration = Duration::from_millis(30);

/// How often everything is drawn anew: other programs and libraries write into the terminal as
/// well.
const AFRESH: Duration = Duration::from_secs(3);

/// How long the terminal is waited for at the end: one that stands still keeps what it shows.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long keys are waited for at most before pictures are looked for.
const GLANCE: Duration = Duration::from_millis(4);

/// Returns whether there is a terminal to play in.
pub fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Plays in the terminal until the player quits.
///
/// # Errors
/// [`DesktopError::Rom`] when the image is no cartridge, [`DesktopError::Terminal`] when there is
/// no terminal or it fails.
pub fn play_in_terminal(options: &Options) -> Result<PlaySummary, DesktopError> {
    if !has_terminal() {
        return Err(DesktopError::Terminal(io::Error::other("input or output is not a terminal")));
    }
    let (tell, notices) = mpsc::channel();
    // What is printed would stand in the picture.
    let options = &Options { prints: false, ..options.clone() };
    let running = Running::start(options, move |notice| {
        let _ = tell.send(notice);
    })?;
    let outcome = play(options, running.handle().clone(), &notices);
    let session = running.finish()?;
    let shown = match outcome {
        // A player who closes the terminal quits.
        Err(_) if tty::has_hung_up() => 0,
        outcome => outcome.map_err(DesktopError::Terminal)?,
    };
    Ok(PlaySummary { shown, ..session })
}

fn play(options: &Options, handle: MachineHandle, notices: &Receiver<Notice>) -> io::Result<u64> {
    let mut state = UiState::new(options, handle);
    state.notes.is_quiet = true;
    restore_after_panic();
    terminal::enable_raw_mode()?;
    let outcome = show(&mut state, notices);
    terminal::disable_raw_mode()?;
    outcome
}

/// Takes the terminal for itself while it plays. Returns how many pictures were drawn.
fn show(state: &mut UiState, notices: &Receiver<Notice>) -> io::Result<u64> {
    // Without these a terminal does not tell when a key is let go.
    let tells_releases = tty::tells_releases();
    let mut screen = Screen::new(output()?)?;
    let backlog = screen.backlog();
    execute!(screen, EnterAlternateScreen)?;
    if tells_releases {
        let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
            | KeyboardEnhancementFlags::REPORT_EVENT_TYPES
            | KeyboardEnhancementFlags::REPORT_ALL_KEYS_AS_ESCAPE_CODES;
        execute!(screen, PushKeyboardEnhancementFlags(flags))?;
    }
    // Its `drop` shows the cursor, as `restore` does, and would panic where the terminal is gone.
    let mut terminal = ManuallyDrop::new(Terminal::new(CrosstermBackend::new(screen))?);
    let outcome = until_quit(state, &mut terminal, &backlog, notices, tells_releases);
    // What the player has comes first: the terminal may be gone.
    state.save_settings();
    restore(terminal.backend_mut(), &backlog, tells_releases).and(outcome)
}

/// Returns standard output as a file: its lock would keep the rest of the program from printing
/// while the terminal stands still.
fn output() -> io::Result<std::fs::File> {
    #[cfg(unix)]
    let own = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
    #[cfg(windows)]
    let own = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?;
    Ok(own.into())
}

/// Gives the terminal back before a panic says why.
fn restore_after_panic() {
    tty::panics::before_the_end(|| {
        // `ratatui::restore` would panic anew where standard error is gone as well.
        let _ = ratatui::try_restore();
    });
}

/// Gives the terminal back, if it takes anything.
fn restore(terminal: &mut impl Write, backlog: &Backlog, tells_releases: bool) -> io::Result<()> {
    if tells_releases {
        execute!(terminal, PopKeyboardEnhancementFlags)?;
    }
    execute!(terminal, LeaveAlternateScreen, cursor::Show)?;
    backlog.wait(PATIENCE);
    Ok(())
}

/// Has the next picture drawn whole. `Terminal::clear` would ask the terminal where its cursor is,
/// and give up where the answer takes two seconds.
fn redraw_all<B: Backend>(terminal: &mut Terminal<B>) -> Result<(), B::Error> {
    terminal.backend_mut().clear_region(ClearType::All)?;
    terminal.swap_buffers();
    Ok(())
}

fn until_quit(
    state: &mut UiState,
    terminal: &mut Terminal<CrosstermBackend<Screen>>,
    backlog: &Backlog,
    notices: &Receiver<Notice>,
    tells_releases: bool,
) -> io::Result<u64> {
    let keys = Keys::listen()?;
    let mut typist = Typist::default();
    let (mut stale, mut drawn, mut count) = (true, None::<Instant>, 0);
    let mut afresh = Instant::now() + AFRESH;
    while !state.is_over() {
        tty::panics::where_asked();
        loop {
            match notices.try_recv() {
                Ok(Notice::Picture) => stale |= state.take_pictures(),
                Ok(Notice::Status) => {
                    state.update_status();
                    stale = true;
                }
                Ok(Notice::Stopped) | Err(TryRecvError::Disconnected) => return Ok(count),
                Err(TryRecvError::Empty) => break,
            }
        }
        if let Some(event) = keys.next(if state.is_stopped() { DRAWING } else { GLANCE })? {
            stale = true;
            if handle_event(state, &event, tells_releases, &mut typist) == Some(AppRequest::Quit) {
                return Ok(count);
            }
        }
        for (code, shortcut) in typist.let_go(Instant::now()) {
            state.key(Some(code), false, shortcut);
        }
        stale |= state.notes.forget(Instant::now());
        let pads = mem::take(&mut state.status.pads);
        state.update_status();
        stale |= pads != state.status.pads && state.menu.page().is_some_and(pages::is_live);
        let (acted, request) = state.poll_pads();
        if request == Some(AppRequest::Quit) {
            return Ok(count);
        }
        stale |= acted;
        if stale && backlog.is_empty() && drawn.is_none_or(|drawn| drawn.elapsed() >= DRAWING) {
            if Instant::now() > afresh {
                redraw_all(terminal)?;
                afresh = Instant::now() + AFRESH;
            }
            terminal.draw(|frame| draw(frame, state))?;
            (stale, drawn) = (false, Some(Instant::now()));
            count += 1;
        }
    }
    Ok(count)
}

fn handle_event(
    state: &mut UiState,
    event: &Event,
    tells_releases: bool,
    typist: &mut Typist,
) -> Option<AppRequest> {
    let Event::Key(key) = event else { return None };
    if key.code == Typed::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
        return Some(AppRequest::Quit);
    }
    if let Typed::Char(letter) = key.code
        && key.kind != KeyEventKind::Release
        && !key.modifiers.contains(KeyModifiers::CONTROL)
        && state.menu.page().is_some()
        && state.type_letters(&letter.to_string())
    {
        return None;
    }
    let (code, shortcut) = translate(key)?;
    if shortcut == Some(Shortcut::Debugger) {
        if key.kind == KeyEventKind::Press {
            state.say(MessageKind::Note, "the terminal has a debugger of its own: maxout debug");
        }
        return None;
    }
    match key.kind {
        KeyEventKind::Release => state.key(Some(code), false, shortcut),
        KeyEventKind::Repeat if state.menu.page().is_none() => None,
        _ => {
            if !tells_releases && !typist.press(code, shortcut, Instant::now()) && state.menu.page().is_none()
            {
                return None; // held on
            }
            state.key(Some(code), true, shortcut)
        }
    }
}

fn draw(frame: &mut ratatui::Frame<'_>, state: &mut UiState) {
    let area = frame.area();
    let picture = Rect { height: area.height.saturating_sub(1), ..area };
    let render = RenderSettings::new(&state.settings.picture).0.on(state.status.region);
    let framing = Framing { scaling: Scaling::Fit, ..render.framing };
    paint(&state.presented.rgb(&render.palette), framing, picture, frame.buffer_mut());
    let below = Rect { y: picture.bottom(), height: area.height - picture.height, ..area };
    frame.render_widget(Paragraph::new(line_below(state)), below);
    if let Some(page) = state.menu.page() {
        draw_menu(frame, state, page);
    } else if state.shows_welcome() {
        draw_welcome(frame, state);
    }
}

/// Paints the picture `dots` into the middle of `area` as large as its framing allows.
fn paint(dots: &[[u8; 3]], framing: Framing, area: Rect, buffer: &mut Buffer) {
    let Viewport { x, y, width, height } =
        framing.viewport(u32::from(area.width), 2 * u32::from(area.height));
    let place = Part { x, y, width, height };
    let (width, height) = framing.crop.size();
    let [left, top, ..] = framing.crop.part();
    let (left, top) = ((left * PICTURE_WIDTH as f32) as u32, (top * PICTURE_HEIGHT as f32) as u32);
    let part = Part { x: left, y: top, width, height };
    half_blocks::paint(|x, y| dots[(y * PICTURE_WIDTH + x) as usize], part, place, area, buffer);
}

fn line_below(state: &UiState) -> Line<'static> {
    let title = state.title();
    match state.notes.lines().pop() {
        Some((kind, text)) => Line::styled(text, Style::new().fg(colour(kind))),
        None => Line::from(vec![
            Span::styled(title, Style::new().fg(Color::White)),
            Span::styled("   Esc menu · F2 keys · Ctrl+C quit", Style::new().fg(Color::DarkGray)),
        ]),
    }
}

fn colour(kind: MessageKind) -> Color {
    match kind {
        MessageKind::Note | MessageKind::Script => Color::White,
        MessageKind::Warning => Color::Yellow,
        MessageKind::Error => Color::LightRed,
    }
}

/// Returns a rectangle in the middle of `area`, at most `width` by `height`.
fn middle(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

fn draw_menu(frame: &mut ratatui::Frame<'_>, state: &UiState, page: Page) {
    let rows = state.rows();
    let cursor = state.menu.cursor(&rows);
    let place = middle(frame.area(), 76, rows.len() as u16 + 2);
    let inner = Rect { x: place.x + 1, width: place.width.saturating_sub(2), ..place };
    let room = usize::from(place.height.saturating_sub(2));
    let first = state.menu.in_sight(&rows).saturating_sub(room.saturating_sub(1));
    let width = usize::from(inner.width);
    let mut lines: Vec<Line<'_>> = vec![];
    for (number, row) in rows.iter().enumerate().skip(first).take(room) {
        let at_cursor = cursor == Some(number);
        let value =
            if row.is_setting() && at_cursor { format!("< {} >", row.value) } else { row.value.clone() };
        let value: String = value.chars().take(width.saturating_sub(4)).collect();
        let space = width.saturating_sub(value.chars().count() + 2);
        let label: String = row.label.chars().take(space).collect();
        let style = match (row.lit || at_cursor, row.is_choice()) {
            (true, _) => Style::new().fg(Color::Yellow),
            (false, true) => Style::new().fg(Color::White),
            (false, false) => Style::new().fg(Color::Gray),
        };
        let mark = if at_cursor { ">" } else { " " };
        lines.push(Line::styled(format!("{mark} {label:<space$}{value}"), style));
    }
    let hint = match &state.menu.listening {
        Some(listening) => {
            format!("press a key or button for {}", listening.target.name())
        }
        None => page.hint().to_owned(),
    };
    let block = Block::bordered().title(page.title()).title_bottom(hint).style(Style::new().bg(Color::Black));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(block), place);
}

fn draw_welcome(frame: &mut ratatui::Frame<'_>, state: &UiState) {
    let rows = state.welcome_rows();
    let lines: Vec<Line<'_>> =
        rows.iter().map(|row| Line::from(format!("{:<22}{}", row.label, row.value))).collect();
    let place = middle(frame.area(), 64, rows.len() as u16 + 2);
    let block = Block::bordered()
        .title("Keys")
        .title_bottom("Esc or any game key: close")
        .style(Style::new().bg(Color::Black).fg(Color::White));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(block), place);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ratatui::backend::TestBackend;
    use ratatui::{TerminalOptions, Viewport};

    use super::*;
    use crate::messages::handle::Shared;

    /// Returns what stands on a terminal of that size, line by line.
    fn screen(state: &mut UiState, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, state)).unwrap();
        let cells = terminal.backend().buffer().content().chunks(usize::from(width));
        cells.map(|line| line.iter().map(ratatui::buffer::Cell::symbol).collect::<String>() + "\n").collect()
    }

    #[test]
    fn a_terminal_shows_picture_title_and_menu_at_any_size() {
        let (queue, _machine) = mpsc::channel();
        let options = Options::new("game", vec![]);
        let mut state = UiState::new(&options, MachineHandle::new(queue, Arc::new(Shared::new())));
        let plain = screen(&mut state, 80, 24);
        assert!(plain.starts_with("▀▀▀") && plain.contains("Maxout"), "{plain}");
        state.menu.open(Page::Pause);
        let menu = screen(&mut state, 80, 24);
        assert!(menu.contains("Paused") && menu.contains("> Resume"), "{menu}");
        state.menu.open(Page::Help);
        for _ in 0..30 {
            state.step(crate::ui::step::Step::Down);
        }
        assert!(screen(&mut state, 80, 24).contains("Ctrl+Q"), "the last line can be reached");
        for (width, height) in [(1, 1), (2, 1), (5, 3), (300, 2)] {
            assert_eq!(screen(&mut state, width, height).lines().count(), usize::from(height));
        }
    }

    /// No terminal is there to answer: what asks where the cursor is fails.
    #[test]
    fn the_picture_is_drawn_anew_without_asking_the_terminal() {
        struct Sent(mpsc::Sender<u8>);
        impl Write for Sent {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                bytes.iter().try_for_each(|&byte| self.0.send(byte)).map_err(io::Error::other)?;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let (sent, all) = mpsc::channel();
        let area = Viewport::Fixed(Rect::new(0, 0, 20, 2));
        let options = TerminalOptions { viewport: area };
        let mut terminal = Terminal::with_options(CrosstermBackend::new(Sent(sent)), options).unwrap();
        let mut shown = || -> String {
            terminal.draw(|frame| frame.render_widget(Paragraph::new("Tetris"), frame.area())).unwrap();
            let text = String::from_utf8(all.try_iter().collect()).unwrap();
            redraw_all(&mut terminal).unwrap();
            text
        };
        assert!(shown().contains("Tetris"));
        let again = shown();
        assert!(again.contains("\u{1b}[2J") && again.contains("Tetris"), "{again:?}");
        assert!(!again.contains("\u{1b}[6n"), "it asks where the cursor is: {again:?}");
    }
}
