//! Recordings of NestrisChamps.

#![allow(clippy::disallowed_methods, reason = "tests meet the outside world")]

mod files;
mod lines;
mod real_games;
