//! Seeded play that visits the whole game, to run a machine and the model side by side.
//!
//! [`Explorer`] looks at the machine's RAM and answers with buttons and pokes: sometimes it stacks
//! with some sense, so that rows are cleared, sometimes it presses at random; it walks the menus,
//! waits for the demo, pauses, resets, and pokes new games to levels, scores and fields that no one
//! plays to. Whoever owns the machine holds the buttons, applies the pokes, and compares:
//! [`Judge`].
//!
//! [`Trace`] is the same of a machine that is not at hand: what was held, and what its RAM held.

mod judge;
mod placement;
mod player;
mod pokes;
mod replay;
mod trace;

pub use judge::{Away, Judge, Judged};
pub use player::{Explorer, Turn};
pub use replay::Replay;
pub use trace::{Change, Frame, MAGIC, Trace, TraceError};
