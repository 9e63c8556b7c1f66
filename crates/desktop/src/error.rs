//! What can keep the window from opening.

use std::fmt::Display;
use std::path::PathBuf;

use thiserror::Error;

/// How this system comes by a graphics driver.
const DRIVER: &str = if cfg!(target_os = "linux") {
    "install a Vulkan or OpenGL driver (Debian: mesa-vulkan-drivers)"
} else if cfg!(windows) {
    "install the driver of the graphics card's maker"
} else {
    "update the system"
};

/// What tells of a desktop session here.
const SESSION: &str = if cfg!(target_os = "linux") { " (DISPLAY or WAYLAND_DISPLAY)" } else { "" };

/// Why a window could not be opened, or had to close. Each message is one line and says what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DesktopError {
    /// The cartridge image could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file asked for.
        path: PathBuf,
        /// What the system answered.
        source: std::io::Error,
    },
    /// The bytes are not a cartridge image that the console can play.
    #[error("cannot play {title}: {source}")]
    Rom {
        /// The title that the image came with.
        title: String,
        /// What the loader found.
        source: nes::RomError,
    },
    /// What was asked for at the start cannot be done.
    #[error("{0}")]
    Refused(String),
    /// A file could not be written.
    #[error("cannot write {}: {source}; is the folder there, writable, and the disk not full?", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system answered.
        source: std::io::Error,
    },
    /// Somebody has made of the settings what cannot be understood.
    #[error("the settings were not saved: {} {reason}; fix it, or remove it", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// What was expected and found.
        reason: String,
    },
    /// A file is not a palette.
    #[error("cannot use the palette {}: {reason}", path.display())]
    Palette {
        /// The file.
        path: PathBuf,
        /// What was expected and found.
        reason: String,
    },
    /// The bytes are not a movie that the console can play.
    #[error("cannot play {}: {source}", path.display())]
    Movie {
        /// The movie's file.
        path: PathBuf,
        /// What the loader found.
        source: movies::MovieError,
    },
    /// A movie has nothing to play.
    #[error("cannot play {}: expected a movie of at least one frame, found none", path.display())]
    EmptyMovie {
        /// The movie's file.
        path: PathBuf,
    },
    /// A script is none that can run.
    #[error(transparent)]
    Script(#[from] nes_lua::ScriptError),
    /// A saved state cannot be gone back to.
    #[error("cannot load {}: {reason}", path.display())]
    State {
        /// The state's file.
        path: PathBuf,
        /// What was expected and found.
        reason: String,
    },
    /// The system lets no more files be opened.
    #[error(
        "a window needs {count} open files, which the system refuses: {source}; raise its limit (ulimit -n)"
    )]
    Files {
        /// How many.
        count: usize,
        /// What the system answered.
        source: std::io::Error,
    },
    /// There is no desktop to open a window on.
    #[error(
        "no display: {0}; start it inside a desktop session{SESSION}, or play in a terminal: maxout play --terminal"
    )]
    NoDisplay(String),
    /// The desktop refused a window.
    #[error("the desktop refused to open a window: {0}")]
    Window(String),
    /// No graphics driver can draw into the window.
    #[error(
        "no graphics driver can draw into the window: {0}; {DRIVER}, or play in a terminal: maxout play --terminal"
    )]
    NoGraphics(String),
    /// The terminal cannot be played in.
    #[error(
        "cannot play in this terminal: {0}; start it from a terminal that shows true colour, or open a window: maxout play"
    )]
    Terminal(#[source] std::io::Error),
    /// The graphics driver gave up while the game ran.
    #[error("the graphics driver gave up: {0}")]
    GraphicsLost(String),
    /// The thread that runs the console ended by itself: a defect of the emulator.
    #[error(
        "the console stopped unexpectedly; this is a bug, please report the cartridge and the message above"
    )]
    ConsoleStopped,
    /// The console's thread has not come to its end.
    #[error("the console did not stop within {seconds} seconds: the end of a recording may be missing")]
    ConsoleHangs {
        /// How long it was waited for.
        seconds: u64,
    },
}

/// Returns what the window library says, without the place in its source that it puts before it.
pub(crate) fn reason(error: &impl Display) -> String {
    let text = error.to_string();
    let text = match text.split_once(".rs:").and_then(|(_, rest)| rest.split_once(": ")) {
        Some((_, reason)) => reason,
        None => &text,
    };
    text.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_comes_without_a_place_in_foreign_source() {
        assert_eq!(reason(&"os error at /x/winit-0.30/src/mod.rs:788: no: server"), "no: server");
        assert_eq!(reason(&"not supported."), "not supported");
    }

    #[test]
    fn every_message_is_one_line() {
        let error = DesktopError::NoDisplay("x".into());
        assert_eq!(error.to_string().lines().count(), 1);
    }
}
