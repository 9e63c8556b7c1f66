//! The configuration file: what the player set, as TOML that says what each line means.
//!
//! A file that cannot be understood is reported and left alone: Maxout then plays with its defaults
//! and writes nothing. What it does write, it writes into the player's own file, as that is at the
//! moment: comments, order and unknown keys stay, and what an editor or another window has changed
//! meanwhile.

mod document;
pub(crate) mod folders;
pub(crate) mod look;
pub(crate) mod practice;
pub(crate) mod settings;
#[cfg(test)]
mod stability;
pub(crate) mod streaming;
pub(crate) mod table;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use draft::ReadError;
use thiserror::Error;
use toml_edit::Document;

use crate::config::folders::{in_turn, write_whole};
use crate::config::settings::Settings;
use crate::error::DesktopError;
use document::{edited, strangers};

/// No configuration file is longer.
const LONGEST: u64 = 4 << 20;

/// The configuration file and what is in it.
#[derive(Debug, Clone)]
pub(crate) struct ConfigFile {
    path: PathBuf,
    /// Whether the file could be understood; otherwise it is not written.
    understood: bool,
    /// What the file said when it was read, or was made to say since.
    settings: Settings,
    found: bool,
    warnings: Vec<String>,
}

impl ConfigFile {
    /// Reads the file `path`. One that is not there counts as empty.
    pub(crate) fn read(path: PathBuf) -> Self {
        let mut file =
            Self { path, understood: true, settings: Settings::default(), found: false, warnings: vec![] };
        match text(&file.path) {
            Ok(Some(text)) => {
                file.found = true;
                file.understand(&text);
            }
            Ok(None) => {}
            Err(reason) => {
                file.found = true;
                file.refuse(&reason.to_string());
            }
        }
        file
    }

    /// Returns what `text` sets, if it can be understood, and what is wrong with it.
    pub(crate) fn of_text(path: PathBuf, text: &str) -> (Option<Settings>, Vec<String>) {
        let (understood, settings) = (true, Settings::default());
        let mut file = Self { path, understood, settings, found: true, warnings: vec![] };
        file.understand(text);
        (file.understood.then_some(file.settings), file.warnings)
    }

    /// Returns `text`, which says `old`, changed to say `new`; with all of it where there was none.
    pub(crate) fn edited_text(text: &str, old: &Settings, new: &Settings) -> String {
        edited(text, old, new, text.is_empty())
    }

    /// Returns what the player set; defaults for everything that the file does not say.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns whether there was a file.
    pub(crate) fn found(&self) -> bool {
        self.found
    }

    /// Returns what is wrong with it, a line each, with the file's name and the number of the line.
    pub(crate) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Writes what differs in `settings` from what the file said into the file as it is now, by a
    /// temporary file beside it. Does nothing when the file could not be understood, or says that
    /// much already.
    ///
    /// # Errors
    /// [`DesktopError::Write`]; [`DesktopError::Settings`] when somebody has made of the file what
    /// cannot be understood, which stays as it is.
    pub(crate) fn write(&mut self, settings: &Settings) -> Result<(), DesktopError> {
        if !self.understood || self.found && *settings == self.settings {
            return Ok(());
        }
        let path = self.path.clone();
        in_turn(&path, || {
            let now = text(&path)
                .map_err(|error| DesktopError::Settings { path: path.clone(), reason: error.to_string() })?;
            let found = now.is_some();
            let now = now.unwrap_or_default();
            if let Err(error) = Document::parse(now.as_str()) {
                let reason = fault(&now, error.span(), error.message());
                return Err(DesktopError::Settings { path: path.clone(), reason });
            }
            write_whole(&path, edited(&now, &self.settings, settings, !found).as_bytes())
        })?;
        self.settings = settings.clone();
        self.found = true;
        Ok(())
    }

    fn understand(&mut self, text: &str) {
        let document = match Document::parse(text.to_owned()) {
            Ok(document) => document,
            Err(error) => return self.refuse(&fault(text, error.span(), error.message())),
        };
        for (key, at) in strangers(document.as_table()) {
            let line = line_of(text, at);
            self.warnings.push(format!("{}:{line}: unknown key {key}; ignored", self.path.display()));
        }
        match toml_edit::de::from_document::<Settings>(document) {
            Ok(settings) => {
                self.settings = settings;
                self.settings.adopt();
            }
            Err(error) => self.refuse(&fault(text, error.span(), error.message())),
        }
    }

