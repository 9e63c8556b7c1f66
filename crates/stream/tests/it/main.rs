//! Streams of real games, on both cartridges, and peers good and bad on loopback.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests open sockets and read the clock"
)]

mod bad_peers;
mod champs;
mod gateways;
mod lines;
mod matches;
mod obs;
mod producing;
mod recordings;
mod rig;
mod rooms;
mod schema;
mod secure;
mod serving;
mod soak;
mod spectators;
