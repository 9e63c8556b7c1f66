//! Which image is built from what.

use anyhow::{Context, Result};
use std::path::Path;

/// Folder of the game's sources.
const GAME: &str = "roms/maxout";

/// The builds of the game, the built-in cartridge first: the image's name, and the symbol that
/// makes it that build.
const BUILDS: [(&str, Option<&str>); 3] =
    [("maxout", None), ("maxout-slow", Some("SLOW")), ("maxout-pal", Some("PAL"))];

/// Folder of the test cartridges: one source an image, beside it.
const TESTS: &str = "roms/tests";

/// Folder of the program in C, which the debugger's tests step through line by line.
const HOMEBREW: &str = "roms/homebrew";

/// An image and what it is built from. Every path is one from the root, with `/`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cartridge {
    /// The committed image.
    pub(super) image: String,
    /// The committed addresses of its labels, in the field's `.lbl` format, where there are some.
    pub(super) labels: Option<String>,
    /// The committed SHA-1 of the image and of what follows its header, a line each, for a build
    /// that is known by it.
    pub(super) hashes: Option<String>,
    /// The committed debug file of ld65, without times and paths, where there is one.
    pub(super) debug: Option<String>,
    /// What is compiled before it is assembled with `sources`.
    pub(super) c_sources: Vec<String>,
    /// The symbol that the assembler is given, if any.
    pub(super) symbol: Option<&'static str>,
    /// Where sources include from.
    pub(super) folder: String,
    /// What is assembled, in the order in which it is linked.
    pub(super) sources: Vec<String>,
    /// The linker's configuration.
    pub(super) config: String,
    /// Pictures that become pattern tables.
    pub(super) pictures: Vec<String>,
}

impl Cartridge {
    /// The image's name without its folder and ending.
    pub(super) fn name(&self) -> &str {
        stem(&self.image)
    }
}

/// Every cartridge that has sources under `root`, the built-in one first.
///
/// # Errors
/// When a folder cannot be read.
pub(super) fn all(root: &Path) -> Result<Vec<Cartridge>> {
    let mut cartridges = Vec::new();
    for (name, symbol) in BUILDS {
        cartridges.push(Cartridge {
            image: format!("roms/{name}.nes"),
            labels: Some(format!("roms/{name}.lbl")),
            hashes: symbol.map(|_| format!("roms/{name}.sha1")),
            debug: None,
            c_sources: Vec::new(),
            symbol,
            folder: GAME.to_owned(),
            sources: files(root, GAME, "s")?,
            config: format!("{GAME}/cartridge.cfg"),
            pictures: files(root, &format!("{GAME}/chr"), "png")?,
        });
    }
    for source in files(root, TESTS, "s")? {
        let name = stem(&source);
        let own = format!("{TESTS}/{name}.cfg");
        cartridges.push(Cartridge {
            image: format!("{TESTS}/{name}.nes"),
            labels: None,
            hashes: None,
            debug: None,
            c_sources: Vec::new(),
            symbol: None,
            folder: TESTS.to_owned(),
            config: if root.join(&own).is_file() { own } else { format!("{TESTS}/serom.cfg") },
            pictures: files(root, &format!("{TESTS}/chr"), "png")?,
            sources: vec![source],
        });
    }
    let c_sources = files(root, HOMEBREW, "c")?;
    if !c_sources.is_empty() {
        cartridges.push(Cartridge {
            image: format!("{HOMEBREW}.nes"),
            labels: None,
            hashes: None,
            debug: Some(format!("{HOMEBREW}.dbg")),
            c_sources,
            symbol: None,
            folder: HOMEBREW.to_owned(),
            sources: files(root, HOMEBREW, "s")?,
            config: format!("{HOMEBREW}/nes.cfg"),
            pictures: Vec::new(),
        });
    }
    Ok(cartridges)
}

/// What follows the last `/` and precedes the last dot.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The files of a folder with an extension, by name; none where there is no such folder. The order
/// is the bytes', the same on every system, because the linker lays segments out in it.
fn files(root: &Path, folder: &str, extension: &str) -> Result<Vec<String>> {
    let path = root.join(folder);
    if !path.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in path.read_dir().with_context(|| format!("{folder} cannot be read"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.rsplit_once('.').is_some_and(|(_, ending)| ending == extension) {
            files.push(format!("{folder}/{name}"));
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_cartridge_is_one_source_with_the_common_configuration_or_its_own() -> Result<()> {
        let root = tempfile::tempdir()?;
        std::fs::create_dir_all(root.path().join(TESTS))?;
        for name in ["b.s", "a.s", "a.cfg", "serom.cfg", "report.inc"] {
            std::fs::write(root.path().join(TESTS).join(name), b"")?;
        }
        let cartridges = all(root.path())?;
        let found: Vec<_> = cartridges[BUILDS.len()..]
            .iter()
            .map(|found| (found.image.as_str(), found.config.as_str()))
            .collect();
        assert_eq!(
            found,
            [("roms/tests/a.nes", "roms/tests/a.cfg"), ("roms/tests/b.nes", "roms/tests/serom.cfg")]
        );
        assert_eq!(cartridges[BUILDS.len()].name(), "a");
        Ok(())
    }
}
