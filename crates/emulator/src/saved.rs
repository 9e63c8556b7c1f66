//! Saved states as files, the same for all front ends.
//!
//! The file is a PNG of the picture, which any file browser shows, with the state in chunks of its
//! own that other programs pass over (PNG specification: ancillary, private, unsafe to copy).
//!
//! ```text
//! mxST  0  version, u8
//!       1  when it was saved, seconds since 1970, u64; 0 where that is not known
//!       9  frames since power-on, u64
//!      17  length of the state, u32, and the console's state
//!       …  what was held since power-on, three bytes a frame, deflated
//! mxPR     of a game with a session: mode and options, a line each, and what the session
//!          remembers; a "~" before the mode of a session that only looks on
//! mxPC     the pieces of a practice game, as they were asked for
//! ```
//! Numbers are big-endian, as in the rest of a PNG.
//!
//! Two older files are read as well: the state of a console alone (`MXST`), and the page's of
//! version 1.0.0 (`MXWEB`): three parts, each a length u32, little-endian, and so many bytes: mode,
//! options and pieces, a line each; what the session remembered; the console's state.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use nes::fm2::{FrameInput, RamInit};
use nes::{Frame, Palette};
use png::{BitDepth, ColorType, Decoder, Encoder};
use practice::{Kind, Mode, Options};
use thiserror::Error;

use crate::movie::{log_bytes, log_from_bytes};

const STATE: [u8; 4] = *b"mxST";
const PRACTICE: [u8; 4] = *b"mxPR";
const PIECES: [u8; 4] = *b"mxPC";
const VERSION: u8 = 1;
const HEAD: usize = 21;
const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A];
const CONSOLE: &[u8] = b"MXST";
const WEB: &[u8] = b"MXWEB\x01";

/// Stands before the mode of a session that only looks on.
const WATCHES: &str = "~";

/// Bytes of ten days of buttons.
const LOG_MOST: u64 = 3 * 52_000_000;

/// Bytes of a picture: red, green and blue of each pixel.
const PICTURE: usize = 3 * Frame::WIDTH * Frame::HEIGHT;

/// A moment of a game, and what led to it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SavedState {
    /// The console's state.
    pub console: Vec<u8>,
    /// What was held since power-on; nothing where that does not lead to the state.
    pub log: Vec<FrameInput>,
    /// What RAM held at the beginning of the log.
    pub ram: RamInit,
    /// Frames since power-on.
    pub frame: u64,
    /// When it was saved, in seconds since 1970; 0 where that is not known.
    pub seconds: u64,
    /// The session that belongs to it.
    pub practice: Option<SavedPractice>,
}

/// A session in a saved state.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedPractice {
    /// The practice mode.
    pub mode: Mode,
    /// Its options.
    pub options: Options,
    /// The pieces, as they were asked for; `None` for those of the game or the mode.
    pub pieces: Option<String>,
    /// What [`practice::Session::save`] made.
    pub memory: Vec<u8>,
    /// The game is an ordinary one: the session only looks on.
    pub watches: bool,
}

/// Why bytes are no saved state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SavedStateError {
    /// They begin in none of the known ways.
    #[error("it is no saved state; expected a PNG saved by Maxout, or a file that begins with MXST")]
    Unknown,
    /// They are a picture alone.
    #[error("it is a PNG without a state; expected one saved by Maxout")]
    NoState,
    /// They end too early.
    #[error("the file is cut short; save it again")]
    Cut,
    /// A checksum is wrong.
    #[error("its checksum is wrong: the file is damaged")]
    Checksum,
    /// A part of the state cannot be read.
    #[error("the state in it is damaged; save it again")]
    Damaged,
    /// They are of another version.
    #[error("expected version 1 of the state's chunk, found {0}; it was saved by another version of Maxout")]
    Version(u8),
}

