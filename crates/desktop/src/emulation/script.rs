//! A script that runs beside the game: FCEUX's Lua interface.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nes_lua::{Limits, Overlay, Script, Speed};

use crate::DesktopError;
use crate::messages::status::{RunState, ScriptStatus};

/// Lua instructions from one frame to the next: what takes about two seconds, after which a loop
/// counts as endless.
const INSTRUCTIONS: u64 = 200_000_000;

/// No script comes near this many bytes.
const LONGEST: u64 = 16 << 20;

/// A script that runs beside the game.
pub(crate) struct LiveScript {
    pub(crate) script: Script,
    pub(crate) path: PathBuf,
    /// What it drew over the last picture.
    pub(crate) overlay: Option<Arc<Overlay>>,
    /// Whether it wants the game as fast as it goes, as far as the machine knows.
    pub(crate) hurries: bool,
}

impl LiveScript {
    /// Compiles the script in the file `path`, which finds its other files beside it, for the
    /// cartridge named `rom`. Nothing of it runs yet; once `interrupt` is set, nothing of it runs
    /// on.
    ///
    /// # Errors
    /// [`DesktopError::Read`] or [`DesktopError::Script`].
    pub(crate) fn read(path: &Path, rom: &str, interrupt: Arc<AtomicBool>) -> Result<Self, DesktopError> {
        let source = source(path).map_err(|source| DesktopError::Read { path: path.into(), source })?;
        let limits = Limits { instructions: INSTRUCTIONS, ..Limits::default() };
        let mut script = Script::load_with(&source, &name(path), limits, interrupt)?;
        script.set_surroundings(path.parent(), rom);
        Ok(Self { script, path: path.into(), overlay: None, hurries: false })
    }

    /// Returns what it is called in messages: its file's name.
    pub(crate) fn name(&self) -> String {
        name(&self.path)
    }

    /// Returns whether the script wants the game as fast as it goes.
    pub(crate) fn wants_to_hurry(&self) -> bool {
        self.script.speed() != Speed::Normal
    }
}

/// The script that runs with the game, and what the next one needs.
pub(crate) struct Scripting {
    pub(crate) live: Option<LiveScript>,
    /// The file of the script that was run last.
    pub(crate) path: Option<PathBuf>,
    /// Where scripts keep files.
    pub(crate) folder: Option<PathBuf>,
    /// Whether what they print goes to standard output.
    pub(crate) prints: bool,
}

impl Scripting {
    /// Returns the state before any script was run.
    pub(crate) fn new(folder: Option<PathBuf>, prints: bool) -> Self {
        Self { live: None, path: None, folder, prints }
    }

    /// Returns whether a script has paused the game.
    pub(crate) fn is_paused(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.script.paused())
    }

    /// Pauses the script, or lets it go on. Returns whether it was paused.
    pub(crate) fn set_paused(&mut self, paused: bool) -> bool {
        self.live.as_mut().is_some_and(|live| {
            let before = live.script.paused();
            live.script.set_paused(paused);
            before
        })
    }

    /// Returns the run state of a game that simply goes on: the script may want it as fast as it
    /// goes.
    pub(crate) fn normal_run_state(&self) -> RunState {
        let hurries = self.live.as_ref().is_some_and(|live| live.hurries);
        if hurries { RunState::FastForward } else { RunState::Running }
    }

    /// Returns what the script drew over the last picture.
    pub(crate) fn overlay(&self) -> Option<&Arc<Overlay>> {
        self.live.as_ref().and_then(|live| live.overlay.as_ref())
    }

    /// Returns how the script does that was run last.
    pub(crate) fn status(&self) -> Option<ScriptStatus> {
        let path = self.path.clone()?;
        Some(ScriptStatus { path, running: self.live.is_some(), paused: self.is_paused() })
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn source(path: &Path) -> io::Result<Vec<u8>> {
    Ok(draft::read_file(path, LONGEST)?)
}
