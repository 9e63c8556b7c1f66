//! Movies: what was held since power-on, recorded, played, and both at once.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use draft::Draft;
use nes::Buttons;
use nes::controller::fm2::{Commands, FrameInput, Movie};

use crate::DesktopError;
use crate::debugger::Way;
use crate::messages::status::MovieStatus;

/// A recording is written this often, in frames, so that little is lost with the power.
const SAVED_EVERY: usize = 3600;

/// Begins the comment that names the pieces.
const PIECES: &str = "pieces ";

/// Everything held since power-on, which goes along with the state: it is cut by a rewind and
/// exchanged by a loaded state, so a movie can be recorded from any of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct MovieRecorder {
    log: Vec<FrameInput>,
    /// The state did not come about by the log alone.
    diverged: bool,
    recording: Option<MovieRecording>,
    playing: Option<(PathBuf, Movie)>,
}

/// What a recording says of itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct MovieMetadata {
    pub(crate) title: String,
    /// As in the file, `base64:` and all.
    pub(crate) checksum: String,
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
    rerecords: u64,
}

impl MovieRecorder {
    /// Returns the frame that comes next, counted from power-on.
    pub(crate) fn frame(&self) -> u64 {
        self.log.len() as u64
    }

    /// Returns everything so far; nothing where that does not lead to the state.
    pub(crate) fn log(&self) -> &[FrameInput] {
        if self.diverged { &[] } else { &self.log }
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

    /// The last frame was taken back.
    pub(crate) fn back(&mut self) {
        self.log.pop();
        self.rerecord();
    }

    /// Goes to a state that came about by `log`; a movie that plays goes on from there. Returns
    /// false, and does nothing, when that state does not come in the movie.
    pub(crate) fn jump(&mut self, log: Vec<FrameInput>, frame: u64) -> bool {
        let diverged = log.is_empty() && frame > 0;
        let fits = self.playing.as_ref().is_none_or(|(_, movie)| !diverged && movie.frames.starts_with(&log));
        if fits {
            self.diverged = diverged;
            self.log = log;
            self.rerecord();
        }
        fits
    }

    /// Returns the log to a state that the debugger leaves: empty if it came about by more than
    /// buttons. A movie that has gone another way plays no longer.
    pub(crate) fn log_along(&mut self, way: &Way) -> Vec<FrameInput> {
        let kept = usize::try_from(way.back).ok().and_then(|back| self.log.len().checked_sub(back));
        let log = match kept {
            Some(kept) if way.faithful && !self.diverged => [&self.log[..kept], &way.held].concat(),
            _ => vec![],
        };
        let goes_on = |(_, movie): &(PathBuf, Movie)| {
            !log.is_empty() && log.len() < movie.frames.len() && movie.frames.starts_with(&log)
        };
        self.playing = self.playing.take().filter(goes_on);
        log
    }

    /// Returns the movie that plays, if it has the console's frames by their number.
    pub(crate) fn playing(&self, frame: u64) -> Option<&Movie> {
        self.playing.as_ref().map(|(_, movie)| movie).filter(|_| self.frame() == frame)
    }

    /// A script changed the state by more than buttons: the log no longer leads to it. A movie that
    /// plays goes on.
    pub(crate) fn mark_diverged(&mut self) {
        self.diverged = true;
    }

    /// Returns whether the log does not lead to the state.
    pub(crate) fn has_diverged(&self) -> bool {
        self.diverged
    }

    /// The power was turned off and on outside of any movie, or the cartridge changed: everything
    /// begins anew.
    pub(crate) fn restart(&mut self) {
        self.log.clear();
        self.diverged = false;
        self.playing = None;
    }

    fn rerecord(&mut self) {
        if let Some(recording) = &mut self.recording {
            recording.rerecords += 1;
        }
    }

    pub(crate) fn record(&mut self, path: PathBuf, metadata: MovieMetadata) {
        let rerecords = self.playing.take().map_or(0, |(_, movie)| movie.rerecord_count);
        self.recording = Some(MovieRecording { path, metadata, rerecords });
    }

    pub(crate) fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Writes the recording so far, if it is time to.
    pub(crate) fn autosave(&self) -> io::Result<()> {
        match &self.recording {
            Some(recording) if self.log.len().is_multiple_of(SAVED_EVERY) => recording.write(&self.log),
            _ => Ok(()),
        }
    }

    /// Ends the recording. Returns its file and how that went; `None` when there was none.
    pub(crate) fn stop_recording(&mut self) -> Option<(PathBuf, io::Result<()>)> {
        let recording = self.recording.take()?;
        let written = recording.write(&self.log);
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
    fn write(&self, log: &[FrameInput]) -> io::Result<()> {
        let Self { path, metadata: MovieMetadata { title, checksum, author, pieces }, rerecords } = self;
        let author = (!author.is_empty()).then(|| format!("author {author}"));
        let pieces = pieces.as_ref().map(|pieces| format!("{PIECES}{pieces}"));
        let movie = Movie {
            rom_filename: title.clone(),
            rom_checksum: checksum.clone(),
            rerecord_count: *rerecords,
            comments: author.into_iter().chain(pieces).collect(),
            frames: log.to_vec(),
            ..Movie::default()
        };
        Ok(Draft::write_by(path, |file| write!(file, "{movie}"))?)
    }
}

/// Returns a log as bytes: commands, first pad, second pad of each frame.
pub(crate) fn to_bytes(log: &[FrameInput]) -> Vec<u8> {
    log.iter()
        .flat_map(|&FrameInput { commands, pads: [a, b] }| [commands.bits(), a.bits(), b.bits()])
        .collect()
}

/// Returns the log in `bytes`; `None` where they are none.
pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Vec<FrameInput>> {
    let frames = bytes.chunks(3).map(|frame| {
        let &[commands, a, b] = frame else { return None };
        Some(FrameInput {
            commands: Commands::from_bits(commands)?,
            pads: [a, b].map(Buttons::from_bits_retain),
        })
    });
    frames.collect()
}

/// Returns the movie in the file `path`, of a frame at least.
pub(crate) fn read(path: &Path) -> Result<Movie, DesktopError> {
    let bytes = std::fs::read(path).map_err(|source| DesktopError::Read { path: path.into(), source })?;
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
            author: "me".into(),
            pieces: None,
        };
        recorder.record(path.clone(), MovieMetadata { pieces: Some("--randomizer tgm3".into()), ..metadata });
        recorder.ran(held(2));
        recorder.ran(held(3));
        recorder.back();
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
        recorder.back();
        assert_eq!(recorder.input(), Some(held(1)));
        assert!(!recorder.jump(vec![held(9)], 1));
        assert!(recorder.jump(vec![held(1)], 1));
        assert_eq!(recorder.ran(held(2)), Some("m.fm2".into()));
        assert_eq!((recorder.input(), recorder.status()), (None, None));
    }

    #[test]
    fn a_log_survives_as_bytes_and_others_are_refused() {
        let log = [held(0), held(0xFF), FrameInput { commands: Commands::RESET, ..held(3) }];
        assert_eq!(from_bytes(&to_bytes(&log)).unwrap(), log);
        assert_eq!(from_bytes(&[0, 0]), None);
        assert_eq!(from_bytes(&[9, 0, 0]), None);
    }
}
