//! `tidy`: the invariants of docs/ARCHITECTURE.md and docs/STYLE.md, as checks.

mod colours;
mod commands;
mod comments;
mod errors;
mod headless;
mod levels;
mod licences;
mod links;
mod running;
mod tree;
mod unused;
mod workflows;

use crate::{accuracy, figures, known_tests, roms};
use anyhow::{Context, Result};
use first_run::workspace::Workspace;
use std::fmt;
use std::process::{ExitCode, Stdio};

/// One thing to change: where, and what to do.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    /// Path from the workspace's root, with `/`.
    file: String,
    /// From 1; 0 where the whole file is meant.
    line: usize,
    message: String,
}

impl Finding {
    fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.file, self.line.max(1), self.message)
    }
}

/// Checks the files, then what clippy says.
///
/// # Errors
/// When the tree cannot be read or cargo cannot be run.
pub(crate) fn run(workspace: &Workspace) -> Result<ExitCode> {
    let tidied = files(workspace)?;
    let lints = clippy(workspace)?;
    Ok(if lints { tidied } else { ExitCode::FAILURE })
}

/// Prints a line for each finding in the files. Fails when there is one.
///
/// # Errors
/// When the tree cannot be read or cargo cannot be run.
pub(crate) fn files(workspace: &Workspace) -> Result<ExitCode> {
    let tree = tree::read(&workspace.root)?;
    let architecture =
        tree.iter().find(|file| file.path == "docs/ARCHITECTURE.md").and_then(|file| file.text());
    let mut findings = levels::check(&levels::crates(workspace)?, architecture.unwrap_or_default());
    findings.extend(licences::check(workspace));
    findings.extend(headless::check(workspace)?);
    findings.extend(unused::check(workspace, &tree));
    let pinned = accuracy::pinned_roms(workspace)?;
    let images = roms::images(&workspace.root)?;
    let tests = known_tests::read(workspace)?;
    for file in &tree {
        findings.extend(tree::check(file, &images));
        if let Some(text) = file.text() {
            match file.extension() {
                "rs" => {
                    findings.extend(levels::check_source(&file.path, text));
                    findings.extend(comments::check(&file.path, text));
                    findings.extend(running::check(&file.path, text));
                    findings.extend(colours::check(&file.path, text));
                    findings.extend(errors::check(&file.path, text));
                    // Its own examples are wrong on purpose.
                    if file.path != "tools/xtask/src/tidy/commands.rs" {
                        findings.extend(commands::check(&file.path, text, &tests));
                    }
                }
                "md" => {
                    findings.extend(commands::check(&file.path, text, &tests));
                    let exists = |path: &str| workspace.root.join(path).exists();
                    findings.extend(links::check(&file.path, text, exists));
                    findings.extend(links::check_roms(&file.path, text, &pinned));
                }
                "yml" => findings.extend(workflows::check(&file.path, text)),
                _ => {}
            }
        }
    }
    if let Some(stale) = accuracy::stale_document(workspace)? {
        findings.push(Finding::new(accuracy::DOCUMENT, 0, stale));
    }
    let contents = tree.iter().find(|file| file.path == links::CONTENTS).and_then(|file| file.text());
    let pages = tree.iter().filter(|file| file.extension() == "md").map(|file| file.path.as_str());
    findings.extend(links::check_contents(pages, contents.unwrap_or_default()));
    if let Some(stale) = figures::stale(workspace)? {
        findings.push(Finding::new(figures::DOCUMENT, 0, stale));
    }
    let rows = accuracy::unanswered_rows(workspace)?;
    findings.extend(rows.into_iter().map(|row| Finding::new(accuracy::DOCUMENT, 0, row)));
    findings.extend(formatting(workspace)?);
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() {
        println!("tidy: {} files, nothing to change", tree.len());
        return Ok(ExitCode::SUCCESS);
    }
    println!("tidy: {} to change", findings.len());
    Ok(ExitCode::FAILURE)
}

/// Files that rustfmt would change.
fn formatting(workspace: &Workspace) -> Result<Vec<Finding>> {
    let output = workspace
        .cargo(&["fmt", "--all", "--check", "--", "-l"])
        .stderr(Stdio::inherit())
        .output()
        .context("cargo fmt could not be started")?;
    let listed = String::from_utf8_lossy(&output.stdout);
    let mut findings: Vec<Finding> = listed
        .lines()
        .filter(|line| !line.is_empty())
        .map(|path| {
            let path = path.strip_prefix(&*workspace.root.to_string_lossy()).unwrap_or(path);
            Finding::new(path.trim_start_matches(['/', '\\']), 0, "not formatted: run `cargo fmt --all`")
        })
        .collect();
    if findings.is_empty() && !output.status.success() {
        findings.push(Finding::new(
            "Cargo.toml",
            0,
            "`cargo fmt` fails: `rustup component add rustfmt`, or see above",
        ));
    }
    Ok(findings)
}

/// Clippy over everything, pedantic by the workspace's lints; it prints its own lines.
fn clippy(workspace: &Workspace) -> Result<bool> {
    let status = workspace
        .cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--keep-going",
            "--message-format=short",
            "--",
            "-D",
            "warnings",
        ])
        .status()
        .context("cargo clippy could not be started")?;
    Ok(status.success())
}
