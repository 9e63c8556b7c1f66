//! The panels, drawn.

use nes_debug::command::{KEYS, Key};
use nes_debug::view;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::keys::OTHERS;
use super::{Screen, Voice};

const LABEL: Style = Style::new().fg(Color::Cyan);
const SOURCE: Style = Style::new().fg(Color::Green);
const NEXT: Style = Style::new().fg(Color::Black).bg(Color::Yellow);
const CHANGED: Style = Style::new().fg(Color::LightRed).add_modifier(Modifier::BOLD);

pub(super) fn draw(frame: &mut Frame<'_>, screen: &Screen) {
    let has_game = screen.session.debugger.profile().is_some();
    let [top, middle, talk, line] = Layout::vertical([
        Constraint::Length(4),
        Constraint::Min(8),
        Constraint::Percentage(28),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    let game_width = if has_game { Constraint::Length(70) } else { Constraint::Length(0) };
    let [left, right] = Layout::horizontal([Constraint::Min(40), game_width]).areas(middle);
    let [code, below] = Layout::vertical([Constraint::Percentage(58), Constraint::Min(4)]).areas(left);
    let [memory, stack] = Layout::horizontal([Constraint::Length(56), Constraint::Min(12)]).areas(below);

    let watches = watches(screen);
    let height = if watches.is_empty() { 0 } else { watches.len() as u16 + 2 };
    let [code, watched] =
        Layout::vertical([Constraint::Min(0), Constraint::Length(height.min(code.height / 2))]).areas(code);
    if !watches.is_empty() {
        boxed(frame, watched, "watches", watches);
    }
    boxed(frame, top, "registers", view::registers(&screen.session.debugger).lines().map(plain).collect());
    let rows = usize::from(code.height.saturating_sub(2));
    boxed(frame, code, "disassembly", disassembly(screen, rows));
    let rows = usize::from(memory.height.saturating_sub(2));
    let title = format!("memory: {} ${:04X}", screen.space.name(), screen.address);
    boxed(frame, memory, &title, bytes(screen, rows));
    boxed(frame, stack, "calls", calls(screen));
    if let Some(game) = view::game(&screen.session.debugger).filter(|_| has_game) {
        boxed(frame, right, "game", game.lines().map(plain).collect());
    }
    let rows = usize::from(talk.height.saturating_sub(2));
    let lines = screen.talk.iter().skip(screen.talk.len().saturating_sub(rows));
    boxed(frame, talk, "commands", lines.map(|(voice, line)| said(*voice, line)).collect());

    frame.render_widget(Paragraph::new(format!("> {}", screen.line)), line);
    frame.set_cursor_position((line.x + 2 + screen.cursor as u16, line.y));
    if screen.help {
        help(frame);
    }
}

fn plain(line: &str) -> Line<'static> {
    Line::raw(line.to_owned())
}

fn said(voice: Voice, line: &str) -> Line<'static> {
    match voice {
        Voice::User => Line::styled(format!("> {line}"), LABEL),
        Voice::Debugger => plain(line),
        Voice::Error => Line::styled(line.to_owned(), CHANGED),
    }
}

fn boxed(frame: &mut Frame<'_>, area: Rect, title: &str, lines: Vec<Line<'static>>) {
    let block = Block::bordered().title(format!(" {title} "));
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// Instructions around the one that comes next.
fn disassembly(screen: &Screen, rows: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for line in view::code(&screen.session.debugger, rows) {
        if let Some(label) = &line.label {
            lines.push(Line::styled(format!("{label}:"), LABEL));
        }
        if let Some(source) = &line.source {
            lines.push(Line::styled(source.clone(), SOURCE));
        }
        let style = if line.is_next { NEXT } else { Style::new() };
        lines.push(Line::styled(format!("  {}", line.text), style));
    }
    lines
}

/// Rows of the memory panel; bytes that changed with the last command are marked.
fn bytes(screen: &Screen, rows: usize) -> Vec<Line<'static>> {
    let bytes = screen.space.bytes(screen.session.debugger.console());
    let end = bytes.len().min(screen.address + 16 * rows);
    (screen.address.min(end)..end)
        .step_by(16)
        .map(|at| {
            let mut spans = vec![Span::styled(format!("{at:04X} "), LABEL)];
            for (offset, byte) in bytes[at..bytes.len().min(at + 16)].iter().enumerate() {
                let changed = screen.before.get(at + offset).is_some_and(|before| before != byte);
                let style = if changed { CHANGED } else { Style::new() };
                spans.push(Span::styled(format!(" {byte:02X}"), style));
            }
            Line::from(spans)
        })
        .collect()
}

fn calls(screen: &Screen) -> Vec<Line<'static>> {
    let lines = view::call_lines(&screen.session.debugger);
    let style = |index| if index == 0 { NEXT } else { Style::new() };
    lines.into_iter().enumerate().map(|(index, line)| Line::styled(line, style(index))).collect()
}

/// Watched expressions; values that have changed since the last stop are marked.
fn watches(screen: &Screen) -> Vec<Line<'static>> {
    let watched = screen.session.debugger.watched();
    let style = |changed| if changed { CHANGED } else { Style::new() };
    watched.iter().map(|watched| Line::styled(watched.to_string(), style(watched.has_changed()))).collect()
}

fn help(frame: &mut Frame<'_>) {
    let mut lines: Vec<Line<'static>> = KEYS
        .iter()
        .map(|Key { number, shift, about, .. }| {
            let key = if *shift { format!("Shift-F{number}") } else { format!("F{number}") };
            plain(&format!(" {key:<12}{about}"))
        })
        .collect();
    lines.extend(OTHERS.iter().map(|(key, about)| plain(&format!(" {key:<12}{about}"))));
    let area = frame.area();
    let (width, height) = (area.width.min(72), area.height.min(lines.len() as u16 + 2));
    let place = Rect { x: (area.width - width) / 2, y: (area.height - height) / 2, width, height };
    frame.render_widget(Clear, place);
    boxed(frame, place, "keys", lines);
}

#[cfg(test)]
mod tests {
    use nes::{Cartridge, Config};
    use nes_debug::Debugger;
    use nes_debug::command::CommandSession;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::super::Screen;
    use super::draw;
    use cli::built_in;

    fn shown(screen: &Screen, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal in memory");
        terminal.draw(|frame| draw(frame, screen)).expect("nothing fails in memory");
        terminal.backend().to_string()
    }

    #[test]
    fn the_screen_shows_every_panel_at_any_size() {
        let cartridge = Cartridge::from_bytes(built_in::IMAGE).expect("the built-in cartridge");
        let profile = tetris::Profile::of_image(built_in::IMAGE);
        let debugger = Debugger::new(cartridge, Config::default(), profile);
        let mut screen = Screen::new(
            CommandSession::new(debugger, built_in::IMAGE.to_vec()),
            crate::debug::store::Disk::default(),
        );
        screen.enter("run 700");
        screen.enter("watch frame as hex");
        screen.enter("run 1");
        screen.enter("nonsense");
        screen.enter("");
        let text = shown(&screen, 140, 50);
        for word in [
            "registers",
            "disassembly",
            "memory: cpu $0000",
            "calls",
            "game",
            "DAS [",
            "watches",
            "1  frame = $02BD, was $02BC",
            "> run 1",
            "no such command",
        ] {
            assert!(text.contains(word), "{word} in\n{text}");
        }
        screen.help = true;
        assert!(shown(&screen, 140, 50).contains("Shift-F11"));
        for (width, height) in [(1, 1), (20, 5), (80, 24), (300, 100)] {
            shown(&screen, width, height);
        }
    }
}
