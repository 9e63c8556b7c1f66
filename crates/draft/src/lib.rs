//! Files that appear under their name only when they are whole, a file that survives whatever ends
//! the process, files that are read with a bound, and the [`Library`] of ROMs among which the one
//! is found that a movie, a saved state or a patch needs.
//!
//! A [`Draft`] is written beside its place and then renamed, so that neither Ctrl-C nor a full disk
//! leaves half a file, and what was there before stays until it is replaced. The window and the
//! command line write whatever they write in this way, and that is all that they share of the
//! outside world: hence a crate of its own.
//!
//! ```
//! use std::io::Write;
//! use draft::Draft;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("game.sav");
//! let mut draft = Draft::new(&path)?;
//! draft.write_all(b"whole")?;
//! assert!(!path.exists());
//! draft.finish()?;
//! assert_eq!(std::fs::read(&path)?, b"whole");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

mod journal;
mod library;
mod read;
mod sources;
mod unfinished;
mod write_lock;

use flate2 as _; // what `zip` unpacks with

pub use journal::Journal;
pub use library::{Found, Library};
pub use read::{ReadError, read, read_file, unpack_rom};
pub use sources::SourceFolders;
pub use unfinished::remove_unfinished;
pub use write_lock::WriteLock;

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;
use thiserror::Error;

use unfinished::Listed;

/// A file that could not be written.
#[derive(Debug, Error)]
#[error("{}: cannot be written: {source}", path.display())]
pub struct DraftError {
    /// Where it was to be.
    pub path: PathBuf,
    /// What the system answered.
    pub source: io::Error,
}

impl From<DraftError> for io::Error {
    /// What the system answered, for a caller that names the file itself.
    fn from(error: DraftError) -> Self {
        error.source
    }
}

/// A file in the making, beside its final place so that a rename can finish it. Dropped unfinished
/// it is gone.
///
/// What the name stands for stays what it is. A link is followed, and a file keeps its permissions
/// and its owner; only its hard links are cut. A device or a pipe is never replaced: the draft lies
/// among the temporary files until it is whole, and is then written into it.
#[derive(Debug)]
pub struct Draft {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
    target: Target,
    /// Dropped last: what is listed is there.
    listed: Listed,
}

/// What a draft becomes.
#[derive(Debug)]
enum Target {
    /// A file at this place: the path with its links resolved.
    File(PathBuf),
    /// More of what the path stands for already: a device, a pipe, a stream of the process.
    Stream,
}

/// What the names of drafts begin with, and the letters behind it.
const PREFIX: &str = ".maxout-";
const LETTERS: usize = 8;

/// Letters of drafts that hold no lock: those of Maxout 1.0.
const OLDER_LETTERS: usize = 6;

/// A draft has its lock by this time.
const LOCKED_AFTER: Duration = Duration::from_secs(2);

/// Links on the way to a file, at most; the system follows as many.
const LINKS: usize = 40;

impl Draft {
    /// Begins the file that will be at `path`, in a folder that is there.
    ///
    /// # Errors
    /// When nothing can be written into that folder, or `path` is a folder itself.
    pub fn new(path: &Path) -> Result<Self, DraftError> {
        let (file, target) = Self::begin(path).map_err(|source| DraftError { path: path.into(), source })?;
        let listed = Listed::new(file.path());
        Ok(Self { file: BufWriter::new(file), path: path.into(), target, listed })
    }

