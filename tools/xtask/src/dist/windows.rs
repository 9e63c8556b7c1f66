//! The program for Windows, built here by mingw.

use crate::dist::{Release, notices, output, program, staging};
use anyhow::{Context, Result, bail};
use first_run::install;
use first_run::workspace::succeed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target that the program is for.
pub(super) const TARGET: &str = "x86_64-pc-windows-gnu";

/// Linker and C compiler for Windows, and the archiver, by the names that Debian has for their
/// packages.
const TOOLS: [(&str, &str); 3] = [
    ("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64"),
    ("x86_64-w64-mingw32-g++", "g++-mingw-w64-x86-64"),
    ("zip", "zip"),
];

/// Debian's compiler, and the sources of its standard library.
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_RUST: [(&str, &str); 1] = [(DEBIAN_RUSTC, "rustc-web rust-web-src")];

/// Where the standard library for Windows comes from.
enum Standard {
    /// The toolchain has it.
    Toolchain,
    /// It is built from Debian's sources, by Debian's compiler.
    Sources,
}

/// Builds the program and packs it with what people read.
///
/// # Errors
/// When a tool is missing, or it does not build.
pub(super) fn make(release: &Release, install: bool) -> Result<PathBuf> {
    install::ensure_debian(&TOOLS, install)?;
    let program = match standard(install)? {
        Standard::Toolchain => program::build(release, TARGET)?,
        Standard::Sources => {
            let built = release.workspace.built("windows");
            let mut cargo = release.workspace.cargo(&["build", "-Z", "build-std=std,panic_abort"]);
            // The sources belong to this compiler, and a standard library is built by unstable
            // features.
            cargo.env("RUSTC", DEBIAN_RUSTC).env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", &built);
            program::build_with(release, TARGET, &mut cargo, &built)?
        }
    };
    let notices = notices::text(release.workspace, "maxout", release.features(), TARGET)?;
    let name = format!("{}-{}", release.name(), release.version);
    let parent = release.fresh("windows")?;
    let folder = parent.join(&name);
    staging::copy(&program, &folder.join("maxout.exe"))?;
    staging::documents(release, &folder, &notices)?;
    staging::equal_modes(&folder)?;
    let path = release.folder.join(format!("{name}-x86_64-windows.zip"));
    if path.exists() {
        std::fs::remove_file(&path)?;
    }
    // Sorted, and with the commit's time, because folders are read in any order.
    let listed = output(release.packer("find").current_dir(&parent).args([name.as_str(), "-type", "f"]))?;
    let mut files: Vec<&str> = listed.lines().collect();
    files.sort_unstable();
    let time = format!("@{}", release.epoch);
    succeed(release.packer("touch").current_dir(&parent).args(["-d", &time]).args(&files))?;
    succeed(release.packer("zip").current_dir(&parent).args(["-X", "-9", "-q"]).arg(&path).args(&files))?;
    Ok(path)
}

/// The program that an earlier call made.
///
/// # Errors
/// When there is none.
pub(super) fn program(release: &Release) -> Result<PathBuf> {
    let folder = release.workspace.built("staging").join("windows");
    let path = folder.join(format!("{}-{}", release.name(), release.version)).join("maxout.exe");
    if !path.is_file() {
        bail!("{} is not there: cargo xtask dist --windows makes it", path.display());
    }
    Ok(path)
}

/// Sees that there is a standard library for Windows.
fn standard(install: bool) -> Result<Standard> {
    if toolchain_has_it()? {
        return Ok(Standard::Toolchain);
    }
    if install {
        println!("missing: Rust's standard library for Windows (rustup target add {TARGET})");
        let added = Command::new("rustup").args(["target", "add", TARGET]).status();
        if added.is_ok_and(|status| status.success()) && toolchain_has_it()? {
            return Ok(Standard::Toolchain);
        }
        println!("rustup did not add it; it can be built from Debian's sources");
    }
    if !(Path::new(DEBIAN_RUSTC).is_file() && Path::new("/usr/lib/rustlib/src/rust/library").exists()) {
        install::ensure_debian(&DEBIAN_RUST, install)?;
    }
    Ok(Standard::Sources)
}

fn toolchain_has_it() -> Result<bool> {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))
        .context("the compiler does not say where it lies")?;
    Ok(Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).join("lib").is_dir())
}
