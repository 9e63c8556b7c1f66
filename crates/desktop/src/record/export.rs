//! A kept game as a file of pictures: a GIF or a video.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nes::{Cartridge, Config, Palette};
use nes_lua::Overlay;
use practice::{Kept, Replay, ReplayError};
use tetris::Profile;
use thiserror::Error;

use crate::SAMPLE_RATE;
use crate::config::settings::RecordingSettings;
use crate::messages::command::Recording;
use crate::record::recorder::{RecordError, Recorder};

/// Why a kept game is not written as pictures.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The name of the file has another ending.
    #[error("expected .gif or .mp4, found {}", .0.display())]
    Kind(PathBuf),
    /// The game cannot be played on this cartridge.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The file cannot be made.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Plays `game` again on the cartridge that it was played on, unseen, and writes what it shows from
/// its first piece on to `path`: a GIF, or a video made by ffmpeg, by the ending of the name. What
/// the mode draws over the picture is in it. The file ends early once `stop` is set. Returns how
/// many frames it shows.
///
/// # Errors
/// [`ExportError`] where there is no such file.
pub fn export_game(
    game: &Kept,
    cartridge: Cartridge,
    profile: Profile,
    path: &Path,
    stop: &AtomicBool,
) -> Result<u64, ExportError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let recording = [Recording::Gif, Recording::Video].into_iter().find(|kind| kind.extension() == ending);
    let recording = recording.ok_or_else(|| ExportError::Kind(path.into()))?;
    export(game, (cartridge, profile), (recording, path), &RecordingSettings::default(), stop)
}

/// The same with the player's settings.
pub(crate) fn export(
    game: &Kept,
    (cartridge, profile): (Cartridge, Profile),
    (recording, path): (Recording, &Path),
    settings: &RecordingSettings,
    stop: &AtomicBool,
) -> Result<u64, ExportError> {
    let config = Config { sample_rate: Some(SAMPLE_RATE), ..Config::default() };
    let region = cartridge.info().region;
    let replay = Replay::new(game, cartridge, profile, config);
    let mut replay = replay?;
    let mut file = Recorder::begin(recording, path.to_owned(), settings, &Palette::ntsc(), region)?;
    let mut frames = 0;
    while file.is_open() && replay.step()?.is_some() {
        if frames > 0 && stop.load(Ordering::Relaxed) {
            break;
        }
        if replay.session().is_playing() {
            frames += 1;
            let mut overlay = Overlay::default();
            for rectangle in replay.session().overlay().iter().filter_map(practice::rectangle) {
                let practice::Rectangle { left, top, width, height, colour: [red, green, blue] } = rectangle;
                overlay.fill([left, top, width, height], [red, green, blue, 0xFF]);
            }
            let console = replay.console();
            if overlay.drawn() {
                file.take_with(console.picture().pixels(), &Arc::new(overlay), console.samples());
            } else {
                file.take(console.picture().pixels(), console.samples());
            }
        }
        replay.console_mut().clear_samples();
    }
    file.outcome()?;
    Ok(frames)
}

#[cfg(test)]
mod tests {
    use nes::Buttons;
    use practice::{Header, Options, Recorder as GameRecorder, Session};

    use super::*;

    #[test]
    fn a_kept_game_becomes_a_gif_that_begins_with_its_first_piece_on_both_cartridges() {
        let folder = tempfile::tempdir().unwrap();
        for image in [
            include_bytes!("../../../../roms/maxout.nes").as_slice(),
            include_bytes!("../../../../roms/maxout-slow.nes"),
        ] {
            let cartridge = Cartridge::from_bytes(image).unwrap();
            let (mode, options) = ("invisible".parse().unwrap(), Options::default());
            let mut session = Session::of_image(image, mode, options).unwrap();
            let mut console = nes::Console::new(cartridge.clone(), Config::default());
            let crc32 = cartridge.crc32();
            let header =
                Header { mode, options, cartridge: "it".into(), crc32, begun: 0, pieces: None, score: None };
            let (mut recorder, mut bytes) = GameRecorder::new(&header);
            for held in practice::begin(&mut console, &mut session, 0).unwrap() {
                bytes.extend(recorder.push([held, Buttons::empty()]).unwrap_or_default());
            }
            for _ in 0..100 {
                bytes.extend(recorder.push([Buttons::DOWN, Buttons::empty()]).unwrap_or_default());
            }
            bytes.extend(recorder.end(&[]));
            let game = Kept::read(&bytes).unwrap();
            let profile = session.profile().clone();
            let path = folder.path().join("game.gif");
            let go = AtomicBool::new(false);
            let frames = export_game(&game, cartridge.clone(), profile.clone(), &path, &go).unwrap();
            assert_eq!(frames, 101, "the frame with the first piece, and those after it");
            let mut decoder =
                gif::DecodeOptions::new().read_info(std::fs::File::open(&path).unwrap()).unwrap();
            let mut hundredths = 0;
            while let Some(frame) = decoder.next_frame_info().unwrap() {
                hundredths += u64::from(frame.delay);
            }
            assert_eq!(hundredths, 168, "101 frames are 1.68 s");
            let stop = AtomicBool::new(true);
            let frames = export_game(&game, cartridge.clone(), profile.clone(), &path, &stop);
            assert_eq!(frames.unwrap(), 1);
            let error = export_game(&game, cartridge, profile, &folder.path().join("a.avi"), &go)
                .unwrap_err()
                .to_string();
            assert!(error.contains(".gif or .mp4"), "{error}");
        }
    }
}
