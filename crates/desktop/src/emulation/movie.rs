//! Movies: what was held since power-on, recorded, played, and both at once.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use draft::Draft;
use nes::Buttons;
use nes::controller::fm2::{Commands, FrameInput, Movie, RamInit};

use crate::DesktopError;
use crate::messages::status::MovieStatus;
use crate::options::read_file;

/// A recording is written this often, in frames, so that little is lost with the power.
const SAVED_EVERY: usize = 3600;

/// Begins the comment that names the pieces.
const PIECES: &str = "pieces ";

/// Everything held since power-on, which goes along with the state: it is cut by a rewind and
/// exchanged by a loaded state, so a movie can be recorded from any of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct MovieRecorder {
    log: Vec<FrameInput>,
    /// What RAM held when the log began.
    ram: RamInit,
    /// The state did not come about by the log alone, only by so many frames of it.
    diverged: Option<usize>,
    recording: Option<MovieRecording>,
    playing: Option<(PathBuf, Movie)>,
}

/// What a recording says of itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct MovieMetadata {
    pub(crate) title: String,
    /// As in the file, `base64:` and all.
    pub(crate) checksum: String,
    pub(crate) pal: bool,
    /// Empty for nobody.
    pub(crate) author: String,
    /// The name of the pieces that come instead of the game's.
    pub(crate) pieces: Option<String>,
}

/// A movie that is being recorded.
#[derive(Debug, Clone)]
struct MovieRecording {
    path: PathBuf,
    metadata: MovieMetadata,
    /// The movie that is recorded on, without its frames: its comments and the other keys of its
    /// header stay.
    before: Movie,
}

impl MovieRecorder {
    /// Returns the frame that comes next, counted from power-on.
    pub(crate) fn frame(&self) -> u64 {
        self.log.len() as u64
    }

    /// Returns everything so far; nothing where that does not lead to the state.
    pub(crate) fn log(&self) -> &[FrameInput] {
        if self.has_diverged() { &[] } else { &self.log }
    }

    /// Returns what RAM held when the log began.
    pub(crate) fn ram(&self) -> RamInit {
        self.ram
    }

    /// Returns what the movie holds in the frame that comes next; `None` when none plays, or not
    /// any more.
    pub(crate) fn input(&self) -> Option<FrameInput> {
        self.input_after(0)
    }

    /// Returns the same, `frames` later.
    pub(crate) fn input_after(&self, frames: usize) -> Option<FrameInput> {
        let (_, movie) = self.playing.as_ref()?;
        movie.frames.get(self.log.len() + frames).copied()
    }

    /// A frame was run with `input`. Returns a movie that thereby ended.
    pub(crate) fn ran(&mut self, input: FrameInput) -> Option<PathBuf> {
        self.log.push(input);
        let (path, movie) = self.playing.take()?;
        if self.log.len() < movie.frames.len() {
            self.playing = Some((path, movie));
            return None;
        }
        Some(path)
    }

    /// Takes the last `frames` back. Returns what was held in the first of them.
    pub(crate) fn back(&mut self, frames: usize) -> Option<FrameInput> {
        self.rerecord();
        self.log.drain(self.log.len().saturating_sub(frames)..).next()
    }

    /// The console was exchanged for one of which nothing is known: the log no longer leads to it,
    /// and no movie does.
    pub(crate) fn replace(&mut self) {
        self.mark_diverged();
        self.playing = None;
    }

    /// Goes to a state that came about by `log` from a power-on with `ram`; a movie that plays goes
    /// on from there. Returns false, and does nothing, when that state does not come in the movie.
    pub(crate) fn jump(&mut self, log: Vec<FrameInput>, ram: RamInit, frame: u64) -> bool {
        let diverged = log.is_empty() && frame > 0;
        let fits = self.playing.as_ref().is_none_or(|(_, movie)| !diverged && movie.frames.starts_with(&log));
        if fits {
            self.diverged = diverged.then_some(0);
            self.log = log;
            self.ram = ram;
            self.rerecord();
        }
        fits
    }

    /// A script or the debugger changed the state by more than buttons: the log no longer leads to
    /// it. A movie that plays goes on.
    pub(crate) fn mark_diverged(&mut self) {
        self.diverged.get_or_insert(self.log.len());
    }

    /// Returns whether the log does not lead to the state.
    pub(crate) fn has_diverged(&self) -> bool {
        self.diverged.is_some()
    }

