//! `test`: what is missing, the invariants, the cartridges, every test.

use crate::known_tests::{self, Kind, Test};
use crate::{attack, python, roms, tidy, web};
use anyhow::{Context, Result};
use first_run::install::{self, Purpose};
use first_run::workspace::{self, Workspace, exit};
use std::collections::BTreeMap;
use std::process::{Command, ExitCode};

/// What `test` can be told.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only print what the system lacks; install nothing.
    #[arg(long)]
    no_install: bool,
    /// Run instead the tests that need a display, pads or sound, on virtual ones.
    #[arg(long)]
    window: bool,
}

/// How the reason of an ignored test ends that `--window` runs.
const WINDOW: &str = ": cargo xtask test --window";

/// Installs, tidies, builds the cartridges again to compare them, lints and tests, the scripts of
/// the page and the module for Python first. Last, if all tests pass, the program is attacked for a
/// third of a minute.
///
/// # Errors
/// When something could not be installed or cargo could not be run.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    install::ensure(Purpose::Build, !arguments.no_install)?;
    if arguments.window {
        return window(workspace, !arguments.no_install);
    }
    install::ensure(Purpose::Assemble, !arguments.no_install)?;
    install::ensure_components(!arguments.no_install)?;
    let tidied = tidy::files(workspace)?;
    if tidied != ExitCode::SUCCESS {
        return Ok(tidied);
    }
    if install::complete(Purpose::Assemble) {
        let checked = roms::check(workspace)?;
        if checked != ExitCode::SUCCESS {
            return Ok(checked);
        }
    } else {
        println!(
            "roms: NOT compared with their sources: the assembler is missing, and --no-install was given"
        );
    }
    let scripts = web::share(workspace)?;
    if scripts != ExitCode::SUCCESS {
        return Ok(scripts);
    }
    let shared = python::share(workspace)?;
    let status = linted(workspace, &["test", "--workspace", "--no-fail-fast"])
        .status()
        .context("cargo test could not be started")?;
    if shared != ExitCode::SUCCESS {
        return Ok(shared);
    }
    if !status.success() || !cfg!(target_os = "linux") {
        return Ok(exit(status));
    }
    attack::share(workspace)
}

/// Runs the ignored tests whose reason asks for it, one at a time: each has a display and devices
/// of its own, and limits of time.
fn window(workspace: &Workspace, install: bool) -> Result<ExitCode> {
    install::ensure(Purpose::Run, install)?;
    install::ensure(Purpose::Window, install)?;
    let tests = known_tests::read(workspace)?;
    let mut passed = ExitCode::SUCCESS;
    for ((package, target), paths) in on_virtual_devices(&tests) {
        println!("{package}: {} tests", paths.len());
        let mut command = linted(workspace, &["test", "--no-fail-fast"]);
        // With all of them each has the features of the workspace, and shares what is built.
        command.args(FRONT_ENDS.iter().flat_map(|name| ["--package", name]));
        match target {
            Kind::Library => command.arg("--lib"),
            Kind::Program(name) => command.args(["--bin", name]),
            Kind::Integration(name) => command.args(["--test", name]),
        };
        command.args(["--", "--ignored", "--exact", "--test-threads", "1"]).args(paths);
        let status = command.status().context("cargo test could not be started")?;
        if !status.success() {
            passed = exit(status);
        }
    }
    Ok(passed)
}

/// Packages whose features together are those of the workspace.
const FRONT_ENDS: [&str; 3] = ["desktop", "maxout", "maxout-tests"];

/// The tests that `--window` runs, by package and target.
fn on_virtual_devices(tests: &[Test]) -> BTreeMap<(&str, &Kind), Vec<&str>> {
    let mut found = BTreeMap::<_, Vec<_>>::new();
    let asks = |test: &&Test| test.ignored.as_ref().is_some_and(|reason| reason.ends_with(WINDOW));
    for test in tests.iter().filter(asks) {
        found.entry((test.package.as_str(), &test.target)).or_default().push(test.path.as_str());
    }
    found
}

/// Cargo, which builds by clippy.
pub(crate) fn linted(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut command = workspace.cargo(arguments);
    // Clippy is a compiler: the tests are built by it, so that nothing is compiled once to be
    // linted and once to be run.
    command.env("RUSTC_WORKSPACE_WRAPPER", workspace::clippy_driver()).env("CLIPPY_ARGS", "-Dwarnings");
    // What a second build could reuse costs the first one time.
    command.env("CARGO_INCREMENTAL", "0");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_on_virtual_devices_are_those_whose_reason_asks_for_it() -> Result<()> {
        let workspace = Workspace::load()?;
        let tests = known_tests::read(&workspace)?;
        let found = on_virtual_devices(&tests);
        let kinds: Vec<_> = found.keys().map(|(package, kind)| (*package, (*kind).clone())).collect();
        let it = || Kind::Integration("it".to_owned());
        assert_eq!(kinds, [("desktop", Kind::Library), ("desktop", it()), ("maxout", it())]);
        assert!(found.keys().all(|(package, _)| FRONT_ENDS.contains(package)));
        let names: Vec<_> = found.values().flatten().copied().collect();
        assert!(names.len() > 10 && names.contains(&"window::a_cross_of_two_axes_has_four_directions"));
        // Any other mention of the command would be a test that nothing runs.
        for test in &tests {
            let reason = test.ignored.as_deref().unwrap_or_default();
            assert_eq!(reason.contains("--window"), reason.ends_with(WINDOW), "{}: {reason}", test.path);
        }
        Ok(())
    }
}
