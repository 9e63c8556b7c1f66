//! Saved states on disk. A slot is a PNG of the picture, which any file browser shows, with the
//! state in a chunk of its own that other programs pass over (PNG specification: ancillary,
//! private, unsafe to copy).
//!
//! ```text
//! mxST  0  version, u8
//!       1  when it was saved, seconds since 1970, u64
//!       9  frames since power-on, u64
//!      17  length of the state, u32, and the state
//!       …  what was held since power-on, three bytes a frame, deflated
//! mxPR     of a practice game: mode and options, a line each, and what the session remembers; a "~"
//!          before the mode of an ordinary game
//! ```
//! Numbers are big-endian, as in the rest of a PNG.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use draft::Draft;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use nes::controller::fm2::{FrameInput, RamInit};
use nes::{Frame, Palette};
use png::{BitDepth, ColorType, Decoder, Encoder};
use practice::{Mode, Options};

use crate::config::folders::cartridge_name;
use crate::messages::command::{LAST_SESSION, SLOTS};
use crate::messages::status::Slot;
use crate::{DesktopError, PICTURE_HEIGHT, PICTURE_WIDTH};

const CHUNK: [u8; 4] = *b"mxST";
const PRACTICE: [u8; 4] = *b"mxPR";
const VERSION: u8 = 1;
const HEAD: usize = 21;
const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A];

/// No slot is larger: ten hours of buttons, and all states that there are.
const FILE_MOST: u64 = 16 << 20;

/// Bytes of ten days of buttons.
const LOG_MOST: u64 = 3 * 52_000_000;

/// A state to be saved, or one that was.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Saved {
    pub(crate) state: Vec<u8>,
    pub(crate) log: Vec<FrameInput>,
    /// What RAM held at the beginning of the log.
    pub(crate) ram: RamInit,
    pub(crate) frame: u64,
    pub(crate) when: SystemTime,
    /// The practice session that belongs to it.
    pub(crate) practice: Option<SavedPractice>,
}

/// A practice session in a saved state.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SavedPractice {
    pub(crate) mode: Mode,
    pub(crate) options: Options,
    /// What [`practice::Session::save`] made.
    pub(crate) memory: Vec<u8>,
    /// The game is an ordinary one: the session only looks on.
    pub(crate) watches: bool,
}

/// Stands before the mode of a session that only looks on.
const WATCHES: &str = "~";

impl SavedPractice {
    fn to_bytes(&self) -> Vec<u8> {
        let sign = if self.watches { WATCHES } else { "" };
        let mut bytes = format!("{sign}{}\n{}\n", self.mode, self.options).into_bytes();
        bytes.extend(&self.memory);
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut parts = bytes.splitn(3, |&byte| byte == b'\n');
        let mut line = || std::str::from_utf8(parts.next()?).ok();
        let (mode, words) = (line()?, line()?);
        let watched = mode.strip_prefix(WATCHES);
        let mode = watched.unwrap_or(mode).parse().ok()?;
        let mut options = Options::default();
        words.split_whitespace().try_for_each(|word| options.set(word)).ok()?;
        Some(Self { mode, options, memory: parts.next()?.to_vec(), watches: watched.is_some() })
    }
}

/// The slots of one cartridge.
#[derive(Debug)]
pub(crate) struct Slots {
    /// `None` when states are not kept on disk.
    folder: Option<PathBuf>,
}

impl Slots {
    /// Returns the slots of the cartridge `title` with checksum `crc32`, below `states`.
    pub(crate) fn new(states: Option<&Path>, title: &str, crc32: u32) -> Self {
        Self { folder: states.map(|states| states.join(cartridge_name(title, crc32))) }
    }

    /// Returns whether states are kept on disk.
    pub(crate) fn are_kept(&self) -> bool {
        self.folder.is_some()
    }

