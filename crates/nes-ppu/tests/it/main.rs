//! The PPU on a memory of its own. One binary, because each costs its build.

mod dots;
mod fetches;
mod span;
