//! What the server can do, and the program that it is to debug.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::protocol::Launch;
use super::refused::Refused;
use super::server::{After, Server};
use crate::debug;

impl Server {
    /// Loads the program that the client wants to debug.
    pub(super) fn launch(&mut self, launch: Launch) -> Result<Value, Refused> {
        if self.session.is_some() {
            return Err(Refused::Launched);
        }
        let folder = launch.cwd.clone().unwrap_or_default();
        let inside = |path: &PathBuf| folder.join(path);
        let mut arguments = self.arguments.clone();
        if let Some(rom) = &launch.rom {
            arguments.rom = Some(inside(rom));
        }
        arguments.patches.patches.extend(launch.patches.iter().map(inside));
        arguments.symbols.extend(launch.symbols.iter().map(inside));
        arguments.sources.extend(launch.source_root.iter().map(inside));
        if let Some(profile) = &launch.profile {
            arguments.profile = Some(inside(profile));
        }
        match (&launch.debug_file, &arguments.rom) {
            (Some(file), _) => arguments.symbols.push(inside(file)),
            // Where cl65 puts it with --dbgfile, if it is told so.
            (None, Some(rom)) if arguments.symbols.is_empty() => {
                arguments.symbols.extend(Some(rom.with_extension("dbg")).filter(|file| file.is_file()));
            }
            _ => {}
        }
        self.disk = debug::disk(&arguments);
        if !folder.as_os_str().is_empty() {
            self.disk.sources.push(folder);
        }
        let session = debug::session(&arguments, &mut self.disk).map_err(Refused::Launch)?;
        self.session = Some(session);
        self.launched = launch;
        self.after = Some(After::Initialized);
        Ok(Value::Null)
    }
}

/// What the client may ask for.
pub(super) fn capabilities() -> Value {
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
