//! Traces: what was held and poked, and what RAM held after every frame of a cartridge that played
//! it.
//!
//! Two forms are read. One is a record a frame: buttons, number of pokes, so many of address and
//! value, number of changes, so many of address and value; addresses and the number of changes in
//! two bytes, low first. The other begins with [`MAGIC`] and has the same in columns, which pack
//! better. Both are what a decompressor gives.

use thiserror::Error;

use super::Replay;

/// What a trace in columns begins with.
pub const MAGIC: &[u8; 8] = b"MXTRACE1";
/// Frames that a trace may have: a day's.
const MOST_FRAMES: usize = 5_200_000;
/// Columns: buttons with pokes, numbers of changes, addresses as steps, values less what was there.
const COLUMNS: usize = 4;
/// In the column of addresses: two bytes of address follow, not a step.
const FAR: u8 = 0xFF;

/// Why bytes are no trace.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TraceError {
    /// It ends within a frame.
    #[error("frame {frame}: expected {expected} more bytes, found the end of the trace")]
    End {
        /// The frame, the first being 1.
        frame: usize,
        /// Bytes that are missing at least.
        expected: usize,
    },
    /// An address that is none of RAM's.
    #[error("frame {frame}: expected an address of RAM, $0000 to $07FF, found ${address:04X}")]
    Address {
        /// The frame, the first being 1.
        frame: usize,
        /// The address found.
        address: u16,
    },
    /// There is none.
    #[error("expected at least a frame, found an empty trace")]
    Empty,
    /// More than a day.
    #[error("expected at most {MOST_FRAMES} frames, found more")]
    Long,
    /// Bytes behind the last frame of a trace in columns.
    #[error("expected the end of the trace behind its {frames} frames, found {left} more bytes")]
    Rest {
        /// Frames that its header names.
        frames: usize,
        /// Bytes left in its columns.
        left: usize,
    },
}

/// A change of a byte of RAM.
pub type Change = (u16, u8);

/// A trace, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    frames: Vec<Record>,
    changes: Vec<Change>,
}

/// Where the frame's changes end: first its pokes, then what the frame itself did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Record {
    buttons: u8,
    pokes_end: u32,
    end: u32,
}

/// A frame of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Buttons held on the first pad.
    pub buttons: u8,
    /// Written to RAM before the frame.
    pub pokes: &'a [Change],
    /// What RAM holds after the frame where it is another value than before, pokes included.
    pub changes: &'a [Change],
}

impl Trace {
    /// Reads either form.
    ///
    /// # Errors
    /// The first thing found wrong.
    pub fn parse(bytes: &[u8]) -> Result<Self, TraceError> {
        let mut trace = Self { frames: Vec::new(), changes: Vec::new() };
        match bytes.strip_prefix(MAGIC) {
            Some(columns) => trace.read_columns(columns)?,
            None => trace.read_records(bytes)?,
        }
        if trace.frames.is_empty() { Err(TraceError::Empty) } else { Ok(trace) }
    }

