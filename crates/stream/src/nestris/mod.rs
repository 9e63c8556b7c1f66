//! A producer for NestrisChamps, the site on which matches of classic Tetris are shown.
//!
//! [`Frame`] is the binary form of a moment of a game, [`Producer`] decides which moments are sent,
//! [`Champs`] sends them, and [`Recorder`] keeps them as a file. Formats and rules are those of the
//! site's own sources (timotheeg/nestrischamps, `public/js/BinaryFrame.js`, `routes/websocket.js`);
//! its `docs/schema.md` is out of date.

mod champs;
mod producer;
mod recorder;

pub use champs::{Champs, Site, SiteError};
pub use notation::ngf::{CELLS, Frame, Pieces, Version};
pub use producer::Producer;
pub use recorder::Recorder;
