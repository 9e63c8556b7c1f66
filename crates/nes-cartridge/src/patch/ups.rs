//! UPS (source: byuu, "UPS patch file format specification", 2008): bytes to XOR, with a check sum
//! of each of the two files and of the patch. Beyond its end a file counts as zeros.

use alloc::vec::Vec;

use super::{PatchError, Reader, Summed, believed, number, sum};

/// A patch's first bytes.
pub const HEADER: &[u8] = b"UPS1";

/// Returns the patch that makes `new` of `old`: for each run of bytes that differ, the distance
/// from the last one, and the bytes to XOR up to the first that is the same.
pub fn write(old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut patch = HEADER.to_vec();
    number(&mut patch, old.len());
    number(&mut patch, new.len());
    let longest = old.len().max(new.len());
    let difference = |at: usize| {
        let byte = |file: &[u8]| file.get(at).copied().unwrap_or(0);
        byte(old) ^ byte(new)
    };
    let (mut at, mut from) = (0, 0);
    while at < longest {
        if difference(at) == 0 {
            at += 1;
            continue;
        }
        number(&mut patch, at - from);
        while at < longest && difference(at) != 0 {
            patch.push(difference(at));
            at += 1;
        }
        patch.push(0);
        // The zero stands for a byte that is the same, or for one beyond the end.
        at += 1;
        from = at;
    }
    sum(&mut patch, old, new);
    patch
}

/// Returns `source` after the patch.
///
/// # Errors
/// The patch is damaged, it is for another file, or it contradicts itself.
pub fn apply(patch: &[u8], source: &[u8]) -> Result<Vec<u8>, PatchError> {
    let summed = Summed::of(patch, HEADER.len())?;
    let mut reader = Reader::new(summed.body);
    let header = reader.take(HEADER.len())?;
    if header != HEADER {
        return Err(PatchError::Format { found: header.to_vec() });
    }
    let size = reader.number()?;
    summed.check_source(source, size)?;
    let size = believed(reader.number()?)?;
    let mut target = source.to_vec();
    target.resize(size, 0);
    // What the shorter file lacks is not kept, but may be named.
    let longest = size.max(source.len());
    let mut at = 0_usize;
    while reader.left() > 0 {
        let outside = PatchError::Outside { at: reader.at };
        at = at.checked_add(reader.number()?).ok_or_else(|| outside.clone())?;
        loop {
            let bits = reader.byte()?;
            if bits == 0 {
                at += 1;
                break;
            }
            if at >= longest {
                return Err(outside);
            }
            if let Some(byte) = target.get_mut(at) {
                *byte ^= bits;
            }
            at += 1;
        }
        if at > longest + 1 {
            return Err(outside);
        }
    }
    summed.check_target(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_a_distance_bytes_to_xor_and_a_zero() {
        let (old, new) = (b"abcdef", b"abXdeY");
        let patch = write(old, new);
        let body = [b"UPS1\x86\x86".as_slice(), &[0x82, b'c' ^ b'X', 0, 0x81, b'f' ^ b'Y', 0]].concat();
        assert_eq!(patch[..patch.len() - 12], body);
        assert_eq!(apply(&patch, old).unwrap(), new);
    }

    #[test]
    fn runs_that_lead_outside_are_errors() {
        let old = b"abcd";
        for runs in [
            &[0x84, 1, 0][..],                     // behind the end
            &[0x80, 1, 1, 1, 1, 1, 0],             // over the end
            &[0x80, 1],                            // without an end
            &[0x8F, 0],                            // nothing, far behind the end
            &[0x7F, 0x7F, 0x7F, 0x7F, 0xFF, 1, 0], // far behind the end
        ] {
            let mut patch = [HEADER, &[0x84, 0x84], runs].concat();
            sum(&mut patch, old, old);
            assert!(apply(&patch, old).is_err(), "{runs:02X?}");
        }
        let mut patch = [HEADER, &[0x84, 0x7F, 0x7F, 0x7F, 0x7F, 0xFF]].concat();
        sum(&mut patch, old, old);
        assert!(matches!(apply(&patch, old), Err(PatchError::TooLarge { .. })));
    }
}
