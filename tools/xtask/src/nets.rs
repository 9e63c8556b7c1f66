//! The nets of the repository, for programs that look for them beside themselves.

use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Where they lie in the workspace.
const NETS: &str = "crates/value/nets";

/// Copies them into a folder, which is made.
///
/// # Errors
/// When a file cannot be read or written, or there is no net.
pub(crate) fn copy(workspace: &Workspace, folder: &Path) -> Result<()> {
    let from = workspace.root.join(NETS);
    let entries = from.read_dir().with_context(|| format!("{}", from.display()))?;
    let mut nets: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    nets.retain(|path| path.extension().is_some_and(|extension| extension == "net"));
    if nets.is_empty() {
        bail!("{} has no nets", from.display());
    }
    std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    for path in nets {
        let to = folder.join(path.file_name().unwrap_or_default());
        std::fs::copy(&path, &to).with_context(|| format!("{} cannot be copied", path.display()))?;
    }
    Ok(())
}
