//! The debugger on whole programs. One binary, because each costs its build.

mod commands;
mod companion;
mod crash;
mod events;
mod fetches;
mod hostile;
mod second_cartridge;
mod travel;