impl SavedState {
    /// Returns the state in a file, of any front end.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, SavedStateError> {
        if bytes.starts_with(CONSOLE) {
            return Ok(Self { console: bytes.to_vec(), ..Self::default() });
        }
        match bytes.strip_prefix(WEB) {
            Some(parts) => Self::read_web(parts),
            None => Self::read_png(bytes),
        }
    }

    fn read_png(bytes: &[u8]) -> Result<Self, SavedStateError> {
        use SavedStateError::Damaged;
        let state = chunk(bytes, STATE)?;
        let head = state.get(..HEAD).ok_or(Damaged)?;
        if head[0] != VERSION {
            return Err(SavedStateError::Version(head[0]));
        }
        let number = |at: usize| u64::from_be_bytes(std::array::from_fn(|n| head[at + n]));
        let length = u32::from_be_bytes(std::array::from_fn(|n| head[17 + n])) as usize;
        let console = state.get(HEAD..HEAD.saturating_add(length)).ok_or(Damaged)?;
        let mut log = Vec::new();
        let inflated = ZlibDecoder::new(&state[HEAD + length..]).take(LOG_MOST).read_to_end(&mut log);
        inflated.map_err(|_| Damaged)?;
        let (ram, log) = log_from_bytes(&log).ok_or(Damaged)?;
        let pieces = chunk(bytes, PIECES).ok().and_then(|text| String::from_utf8(text.to_vec()).ok());
        let practice = chunk(bytes, PRACTICE).ok().and_then(SavedPractice::from_bytes);
        let practice = practice.map(|practice| SavedPractice { pieces, ..practice });
        Ok(Self { console: console.to_vec(), log, ram, frame: number(9), seconds: number(1), practice })
    }

    fn read_web(mut rest: &[u8]) -> Result<Self, SavedStateError> {
        let mut part = || {
            let (length, after) = rest.split_first_chunk::<4>()?;
            let (part, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            rest = after;
            Some(part)
        };
        let [Some(text), Some(memory), Some(console)] = [part(), part(), part()] else {
            return Err(SavedStateError::Cut);
        };
        let text = str::from_utf8(text).map_err(|_| SavedStateError::Damaged)?;
        let mut lines = text.lines();
        let mut line = || lines.next().unwrap_or_default();
        let (mode, options, pieces) = (line(), line(), line());
        let practice = (!text.is_empty() || !memory.is_empty()).then(|| {
            let mode = if text.is_empty() { Kind::Tetris.usual() } else { mode.parse().ok()? };
            let pieces = (!pieces.is_empty()).then(|| pieces.to_owned());
            let (memory, watches) = (memory.to_vec(), text.is_empty());
            Some(SavedPractice { mode, options: options_of(options)?, pieces, memory, watches })
        });
        let practice = match practice {
            Some(None) => return Err(SavedStateError::Damaged),
            practice => practice.flatten(),
        };
        Ok(Self { console: console.to_vec(), practice, ..Self::default() })
    }

    /// Returns the file of the state, with this picture.
    pub fn write(&self, picture: &Frame, palette: &Palette) -> Vec<u8> {
        let rgb: Vec<u8> = picture.pixels().iter().flat_map(|&pixel| palette.rgb(pixel)).collect();
        let mut bytes = Vec::new();
        // Memory takes everything, and the picture has the size that is said.
        let _ = self.encode(&mut bytes, &rgb);
        bytes
    }

    fn encode(&self, file: &mut impl Write, rgb: &[u8]) -> io::Result<()> {
        let Self { console, log, ram, frame, seconds, practice } = self;
        let mut chunk = vec![VERSION];
        chunk.extend(seconds.to_be_bytes());
        chunk.extend(frame.to_be_bytes());
        chunk.extend((console.len() as u32).to_be_bytes());
        chunk.extend(console);
        let mut deflated = ZlibEncoder::new(chunk, Compression::default());
        deflated.write_all(&log_bytes(*ram, log))?;
        let chunk = deflated.finish()?;

        let mut encoder = Encoder::new(file, Frame::WIDTH as u32, Frame::HEIGHT as u32);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header().map_err(io::Error::other)?;
        let mut write = |name, bytes: &[u8]| {
            writer.write_chunk(png::chunk::ChunkType(name), bytes).map_err(io::Error::other)
        };
        write(STATE, &chunk)?;
        if let Some(practice) = practice {
            write(PRACTICE, &practice.to_bytes())?;
            if let Some(pieces) = &practice.pieces {
                write(PIECES, pieces.as_bytes())?;
            }
        }
        writer.write_image_data(rgb).map_err(io::Error::other)?;
        writer.finish().map_err(io::Error::other)
    }

    /// Returns the CRC32 of the cartridge whose state it is; `None` where it is cut short.
    pub fn cartridge(&self) -> Option<u32> {
        let crc32 = self.console.get(6..10)?;
        Some(u32::from_le_bytes(crc32.try_into().ok()?))
    }
}

