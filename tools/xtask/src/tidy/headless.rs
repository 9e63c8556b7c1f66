//! The program without its window takes no library of the system: servers and CI have none. The
//! page takes no library in C: nothing compiles one for browsers.

use super::Finding;
use anyhow::{Context, Result, bail};
use first_run::workspace::Workspace;

/// A package of the workspace, and what is not to be linked to it.
struct Without {
    /// Its folder.
    folder: &'static str,
    /// What selects it for cargo.
    package: &'static [&'static str],
    /// Why, as a finding says it.
    what: &'static str,
    never: &'static [&'static str],
}

/// Packages that are linked to a library of the system, or open the window.
const HEADLESS: Without = Without {
    folder: "crates/maxout",
    package: &["--package", "maxout", "--no-default-features", "--features=research"],
    what: "without its window",
    never: &["alsa-sys", "libudev-sys", "winit", "wgpu", "cpal", "gilrs", "pixels", "egui", "desktop"],
};

/// Libraries in C, and what brings them.
const PAGE: Without = Without {
    folder: "crates/web",
    package: &["--package", "web", "--target", "wasm32-unknown-unknown"],
    what: "for browsers",
    never: &["nes-lua", "mlua-sys", "libz-sys", "zstd-sys", "desktop"],
};

/// Checks what a `maxout` without its window and the page's module are linked from.
///
/// # Errors
/// When cargo cannot say it.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for without in [HEADLESS, PAGE] {
        let output = workspace
            .cargo(&["tree", "--quiet", "--locked"])
            .args(without.package)
            .args(["--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
            .output()
            .context("cargo tree could not be started")?;
        if !output.status.success() {
            bail!("cargo tree failed: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        found.extend(findings(&without, &String::from_utf8_lossy(&output.stdout)));
    }
    Ok(found)
}

/// Looks through lines that begin with a package's name.
fn findings(without: &Without, tree: &str) -> Vec<Finding> {
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    let mut found: Vec<&str> = names.filter(|name| without.never.contains(name)).collect();
    found.sort_unstable();
    found.dedup();
    let says = |name: &str| {
        Finding::new(
            &format!("{}/Cargo.toml", without.folder),
            0,
            format!("{} it still takes {name}", without.what),
        )
    };
    found.into_iter().map(says).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_of_the_system_is_a_finding_and_said_once() {
        assert!(findings(&HEADLESS, "maxout v1.0.0 (/maxout/crates/maxout)\nclap v4.6.7\n").is_empty());
        let two = findings(&HEADLESS, "maxout v1.0.0\nalsa-sys v0.3.1\nclap v4.6.7\nalsa-sys v0.3.1 (*)\n");
        assert_eq!(two.len(), 1);
        assert!(two[0].message.contains("alsa-sys"));
        assert!(findings(&HEADLESS, "nes-lua v1.0.0\n").is_empty());
        assert_eq!(findings(&PAGE, "web v1.0.0\nnes-lua v1.0.0\n").len(), 1);
    }
}
