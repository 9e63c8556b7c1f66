//! The debugger under a game that is played: while it is open it has the console, and the engine waits.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, Cursor};
use std::path::Path;
use std::sync::Arc;

use draft::Draft;
use image::{ImageFormat, RgbImage};
use nes::{Buttons, Cartridge, Config, Console, Frame, Palette};
use nes_debug::command::{FileError, Files, Session};
use nes_debug::symbols::Format;
use nes_debug::view::{self, CallKind, Picture};
use nes_debug::{Debugger, Goal, Space, Stop, Symbols};
use tetris::{Profile, View};

use crate::DesktopError;

/// Lines of the conversation that are kept.
const LINES: usize = 200;

/// Instructions that are shown.
const INSTRUCTIONS: usize = 16;

/// Bytes of memory that are shown, 16 a line.
const BYTES: usize = 16 * 16;

/// `ram::RENDER_MODE` of a game.
const PLAYING: u8 = 3;

/// What the interface asks of the debugger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BenchOrder {
    /// Takes the console over, which then stands still.
    Open,
    /// Gives the console back as it is now.
    Close,
    /// A line of its language; `help` lists the commands.
    Say(String),
    /// Shows the next memory.
    TurnMemory,
    /// Shows another part of the memory: so many lines down, or up.
    Scroll(i32),
    /// Shows another drawing.
    Draw(Drawing),
}

/// What the debugger draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Drawing {
    /// Nothing.
    #[default]
    None,
    /// Both pattern tables.
    Patterns,
    /// The four nametables, with the part that is on the screen.
    Nametables,
    /// Sprites.
    Sprites,
    /// The palettes.
    Palettes,
    /// The last frame's register accesses where they happened.
    Events,
}

impl Drawing {
    /// All of them, with their names.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::None, "none"),
        (Self::Patterns, "patterns"),
        (Self::Nametables, "nametables"),
        (Self::Sprites, "sprites"),
        (Self::Palettes, "palettes"),
        (Self::Events, "events"),
    ];
}

/// Who says a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// The player.
    User,
    /// The debugger.
    Debugger,
    /// The debugger, of something that did not work.
    Error,
}

/// What is on the bench: plain texts and a picture, for whoever shows them.
#[derive(Debug, Clone, Default)]
pub struct Papers {
    /// Registers, flags, time.
    pub registers: String,
    /// Instructions about the next, and whether each is that.
    pub code: Vec<(bool, String)>,
    /// Name of the memory, first address.
    pub memory_title: String,
    /// Bytes, 16 a line; a `*` before those that changed.
    pub memory: String,
    /// What has been called and has not returned, the innermost first.
    pub calls: String,
    /// The game, if it is a known one.
    pub game: Option<String>,
    /// The sound registers.
    pub sound: String,
    /// What was said, the newest last.
    pub talk: Vec<(Voice, String)>,
    /// Which drawing it is, and the drawing.
    pub drawing: (Drawing, Option<Arc<Picture>>),
    /// Which cells of the playfield are filled, by the game's RAM, row by row from the top; none outside of a game.
    pub field: Option<[bool; 200]>,
}

/// The debugger and what of it is looked at.
pub(crate) struct Bench {
    session: Session,
    talk: VecDeque<(Voice, String)>,
    space: Space,
    address: usize,
    /// That memory at the last command.
    before: Vec<u8>,
    drawing: Drawing,
    palette: Palette,
}

