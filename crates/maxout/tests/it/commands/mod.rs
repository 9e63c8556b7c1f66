//! The program as its user meets it: what it prints and writes, its one line of error, its exit
//! status.
//!
//! One binary for all commands that need neither a window nor a terminal:
//! `cargo test -p maxout --test it commands::training` runs those of a module.

mod ai;
mod ai_run;
mod cartridges;
mod cli;
mod crash;
mod curiosities;
mod movies;
mod parity;
mod patches;
mod perpetual;
mod pieces;
mod points;
mod ports;
mod power;
mod practice;
mod program;
mod puzzle;
mod randomizer;
mod reliability;
mod review;
mod several;
mod stable;
mod stream;
mod training;
mod two_player;
mod value;
mod written;
