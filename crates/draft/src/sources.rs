//! Source files of a program, found by the names that a debug file has for them.

use std::path::{Path, PathBuf};

/// Folders in which source files are looked for, the current one last.
#[derive(Clone, Debug, Default)]
pub struct SourceFolders(pub Vec<PathBuf>);

impl SourceFolders {
    /// Returns the folder of a debug file and the two above it: the file is often in a folder of
    /// the project from which it names its sources.
    pub fn around(debug_file: &Path) -> Self {
        Self(debug_file.ancestors().skip(1).take(3).map(Path::to_path_buf).collect())
    }

    /// Looks around `file` as well, before all others, if it is a debug file.
    pub fn look_around(&mut self, file: &Path) {
        if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("dbg")) {
            self.0.splice(0..0, Self::around(file).0);
        }
    }

    /// Returns where the file is that a debug file calls `name`: by its path in one of the folders,
    /// or else by its name alone in one of them.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let path = Path::new(name);
        let folders = || self.0.iter().map(PathBuf::as_path).chain([Path::new("")]);
        // `join` takes a path from the root as it is.
        let whole = folders().map(|folder| folder.join(path)).find(|path| path.is_file());
        whole.or_else(|| {
            let short = path.file_name()?;
            folders().map(|folder| folder.join(short)).find(|path| path.is_file())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn sources_are_found_around_the_debug_file_by_path_and_else_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["project/src/main.c", "project/other.c", "project/out/deep/copied.s"] {
            fs::create_dir_all(at(name).parent().expect("a folder")).expect("a folder");
            fs::write(at(name), "text").expect("a file");
        }
        let folders = SourceFolders::around(&at("project/out/deep/game.dbg"));
        assert_eq!(folders.find("src/main.c"), Some(at("project/src/main.c")));
        assert_eq!(folders.find("elsewhere/other.c"), Some(at("project/other.c")));
        assert_eq!(folders.find("/build/copied.s"), Some(at("project/out/deep/copied.s")));
        assert_eq!(folders.find("missing.c"), None);
        let mut folders = SourceFolders::default();
        folders.look_around(&at("project/out/deep/game.nes"));
        assert_eq!(folders.find("other.c"), None);
        folders.look_around(&at("project/out/deep/game.dbg"));
        assert_eq!(folders.find("other.c"), Some(at("project/other.c")));
    }
}
