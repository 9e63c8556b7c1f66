//! Where Maxout keeps what it writes: the platform's folders, or none at all.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

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

    /// Removes what an earlier session that was killed was writing there. Call
    /// [`rescue`](crate::record::rescue::rescue) first.
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

/// How long another window is waited for that writes the same file.
const TURN: Duration = Duration::from_secs(1);

/// Runs `task`, which reads the file `path` and writes it, while no other window does the same:
/// where the system can lock a folder, and for a second at most.
pub(crate) fn in_turn<T>(path: &Path, task: impl FnOnce() -> T) -> T {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    // The lock ends with this handle. Windows opens no folder as a file, and then there is none.
    let lock = File::open(folder).ok();
    let begun = Instant::now();
    while let Some(Err(fs::TryLockError::WouldBlock)) = lock.as_ref().map(File::try_lock) {
        if begun.elapsed() >= TURN {
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
    task()
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
    /// Those that are there.
    pub(crate) paths: Vec<PathBuf>,
}

impl Recent {
    /// So many are shown.
    const SHOWN: usize = 10;

    /// So many are kept, those on drives that are not there at the moment included.
    const KEPT: usize = 30;

    /// No list is longer, in bytes.
    const LONGEST: u64 = 1 << 20;

    /// Returns those in `file`; what is not there is left out.
    pub(crate) fn read(file: Option<PathBuf>) -> Self {
        let mut recent = Self { file, paths: vec![] };
        recent.show(&recent.listed());
        recent
    }

    /// `path` was opened: the list as it is in the file now begins with it.
    ///
    /// # Errors
    /// [`DesktopError::Write`].
    pub(crate) fn add(&mut self, path: &Path) -> Result<(), DesktopError> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let Some(file) = self.file.clone() else {
            let mut list = self.paths.clone();
            begin_with(&mut list, path);
            self.show(&list);
            return Ok(());
        };
        in_turn(&file, || {
            let mut list = self.listed();
            begin_with(&mut list, path);
            list.truncate(Self::KEPT);
            self.show(&list);
            let lines = list.iter().filter_map(|path| line_of(path));
            let text: Vec<u8> = lines.flat_map(|line| [line, b"\n"]).flatten().copied().collect();
            write_whole(&file, &text)
        })
    }

    /// Returns what stands in the file.
    fn listed(&self) -> Vec<PathBuf> {
        let bytes = self.file.as_deref().and_then(|file| draft::read_file(file, Self::LONGEST).ok());
        let bytes = bytes.unwrap_or_default();
        bytes.split(|&byte| byte == b'\n').filter_map(path_of).collect()
    }

    fn show(&mut self, list: &[PathBuf]) {
        self.paths = list.iter().filter(|path| path.is_file()).take(Self::SHOWN).cloned().collect();
    }
}

fn begin_with(list: &mut Vec<PathBuf>, path: PathBuf) {
    list.retain(|other| *other != path);
    list.insert(0, path);
}

/// Returns a path as a line of the list; none for one that has lines of its own, or is no text
/// where paths are text.
fn line_of(path: &Path) -> Option<&[u8]> {
    #[cfg(unix)]
    let bytes = Some(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()));
    #[cfg(not(unix))]
    let bytes = path.to_str().map(str::as_bytes);
    bytes.filter(|bytes| !bytes.contains(&b'\n'))
}

/// Returns the path that a line of the list is, the bytes of which need be no text; none for an
/// empty line.
fn path_of(line: &[u8]) -> Option<PathBuf> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.is_empty() {
        return None;
    }
    #[cfg(unix)]
    let path = Some(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(line));
    #[cfg(not(unix))]
    let path = str::from_utf8(line).ok();
    path.map(PathBuf::from)
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
        assert!(Recent::read(Some("/dev/zero".into())).paths.is_empty());
    }

    #[test]
    fn two_windows_keep_one_list_and_a_drive_that_is_not_there_stays_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let place = fs::canonicalize(folder.path()).unwrap();
        let (list, away) = (place.join("recent"), place.join("drive/away.nes"));
        fs::write(&list, format!("{}\n", away.display())).unwrap();
        let (mut one, mut other) = (Recent::read(Some(list.clone())), Recent::read(Some(list.clone())));
        let roms = ["one.nes", "other.nes"].map(|name| place.join(name));
        for (window, rom) in [&mut one, &mut other].into_iter().zip(&roms) {
            fs::write(rom, "").unwrap();
            window.add(rom).unwrap();
        }
        let [first, second] = roms;
        assert_eq!(Recent::read(Some(list.clone())).paths, [second.clone(), first.clone()]);
        fs::create_dir(place.join("drive")).unwrap();
        fs::write(&away, "").unwrap();
        assert_eq!(Recent::read(Some(list)).paths, [second, first, away]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_path_that_is_no_text_is_kept_as_it_is() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let place = fs::canonicalize(folder.path()).unwrap();
        let list = place.join("recent");
        let rom = place.join(std::ffi::OsStr::from_bytes(b"caf\xE9.nes"));
        fs::write(&rom, "").unwrap();
        let mut recent = Recent::read(Some(list.clone()));
        recent.add(&rom).unwrap();
        fs::write(place.join("two.nes"), "").unwrap();
        recent.add(&place.join("two.nes")).unwrap();
        assert_eq!(Recent::read(Some(list)).paths, [place.join("two.nes"), rom]);
    }

    #[test]
    fn a_window_that_writes_is_waited_for_and_not_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let other = File::open(folder.path());
        let held = other.is_ok_and(|other| {
            let _ = other.try_lock();
            in_turn(&file, || true)
        });
        assert!(held || !cfg!(unix));
        assert_eq!(in_turn(&file, || 7), 7);
    }

    #[test]
    fn what_a_killed_session_was_writing_is_swept_and_nothing_that_is_new() {
        let folder = tempfile::tempdir().unwrap();
        let folders = Folders::inside(folder.path());
        let of_cartridge = folder.path().join("states/game-00000000");
        let places = ["saves", "screenshots", "recordings", "scripts"].map(|name| folder.path().join(name));
        for place in places.iter().chain([&of_cartridge, &folder.path().to_owned()]) {
            fs::create_dir_all(place).unwrap();
            for (name, age) in [(".maxout-abcdef", LEFT_BEHIND), (".maxout-fedcba", Duration::ZERO)] {
                let file = File::create(place.join(name)).unwrap();
                file.set_modified(std::time::SystemTime::now() - age).unwrap();
            }
            fs::write(place.join("kept"), "").unwrap();
        }
        folders.sweep();
        for place in places.iter().chain([&of_cartridge, &folder.path().to_owned()]) {
            let there = |name: &str| place.join(name).exists();
            assert_eq!(
                (there(".maxout-abcdef"), there(".maxout-fedcba"), there("kept")),
                (false, true, true),
                "{}",
                place.display()
            );
        }
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
