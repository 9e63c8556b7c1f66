//! Recordings of NestrisChamps: "NestrisChamps game frames", `.ngf`.
//!
//! A file is frames of one version, one after another, packed by gzip or not. Formats are those of
//! the site's own sources (timotheeg/nestrischamps, `public/js/BinaryFrame.js`); its
//! `docs/schema.md` is out of date.

mod cells;
mod find;
mod frame;
mod guess;
mod locks;
mod recording;

pub use find::{Found, Gap, find};
pub use frame::{CELLS, Frame, FrameError, Pieces, Version};
pub use recording::{Damage, EXTENSION, Recording, RecordingError};
