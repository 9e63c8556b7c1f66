//! The compiler for the web: rustup's, if it has the target, or Debian's, whose standard library is
//! built from source; and what writes its module for JavaScript.

use anyhow::{Context, Result, bail};
use first_run::workspace::{Workspace, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
/// Where Debian has its compiler; rustup's comes first in `PATH`.
const DEBIANS: &str = "/usr/bin/rustc";
/// What Debian calls compiler and sources.
const DEBIAN_PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];
/// The program of the workspace that writes modules for JavaScript.
const BINDGEN: &str = "maxout-bindgen";
/// A console is some hundred kilobytes, and clones go by value.
const STACK: &str = "-Clink-arg=-zstack-size=4194304";

/// What builds the modules.
pub(super) struct Toolchain {
    compiler: Compiler,
    bindgen: PathBuf,
}

enum Compiler {
    /// The one that builds everything else has the target.
    Usual,
    /// Debian's, with this linker.
    Debians { linker: PathBuf },
}

impl Toolchain {
    /// Finds what there is, and installs the rest if that is wanted.
    ///
    /// # Errors
    /// What is missing, and how it is had.
    pub(super) fn find(workspace: &Workspace, install: bool) -> Result<Self> {
        if compiler().is_none() && install {
            install_compiler()?;
        }
        let Some(compiler) = compiler() else { bail!("{}", missing()) };
        Ok(Self { compiler, bindgen: bindgen(workspace)? })
    }

    /// Builds the crate `web` with these features of the target. Returns the module.
    ///
    /// # Errors
    /// When it does not build.
    pub(super) fn build(&self, workspace: &Workspace, features: Option<&str>) -> Result<PathBuf> {
        // Two flags, two folders: with one, each build would be from the start.
        let target = workspace.built(if features.is_some() { "web-simd" } else { "web" });
        let mut cargo =
            workspace.cargo(&["build", "--package", "web", "--lib", "--profile", "web", "--target", TARGET]);
        cargo.arg("--target-dir").arg(&target);
        let features = features.map(|features| format!(" -Ctarget-feature={features}")).unwrap_or_default();
        let flags = format!("{STACK}{features}");
        cargo.env("RUSTFLAGS", flags).env_remove("CARGO_ENCODED_RUSTFLAGS");
        cargo.env_remove("RUSTC_WORKSPACE_WRAPPER");
        if let Compiler::Debians { linker } = &self.compiler {
            cargo.args(["-Z", "build-std=std,panic_abort"]);
            cargo.env("RUSTC", DEBIANS).env("RUSTC_BOOTSTRAP", "1");
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        succeed(&mut cargo)?;
        Ok(target.join(TARGET).join("web/web.wasm"))
    }

    /// Writes the module as JavaScript takes it, and the script beside it.
    ///
    /// # Errors
    /// When wasm-bindgen fails.
    pub(super) fn bind(&self, module: &Path, out: &Path) -> Result<()> {
        succeed(Command::new(&self.bindgen).arg(module).arg(out))
    }
}

fn output(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn compiler() -> Option<Compiler> {
    let library = output("rustc", &["--print", "target-libdir", "--target", TARGET]);
    if library.is_some_and(|folder| Path::new(&folder).is_dir()) {
        return Some(Compiler::Usual);
    }
    let sources = output(DEBIANS, &["--print", "sysroot"])?;
    if !Path::new(&sources).join("lib/rustlib/src/rust/library/std").is_dir() {
        return None;
    }
    linker().map(|linker| Compiler::Debians { linker })
}

/// rustup's own linker, or LLVM's for the web.
fn linker() -> Option<PathBuf> {
    let sysroot = output("rustc", &["--print", "sysroot"]).unwrap_or_default();
    let host = output("rustc", &["-vV"]).unwrap_or_default();
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default().to_owned();
    let rusts = PathBuf::from(sysroot).join("lib/rustlib").join(host).join("bin/rust-lld");
    if rusts.is_file() {
        return Some(rusts);
    }
    output("wasm-ld", &["--version"]).map(|_| PathBuf::from("wasm-ld"))
}

/// Builds what writes a module for JavaScript, of the version in `Cargo.lock`: module and library
/// must agree. Returns the program.
fn bindgen(workspace: &Workspace) -> Result<PathBuf> {
    let target = workspace.built("web-tools");
    let mut cargo = workspace.cargo(&["build", "--locked", "--package", BINDGEN, "--features", "library"]);
    cargo.args(["--profile", "bindgen", "--target-dir"]).arg(&target);
    cargo.env_remove("RUSTFLAGS").env_remove("RUSTC_WORKSPACE_WRAPPER");
    succeed(&mut cargo)?;
    Ok(target.join("bindgen").join(format!("{BINDGEN}{}", std::env::consts::EXE_SUFFIX)))
}

fn install_compiler() -> Result<()> {
    println!("web: installing a compiler for {TARGET}: rustup's target, or Debian's packages");
    if output("rustup", &["target", "add", TARGET]).is_some() && compiler().is_some() {
        println!("web: rustup has the target {TARGET} now");
        return Ok(());
    }
    let root = output("id", &["-u"]).as_deref() == Some("0");
    let mut apt = Command::new(if root { "apt-get" } else { "sudo" });
    if !root {
        apt.arg("apt-get");
    }
    apt.args(["install", "--yes", "--no-install-recommends"]).args(DEBIAN_PACKAGES);
    succeed(&mut apt).context("expected a system with Debian's packages, or rustup's target")
}

fn missing() -> String {
    format!(
        "the page cannot be built here, without a compiler for {TARGET}: `rustup target add {TARGET}`, or on Debian `apt-get install {}`; `cargo xtask web --install` does one of them",
        DEBIAN_PACKAGES.join(" ")
    )
}
