//! The FCEUX Lua interface, function by function, on the built-in cartridge. One binary, because
//! each costs its build.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test reads its files")]

mod bounds;
mod drawing;
mod every_function;
mod frames;
mod memory;
mod modules;
mod patterns;
mod rig;
mod sandbox;
mod scripts;
mod states;
