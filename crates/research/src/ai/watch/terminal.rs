//! Pictures that somebody else makes, shown in the terminal.

use std::io::{self, IsTerminal};
use std::mem::ManuallyDrop;
use std::time::{Duration, Instant};

use nes::{Frame, Palette};
use ratatui::backend::{Backend, ClearType};
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use ratatui::{DefaultTerminal, Terminal};
use tty::Keys;
use tty::half_blocks::{self, Part};

use crate::ai::AiError;
use cli::error::Error;
use cli::interrupt::Interrupt;

/// The least time from one drawing to the next: what most terminals and lines to them can take.
const DRAWING: Duration = Duration::from_millis(30);
/// How often everything is drawn anew: other programs and libraries write into the terminal as
/// well.
const AFRESH: Duration = Duration::from_secs(3);
/// Times by which a key makes it go faster or slower.
const FASTER: f64 = 2.0;
/// The fastest and the slowest, by the speed asked for.
const BOUNDS: (f64, f64) = (1.0 / 1024.0, 1024.0);

/// Shows a run of pictures as half blocks, one about every 30 ms, until the viewer has enough (q,
/// Esc, Ctrl-C), has closed the terminal, or has asked to stop.
///
/// `next` makes each picture: it is told how many seconds of its own time have passed since the
/// last, and answers with the picture and the line below it. Space holds its time, `+` and `-`
/// double and halve it.
pub(super) fn show(
    palette: &Palette,
    interrupt: &Interrupt,
    mut next: impl FnMut(f64) -> (Frame, String),
) -> Result<(), Error> {
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        return Err(AiError::NoTerminal.into());
    }
    // What its `drop` does is done below: it would panic where the terminal is gone.
    let mut terminal = ManuallyDrop::new(ratatui::try_init().map_err(AiError::Terminal)?);
    let outcome = until_enough(&mut terminal, palette, interrupt, &mut next);
    let restored = terminal.show_cursor().and_then(|()| ratatui::try_restore());
    if tty::has_hung_up() {
        // Who has closed the terminal has enough.
        return Ok(());
    }
    Ok(outcome.and(restored).map_err(AiError::Terminal)?)
}

fn until_enough(
    terminal: &mut DefaultTerminal,
    palette: &Palette,
    interrupt: &Interrupt,
    next: &mut dyn FnMut(f64) -> (Frame, String),
) -> io::Result<()> {
    let keys = Keys::listen()?;
    let mut tempo = Tempo { factor: 1.0, held: false };
    let mut last = Instant::now();
    let mut afresh = last + AFRESH;
    while !interrupt.asked() {
        let drawn = Instant::now();
        let passed = drawn.duration_since(last).as_secs_f64();
        last = drawn;
        let (picture, text) = next(tempo.of(passed));
        if drawn > afresh {
            redraw_all(terminal)?;
            afresh = drawn + AFRESH;
        }
        terminal.draw(|frame| draw(frame, picture.pixels(), palette, &text))?;
        loop {
            let left = DRAWING.saturating_sub(drawn.elapsed());
            let Some(event) = keys.next(left)? else { break };
            if let Event::Key(key) = event
                && key.kind != KeyEventKind::Release
            {
                let control = key.modifiers.contains(KeyModifiers::CONTROL);
                if !tempo.hear(key.code, control) {
                    return Ok(());
                }
            }
            if left == Duration::ZERO {
                break;
            }
        }
    }
    Ok(())
}

/// Has the next picture drawn whole. `Terminal::clear` would ask the terminal where its cursor is,
/// and fail where it answers late.
fn redraw_all<B: Backend>(terminal: &mut Terminal<B>) -> Result<(), B::Error> {
    terminal.backend_mut().clear_region(ClearType::All)?;
    terminal.swap_buffers();
    Ok(())
}

/// How fast the pictures' own time goes.
struct Tempo {
    factor: f64,
    held: bool,
}

impl Tempo {
    fn of(&self, seconds: f64) -> f64 {
        if self.held { 0.0 } else { self.factor * seconds }
    }