    /// Its frames in order.
    pub fn frames(&self) -> impl Iterator<Item = Frame<'_>> {
        let begins = std::iter::once(0).chain(self.frames.iter().map(|frame| frame.end as usize));
        self.frames.iter().zip(begins).map(|(frame, begin)| Frame {
            buttons: frame.buttons,
            pokes: &self.changes[begin..frame.pokes_end as usize],
            changes: &self.changes[frame.pokes_end as usize..frame.end as usize],
        })
    }

    /// How many they are, one at least.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Never: a trace has a frame at least.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The model beside the trace.
    pub fn replay<'rom>(&self) -> Replay<'_, 'rom> {
        Replay::new(self)
    }

    /// The same with only those changes for which `keeps` says so of the address.
    #[must_use]
    pub fn filtered(&self, keeps: impl Fn(u16) -> bool) -> Self {
        let mut kept = Self { frames: Vec::new(), changes: Vec::new() };
        for frame in self.frames() {
            kept.changes.extend(frame.pokes);
            let pokes_end = kept.changes.len() as u32;
            kept.changes.extend(frame.changes.iter().filter(|&&(address, _)| keeps(address)));
            let end = kept.changes.len() as u32;
            kept.frames.push(Record { buttons: frame.buttons, pokes_end, end });
        }
        kept
    }

    /// The trace in columns, to be compressed.
    pub fn to_columns(&self) -> Vec<u8> {
        let mut columns: [Vec<u8>; COLUMNS] = Default::default();
        let [held, counts, addresses, values] = &mut columns;
        let mut ram = [0u8; 0x800];
        for frame in self.frames() {
            held.extend([frame.buttons, frame.pokes.len() as u8]);
            for &(address, value) in frame.pokes {
                held.extend(address.to_le_bytes());
                held.push(value);
                ram[usize::from(address)] = value;
            }
            counts.extend((frame.changes.len() as u16).to_le_bytes());
            let mut last = 0;
            for &(address, value) in frame.changes {
                match u8::try_from(address.wrapping_sub(last)) {
                    Ok(step) if step != FAR => addresses.push(step),
                    _ => {
                        addresses.push(FAR);
                        addresses.extend(address.to_le_bytes());
                    }
                }
                let place = &mut ram[usize::from(address)];
                values.push(value.wrapping_sub(*place));
                (*place, last) = (value, address);
            }
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.frames.len() as u32).to_le_bytes());
        for column in &columns {
            bytes.extend((column.len() as u32).to_le_bytes());
        }
        bytes.extend(columns.concat());
        bytes
    }

    fn read_records(&mut self, bytes: &[u8]) -> Result<(), TraceError> {
        let mut reader = Reader { bytes, frame: 0 };
        while !reader.bytes.is_empty() {
            reader.frame += 1;
            let buttons = self.read_pokes(&mut reader)?;
            let pokes_end = self.changes.len() as u32;
            for _ in 0..reader.word()? {
                let address = reader.address()?;
                self.changes.push((address, reader.byte()?));
            }
            self.push(buttons, pokes_end)?;
        }
        Ok(())
    }

    /// Buttons and pokes of a frame, which are the same in both forms. Out: the buttons.
    fn read_pokes(&mut self, reader: &mut Reader) -> Result<u8, TraceError> {
        let buttons = reader.byte()?;
        for _ in 0..reader.byte()? {
            let address = reader.address()?;
            self.changes.push((address, reader.byte()?));
        }
        Ok(buttons)
    }

    fn read_columns(&mut self, bytes: &[u8]) -> Result<(), TraceError> {
        let mut reader = Reader { bytes, frame: 1 };
        let frames = reader.long()?;
        let mut lengths = [0; COLUMNS];
        for length in &mut lengths {
            *length = reader.long()?;
        }
        let [mut held, mut counts, mut addresses, mut values] = [Reader { bytes: &[], frame: 1 }; COLUMNS];
        for (column, length) in [&mut held, &mut counts, &mut addresses, &mut values].into_iter().zip(lengths)
        {
            column.bytes = reader.take(length)?;
        }
        let mut ram = [0u8; 0x800];
        for frame in 1..=frames {
            for column in [&mut held, &mut counts, &mut addresses, &mut values] {
                column.frame = frame;
            }
            let begin = self.changes.len();
            let buttons = self.read_pokes(&mut held)?;
            let pokes_end = self.changes.len();
            for &(address, value) in &self.changes[begin..] {
                ram[usize::from(address)] = value;
            }
            let mut address = 0u16;
            for _ in 0..counts.word()? {
                address = match addresses.byte()? {
                    FAR => addresses.word()?,
                    step => address.wrapping_add(step.into()),
                };
                let place =
                    ram.get_mut(usize::from(address)).ok_or(TraceError::Address { frame, address })?;
                *place = place.wrapping_add(values.byte()?);
                self.changes.push((address, *place));
            }
            self.push(buttons, pokes_end as u32)?;
        }
        let left = [held, counts, addresses, values, reader].iter().map(|column| column.bytes.len()).sum();
        if left == 0 { Ok(()) } else { Err(TraceError::Rest { frames, left }) }
    }

    fn push(&mut self, buttons: u8, pokes_end: u32) -> Result<(), TraceError> {
        if self.frames.len() == MOST_FRAMES {
            return Err(TraceError::Long);
        }
        self.frames.push(Record { buttons, pokes_end, end: self.changes.len() as u32 });
        Ok(())
    }
}

/// Bytes not yet read, and the frame they belong to.
#[derive(Clone, Copy)]
struct Reader<'a> {
    bytes: &'a [u8],
    frame: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], TraceError> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(TraceError::End {
            frame: self.frame,
            expected: length.saturating_sub(self.bytes.len()),
        })?;
        self.bytes = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, TraceError> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn word(&mut self) -> Result<u16, TraceError> {
        self.take(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn long(&mut self) -> Result<usize, TraceError> {
        self.take(4).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    }

    fn address(&mut self) -> Result<u16, TraceError> {
        let address = self.word()?;
        if address < 0x800 { Ok(address) } else { Err(TraceError::Address { frame: self.frame, address }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two frames: a poke and two changes, then none.
    const RECORDS: [u8; 18] = [0x10, 1, 0x64, 0, 9, 2, 0, 0x17, 0, 5, 0xFF, 7, 6, 0x80, 0, 0, 0, 0];

    #[test]
    fn both_forms_hold_the_same() {
        let trace = Trace::parse(&RECORDS[..17]).unwrap();
        let frames: Vec<_> = trace.frames().collect();
        assert_eq!(frames[0].pokes, [(0x64, 9)]);
        assert_eq!(frames[0].changes, [(0x17, 5), (0x7FF, 6)]);
        assert_eq!((frames[1].buttons, frames[1].changes.len(), trace.len()), (0x80, 0, 2));
        assert_eq!(Trace::parse(&trace.to_columns()), Ok(trace));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_frame() {
        assert_eq!(Trace::parse(&[]), Err(TraceError::Empty));
        assert_eq!(Trace::parse(&RECORDS), Err(TraceError::End { frame: 3, expected: 1 }));
        assert_eq!(Trace::parse(&[0, 1, 0, 8, 0]), Err(TraceError::Address { frame: 1, address: 0x800 }));
        let mut columns = Trace::parse(&RECORDS[..17]).unwrap().to_columns();
        columns.push(0);
        assert_eq!(Trace::parse(&columns), Err(TraceError::Rest { frames: 2, left: 1 }));
    }

    #[test]
    fn no_bytes_make_it_panic_or_allocate_what_they_claim() {
        let columns = Trace::parse(&RECORDS[..17]).unwrap().to_columns();
        let mut chance = crate::SplitMix64::new(1);
        for _ in 0..20_000 {
            let mut bytes = if chance.one_in(2) { columns.clone() } else { RECORDS.to_vec() };
            for _ in 0..=chance.below(3) {
                let at = chance.below(bytes.len() as u32) as usize;
                bytes[at] = chance.next_u64() as u8;
            }
            bytes.truncate(chance.below(bytes.len() as u32 + 1) as usize);
            if let Ok(trace) = Trace::parse(&bytes) {
                assert!(trace.frames().count() <= bytes.len());
            }
        }
    }
}
