//! A script beside a running console, as the program sees it that runs the console.
//!
//! That program calls a [`FrameScript`] before and after each frame, attaches [`ScriptHooks`] to
//! the run if the script has hooked anything, and lays its [`Overlay`] over the picture. Lua is in
//! `nes-lua`, which a game without scripts does not need.

mod error;
mod font;
mod hooks;
mod overlay;

pub use error::ScriptError;
pub use hooks::{Hit, Hooked, Kind, Marks, ScriptHooks};
pub use overlay::{Overlay, Rgba};

use std::sync::Arc;

use nes::{Console, Held};

/// A script beside a running console, frame by frame.
///
/// After an error it cannot go on.
pub trait FrameScript {
    /// Runs the script to where it waits for the next frame, and what is registered for the
    /// beginning of a frame. Returns what the game gets of all that is held in this frame, or
    /// nothing if the script has paused the emulation or has ended.
    ///
    /// # Errors
    /// What the script did not catch; the frame was not run.
    fn begin_frame(&mut self, console: &mut Console, player: Held) -> Result<Option<Held>, ScriptError>;

    /// Returns what the script has hooked; nothing if it has hooked nothing.
    fn hooked(&self) -> Option<Hooked>;

    /// Returns the hooked accesses of the instruction that was run last, while what is registered
    /// for them is yet to be called.
    fn hits(&mut self) -> &mut Vec<Hit>;

    /// Calls what is registered for `hits`, in their order. Returns what is hooked from here on. A
    /// function that fails ends the script, and the frame goes on without it.
    fn call_hooks(&mut self, console: &mut Console, hits: &[Hit]) -> Arc<Marks>;

    /// Runs what is registered for the end of a frame, and the drawing function. `polled` says
    /// whether the game has looked at its pads in this frame. Returns what the script has drawn
    /// over the picture.
    ///
    /// # Errors
    /// What the script did not catch, in the frame or here.
    fn end_frame(&mut self, console: &mut Console, polled: bool) -> Result<&Overlay, ScriptError>;

    /// Runs the drawing function alone, as between two frames of a script that has paused the
    /// emulation. Returns what the script has drawn over the picture.
    ///
    /// # Errors
    /// What the script did not catch.
    fn draw(&mut self, console: &mut Console) -> Result<&Overlay, ScriptError>;

    /// Calls what the script has registered for a state that the player saves in `slot`. What its
    /// function returns is kept, and is what [`FrameScript::state_loaded`] passes on.
    ///
    /// # Errors
    /// What the script did not catch.
    fn state_saved(&mut self, console: &mut Console, slot: usize) -> Result<(), ScriptError>;

    /// Calls what the script has registered for a state that the player has loaded from `slot`:
    /// with the slot and what was kept for it.
    ///
    /// # Errors
    /// What the script did not catch.
    fn state_loaded(&mut self, console: &mut Console, slot: usize) -> Result<(), ScriptError>;

    /// Calls what the script has registered for its end, and completes a movie that it records.
    ///
    /// # Errors
    /// What the script did not catch, or a file that cannot be written.
    fn finish(&mut self, console: &mut Console) -> Result<(), ScriptError>;

    /// Returns whether the script has changed the console by more than buttons since this was last
    /// asked: what comes of it is then no matter of a movie.
    fn take_meddled(&mut self) -> bool;
}