impl Bench {
    /// The debugger of a console in `state`, with the cartridge of `image`. `labels` are the program's names as ld65
    /// wrote them.
    ///
    /// # Errors
    /// In a line, what is wrong with the image or the labels, or that the state is not this cartridge's.
    pub(crate) fn open(
        image: &[u8],
        labels: Option<&str>,
        config: Config,
        state: &[u8],
        palette: Palette,
    ) -> Result<Self, String> {
        let cartridge = Cartridge::from_bytes(image).map_err(|error| error.to_string())?;
        let profile = Profile::of_image(image, "", "");
        let of_game = profile.as_ref().map(Symbols::of_game).unwrap_or_default();
        let mut debugger = Debugger::new(cartridge, Config { sample_rate: None, ..config }, profile);
        debugger.symbols = match labels {
            Some(labels) => {
                let mut symbols = Format::Vice.read(labels, 0x8000).map_err(|error| error.to_string())?;
                symbols.fill_with(&of_game, "game");
                symbols
            }
            None => of_game,
        };
        debugger.load(state).map_err(|error| error.to_string())?;
        let mut bench = Self {
            session: Session::new(debugger, image.to_vec()),
            talk: VecDeque::new(),
            space: Space::Cpu,
            address: 0,
            before: vec![],
            drawing: Drawing::None,
            palette,
        };
        bench.say(Voice::Debugger, "`help` lists the commands; F1 or `quit` gives the game back");
        Ok(bench)
    }

    /// Runs a frame, with `pads` held. Answers no if a breakpoint or a jammed CPU stopped it.
    pub(crate) fn frame(&mut self, pads: [Buttons; 2]) -> bool {
        let debugger = &mut self.session.debugger;
        debugger.hold(pads);
        let stop = debugger.run(&Goal::Frames(1), 2, &mut |_| true);
        if stop == Stop::Done {
            return true;
        }
        let text = view::stop(debugger, &stop);
        self.say(Voice::Debugger, &text);
        false
    }

    /// Goes back by a frame. Answers no if there is no further back.
    pub(crate) fn step_back(&mut self) -> bool {
        self.session.debugger.back(&nes_debug::Unit::Frame, 1) == Stop::Done
    }

    /// Carries out a line of the debugger's language. Answers no if it was to quit. `goes_on` is asked after each
    /// frame of a run.
    pub(crate) fn command(&mut self, line: &str, goes_on: &mut dyn FnMut(&Console) -> bool) -> bool {
        self.say(Voice::User, line);
        let console = self.session.debugger.console();
        let (before, cycle) = (self.space.bytes(console), console.cycle());
        let outcome = self.session.execute(line, &mut Disk, goes_on);
        if self.session.debugger.console().cycle() != cycle {
            self.before = before;
        }
        match outcome {
            Ok(reply) => {
                let voice = if reply.failed { Voice::Error } else { Voice::Debugger };
                for line in reply.text.lines() {
                    self.say(voice, line);
                }
                !reply.quits
            }
            Err(error) => {
                self.say(Voice::Error, &error.to_string());
                true
            }
        }
    }

    /// Shows the next memory.
    pub(crate) fn turn_memory(&mut self) {
        let at = Space::ALL.iter().position(|(space, _)| *space == self.space).unwrap_or(0);
        (self.space, _) = Space::ALL[(at + 1) % Space::ALL.len()];
        self.address = 0;
        self.before.clear();
    }

    /// Shows the memory so many lines further down, or up.
    pub(crate) fn scroll(&mut self, lines: i32) {
        let length = self.space.len(&self.session.debugger.console().board);
        let moved = self.address.saturating_add_signed(16 * lines as isize);
        self.address = moved.min(length.saturating_sub(BYTES)) & !0xF;
    }

    /// Shows another drawing.
    pub(crate) fn draw(&mut self, drawing: Drawing) {
        self.drawing = drawing;
    }

    /// The picture, as far as it is drawn.
    pub(crate) fn picture(&self) -> &Frame {
        self.session.debugger.console().picture()
    }

    /// The console's state.
    pub(crate) fn state(&self) -> Vec<u8> {
        self.session.debugger.console().save()
    }

    /// Whether a byte of ROM is another than in the file: such a change ends with the debugger.
    pub(crate) fn has_edited_rom(&self) -> bool {
        self.session.debugger.has_edited_rom()
    }