    /// Returns the frames that a movie can say.
    fn said(&self) -> &[FrameInput] {
        let length = self.diverged.unwrap_or(usize::MAX).min(self.log.len());
        &self.log[..length]
    }

    /// The power was turned off and on outside of any movie, or the cartridge changed: everything
    /// begins anew.
    pub(crate) fn restart(&mut self, ram: RamInit) {
        self.log.clear();
        self.ram = ram;
        self.diverged = None;
        self.playing = None;
    }

    fn rerecord(&mut self) {
        if let Some(recording) = &mut self.recording {
            recording.before.rerecord_count += 1;
        }
    }

    pub(crate) fn record(&mut self, path: PathBuf, metadata: MovieMetadata) {
        let before = self.playing.take().map(|(_, movie)| Movie { frames: vec![], ..movie });
        self.recording = Some(MovieRecording { path, metadata, before: before.unwrap_or_default() });
    }

    pub(crate) fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Writes the recording so far, if it is time to.
    pub(crate) fn autosave(&self) -> io::Result<()> {
        match &self.recording {
            Some(recording) if self.log.len().is_multiple_of(SAVED_EVERY) => {
                recording.write(self.said(), self.ram)
            }
            _ => Ok(()),
        }
    }

    /// Ends the recording. Returns its file and how that went; `None` when there was none.
    pub(crate) fn stop_recording(&mut self) -> Option<(PathBuf, io::Result<()>)> {
        let recording = self.recording.take()?;
        let written = recording.write(self.said(), self.ram);
        Some((recording.path, written))
    }

    /// Plays `movie` from power-on, which has just been.
    pub(crate) fn play(&mut self, path: PathBuf, movie: Movie) {
        self.log.clear();
        self.playing = Some((path, movie));
    }

    /// Ends the playing.
    pub(crate) fn stop_playing(&mut self) {
        self.playing = None;
    }

    pub(crate) fn status(&self) -> Option<MovieStatus> {
        let frame = self.frame();
        let playing = self.playing.as_ref().map(|(path, movie)| (path, Some(movie.frames.len() as u64)));
        let (path, length) =
            playing.or_else(|| self.recording.as_ref().map(|recording| (&recording.path, None)))?;
        Some(MovieStatus { path: path.clone(), frame, length })
    }
}

impl MovieRecording {
    fn write(&self, log: &[FrameInput], ram: RamInit) -> io::Result<()> {
        let Self { path, metadata: MovieMetadata { title, checksum, pal, author, pieces }, before } = self;
        let author = (!author.is_empty()).then(|| format!("author {author}"));
        let mut comments = before.comments.clone();
        comments.retain(|comment| !comment.starts_with(PIECES) && Some(comment) != author.as_ref());
        comments.extend(author);
        comments.extend(pieces.as_ref().map(|pieces| format!("{PIECES}{pieces}")));
        let movie = Movie {
            rom_filename: title.clone(),
            rom_checksum: checksum.clone(),
            rerecord_count: before.rerecord_count,
            pal: *pal,
            ram,
            comments,
            fields: before.fields.clone(),
            frames: log.to_vec(),
            older: false,
        };
        Ok(Draft::write_by(path, |file| write!(file, "{movie}"))?)
    }
}

/// In the place of commands: what follows is the RAM with which the log began.
const RAM: u8 = 0x80;

/// Returns a log as bytes: commands, first pad, second pad of each frame; before them the RAM with
/// which it began, unless that is zero.
pub(crate) fn to_bytes(ram: RamInit, log: &[FrameInput]) -> Vec<u8> {
    let (option, seed) = match ram {
        RamInit::Zeros => (None, 0),
        RamInit::Stripes => (Some(0), 0),
        RamInit::Ones => (Some(1), 0),
        RamInit::Random(seed) => (Some(3), seed),
    };
    let [a, b, c, d] = seed.to_le_bytes();
    let ram = option.map(|option| [RAM | option, a, b, RAM, c, d]);
    let frames =
        log.iter().flat_map(|&FrameInput { commands, pads: [a, b] }| [commands.bits(), a.bits(), b.bits()]);
    ram.into_iter().flatten().chain(frames).collect()
}

