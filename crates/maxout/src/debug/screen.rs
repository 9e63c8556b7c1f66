//! The debugger in the terminal: panels, and a line for commands.

mod keys;
mod panels;

use std::collections::VecDeque;
use std::process::ExitCode;
use std::time::Duration;

use nes_debug::Space;
use nes_debug::command::{CommandSession, Recall};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::DebugError;
use super::store::Disk;
use cli::error::Error;

/// Lines of the conversation that are kept.
const LINES: usize = 2_000;

/// Everything on the screen that is not the session's own.
struct Screen {
    session: CommandSession,
    /// What was said: commands and replies.
    talk: VecDeque<(Voice, String)>,
    /// The command line, and the place in it in characters.
    line: String,
    cursor: usize,
    recall: Recall,
    /// The memory panel.
    space: Space,
    address: usize,
    /// That memory at the last stop.
    before: Vec<u8>,
    help: bool,
    over: bool,
    disk: Disk,
}

/// Who says a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    User,
    Debugger,
    Error,
}

/// Runs until the user quits.
pub(super) fn run(session: CommandSession, disk: Disk) -> Result<ExitCode, Error> {
    let failed = |error| Error::from(DebugError::Terminal(error));
    let mut screen = Screen::new(session, disk);
    let mut terminal = ratatui::try_init().map_err(failed)?;
    let outcome = screen.until_quit(&mut terminal);
    ratatui::restore();
    outcome.map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

impl Screen {
    fn new(session: CommandSession, disk: Disk) -> Self {
        let mut screen = Self {
            session,
            talk: VecDeque::new(),
            line: String::new(),
            cursor: 0,
            recall: Recall::default(),
            space: Space::Cpu,
            address: 0,
            before: Vec::new(),
            help: false,
            over: false,
            disk,
        };
        screen.say(Voice::Debugger, "`help` lists the commands, F1 the keys; Ctrl-C ends the session");
        screen
    }

    fn until_quit(&mut self, terminal: &mut DefaultTerminal) -> std::io::Result<()> {
        while !self.over {
            terminal.draw(|frame| panels::draw(frame, self))?;
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
            {
                self.press(key);
            }
        }
        Ok(())
    }

    fn press(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(key.code, KeyCode::Char('c' | 'd')) {
            self.over = true;
            return;
        }
        if self.help {
            self.help = false;
            return;
        }
        if let Some(command) = keys::command(&key) {
            self.execute(command);
            return;
        }
        match key.code {
            KeyCode::F(1) => self.help = true,
            KeyCode::Enter => {
                let line = std::mem::take(&mut self.line);
                self.cursor = 0;
                self.enter(&line);
            }
            KeyCode::Tab => self.turn_memory(),
            KeyCode::PageUp => self.address = self.address.saturating_sub(0x80),
            KeyCode::PageDown => self.address += 0x80,
            KeyCode::Up => {
                let line = self.recall.older().map(str::to_owned);
                self.show(line);
            }
            KeyCode::Down => {
                let line = self.recall.newer().map(str::to_owned);
                self.show(line);
            }
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.line.chars().count()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.line.chars().count(),
            KeyCode::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.line.remove(self.byte());
            }
            KeyCode::Delete if self.byte() < self.line.len() => {
                self.line.remove(self.byte());
            }
            KeyCode::Char(letter) if !control => {
                self.line.insert(self.byte(), letter);
                self.cursor += 1;
            }
            _ => {}
        }
        let length = self.space.len(&self.session.debugger.console().board);
        self.address = self.address.min(length.saturating_sub(0x10));
    }

    /// Where in the line the cursor is, in bytes.
    fn byte(&self) -> usize {
        self.line.char_indices().nth(self.cursor).map_or(self.line.len(), |(at, _)| at)
    }

    /// A line was typed; an empty one says the last again.
    fn enter(&mut self, line: &str) {
        if let Some(line) = self.recall.enter(line) {
            self.execute(&line);
        }
    }

    fn execute(&mut self, line: &str) {
        self.say(Voice::User, line);
        let before = self.space.bytes(self.session.debugger.console());
        let cycle = self.session.debugger.console().cycle();
        // A run of the user's stops at any key.
        let mut goes_on = || !matches!(event::poll(Duration::ZERO), Ok(true));
        let outcome = self.session.execute(line, &mut self.disk, &mut goes_on);
        if self.session.debugger.console().cycle() != cycle {
            self.before = before;
        }
        match outcome {
            Ok(reply) => {
                let voice = if reply.failed { Voice::Error } else { Voice::Debugger };
                for line in reply.text.lines() {
                    self.say(voice, line);
                }
                self.over |= reply.quits;
            }
            Err(error) => self.say(Voice::Error, &error.to_string()),
        }
    }

    fn say(&mut self, voice: Voice, line: &str) {
        if self.talk.len() == LINES {
            self.talk.pop_front();
        }
        self.talk.push_back((voice, line.to_owned()));
    }

    /// The next memory.
    fn turn_memory(&mut self) {
        let at = Space::ALL.iter().position(|(space, _)| *space == self.space).unwrap_or(0);
        (self.space, _) = Space::ALL[(at + 1) % Space::ALL.len()];
        self.address = 0;
        self.before = Vec::new();
    }

    /// A line of before stands in the command line.
    fn show(&mut self, line: Option<String>) {
        if let Some(line) = line {
            self.cursor = line.chars().count();
            self.line = line;
        }
    }
}