    fn path(&self, slot: usize) -> io::Result<PathBuf> {
        if slot > LAST_SESSION {
            return Err(io::Error::other(format!("there are slots 0 to {}", SLOTS - 1)));
        }
        let folder =
            self.folder.as_ref().ok_or_else(|| io::Error::other("no folder for saved states is known"))?;
        Ok(folder.join(if slot == LAST_SESSION { "last.png".into() } else { format!("slot-{slot}.png") }))
    }

    /// Returns what the interface is told of each slot. A file that is none is as good as nothing
    /// here; loading it says why.
    pub(crate) fn list(&self) -> [Option<Slot>; SLOTS] {
        std::array::from_fn(|slot| self.look(slot))
    }

    /// Returns what the interface is told of a slot, or of the last session.
    pub(crate) fn look(&self, slot: usize) -> Option<Slot> {
        let bytes = read(&self.path(slot).ok()?).ok()?;
        let saved = decode(&bytes).ok()?;
        Some(listed(&saved, thumbnail(&bytes).ok()?))
    }

    /// Writes a slot, whole or not at all. Returns what the interface is to be told.
    pub(crate) fn save(
        &self,
        slot: usize,
        saved: &Saved,
        picture: &Frame,
        palette: &Palette,
    ) -> Result<Slot, String> {
        let path = self.path(slot).map_err(|error| format!("cannot save: {error}"))?;
        let rgb: Vec<u8> = picture.pixels().iter().flat_map(|&pixel| palette.rgb(pixel)).collect();
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            Ok(Draft::write_by(&path, |file| encode(file, saved, &rgb))?)
        };
        let failed =
            |error: io::Error| format!("cannot save to {}: {error}; is the folder writable?", path.display());
        write().map_err(failed)?;
        Ok(listed(saved, rgb))
    }

    /// Reads a slot.
    pub(crate) fn load(&self, slot: usize) -> Result<Saved, String> {
        let path = self.path(slot).map_err(|error| format!("cannot load: {error}"))?;
        match read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(format!("slot {slot} is empty")),
            Err(source) => Err(DesktopError::Read { path, source }.to_string()),
            Ok(bytes) => decode(&bytes)
                .map_err(|reason| DesktopError::State { path, reason: reason.into() }.to_string()),
        }
    }
}

/// Returns the state in any file that has one: a slot's, or the bytes of a console alone.
///
/// # Errors
/// In a line, what is wrong with it.
pub(crate) fn read_state(path: &Path) -> Result<Saved, DesktopError> {
    let bytes = read(path).map_err(|source| DesktopError::Read { path: path.into(), source })?;
    if bytes.starts_with(b"MXST") {
        let (log, ram, frame) = (vec![], RamInit::default(), 0);
        return Ok(Saved { state: bytes, log, ram, frame, when: SystemTime::UNIX_EPOCH, practice: None });
    }
    decode(&bytes).map_err(|reason| DesktopError::State { path: path.into(), reason: reason.into() })
}

/// Returns the CRC32 of the cartridge whose state is in the file at `path`: what to look for before
/// it can be played.
///
/// # Errors
/// When the file cannot be read, or is no saved state.
pub fn state_cartridge(path: &Path) -> Result<u32, DesktopError> {
    let Saved { state, .. } = read_state(path)?;
    let crc32 = state.get(6..10).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    crc32.ok_or_else(|| DesktopError::State { path: path.into(), reason: "it is cut short".into() })
}

fn listed(saved: &Saved, rgb: Vec<u8>) -> Slot {
    Slot { saved: saved.when, frame: saved.frame, thumbnail: Arc::from(rgb) }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    Ok(draft::read_file(path, FILE_MOST)?)
}

/// Reads `bytes` as the file of a slot, for the fuzzer.
pub(crate) fn hostile(bytes: &[u8]) {
    let _ = decode(bytes);
    let _ = thumbnail(bytes);
}

