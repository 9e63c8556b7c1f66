//! The window, and what its document says. One binary, because each costs its build.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test reads its files")]

mod display;
mod documents;
mod figures;
mod window;
