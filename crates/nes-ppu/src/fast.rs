//! The fast paths. Each leaves the very state that the dots of [`crate::Ppu::run_by_dots`] leave,
//! and the same picture.
//!
//! `tests/it/span.rs` compares the two with random programs. Whole consoles are compared by
//! `cargo xtask prove`, of which a part runs with the tests (`tools/prove/tests/`). What is outside
//! this folder describes the chip and knows no shortcut; `Ppu::run_until` enters here through
//! `Ppu::run_span`.

mod a12;
mod blend;
mod dots;
mod group;
mod line;
mod line_cache;
mod settle;
mod span;
mod sprite_fetch;
mod tile_run;

pub(crate) use line_cache::{LineCache, Source};