/// Returns the RAM and the log in `bytes`; `None` where they are none.
pub(crate) fn from_bytes(bytes: &[u8]) -> Option<(RamInit, Vec<FrameInput>)> {
    let (ram, bytes) = match *bytes {
        [first, a, b, RAM, c, d, ref rest @ ..] if first & RAM != 0 => {
            let ram = match first & !RAM {
                0 => RamInit::Stripes,
                1 => RamInit::Ones,
                3 => RamInit::Random(u32::from_le_bytes([a, b, c, d])),
                _ => return None,
            };
            (ram, rest)
        }
        _ => (RamInit::Zeros, bytes),
    };
    let frames = bytes.chunks(3).map(|frame| {
        let &[commands, a, b] = frame else { return None };
        Some(FrameInput {
            commands: Commands::from_bits(commands)?,
            pads: [a, b].map(Buttons::from_bits_retain),
        })
    });
    Some((ram, frames.collect::<Option<_>>()?))
}

/// Returns the movie in the file `path`, of a frame at least.
pub(crate) fn read(path: &Path) -> Result<Movie, DesktopError> {
    let bytes = read_file(path)?;
    let movie = Movie::parse(&bytes).map_err(|source| DesktopError::Movie { path: path.into(), source })?;
    if movie.frames.is_empty() { Err(DesktopError::EmptyMovie { path: path.into() }) } else { Ok(movie) }
}

/// Returns the name of the pieces that `movie` was recorded with; none for the game's own.
pub(crate) fn pieces(movie: &Movie) -> Option<&str> {
    movie.comments.iter().find_map(|comment| comment.strip_prefix(PIECES))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(bits: u8) -> FrameInput {
        FrameInput { pads: [Buttons::from_bits_retain(bits), Buttons::empty()], ..FrameInput::default() }
    }

    #[test]
    fn a_recording_is_a_movie_of_all_since_power_on_and_cut_by_going_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.fm2");
        let mut recorder = MovieRecorder::default();
        recorder.ran(held(1));
        let metadata = MovieMetadata {
            title: "game".into(),
            checksum: "base64:x".into(),
            pal: false,
            author: "me".into(),
            pieces: None,
        };
        recorder.record(path.clone(), MovieMetadata { pieces: Some("--randomizer tgm3".into()), ..metadata });
        recorder.ran(held(2));
        recorder.ran(held(3));
        recorder.back(1);
        recorder.ran(held(4));
        assert_eq!(recorder.status().unwrap().frame, 3);
        let (written, outcome) = recorder.stop_recording().unwrap();
        outcome.unwrap();
        let movie = read(&written).unwrap();
        assert_eq!(movie.frames, [held(1), held(2), held(4)]);
        assert_eq!((movie.rom_filename.as_str(), movie.rerecord_count), ("game", 1));
        assert_eq!(movie.rom_checksum, "base64:x");
        assert_eq!(movie.comments, ["author me", "pieces --randomizer tgm3"]);
        assert_eq!(pieces(&movie), Some("--randomizer tgm3"));
        assert!(recorder.stop_recording().is_none());
    }

    #[test]
    fn a_movie_plays_to_its_end_and_can_be_gone_back_in() {
        let mut recorder = MovieRecorder::default();
        let movie = Movie { frames: vec![held(1), held(2)], ..Movie::default() };
        recorder.play("m.fm2".into(), movie);
        assert_eq!((recorder.input(), recorder.input_after(1)), (Some(held(1)), Some(held(2))));
        assert_eq!(recorder.ran(held(1)), None);
        recorder.back(1);
        assert_eq!(recorder.input(), Some(held(1)));
        assert!(!recorder.jump(vec![held(9)], RamInit::Zeros, 1));
        assert!(recorder.jump(vec![held(1)], RamInit::Zeros, 1));
        assert_eq!(recorder.ran(held(2)), Some("m.fm2".into()));
        assert_eq!((recorder.input(), recorder.status()), (None, None));
    }

    #[test]
    fn a_log_survives_as_bytes_and_others_are_refused() {
        let log = [held(0), held(0xFF), FrameInput { commands: Commands::RESET, ..held(3) }];
        for ram in [RamInit::Zeros, RamInit::Stripes, RamInit::Ones, RamInit::Random(0x1234_5678)] {
            assert_eq!(from_bytes(&to_bytes(ram, &log)).unwrap(), (ram, log.to_vec()));
        }
        assert_eq!(from_bytes(&[0, 0]), None);
        assert_eq!(from_bytes(&[9, 0, 0]), None);
    }
}
