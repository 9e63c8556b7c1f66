//! A saved state as bytes: the console, and the practice session that went along with it.
//!
//! ```text
//! "MXWEB" and the format, a byte
//! three parts, each a length u32, little-endian, and so many bytes:
//!   text      mode, options and pieces, a line each; nothing if the session only looked on
//!   session   what the session remembered; nothing without one
//!   console   the console's own state
//! ```

use crate::Error;

const MAGIC: &[u8; 6] = b"MXWEB\x01";

/// A state, in its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) text: String,
    pub(crate) session: Vec<u8>,
    pub(crate) console: Vec<u8>,
}

impl Saved {
    /// As a file.
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for part in [self.text.as_bytes(), &self.session, &self.console] {
            bytes.extend((part.len() as u32).to_le_bytes());
            bytes.extend(part);
        }
        bytes
    }

    /// Of a file. A state of the console alone, as `maxout run --save-state` writes it, is one
    /// without a session.
    ///
    /// # Errors
    /// When it is cut off.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Error> {
        let Some(mut rest) = bytes.strip_prefix(MAGIC) else {
            return Ok(Self { console: bytes.to_vec(), ..Self::default() });
        };
        let mut part = || -> Option<Vec<u8>> {
            let (length, after) = rest.split_first_chunk::<4>()?;
            let (part, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            rest = after;
            Some(part.to_vec())
        };
        let parts = [part(), part(), part()];
        let [Some(text), Some(session), Some(console)] = parts else {
            return Err(Error::Refused(
                "the saved state is cut off: expected text, session and console in it",
            ));
        };
        let text = String::from_utf8(text)
            .map_err(|_| Error::Refused("the saved state: expected its first part to be text"))?;
        Ok(Self { text, session, console })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written_and_a_cut_one_is_refused() {
        let saved = Saved { text: "mode tetris".into(), session: vec![1, 2], console: vec![3; 300] };
        let bytes = saved.write();
        assert_eq!(Saved::read(&bytes).unwrap(), saved);
        for length in 6..bytes.len() {
            assert!(Saved::read(&bytes[..length]).is_err(), "{length}");
        }
        assert_eq!(Saved::read(b"NESS").unwrap().console, b"NESS");
    }
}
