//! A game written down, as other programs write it: frames of NestrisChamps, one line a placement,
//! and links.
//!
//! What all of them come to is a list of [`Turn`]s: a board, a piece and where it went. [`ngf`]
//! reads and writes recordings of NestrisChamps and finds the turns in them, whether they come from
//! a program or off a video. The crate reads no file.

pub mod game;
pub mod lines;
pub mod link;
pub mod ngf;
mod turn;

pub use turn::{Shift, Turn};
