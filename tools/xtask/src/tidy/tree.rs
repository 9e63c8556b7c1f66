//! The files of the repository.

use super::Finding;
use anyhow::{Context, Result};
use std::path::Path;

/// A file of the repository.
pub(super) struct File {
    /// Path from the root, with `/`.
    pub(super) path: String,
    bytes: Vec<u8>,
}

/// Folders that are not the repository's: what cargo builds, version control, the user's own
/// cartridges.
const SKIPPED: &[&str] = &["target", ".git", "roms/user"];

/// Longest Rust source, in lines (docs/STYLE.md).
const LONGEST: usize = 600;

/// Extensions of cartridge images and of what they travel in.
const IMAGE_EXTENSIONS: &[&str] = &["nes", "fds", "unf", "unif", "nsf", "zip", "7z"];

/// Beginnings of absolute paths that name one person's machine. Written in two halves, so that this
/// file is clean.
const MACHINE_PATHS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("/tm", "p/"),
    concat!("C:\\Us", "ers\\"),
];

impl File {
    /// The text, if it is text.
    pub(super) fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// What follows the last dot of the name.
    pub(super) fn extension(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

/// Reads every file below the root.
///
/// # Errors
/// When a folder or a file cannot be read.
pub(super) fn read(root: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = folder.read_dir().with_context(|| format!("{} cannot be read", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let path = entry.path();
            let relative = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let kind = entry.file_type()?;
            if SKIPPED.contains(&relative.as_str()) {
            } else if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                let bytes = std::fs::read(&path).with_context(|| format!("{relative} cannot be read"))?;
                files.push(File { path: relative, bytes });
            }
        }
    }
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(files)
}

/// Checks that hold for any file: no cartridge images but those that our sources give, no path of
/// one machine. `images` are the paths of those.
pub(super) fn check(file: &File, images: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let image = IMAGE_EXTENSIONS.contains(&file.extension().to_ascii_lowercase().as_str())
        || file.bytes.starts_with(b"NES\x1A");
    if image && !images.contains(&file.path) {
        findings.push(Finding::new(
            &file.path,
            0,
            "a cartridge image without sources in roms/: only our own may be here; yours belong into roms/user/, which git ignores",
        ));
    }
    let Some(text) = file.text().filter(|_| file.path != "Cargo.lock") else { return findings };
    let lines = text.lines().count();
    if file.extension() == "rs" && lines > LONGEST {
        let message = format!("{lines} lines, at most {LONGEST}: find the second noun and split");
        findings.push(Finding::new(&file.path, LONGEST, message));
    }
    for (index, line) in text.lines().enumerate() {
        if let Some(path) = MACHINE_PATHS.iter().find(|path| names(line, path)) {
            findings.push(Finding::new(
                &file.path,
                index + 1,
                format!(
                    "`{path}` is a path of one machine: say it relative to the repository, or as an argument"
                ),
            ));
        }
    }
    findings
}

/// Does an absolute path in this line begin so?
fn names(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(offset, _)| {
        !line[..offset].ends_with(|before: char| before.is_alphanumeric() || "._-/~}".contains(before))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, bytes: &[u8]) -> File {
        File { path: path.into(), bytes: bytes.to_vec() }
    }

    #[test]
    fn a_cartridge_image_is_one_that_our_sources_give() {
        let images = ["roms/test.nes".to_owned()];
        let findings = |path, bytes| check(&file(path, bytes), &images).len();
        assert_eq!(findings("roms/test.nes", b"NES\x1A\xFF"), 0);
        assert_eq!(findings("roms/other.nes", b"NES\x1A\xFF"), 1);
        assert_eq!(findings("docs/test.nes", b"\xFF"), 1);
        assert_eq!(findings("tests/data/picture.bin", b"NES\x1A\xFF"), 1);
    }

    #[test]
    fn a_source_over_the_limit_is_found() {
        let text = "\n".repeat(LONGEST + 1);
        assert_eq!(check(&file("crates/nes/src/lib.rs", text.as_bytes()), &[]).len(), 1);
        assert!(check(&file("docs/lua.md", text.as_bytes()), &[]).is_empty());
    }

    #[test]
    fn a_path_of_one_machine_is_found_with_its_line() {
        let text = format!("fine\nlet a = \"{}me\";\n", MACHINE_PATHS[2]);
        let found = check(&file("crates/nes/src/lib.rs", text.as_bytes()), &[]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].line, 2);
    }

    #[test]
    fn a_relative_path_or_an_address_is_no_path_of_a_machine() {
        for before in ["docs", "https://example.org", "$DIR", "..", "~"] {
            assert!(
                check(&file("README.md", format!("{before}{}x", MACHINE_PATHS[0]).as_bytes()), &[])
                    .is_empty()
            );
        }
    }

    #[test]
    fn the_walk_skips_what_is_built_and_what_is_the_users() -> Result<()> {
        let root = tempfile::tempdir()?;
        for folder in ["target/debug", "roms/user", "src", ".ci"] {
            std::fs::create_dir_all(root.path().join(folder))?;
        }
        for path in ["target/debug/a", "roms/user/game.nes", "src/lib.rs", ".ci/run"] {
            std::fs::write(root.path().join(path), b"x")?;
        }
        let paths: Vec<String> = read(root.path())?.into_iter().map(|file| file.path).collect();
        assert_eq!(paths, [".ci/run", "src/lib.rs"]);
        Ok(())
    }
}
