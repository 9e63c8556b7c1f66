//! What is on the bench: plain values of the open panels, for whoever shows them.

use std::collections::BTreeMap;
use std::sync::Arc;

use nes_debug::view::{self, Picture};
use nes_debug::{Expression, Space, Watched};
use tetris::View;
use tetris::ram::render_mode;

use super::{Bench, Panel, Voice};
use crate::emulation::engine::Engine;

/// Cells of the search that are shown.
const FOUND: usize = 256;

/// Changed bytes of the program that are shown.
const EDITS: usize = 64;

/// Frames of the profile.
const FRAMES: usize = 8;

/// What the game's panel says where there is nothing to show.
const UNRECOGNISED: &str = "This ROM isn't recognised as Tetris.\n`maxout inspect` says what is known of it;\na \
                            --profile says where a hack keeps things.";

/// Labels of the profile.
const LABELS: usize = 24;

/// Everything that the open panels show; nothing of the others but registers, the playfield and what was said.
#[derive(Debug, Clone, Default)]
pub struct Papers {
    /// Registers, flags, time: items with two spaces between them.
    pub registers: String,
    /// Instructions.
    pub code: Vec<CodeLine>,
    /// What has been called and has not returned, the innermost first, and where it is.
    pub calls: Vec<(String, u16)>,
    /// The memory.
    pub memory: Option<MemoryPaper>,
    /// The breakpoints.
    pub breakpoints: Vec<BreakpointLine>,
    /// The watched expressions.
    pub watches: Vec<Watched>,
    /// The search: how many bytes are possible, and the first of them. `None` before it has begun.
    pub search: Option<(usize, Vec<Found>)>,
    /// Frozen bytes: address, value, name.
    pub frozen: Vec<(u16, u8, String)>,
    /// Bytes of PRG-ROM that are others than in the file: place, there, now. The first of so many.
    pub edits: (usize, Vec<(usize, u8, u8)>),
    /// The last frame's register accesses.
    pub accesses: Vec<AccessLine>,
    /// The pictures of the panels that have one.
    pub pictures: BTreeMap<Panel, Arc<Picture>>,
    /// The texts of the panels that have one.
    pub texts: BTreeMap<Panel, String>,
    /// The expression whose value is wanted, and the value; or what is wrong with it, which is said too.
    pub answer: Option<(String, Result<i64, String>)>,
    /// What was said, the newest last.
    pub talk: Vec<(Voice, String)>,
    /// Which cells of the playfield are filled, by the game's RAM, row by row from the top; none outside of a game.
    pub field: Option<[bool; 200]>,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeLine {
    /// Its address.
    pub address: u16,
    /// The label that stands there.
    pub label: Option<String>,
    /// Bytes, mnemonic, operand, cycles.
    pub text: String,
    /// Does it come next?
    pub is_next: bool,
    /// The breakpoint on it: its number, and whether it is on.
    pub breakpoint: Option<(u32, bool)>,
}

/// A memory.
#[derive(Debug, Clone)]
pub struct MemoryPaper {
    /// Which.
    pub space: Space,
    /// All of its bytes.
    pub bytes: Arc<Vec<u8>>,
    /// The same before the machine last moved, or a moment ago while it runs; may be empty.
    pub before: Arc<Vec<u8>>,
    /// Addresses of those that are frozen.
    pub frozen: Vec<usize>,
    /// The name of the byte about which more is told.
    pub name: String,
}

/// A breakpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreakpointLine {
    /// By which it is named.
    pub number: u32,
    /// Whether it takes part.
    pub enabled: bool,
    /// What it waits for, on what condition, how often it was hit.
    pub text: String,
}

/// A byte that the search has left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its address.
    pub address: u16,
    /// At the last look.
    pub then: u8,
    /// Now.
    pub now: u8,
    /// The address with its name.
    pub name: String,
}

/// A register access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessLine {
    /// Line and dot.
    pub place: (u16, u16),
    /// Register, value, and from where.
    pub text: String,
}

impl Bench {
    /// Everything as it is now in the engine's console.
    pub(crate) fn papers(&mut self, engine: &mut Engine) -> Papers {
        engine.sync(&mut self.session.debugger);
        self.session.debugger.exchange(engine.console());
        let papers = self.snapshot();
        self.session.debugger.exchange(engine.console());
        papers
    }

