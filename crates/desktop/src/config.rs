//! The configuration file: what the player set, as TOML that says what each line means.
//!
//! A file that cannot be understood is reported and left alone: Maxout then plays with its defaults and writes
//! nothing. What it does write, it writes into the player's own file: comments, order and unknown keys stay.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use toml_edit::{Document, DocumentMut, Item, Table, TableLike, Value};

use crate::error::DesktopError;
use crate::settings::Settings;

/// What every key means: its path, and a line above it.
const MEANINGS: &[(&str, &str)] = &[
    ("picture", "The picture and the windows that show it."),
    ("picture.scale", "Window pixels to a scanline at the start, 1 to 16."),
    ("picture.aspect", "\"square\", or \"television\": pixels 8:7 as wide as high."),
    ("picture.scaling", "\"whole\" multiples of a scanline, or \"fit\": as large as the window allows."),
    ("picture.crop", "Dots cut off at each side, 0 to 64."),
    ("picture.crop.left", ""),
    ("picture.crop.right", ""),
    ("picture.crop.top", ""),
    ("picture.crop.bottom", ""),
    ("picture.filter", "\"none\", \"scanlines\", \"crt\" or \"composite\"."),
    ("picture.hue", "The television's tint knob in degrees, -45 to 45."),
    ("picture.saturation", "The television's colour knob in percent, 0 to 200."),
    ("picture.palette", "A palette file (.pal, 64 or 512 colours); \"\" for a television's colours."),
    ("picture.fullscreen", "Start on the whole screen."),
    ("picture.input-display", "Show which buttons the game sees."),
    (
        "picture.clean-feed",
        "Window pixels to a dot in a second window for recording software, 1 to 8; 0 for none.",
    ),
    ("time", "Speed and latency."),
    ("time.speed", "Percent of the console's speed, 10 to 200; the pitch stays."),
    ("time.run-ahead", "Frames to run ahead, 0 to 2: the game answers that much sooner."),
    ("time.sync", "What sets the pace: \"auto\", \"sound\" or \"display\"."),
    ("sound", "Sound."),
    ("sound.volume", "0 to 100."),
    ("sound.mute", "No sound."),
    ("sound.muted-channels", "Any of \"pulse1\", \"pulse2\", \"triangle\", \"noise\", \"dmc\"."),
    ("sound.latency", "Milliseconds from the console to the sound device, 10 to 100."),
    ("input", "Keyboard and pads."),
    ("input.dead-zone", "How far a stick must be pushed to count, 0.05 to 0.95."),
    (
        "input.opposites",
        "Left and right held together: \"raw\" (both), \"neutral\" (neither) or \"last-wins\".",
    ),
    ("input.goofy-foot", "A and B, Select and Start and opposite directions change places."),
    ("input.turbo-frames", "Frames that a turbo button is down, and then up, 1 to 30."),
    (
        "input.players",
        "A list of names for each button: keys by their place on a US keyboard (\"KeyX\", \"ArrowLeft\"),\n\
         buttons of the pad (\"South\", \"DPadUp\") or pushed axes (\"LeftStickX-\").",
    ),
    ("input.players.keys", ""),
    ("input.players.pad", ""),
    ("rewind", "How far back a rewind goes."),
    ("rewind.seconds", "0 for no rewind."),
    ("rewind.megabytes", "What it may take of the computer's memory, in MiB."),
    ("recording", "Movies, sound and video files."),
    ("recording.author", "Your name in movies; \"\" for none."),
    ("recording.ffmpeg", "The program that makes MP4."),
    ("recording.scale", "Pixels of a video to a dot, 1 to 8."),
];

/// The configuration file and what is in it.
#[derive(Debug, Clone)]
pub struct ConfigFile {
    path: PathBuf,
    /// The file as the player wrote it; `None` when it cannot be understood, and then it is not written.
    text: Option<String>,
    settings: Settings,
    found: bool,
    warnings: Vec<String>,
}