/// Returns the picture in the file of a saved state: red, green and blue of each pixel. `None`
/// where there is none of a console's size.
pub fn saved_picture(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut reader = Decoder::new(io::Cursor::new(bytes)).read_info().ok()?;
    let info = reader.info();
    let size = (Frame::WIDTH as u32, Frame::HEIGHT as u32);
    if (info.width, info.height) != size || info.color_type != ColorType::Rgb {
        return None;
    }
    let mut rgb = vec![0; PICTURE];
    reader.next_frame(&mut rgb).ok()?;
    Some(rgb)
}

impl SavedPractice {
    fn to_bytes(&self) -> Vec<u8> {
        let sign = if self.watches { WATCHES } else { "" };
        let mut bytes = format!("{sign}{}\n{}\n", self.mode, self.options).into_bytes();
        bytes.extend(&self.memory);
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut parts = bytes.splitn(3, |&byte| byte == b'\n');
        let mut line = || str::from_utf8(parts.next()?).ok();
        let (mode, words) = (line()?, line()?);
        let watched = mode.strip_prefix(WATCHES);
        let mode = watched.unwrap_or(mode).parse().ok()?;
        let (options, memory) = (options_of(words)?, parts.next()?.to_vec());
        Some(Self { mode, options, pieces: None, memory, watches: watched.is_some() })
    }
}

fn options_of(words: &str) -> Option<Options> {
    let mut options = Options::default();
    words.split_whitespace().try_for_each(|word| options.set(word)).ok()?;
    Some(options)
}

/// Returns the chunk `name` of a PNG: length, name, data and CRC32 of the latter two.
fn chunk(bytes: &[u8], name: [u8; 4]) -> Result<&[u8], SavedStateError> {
    use SavedStateError::{Checksum, Cut, NoState, Unknown};
    let mut rest = bytes.strip_prefix(&SIGNATURE).ok_or(Unknown)?;
    while let Some((head, after)) = rest.split_at_checked(8) {
        let length = u32::from_be_bytes(std::array::from_fn(|n| head[n])) as usize;
        let (data, after) = after.split_at_checked(length).ok_or(Cut)?;
        let (sum, after) = after.split_at_checked(4).ok_or(Cut)?;
        if head[4..] == name {
            let mut hasher = crc32fast::Hasher::new();
            hasher.update(&head[4..]);
            hasher.update(data);
            let intact = hasher.finalize().to_be_bytes() == sum;
            return if intact { Ok(data) } else { Err(Checksum) };
        }
        rest = after;
    }
    Err(NoState)
}

#[cfg(test)]
mod tests {
    use nes::{Buttons, Cartridge, Config};
    use tetris::{Feature, Profile};

    use super::*;
    use crate::{Attached, Emulator, Practice};