    fn snapshot(&mut self) -> Papers {
        let answer = self.answer();
        let debugger = &self.session.debugger;
        let mut papers = Papers {
            answer,
            registers: view::registers(debugger).replace('\n', "  "),
            talk: self.talk.iter().cloned().collect(),
            field: self.field(),
            ..Papers::default()
        };
        for panel in self.gaze.panels.clone() {
            self.lay_out(panel, &mut papers);
        }
        papers
    }

    /// The value that is wanted. What is wrong is said once.
    fn answer(&mut self) -> Option<(String, Result<i64, String>)> {
        let asked = self.gaze.ask.clone()?;
        let debugger = &self.session.debugger;
        let value = Expression::parse(&asked, &debugger.names());
        let value = value.map(|value| value.value(&debugger.scene())).map_err(|error| error.to_string());
        if let Err(error) = &value {
            let error = error.clone();
            self.gaze.ask = None;
            self.say(Voice::Error, &error);
        }
        Some((asked, value))
    }

    fn lay_out(&mut self, panel: Panel, papers: &mut Papers) {
        if panel == Panel::Memory {
            papers.memory = Some(self.memory());
            return;
        }
        let (debugger, palette) = (&self.session.debugger, &self.palette);
        let (mut picture, mut text) = (None, None);
        match panel {
            Panel::Registers | Panel::Trace | Panel::Commands | Panel::Memory => {}
            Panel::Code => papers.code = self.code(),
            Panel::Calls => papers.calls = self.calls(),
            Panel::Breakpoints => papers.breakpoints = self.breakpoints(),
            Panel::Watches => papers.watches = debugger.watched(),
            Panel::Search => papers.search = self.found(),
            Panel::Cheats => {
                let name = |(&address, &value)| (address, value, debugger.symbols.text(address));
                papers.frozen = debugger.frozen().iter().map(name).collect();
                papers.edits = self.edits();
            }
            Panel::Events => {
                picture = Some(view::event_picture(debugger, palette));
                papers.accesses = self.accesses();
            }
            Panel::Patterns => {
                picture = Some(view::patterns(debugger, self.gaze.palette, palette).enlarged(2));
            }
            Panel::Nametables => picture = Some(view::nametables(debugger, palette)),
            Panel::Sprites => {
                let (sprites, list) = view::sprites(debugger, palette);
                (picture, text) = (Some(sprites.enlarged(2)), Some(list));
            }
            Panel::Palettes => {
                let (colours, list) = view::palettes(debugger, palette);
                (picture, text) = (Some(colours.enlarged(2)), Some(list));
            }
            Panel::Sound => {
                let (scopes, list) = view::scope_picture(debugger);
                (picture, text) = (Some(scopes), Some(list));
            }
            Panel::Profile => text = Some(self.profile()),
            Panel::Game => text = Some(view::game(debugger).unwrap_or_else(|| UNRECOGNISED.into())),
        }
        if let Some(picture) = picture {
            papers.pictures.insert(panel, Arc::new(picture));
        }
        if let Some(text) = text {
            papers.texts.insert(panel, text);
        }
    }

    fn code(&self) -> Vec<CodeLine> {
        let debugger = &self.session.debugger;
        let lines = match self.gaze.code {
            Some(address) => view::disassembly(debugger, address, self.gaze.rows),
            None => view::code(debugger, self.gaze.rows),
        };
        let line = |line: view::Line| CodeLine {
            breakpoint: self.breakpoint_at(line.address),
            address: line.address,
            label: line.label,
            text: line.text,
            is_next: line.is_next,
        };
        lines.into_iter().map(line).collect()
    }

    /// The breakpoint on the execution of this very address.
    fn breakpoint_at(&self, address: u16) -> Option<(u32, bool)> {
        let list = self.session.debugger.breakpoints.list().iter();
        let mut on_it = list.filter(|breakpoint| breakpoint.trigger == super::execution_of(address));
        on_it.next().map(|breakpoint| (breakpoint.number, breakpoint.enabled))
    }

    fn calls(&self) -> Vec<(String, u16)> {
        let debugger = &self.session.debugger;
        let symbols = &debugger.symbols;
        let here = debugger.console().cpu.pc;
        let calls = view::calls(debugger);
        let lines = calls.iter().rev().map(|call| (call.text(symbols), call.from));
        core::iter::once((symbols.text(here), here)).chain(lines).collect()
    }

