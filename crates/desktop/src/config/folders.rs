//! Where Maxout keeps what it writes: the platform's folders, or none at all.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use directories::{ProjectDirs, UserDirs};
use draft::Draft;

use crate::error::DesktopError;

/// The places for files. Where one is `None`, nothing of its kind is read or written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Folders {
    /// The configuration file.
    pub config: Option<PathBuf>,
    /// Saved states, in a folder for each cartridge.
    pub states: Option<PathBuf>,
    /// What cartridges keep by their battery, a file for each.
    pub saves: Option<PathBuf>,
    /// The list of what was played lately, a path a line.
    pub recent: Option<PathBuf>,
    /// Screenshots.
    pub screenshots: Option<PathBuf>,
    /// Movies, sound and videos.
    pub recordings: Option<PathBuf>,
    /// Games that are kept.
    pub games: Option<PathBuf>,
    /// What scripts write, by plain names.
    pub scripts: Option<PathBuf>,
}

/// A draft that nobody has written to for so long was left behind.
const LEFT_BEHIND: Duration = Duration::from_secs(86_400);

impl Folders {
    /// Returns the platform's own: on Linux `~/.config/maxout`, `~/.local/share/maxout` and
    /// `Maxout` in the player's folders for pictures and videos.
    pub fn of_player() -> Self {
        let project = ProjectDirs::from("", "", "maxout");
        let data = project.as_ref().map(|project| project.data_dir().to_owned());
        let user = UserDirs::new();
        let own = |folder: Option<&Path>, name: &str| {
            folder.map(|folder| folder.join("Maxout")).or_else(|| Some(data.as_ref()?.join(name)))
        };
        Self {
            config: project.as_ref().map(|project| project.config_dir().join("config.toml")),
            states: data.as_ref().map(|data| data.join("states")),
            saves: data.as_ref().map(|data| data.join("saves")),
            recent: data.as_ref().map(|data| data.join("recent")),
            screenshots: own(user.as_ref().and_then(UserDirs::picture_dir), "screenshots"),
            recordings: own(user.as_ref().and_then(UserDirs::video_dir), "recordings"),
            games: data.as_ref().map(|data| data.join("games")),
            scripts: data.as_ref().map(|data| data.join("scripts")),
        }
    }

    /// Removes what an earlier session that was killed was writing there a day ago or before.
    pub(crate) fn sweep(&self) {
        // Kept games are no drafts: they grow under their own names.
        let Self { config, states, saves, recent, screenshots, recordings, scripts, .. } = self;
        let of_cartridges = states.iter().flat_map(|states| states.read_dir()).flatten().flatten();
        let files = [config, recent].into_iter().flatten().filter_map(|file| Some(file.parent()?.to_owned()));
        let folders = [saves, screenshots, recordings, scripts].into_iter().flatten().cloned();
        for folder in files.chain(folders).chain(of_cartridges.map(|entry| entry.path())) {
            draft::sweep(&folder, LEFT_BEHIND);
        }
    }

    /// Returns all of them in `folder`: for a stick that is carried about, and for tests.
    pub fn inside(folder: &Path) -> Self {
        Self {
            config: Some(folder.join("config.toml")),
            states: Some(folder.join("states")),
            saves: Some(folder.join("saves")),
            recent: Some(folder.join("recent")),
            screenshots: Some(folder.join("screenshots")),
            recordings: Some(folder.join("recordings")),
            games: Some(folder.join("games")),
            scripts: Some(folder.join("scripts")),
        }
    }
}

/// Writes `bytes` to `path` so that the file is whole at any moment. Makes the folder that it lies
/// in.
///
/// # Errors
/// [`DesktopError::Write`].
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), DesktopError> {
    let failed = |source| DesktopError::Write { path: path.into(), source };
    fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).map_err(failed)?;
    Draft::write_file(path, bytes).map_err(|error| failed(error.source))
}

/// Returns what the folder or file of the cartridge `title` with checksum `crc32` is called.
pub(crate) fn cartridge_name(title: &str, crc32: u32) -> String {
    let name: String = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).take(60).collect();
    let name = if name.trim().is_empty() { "maxout" } else { name.trim() };
    format!("{name}-{crc32:08x}")
}

/// Returns a name in `folder` for something of the game `title` at this moment, which no file has
/// yet.
pub(crate) fn new_file(folder: &Path, title: &str, extension: &str) -> PathBuf {
    let now = jiff::Zoned::now().strftime("%Y-%m-%d-%H%M%S").to_string();
    let title: String =
        title.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).take(60).collect();
    let title = if title.is_empty() { "Maxout" } else { title.as_str() };
    let name = |count: u32| match count {
        0 => folder.join(format!("{title}-{now}.{extension}")),
        _ => folder.join(format!("{title}-{now}-{count}.{extension}")),
    };
    (0..1000).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(1000))
}

/// Cartridges and movies opened lately, the newest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recent {
    file: Option<PathBuf>,
    pub(crate) paths: Vec<PathBuf>,
}

impl Recent {
    /// So many are kept.
    const MOST: usize = 10;

    /// Returns those in `file`; what is no longer there is left out.
    pub(crate) fn read(file: Option<PathBuf>) -> Self {
        let text = file.as_deref().and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
        let paths = text.lines().map(PathBuf::from).filter(|path| path.is_file()).take(Self::MOST).collect();
        Self { file, paths }
    }

    /// `path` was opened.
    ///
    /// # Errors
    /// [`DesktopError::Write`].
    pub(crate) fn add(&mut self, path: &Path) -> Result<(), DesktopError> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        self.paths.retain(|other| *other != path);
        self.paths.insert(0, path);
        self.paths.truncate(Self::MOST);
        let Some(file) = &self.file else { return Ok(()) };
        // A path that is no text, or has a line of its own, cannot be kept in a list of lines.
        let lines = self.paths.iter().filter_map(|path| path.to_str()).filter(|path| !path.contains('\n'));
        let text: String = lines.flat_map(|path| [path, "\n"]).collect();
        write_whole(file, text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_played_lately_is_kept_without_doubles_and_without_what_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("recent");
        let rom = |name: &str| {
            let path = fs::canonicalize(folder.path()).unwrap().join(name);
            fs::write(&path, "").unwrap();
            path
        };
        let (one, two) = (rom("one.nes"), rom("two.nes"));
        let mut recent = Recent::read(Some(list.clone()));
        for path in [&one, &two, &one] {
            recent.add(path).unwrap();
        }
        assert_eq!(Recent::read(Some(list.clone())).paths, [one, two.clone()]);
        fs::remove_file(folder.path().join("one.nes")).unwrap();
        assert_eq!(Recent::read(Some(list)).paths, [two]);
    }

    #[test]
    fn a_list_that_is_garbage_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("recent");
        fs::write(&list, [0xFF, 0x00, b'\n', 0xFE]).unwrap();
        assert!(Recent::read(Some(list)).paths.is_empty());
    }

    #[test]
    fn a_new_file_never_takes_anothers_name_or_leaves_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = new_file(folder.path(), "../a/b", "png");
        assert_eq!(path.parent(), Some(folder.path()));
        fs::write(&path, "").unwrap();
        assert_ne!(new_file(folder.path(), "../a/b", "png"), path);
        let nameless = new_file(folder.path(), "", "png");
        assert!(nameless.file_name().unwrap().to_str().unwrap().starts_with("Maxout-"));
    }
}
