//! The files of movies: the one that plays and the one that is recorded.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use draft::Draft;
use emulator::{MovieProgress, MovieRecorder};
use nes::fm2::Movie;

use crate::DesktopError;
use crate::messages::status::MovieStatus;
use crate::options::read_file;

/// A recording is extended this often, in frames: half a second, which is all that is lost with the
/// process.
const EXTENDED_EVERY: u32 = 30;

/// It is written as a whole, and waits for the disk, this often: a minute, which is all that is
/// lost with the power.
const SAVED_EVERY: u32 = 3600;

/// Which files the emulator's movies are.
#[derive(Debug, Default)]
pub(crate) struct MovieFiles {
    /// The file of the movie that plays or was played last.
    pub(crate) playing: Option<PathBuf>,
    /// The file of the movie that is being recorded.
    recording: Option<PathBuf>,
    /// What that has by now.
    written: Option<Written>,
    /// Frames since the recording began.
    frames: u32,
    /// Whether it was said that the file cannot be written.
    complained: bool,
}

/// What a movie's file has.
#[derive(Debug)]
struct Written {
    frames: usize,
    /// How often the movie had gone back.
    rerecords: u64,
    /// The file's length in bytes.
    length: u64,
}

impl MovieFiles {
    /// The movie that is being recorded from now on goes into the file `path`.
    pub(crate) fn record(&mut self, path: PathBuf) {
        *self = Self { playing: self.playing.take(), recording: Some(path), ..Self::default() };
    }

    /// A frame is over: writes what the recording has more, if it is time to. The first time that
    /// this fails is told.
    pub(crate) fn autosave(&mut self, movie: &MovieRecorder) -> io::Result<()> {
        let Some(path) = self.recording.clone() else { return Ok(()) };
        self.frames += 1;
        if !self.frames.is_multiple_of(EXTENDED_EVERY) {
            return Ok(());
        }
        let outcome = if !self.frames.is_multiple_of(SAVED_EVERY) && self.extend(&path, movie).is_some() {
            Ok(())
        } else {
            self.save(&path, movie)
        };
        let news = !self.complained;
        self.complained = outcome.is_err();
        if news { outcome } else { Ok(()) }
    }

    /// Appends the frames that are new. None where the file has to be written anew: it is not there
    /// or not as it was left, the movie went back, or a line changes that is written already.
    fn extend(&mut self, path: &Path, movie: &MovieRecorder) -> Option<()> {
        let (written, (frames, rerecords)) = (self.written.as_mut()?, movie.recorded_frames()?);
        let new = frames.get(written.frames..).filter(|_| written.rerecords == rerecords)?;
        // A reset is on the line before.
        if new.iter().any(|frame| !frame.commands.is_empty()) {
            return None;
        }
        let mut text = String::new();
        new.iter().try_for_each(|frame| writeln!(text, "{frame}")).ok()?;
        let there = fs::metadata(path).ok()?;
        if !there.is_file() || there.len() != written.length {
            return None;
        }
        File::options().append(true).open(path).ok()?.write_all(text.as_bytes()).ok()?;
        written.frames += new.len();
        written.length += text.len() as u64;
        Some(())
    }

    fn save(&mut self, path: &Path, movie: &MovieRecorder) -> io::Result<()> {
        self.written = None;
        let Some((recorded, (frames, rerecords))) = movie.recorded().zip(movie.recorded_frames()) else {
            return Ok(());
        };
        write(path, &recorded)?;
        let length = fs::metadata(path).map_or(0, |file| file.len());
        // The line of the first frame is another before the second is known.
        self.written = (frames.len() > 1).then_some(Written { frames: frames.len(), rerecords, length });
        Ok(())
    }

    /// Ends the recording. Returns its file and whether it could be written; `None` when there was
    /// none.
    pub(crate) fn stop_recording(&mut self, movie: &mut MovieRecorder) -> Option<(PathBuf, io::Result<()>)> {
        self.written = None;
        let (path, movie) = self.recording.take().zip(movie.stop_recording())?;
        let written = write(&path, &movie);
        Some((path, written))
    }

