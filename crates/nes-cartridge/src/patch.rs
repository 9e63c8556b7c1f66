//! Patches of images, in IPS and BPS: the differences between two files, so that the file itself
//! can stay where it is.
//!
//! ```
//! use nes_cartridge::patch;
//!
//! let (old, new) = (b"NES, a game", b"NES, a tale");
//! let difference = patch::bps::write(old, new);
//! assert_eq!(patch::apply(&difference, old)?, new);
//! assert!(patch::apply(&difference, b"NES, a film").is_err()); // BPS knows which file it is for
//! # Ok::<(), patch::PatchError>(())
//! ```

use alloc::vec::Vec;

pub mod bps;
mod error;
pub mod ips;

pub use error::PatchError;

/// The most bytes that a patched file may have: beyond this no patch is believed.
pub const LIMIT: usize = 64 << 20;

/// `source` after the patch `patch`, which is IPS or BPS by its first bytes.
///
/// # Errors
/// It is neither, it is damaged, or it is a patch for another file.
pub fn apply(patch: &[u8], source: &[u8]) -> Result<Vec<u8>, PatchError> {
    if patch.starts_with(bps::HEADER) {
        bps::apply(patch, source)
    } else if patch.starts_with(ips::HEADER) {
        ips::apply(patch, source)
    } else {
        Err(PatchError::Format { found: patch[..patch.len().min(5)].to_vec() })
    }
}

/// Reads a patch from its front.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], PatchError> {
        let taken =
            self.bytes[self.at..].get(..count).ok_or(PatchError::Truncated { at: self.bytes.len() })?;
        self.at += count;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, PatchError> {
        Ok(self.take(1)?[0])
    }

    /// A number of `count` bytes, the highest first.
    fn big_endian(&mut self, count: usize) -> Result<usize, PatchError> {
        Ok(self.take(count)?.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }
}
