//! The program without its window takes no library of the system: servers and CI have none.

use super::Finding;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};

/// Packages that are linked to a library of the system, or open the window.
const NEVER: &[&str] =
    &["alsa-sys", "libudev-sys", "winit", "wgpu", "cpal", "gilrs", "pixels", "egui", "desktop"];

/// Checks what `cargo install --path crates/maxout --no-default-features` is linked from.
///
/// # Errors
/// When cargo cannot say it.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Finding>> {
    let tree = ["tree", "--quiet", "--locked", "--package", "maxout", "--no-default-features"];
    let output = workspace
        .cargo(&tree)
        .args(["--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .output()
        .context("cargo tree could not be started")?;
    if !output.status.success() {
        bail!("cargo tree failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(findings(&String::from_utf8_lossy(&output.stdout)))
}

/// Looks through lines that begin with a package's name.
fn findings(tree: &str) -> Vec<Finding> {
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    let mut found: Vec<&str> = names.filter(|name| NEVER.contains(name)).collect();
    found.sort_unstable();
    found.dedup();
    let says = |name: &str| {
        Finding::new("crates/maxout/Cargo.toml", 0, format!("without its window it still takes {name}"))
    };
    found.into_iter().map(says).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_of_the_system_is_a_finding_and_said_once() {
        assert!(findings("maxout v1.0.0 (/maxout/crates/maxout)\nclap v4.6.7\n").is_empty());
        let two = findings("maxout v1.0.0\nalsa-sys v0.3.1\nclap v4.6.7\nalsa-sys v0.3.1 (*)\n");
        assert_eq!(two.len(), 1);
        assert!(two[0].message.contains("alsa-sys"));
    }
}
