//! The player and the substitution on the built-in cartridge. One binary, because each costs its
//! build.

mod hands;
mod player;
mod second_cartridge;
mod substitution;
