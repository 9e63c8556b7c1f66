//! What happens in a game, as a stream: RAM of one frame against RAM of the next.
//!
//! [`Watcher::observe`] takes the RAM at the end of each frame and says what has happened since the
//! last. It needs nothing else, so the stream of a live game, of a movie and of the model are the
//! same. As JSON each [`Record`] is one line; `docs/events.md` has the schema.
//!
//! ```
//! use tetris::{Rom, buttons, events::{Event, Watcher}, rules::Game};
//!
//! let (mut game, mut watcher) = (Game::power_on(&Rom::MAXOUT), Watcher::default());
//! let mut first = None;
//! for frame in 1..=700 {
//!     game.step(if frame % 6 == 0 { buttons::START } else { 0 });
//!     let records = watcher.observe(frame, game.memory().ram());
//!     let spawn = records.into_iter().find(|record| matches!(record.event, Event::Spawn { .. }));
//!     first = first.or(spawn);
//! }
//! let line = serde_json::to_string(&first.expect("a game began")).expect("records are JSON");
//! assert!(line.contains(r#""event":"spawn","number":1,"piece":"#), "{line}");
//! ```

mod difference;
mod event;
mod watcher;

pub use event::{CrashKind, Event, GameType, Jump, Letter, Mode, Record};
pub use watcher::Watcher;
