//! Seeded play that visits the whole game, to run a machine and the model side by side.
//!
//! [`Player`] looks at the machine's RAM and answers with buttons and pokes: sometimes it stacks with some sense, so
//! that rows are cleared, sometimes it presses at random; it walks the menus, waits for the demo, pauses, resets, and
//! pokes new games to levels, scores and fields that no one plays to. Whoever owns the machine holds the buttons,
//! applies the pokes, and compares: [`Game::memory`](crate::rules::Game::memory).

mod placement;
mod player;
mod pokes;

pub use player::{Player, Turn};
