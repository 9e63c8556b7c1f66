//! `accuracy`: runs the public suites and writes what came out.
//!
//! A run's data is committed as docs/accuracy/*.json, one file a suite; docs/accuracy.md is drawn
//! from all of them and from docs/accuracy/notes.json and second-opinion.md, which a human writes.
//! A suite that was not given keeps its data.

mod document;
mod fceux;
mod notes;
mod rows;
mod suite;

use anyhow::{Context, Result, bail};
use first_run::install::{self, Purpose};
use first_run::workspace::Workspace;
use notes::Notes;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use suite::{RomResult, SUITES, Suite};

/// The document, from the workspace's root.
pub(crate) const DOCUMENT: &str = "docs/accuracy.md";

/// What `accuracy` can be told.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A local copy of a suite (nes-test-roms, AccuracyCoin, Holy Mapperel), known by what lies in
    /// it.
    #[arg(long, value_name = "DIR")]
    suite_dir: Vec<PathBuf>,
    /// Write nothing; fail when a new run of the suites at hand differs from what is committed.
    #[arg(long, conflicts_with = "draw")]
    check: bool,
    /// Run nothing; draw the document again from the committed data and notes.
    #[arg(long)]
    draw: bool,
    /// Instead of the suites: play movies in FCEUX and here, and compare RAM after each frame.
    /// Needs fceux and Xvfb.
    #[arg(long, conflicts_with_all = ["suite_dir", "check", "draw"])]
    fceux: bool,
    /// Record the movies of tests/movies anew, with what FCEUX makes of them: after a change of the
    /// cartridge.
    #[arg(long, requires = "fceux")]
    record: bool,
}

/// Runs the pinned package's ROMs and the suites given, then writes or checks.
///
/// # Errors
/// When a folder holds no suite that is known here, or maxout cannot be built or run, or what that
/// takes cannot be installed.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    install::ensure(Purpose::Build, true)?;
    if arguments.fceux {
        return fceux::run(workspace, arguments.record);
    }
    let data = data(workspace);
    if !arguments.draw {
        let given = given(workspace, &arguments.suite_dir)?;
        // The ordinary profile: the tests have built it already, and the chips are optimised in it.
        let maxout = workspace.build("maxout", &[])?;
        let notes = Notes::read(&data)?;
        let mut differences = 0;
        for (suite, folder) in given {
            println!("{}: {}", suite.title, folder.display());
            let outcomes = suite.run(&maxout, &folder, &data, &notes)?;
            let file = data.join(suite.file());
            if arguments.check {
                differences += compare(&suite::read(&file)?, &outcomes);
            } else {
                std::fs::create_dir_all(&data)?;
                std::fs::write(&file, suite::to_json(&outcomes)?)
                    .with_context(|| format!("{} cannot be written", file.display()))?;
            }
        }
        if differences > 0 {
            println!("{differences} differ: run `cargo xtask accuracy` and look at what changed");
            return Ok(ExitCode::FAILURE);
        }
    }
    if arguments.check {
        let Some(stale) = stale_document(workspace)? else {
            println!("{DOCUMENT} is up to date");
            return Ok(ExitCode::SUCCESS);
        };
        println!("{DOCUMENT}: {stale}");
        return Ok(ExitCode::FAILURE);
    }
    std::fs::write(workspace.root.join(DOCUMENT), draw(&data)?)
        .with_context(|| format!("{DOCUMENT} cannot be written"))?;
    println!("{DOCUMENT} written");
    Ok(ExitCode::SUCCESS)
}

/// What is wrong with the committed document, if it is not what its data draw.
///
/// # Errors
/// When the data cannot be read.
pub(crate) fn stale_document(workspace: &Workspace) -> Result<Option<String>> {
    let data = data(workspace);
    if !data.is_dir() {
        return Ok(None);
    }
    let committed = std::fs::read_to_string(workspace.root.join(DOCUMENT)).unwrap_or_default();
    let stale = committed != draw(&data)?;
    Ok(stale.then(|| "differs from its data: run `cargo xtask accuracy --draw`".to_owned()))
}

fn data(workspace: &Workspace) -> PathBuf {
    workspace.root.join("docs").join("accuracy")
}

/// The committed rows that are neither passed nor explained, each in a sentence.
///
/// # Errors
/// When the data cannot be read.
pub(crate) fn unanswered_rows(workspace: &Workspace) -> Result<Vec<String>> {
    let data = data(workspace);
    let exists = |path: &str| workspace.root.join(path).is_file();
    Ok(rows::unanswered(&outcomes(&data)?, &Notes::read(&data)?, exists))
}

fn outcomes(data: &Path) -> Result<Vec<(&'static Suite, Vec<RomResult>)>> {
    SUITES.iter().map(|suite| Ok((suite, suite::read(&data.join(suite.file()))?))).collect()
}

fn draw(data: &Path) -> Result<String> {
    let notes = Notes::read(data)?;
    let suites = outcomes(data)?;
    let opinion = std::fs::read_to_string(data.join("second-opinion.md")).unwrap_or_default();
    Ok(document::draw(&suites, &notes, &opinion))
}

/// The pinned package's ROMs, by their paths in its folder.
///
/// # Errors
/// When the package or its folder is not there.
pub(crate) fn pinned_roms(workspace: &Workspace) -> Result<Vec<String>> {
    let folder = pinned_folder(workspace)?;
    Ok(suite::images(&folder)?.iter().map(|image| suite::relative(&folder, image)).collect())
}

fn pinned_folder(workspace: &Workspace) -> Result<PathBuf> {
    Ok(workspace.package(suite::PINNED_PACKAGE)?.folder().join("test_roms"))
}

/// The suites at hand: the pinned package's, and those in the folders.
fn given(workspace: &Workspace, folders: &[PathBuf]) -> Result<Vec<(&'static Suite, PathBuf)>> {
    let mut given = vec![(suite::PINNED, pinned_folder(workspace)?)];
    for folder in folders {
        let Some(suite) = SUITES.iter().find(|suite| (suite.recognise)(folder)) else {
            let known: Vec<&str> = SUITES.iter().map(|suite| suite.title).collect();
            bail!("{} holds no suite that is known here: {}", folder.display(), known.join(", "));
        };
        given.push((suite, folder.clone()));
    }
    Ok(given)
}

/// Prints what differs, and answers how many.
fn compare(committed: &[RomResult], fresh: &[RomResult]) -> usize {
    let mut differences = 0;
    for outcome in fresh {
        let before =
            committed.iter().find(|before| before.rom == outcome.rom && before.phase == outcome.phase);
        if before != Some(outcome) {
            let was = before.map_or("absent", |before| before.verdict.as_str());
            println!("{}: {was} in the committed data, now {}", outcome.rom, outcome.verdict);
            differences += 1;
        }
    }
    let gone = committed
        .iter()
        .filter(|before| !fresh.iter().any(|now| now.rom == before.rom && now.phase == before.phase));
    for outcome in gone {
        println!("{}: in the committed data, but not run now", outcome.rom);
        differences += 1;
    }
    differences
}
