//! What opening the window from source needs, shared with xtask: the system's packages, the
//! workspace as cargo describes it, and `play`.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

pub mod install;
pub mod play;
pub mod workspace;
