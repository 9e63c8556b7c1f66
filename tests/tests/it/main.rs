//! The whole machine: conformance, laws, hostile input, the built-in cartridge. One binary, because
//! each costs its build.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test reads its files")]

mod cartridge;
mod conformance;
mod fceux;
mod hostile_input;
mod nestest;
mod observers;
mod own_roms;
mod parity;
mod proof;
mod single_step;
mod slow;
mod snapshot_laws;
mod traces;
mod zapper;
