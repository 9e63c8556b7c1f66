//! What requests carry, as far as it is used. Names are the protocol's.

use std::path::PathBuf;

use serde::Deserialize;

/// `initialize`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Initialize {
    pub(super) lines_start_at1: bool,
    pub(super) columns_start_at1: bool,
    pub(super) supports_invalidated_event: bool,
}

impl Default for Initialize {
    fn default() -> Self {
        Self { lines_start_at1: true, columns_start_at1: true, supports_invalidated_event: false }
    }
}

/// `launch`, with what `package.json` of the extension describes.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Launch {
    pub(super) rom: Option<PathBuf>,
    pub(super) debug_file: Option<PathBuf>,
    pub(super) symbols: Vec<PathBuf>,
    pub(super) source_root: Option<PathBuf>,
    pub(super) patches: Vec<PathBuf>,
    pub(super) profile: Option<PathBuf>,
    pub(super) cwd: Option<PathBuf>,
    pub(super) stop_on_entry: bool,
    pub(super) real_time: bool,
    pub(super) no_debug: bool,
}

/// A source file.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Source {
    pub(super) name: Option<String>,
    pub(super) path: Option<String>,
}

/// What all kinds of breakpoints have.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Terms {
    pub(super) condition: Option<String>,
    pub(super) hit_condition: Option<String>,
    pub(super) log_message: Option<String>,
}

/// A breakpoint of any kind.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Wanted {
    pub(super) line: i64,
    pub(super) name: String,
    pub(super) instruction_reference: String,
    pub(super) offset: i64,
    pub(super) data_id: String,
    pub(super) access_type: Option<String>,
    #[serde(flatten)]
    pub(super) terms: Terms,
}

/// `setBreakpoints`, `setFunctionBreakpoints`, `setInstructionBreakpoints`, `setDataBreakpoints`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SetBreakpoints {
    pub(super) source: Source,
    pub(super) breakpoints: Vec<Wanted>,
}

/// `setExceptionBreakpoints`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SetExceptions {
    pub(super) filters: Vec<String>,
}

/// Everything else, whose fields do not get into each other's way.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Arguments {
    pub(super) frame_id: Option<i64>,
    pub(super) variables_reference: i64,
    pub(super) name: String,
    pub(super) value: String,
    pub(super) expression: String,
    pub(super) context: String,
    pub(super) granularity: String,
    pub(super) start_frame: i64,
    pub(super) levels: i64,
    pub(super) memory_reference: String,
    pub(super) offset: i64,
    pub(super) count: i64,
    pub(super) data: String,
    pub(super) allow_partial: bool,
    pub(super) instruction_offset: i64,
    pub(super) instruction_count: i64,
    pub(super) bytes: Option<i64>,
    pub(super) as_address: bool,
    pub(super) source: Source,
    pub(super) line: i64,
    pub(super) end_line: Option<i64>,
}
