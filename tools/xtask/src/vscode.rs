//! `vscode`: the debugger for editors, by VS Code's own test client.

use crate::node;
use anyhow::{Context, Result, bail};
use first_run::install::{self, Purpose};
use first_run::workspace::{Workspace, exit};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// What the test takes from npm; nothing of it is part of the extension.
const PACKAGES: [&str; 1] = ["@vscode/debugadapter-testsupport@1.68.0"];

/// What `vscode` can be told.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask vscode --test --install    drive the debugger by VS Code's test client, which npm brings
  cd tools/vscode && npx vsce package    pack the extension")]
pub(crate) struct Arguments {
    /// Debug the program in C by VS Code's test client for debug adapters.
    #[arg(long, required = true)]
    test: bool,
    /// Have npm bring what is missing.
    #[arg(long)]
    install: bool,
    /// A `maxout` that is built already.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
}

/// Tests `maxout debug --dap` by the client.
///
/// # Errors
/// When something is missing or cannot be built.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let Some(version) = node::version() else {
        bail!("expected Node {} or newer in the PATH", node::OLDEST);
    };
    let folder = workspace.built("vscode-test");
    node::packages(&folder, &PACKAGES, arguments.install)?;
    let program = if let Some(program) = &arguments.program {
        program.canonicalize().with_context(|| format!("{}", program.display()))?
    } else {
        install::ensure(Purpose::Build, true)?;
        workspace.build("maxout", &[])?
    };
    let mut tests = Command::new("node");
    tests.args(["--test", "--test-reporter=spec"]).arg(workspace.root.join("tools/vscode/test/client.mjs"));
    tests.env("MAXOUT", program).env("MAXOUT_ROMS", workspace.root.join("roms"));
    tests.env("MAXOUT_PACKAGES", folder.join("node_modules"));
    let status = tests.status().context("node could not be started")?;
    println!("the debugger for editors, by VS Code's test client in Node {version}");
    Ok(exit(status))
}
