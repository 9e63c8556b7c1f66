//! Hands on a running game: what changes a console from outside, at the cartridge's own hooks.
//!
//! The machine knows no game and the game's model no machine; here the two meet, and the cartridge stays as it is.
//!
//! ```
//! use autopilot::Substitution;
//! use nes::{Buttons, Cartridge, Config, Console};
//! use randomizers::Kind;
//! use tetris::Profile;
//!
//! let image = include_bytes!("../../../roms/maxout.nes");
//! let profile = Profile::of_image(image, "", "").ok_or("a cartridge of Tetris")?;
//! let mut pieces = Substitution::new(profile, Kind::Tgm3.dealer("7")?);
//! let mut console = Console::new(Cartridge::from_bytes(image)?, Config::default());
//! pieces.run_frame(&mut console, &mut [Buttons::empty(); 2]);
//! assert_eq!(console.frame_number(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod substitution;

pub use substitution::Substitution;
