//! Picture and sound as MP4, made by ffmpeg: the picture goes through a pipe as it comes, the sound
//! into a file, and in the end both are put together without encoding the picture again.

use std::ffi::OsStr;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};

use draft::Draft;
use nes::{Palette, Region};

use crate::config::settings::RecordingSettings;
use crate::record::encoder::{Encoder, KillHandle};
use crate::record::format::{FileEncoder, RecordedFrame};
use crate::record::wave::WaveFile;

/// Frames a second, exactly, and the fractions of a second in which the file counts: a frame is a
/// whole number of them.
fn rate(region: Region) -> (&'static str, &'static str) {
    match region {
        Region::Ntsc => ("39375000/655171", "39375000"),
        Region::Pal => ("26601712/531960", "26601712"),
    }
}

/// Width of a pixel to its height on a television (NESdev: Overscan): the dots of PAL are slower,
/// and its lines more.
fn aspect(region: Region) -> &'static str {
    match region {
        Region::Ntsc => "8/7",
        Region::Pal => "18/13",
    }
}

/// An MP4 file being made.
pub(crate) struct VideoFile {
    ffmpeg: String,
    timescale: &'static str,
    palette: Palette,
    encoder: Encoder,
    pipe: BufWriter<ChildStdin>,
    picture: Draft,
    sound: WaveFile,
    path: PathBuf,
}

impl VideoFile {
    pub(crate) fn begin(
        path: &Path,
        settings: &RecordingSettings,
        palette: &Palette,
        region: Region,
    ) -> io::Result<Self> {
        let (rate, timescale) = rate(region);
        let (picture, sound) = (Draft::new(path)?, WaveFile::begin(path)?);
        let scale = u32::from(settings.scale.clamp(1, 8));
        let size = format!("{}x{}", crate::PICTURE_WIDTH, crate::PICTURE_HEIGHT);
        // A television's pixel is 8/7 as wide as it is high (NESdev: Overscan).
        let shape = format!("scale=iw*{scale}:ih*{scale}:flags=neighbor,setsar={}", aspect(region));
        let mut command = Command::new(&settings.ffmpeg);
        quiet(&mut command);
        command.args(["-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", &size, "-framerate", rate]);
        command.args(["-i", "pipe:0", "-vf", &shape, "-c:v", "libx264", "-preset", "veryfast", "-crf", "16"]);
        command.args(["-pix_fmt", "yuv420p", "-video_track_timescale", timescale, "-f", "mp4"]);
        // In fragments, each of which can be played whatever becomes of the rest; of two seconds.
        // A still picture has small ones, which would wait in a buffer.
        // The head comes with the first, so that it says when the first picture is shown: without
        // that the last one is lost when the sound is added.
        command.args(["-g", "120", "-movflags", "frag_keyframe+delay_moov+default_base_moof"]);
        command.args(["-flush_packets", "1"]);
        command.arg(picture.beside()).stdin(Stdio::piped());
        let mut encoder = command.spawn().map_err(|error| missing(&settings.ffmpeg, error))?;
        let pipe = encoder.stdin.take().ok_or_else(|| io::Error::other("ffmpeg accepts no pictures"))?;
        let (ffmpeg, palette, path) = (settings.ffmpeg.clone(), palette.clone(), path.to_owned());
        let encoder = Encoder::new(encoder, picture.beside());
        let pipe = BufWriter::with_capacity(1 << 18, pipe);
        Ok(Self { ffmpeg, timescale, palette, encoder, pipe, picture, sound, path })
    }
}

/// Overwrite what is there, the draft; say nothing but errors.
fn quiet(command: &mut Command) {
    command.args(["-y", "-nostdin", "-loglevel", "error"]).stdout(Stdio::null()).stderr(Stdio::piped());
}

/// How this system comes by ffmpeg.
const INSTALL: &str = if cfg!(target_os = "linux") {
    "install ffmpeg (Debian: apt-get install ffmpeg)"
} else if cfg!(windows) {
    "install ffmpeg (winget install ffmpeg)"
} else if cfg!(target_os = "macos") {
    "install ffmpeg (brew install ffmpeg)"
} else {
    "install ffmpeg"
};

fn missing(ffmpeg: &str, error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound => {
            io::Error::other(format!("{ffmpeg} was not found; {INSTALL}, or record a GIF"))
        }
        _ => error,
    }
}

