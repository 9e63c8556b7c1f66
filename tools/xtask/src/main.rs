//! The project's own commands, run as `cargo xtask <command>`: what a build system would be, in
//! Rust, so that a machine with cargo has everything. What cargo starts is `first-run`, which
//! builds and starts this program for all commands but `play`.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]
#![allow(clippy::print_stderr, reason = "a tool may end when standard error is lost")]

mod accuracy;
mod article;
mod attack;
mod bench;
mod deny;
mod display;
mod dist;
mod figures;
mod forwarded;
mod fuzz;
mod known_tests;
mod netplay;
mod node;
mod pictures;
mod prove;
mod publish;
mod python;
mod retroarch;
mod roms;
mod screen;
mod site;
mod soak;
mod stream;
mod test;
mod tidy;
mod vscode;
mod web;
mod wine;

use anyhow::Result;
use clap::{Parser, Subcommand};
use first_run::play;
use first_run::workspace::Workspace;
// Its unit is what it is for: see Cargo.toml.
use num_traits as _;
use std::process::ExitCode;

/// Build, run, test and release Maxout. Everything a contributor or a workflow does is one of these
/// commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", disable_help_subcommand = true)]
#[command(after_help = "\
Begin with `cargo xtask play` and `cargo xtask test`. On Debian, Ubuntu, Fedora, Arch and macOS these \
install missing system packages and list them first; --no-install only lists them.\n
Before a commit:   cargo xtask tidy, then cargo xtask test
Chips, mappers:    cargo xtask accuracy --suite-dir DIR, cargo xtask prove, cargo xtask bench
Parsers, scripts:  cargo xtask fuzz
A release:         cargo xtask dist, web, python, site, publish

`cargo xtask COMMAND --help` has options and examples. CONTRIBUTING.md says what a change needs.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build Maxout and open its window.
    Play(play::Arguments),
    /// Run every check and every test. Warnings of clippy are errors.
    Test(test::Arguments),
    /// The same as `test`; .ci/run calls it.
    #[command(hide = true)]
    Ci(test::Arguments),
    /// Check sources, links, licences, crate levels, rustfmt and clippy, without running tests.
    Tidy,
    /// Build the cartridge images under roms/ from their sources.
    Roms(roms::Arguments),
    /// Look for known vulnerabilities, and check licences and sources of all packages.
    Deny,
    /// Run the public test suites and write docs/accuracy.md.
    Accuracy(accuracy::Arguments),
    /// Run the fast console beside the plain one, on ROMs and random programs.
    Prove(prove::Arguments),
    /// Run every command of docs/article.md, and write a page of the results.
    Article,
    /// Feed random input to every parser and every script interface.
    Fuzz(fuzz::Arguments),
    /// End the program in every way at random moments, and send both servers what strangers may.
    Attack(attack::Arguments),
    /// Play, rewind, save, record and practise for hours, and watch memory and open files.
    Soak(soak::Arguments),
    /// Measure CPU time and instructions, beside another emulator on the same ROMs.
    Bench(bench::Arguments),
    /// Draw the table of figures in README from the pages that hold them.
    Figures(figures::Arguments),
    /// Make the book's screenshots from the program itself, on a display without a screen.
    Pictures(pictures::Arguments),
    /// Test the stream's overlays in headless Chromium, or draw them.
    Stream(stream::Arguments),
    /// Measure a room with 100 spectators, and play between two networks behind routers.
    Netplay(netplay::Arguments),
    /// Build the page for browsers; serve it, or test it in headless Chromium.
    Web(web::Arguments),
    /// Build the Python package, and test it.
    Python(python::Arguments),
    /// Build the core of libretro, and test it in `RetroArch`.
    Retroarch(retroarch::Arguments),
    /// Test the debugger for editors by VS Code's own test client.
    Vscode(vscode::Arguments),
    /// Build packages: archive, Debian package, AppImage, program for Windows.
    Dist(dist::Arguments),
    /// Build the website: landing page, book, API documentation, page for browsers, downloads.
    Site(site::Arguments),
    /// Package the published crates, and verify that they build from their packages.
    Publish(publish::Arguments),
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
        Command::Attack(arguments) => attack::run(&workspace, &arguments),
        Command::Stream(arguments) => stream::run(&workspace, &arguments),
        Command::Netplay(arguments) => netplay::run(&workspace, &arguments),
        Command::Article => article::run(&workspace),
        Command::Python(arguments) => python::run(&workspace, &arguments),
        Command::Retroarch(arguments) => retroarch::run(&workspace, &arguments),
        Command::Vscode(arguments) => vscode::run(&workspace, &arguments),
        Command::Web(arguments) => web::run(&workspace, &arguments),
        Command::Soak(arguments) => soak::run(&workspace, &arguments),
        Command::Dist(arguments) => dist::run(&workspace, &arguments),
        Command::Deny => deny::run(&workspace),
        Command::Accuracy(arguments) => accuracy::run(&workspace, &arguments),
        Command::Figures(arguments) => figures::run(&workspace, &arguments),
        Command::Pictures(arguments) => pictures::run(&workspace, &arguments),
        Command::Site(arguments) => site::run(&workspace, &arguments),
        Command::Publish(arguments) => publish::run(&workspace, &arguments),
    }
}
