//! What the window's first build takes, and xtask with it: the system's packages, the workspace as
//! cargo knows it, and `play`.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

pub mod install;
pub mod play;
pub mod workspace;
