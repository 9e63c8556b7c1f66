//! NES cartridges: iNES and NES 2.0 images, and the boards that they were dumped from.
//!
//! A cartridge is what lies behind the console's connector: ROM and RAM on both buses, a mapper
//! that switches them in banks, and the wiring of the nametables. The crate is cut at the
//! connector: it knows addresses and bytes, but neither the CPU nor the PPU that drive them. An
//! image comes from outside, so everything in it is distrusted: [`Cartridge::from_bytes`] answers
//! anything with a cartridge or a [`RomError`], and allocates nothing larger than the image and its
//! board. [`patch`] changes an image.
//!
//! ```
//! use nes_cartridge::{Cartridge, RomError};
//!
//! let mut image = vec![0; 16 + 0x4000 + 0x2000];
//! image[..8].copy_from_slice(b"NES\x1A\x01\x01\x01\x00"); // NROM: 16 KiB PRG-ROM, 8 KiB CHR-ROM
//! image[16] = 0xEA;
//! let cartridge = Cartridge::from_bytes(&image)?;
//! assert_eq!(cartridge.read(0x8000, 0xFF), 0xEA);
//! assert_eq!(cartridge.read(0xC000, 0xFF), 0xEA); // mirrored
//! assert_eq!(cartridge.read(0x5000, 0xFF), 0xFF); // open bus
//! assert_eq!(cartridge.ciram_address(0x2C12), 0x412); // vertical mirroring
//! assert_eq!(Cartridge::from_bytes(b""), Err(RomError::Empty));
//! # Ok::<(), RomError>(())
//! ```

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod banks;
mod board;
mod cartridge;
mod database;
mod error;
mod header;
mod image;
mod info;
pub mod patch;
mod picture;

pub use board::BoardSound;
pub use cartridge::{Cartridge, Video};
pub use error::{Part, RomError};
pub use header::{Format, Mirroring, Mmc3Revision};
pub use info::{Info, Md5Hash, Sha1Hash, Warning};
pub use picture::{PictureFetch, PictureUse, Place};

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