/// Returns the file of a slot with this state, which the fuzzer changes.
pub(crate) fn usual(state: &[u8]) -> Vec<u8> {
    let log = vec![FrameInput::default(); 20];
    let when = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    let practice = SavedPractice {
        mode: practice::Kind::Seed.usual(),
        options: Options::default(),
        memory: vec![7, b'\n', 9],
        watches: true,
    };
    let saved = Saved {
        state: state.to_vec(),
        log,
        ram: RamInit::default(),
        frame: 20,
        when,
        practice: Some(practice),
    };
    let mut bytes = Vec::new();
    // Memory takes everything.
    let _ = encode(&mut bytes, &saved, &vec![0x55; 3 * (PICTURE_WIDTH * PICTURE_HEIGHT) as usize]);
    bytes
}

fn encode(file: &mut impl Write, saved: &Saved, rgb: &[u8]) -> io::Result<()> {
    let Saved { state, log, ram, frame, when, practice } = saved;
    let seconds = when.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let mut chunk = vec![VERSION];
    chunk.extend(seconds.to_be_bytes());
    chunk.extend(frame.to_be_bytes());
    chunk.extend((state.len() as u32).to_be_bytes());
    chunk.extend(state);
    let mut deflated = ZlibEncoder::new(chunk, Compression::default());
    deflated.write_all(&emulator::log_bytes(*ram, log))?;
    let chunk = deflated.finish()?;

    let mut encoder = Encoder::new(file, PICTURE_WIDTH, PICTURE_HEIGHT);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_chunk(png::chunk::ChunkType(CHUNK), &chunk).map_err(io::Error::other)?;
    if let Some(practice) = practice {
        let bytes = practice.to_bytes();
        writer.write_chunk(png::chunk::ChunkType(PRACTICE), &bytes).map_err(io::Error::other)?;
    }
    writer.write_image_data(rgb).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)
}

fn thumbnail(bytes: &[u8]) -> Result<Vec<u8>, png::DecodingError> {
    let mut reader = Decoder::new(io::Cursor::new(bytes)).read_info()?;
    let mut rgb = vec![0; 3 * (PICTURE_WIDTH * PICTURE_HEIGHT) as usize];
    let info = reader.info();
    if (info.width, info.height, info.color_type) != (PICTURE_WIDTH, PICTURE_HEIGHT, ColorType::Rgb) {
        return Err(io::Error::other("not the size of a picture").into());
    }
    reader.next_frame(&mut rgb)?;
    Ok(rgb)
}

/// Returns the state in a slot's file.
fn decode(bytes: &[u8]) -> Result<Saved, &'static str> {
    const DAMAGED: &str = "the state in it is damaged; save it again";
    let practice = chunk(bytes, PRACTICE).ok().and_then(SavedPractice::from_bytes);
    let chunk = chunk(bytes, CHUNK)?;
    let head = chunk.get(..HEAD).ok_or(DAMAGED)?;
    if head[0] != VERSION {
        return Err("it was saved by another version of Maxout; expected version 1 of the state's chunk");
    }
    let number = |at: usize| u64::from_be_bytes(std::array::from_fn(|n| head[at + n]));
    let length = u32::from_be_bytes(std::array::from_fn(|n| head[17 + n])) as usize;
    let state = chunk.get(HEAD..HEAD.saturating_add(length)).ok_or(DAMAGED)?;
    let mut log = Vec::new();
    let inflated = ZlibDecoder::new(&chunk[HEAD + length..]).take(LOG_MOST).read_to_end(&mut log);
    inflated.map_err(|_| DAMAGED)?;
    let (ram, log) = emulator::log_from_bytes(&log).ok_or(DAMAGED)?;
    Ok(Saved {
        state: state.to_vec(),
        ram,
        log,
        frame: number(9),
        when: SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(number(1))).ok_or(DAMAGED)?,
        practice,
    })
}