    fn saved() -> SavedState {
        let pads = [Buttons::A, Buttons::empty()];
        SavedState {
            console: (0..2000_u32).map(|n| (n * n) as u8).collect(),
            log: vec![FrameInput { pads, ..FrameInput::default() }; 1000],
            ram: RamInit::Stripes,
            frame: 1000,
            seconds: 1_800_000_000,
            practice: Some(SavedPractice {
                mode: "garbage=4".parse().unwrap(),
                options: Options { level: 18, goofy: true, ..Options::default() },
                pieces: Some("--randomizer tgm3 --seed 7".into()),
                memory: vec![7, b'\n', 9, b'\n'],
                watches: true,
            }),
        }
    }

    fn file() -> Vec<u8> {
        saved().write(&Frame::default(), &Palette::ntsc())
    }

    #[test]
    fn what_is_saved_comes_back_and_the_picture_is_one_to_other_programs() {
        assert_eq!(SavedState::read(&file()), Ok(saved()));
        let blank = Palette::ntsc().rgb(Frame::default().pixels()[0]);
        assert_eq!(saved_picture(&file()).unwrap(), blank.repeat(256 * 240));
    }

    #[test]
    fn a_file_that_is_cut_flipped_or_another_is_said_to_be() {
        let bytes = file();
        for length in (0..2050).step_by(7) {
            assert!(SavedState::read(&bytes[..length]).is_err(), "cut to {length}");
        }
        for at in (SIGNATURE.len() + 25..2050).step_by(11) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 4;
            assert!(SavedState::read(&flipped).is_err(), "flipped at {at}");
        }
        assert_eq!(SavedState::read(b"GIF89a"), Err(SavedStateError::Unknown));
        let web = include_bytes!("../tests/states/page-1.0.0.mxstate");
        for length in WEB.len()..web.len() {
            assert!(SavedState::read(&web[..length]).is_err(), "the page's, cut to {length}");
        }
    }

    /// States of version 1.0.0, of the built-in cartridge: a slot of the window, one of the page,
    /// and one of `maxout run --save-state`.
    #[test]
    fn a_state_of_each_front_end_of_version_1_goes_on_in_the_emulator() {
        const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");
        let files: [(&[u8], u64, Option<&str>); 3] = [
            (include_bytes!("../tests/states/window-1.0.0.png"), 0xEE56_B318_58E5_0893, Some("garbage=4")),
            (include_bytes!("../tests/states/page-1.0.0.mxstate"), 0xD204_B41C_BB18_8E1B, Some("garbage=4")),
            (include_bytes!("../tests/states/run-1.0.0.state"), 0x1CFC_6CCC_EF71_DAD8, None),
        ];
        for (bytes, hash, mode) in files {
            let saved = SavedState::read(bytes).unwrap();
            let cartridge = Cartridge::from_bytes(IMAGE).unwrap();
            assert_eq!(saved.cartridge(), Some(cartridge.crc32()));
            let mut emulator = Emulator::bare(cartridge, Config::default());
            emulator.load(&saved.console, saved.log, saved.ram).unwrap();
            assert_eq!(emulator.state_hash(), hash);
            assert_eq!(saved.practice.as_ref().map(|practice| practice.mode.to_string()).as_deref(), mode);
            if let Some(SavedPractice { mode, options, memory, .. }) = saved.practice {
                let profile = Profile::for_feature(IMAGE, Feature::Practice).unwrap();
                let mut session = practice::Session::new(profile, mode, options).unwrap();
                session.load(&memory, emulator.state()).unwrap();
                assert!(session.is_playing());
                emulator.set_practice(Some(Practice::new(session)));
            }
            for _ in 0..60 {
                emulator.frame(&mut [Buttons::empty(); 2], Attached::default());
            }
            // What is saved now is a file of its own that comes back.
            let (now, picture) = (emulator.saved(), emulator.picture().clone());
            assert_eq!(SavedState::read(&now.write(&picture, &Palette::ntsc())), Ok(now));
        }
    }
}
