//! What can keep the window from opening.

use std::path::PathBuf;

use thiserror::Error;

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
    /// There is no desktop to open a window on.
    #[error(
        "no display: {0}; start it inside a desktop session (DISPLAY or WAYLAND_DISPLAY), or play without a window: maxout run ROM"
    )]
    NoDisplay(String),
    /// The desktop refused a window.
    #[error("the desktop refused to open a window: {0}")]
    Window(String),
    /// No graphics driver can draw into the window.
    #[error(
        "no graphics driver can draw into the window: {0}; install a Vulkan or OpenGL driver (Debian: mesa-vulkan-drivers), or play without a window: maxout run ROM"
    )]
    NoGraphics(String),
    /// The graphics driver gave up while the game ran.
    #[error("the graphics driver gave up: {0}")]
    GraphicsLost(String),
    /// The thread that runs the console ended by itself: a defect of the emulator.
    #[error(
        "the console stopped by itself; this is a defect, please report the cartridge and the message above"
    )]
    ConsoleStopped,
}