    fn memory(&mut self) -> MemoryPaper {
        self.look_at_memory();
        let debugger = &self.session.debugger;
        let name = match self.gaze.memory {
            Space::Cpu => debugger.symbols.text(self.gaze.byte as u16),
            space => format!("{}[${:04X}]", space.name(), self.gaze.byte),
        };
        let frozen = match self.gaze.memory {
            Space::Cpu => debugger.frozen().keys().map(|&address| address.into()).collect(),
            _ => vec![],
        };
        MemoryPaper {
            space: self.gaze.memory,
            bytes: Arc::clone(&self.bytes),
            before: Arc::clone(&self.before),
            frozen,
            name,
        }
    }

    fn breakpoints(&self) -> Vec<BreakpointLine> {
        let line = |breakpoint: &nes_debug::Breakpoint| BreakpointLine {
            number: breakpoint.number,
            enabled: breakpoint.enabled,
            text: breakpoint.to_string(),
        };
        self.session.debugger.breakpoints.list().iter().map(line).collect()
    }

    fn found(&self) -> Option<(usize, Vec<Found>)> {
        let (search, debugger) = (self.session.search()?, &self.session.debugger);
        let console = debugger.console();
        let found = search.candidates().iter().take(FOUND).map(|&(address, then)| Found {
            address,
            then,
            now: console.peek(address),
            name: debugger.symbols.text(address),
        });
        Some((search.candidates().len(), found.collect()))
    }

    fn edits(&self) -> (usize, Vec<(usize, u8, u8)>) {
        let now = self.session.debugger.console().board.cartridge().prg_rom();
        let pairs = self.program.iter().zip(now).enumerate();
        let other = pairs.filter(|(_, (then, now))| then != now);
        let edits: Vec<_> = other.map(|(place, (&then, &now))| (place, then, now)).collect();
        (edits.len(), edits.into_iter().take(EDITS).collect())
    }

    fn accesses(&self) -> Vec<AccessLine> {
        let debugger = &self.session.debugger;
        let line = |access: &view::RegisterAccess| {
            let sign = if access.write { "<-" } else { "->" };
            let from = debugger.symbols.text(access.pc);
            AccessLine {
                place: (access.line, access.dot),
                text: format!("${:04X} {sign} {:02X}  {from}", access.address, access.value),
            }
        };
        view::accesses(debugger).iter().map(line).collect()
    }

    /// What the last frames had left before their NMI, and the labels of the last.
    fn profile(&self) -> String {
        let debugger = &self.session.debugger;
        let frame = debugger.console().frame_number();
        let remembered = frame.saturating_sub(debugger.oldest_frame() + 1);
        let frames =
            view::profile(debugger, usize::try_from(remembered).map_or(FRAMES, |all| all.min(FRAMES)));
        let mut lines: Vec<String> = frames
            .iter()
            .map(|frame| {
                let at =
                    frame.interrupted.map_or_else(|| "no NMI".to_owned(), |pc| debugger.symbols.text(pc));
                let view::FrameProfile { frame, cycles, dma, slack, .. } = frame;
                format!("frame {frame:>6}  {cycles:>5} cycles  DMA {dma:>4}  slack {slack:>5}  NMI in {at}")
            })
            .collect();
        if let Some(last) = frames.last() {
            let labels = last.by_label(debugger);
            lines.extend(labels.iter().take(LABELS).map(|(label, cycles)| {
                let share = *cycles as f64 * 100.0 / last.cycles.max(1) as f64;
                format!("{cycles:>6}  {share:5.1} %  {label}")
            }));
        }
        if lines.is_empty() { "no frame is over yet".into() } else { lines.join("\n") }
    }

    fn field(&self) -> Option<[bool; 200]> {
        let debugger = &self.session.debugger;
        let mapped = debugger.profile()?.as_mapped(debugger.console().ram());
        let view = View::new(&mapped);
        (view.byte(tetris::ram::RENDER_MODE) == render_mode::PLAY)
            .then(|| core::array::from_fn(|cell| view.is_taken(cell / 10, cell % 10)))
    }
}
