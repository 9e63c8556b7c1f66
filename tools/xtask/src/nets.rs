//! The nets of the repository, for programs that look for them beside themselves.

use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::path::Path;

/// Where they lie in the workspace, and their files: no other net that lies beside them is packed.
const NETS: &str = "crates/value/nets";
const FILES: [&str; 4] = ["l18.net", "l19.net", "l29.net", "l39.net"];

/// Copies them into a folder, which is made.
///
/// # Errors
/// When a file cannot be read or written.
pub(crate) fn copy(workspace: &Workspace, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    for name in FILES {
        let from = workspace.root.join(NETS).join(name);
        std::fs::copy(&from, folder.join(name))
            .with_context(|| format!("{} cannot be copied", from.display()))?;
    }
    Ok(())
}