impl ConfigFile {
    /// Reads the file `path`. One that is not there counts as empty.
    pub fn read(path: PathBuf) -> Self {
        let mut file = Self {
            path,
            text: Some(String::new()),
            settings: Settings::default(),
            found: false,
            warnings: vec![],
        };
        match fs::read(&file.path) {
            Ok(bytes) => {
                file.found = true;
                file.understand(bytes);
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => file.refuse(&format!("cannot be read: {error}")),
        }
        file
    }

    /// What the player set; defaults for everything that the file does not say.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether there was a file.
    pub fn found(&self) -> bool {
        self.found
    }

    /// What is wrong with it, a line each, with the file's name and the number of the line.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Its place.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes `settings` into it, by a temporary file beside it. Does nothing when the file could not be understood,
    /// or says that much already.
    ///
    /// # Errors
    /// [`DesktopError::Write`].
    pub fn write(&mut self, settings: &Settings) -> Result<(), DesktopError> {
        if self.found && *settings == self.settings {
            return Ok(());
        }
        let Some(text) = &self.text else { return Ok(()) };
        let text = edited(text, &self.settings, settings, !self.found);
        write_whole(&self.path, text.as_bytes())?;
        self.settings = settings.clone();
        self.text = Some(text);
        self.found = true;
        Ok(())
    }

    fn understand(&mut self, bytes: Vec<u8>) {
        let Ok(text) = String::from_utf8(bytes) else { return self.refuse("is not text in UTF-8") };
        let document = match Document::parse(text.clone()) {
            Ok(document) => document,
            Err(error) => return self.refuse(&fault(&text, error.span(), error.message())),
        };
        let mut unknown = vec![];
        strangers(document.as_table(), canon(&Settings::default()).as_table(), "", &mut unknown);
        for (key, at) in unknown {
            let line = line_of(&text, at);
            self.warnings.push(format!("{}:{line}: unknown key {key}; it is left out", self.path.display()));
        }
        match toml_edit::de::from_document::<Settings>(document) {
            Ok(settings) => {
                self.settings = settings;
                self.text = Some(text);
            }
            Err(error) => self.refuse(&fault(&text, error.span(), error.message())),
        }
    }

    fn refuse(&mut self, why: &str) {
        self.text = None;
        let colon = if why.starts_with(|first: char| first.is_ascii_digit()) { ":" } else { " " };
        self.warnings.push(format!(
            "{}{colon}{why}; playing with defaults, and the file stays as it is until that is mended",
            self.path.display()
        ));
    }
}

/// Writes `bytes` to `path` so that the file is whole at any moment. Makes the folder that it lies in.
///
/// # Errors
/// [`DesktopError::Write`].
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), DesktopError> {
    let failed = |source| DesktopError::Write { path: path.into(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
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

/// The keys of `found` that are not in `known`, with their places.
fn strangers(found: &dyn TableLike, known: &dyn TableLike, path: &str, unknown: &mut Vec<(String, usize)>) {
    for (key, item) in found.iter() {
        let path = join(path, key);
        let Some(known) = known.get(key) else {
            let place = found.key(key).and_then(toml_edit::Key::span);
            unknown.push((path, place.or(item.span()).map_or(0, |place| place.start)));
            continue;
        };
        for (found, known) in tables(item).into_iter().zip(tables(known)) {
            strangers(found, known, &path, unknown);
        }
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.into() } else { format!("{path}.{key}") }
}

/// The tables that `item` is, or is a list of.
fn tables(item: &Item) -> Vec<&dyn TableLike> {
    if let Some(table) = item.as_table_like() {
        return vec![table];
    }
    let of_tables = item.as_array_of_tables().into_iter().flatten().map(|table| table as &dyn TableLike);
    let of_values = item.as_array().into_iter().flatten();
    let inline = of_values.filter_map(Value::as_inline_table).map(|table| table as &dyn TableLike);
    of_tables.chain(inline).collect()
}

/// `settings` as TOML, lists of tables as `[[tables]]`.
fn canon(settings: &Settings) -> DocumentMut {
    let mut document = toml_edit::ser::to_document(settings).unwrap_or_default();
    for (_, item) in document.iter_mut() {
        expand(item);
    }
    document
}

/// Values that are tables as tables with a line of their own, and numbers as short as they can be.
fn expand(item: &mut Item) {
    let old = std::mem::take(item);
    *item = match old {
        Item::Value(Value::InlineTable(table)) => Item::Table(table.into_table()),
        Item::Value(Value::Array(list)) if !list.is_empty() && list.iter().all(Value::is_inline_table) => {
            Item::ArrayOfTables(
                list.into_iter()
                    .filter_map(|value| value.as_inline_table().cloned())
                    .map(toml_edit::InlineTable::into_table)
                    .collect(),
            )
        }
        Item::Value(Value::Float(number)) => {
            // Settings are single precision: 0.1 is not 0.10000000149.
            let short = (*number.value() as f32).to_string().parse().unwrap_or(*number.value());
            toml_edit::value(short)
        }
        other => other,
    };
    match item {
        Item::Table(table) => table.iter_mut().for_each(|(_, item)| expand(item)),
        Item::ArrayOfTables(list) => {
            list.iter_mut().for_each(|table| table.iter_mut().for_each(|(_, item)| expand(item)));
        }
        _ => {}
    }
}

/// `text`, which says `old`, changed to say `new`. With `all`, what is as it was is written down too.
fn edited(text: &str, old: &Settings, new: &Settings, all: bool) -> String {
    let Ok(mut document) = text.parse::<DocumentMut>() else { return text.to_owned() };
    let (old, new) = (canon(old), canon(new));
    change(document.as_table_mut(), old.as_table(), new.as_table(), "", all);
    let head = "# What Maxout's menus set, and you may: it is read when Maxout starts.\n\n";
    format!("{}{document}", if all { head } else { "" })
}

fn change(target: &mut dyn TableLike, old: &Table, new: &Table, path: &str, all: bool) {
    for (key, item) in new {
        let path = join(path, key);
        let before = old.get(key);
        let same = before.is_some_and(|before| equal(before, item));
        if same && !all {
            continue;
        }
        match (target.get_mut(key), item) {
            (Some(target), Item::Table(new)) if target.is_table_like() => {
                if let (Some(target), Some(Item::Table(old))) = (target.as_table_like_mut(), before) {
                    change(target, old, new, &path, all);
                }
            }
            (Some(Item::ArrayOfTables(target)), Item::ArrayOfTables(new)) if target.len() == new.len() => {
                let old = before.and_then(Item::as_array_of_tables).into_iter().flatten();
                for ((target, new), old) in target.iter_mut().zip(new).zip(old) {
                    change(target, old, new, &path, all);
                }
            }
            (Some(target), _) => {
                let decor = target.as_value().map(|value| value.decor().clone());
                *target = item.clone();
                if let (Some(decor), Some(value)) = (decor, target.as_value_mut()) {
                    *value.decor_mut() = decor;
                }
            }
            (None, Item::Table(new)) => {
                let mut table = Table::new();
                table.decor_mut().set_prefix(format!("\n{}", comment(&path)));
                if let Some(Item::Table(old)) = before {
                    change(&mut table, old, new, &path, all);
                }
                target.insert(key, Item::Table(table));
            }
            (None, _) => {
                let mut item = item.clone();
                explain(&mut item, &path);
                let is_value = item.is_value();
                target.insert(key, item);
                if let Some(mut key) = target.key_mut(key)
                    && is_value
                {
                    key.leaf_decor_mut().set_prefix(comment(&path));
                }
            }
        }
    }
}

/// Whether two items of [`canon`] say the same.
fn equal(one: &Item, other: &Item) -> bool {
    let same = |one: &Table, other: &Table| {
        one.len() == other.len()
            && one.iter().all(|(key, item)| other.get(key).is_some_and(|other| equal(item, other)))
    };
    match (one, other) {
        (Item::Table(one), Item::Table(other)) => same(one, other),
        (Item::ArrayOfTables(one), Item::ArrayOfTables(other)) => {
            one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| same(one, other))
        }
        _ => one.to_string() == other.to_string(),
    }
}

/// Puts the meanings above all keys in `item`, which is new.
fn explain(item: &mut Item, path: &str) {
    let line = comment(path);
    match item {
        Item::Table(table) => {
            table.decor_mut().set_prefix(format!("\n{line}"));
            explain_keys(table, path);
        }
        Item::ArrayOfTables(list) => {
            for (number, table) in list.iter_mut().enumerate() {
                table.decor_mut().set_prefix(format!(
                    "\n{}# Player {}\n",
                    if number == 0 { &line } else { "" },
                    number + 1
                ));
                explain_keys(table, path);
            }
        }
        _ => {}
    }
}

fn explain_keys(table: &mut Table, path: &str) {
    for (mut key, item) in table.iter_mut() {
        let path = join(path, key.get());
        let line = comment(&path);
        if item.is_value() && !line.is_empty() {
            key.leaf_decor_mut().set_prefix(line);
        }
        explain(item, &path);
    }
}

fn comment(path: &str) -> String {
    let meaning = MEANINGS.iter().find(|(key, _)| *key == path).map_or("", |(_, meaning)| meaning);
    meaning.lines().map(|line| format!("# {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;

    fn file(text: &str) -> (tempfile::TempDir, ConfigFile) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        fs::write(&path, text).unwrap();
        let file = ConfigFile::read(path);
        (folder, file)
    }

    fn keys(table: &dyn TableLike, path: &str, all: &mut Vec<String>) {
        for (key, item) in table.iter() {
            let path = join(path, key);
            if !all.contains(&path) {
                all.push(path.clone());
            }
            for table in tables(item) {
                keys(table, &path, all);
            }
        }
    }

    #[test]
    fn every_key_is_explained_and_no_other() {
        let mut found = vec![];
        keys(canon(&Settings::default()).as_table(), "", &mut found);
        // What is bound to a button explains itself.
        found.retain(|key| !key.starts_with("input.players.keys.") && !key.starts_with("input.players.pad."));
        let mut explained: Vec<&str> = MEANINGS.iter().map(|(key, _)| *key).collect();
        found.sort();
        explained.sort_unstable();
        assert_eq!(found, explained);
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
        let written = fs::read_to_string(file.path()).unwrap();
        let start = text.replace("50", "60");
        assert!(written.starts_with(&start), "{written}");
        assert!(written[start.len()..].contains("run-ahead = 1"), "{written}");
        assert!(!written.contains("latency"), "what is as it was is not written: {written}");
    }

    #[test]
    fn keys_of_one_player_are_changed_where_they_stand() {
        let (_folder, mut file) = file("");
        let mut settings = Settings::default();
        settings.input.players[1].keys.a = vec![winit::keyboard::KeyCode::KeyW];
        file.write(&settings).unwrap();
        let mut file = ConfigFile::read(file.path().to_owned());
        assert_eq!(file.settings(), &settings);
        settings.input.players[0].keys.b.clear();
        file.write(&settings).unwrap();
        assert_eq!(ConfigFile::read(file.path().to_owned()).settings(), &settings);
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
            assert_eq!(fs::read_to_string(file.path()).unwrap(), text);
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
