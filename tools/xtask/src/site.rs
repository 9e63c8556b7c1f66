//! `site`: one folder for any static host, with the landing page, the book, the page for browsers,
//! the documentation of the published crates, and the downloads with their checksums.

mod landing;
mod links;

use anyhow::{Context, Result, bail};
use first_run::workspace::{Workspace, succeed};
use landing::Parts;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What `site` can be told.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask site --install           build everything into target/site
  cargo xtask site public --no-api     without the API documentation, which takes longest
  cargo xtask site --check-only        only check the links of target/site

`cargo xtask web` and `cargo xtask dist` build the page for browsers and the downloads. The site has
what they left under target/, and says what it lacks.")]
pub(crate) struct Arguments {
    /// Folder to write [default: target/site]. It is replaced if an earlier call wrote it.
    folder: Option<PathBuf>,
    /// Leave out the API documentation.
    #[arg(long)]
    no_api: bool,
    /// Install mdbook into target/tools if it is missing.
    #[arg(long)]
    install: bool,
    /// Build nothing: check the links of a folder that is there.
    #[arg(long)]
    check_only: bool,
}

/// The version of mdbook that the book is built with. As a library it would bring some 200 crates
/// into every build of this program.
const MDBOOK: &str = "0.5.4";

/// The file by which a later call knows that the folder may be replaced.
const MARK: &str = ".maxout-site";

/// Pictures of the landing page, from docs/pictures.
const PICTURES: [&str; 4] = ["play.png", "practise.png", "window-review.png", "stream-one.png"];

/// Builds the folder and checks its links.
///
/// # Errors
/// When mdbook is missing, something does not build, or the folder holds other files.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let folder = arguments.folder.clone().unwrap_or_else(|| workspace.built("site"));
    if !arguments.check_only {
        fresh(&folder)?;
        let parts = Parts {
            page: copied(&workspace.built("web-page"), &folder.join("play"), "page", "cargo xtask web")?,
            downloads: copied(
                &workspace.built("packages"),
                &folder.join("download"),
                "downloads",
                "cargo xtask dist",
            )?,
            crates: if arguments.no_api { Vec::new() } else { api(workspace, &folder.join("api"))? },
        };
        book(workspace, &folder.join("book"), arguments.install)?;
        let pictures = folder.join("pictures");
        std::fs::create_dir_all(&pictures)?;
        for name in PICTURES {
            let from = workspace.root.join("docs/pictures").join(name);
            std::fs::copy(&from, pictures.join(name)).with_context(|| format!("{}", from.display()))?;
        }
        let version = &workspace.package("maxout")?.version;
        std::fs::write(folder.join("index.html"), landing::page(version, &parts, &folder)?)?;
    }
    let report = links::check(&folder)?;
    for broken in &report.broken {
        println!("{broken}");
    }
    println!(
        "site: {}, {} pages, {} internal links, {} broken",
        folder.display(),
        report.pages,
        report.links,
        report.broken.len()
    );
    Ok(if report.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Makes the folder anew.
///
/// # Errors
/// When it holds something that no earlier call wrote.
fn fresh(folder: &Path) -> Result<()> {
    if folder.exists() {
        let empty = folder.read_dir().with_context(|| format!("{}", folder.display()))?.next().is_none();
        if !empty && !folder.join(MARK).is_file() {
            bail!(
                "{} holds files that are not of an earlier site: name an empty or a new folder",
                folder.display()
            );
        }
        std::fs::remove_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    std::fs::write(folder.join(MARK), "Written by cargo xtask site, which replaces this folder.\n")?;
    Ok(())
}

/// Copies a folder, if it is there; says what makes it, if not.
fn copied(from: &Path, to: &Path, what: &str, command: &str) -> Result<bool> {
    if !from.is_dir() {
        println!("site: without the {what}: `{command}` has not been run here");
        return Ok(false);
    }
    copy(from, to)?;
    Ok(true)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to).with_context(|| format!("{}", to.display()))?;
    for entry in from.read_dir().with_context(|| format!("{}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target).with_context(|| format!("{}", entry.path().display()))?;
        }
    }
    Ok(())
}

/// Builds the book.
fn book(workspace: &Workspace, to: &Path, install: bool) -> Result<()> {
    let tools = workspace.built("tools");
    let own = tools.join(format!("bin/mdbook{}", std::env::consts::EXE_SUFFIX));
    let known = |program: &PathBuf| {
        let output = Command::new(program).arg("--version").output();
        output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(MDBOOK))
    };
    let found = |own: &PathBuf| [own.clone(), PathBuf::from("mdbook")].into_iter().find(known);
    let mut program = found(&own);
    if program.is_none() && install {
        println!("site: installing mdbook {MDBOOK} into {}", tools.display());
        let features = ["--no-default-features", "--features", "search"];
        let mut cargo = workspace.cargo(&["install", "mdbook", "--locked", "--version", MDBOOK]);
        succeed(cargo.args(features).arg("--root").arg(&tools))?;
        program = found(&own);
    }
    let Some(program) = program else {
        bail!("mdbook {MDBOOK} is missing: say --install, or `cargo install mdbook --version {MDBOOK}`");
    };
    let mut build = Command::new(program);
    succeed(build.arg("build").arg("--dest-dir").arg(to).arg(&workspace.root))
}

/// Documents the crates that are published. Returns the names of their libraries.
fn api(workspace: &Workspace, to: &Path) -> Result<Vec<String>> {
    let mut packages: Vec<_> = workspace.members().filter(|package| package.is_published()).collect();
    packages.sort_by(|left, right| left.name.cmp(&right.name));
    let target = workspace.built("site-doc");
    let pages = target.join("doc");
    if pages.exists() {
        std::fs::remove_dir_all(&pages).with_context(|| format!("{}", pages.display()))?;
    }
    let mut cargo = workspace.cargo(&["doc", "--no-deps", "--lib", "--target-dir"]);
    cargo.arg(&target).env("RUSTDOCFLAGS", "-Dwarnings");
    cargo.args(packages.iter().flat_map(|package| ["--package", &package.name]));
    succeed(&mut cargo)?;
    copy(&pages, to)?;
    std::fs::write(to.join("index.html"), landing::crates(&packages))?;
    Ok(packages.iter().map(|package| package.name.replace('-', "_")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_others_is_not_replaced_and_an_earlier_site_is() -> Result<()> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("mine.txt"), "x")?;
        assert!(fresh(folder.path()).is_err_and(|error| error.to_string().contains("new folder")));
        assert!(folder.path().join("mine.txt").is_file());
        std::fs::remove_file(folder.path().join("mine.txt"))?;
        fresh(folder.path())?;
        std::fs::write(folder.path().join("old.html"), "x")?;
        fresh(folder.path())?;
        assert!(!folder.path().join("old.html").exists());
        Ok(())
    }
}
