//! Recordings of a session that did not come to its end: the next one completes them.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the name of a note begins and ends with; between them is the recording's.
const NAME: (&str, &str) = (".", ".unfinished");

/// Bytes of a note, at most.
const LONGEST: u64 = 4096;

/// Where the system tells of no lock, a recording that nobody has written to for so long was left.
const LEFT_BEHIND: Duration = Duration::from_secs(600);

/// A file beside the place of a recording that names its drafts, for as long as it is recorded.
#[derive(Debug)]
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    /// Notes that the recording `path` is written into `drafts`. Without a note it is recorded all
    /// the same.
    pub(crate) fn note(path: &Path, drafts: &[PathBuf]) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let note = path.with_file_name(format!("{}{name}{}", NAME.0, NAME.1));
        let lines = drafts.iter().filter(|draft| draft.parent() == path.parent());
        let lines = lines.filter_map(|draft| Some(format!("{}\n", draft.file_name()?.to_str()?)));
        let text: String = lines.collect();
        if !text.is_empty() {
            let _ = fs::write(&note, text);
        }
        Self(note)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0); // there may be none
    }
}

/// Completes recordings in `folder` whose program has ended, and gives them their names. Returns in
/// lines what to tell of each.
pub(crate) fn rescue(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter_map(|note| rescue_by(&note)).collect()
}

fn rescue_by(note: &Path) -> Option<String> {
    let name = note.file_name()?.to_str()?.strip_prefix(NAME.0)?.strip_suffix(NAME.1)?;
    let text = String::from_utf8(draft::read_file(note, LONGEST).ok()?).ok()?;
    let named: Vec<_> =
        text.lines().filter(|line| Path::new(line).file_name() == Some(line.as_ref())).collect();
    let drafts: Vec<_> = named.into_iter().map(|line| note.with_file_name(line)).collect();
    let there: Vec<_> = drafts.into_iter().filter(|draft| draft.exists()).collect();
    if !there.iter().all(|draft| draft::is_left(draft, LEFT_BEHIND)) {
        return None; // another window records it, or has just ended
    }
    let _ = fs::remove_file(note); // looked at once
    let place = note.with_file_name(name);
    let outcomes = there.iter().map(|draft| complete(draft, &place));
    let saved: Vec<_> = outcomes.filter_map(Result::ok).map(|path| path.display().to_string()).collect();
    let found = "the last session ended unexpectedly while recording";
    Some(if saved.is_empty() {
        format!("{found} {}; nothing of it could be recovered", place.display())
    } else {
        format!("{found}; recovered: {}", saved.join(", "))
    })
}

