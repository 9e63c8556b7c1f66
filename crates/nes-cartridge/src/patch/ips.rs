//! IPS: records of an offset, a length and bytes. It knows nothing of the file that it is for.

use alloc::vec::Vec;

use super::{PatchError, Reader};

/// A patch's first bytes.
pub const HEADER: &[u8] = b"PATCH";
/// Its last, where an offset would stand.
const FOOTER: &[u8] = b"EOF";
/// The offset that reads as the footer.
const FOOTER_OFFSET: usize = 0x45_4F46;
/// Bytes that a record can hold.
const LONGEST: usize = 0xFFFF;
/// Bytes that all records together may write: one that repeats a byte is eight bytes long and
/// writes up to 65,535, so that a hostile patch could be hours of work.
const MOST_WRITTEN: usize = 16 << 24;
/// The longest file: an offset has 24 bits.
pub const LIMIT: usize = 0xFF_FFFF;

/// The patch that makes `new` of `old`: a record for each run of bytes that differ, and where `new`
/// is shorter, its length after the footer.
///
/// # Errors
/// [`PatchError::TooLarge`]: `new` is longer than an offset can say.
pub fn write(old: &[u8], new: &[u8]) -> Result<Vec<u8>, PatchError> {
    if new.len() > LIMIT {
        return Err(PatchError::TooLarge { found: new.len(), limit: LIMIT });
    }
    let differs = |at: usize| old.get(at) != new.get(at);
    let mut patch = HEADER.to_vec();
    let mut at = 0;
    while at < new.len() {
        if !differs(at) {
            at += 1;
            continue;
        }
        // A record may begin with a byte that is the same.
        let begin = if at == FOOTER_OFFSET { at - 1 } else { at };
        let end = (at..new.len().min(begin + LONGEST)).find(|&at| !differs(at));
        let end = end.unwrap_or(new.len().min(begin + LONGEST));
        patch.extend(&(begin as u32).to_be_bytes()[1..]);
        patch.extend(((end - begin) as u16).to_be_bytes());
        patch.extend(&new[begin..end]);
        at = end;
    }
    patch.extend(FOOTER);
    if new.len() < old.len() {
        patch.extend(&(new.len() as u32).to_be_bytes()[1..]);
    }
    Ok(patch)
}

/// `source` after the patch. Records beyond its end make it longer, with zeros in between, up to 16
/// MiB and a record.
///
/// # Errors
/// The patch does not open as one, it is not whole, or it writes the same bytes over and over.
pub fn apply(patch: &[u8], source: &[u8]) -> Result<Vec<u8>, PatchError> {
    let mut reader = Reader::new(patch);
    let header = reader.take(HEADER.len().min(patch.len()))?;
    if header != HEADER {
        return Err(PatchError::Format { found: header.to_vec() });
    }
    let mut target = source.to_vec();
    let mut written = 0;
    loop {
        let offset = reader.big_endian(FOOTER.len())?;
        if offset == FOOTER_OFFSET && matches!(reader.left(), 0 | 3) {
            break;
        }
        let length = reader.big_endian(2)?;
        let (length, bytes): (usize, Vec<u8>) = match length {
            0 => {
                let length = reader.big_endian(2)?;
                (length, core::iter::repeat_n(reader.byte()?, length).collect())
            }
            _ => (length, reader.take(length)?.to_vec()),
        };
        written += length;
        if written > MOST_WRITTEN {
            return Err(PatchError::Excess { limit: MOST_WRITTEN });
        }
        let end = offset + length;
        if target.len() < end {
            target.resize(end, 0);
        }
        target[offset..end].copy_from_slice(&bytes);
    }
    if reader.left() > 0 {
        target.truncate(reader.big_endian(3)?);
    }
    Ok(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_holds_a_run_of_bytes_that_differ() {
        let old = [0; 0x300];
        let mut new = old;
        (new[1], new[2], new[0x2FF]) = (7, 8, 9);
        let patch = b"PATCH\x00\x00\x01\x00\x02\x07\x08\x00\x02\xFF\x00\x01\x09EOF";
        assert_eq!(write(&old, &new).unwrap(), patch);
        assert_eq!(apply(patch, &old).unwrap(), new);
        assert_eq!(write(&old, &old).unwrap(), b"PATCHEOF");
    }

    #[test]
    fn no_record_begins_at_the_offset_that_reads_as_the_footer() {
        let old = vec![0; FOOTER_OFFSET + 2];
        let mut new = old.clone();
        new[FOOTER_OFFSET] = 1;
        let patch = write(&old, &new).unwrap();
        assert_eq!(patch, b"PATCHEOE\x00\x02\x00\x01EOF");
        assert_eq!(apply(&patch, &old).unwrap(), new);
    }

    #[test]
    fn a_run_longer_than_a_record_is_several() {
        let (old, new) = (vec![0; 0x2_0010], vec![1; 0x2_0010]);
        let patch = write(&old, &new).unwrap();
        assert_eq!(patch.len(), 5 + 3 * 5 + new.len() + 3);
        assert_eq!(apply(&patch, &old).unwrap(), new);
    }

    #[test]
    fn a_record_without_length_repeats_a_byte() {
        assert_eq!(apply(b"PATCH\x00\x00\x02\x00\x00\x00\x03\x07EOF", b"ab").unwrap(), b"ab\x07\x07\x07");
    }

    #[test]
    fn what_is_no_whole_patch_is_an_error() {
        let patch = b"PATCH\x00\x00\x01\x00\x02\x07\x08EOF";
        for end in 0..patch.len() {
            assert!(apply(&patch[..end], b"abc").is_err(), "{end} bytes");
        }
        assert!(matches!(apply(b"PATCHEOFxx", b""), Err(PatchError::Truncated { .. })));
    }

    #[test]
    fn a_patch_that_writes_for_ever_is_refused() {
        let record = [0, 0, 0, 0, 0, 0xFF, 0xFF, 1];
        let patch = |records| [HEADER, &record.repeat(records), FOOTER].concat();
        assert_eq!(apply(&patch(4096), b"").unwrap().len(), 0xFFFF);
        assert!(matches!(apply(&patch(4098), b""), Err(PatchError::Excess { .. })));
    }
}
