//! The debugger for editors, by the Debug Adapter Protocol.
//!
//! [`serve`] talks with one client over two streams. The front end brings an [`Opener`], which
//! loads the program that the client names: the crate opens no file by itself. [`Direct`] is the
//! same session without streams, threads and a clock, for tests and for the fuzzer.
//!
//! The protocol is made with `serde_json` alone: the registry's crate for it has been an alpha
//! version for years, reads messages of any length, and knows no custom requests.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

mod breakpoints;
mod direct;
mod inspect;
mod launch;
mod memory;
mod moves;
mod protocol;
mod refused;
mod server;
mod wire;

pub use direct::Direct;
pub use launch::{OpenError, Opened, Opener, Store};
pub use protocol::Launch;
pub use server::serve;
pub use wire::WireError;
