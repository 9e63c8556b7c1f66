//! BPS (source: byuu, "BPS file format specification", 2012): what to take from where, with a check
//! sum of each of the two files and of the patch.

use alloc::vec::Vec;

use super::{LIMIT, PatchError, Reader, Summed, believed, number, sum};

/// A patch's first bytes.
pub const HEADER: &[u8] = b"BPS1";
/// Runs of bytes that are the same and shorter than this are not worth an action of their own.
const SHORTEST_COPY: usize = 4;

/// What an action does, as its lower two bits. 3 takes bytes of the new file, those included that
/// it makes itself.
mod action {
    /// Takes bytes of the old file at the same place.
    pub(super) const SOURCE_READ: usize = 0;
    /// Takes bytes of the patch.
    pub(super) const TARGET_READ: usize = 1;
    /// Takes bytes of the old file at another place.
    pub(super) const SOURCE_COPY: usize = 2;
}

/// The patch that makes `new` of `old`, by what is the same at the same place.
pub fn write(old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut patch = HEADER.to_vec();
    number(&mut patch, old.len());
    number(&mut patch, new.len());
    number(&mut patch, 0); // bytes of metadata
    let same =
        |at: usize| old[at.min(old.len())..].iter().zip(&new[at..]).take_while(|(a, b)| a == b).count();
    let (mut at, mut unsaid) = (0, 0);
    while at < new.len() {
        let run = same(at);
        if run < SHORTEST_COPY && at + run < new.len() {
            at += run + 1;
            continue;
        }
        literal(&mut patch, &new[unsaid..at]);
        number(&mut patch, (run - 1) << 2 | action::SOURCE_READ);
        at += run;
        unsaid = at;
    }
    literal(&mut patch, &new[unsaid..]);
    sum(&mut patch, old, new);
    patch
}

fn literal(patch: &mut Vec<u8>, bytes: &[u8]) {
    if !bytes.is_empty() {
        number(patch, (bytes.len() - 1) << 2 | action::TARGET_READ);
        patch.extend(bytes);
    }
}

/// `source` after the patch.
///
/// # Errors
/// The patch is none or not whole, or `source` is not the file that it is for.
pub fn apply(patch: &[u8], source: &[u8]) -> Result<Vec<u8>, PatchError> {
    if !patch.starts_with(HEADER) {
        return Err(PatchError::Format { found: patch[..patch.len().min(HEADER.len())].to_vec() });
    }
    let summed = Summed::of(patch, HEADER.len())?;
    let mut reader = Reader::new(summed.body);
    reader.take(HEADER.len())?;
    let size = reader.number()?;
    summed.check_source(source, size)?;
    let size = believed(reader.number()?)?;
    let metadata = reader.number()?;
    reader.take(metadata)?;
    summed.check_target(reader.actions(source, size)?)
}

impl Reader<'_> {
    /// What all actions make of `source`, `size` bytes and no more.
    fn actions(&mut self, source: &[u8], size: usize) -> Result<Vec<u8>, PatchError> {
        let mut target = Vec::new();
        let (mut source_place, mut target_place) = (0, 0);
        while self.left() > 0 {
            let outside = PatchError::Outside { at: self.at };
            let action = self.number()?;
            let length = (action >> 2) + 1;
            let end = target.len() + length;
            if end > size {
                return Err(PatchError::Length { expected: size, found: end });
            }
            match action & 3 {
                action::SOURCE_READ => target.extend(source.get(target.len()..end).ok_or(outside)?),
                action::TARGET_READ => target.extend(self.take(length)?),
                action::SOURCE_COPY => {
                    source_place = self.place(source_place)?;
                    let end = source_place + length;
                    target.extend(source.get(source_place..end).ok_or(outside)?);
                    source_place = end;
                }
                _ => {
                    target_place = self.place(target_place)?;
                    for _ in 0..length {
                        let byte = *target.get(target_place).ok_or_else(|| outside.clone())?;
                        target.push(byte);
                        target_place += 1;
                    }
                }
            }
        }
        if target.len() != size {
            return Err(PatchError::Length { expected: size, found: target.len() });
        }
        Ok(target)
    }

    /// A place so many bytes after `from`, or before it where bit 0 is on.
    fn place(&mut self, from: usize) -> Result<usize, PatchError> {
        let outside = PatchError::Outside { at: self.at };
        let distance = self.number()?;
        let bytes = distance >> 1;
        let place = if distance & 1 == 0 { from.checked_add(bytes) } else { from.checked_sub(bytes) };
        place.filter(|&place| place <= LIMIT).ok_or(outside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A patch with its check sums.
    fn whole(old: &[u8], new: &[u8], actions: &[u8]) -> Vec<u8> {
        let mut patch = HEADER.to_vec();
        for size in [old.len(), new.len(), 0] {
            number(&mut patch, size);
        }
        patch.extend(actions);
        for sum in [crc32fast::hash(old), crc32fast::hash(new)] {
            patch.extend(sum.to_le_bytes());
        }
        patch.extend(crc32fast::hash(&patch).to_le_bytes());
        patch
    }

    #[test]
    fn the_four_actions_take_bytes_from_where_the_specification_says() {
        let (old, new) = (b"abcdef", b"abXYefabababa");
        let actions = [
            0x80 | 1 << 2,     // source read, 2
            0x80 | 1 << 2 | 1, // target read, 2
            b'X',
            b'Y',
            0x80 | 1 << 2, // source read, 2
            0x80 | 1 << 2 | 2,
            0x80, // source copy, 2 from 0
            0x80 | 4 << 2 | 3,
            0x80 | 6 << 1, // target copy, 5 from 6: its own output
        ];
        assert_eq!(apply(&whole(old, new, &actions), old).unwrap(), new);
    }

    #[test]
    fn actions_that_lead_outside_are_errors() {
        let (old, new) = (b"abcd", b"abcdabcd");
        for actions in [
            &[0x80 | 7 << 2][..],            // more than the source has
            &[0x80 | 7 << 2 | 2, 0x80],      // the same by copy
            &[0x80 | 3 << 2 | 2, 0x83],      // before its begin
            &[0x80 | 3 << 2 | 3, 0x80],      // nothing is made yet
            &[0x80 | 8 << 2],                // more than is to be made
            &[0x80 | 3 << 2],                // less
            &[0x7F, 0x7F, 0x7F, 0x7F, 0xFF], // far more
        ] {
            assert!(apply(&whole(old, new, actions), old).is_err(), "{actions:02X?}");
        }
    }
}