    fn refuse(&mut self, why: &str) {
        self.understood = false;
        let colon = if why.starts_with(|first: char| first.is_ascii_digit()) { ":" } else { " " };
        self.warnings.push(format!(
            "{}{colon}{why}; using the defaults; the file stays unchanged until you fix it",
            self.path.display()
        ));
    }
}

/// Why the settings' file has no text.
#[derive(Debug, Error)]
enum Unreadable {
    #[error("is not text in UTF-8")]
    NotText,
    #[error("cannot be read: {0}")]
    Read(ReadError),
}

/// Returns the text of the file; none where there is no file.
///
/// # Errors
/// [`Unreadable`] where it cannot be had.
fn text(path: &Path) -> Result<Option<String>, Unreadable> {
    match draft::read_file(path, LONGEST) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| Unreadable::NotText),
        Err(ReadError::Io(error)) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Unreadable::Read(error)),
    }
}

/// `message` about the place `at` of `text`, on one line.
fn fault(text: &str, at: Option<std::ops::Range<usize>>, message: &str) -> String {
    let message = message.trim().replace('\n', ", ");
    let message = message.trim_end_matches(", ");
    at.map_or_else(|| message.to_owned(), |at| format!("{}: {message}", line_of(text, at.start)))
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::video::filter::Filter;

    fn file(text: &str) -> (tempfile::TempDir, ConfigFile) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        fs::write(&path, text).unwrap();
        let file = ConfigFile::read(path);
        (folder, file)
    }

    #[test]
    fn a_new_file_explains_itself_and_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/config.toml");
        let mut file = ConfigFile::read(path.clone());
        assert!(!file.found() && file.warnings().is_empty());
        let mut settings = Settings::default();
        settings.picture.filter = Filter::Crt;
        settings.input.dead_zone = 0.3;
        file.write(&settings).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        for line in ["[picture]", "filter = \"crt\"", "# Percent of the console's speed", "dead-zone = 0.3\n"]
        {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
        let again = ConfigFile::read(path);
        assert_eq!((again.settings(), again.warnings()), (&settings, &[][..]));
    }

    #[test]
    fn what_the_player_wrote_stays_around_what_the_menus_change() {
        let text = "# mine\n[sound]\nvolume = 50 # not so loud\nflavour = 3\n\n[picture]\nhue = 5\n";
        let (_folder, mut file) = file(text);
        let mut settings = file.settings().clone();
        settings.sound.volume = 60;
        settings.time.run_ahead = 1;
        file.write(&settings).unwrap();
        let written = fs::read_to_string(&file.path).unwrap();
        let start = text.replace("50", "60");
        assert!(written.starts_with(&start), "{written}");
        assert!(written[start.len()..].contains("run-ahead = 1"), "{written}");
        assert!(!written.contains("latency ="), "what is as it was is not written: {written}");
    }

    #[test]
    fn two_windows_and_an_editor_each_keep_what_they_changed() {
        let (_folder, mut one) = file("[sound]\nvolume = 50\n");
        let mut other = ConfigFile::read(one.path.clone());
        let mut muted = one.settings().clone();
        muted.sound.mute = true;
        one.write(&muted).unwrap();
        // By hand, while both windows are open.
        let text = fs::read_to_string(&one.path).unwrap() + "\n[picture]\nhue = 7 # by hand\n";
        fs::write(&one.path, text).unwrap();
        let mut filtered = other.settings().clone();
        filtered.picture.filter = Filter::Crt;
        other.write(&filtered).unwrap();
        muted.sound.volume = 40;
        one.write(&muted).unwrap();

        let all = ConfigFile::read(one.path.clone());
        let Settings { sound, picture, .. } = all.settings();
        assert_eq!((sound.mute, sound.volume, picture.hue, picture.filter), (true, 40, 7, Filter::Crt));
        assert!(fs::read_to_string(&one.path).unwrap().contains("# by hand"));
        assert!(all.warnings().is_empty());
    }

    #[test]
    fn a_file_that_was_spoilt_meanwhile_stays_and_one_that_was_removed_is_made_again() {
        let (_folder, mut file) = file("[sound]\nvolume = 50\n");
        fs::write(&file.path, "[sound\n").unwrap();
        let mut settings = file.settings().clone();
        settings.sound.mute = true;
        let error = file.write(&settings).unwrap_err().to_string();
        assert!(error.contains("config.toml") && error.contains("not saved"), "{error}");
        assert_eq!(fs::read_to_string(&file.path).unwrap(), "[sound\n");
        fs::remove_file(&file.path).unwrap();
        file.write(&settings).unwrap();
        assert_eq!(ConfigFile::read(file.path.clone()).settings(), &settings);
    }

    #[test]
    #[cfg(unix)]
    fn a_device_or_a_pipe_in_its_place_is_reported_and_not_read() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let (zero, pipe) = (folder.path().join("zero"), folder.path().join("pipe"));
        symlink("/dev/zero", &zero).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [zero, pipe] {
            let file = ConfigFile::read(path);
            assert!(file.warnings()[0].contains("expected a file"), "{:?}", file.warnings());
        }
    }

    #[test]
    fn keys_of_one_player_are_changed_where_they_stand() {
        let (_folder, mut file) = file("");
        let mut settings = Settings::default();
        settings.input.players[1].keys.a = vec![winit::keyboard::KeyCode::KeyW];
        file.write(&settings).unwrap();
        let mut file = ConfigFile::read(file.path.clone());
        assert_eq!(file.settings(), &settings);
        settings.input.players[0].keys.b.clear();
        file.write(&settings).unwrap();
        assert_eq!(ConfigFile::read(file.path.clone()).settings(), &settings);
    }

    #[test]
    fn an_unknown_key_is_reported_with_its_line_and_the_rest_counts() {
        let (_folder, file) =
            file("[sound]\nvolume = 7\nvolum = 8\n\n[picture.crop]\nmiddle = 1\n[music]\non = true\n");
        assert_eq!(file.settings().sound.volume, 7);
        let [sound, crop, music] = file.warnings() else { panic!("{:?}", file.warnings()) };
        assert!(sound.contains("config.toml:3: unknown key sound.volum"), "{sound}");
        assert!(crop.contains("config.toml:6: unknown key picture.crop.middle"), "{crop}");
        assert!(music.contains("config.toml:7: unknown key music"), "{music}");
    }

    #[test]
    fn the_debuggers_layouts_are_kept_and_its_old_list_of_panels_is_no_fault() {
        let old = "[sound]\nvolume = 7\n\n[debugger]\npanels = [[\"code\", 12, -1], [\"memory\", 3, 4]]\n";
        let (_folder, mut file) = file(old);
        assert_eq!((file.warnings(), file.settings().sound.volume), (&[][..], 7));
        assert_eq!(file.settings().debugger, crate::config::settings::DebuggerSettings::default());
        let mut settings = file.settings().clone();
        let layout = crate::debugger::Layout::parse("row(picture, 300 tabs(code, *memory))").unwrap();
        settings.debugger.keep(Some(layout.clone()));
        settings.debugger.hint = false;
        file.write(&settings).unwrap();
        let again = ConfigFile::read(file.path.clone());
        assert_eq!((again.settings(), again.warnings()), (&settings, &[][..]));
        assert_eq!(again.settings().debugger.current(), layout);
    }

    #[test]
    fn a_layout_that_cannot_be_read_is_reported_with_its_line() {
        let (_folder, file) = file("[debugger]\ncode = \"row(picture, 3 lamp)\"\n");
        let [warning] = file.warnings() else { panic!("{:?}", file.warnings()) };
        assert!(warning.contains("config.toml:2: expected row, column, tabs"), "{warning}");
    }

    #[test]
    fn garbage_is_reported_with_its_line_and_never_overwritten() {
        let wrong = ["[sound]\nvolume = \"loud\"\n", "[sound]\nvolume = = 3\n", "[sound]\nvolume = 1000\n"];
        for text in wrong {
            let (_folder, mut file) = file(text);
            assert_eq!(file.settings(), &Settings::default());
            let [warning] = file.warnings() else { panic!("{:?}", file.warnings()) };
            assert!(warning.contains("config.toml:2: "), "{warning}");
            assert_eq!(warning.lines().count(), 1);
            let mut settings = Settings::default();
            settings.sound.mute = true;
            file.write(&settings).unwrap();
            assert_eq!(fs::read_to_string(&file.path).unwrap(), text);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        fs::write(&path, [0xFF, 0xFE, 0x00]).unwrap();
        assert!(ConfigFile::read(path).warnings()[0].contains("UTF-8"));
    }

    #[test]
    fn a_file_that_cannot_be_written_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("file");
        fs::write(&blocked, "").unwrap();
        let mut file =
            ConfigFile { path: blocked.join("config.toml"), ..ConfigFile::read(folder.path().join("none")) };
        let message = file.write(&Settings::default()).unwrap_err().to_string();
        assert!(message.contains("config.toml"), "{message}");
    }
}
