//! What of the debugger is looked at: which panels are open, and where in them one is.

use nes_debug::Space;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::source::SourcePlace;

/// A panel of the debugger.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Panel {
    /// Registers, flags, time, the PPU's position.
    Registers,
    /// Instructions about the next, with labels and cycles.
    Code,
    /// The source file about the line that comes next.
    Source,
    /// Variables of C.
    Locals,
    /// What has been called and has not returned.
    Calls,
    /// A memory as hexadecimal numbers.
    Memory,
    /// Breakpoints.
    Breakpoints,
    /// Watched expressions.
    Watches,
    /// The game's own panel.
    Game,
    /// The search through RAM.
    Search,
    /// What is frozen, Game Genie codes, changed bytes of the program.
    Cheats,
    /// Register accesses of the last frame, where they happened.
    Events,
    /// Pattern tables.
    Patterns,
    /// Nametables with the window that is shown.
    Nametables,
    /// Sprites.
    Sprites,
    /// Palettes.
    Palettes,
    /// The sound channels as scopes, with their registers.
    Sound,
    /// Cycles by label, and cycles left in each frame.
    Profile,
    /// The trace, to a file.
    Trace,
    /// The conversation, and the line that is typed.
    Commands,
}

impl Panel {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Returns its title.
    pub fn title(self) -> &'static str {
        self.into()
    }

    /// Returns what it shows, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Registers => "Registers, flags, time, the PPU's position",
            Self::Code => "Instructions around the next one, with labels and cycles",
            Self::Source => {
                "Source code around the next line, in assembly or C: steps and breakpoints by line"
            }
            Self::Locals => "C variables of each function on the stack",
            Self::Calls => "The call stack",
            Self::Memory => "All six memories: view, find, edit, freeze",
            Self::Breakpoints => "Breakpoints, with conditions and hits",
            Self::Watches => "Values to watch",
            Self::Game => "The game's variables: playfield, piece, timers, upcoming picks",
            Self::Search => "Find a value in RAM by how it changes",
            Self::Cheats => "Frozen bytes, Game Genie codes, changed bytes of the program",
            Self::Events => "Register accesses of the last frame, at their positions in the picture",
            Self::Patterns => "The pattern tables, in any palette",
            Self::Nametables => "The nametables, with the visible area",
            Self::Sprites => "The 64 sprites",
            Self::Palettes => "The palettes",
            Self::Sound => "The five channels as scopes, with their registers",
            Self::Profile => "Cycles by label, and cycles left in each frame",
            Self::Trace => "Write a line for each instruction to a file",
            Self::Commands => "The log and the command line",
        }
    }

    /// Returns the size at which all of it is seen, about, in points.
    pub(crate) fn size(self) -> (u16, u16) {
        match self {
            Self::Registers => (470, 92),
            Self::Code => (440, 430),
            Self::Source => (480, 430),
            Self::Locals => (300, 150),
            Self::Calls => (220, 130),
            Self::Memory => (490, 360),
            Self::Breakpoints => (390, 130),
            Self::Watches => (290, 120),
            Self::Game => (450, 480),
            Self::Search => (430, 330),
            Self::Cheats => (340, 180),
            Self::Events => (525, 590),
            Self::Patterns => (525, 340),
            Self::Nametables => (525, 520),
            Self::Sprites => (330, 540),
            Self::Palettes => (330, 370),
            Self::Sound => (710, 490),
            Self::Profile => (480, 460),
            Self::Trace => (330, 150),
            Self::Commands => (500, 150),
        }
    }
}

/// What is looked at. Nothing else is worked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PanelState {
    /// The open panels.
    pub panels: Vec<Panel>,
    /// The address that the code begins at; `None` to follow the program.
    pub code: Option<u16>,
    /// Lines of code.
    pub rows: usize,
    /// Which part of the sources.
    pub source: SourcePlace,
    /// Which memory.
    pub memory: Space,
    /// The byte of it about which more is told.
    pub byte: usize,
    /// The palette of the pattern tables, 0-7; `None` for greys.
    pub palette: Option<usize>,
    /// An expression whose value is wanted.
    pub ask: Option<String>,
}

impl Default for PanelState {
    fn default() -> Self {
        Self {
            panels: vec![],
            code: None,
            rows: 24,
            source: SourcePlace::Next,
            memory: Space::Cpu,
            byte: 0,
            palette: None,
            ask: None,
        }
    }
}

impl PanelState {
    /// Returns whether a panel is open.
    pub fn has(&self, panel: Panel) -> bool {
        self.panels.contains(&panel)
    }
}
