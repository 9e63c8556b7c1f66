//! The command line. One binary, because each costs its build.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test reads its files")]

mod clients;
mod commands;
mod dap;
mod debug;
#[cfg(target_os = "linux")]
mod endings;
#[cfg(feature = "window")]
mod front_ends;
mod lua;
#[cfg(feature = "window")]
mod netplay;
#[cfg(feature = "window")]
mod play;
