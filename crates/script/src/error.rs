//! Why a script stopped.

/// What went wrong in a script, or with its files. A message of a script begins with its name and
/// line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// The source is not Lua 5.1.
    #[error("{0}")]
    Syntax(String),
    /// An error that the script did not catch.
    #[error("{message}")]
    Runtime {
        /// What and where.
        message: String,
        /// The call stack, innermost first; empty if unknown.
        traceback: String,
    },
    /// The script did not come to the end of the frame.
    #[error(
        "{place}: {instructions} instructions in one frame: an endless loop? Call emu.frameadvance() in it"
    )]
    Endless {
        /// Name and line where it was stopped.
        place: String,
        /// How many it may run.
        instructions: u64,
    },
    /// The script wants more memory than it may have.
    #[error("{place}: out of memory: a script may have {} MiB", .bytes >> 20)]
    Memory {
        /// The script's name.
        place: String,
        /// How many it may have.
        bytes: usize,
    },
    /// It was asked to end while it ran.
    #[error("{place}: stopped")]
    Interrupted {
        /// Name and line where it was stopped.
        place: String,
    },
    /// Lua itself could not be set up.
    #[error("Lua cannot be set up: {0}")]
    Setup(String),
}
