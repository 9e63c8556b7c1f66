//! `dist`: what people install, made from this checkout: an archive, a Debian package, an AppImage,
//! and with `--windows` the program for Windows; beside them bills of materials. All of it is the
//! same, byte for byte, wherever and whenever the same commit is built with the same compiler:
//! times are the commit's, paths are not in it.

mod appimage;
mod check;
mod debian;
pub(crate) mod icon;
mod macos;
pub(crate) mod notices;
mod program;
mod sbom;
mod staging;
mod windows;

use crate::web;
use anyhow::{Context, Result, bail};
use first_run::install::{self, Purpose};
use first_run::workspace::Workspace;
pub(crate) use macos::TARGETS as MACOS;
use sha2::{Digest, Sha256};
pub(crate) use staging::NOTICES;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What `dist` can be told.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask dist                     archive and Debian package, into target/packages
  cargo xtask dist --windows           the program for Windows, built here by mingw
  cargo xtask dist --web --address https://example.org/maxout/   the page, and its package for npm
  sudo cargo xtask dist --check-only   try the package on a bare Debian
  cargo xtask dist --sums              write SHA256SUMS for all packages that are there")]
pub(crate) struct Arguments {
    /// Make the program for Windows instead (64 bit), by cross-compiling.
    #[arg(long)]
    windows: bool,
    /// Make the program for macOS instead, for both processors; on macOS.
    #[arg(long, conflicts_with = "windows")]
    macos: bool,
    /// Make the page for browsers instead: an archive for any host of files, and the package for
    /// npm.
    #[arg(long, conflicts_with_all = ["windows", "macos", "headless", "check", "check_only"])]
    web: bool,
    /// The address at which the page will be: see `cargo xtask web --help`.
    #[arg(long, value_name = "URL", requires = "web", value_parser = web::Address::parse)]
    address: Option<web::Address>,
    /// Build nothing: write SHA256SUMS for the packages that are there.
    #[arg(long, conflicts_with_all = ["windows", "macos", "web", "check", "check_only"])]
    sums: bool,
    /// Leave the window out, and with it every library of the system but libc and libgcc: for
    /// servers.
    #[arg(long)]
    headless: bool,
    /// Try what was made: the Debian package on a bare Debian (debootstrap; wants root), the
    /// Windows program under Wine.
    #[arg(long)]
    check: bool,
    /// Try what an earlier call made, and build nothing.
    #[arg(long, conflicts_with = "check")]
    check_only: bool,
    /// Make an AppImage, too, with the head of this one, or this runtime of the AppImage project.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["windows", "headless"])]
    appimage_runtime: Option<PathBuf>,
    /// Fail unless the packages that are made are the same, byte for byte, as those of this folder.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["sums", "check_only"])]
    same_as: Option<PathBuf>,
    /// Only print what the system lacks; install nothing.
    #[arg(long)]
    no_install: bool,
}

/// The processor of this machine: packages for Linux are for the same.
const PROCESSOR: &str = std::env::consts::ARCH;

/// The target that Linux packages are for.
const LINUX: &str =
    if cfg!(target_arch = "aarch64") { "aarch64-unknown-linux-gnu" } else { "x86_64-unknown-linux-gnu" };

/// What is released.
struct Release<'a> {
    workspace: &'a Workspace,
    /// Whether the window is left out.
    headless: bool,
    /// The version in the manifests.
    version: String,
    /// When the commit was made, in seconds since 1970: the time of all that is packed.
    epoch: String,
    /// The same as `2026-01-31`.
    date: String,
    /// Where the packages go.
    folder: PathBuf,
}

/// Makes the packages, and tries them where that is asked for.
///
/// # Errors
/// When something is missing, does not build, holds a path of this machine, or does not pass its
/// trial.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let on_linux = cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")));
    if !on_linux && !arguments.macos && !arguments.sums {
        bail!(
            "packages are made on Linux (x86_64, aarch64), and on macOS with --macos; on other systems: cargo install --path crates/maxout"
        );
    }
    let release = Release::of(workspace, arguments.headless)?;
    if arguments.sums {
        release.write_sums()?;
        return Ok(ExitCode::SUCCESS);
    }
    let install = !arguments.no_install;
    if !arguments.check_only {
        if !arguments.headless && !arguments.web {
            install::ensure(Purpose::Build, install)?;
        }
        if !arguments.macos {
            install::ensure(Purpose::Package, install)?;
        }
        let made = if arguments.web {
            page(&release, install, arguments.address.as_ref())?
        } else if arguments.windows {
            let name = format!("{}-{}-x86_64-windows", release.name(), release.version);
            vec![windows::make(&release, install)?, sbom::write(&release, "maxout", windows::TARGET, &name)?]
        } else if arguments.macos {
            let name = format!("{}-{}-universal-macos", release.name(), release.version);
            vec![macos::make(&release, install)?, sbom::write(&release, "maxout", macos::TARGETS[0], &name)?]
        } else {
            linux(&release, arguments.appimage_runtime.as_deref())?
        };
        for path in &made {
            println!("{:>9} kB  {}", path.metadata()?.len().div_ceil(1000), path.display());
        }
        release.write_sums()?;
        if let Some(folder) = &arguments.same_as {
            same(&made, folder)?;
        }
    }
    if arguments.check || arguments.check_only {
        if arguments.windows { check::windows(&release, install)? } else { check::debian(&release, install)? }
    }
    Ok(ExitCode::SUCCESS)
}

