//! Wine, under which what is built for Windows is tried on Linux.

use anyhow::{Context, Result};
use first_run::install;
use first_run::workspace::succeed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Rust's standard library asks Windows for random numbers by `ProcessPrng`, which Wine has since
/// 8.13. For an older Wine a library of one function is made, for the trial only: Windows has its
/// own.
const BCRYPTPRIMITIVES: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *bytes, SIZE_T count)
{
    return SystemFunction036(bytes, (ULONG)count);
}
";

/// How long a program may take, as `timeout` of the coreutils has it: all that is tried takes a
/// minute.
const LONGEST: &str = "15m";

/// A Windows of its own in a folder.
pub(crate) struct Wine(PathBuf);

impl Wine {
    /// Makes a new one in an empty folder.
    ///
    /// # Errors
    /// When Wine is missing and could not be installed, or does not start.
    pub(crate) fn begin(folder: &Path, install: bool) -> Result<Self> {
        install::ensure_debian(
            &[("wine", "wine"), ("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")],
            install,
        )?;
        let wine = Self(folder.to_owned());
        succeed(wine.command().args(["wineboot", "-i"]))?;
        wine.provide_bcryptprimitives()?;
        Ok(wine)
    }

    /// The command that starts programs in it, and ends them after [`LONGEST`].
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new("timeout");
        command.args(["--kill-after=10", LONGEST, "wine"]);
        command.env("WINEPREFIX", &self.0).env("WINEARCH", "win64").env("WINEDEBUG", "-all");
        command
    }

    fn provide_bcryptprimitives(&self) -> Result<()> {
        let library = self.0.join("drive_c/windows/system32/bcryptprimitives.dll");
        if library.exists() {
            return Ok(());
        }
        println!("wine: it has no bcryptprimitives.dll; one is made for the trial");
        let source = self.0.join("bcryptprimitives.c");
        std::fs::write(&source, BCRYPTPRIMITIVES)
            .with_context(|| format!("{} cannot be written", source.display()))?;
        let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
        succeed(compiler.args(["-O2", "-shared", "-o"]).arg(&library).arg(&source).arg("-ladvapi32"))
    }
}
