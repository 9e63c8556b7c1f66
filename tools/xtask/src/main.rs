//! The project's own commands, run as `cargo xtask <command>`: what a build system would be, in
//! Rust, so that a machine with cargo has everything.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]
#![allow(clippy::print_stderr, reason = "a tool may end when standard error is lost")]

mod accuracy;
mod bench;
mod display;
mod dist;
mod fuzz;
mod install;
mod known_tests;
mod play;
mod prove;
mod python;
mod roms;
mod soak;
mod stream;
mod test;
mod tidy;
mod web;
mod workspace;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use workspace::Workspace;

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build Maxout and open its window, installing first what is missing.
    Play(play::Arguments),
    /// Check the invariants and the cartridges and run every test, installing first what is
    /// missing.
    Test(test::Arguments),
    /// What .ci/run does: the same as `test`.
    Ci(test::Arguments),
    /// Check the invariants: levels, sources, files, links, rustfmt, clippy.
    Tidy,
    /// Build the cartridge images under roms/ from their sources, installing first what is missing.
    Roms(roms::Arguments),
    /// Measure CPU time against a peer on the same ROMs, and snapshots.
    Bench(bench::Arguments),
    /// Run the fast console and the slow one side by side, on ROMs and random programs.
    Prove(prove::Arguments),
    /// Run everything that reads what others wrote on inputs made at random.
    Fuzz(fuzz::Arguments),
    /// Look at the overlays of `maxout stream` in a headless browser.
    Stream(stream::Arguments),
    /// Build the package for Python, and test it.
    Python(python::Arguments),
    /// Build the page for browsers, serve it, and test it in headless Chromium.
    Web(web::Arguments),
    /// Play, rewind, save, record and practise for hours, and watch memory and open files.
    Soak(soak::Arguments),
    /// Make what people install: archive, Debian package, AppImage, program for Windows.
    Dist(dist::Arguments),
    /// Run the public test suites and write docs/accuracy.md.
    Accuracy(accuracy::Arguments),
}

fn main() -> Result<ExitCode> {
    let Arguments { command } = Arguments::parse();
    let workspace = Workspace::load()?;
    match command {
        Command::Play(arguments) => play::run(&workspace, &arguments),
        Command::Test(arguments) | Command::Ci(arguments) => test::run(&workspace, &arguments),
        Command::Tidy => tidy::run(&workspace),
        Command::Roms(arguments) => roms::run(&workspace, &arguments),
        Command::Bench(arguments) => bench::run(&workspace, &arguments),
        Command::Prove(arguments) => prove::run(&workspace, &arguments),
        Command::Fuzz(arguments) => fuzz::run(&workspace, &arguments),
        Command::Stream(arguments) => stream::run(&workspace, &arguments),
        Command::Python(arguments) => python::run(&workspace, &arguments),
        Command::Web(arguments) => web::run(&workspace, &arguments),
        Command::Soak(arguments) => soak::run(&workspace, &arguments),
        Command::Dist(arguments) => dist::run(&workspace, &arguments),
        Command::Accuracy(arguments) => accuracy::run(&workspace, &arguments),
    }
}