impl FileEncoder for VideoFile {
    fn add(&mut self, frame: &RecordedFrame) -> io::Result<()> {
        let written = self.pipe.write_all(frame.presented.rgb(&self.palette).as_flattened());
        match written {
            // It says why by its last words.
            Err(error) => self.encoder.wait().and(Err(error)),
            Ok(()) => self.sound.add(frame),
        }
    }

    fn drafts(&self) -> Vec<PathBuf> {
        [self.picture.beside().to_owned()].into_iter().chain(self.sound.drafts()).collect()
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let Self { ffmpeg, timescale, mut encoder, mut pipe, picture, sound, path, .. } = *self;
        let flushed = pipe.flush();
        drop(pipe);
        encoder.wait()?;
        flushed?;
        let (sound, whole) = (sound.into_draft()?, Draft::new(&path)?);
        let mut command = Command::new(ffmpeg);
        quiet(&mut command);
        let input =
            [OsStr::new("-i"), picture.beside().as_os_str(), OsStr::new("-i"), sound.beside().as_os_str()];
        command.args(input).args(["-c:v", "copy", "-c:a", "aac", "-b:a", "192k", "-movflags", "+faststart"]);
        command
            .args(["-video_track_timescale", timescale, "-f", "mp4"])
            .arg(whole.beside())
            .stdin(Stdio::null());
        encoder.go_on_as(command.spawn()?, whole.beside());
        encoder.wait()?;
        Ok(whole.finish()?)
    }

    fn kill_handle(&self) -> Option<KillHandle> {
        Some(self.encoder.kill_handle())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::video::presented_frame::PresentedFrame;

    #[test]
    fn without_ffmpeg_it_says_what_to_do_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let settings = RecordingSettings { ffmpeg: "no-such-ffmpeg".into(), ..RecordingSettings::default() };
        let error = VideoFile::begin(&folder.path().join("a.mp4"), &settings, &Palette::ntsc(), Region::Ntsc)
            .err()
            .unwrap();
        assert!(error.to_string().contains("install ffmpeg"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    #[cfg(unix)]
    fn an_encoder_that_neither_takes_pictures_nor_ends_is_ended_and_named() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (program, path) = (folder.path().join("ffmpeg"), folder.path().join("a.mp4"));
        std::fs::write(&program, "#!/bin/sh\nexec sleep 600\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let ffmpeg = program.to_str().unwrap().to_owned();
        let settings = RecordingSettings { ffmpeg, ..RecordingSettings::default() };
        let begin = || VideoFile::begin(&path, &settings, &Palette::ntsc(), Region::Ntsc).unwrap();
        // It ends when nothing has come of it for a while,
        let mut file = begin();
        file.encoder.timeout(std::time::Duration::from_millis(50));
        let error = Box::new(file).finish().unwrap_err().to_string();
        assert!(error.contains("ffmpeg wrote nothing for 0.05 seconds, and was stopped"), "{error}");
        // and when the recording is given up, while a picture is on its way into a pipe that nobody
        // reads.
        let mut file = begin();
        let kill_handle = file.kill_handle().unwrap();
        let adds = std::thread::spawn(move || {
            while file.add(&RecordedFrame { presented: PresentedFrame::default(), sound: Vec::new() }).is_ok()
            {
            }
        });
        kill_handle.kill();
        adds.join().unwrap();
        std::fs::remove_file(&program).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    #[ignore = "needs ffmpeg: cargo xtask test --window"]
    fn ffmpeg_finds_every_frame_at_exactly_the_consoles_rate() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mp4");
        let mut file = Box::new(
            VideoFile::begin(&path, &RecordingSettings::default(), &Palette::ntsc(), Region::Ntsc).unwrap(),
        );
        for frame in 0..300_u16 {
            let mut presented = PresentedFrame::default();
            presented.dots.fill(frame % 64);
            let sound = (0..799_u16).map(|n| (f32::from(n) * 0.05).sin() * 0.5).collect();
            file.add(&RecordedFrame { presented, sound }).unwrap();
        }
        file.finish().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let entries =
            "stream=codec_name,width,height,sample_aspect_ratio,r_frame_rate,nb_read_frames,duration_ts";
        let probe = Command::new("ffprobe")
            .args(["-v", "error", "-count_frames", "-of", "compact=p=0:nk=1", "-show_entries", entries])
            .arg(&path)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&probe.stdout).into_owned();
        // ffmpeg rounds the end of the last frame down at times.
        let fits = |duration| text.contains(&format!("h264|768|720|8:7|39375000/655171|{duration}|300"));
        assert!(fits(300 * 655_171) || fits(300 * 655_171 - 1), "{text}");
        assert!(text.contains("aac"), "{text}");
    }
}
