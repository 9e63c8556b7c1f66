//! Hands on a running game: a player, another sequence of pieces, a guard, at the cartridge's own
//! hooks.
//!
//! The machine knows no game, the player's search no console, and the game's model no machine; here
//! they meet, and the cartridge stays as it is. [`Autopilot`] plays, by buttons alone or by writes
//! to RAM; [`Substitution`] deals other pieces; [`Guard`] keeps the game from its kill screen.
//!
//! ```
//! use autopilot::{Autopilot, Settings};
//! use nes::{Buttons, Cartridge, Config, Console};
//! use tetris::{Profile, View};
//!
//! let image = include_bytes!("../../../roms/maxout.nes");
//! let profile = Profile::of_image(image).ok_or("a cartridge of Tetris")?;
//! let mut player = Autopilot::new(profile, Settings { level: 18, ..Settings::default() });
//! let mut console = Console::new(Cartridge::from_bytes(image)?, Config { video: false, ..Config::default() });
//! while View::new(console.ram()).lines() < 10 {
//!     let buttons = player.prepare(&mut console);
//!     let _ = console.run_frame(&mut [buttons, Buttons::empty()], &mut ());
//! }
//! assert_eq!((View::new(console.ram()).level(), player.mispredictions()), (18, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod autopilot;
mod gamepad_driver;
mod guard;
mod hands;
mod menu;
mod passage;
mod perception;
mod points_driver;
mod ram_driver;
mod settings;
mod substitution;
mod thought;

pub use action::Action;
pub use autopilot::Autopilot;
pub use guard::Guard;
pub use hands::ComputerHands;
pub use passage::Passage;
pub use settings::{Mode, Settings, UnknownMode};
pub use substitution::{Counted, Picker, Replacement, Substitution};
pub use thought::{CANDIDATES, Candidate, Thought, Unit};
pub use value::{NetSource, Nets, Outlook, for_duels};
