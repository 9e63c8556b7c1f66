//! A file of frames.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::{Frame, FrameError, Version};

/// The ending of a recording's file; `.ngf.gz` is the same.
pub const EXTENSION: &str = "ngf";

/// Most bytes of a recording once it is unpacked: four hours of sixty frames a second.
const LONGEST: usize = 64 << 20;
/// How a file packed by gzip begins.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// A recording: frames of one version.
#[derive(Clone, PartialEq, Eq)]
pub struct Recording {
    version: Version,
    /// Whole frames.
    bytes: Vec<u8>,
    damage: Option<Damage>,
}

/// Why a file is no recording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// It is empty.
    #[error("expected NestrisChamps game frames, found an empty file")]
    Empty,
    /// Its first frame is none.
    #[error("expected NestrisChamps game frames: frame 1: {0}")]
    First(#[from] FrameError),
    /// It cannot be unpacked at all.
    #[error("expected NestrisChamps game frames packed by gzip: {0}")]
    Gzip(String),
}

/// What is wrong with a recording, of which the frames before are read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// A frame of another version.
    #[error(
        "frame {frame}: expected version {expected}, found {found}: this frame and what follows are left out"
    )]
    Version {
        /// The frame, counted from 1.
        frame: usize,
        /// The version of the frames before.
        expected: u8,
        /// The version that it names.
        found: u8,
    },
    /// It ends within a frame.
    #[error("frame {frame} is incomplete: expected {expected} bytes, found {found}: it is left out")]
    Cut {
        /// The frame, counted from 1.
        frame: usize,
        /// Bytes of a frame.
        expected: usize,
        /// Bytes that there are.
        found: usize,
    },
    /// It cannot be unpacked to its end.
    #[error("the file cannot be unpacked behind frame {frame}: {why}: the frames before are read")]
    Gzip {
        /// The last whole frame, counted from 1.
        frame: usize,
        /// What is wrong.
        why: String,
    },
    /// There is more than a game can have.
    #[error("expected at most {LONGEST} bytes: what follows frame {frame} is left out")]
    Long {
        /// The last frame that is read, counted from 1.
        frame: usize,
    },
}

impl Recording {
    /// Reads a file, packed by gzip or not. Behind a fault the rest is left out: see
    /// [`Self::damage`].
    ///
    /// # Errors
    /// When not even the first frame can be read.
    pub fn read(bytes: &[u8]) -> Result<Self, RecordingError> {
        if !bytes.starts_with(&GZIP) {
            let kept = &bytes[..bytes.len().min(LONGEST)];
            return Self::of(kept.to_vec(), None, kept.len() < bytes.len());
        }
        let mut unpacked = Vec::new();
        let read = GzDecoder::new(bytes).take(LONGEST as u64 + 1).read_to_end(&mut unpacked);
        let long = unpacked.len() > LONGEST;
        unpacked.truncate(LONGEST);
        match read {
            Err(error) if unpacked.is_empty() => Err(RecordingError::Gzip(error.to_string())),
            read => Self::of(unpacked, read.err().map(|error| error.to_string()), long),
        }
    }

    fn of(mut bytes: Vec<u8>, gzip: Option<String>, long: bool) -> Result<Self, RecordingError> {
        if bytes.is_empty() {
            return Err(RecordingError::Empty);
        }
        let version = Version::of(&bytes)?;
        let size = version.size();
        if bytes.len() < size {
            return Err(FrameError::Length { version: version.number(), found: bytes.len() }.into());
        }
        let whole = bytes.len() / size;
        let other = (0..whole).find(|frame| Version::of(&bytes[frame * size..]) != Ok(version));
        let left = bytes.len() % size;
        let damage = if let Some(frame) = other {
            let found = bytes[frame * size] >> 5;
            Some(Damage::Version { frame: frame + 1, expected: version.number(), found })
        } else if let Some(why) = gzip {
            Some(Damage::Gzip { frame: whole, why })
        } else if long {
            Some(Damage::Long { frame: whole })
        } else {
            (left > 0).then_some(Damage::Cut { frame: whole + 1, expected: size, found: left })
        };
        bytes.truncate(other.unwrap_or(whole) * size);
        Ok(Self { version, bytes, damage })
    }

    /// What is wrong with the file, if anything.
    pub const fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// The version of its frames.
    pub const fn version(&self) -> Version {
        self.version
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.version.size()
    }

    /// Returns whether it has no frame, which none that was read is.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Its frames, in their order.
    pub fn frames(&self) -> impl Iterator<Item = Frame> {
        // Every version was looked at.
        self.bytes.chunks_exact(self.version.size()).filter_map(|frame| Frame::read(frame).ok())
    }

    /// A recording without a frame yet.
    pub const fn new(version: Version) -> Self {
        Self { version, bytes: Vec::new(), damage: None }
    }

    /// Adds a frame at the end.
    pub fn push(&mut self, frame: &Frame) {
        self.bytes.extend(frame.bytes(self.version));
    }

    /// The file, packed by gzip as the site keeps it.
    ///
    /// # Errors
    /// Never in practice: memory cannot refuse to be written.
    pub fn packed(&self) -> std::io::Result<Vec<u8>> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(&self.bytes)?;
        packer.finish()
    }

    /// The file as it is.
    pub fn plain(&self) -> &[u8] {
        &self.bytes
    }
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording")
            .field("version", &self.version)
            .field("frames", &self.len())
            .field("damage", &self.damage)
            .finish_non_exhaustive()
    }
}
