//! Snapshot walk: one description of a state that both saves and loads it.
//!
//! A chip describes its state once, in [`State::walk`], which opens with an exhaustive
//! `let Self { a, b, .. } = self` *without* the `..`, so that a field that nobody saves does not
//! compile. The same walk runs over a [`Writer`] (state to bytes) and a [`Reader`] (bytes to
//! state). The crate stands alone at the lowest level because every chip needs it and no chip may
//! know another.
//!
//! ```
//! use nes_state::{Fields, Reader, State, StateError, Writer};
//!
//! #[derive(Clone, Default, PartialEq, Debug)]
//! struct Timer { reload: u16, running: bool }
//!
//! impl State for Timer {
//!     fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
//!         let Self { reload, running } = self;
//!         fields.u16(reload)?;
//!         fields.bool(running)
//!     }
//! }
//!
//! let mut saved = Timer { reload: 0x3F8, running: true };
//! let bytes = Writer::save(&mut saved);
//! let mut loaded = Timer::default();
//! Reader::load(&bytes, &mut loaded).unwrap();
//! assert_eq!(loaded, saved);
//! ```

#![cfg_attr(not(test), no_std)]

extern crate alloc;

use alloc::string::String;
use alloc::vec::Vec;

use thiserror::Error;

/// Why bytes are not the state that they were taken for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StateError {
    /// The bytes do not open with the magic of a state file.
    #[error("not a Maxout state: expected it to open with {expected:02X?}, found {found:02X?}")]
    BadMagic {
        /// The magic that a state opens with.
        expected: [u8; 4],
        /// What the bytes open with, as far as they go.
        found: Vec<u8>,
    },
    /// The state is of a format that this build does not read.
    #[error("state format {found}: this build reads format {expected}; save the state again with this build")]
    WrongVersion {
        /// The format that this build writes and reads.
        expected: u16,
        /// The format of the bytes.
        found: u16,
    },
    /// The state is of a console of the other region.
    #[error("state of {found} console, and this is {expected} one: switch the region, then the power")]
    WrongRegion {
        /// The region of this console, with its article.
        expected: &'static str,
        /// The region that the state names.
        found: &'static str,
    },
    /// The state is of a console whose PPU has other quirks.
    #[error(
        "state of a console with other quirks of the PPU: {found}, and this one has {expected}; switch the power on with the same options"
    )]
    WrongQuirks {
        /// The quirks of this console.
        expected: String,
        /// Those that the state names.
        found: String,
    },
    /// The state is of a console with something else in its ports.
    #[error(
        "state of a console with {found} in its ports, and this one has {expected}; choose --ports {found}"
    )]
    WrongDevices {
        /// What is plugged into this console.
        expected: &'static str,
        /// What the state names.
        found: &'static str,
    },
    /// The state belongs to another cartridge.
    #[error(
        "state of another cartridge: its image has CRC32 {found:08X}, the one inserted has {expected:08X}; \
         insert the cartridge that it was saved with"
    )]
    WrongCartridge {
        /// CRC32 of the cartridge inserted.
        expected: u32,
        /// CRC32 that the state names.
        found: u32,
    },
    /// The checksum over the state does not fit its bytes.
    #[error("damaged state: checksum {found:08X} does not fit its bytes ({expected:08X})")]
    Damaged {
        /// The checksum computed over the bytes.
        expected: u32,
        /// The checksum that the bytes name.
        found: u32,
    },
    /// The bytes end before the state does.
    #[error("state cut short: {needed} more bytes expected at offset {offset}, {left} left")]
    Truncated {
        /// Where the reader stood.
        offset: usize,
        /// How many bytes the next field takes.
        needed: usize,
        /// How many bytes were left.
        left: usize,
    },
    /// The bytes go on after the state has ended.
    #[error("{extra} bytes more than the state has: it ends at offset {offset}")]
    TrailingBytes {
        /// Where the state ended.
        offset: usize,
        /// How many bytes follow.
        extra: usize,
    },
    /// A field holds a value that the hardware cannot be in.
    #[error("impossible value {value} for {field} at offset {offset}")]
    Invalid {
        /// Name of the field.
        field: &'static str,
        /// The value found.
        value: u64,
        /// Where the reader stood after the field.
        offset: usize,
    },
}

/// A visitor of fields: it either writes each one out or replaces each one by what it reads.
pub trait Fields {
    /// Visits `bytes.len()` raw bytes; every other visit is made of this one.
    ///
    /// # Errors
    /// [`StateError::Truncated`] if a reader has fewer bytes left.
    fn bytes(&mut self, bytes: &mut [u8]) -> Result<(), StateError>;

    /// Where the visitor stands, in bytes from the start of the state.
    fn offset(&self) -> usize;

    /// Visits one byte.
    ///
    /// # Errors
    /// As [`Fields::bytes`].
    fn u8(&mut self, value: &mut u8) -> Result<(), StateError> {
        self.bytes(core::slice::from_mut(value))
    }

    /// Visits a flag, one byte on disk: 0 or 1.
    ///
    /// # Errors
    /// As [`Fields::bytes`]; [`StateError::Invalid`] for any other byte.
    fn bool(&mut self, value: &mut bool) -> Result<(), StateError> {
        let mut byte = u8::from(*value);
        self.u8(&mut byte)?;
        self.check("flag", u64::from(byte), byte <= 1)?;
        *value = byte == 1;
        Ok(())
    }

