//! Why a patch cannot be applied.

use alloc::vec::Vec;

use thiserror::Error;

/// Why a patch cannot be written or applied: what was expected, what was found, and what to do
/// about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PatchError {
    /// It opens like no patch.
    #[error("no patch: expected it to open with \"PATCH\" (IPS), \"BPS1\" or \"UPS1\", found {found:02X?}")]
    Format {
        /// The first bytes, at most five.
        found: Vec<u8>,
    },
    /// It ends too early.
    #[error("the patch ends after {at} bytes, in the middle: copy or download it again")]
    Truncated {
        /// Its length in bytes.
        at: usize,
    },
    /// Something follows its end.
    #[error("the patch has {found} bytes after its end: copy or download it again")]
    Trailing {
        /// How many.
        found: usize,
    },
    /// Its own check sum is not right.
    #[error(
        "the patch is damaged: expected CRC-32 {expected:08X}, found {found:08X}; copy or download it again"
    )]
    Damaged {
        /// What it says.
        expected: u32,
        /// What it has.
        found: u32,
    },
    /// It is for a file of another length.
    #[error(
        "a patch for another file: expected one of {expected} bytes, found {found}; find the file that it was made for"
    )]
    OtherSize {
        /// In bytes.
        expected: usize,
        /// In bytes.
        found: usize,
    },
    /// It is for another file of the same length.
    #[error(
        "a patch for another file: expected CRC-32 {expected:08X}, found {found:08X}; find the file that it was made for"
    )]
    OtherFile {
        /// What it is for.
        expected: u32,
        /// What it was given.
        found: u32,
    },
    /// It copies bytes from where there are none, or counts on without an end.
    #[error("the patch is damaged: byte {at} of it leads outside of the file")]
    Outside {
        /// Where in the patch.
        at: usize,
    },
    /// What comes out is not as long as it says.
    #[error("the patch is damaged: expected it to make {expected} bytes, it makes {found}")]
    Length {
        /// What it says.
        expected: usize,
        /// What it does.
        found: usize,
    },
    /// What comes out is not what it says, though the patch and the file are whole.
    #[error("the patch contradicts itself: expected it to make CRC-32 {expected:08X}, it makes {found:08X}")]
    Outcome {
        /// What it says.
        expected: u32,
        /// What it does.
        found: u32,
    },
    /// It writes the same places again and again.
    #[error(
        "the patch writes more than {limit} bytes, most of them over each other: this is no patch of a cartridge"
    )]
    Excess {
        /// In bytes.
        limit: usize,
    },
    /// A file longer than the format or anyone's patience.
    #[error("{found} bytes: a patched file has at most {limit}")]
    TooLarge {
        /// In bytes.
        found: usize,
        /// In bytes.
        limit: usize,
    },
}
