//! What the commands of `maxout` share: the files that they read and write, what they print, how
//! long work takes, Ctrl-C, and errors in words.
//!
//! The commands themselves are in the crates `maxout` and `research`.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

pub mod built_in;
pub mod drawing;
pub mod error;
pub mod game;
pub mod image_file;
pub mod interrupt;
pub mod kept;
pub mod machine;
pub mod nets;
pub mod outcomes;
pub mod output;
pub mod progress;
pub mod screenshot;
pub mod session;
pub mod source;
pub mod unexpected;
pub mod wave;
pub mod written;
