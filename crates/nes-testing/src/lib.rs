//! What the tests of several crates need: iNES images to order, and the built-in cartridge in a
//! console.
//!
//! A crate of its own, so that a header is written once. It is a dependency of tests and of tools,
//! never of the product; so it may panic where a test would.
//!
//! ```
//! use nes::Config;
//! use nes_testing::{Game, Image};
//!
//! let console = Image::nrom(&[0x4C, 0x00, 0x80]).console(Config::default()); // JMP to itself
//! assert_eq!(console.cpu.pc, 0x8000);
//! let mut game = Game::in_play();
//! game.wait(60);
//! assert_eq!(game.lines(), 0);
//! ```

// It panics where a test would.
#![allow(clippy::missing_panics_doc)]

pub mod game;
mod image;
pub mod model;
mod picture;

pub use game::{Game, MAXOUT};
pub use image::Image;
pub use picture::differing_pixels;
