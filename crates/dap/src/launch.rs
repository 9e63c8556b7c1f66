//! What the server can do, and the program that it is to debug.

use std::path::PathBuf;

use nes_debug::command::{CommandSession, Files};
use serde_json::{Value, json};

use crate::protocol::Launch;
use crate::refused::Refused;
use crate::server::{After, Server};

/// The files of a session, as its client may name them.
pub trait Store: Files {
    /// Returns where a source file is that a debug file names, if it is found.
    fn source_path(&self, name: &str) -> Option<PathBuf>;
}

/// Why a program cannot be debugged, in words.
pub type OpenError = Box<dyn std::error::Error + Send + Sync>;

/// A program that can be debugged.
pub struct Opened {
    /// The session with its cartridge and symbols.
    pub session: CommandSession,
    /// Its files.
    pub files: Box<dyn Store>,
}

/// Finds the program that a client names.
pub trait Opener {
    /// Returns the program of a `launch` request.
    ///
    /// # Errors
    /// Why it cannot be loaded.
    fn open(&mut self, launch: &Launch) -> Result<Opened, OpenError>;
}

impl Server {
    /// Loads the program that the client wants to debug.
    pub(crate) fn launch(&mut self, launch: Launch) -> Result<Value, Refused> {
        if self.session.is_some() {
            return Err(Refused::Launched);
        }
        let Opened { session, files } = self.opener.open(&launch).map_err(Refused::Launch)?;
        self.session = Some(session);
        self.files = Some(files);
        self.launched = launch;
        self.after = Some(After::Initialized);
        Ok(Value::Null)
    }
}

/// What the client may ask for.
pub(crate) fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsSetVariable": true,
        "supportsSteppingGranularity": true,
        "supportsInstructionBreakpoints": true,
        "supportsDataBreakpoints": true,
        "supportsDataBreakpointBytes": true,
        "supportsDisassembleRequest": true,
        "supportsReadMemoryRequest": true,
        "supportsWriteMemoryRequest": true,
        "supportsTerminateRequest": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsLoadedSourcesRequest": true,
        "exceptionBreakpointFilters": [{
            "filter": "crash",
            "label": "Crash of the game",
            "description": "Stops where Tetris jumps to a wrong place or no longer returns to its wait",
            "default": true,
        }],
    })
}
