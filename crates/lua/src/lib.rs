//! Scripts: the FCEUX Lua interface to a running console.
//!
//! A [`Script`] is Lua 5.1 with nothing in reach but the tables of the interface: no files, no
//! clock, no other program. The machine knows nothing of it: what a script hooks is an attachment
//! of the run (`nes::Attachment`), and the script runs between two instructions. Front ends call
//! [`Script::frame`] in place of `Console::run_frame`, or attach [`ScriptHooks`] beside others,
//! and lay the [`Overlay`] over the picture; files, windows and the speed are theirs. docs/lua.md
//! has the interface.
//!
//! ```
//! use nes::{Buttons, Cartridge, Config, Console};
//! use nes_lua::{Output, Script};
//!
//! let cartridge = Cartridge::from_bytes(include_bytes!("../../../roms/maxout.nes"))?;
//! let mut console = Console::new(cartridge, Config::default());
//! let source = b"emu.frameadvance() print('frame', emu.framecount(), memory.readbyte(0xC0))";
//! let mut script = Script::load(source, "hello.lua")?;
//! while !script.is_done() {
//!     script.frame(&mut console, [Buttons::empty(); 2])?;
//! }
//! assert_eq!(script.take_output(), [Output::Line("frame 1 0".into())]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

mod colour;
mod error;
mod folder;
mod gd;
mod hooks;
mod host;
mod joypads;
mod library;
mod meter;
mod modules;
mod pattern;
mod sandbox;
mod script;

pub use folder::Folder;
pub use host::{Input, Output, Power, Speed};
pub use nes_script::{FrameScript, Overlay, ScriptError, ScriptHooks};
pub use sandbox::Limits;
pub use script::Script;