    /// Everything as it is now.
    pub(crate) fn papers(&self) -> Papers {
        let debugger = &self.session.debugger;
        let before = (!self.before.is_empty()).then_some(self.before.as_slice());
        Papers {
            registers: view::registers(debugger),
            code: self.code(),
            memory_title: format!("{} ${:04X}", self.space.name(), self.address),
            memory: view::hex(debugger, self.space, self.address, BYTES, before),
            calls: self.calls(),
            game: view::game(debugger),
            sound: view::sound(debugger),
            talk: self.talk.iter().cloned().collect(),
            drawing: (self.drawing, self.drawn().map(Arc::new)),
            field: self.field(),
        }
    }

    /// Instructions about the next: code before it is only shown where a label is not far.
    fn code(&self) -> Vec<(bool, String)> {
        let debugger = &self.session.debugger;
        let pc = debugger.console().cpu.pc;
        let near = debugger.symbols.near(pc).filter(|(_, distance)| *distance < 0x20);
        let begin = near.map_or(pc, |(label, _)| label.address);
        let mut code = view::disassembly(debugger, begin, INSTRUCTIONS);
        if !code.iter().any(|line| line.is_next) {
            code = view::disassembly(debugger, pc, INSTRUCTIONS);
        }
        code.iter().map(|line| (line.is_next, line.text())).collect()
    }

    fn calls(&self) -> String {
        let debugger = &self.session.debugger;
        let text = |address| debugger.symbols.text(address);
        let calls = view::calls(debugger);
        let lines = calls.iter().rev().map(|call| {
            let kind = match call.kind {
                CallKind::Subroutine => "",
                CallKind::Nmi => "NMI ",
                CallKind::Irq => "IRQ ",
            };
            format!("{kind}{} < {}", text(call.to), text(call.from))
        });
        core::iter::once(text(debugger.console().cpu.pc)).chain(lines).collect::<Vec<_>>().join("\n")
    }

    fn drawn(&self) -> Option<Picture> {
        let (debugger, palette) = (&self.session.debugger, &self.palette);
        Some(match self.drawing {
            Drawing::None => return None,
            Drawing::Patterns => view::patterns(debugger, None, palette),
            Drawing::Nametables => view::nametables(debugger, palette),
            Drawing::Sprites => view::sprites(debugger, palette).0,
            Drawing::Palettes => view::palettes(debugger, palette).0,
            Drawing::Events => view::event_picture(debugger, palette),
        })
    }

    fn field(&self) -> Option<[bool; 200]> {
        let debugger = &self.session.debugger;
        let mapped = debugger.profile()?.as_mapped(debugger.console().ram());
        let view = View::new(&mapped);
        (view.byte(tetris::ram::RENDER_MODE) == PLAYING)
            .then(|| core::array::from_fn(|cell| view.is_taken(cell / 10, cell % 10)))
    }

    fn say(&mut self, voice: Voice, line: &str) {
        if self.talk.len() == LINES {
            self.talk.pop_front();
        }
        self.talk.push_back((voice, line.to_owned()));
    }
}

/// Files by their path. Written ones appear whole or not at all.
struct Disk;

fn unwritable(name: &str, error: impl core::fmt::Display) -> FileError {
    FileError(format!("{name}: cannot be written: {error}"))
}

impl Files for Disk {
    fn read(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        let failed = |source| DesktopError::Read { path: name.into(), source };
        fs::read(name).map_err(|error| FileError(failed(error).to_string()))
    }

    fn write(
        &mut self,
        name: &str,
        fill: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), FileError> {
        Draft::write_by(Path::new(name), |file| fill(file)).map_err(|error| unwritable(name, error.source))
    }

    fn picture(&mut self, name: &str, picture: &Picture) -> Result<(), FileError> {
        let (width, height) = (picture.width as u32, picture.height as u32);
        let image = RgbImage::from_raw(width, height, picture.pixels.as_flattened().to_vec())
            .ok_or_else(|| unwritable(name, "it has another size than it says"))?;
        let mut png = Cursor::new(Vec::new());
        image.write_to(&mut png, ImageFormat::Png).map_err(|error| unwritable(name, error))?;
        self.write(name, &mut |file| file.write_all(png.get_ref()))
    }
}

#[cfg(test)]
#[path = "bench_tests.rs"]
mod tests;
