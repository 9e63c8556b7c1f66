//! What requests carry, as far as it is used. Names are the protocol's.

use std::path::PathBuf;

use serde::Deserialize;

/// `initialize`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Initialize {
    pub(crate) lines_start_at1: bool,
    pub(crate) columns_start_at1: bool,
    pub(crate) supports_invalidated_event: bool,
}

impl Default for Initialize {
    fn default() -> Self {
        Self { lines_start_at1: true, columns_start_at1: true, supports_invalidated_event: false }
    }
}

/// `launch`, with what `package.json` of the extension describes.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Launch {
    /// The cartridge; without one, that of the front end.
    pub rom: Option<PathBuf>,
    /// The debug file of ld65.
    pub debug_file: Option<PathBuf>,
    /// Further symbols.
    pub symbols: Vec<PathBuf>,
    /// Where source files are.
    pub source_root: Option<PathBuf>,
    /// Patches for the cartridge, in their order.
    pub patches: Vec<PathBuf>,
    /// The memory map of a Tetris cartridge that is not recognised.
    pub profile: Option<PathBuf>,
    /// The folder from which the other paths start.
    pub cwd: Option<PathBuf>,
    /// Stop before the first instruction.
    pub stop_on_entry: bool,
    /// Run as fast as the console.
    pub real_time: bool,
    /// Ignore breakpoints.
    pub no_debug: bool,
}

/// A source file.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Source {
    pub(crate) name: Option<String>,
    pub(crate) path: Option<String>,
}

/// What all kinds of breakpoints have.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Terms {
    pub(crate) condition: Option<String>,
    pub(crate) hit_condition: Option<String>,
    pub(crate) log_message: Option<String>,
}

/// A breakpoint of any kind.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Wanted {
    pub(crate) line: i64,
    pub(crate) name: String,
    pub(crate) instruction_reference: String,
    pub(crate) offset: i64,
    pub(crate) data_id: String,
    pub(crate) access_type: Option<String>,
    #[serde(flatten)]
    pub(crate) terms: Terms,
}

/// `setBreakpoints`, `setFunctionBreakpoints`, `setInstructionBreakpoints`, `setDataBreakpoints`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SetBreakpoints {
    pub(crate) source: Source,
    pub(crate) breakpoints: Vec<Wanted>,
}

/// `setExceptionBreakpoints`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SetExceptions {
    pub(crate) filters: Vec<String>,
}

/// Everything else, whose fields do not get into each other's way.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Arguments {
    pub(crate) frame_id: Option<i64>,
    pub(crate) variables_reference: i64,
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) expression: String,
    pub(crate) context: String,
    pub(crate) granularity: String,
    pub(crate) start_frame: i64,
    pub(crate) levels: i64,
    pub(crate) memory_reference: String,
    pub(crate) offset: i64,
    pub(crate) count: i64,
    pub(crate) data: String,
    pub(crate) allow_partial: bool,
    pub(crate) instruction_offset: i64,
    pub(crate) instruction_count: i64,
    pub(crate) bytes: Option<i64>,
    pub(crate) as_address: bool,
    pub(crate) source: Source,
    pub(crate) line: i64,
    pub(crate) end_line: Option<i64>,
}