    /// Returns which movie plays or is recorded.
    pub(crate) fn status(&self, movie: &MovieRecorder) -> Option<MovieStatus> {
        let MovieProgress { frame, length } = movie.progress()?;
        let path = if length.is_some() { &self.playing } else { &self.recording };
        Some(MovieStatus { path: path.clone()?, frame, length })
    }
}

fn write(path: &Path, movie: &Movie) -> io::Result<()> {
    Ok(Draft::write_by(path, |file| write!(file, "{movie}"))?)
}

/// Returns the movie in the file `path`, of a frame at least.
pub(crate) fn read(path: &Path) -> Result<Movie, DesktopError> {
    let bytes = read_file(path)?;
    let movie = movies::read(&bytes).map_err(|source| DesktopError::Movie { path: path.into(), source })?;
    if movie.frames.is_empty() { Err(DesktopError::EmptyMovie { path: path.into() }) } else { Ok(movie) }
}

#[cfg(test)]
mod tests {
    use emulator::MovieMetadata;
    use nes::Buttons;
    use nes::fm2::{Commands, FrameInput, RamInit};

    use super::*;

    fn held(bits: u8) -> FrameInput {
        FrameInput { pads: [Buttons::from_bits_retain(bits), Buttons::empty()], ..FrameInput::default() }
    }

    /// The program may be killed in any frame.
    #[test]
    fn a_recording_lacks_half_a_second_at_most_and_is_a_movie_at_any_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("movie.fm2");
        let (mut files, mut recorder) = (MovieFiles::default(), MovieRecorder::default());
        recorder.record(MovieMetadata::default());
        files.record(path.clone());
        let mut replaced = 0;
        for frame in 0..2000_u32 {
            match frame {
                777 => {
                    recorder.back(100);
                }
                1100 => assert!(recorder.jump(vec![held(3); 5], RamInit::Zeros, 5)),
                _ => {}
            }
            // A reset, two in a row, and one with which a part begins.
            let commands = match frame {
                400 | 500 | 501 | 600 => Commands::RESET,
                _ => Commands::default(),
            };
            recorder.ran(FrameInput { commands, ..held(frame as u8 & 0x3F) });
            let before = files.written.as_ref().map(|written| written.frames);
            files.autosave(&recorder).unwrap();
            if frame + 1 >= EXTENDED_EVERY {
                let movie = read(&path).unwrap();
                let (frames, _) = recorder.recorded_frames().unwrap();
                if (frame + 1).is_multiple_of(EXTENDED_EVERY) {
                    assert_eq!(movie.frames, frames, "{frame}");
                    replaced += u32::from(before.is_none_or(|before| before > frames.len()));
                }
            }
        }
        assert!(replaced < 5, "most of it is appended: {replaced}");
        let (stopped, outcome) = files.stop_recording(&mut recorder).unwrap();
        outcome.unwrap();
        assert_eq!((stopped, read(&path).unwrap().rerecord_count), (path, 2));
    }

    #[test]
    fn a_movie_of_bizhawks_is_the_same_movie() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.bk2");
        let movie = Movie { frames: vec![held(1), held(2)], ..Movie::default() };
        fs::write(&path, movies::write(movies::Kind::Bk2, &movie).unwrap()).unwrap();
        assert_eq!(read(&path).unwrap().frames, movie.frames);
        let none = Movie::default();
        fs::write(&path, movies::write(movies::Kind::Bk2, &none).unwrap()).unwrap();
        assert!(matches!(read(&path), Err(DesktopError::EmptyMovie { .. })));
    }

    #[test]
    fn a_file_that_another_program_changed_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("movie.fm2");
        let (mut files, mut recorder) = (MovieFiles::default(), MovieRecorder::default());
        recorder.record(MovieMetadata::default());
        files.record(path.clone());
        for part in 0..4 {
            for _ in 0..EXTENDED_EVERY {
                recorder.ran(held(part));
                files.autosave(&recorder).unwrap();
            }
            assert_eq!(read(&path).unwrap().frames.len(), recorder.frame() as usize, "{part}");
            match part {
                1 => fs::remove_file(&path).unwrap(),
                2 => fs::write(&path, "|0|half a li").unwrap(),
                _ => {}
            }
        }
    }
}
