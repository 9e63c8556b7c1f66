//! A script that runs beside the game: FCEUX's Lua interface.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nes_lua::{Limits, Overlay, Script, Speed};

use crate::DesktopError;

/// Lua instructions from one frame to the next: what takes about two seconds, after which a loop counts as endless.
const INSTRUCTIONS: u64 = 200_000_000;

/// No script comes near this many bytes.
const LONGEST: u64 = 16 << 20;

/// What the interface asks of scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptOrder {
    /// Runs the script in this file, in place of any other.
    Run(PathBuf),
    /// Reads the last file again and runs it from its beginning.
    Reload,
    /// Ends the script.
    Stop,
}

/// How the script does that was run last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptStatus {
    /// Its file.
    pub path: PathBuf,
    /// Whether it still runs.
    pub running: bool,
    /// Whether it has paused the game.
    pub paused: bool,
}

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
    /// Compiles the script in the file `path`, which finds its other files beside it, for the cartridge named `rom`.
    /// Nothing of it runs yet.
    ///
    /// # Errors
    /// [`DesktopError::Read`] or [`DesktopError::Script`].
    pub(crate) fn read(path: &Path, rom: &str) -> Result<Self, DesktopError> {
        let source = source(path).map_err(|source| DesktopError::Read { path: path.into(), source })?;
        let limits = Limits { instructions: INSTRUCTIONS, ..Limits::default() };
        let mut script = Script::load_with(&source, &name(path), limits, Arc::default())?;
        script.set_surroundings(path.parent(), rom);
        Ok(Self { script, path: path.into(), overlay: None, hurries: false })
    }

    /// What it is called in messages: its file's name.
    pub(crate) fn name(&self) -> String {
        name(&self.path)
    }

    /// Whether the script wants the game as fast as it goes.
    pub(crate) fn wants_to_hurry(&self) -> bool {
        self.script.speed() != Speed::Normal
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn source(path: &Path) -> io::Result<Vec<u8>> {
    let mut source = vec![];
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut source)?;
    if source.len() as u64 > LONGEST {
        return Err(io::Error::other("more than 16 MiB: this is no script"));
    }
    Ok(source)
}