/// Completes a draft and gives it the name of the recording, with the ending of what it is.
fn complete(draft: &Path, place: &Path) -> io::Result<PathBuf> {
    let mut file = File::options().read(true).write(true).open(draft)?;
    let mut head = [0; 8];
    file.read_exact(&mut head)?;
    file.seek(SeekFrom::Start(0))?;
    let extension = match &head {
        [b'R', b'I', b'F', b'F', ..] | [b'R', b'F', b'6', b'4', ..] => {
            let length = recording::complete_wave(&mut file, crate::SAMPLE_RATE)?;
            file.set_len(length)?;
            "wav"
        }
        [b'G', b'I', b'F', ..] => {
            let length = recording::complete_gif(&mut file)?;
            file.set_len(length)?;
            "gif"
        }
        // Fragments, of which the last may be cut: players leave it out.
        [.., b'f', b't', b'y', b'p'] => "mp4",
        _ => return Err(io::Error::other("it is not a recording")),
    };
    file.sync_all()?;
    drop(file);
    let names = (1_u32..1000).map(|number| match number {
        1 => place.with_extension(extension),
        _ => place.with_extension(format!("{number}.{extension}")),
    });
    let path = names.into_iter().find(|path| !path.exists()).ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(draft, &path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread;
    use std::time::SystemTime;

    use nes::{Palette, Region};

    use super::*;
    use crate::config::settings::RecordingSettings;
    use crate::messages::command::Recording;
    use crate::record::format::{FileEncoder, RecordedFrame};
    use crate::record::gif::GifFile;
    use crate::record::video::VideoFile;
    use crate::record::wave::WaveFile;
    use crate::video::presented_frame::PresentedFrame;

    /// Records a second, and copies what a killed program would leave into another folder, cut by
    /// so many bytes.
    fn left(recording: Recording, name: &str, cut: u64) -> tempfile::TempDir {
        let [folder, left] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let path = folder.path().join(name);
        let mut encoder: Box<dyn FileEncoder> = match recording {
            Recording::Gif => Box::new(GifFile::begin(&path, &Palette::ntsc(), Region::Ntsc).unwrap()),
            _ => Box::new(WaveFile::begin(&path).unwrap()),
        };
        let unfinished = Unfinished::note(&path, &encoder.drafts());
        let mut presented = PresentedFrame::default();
        for frame in 0..60 {
            presented.dots[frame * 300] = 0x30;
            encoder.add(&RecordedFrame { presented: presented.clone(), sound: vec![0.5; 800] }).unwrap();
        }
        for entry in folder.path().read_dir().unwrap().flatten() {
            let copy = left.path().join(entry.file_name());
            fs::copy(entry.path(), &copy).unwrap();
            let file = File::options().write(true).open(&copy).unwrap();
            if !copy.to_string_lossy().ends_with(NAME.1) {
                file.set_len(file.metadata().unwrap().len() - cut).unwrap();
            }
            file.set_modified(SystemTime::now() - LEFT_BEHIND).unwrap();
        }
        assert_eq!(left.path().read_dir().unwrap().count(), 2, "a draft and a note");
        encoder.finish().unwrap();
        drop(unfinished);
        assert_eq!(folder.path().read_dir().unwrap().count(), 1, "the note is gone with the end");
        left
    }

    #[test]
    fn sound_of_a_session_without_an_end_is_a_file_that_can_be_played() {
        let folder = left(Recording::Wave, "a.wav", 1);
        let told = rescue(folder.path());
        assert!(told.len() == 1 && told[0].contains("a.wav"), "{told:?}");
        let mut reader = hound::WavReader::open(folder.path().join("a.wav")).unwrap();
        let samples: Vec<i16> = reader.samples().map(Result::unwrap).collect();
        // All but what waits for a full buffer: 8 KiB.
        assert!(samples.len() > 60 * 800 - 4100 && samples.iter().all(|&sample| sample == 16384));
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
        assert!(rescue(folder.path()).is_empty(), "once is enough");
    }

    #[test]
    fn pictures_of_a_session_without_an_end_are_there_up_to_the_last_whole_one() {
        let pictures = |cut| {
            let folder = left(Recording::Gif, "a.gif", cut);
            assert_eq!(rescue(folder.path()).len(), 1);
            let file = File::open(folder.path().join("a.gif")).unwrap();
            let mut decoder = ::gif::DecodeOptions::new().read_info(file).unwrap();
            let mut count = 0;
            while decoder.read_next_frame().unwrap().is_some() {
                count += 1;
            }
            count
        };
        let all = pictures(0);
        assert!(all >= 28, "{all}");
        assert_eq!(pictures(3), all - 1, "one is cut");
    }

    /// The system ends the encoder with the program, as at the end of a session.
    #[test]
    #[ignore = "needs ffmpeg: cargo xtask test --window"]
    fn a_video_of_a_session_without_an_end_lacks_two_seconds_at_most() {
        const FRAMES: usize = 600;
        /// Fragments that a whole recording of that length has, without the last.
        const FRAGMENTS: usize = FRAMES / 120 - 1;
        let [folder, left] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let path = folder.path().join("a.mp4");
        let settings = RecordingSettings::default();
        let mut video = VideoFile::begin(&path, &settings, &Palette::ntsc(), Region::Ntsc).unwrap();
        let _unfinished = Unfinished::note(&path, &video.drafts());
        let mut presented = PresentedFrame::default();
        for frame in 0..FRAMES {
            presented.dots[frame * 90] = 0x30;
            video.add(&RecordedFrame { presented: presented.clone(), sound: vec![0.5; 800] }).unwrap();
        }
        let picture = video.drafts().remove(0);
        let fragments = || {
            let bytes = fs::read(&picture).unwrap();
            bytes.windows(4).filter(|name| name == b"moof").count()
        };
        // As long as the encoder may take on a busy machine.
        for _ in 0..6_000 {
            if fragments() >= FRAGMENTS {
                break;
            }
            thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(fragments(), FRAGMENTS);
        for entry in folder.path().read_dir().unwrap().flatten() {
            let copy = left.path().join(entry.file_name());
            fs::copy(entry.path(), &copy).unwrap();
            let file = File::options().write(true).open(&copy).unwrap();
            file.set_modified(SystemTime::now() - LEFT_BEHIND).unwrap();
        }
        video.kill_handle().unwrap().kill();
        let told = rescue(left.path());
        assert!(told.len() == 1 && told[0].contains("a.mp4") && told[0].contains("a.wav"), "{told:?}");
        let probe = Command::new("ffprobe")
            .args(["-v", "error", "-count_frames", "-of", "default=nk=1:nw=1"])
            .args(["-show_entries", "stream=nb_read_frames"])
            .arg(left.path().join("a.mp4"))
            .output()
            .unwrap();
        let frames: usize = String::from_utf8_lossy(&probe.stdout).trim().parse().unwrap();
        assert!(frames >= FRAMES - 120, "{frames}");
        let reader = hound::WavReader::open(left.path().join("a.wav")).unwrap();
        assert!(reader.duration() as usize > FRAMES * 800 - 4100);
    }

    #[test]
    fn what_another_program_records_is_left_alone_and_no_other_file_is_touched() {
        let folder = left(Recording::Wave, "a.wav", 0);
        let find = |end: fn(&str) -> bool| {
            let names = folder.path().read_dir().unwrap().flatten().map(|entry| entry.path());
            names.into_iter().find(|path| end(&path.to_string_lossy())).unwrap()
        };
        let draft = find(|name| !name.ends_with(".unfinished"));
        let note = find(|name| name.ends_with(".unfinished"));
        // It has just been written to, and its program holds it.
        let file = File::options().write(true).open(&draft).unwrap();
        file.set_modified(SystemTime::now()).unwrap();
        assert!(rescue(folder.path()).is_empty() && note.exists());
        // A note that names other files renames none.
        let other = folder.path().join("other.txt");
        fs::write(&other, "RIFF and more").unwrap();
        for text in ["other.txt\n", "../other.txt\n", "/etc/hostname\n"] {
            fs::write(&note, text).unwrap();
            rescue(folder.path());
            assert_eq!(fs::read_to_string(&other).unwrap(), "RIFF and more");
        }
    }
}