    fn begin(path: &Path) -> io::Result<(NamedTempFile, Target)> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).rand_bytes(LETTERS);
        let there = fs::metadata(path).ok();
        if there.as_ref().is_some_and(Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder: name a file"));
        }
        if there.as_ref().is_some_and(|there| !there.is_file() || is_of_system(path)) {
            return Ok((builder.tempfile()?, Target::Stream));
        }
        let target = resolved(path)?;
        let folder =
            target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // A plain file's permissions, less the user's umask, instead of a secret's.
        #[cfg(unix)]
        if there.is_none() {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder)?;
        lock(file.as_file());
        if let Some(there) = there {
            keep_owner(file.as_file(), &there);
            file.as_file().set_permissions(there.permissions())?;
        }
        Ok((file, Target::File(target)))
    }

    /// Puts the file in its place, over what is there, so that it is there after a power cut as
    /// well.
    ///
    /// # Errors
    /// When the last of it cannot be written, or the file cannot be renamed. It is gone then.
    pub fn finish(self) -> Result<(), DraftError> {
        let Self { file, path, target, listed: _listed } = self;
        let finished =
            file.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| match target {
                Target::File(place) => put(file, &place),
                Target::Stream => {
                    // A file behind the name of a stream is the process's own output: what it has
                    // said so far stays.
                    let mut stream = File::options().append(true).open(&path)?;
                    io::copy(&mut file.reopen()?, &mut stream)?;
                    stream.flush()
                }
            });
        finished.map_err(|source| DraftError { path, source })
    }

    /// A whole file at once, in a folder that is made if it is not there.
    ///
    /// # Errors
    /// When the folder or the file cannot be written.
    pub fn write_with_folder(path: &Path, bytes: &[u8]) -> Result<(), DraftError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|source| DraftError { path: path.into(), source })?;
        }
        Self::write_file(path, bytes)
    }

    /// A whole file at once.
    ///
    /// # Errors
    /// As [`Draft::new`] and [`Draft::finish`].
    pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), DraftError> {
        Self::write_by(path, |draft| draft.write_all(bytes))
    }

    /// A whole file by `fill`; none at all if it fails.
    ///
    /// # Errors
    /// As [`Draft::new`] and [`Draft::finish`], or what `fill` answers.
    pub fn write_by(path: &Path, fill: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<(), DraftError> {
        let mut draft = Self::new(path)?;
        fill(&mut draft).map_err(|source| DraftError { path: path.into(), source })?;
        draft.finish()
    }

    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it is until then, for another program to write into.
    pub fn beside(&self) -> &Path {
        self.file.get_ref().path()
    }

    /// The same file once more, for an encoder that wants one of its own.
    ///
    /// # Errors
    /// When the system has no file to give.
    pub fn reopen(&self) -> io::Result<File> {
        self.file.get_ref().reopen()
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Draft {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

/// Whether a path names something of the running system, as `/dev/stdout` does.
fn is_of_system(path: &Path) -> bool {
    cfg!(unix) && (path.starts_with("/dev") || path.starts_with("/proc"))
}

/// Where a path leads, also where its last link leads to nothing yet.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&path) else { return Ok(path) };
        path = path.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// Gives a draft the owner of the file that it will replace, where the system lets us.
#[cfg(unix)]
fn keep_owner(file: &File, there: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = file.metadata().map(|own| (own.uid(), own.gid())).ok();
    if own != Some((there.uid(), there.gid())) {
        let _ = fchown(file, Some(there.uid()), Some(there.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

/// Renames a whole file: first its bytes are on the disk, then its name.
fn put(file: NamedTempFile, place: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(place).map_err(|error| error.error)?;
    // Some file systems cannot do this for a folder; then the rename is as safe as they make it.
    #[cfg(unix)]
    if let Ok(folder) =
        File::open(place.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")))
    {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Creates a file of a name that no other has, in a folder that is made if it is not there:
/// `stem.extension`, or `stem-1.extension` and so on. Such a file grows while it is written, for
/// whoever wants what is there after a crash.
///
/// # Errors
/// When the folder or the file cannot be made, or ten thousand names are taken.
pub fn create_new(folder: &Path, stem: &str, extension: &str) -> io::Result<(File, PathBuf)> {
    fs::create_dir_all(folder)?;
    for number in 0..10_000_u32 {
        let more = if number > 0 { format!("-{number}") } else { String::new() };
        let path = folder.join(format!("{stem}{more}.{extension}"));
        match File::options().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("ten thousand files are called {stem}: expected a folder with fewer")))
}

/// A draft holds a lock for as long as its program lives: the system takes it back however that
/// ends. Elsewhere a locked file could not be read by the encoder that writes it.
#[cfg(unix)]
fn lock(file: &File) {
    let _ = file.try_lock(); // where nothing can be locked, its age says that it was left
}

#[cfg(not(unix))]
fn lock(_: &File) {}

/// Returns whether the program of a draft has ended, as far as its lock tells.
#[cfg(unix)]
fn has_no_lock(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(not(unix))]
fn has_no_lock(_: &Path) -> bool {
    false
}

/// Returns whether a program that was killed left the draft at `path`: it holds no lock any more,
/// or nobody has written to it for `age`.
pub fn is_left(path: &Path, age: Duration) -> bool {
    let letters = path.file_name().and_then(|name| name.to_str()?.strip_prefix(PREFIX));
    let Some(letters) = letters.filter(|letters| letters.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    else {
        return false;
    };
    let Ok(file) = fs::symlink_metadata(path) else { return false };
    let Some(since) = file.modified().ok().and_then(|written| SystemTime::now().duration_since(written).ok())
    else {
        return false;
    };
    let is_left = match letters.len() {
        LETTERS => since >= age || since >= LOCKED_AFTER && file.is_file() && has_no_lock(path),
        OLDER_LETTERS => since >= age,
        _ => false,
    };
    is_left && file.is_file()
}

/// Removes drafts that a program left behind in `folder` when it was killed: see [`is_left`].
/// Returns how many there were. What cannot be removed stays.
pub fn sweep(folder: &Path, age: Duration) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let left = entries.flatten().map(|entry| entry.path()).filter(|path| is_left(path, age));
    left.filter(|path| fs::remove_file(path).is_ok()).count()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_unfinished_draft_leaves_nothing_and_the_old_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        Draft::write_file(&path, b"old").unwrap();
        let mut draft = Draft::new(&path).unwrap();
        draft.write_all(b"half").unwrap();
        drop(draft);
        let failed = Draft::write_by(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no"))
        });
        assert_eq!(failed.unwrap_err().source.to_string(), "no");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        Draft::write_file(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn what_another_hand_wrote_beside_is_there_in_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let draft = Draft::new(&path).unwrap();
        assert_eq!(draft.beside().parent(), draft.path().parent());
        draft.reopen().unwrap().write_all(b"encoded").unwrap();
        draft.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"encoded");
    }

    #[test]
    fn a_draft_in_a_folder_that_is_not_there_is_an_error_by_its_final_name() {
        let error = Draft::new(Path::new("no/such/folder/out.png")).unwrap_err();
        assert!(error.to_string().starts_with("no/such/folder/out.png: cannot be written: "));
    }

    #[test]
    #[cfg(unix)]
    fn a_link_is_followed_and_a_file_keeps_its_mode() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("dotfiles")).unwrap();
        let (link, real) = (folder.path().join("config"), folder.path().join("dotfiles/config"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("dotfiles/config", &link).unwrap();
        Draft::write_file(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
        // A link to nothing yet makes the file that it names.
        symlink("dotfiles/other", folder.path().join("dangling")).unwrap();
        Draft::write_file(&folder.path().join("dangling"), b"made").unwrap();
        assert_eq!(fs::read(folder.path().join("dotfiles/other")).unwrap(), b"made");
        symlink("circle", folder.path().join("circle")).unwrap();
        let error = Draft::write_file(&folder.path().join("circle"), b"").unwrap_err().to_string();
        assert!(error.ends_with("its links lead in a circle"), "{error}");
        assert!(
            Draft::new(folder.path()).unwrap_err().to_string().ends_with("this is a folder: name a file")
        );
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_is_written_into_and_stays_a_pipe() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::read(path).unwrap()
        });
        // A writer that goes back, as those of sound do, which a pipe itself would refuse.
        let mut draft = Draft::new(&path).unwrap();
        draft.write_all(b"....body").unwrap();
        draft.rewind().unwrap();
        draft.write_all(b"head").unwrap();
        draft.finish().unwrap();
        assert_eq!(reader.join().unwrap(), b"headbody");
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_device_is_written_into_and_stays_a_device() {
        use std::os::unix::fs::FileTypeExt;
        Draft::write_file(Path::new("/dev/null"), b"nothing").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let error = Draft::write_file(Path::new("/dev/full"), b"something").unwrap_err();
        assert_eq!(error.source.kind(), io::ErrorKind::StorageFull);
        assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
    }

    #[test]
    fn drafts_of_a_program_that_was_killed_are_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let day = Duration::from_secs(86_400);
        for name in [
            ".maxout-abc123",
            ".maxout-New456",
            ".maxout-abc1234",
            ".maxout-ab.123",
            "maxout-abc123",
            "game.sav",
        ] {
            fs::write(place(name), b"x").unwrap();
            let written = if name.contains("New") { SystemTime::now() } else { SystemTime::now() - 2 * day };
            File::options().write(true).open(place(name)).unwrap().set_modified(written).unwrap();
        }
        fs::create_dir(place(".maxout-folder")).unwrap();
        assert_eq!(sweep(folder.path(), day), 1);
        assert!(!place(".maxout-abc123").exists() && place(".maxout-New456").exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
        // One with a lock stays, however long nobody has written to it, and is left without.
        let locked = File::create(place(".maxout-abcd1234")).unwrap();
        locked.set_modified(SystemTime::now() - LOCKED_AFTER).unwrap();
        #[cfg(unix)]
        {
            locked.try_lock().unwrap();
            assert_eq!(sweep(folder.path(), day), 0);
            drop(locked);
            assert_eq!(sweep(folder.path(), day), 1);
        }
        // One that is being written has the name that is looked for.
        let draft = Draft::new(&place("game.sav")).unwrap();
        let name = draft.beside().file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!((name.len(), name.starts_with(PREFIX)), (PREFIX.len() + LETTERS, true));
        assert_eq!(sweep(&place("none"), day), 0);
    }

    #[test]
    #[cfg(unix)]
    fn others_may_read_it_as_any_file_of_the_users() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        Draft::write_file(&ours, b"").unwrap();
        fs::write(&plain, b"").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(ours), mode(plain));
    }
}
