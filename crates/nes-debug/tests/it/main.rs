//! The debugger on whole programs. One binary, because each costs its build.

mod attachments;
mod commands;
mod crash;
mod events;
mod fetches;
mod hostile;
mod second_cartridge;
mod sources;
mod travel;
