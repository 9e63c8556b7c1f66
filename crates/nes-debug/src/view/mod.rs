//! Views: what is in the machine, as text and pictures, so that a terminal, a window and a script
//! show the same.

mod calls;
mod code;
mod cover;
mod events;
pub(crate) mod excerpt;
mod frames;
mod game;
pub(crate) mod jump;
mod picture;
mod profile;
mod registers;
mod scope;
mod scored_lock;
mod sound;
mod trace;
mod video;

pub use calls::{Call, CallKind, call_lines, calls};
pub use code::{Line, code, disassembly, hex};
pub use cover::Cover;
pub use events::{Happened, Happening, RegisterAccess, accesses, event_picture, happenings};
pub use excerpt::{Excerpt, trace, trace_back};
pub use frames::{Local, StackFrame, locals, source, stack_frames};
pub use game::game;
pub use jump::Landing;
pub use picture::Picture;
pub use profile::{FrameProfile, profile};
pub use registers::{registers, stop};
pub use scope::{FRAME_CYCLES, Scope, scope_picture, scopes};
pub use scored_lock::{ScoredLock, scored_locks};
pub use sound::sound;
pub use trace::{Format, Listing};
pub use video::{nametables, palettes, patterns, screen, sprites};
