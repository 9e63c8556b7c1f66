//! Recordings that need no program: sound as WAV, pictures as animated GIF, written as they come,
//! and a single picture as PNG.
//!
//! Window, page, command line and Python package write them. Where the bytes go is theirs: a draft
//! of a file, or memory.

mod gif;
mod picture;
mod wave;

pub use gif::{Animation, Gif, complete as complete_gif};
pub use picture::png;
pub use wave::{Wave, complete as complete_wave};

/// Red, green and blue.
pub type Rgb = [u8; 3];