    /// Visits a 16-bit number, little-endian on disk.
    ///
    /// # Errors
    /// As [`Fields::bytes`].
    fn u16(&mut self, value: &mut u16) -> Result<(), StateError> {
        let mut raw = value.to_le_bytes();
        self.bytes(&mut raw)?;
        *value = u16::from_le_bytes(raw);
        Ok(())
    }

    /// Visits a 32-bit number, little-endian on disk.
    ///
    /// # Errors
    /// As [`Fields::bytes`].
    fn u32(&mut self, value: &mut u32) -> Result<(), StateError> {
        let mut raw = value.to_le_bytes();
        self.bytes(&mut raw)?;
        *value = u32::from_le_bytes(raw);
        Ok(())
    }

    /// Visits a 64-bit number, little-endian on disk.
    ///
    /// # Errors
    /// As [`Fields::bytes`].
    fn u64(&mut self, value: &mut u64) -> Result<(), StateError> {
        let mut raw = value.to_le_bytes();
        self.bytes(&mut raw)?;
        *value = u64::from_le_bytes(raw);
        Ok(())
    }

    /// Refuses a value that the hardware cannot be in: call it after visiting the field, with
    /// `possible` false for such a value.
    ///
    /// # Errors
    /// [`StateError::Invalid`] if `possible` is false.
    fn check(&self, field: &'static str, value: u64, possible: bool) -> Result<(), StateError> {
        if possible { Ok(()) } else { Err(StateError::Invalid { field, value, offset: self.offset() }) }
    }
}

/// Something whose whole state is a fixed sequence of fields.
pub trait State {
    /// Visits every field, always in the same order and number for the same machine.
    ///
    /// # Errors
    /// Whatever the visitor or a [`Fields::check`] finds wrong; the state is then half read and
    /// must be thrown away (load into a clone).
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError>;
}

impl<T: State, const N: usize> State for [T; N] {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        self.iter_mut().try_for_each(|item| item.walk(fields))
    }
}

/// Writes the fields that it visits.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// The bytes of `state`. It is borrowed mutably because one walk serves both directions; a
    /// writer changes nothing.
    ///
    /// # Panics
    /// If the state refuses its own values, which is an error in its `walk`.
    pub fn save<S: State>(state: &mut S) -> Vec<u8> {
        let mut writer = Self::default();
        state.walk(&mut writer).expect("a live state is a possible state");
        writer.bytes
    }
}

impl Fields for Writer {
    fn bytes(&mut self, bytes: &mut [u8]) -> Result<(), StateError> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn offset(&self) -> usize {
        self.bytes.len()
    }
}

/// Replaces the fields that it visits by what it reads.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    /// Loads the whole of `bytes` into `state`.
    ///
    /// # Errors
    /// Whatever the walk finds wrong, or [`StateError::TrailingBytes`]; `state` is then half read.
    pub fn load<S: State>(bytes: &'a [u8], state: &mut S) -> Result<(), StateError> {
        let mut reader = Self::new(bytes);
        state.walk(&mut reader)?;
        reader.finish()
    }

    /// Demands that every byte has been read.
    ///
    /// # Errors
    /// [`StateError::TrailingBytes`] if some are left.
    pub fn finish(self) -> Result<(), StateError> {
        match self.bytes.len() - self.offset {
            0 => Ok(()),
            extra => Err(StateError::TrailingBytes { offset: self.offset, extra }),
        }
    }
}

impl Fields for Reader<'_> {
    fn bytes(&mut self, bytes: &mut [u8]) -> Result<(), StateError> {
        let left = self.bytes.len() - self.offset;
        let needed = bytes.len();
        if needed > left {
            return Err(StateError::Truncated { offset: self.offset, needed, left });
        }
        bytes.copy_from_slice(&self.bytes[self.offset..self.offset + needed]);
        self.offset += needed;
        Ok(())
    }

    fn offset(&self) -> usize {
        self.offset
    }
}

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Sample {
        a: u8,
        b: u16,
        c: u32,
        d: u64,
        e: bool,
        f: [u8; 3],
    }

    impl State for Sample {
        fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
            let Self { a, b, c, d, e, f } = self;
            fields.u8(a)?;
            fields.u16(b)?;
            fields.u32(c)?;
            fields.u64(d)?;
            fields.bool(e)?;
            fields.bytes(f)
        }
    }

    fn sample() -> Sample {
        Sample { a: 1, b: 0x203, c: 0x0405_0607, d: 0x0809_0A0B_0C0D_0E0F, e: true, f: [7, 8, 9] }
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let bytes = Writer::save(&mut sample());
        let mut loaded = Sample::default();
        assert_eq!(Reader::load(&bytes, &mut loaded), Ok(()));
        assert_eq!(loaded, sample());
    }

    #[test]
    fn a_state_cut_anywhere_is_an_error() {
        let bytes = Writer::save(&mut sample());
        for end in 0..bytes.len() {
            let error = Reader::load(&bytes[..end], &mut Sample::default()).unwrap_err();
            assert!(matches!(error, StateError::Truncated { .. }), "{end}: {error}");
        }
    }

    #[test]
    fn bytes_after_the_state_are_an_error() {
        let mut bytes = Writer::save(&mut sample());
        bytes.push(0);
        let error = Reader::load(&bytes, &mut Sample::default()).unwrap_err();
        assert_eq!(error, StateError::TrailingBytes { offset: 19, extra: 1 });
    }

    #[test]
    fn a_flag_is_zero_or_one() {
        let mut bytes = Writer::save(&mut sample());
        bytes[15] = 2;
        let error = Reader::load(&bytes, &mut Sample::default()).unwrap_err();
        assert_eq!(error, StateError::Invalid { field: "flag", value: 2, offset: 16 });
    }
}
