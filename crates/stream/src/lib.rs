//! A running game as a stream, for broadcasts: lines of JSON, overlays, NestrisChamps, OBS.
//!
//! It takes RAM, a snapshot a frame, and never a console, so that a window, a movie and the model
//! feed it alike. A [`Source`] makes lines of a player's snapshots, a [`Hub`] hands them to readers
//! whose queues are bounded, a [`Feed`] does both in a thread of its own. [`server`] brings them to
//! the network, [`nestris`] to NestrisChamps, [`obs`] to OBS. The crate opens sockets and reads the
//! clock; it reads no file.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

mod board;
mod broadcast;
mod browser;
mod figures;
mod hub;
mod line;
mod link;
pub mod nestris;
pub mod obs;
mod plain;
mod runway;
mod schema;
mod screen;
mod secret;
pub mod server;
mod settings;
mod source;
mod state;

pub use board::{Board, BoardError, LAYOUTS};
pub use broadcast::{Broadcast, Feed, Follower, PLAYERS};
pub use browser::open_in_browser;
pub use figures::{Figures, Runways};
pub use hub::{Hub, QUEUE, Reader, Wants};
pub use line::{
    Added, Body, Hello, Line, PAL_RATE, RATE, SCHEMA, StreamPlayer, UnknownEvent, known_event, milliseconds,
};
pub use link::{Link, Retry, Status};
pub use runway::{runway, transition_lines};
pub use schema::{schema, typescript};
pub use secret::Secret;
pub use settings::{Settings, SettingsError};
pub use source::{Snapshot, Source, Update};
pub use state::{Counts, Phase, State};