/// Returns the chunk `name` of a PNG: length, name, data and CRC32 of the latter two.
fn chunk(bytes: &[u8], name: [u8; 4]) -> Result<&[u8], &'static str> {
    const CUT: &str = "the file is cut short; save it again";
    let mut rest = bytes.strip_prefix(&SIGNATURE).ok_or("it is no PNG; expected a state saved by Maxout")?;
    while let Some((head, after)) = rest.split_at_checked(8) {
        let length = u32::from_be_bytes(std::array::from_fn(|n| head[n])) as usize;
        let (data, after) = after.split_at_checked(length).ok_or(CUT)?;
        let (sum, after) = after.split_at_checked(4).ok_or(CUT)?;
        if head[4..] == name {
            let mut hasher = crc32fast::Hasher::new();
            hasher.update(&head[4..]);
            hasher.update(data);
            let intact = hasher.finalize().to_be_bytes() == sum;
            return if intact { Ok(data) } else { Err("its checksum is wrong: the file is damaged") };
        }
        rest = after;
    }
    Err("it is a PNG without a state; expected one saved by Maxout")
}

#[cfg(test)]
mod tests {
    use nes::Buttons;

    use super::*;

    fn saved() -> Saved {
        let pads = [Buttons::A, Buttons::empty()];
        Saved {
            state: (0..2000_u32).map(|n| (n * n) as u8).collect(),
            log: vec![FrameInput { pads, ..FrameInput::default() }; 1000],
            ram: RamInit::Stripes,
            frame: 1000,
            when: SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000),
            practice: Some(SavedPractice {
                mode: "garbage=4".parse().unwrap(),
                options: Options { level: 18, goofy: true, ..Options::default() },
                memory: vec![7, b'\n', 9, b'\n'],
                watches: true,
            }),
        }
    }

    fn bytes() -> Vec<u8> {
        let mut bytes = Vec::new();
        encode(&mut bytes, &saved(), &vec![0x55; 3 * 256 * 240]).unwrap();
        bytes
    }

    #[test]
    fn what_is_saved_comes_back_with_its_picture() {
        let folder = tempfile::tempdir().unwrap();
        let slots = Slots::new(Some(folder.path()), "A/game: of ours", 0xABCD);
        assert_eq!(slots.load(3).unwrap_err(), "slot 3 is empty");
        let slot = slots.save(3, &saved(), &Frame::default(), &Palette::ntsc()).unwrap();
        assert_eq!(slots.load(3).unwrap(), saved());
        assert!(folder.path().join("Agame of ours-0000abcd/slot-3.png").exists());
        let list = slots.list();
        assert_eq!(list.iter().flatten().count(), 1);
        let listed = list[3].as_ref().unwrap();
        assert_eq!((listed.saved, listed.frame, &listed.thumbnail), (slot.saved, 1000, &slot.thumbnail));
    }

    #[test]
    fn a_picture_is_a_picture_to_other_programs() {
        assert_eq!(thumbnail(&bytes()).unwrap(), vec![0x55; 3 * 256 * 240]);
    }

    #[test]
    fn a_file_that_is_cut_flipped_or_another_is_said_to_be() {
        let bytes = bytes();
        assert_eq!(decode(&bytes).unwrap(), saved());
        for length in (0..2050).step_by(7) {
            assert!(decode(&bytes[..length]).is_err(), "cut to {length}");
        }
        for at in (SIGNATURE.len() + 25..2050).step_by(11) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 4;
            assert!(decode(&flipped).is_err(), "flipped at {at}");
        }
        assert!(decode(b"MXST").unwrap_err().contains("expected"));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_said_and_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "not a folder").unwrap();
        let slots = Slots::new(Some(&file), "game", 1);
        let error = slots.save(0, &saved(), &Frame::default(), &Palette::ntsc()).unwrap_err();
        assert!(error.contains("cannot save to") && error.contains("writable"), "{error}");
        assert!(Slots::new(None, "game", 1).load(0).unwrap_err().contains("no folder"));
        assert!(slots.load(11).unwrap_err().contains("0 to 9"));
    }
}
