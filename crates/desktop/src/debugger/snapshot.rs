//! What the debugger's open panels show, as plain values.

use std::collections::BTreeMap;
use std::sync::Arc;

use nes_debug::view::Picture;
use nes_debug::{Space, Timeline, Watched};

use super::panels::Panel;
use super::source::SourceView;

/// Who says a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogSource {
    /// The player.
    User,
    /// The debugger.
    Debugger,
    /// The debugger, of something that did not work.
    Error,
}

/// Everything that the open panels show; nothing of the others but registers, the playfield and
/// what was said.
#[derive(Debug, Clone, Default)]
pub struct DebugSnapshot {
    /// Registers, flags, time: items with two spaces between them.
    pub registers: String,
    /// The frames that can be gone to, and what happened in them.
    pub timeline: Timeline,
    /// Instructions.
    pub code: Vec<CodeLine>,
    /// The source.
    pub source: SourceView,
    /// What has been called and has not returned, the innermost first, and where it is.
    pub calls: Vec<(String, u16)>,
    /// The memory.
    pub memory: Option<MemoryView>,
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
    /// The expression whose value is wanted, and the value; or what is wrong with it, which is said
    /// too.
    pub answer: Option<(String, Option<i64>)>,
    /// What was said, the newest last.
    pub log: Vec<(LogSource, String)>,
    /// Which cells of the playfield are filled, by the game's RAM, row by row from the top; none
    /// outside of a game.
    pub field: Option<[bool; 200]>,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeLine {
    /// Its address.
    pub address: u16,
    /// The label that stands there.
    pub label: Option<String>,
    /// The line of the source that begins here, as `main.c:12  i = 0;`.
    pub source: Option<String>,
    /// Bytes, mnemonic, operand, cycles.
    pub text: String,
    /// Does it come next?
    pub is_next: bool,
    /// The breakpoint on it: its number, and whether it is on.
    pub breakpoint: Option<(u32, bool)>,
}

/// A memory.
#[derive(Debug, Clone)]
pub struct MemoryView {
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
