//! Rust's standard library asks Windows for random numbers by `ProcessPrng`, which Wine has since
//! 8.13. For an older Wine a library of one function is made, for the trial only: Windows has its
//! own.

use crate::dist::succeed;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *bytes, SIZE_T count)
{
    return SystemFunction036(bytes, (ULONG)count);
}
";

/// Puts the library into a prefix whose Wine has none.
///
/// # Errors
/// When it cannot be compiled.
pub(super) fn provide(prefix: &Path) -> Result<()> {
    let folder = prefix.join("drive_c/windows/system32");
    let library = folder.join("bcryptprimitives.dll");
    if library.exists() {
        return Ok(());
    }
    println!("check: this Wine has no bcryptprimitives.dll; one is made for the trial");
    let source = prefix.join("bcryptprimitives.c");
    std::fs::write(&source, SOURCE)?;
    let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
    succeed(compiler.args(["-O2", "-shared", "-o"]).arg(&library).arg(&source).arg("-ladvapi32"))
}
