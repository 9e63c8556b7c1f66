//! The snapshot of a debug session: what the open panels show of the console.

use std::sync::Arc;

use emulator::Emulator;
use nes_debug::view;
use nes_debug::{Expression, Space};
use tetris::View;
use tetris::ram::render_mode;

use super::snapshot::{AccessLine, BreakpointLine, CodeLine, DebugSnapshot, Found, LogSource, MemoryView};
use super::{DebugSession, Panel};

/// Cells of the search that are shown.
const FOUND: usize = 256;

/// Changed bytes of the program that are shown.
const EDITS: usize = 64;

/// Frames of the profile.
const FRAMES: usize = 8;

/// What the game's panel says where there is nothing to show.
const UNRECOGNISED: &str = "This ROM isn't recognised as Tetris.\n`maxout inspect` prints what is known about it;\na --profile describes a hack's memory.";

/// Labels of the profile.
const LABELS: usize = 24;

impl DebugSession {
    /// Returns everything as it is now in the engine's console.
    pub(crate) fn snapshot(&mut self, engine: &mut Emulator) -> DebugSnapshot {
        engine.sync(&mut self.session.debugger);
        self.session.debugger.exchange(engine.console());
        let snapshot = self.read_panels();
        self.session.debugger.exchange(engine.console());
        snapshot
    }

    fn read_panels(&mut self) -> DebugSnapshot {
        let answer = self.answer();
        let debugger = &self.session.debugger;
        let mut snapshot = DebugSnapshot {
            answer,
            registers: view::registers(debugger).replace('\n', "  "),
            timeline: debugger.timeline(),
            log: self.log.iter().cloned().collect(),
            field: self.field(),
            ..DebugSnapshot::default()
        };
        for panel in self.panel_state.panels.clone() {
            self.add_panel(panel, &mut snapshot);
        }
        snapshot
    }

    /// Returns the value that is wanted. What is wrong is said once.
    fn answer(&mut self) -> Option<(String, Option<i64>)> {
        let asked = self.panel_state.ask.clone()?;
        let debugger = &self.session.debugger;
        let value = Expression::parse(&asked, &debugger.names());
        let value = value.map(|value| value.value(&debugger.scene()));
        if let Err(error) = &value {
            self.panel_state.ask = None;
            self.log(LogSource::Error, &error.to_string());
        }
        Some((asked, value.ok()))
    }

    fn add_panel(&mut self, panel: Panel, snapshot: &mut DebugSnapshot) {
        if panel == Panel::Memory {
            snapshot.memory = Some(self.memory());
            return;
        }
        let (debugger, palette) = (&self.session.debugger, &self.palette);
        let (mut picture, mut text) = (None, None);
        match panel {
            Panel::Registers | Panel::Trace | Panel::Commands | Panel::Memory => {}
            Panel::Code => snapshot.code = self.code(),
            Panel::Source => snapshot.source = self.source(),
            Panel::Locals => text = Some(self.locals()),
            Panel::Calls => snapshot.calls = self.calls(),
            Panel::Breakpoints => snapshot.breakpoints = self.breakpoints(),
            Panel::Watches => snapshot.watches = debugger.watched(),
            Panel::Search => snapshot.search = self.found(),
            Panel::Cheats => {
                let name = |(&address, &value)| (address, value, debugger.symbols.text(address));
                snapshot.frozen = debugger.frozen().iter().map(name).collect();
                snapshot.edits = self.edits();
            }
            Panel::Events => {
                picture = Some(view::event_picture(debugger, palette));
                snapshot.accesses = self.accesses();
            }
            Panel::Patterns => {
                picture = Some(view::patterns(debugger, self.panel_state.palette, palette).enlarged(2));
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
            snapshot.pictures.insert(panel, Arc::new(picture));
        }
        if let Some(text) = text {
            snapshot.texts.insert(panel, text);
        }
    }

    fn code(&self) -> Vec<CodeLine> {
        let debugger = &self.session.debugger;
        let lines = match self.panel_state.code {
            Some(address) => view::disassembly(debugger, address, self.panel_state.rows),
            None => view::code(debugger, self.panel_state.rows),
        };
        let line = |line: view::Line| CodeLine {
            breakpoint: self.breakpoint_at(line.address),
            address: line.address,
            label: line.label,
            source: line.source,
            text: line.text,
            is_next: line.is_next,
        };
        lines.into_iter().map(line).collect()
    }

    /// Returns the breakpoint on the execution of this very address.
    fn breakpoint_at(&self, address: u16) -> Option<(u32, bool)> {
        let list = self.session.debugger.breakpoints.list().iter();
        let mut on_it = list.filter(|breakpoint| breakpoint.trigger == super::execution_of(address));
        on_it.next().map(|breakpoint| (breakpoint.number, breakpoint.enabled))
    }

    fn locals(&self) -> String {
        let text = view::locals(&self.session.debugger);
        if text.is_empty() { "no C variables here".into() } else { text }
    }

    fn calls(&self) -> Vec<(String, u16)> {
        let debugger = &self.session.debugger;
        let symbols = &debugger.symbols;
        let here = debugger.console().cpu.pc;
        let calls = view::calls(debugger);
        let lines = calls.iter().rev().map(|call| (call.text(symbols), call.from));
        core::iter::once((symbols.text(here), here)).chain(lines).collect()
    }

    fn memory(&mut self) -> MemoryView {
        self.look_at_memory();
        let debugger = &self.session.debugger;
        let name = match self.panel_state.memory {
            Space::Cpu => debugger.symbols.text(self.panel_state.byte as u16),
            space => format!("{}[${:04X}]", space.name(), self.panel_state.byte),
        };
        let frozen = match self.panel_state.memory {
            Space::Cpu => debugger.frozen().keys().map(|&address| address.into()).collect(),
            _ => vec![],
        };
        MemoryView {
            space: self.panel_state.memory,
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

    /// Returns what the last frames had left before their NMI, and the labels of the last.
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
        if lines.is_empty() { "no complete frame yet".into() } else { lines.join("\n") }
    }

    fn field(&self) -> Option<[bool; 200]> {
        let debugger = &self.session.debugger;
        let mapped = debugger.profile()?.as_mapped(debugger.console().ram());
        let view = View::new(&mapped);
        (view.byte(tetris::ram::RENDER_MODE) == render_mode::PLAY)
            .then(|| core::array::from_fn(|cell| view.is_taken(cell / 10, cell % 10)))
    }
}