    /// `false` if the viewer has enough.
    fn hear(&mut self, key: KeyCode, control: bool) -> bool {
        match key {
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => return false,
            KeyCode::Char('c') if control => return false,
            KeyCode::Char(' ') => self.held = !self.held,
            KeyCode::Char('+' | '=') => self.factor = (self.factor * FASTER).min(BOUNDS.1),
            KeyCode::Char('-') => self.factor = (self.factor / FASTER).max(BOUNDS.0),
            _ => {}
        }
        true
    }
}

fn draw(frame: &mut ratatui::Frame<'_>, dots: &[u16], palette: &Palette, text: &str) {
    let area = frame.area();
    let picture = Rect { height: area.height.saturating_sub(1), ..area };
    let whole = Part { x: 0, y: 0, width: Frame::WIDTH as u32, height: Frame::HEIGHT as u32 };
    let dot = |x, y| dots.get(y as usize * Frame::WIDTH + x as usize).map_or([0; 3], |&dot| palette.rgb(dot));
    half_blocks::paint(dot, whole, Part::fitted(whole, picture), picture, frame.buffer_mut());
    let below = Rect { y: picture.bottom(), height: area.height - picture.height, ..area };
    let line = Line::from(vec![
        Span::styled(text.to_owned(), Style::new().fg(Color::White)),
        Span::styled("   Space hold · + - speed · q quit", Style::new().fg(Color::DarkGray)),
    ]);
    frame.render_widget(Paragraph::new(line), below);
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use ratatui::backend::{CrosstermBackend, TestBackend};
    use ratatui::{TerminalOptions, Viewport};

    use super::*;

    /// A terminal that takes everything and answers nothing.
    #[derive(Clone, Default)]
    struct Mute(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Mute {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_picture_is_drawn_anew_without_a_question_to_the_terminal() {
        let mute = Mute::default();
        let viewport = Viewport::Fixed(Rect::new(0, 0, 40, 10));
        let backend = CrosstermBackend::new(mute.clone());
        let mut terminal = Terminal::with_options(backend, TerminalOptions { viewport }).unwrap();
        let dots = vec![0x16; 256 * 240];
        let mut lengths = vec![];
        for anew in [false, false, true] {
            if anew {
                redraw_all(&mut terminal).unwrap();
            }
            terminal.draw(|frame| draw(frame, &dots, &Palette::ntsc(), "12 pieces")).unwrap();
            let written = std::mem::take(&mut *mute.0.lock().unwrap());
            assert!(!written.windows(4).any(|part| part == b"\x1B[6n"), "it asks where the cursor is");
            lengths.push(written.len());
        }
        assert!(lengths[1] < 100 && lengths[2] >= lengths[0], "bytes of the pictures: {lengths:?}");
    }

    #[test]
    fn keys_hold_double_halve_and_end() {
        let mut tempo = Tempo { factor: 1.0, held: false };
        assert!(tempo.hear(KeyCode::Char('+'), false) && tempo.hear(KeyCode::Char('+'), false));
        assert!(tempo.hear(KeyCode::Char('-'), false) && tempo.hear(KeyCode::Char('c'), false));
        assert!((tempo.of(0.5) - 1.0).abs() < 1e-12);
        assert!(tempo.hear(KeyCode::Char(' '), false));
        assert!(tempo.of(0.5).abs() < 1e-12);
        assert!(!tempo.hear(KeyCode::Char('c'), true) && !tempo.hear(KeyCode::Esc, false));
        assert!((0..100).all(|_| tempo.hear(KeyCode::Char('+'), false)));
        assert!(tempo.factor <= 1024.0);
    }

    #[test]
    fn a_picture_stands_above_its_line_in_any_terminal() {
        let dots = vec![0x16; 256 * 240];
        for (width, height) in [(80, 25), (3, 1), (1, 2)] {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            terminal.draw(|frame| draw(frame, &dots, &Palette::ntsc(), "12 pieces")).unwrap();
            let buffer = terminal.backend().buffer();
            let last: String = (0..width).map(|x| buffer[(x, height - 1)].symbol()).collect();
            assert!("12 pieces".starts_with(last.chars().next().unwrap()) || width < 80, "{last}");
            if height > 1 && width > 3 {
                let [red, green, blue] = Palette::ntsc().rgb(0x16);
                assert_eq!(buffer[(width / 2, height / 2)].fg, Color::Rgb(red, green, blue));
            }
        }
    }
}