/// Compares packages with those of the same names in a folder.
///
/// # Errors
/// When one of them differs or is not there, with the place of the first byte that does.
fn same(made: &[PathBuf], folder: &Path) -> Result<()> {
    for path in made {
        let name = path.file_name().context("a package without a name")?;
        let other = folder.join(name);
        let read = |path: &Path| std::fs::read(path).with_context(|| format!("{}", path.display()));
        let (one, two) = (read(path)?, read(&other)?);
        if one != two {
            let first = one.iter().zip(&two).position(|(one, two)| one != two);
            let first = first.unwrap_or(one.len().min(two.len()));
            bail!("{} and {} differ from byte {first} on", path.display(), other.display());
        }
        println!("dist: {} is the same as in {}", name.display(), folder.display());
    }
    Ok(())
}

/// The packages for Linux.
fn linux(release: &Release, runtime: Option<&Path>) -> Result<Vec<PathBuf>> {
    let program = program::build(release, LINUX)?;
    let notices = notices::text(release.workspace, "maxout", release.features(), LINUX)?;
    let staged = staging::prefix(release, &program, &notices)?;
    let name = format!("{}-{}-{PROCESSOR}-linux", release.name(), release.version);
    let mut made = vec![
        staging::archive(release, &staged, &format!("{PROCESSOR}-linux"))?,
        debian::make(release, &staged)?,
        sbom::write(release, "maxout", LINUX, &name)?,
    ];
    match runtime {
        Some(runtime) => made.push(appimage::make(release, &staged, runtime)?),
        None if release.headless => {}
        None => println!("dist: no AppImage, because that takes a runtime: --appimage-runtime FILE"),
    }
    Ok(made)
}

/// The page as an archive, and its package for npm.
fn page(release: &Release, install: bool, address: Option<&web::Address>) -> Result<Vec<PathBuf>> {
    let out = release.workspace.built("web-page");
    web::build(release.workspace, &out, install, address)?;
    staging::equal_modes(&out)?;
    let name = format!("{}-{}-web", release.name(), release.version);
    Ok(vec![
        staging::archive(release, &out, "web")?,
        web::pack(release.workspace, &out, &release.workspace.built("web-modules"), &release.folder)?,
        sbom::write(release, "web", web::TARGET, &name)?,
    ])
}

impl<'a> Release<'a> {
    fn of(workspace: &'a Workspace, headless: bool) -> Result<Self> {
        let version = workspace.package("maxout")?.version.clone();
        let log = output(Command::new("git").current_dir(&workspace.root).env("TZ", "UTC").args([
            "log",
            "-1",
            "--format=%ct %cd",
            "--date=format-local:%Y-%m-%d",
        ]))
        .context("the packages carry the time of the commit: this is no clone of the repository")?;
        let (epoch, date) = log.trim().split_once(' ').context("git printed no time")?;
        let commit = workspace.commit();
        println!("dist: Maxout {version}, commit {commit}");
        if commit.ends_with("-dirty") {
            println!("dist: files differ from the commit; this is no release");
        }
        let folder = workspace.built("packages");
        std::fs::create_dir_all(&folder)?;
        Ok(Self { workspace, headless, version, epoch: epoch.to_owned(), date: date.to_owned(), folder })
    }

    /// How the packages are called.
    fn name(&self) -> &'static str {
        if self.headless { "maxout-headless" } else { "maxout" }
    }

    /// What cargo is told to leave out.
    fn features(&self) -> &'static [&'static str] {
        if self.headless { &["--no-default-features", "--features=research"] } else { &[] }
    }

    /// An empty folder for what goes into packages.
    fn fresh(&self, name: &str) -> Result<PathBuf> {
        let folder = self.workspace.built("staging").join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).with_context(|| format!("{}", folder.display()))?;
        }
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// A program that packs, with the commit's time as its own.
    fn packer(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SOURCE_DATE_EPOCH", &self.epoch).env("LC_ALL", "C").env("TZ", "UTC");
        command
    }

    /// Writes `SHA256SUMS` for everything of this version in the folder.
    fn write_sums(&self) -> Result<()> {
        let mut names: Vec<String> = self
            .folder
            .read_dir()?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<Result<_>>()?;
        names.retain(|name| name.contains(&self.version));
        names.sort();
        let mut sums = String::new();
        for name in names {
            let path = self.folder.join(&name);
            let bytes = std::fs::read(&path).with_context(|| format!("{}", path.display()))?;
            for byte in Sha256::digest(bytes) {
                write!(sums, "{byte:02x}")?;
            }
            // As `sha256sum --check` reads it.
            writeln!(sums, "  {name}")?;
        }
        std::fs::write(self.folder.join("SHA256SUMS"), &sums)?;
        print!("{sums}");
        Ok(())
    }
}

/// Runs a program to its end and returns what it printed.
///
/// # Errors
/// When it cannot be started or fails; its errors are shown.
fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("{name} could not be started"))?;
    if !output.status.success() {
        bail!("{name} failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).with_context(|| format!("{name} printed what is no text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_differ_are_told_with_the_first_byte() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let other = tempfile::tempdir()?;
        let path = folder.path().join("a.deb");
        std::fs::write(&path, b"abcd")?;
        assert!(same(std::slice::from_ref(&path), other.path()).is_err(), "there is none");
        std::fs::write(other.path().join("a.deb"), b"abXd")?;
        let error = same(std::slice::from_ref(&path), other.path()).expect_err("another byte").to_string();
        assert!(error.ends_with("differ from byte 2 on"), "{error}");
        std::fs::write(other.path().join("a.deb"), b"abcd")?;
        same(&[path], other.path())
    }
}
