//! A small file for what changes all the time: whatever ends the process, what was last written is
//! there.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use multiversion::multiversion;

/// Begins each half: the name and the version of the format.
const MAGIC: [u8; 4] = *b"MXJ2";

/// Bytes of a half before its record: magic, owner, number, length, checksum.
const HEAD: usize = 24;

/// Bytes of a half behind its record, for what has changed since.
const LOG: usize = 16 << 10;

/// Bytes of an entry before what has changed: its length, checksum.
const ENTRY: usize = 8;

/// What is written where it differs.
const BLOCK: usize = 64;

/// What is compared first: most of a record is as it was.
const PAIR: usize = 2 * BLOCK;

/// Bytes of a run before the bytes themselves: place, length.
const RUN: usize = 8;

/// A file of two halves, of which one is whole while the other is being written: each has a number
/// and a checksum. The system keeps what a process has written, however the process ends; only a
/// power cut can lose it. So nothing waits for the disk.
///
/// A record that differs little from the last one is not written whole: what has changed is written
/// behind the record, as an entry with a checksum of its own, until there is no more room.
///
/// Both halves are written when the file is made: a disk that fills up later still takes records.
///
/// ```
/// use draft::Journal;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("journal");
/// let mut journal = Journal::open(&path, b"this game", 4)?;
/// journal.write(&[b"two"])?;
/// drop(journal); // or killed
/// assert_eq!(Journal::read(&path, b"this game", 4), Some(b"two".to_vec()));
/// assert_eq!(Journal::read(&path, b"another", 4), None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    owner: u32,
    capacity: usize,
    /// The number of the half that was written last.
    number: u64,
    /// The last record.
    record: Vec<u8>,
    /// Bytes of its half's entries; none while nothing was written since the file was opened.
    entries: Option<usize>,
    /// What is written at once.
    buffer: Vec<u8>,
}

/// A record that was read, and the number of its half.
type Numbered = (u64, Vec<u8>);

impl Journal {
    /// Opens the journal of `owner` at `path`, or makes it, for records of at most `capacity`
    /// bytes. The newest record stays until another is written.
    ///
    /// # Errors
    /// When the file cannot be opened or made whole.
    pub fn open(path: &Path, owner: &[u8], capacity: usize) -> io::Result<Self> {
        let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        let length = 2 * half(capacity);
        let owner = crc32fast::hash(owner);
        let (number, record) = if file.metadata()?.len() == length as u64 {
            newest(&mut file, owner, capacity)?.unwrap_or_default()
        } else {
            file.set_len(0)?;
            file.write_all(&vec![0; length])?;
            Numbered::default()
        };
        Ok(Self { path: path.into(), file, owner, capacity, number, record, entries: None, buffer: vec![] })
    }

    /// Returns the newest whole record of `owner` in the journal at `path`; none where there is no
    /// such file, or none of that owner and capacity.
    pub fn read(path: &Path, owner: &[u8], capacity: usize) -> Option<Vec<u8>> {
        let mut file = File::open(path).ok()?;
        let there = file.metadata().ok()?;
        if !there.is_file() || there.len() != 2 * half(capacity) as u64 {
            return None;
        }
        newest(&mut file, crc32fast::hash(owner), capacity).ok()?.map(|(_, record)| record)
    }

    /// Returns the last record.
    pub fn record(&self) -> &[u8] {
        &self.record
    }

    /// Writes the next record, which is these parts one after the other, if it is another one than
    /// the last.
    ///
    /// # Errors
    /// When it is longer than the capacity, or cannot be written. What was last written is whole
    /// all the same.
    pub fn write(&mut self, parts: &[&[u8]]) -> io::Result<()> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if length > self.capacity {
            let words = format!("expected a record of at most {} bytes, found {length}", self.capacity);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
        }
        let Some(entries) = self.entries.filter(|_| length == self.record.len()) else {
            return self.write_whole(parts);
        };
        self.buffer.clear();
        self.buffer.extend([0; ENTRY]);
        let mut place = 0;
        for part in parts {
            changes(&mut self.record[place..place + part.len()], part, place, &mut self.buffer);
            place += part.len();
        }
        let size = self.buffer.len();
        if size == ENTRY {
            return Ok(()); // it is the same
        }
        if size > length / 2 || entries + size > LOG {
            return self.write_whole(parts);
        }
        self.buffer[..4].copy_from_slice(&((size - ENTRY) as u32).to_le_bytes());
        let sum = entry_sum(self.owner, self.number, entries, &self.buffer);
        self.buffer[4..ENTRY].copy_from_slice(&sum.to_le_bytes());
        // If that fails, the next one is written whole.
        self.entries = None;
        self.put(self.number, HEAD + self.capacity + entries)?;
        self.entries = Some(entries + size);
        Ok(())
    }

    /// Writes a whole record over the older half.
    fn write_whole(&mut self, parts: &[&[u8]]) -> io::Result<()> {
        let number = self.number + 1;
        self.record.clear();
        self.entries = None;
        for part in parts {
            self.record.extend_from_slice(part);
        }
        self.buffer.clear();
        self.buffer.extend(MAGIC);
        self.buffer.extend(self.owner.to_le_bytes());
        self.buffer.extend(number.to_le_bytes());
        self.buffer.extend((self.record.len() as u32).to_le_bytes());
        self.buffer.extend([0; 4]);
        self.buffer.extend_from_slice(&self.record);
        let sum = checksum(&self.buffer);
        self.buffer[HEAD - 4..HEAD].copy_from_slice(&sum.to_le_bytes());
        // Entries of a record that was damaged, of the same number, are none of this one.
        self.buffer.resize(HEAD + self.capacity + ENTRY, 0);
        self.put(number, 0)?;
        (self.number, self.entries) = (number, Some(0));
        Ok(())
    }

    /// Writes what lies in the buffer at a place of the half with this number.
    fn put(&mut self, number: u64, place: usize) -> io::Result<()> {
        let half = (number % 2) as usize * half(self.capacity);
        write_all_at(&mut self.file, &self.buffer, (half + place) as u64)
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file: what it kept is elsewhere now.
    pub fn remove(self) {
        let Self { path, file, .. } = self;
        drop(file); // some systems remove no open file
        // It is looked at again when the next session begins.
        let _ = fs::remove_file(path);
    }
}

/// Writes bytes at a place of a file, by one call of the system where it has one.
fn write_all_at(file: &mut File, bytes: &[u8], place: u64) -> io::Result<()> {
    #[cfg(unix)]
    {
        std::os::unix::fs::FileExt::write_all_at(file, bytes, place)
    }
    #[cfg(not(unix))]
    {
        file.seek(SeekFrom::Start(place))?;
        file.write_all(bytes)
    }
}

/// Returns how many bytes a half has.
fn half(capacity: usize) -> usize {
    HEAD + capacity + LOG
}

/// Writes what of `new` differs from `old` into `old`, and as runs behind `entry`. `first` is the
/// place of both in the record.
#[multiversion(targets("x86_64+avx2"))]
fn changes(old: &mut [u8], new: &[u8], first: usize, entry: &mut Vec<u8>) {
    let mut place = first;
    let ((old, old_rest), (new, new_rest)) = (old.as_chunks_mut::<PAIR>(), new.as_chunks::<PAIR>());
    for (old, new) in old.iter_mut().zip(new) {
        if differ(old, new) {
            let (old, new) = (old.as_chunks_mut::<BLOCK>().0, new.as_chunks::<BLOCK>().0);
            for (at, (old, new)) in (place..).step_by(BLOCK).zip(old.iter_mut().zip(new)) {
                if differ(old, new) {
                    entry.extend_from_slice(&run(at, new));
                    *old = *new;
                }
            }
        }
        place += PAIR;
    }
    if old_rest != new_rest {
        entry.extend_from_slice(&head(place, new_rest.len()));
        entry.extend_from_slice(new_rest);
        old_rest.copy_from_slice(new_rest);
    }
}

/// Returns whether two stretches differ, without a branch on the way.
#[inline(always)]
fn differ<const LEN: usize>(old: &[u8; LEN], new: &[u8; LEN]) -> bool {
    old.iter().zip(new).fold(0, |differs, (old, new)| differs | old ^ new) != 0
}

/// Returns the run of a block: where it lies in the record, how long it is, what stands there now.
#[inline(always)]
fn run(place: usize, new: &[u8; BLOCK]) -> [u8; RUN + BLOCK] {
    let mut run = [0; RUN + BLOCK];
    run[..RUN].copy_from_slice(&head(place, BLOCK));
    run[RUN..].copy_from_slice(new);
    run
}

/// Returns what stands before the bytes of a run.
#[inline(always)]
fn head(place: usize, length: usize) -> [u8; RUN] {
    (place as u64 | (length as u64) << 32).to_le_bytes()
}

/// Returns the checksum of a half's record: of all that is written but the checksum itself.
fn checksum(half: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&half[..HEAD - 4]);
    sum.update(&half[HEAD..]);
    sum.finalize()
}

/// Returns the checksum of an entry at a place among the others of its half. An entry that is left
/// from an earlier record in the same half has another number.
fn entry_sum(owner: u32, number: u64, place: usize, entry: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new_with_initial(owner);
    sum.update(&number.to_le_bytes());
    sum.update(&(place as u32).to_le_bytes());
    sum.update(&entry[..4]);
    sum.update(&entry[ENTRY..]);
    sum.finalize()
}

fn newest(file: &mut File, owner: u32, capacity: usize) -> io::Result<Option<Numbered>> {
    let mut bytes = vec![0; 2 * half(capacity)];
    file.seek(SeekFrom::Start(0))?;
    file.read_exact(&mut bytes)?;
    let halves = bytes.chunks_exact(half(capacity));
    Ok(halves.filter_map(|half| record(half, owner, capacity)).max_by_key(|(number, _)| *number))
}

/// Returns the record of a half with what has changed since, if it is whole and of that owner.
fn record(half: &[u8], owner: u32, capacity: usize) -> Option<Numbered> {
    let (head, rest) = half.split_at(HEAD);
    let (record, mut entries) = rest.split_at(capacity);
    let word = |at: usize| Some(u32::from_le_bytes(head[at..at + 4].try_into().ok()?));
    let number = u64::from_le_bytes(head[8..16].try_into().ok()?);
    let length = word(16)? as usize;
    let mut record = record.get(..length)?.to_vec();
    let is_whole = head.starts_with(&MAGIC)
        && word(4)? == owner
        && word(HEAD - 4)? == checksum(&half[..HEAD + length])
        && number < u64::MAX;
    if !is_whole {
        return None;
    }
    let mut place = 0;
    while let Some((entry, rest)) = entry(entries, owner, number, place) {
        let mut changed = record.clone();
        if apply(&mut changed, &entry[ENTRY..]).is_none() {
            break;
        }
        record = changed;
        entries = rest;
        place += entry.len();
    }
    Some((number, record))
}

/// Returns the first of the entries, if it is whole, and those behind it.
fn entry(entries: &[u8], owner: u32, number: u64, place: usize) -> Option<(&[u8], &[u8])> {
    let length = u32::from_le_bytes(*entries.first_chunk()?) as usize;
    let (entry, rest) = entries.split_at_checked(length.checked_add(ENTRY)?)?;
    let sum = u32::from_le_bytes(entry[4..ENTRY].try_into().ok()?);
    (length > 0 && sum == entry_sum(owner, number, place, entry)).then_some((entry, rest))
}

/// Puts the runs of an entry into a record; none where one lies beyond it.
fn apply(record: &mut [u8], mut runs: &[u8]) -> Option<()> {
    while !runs.is_empty() {
        let (head, rest) = runs.split_first_chunk::<RUN>()?;
        let place = u32::from_le_bytes(head[..4].try_into().ok()?) as usize;
        let length = u32::from_le_bytes(head[4..].try_into().ok()?) as usize;
        let (bytes, rest) = rest.split_at_checked(length)?;
        record.get_mut(place..place.checked_add(length)?)?.copy_from_slice(bytes);
        runs = rest;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: &[u8] = b"owner";

    fn journal(folder: &tempfile::TempDir) -> (PathBuf, Journal) {
        let path = folder.path().join("journal");
        let journal = Journal::open(&path, OWNER, 10).unwrap();
        (path, journal)
    }

    #[test]
    fn the_newest_record_is_there_again_and_is_gone_once_it_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (path, mut open) = journal(&folder);
        assert_eq!(Journal::read(&path, OWNER, 10), None, "nothing is written yet");
        for record in [&b"one"[..], b"", b"the longest"].map(|record| &record[..record.len().min(10)]) {
            open.write(&[record]).unwrap();
            assert_eq!(Journal::read(&path, OWNER, 10).as_deref(), Some(record));
        }
        assert!(open.write(&[b"0123456789", b"a"]).is_err());
        drop(open);
        // The next session goes on behind it.
        let (_, mut again) = journal(&folder);
        assert_eq!(Journal::read(&path, OWNER, 10).as_deref(), Some(&b"the longes"[..]));
        again.write(&[b"ne", b"xt"]).unwrap();
        assert_eq!(Journal::read(&path, OWNER, 10).as_deref(), Some(&b"next"[..]));
        again.remove();
        assert!(!path.exists());
    }

    #[test]
    fn a_record_that_is_cut_anywhere_leaves_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let (path, mut open) = journal(&folder);
        open.write(&[b"first"]).unwrap();
        let before = fs::read(&path).unwrap();
        open.write(&[b"second"]).unwrap();
        let after = fs::read(&path).unwrap();
        let changed: Vec<_> = (0..before.len()).filter(|&at| before[at] != after[at]).collect();
        for end in changed[0]..=changed[changed.len() - 1] {
            let cut = [&after[..end], &before[end..]].concat();
            fs::write(&path, cut).unwrap();
            assert_eq!(Journal::read(&path, OWNER, 10).as_deref(), Some(&b"first"[..]), "cut at {end}");
        }
        fs::write(&path, &after).unwrap();
        assert_eq!(Journal::read(&path, OWNER, 10).as_deref(), Some(&b"second"[..]));
    }

    #[test]
    fn no_flipped_bit_and_no_other_owner_gives_a_record_that_was_never_written() {
        const LONG: usize = 300;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut open = Journal::open(&path, OWNER, LONG).unwrap();
        let mut records = vec![vec![1; LONG], vec![2; LONG]];
        // Written whole, and then as entries.
        for at in [0, 70, 140] {
            let mut record = records[records.len() - 1].clone();
            record[at] = 3;
            records.push(record);
        }
        for record in &records {
            open.write(&[record]).unwrap();
        }
        let whole = fs::read(&path).unwrap();
        for at in (0..whole.len()).filter(|at| at % half(LONG) < HEAD + LONG + 300) {
            for bit in [at % 8, (at + 3) % 8] {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                fs::write(&path, bytes).unwrap();
                let read = Journal::read(&path, OWNER, LONG).unwrap();
                assert!(records.contains(&read), "byte {at}, bit {bit}: {read:?}");
            }
        }
        fs::write(&path, &whole).unwrap();
        assert_eq!(Journal::read(&path, OWNER, LONG).as_ref(), records.last());
        assert_eq!(Journal::read(&path, b"other", LONG), None);
        assert_eq!(Journal::read(&path, OWNER, LONG + 1), None);
        assert_eq!(Journal::read(folder.path(), OWNER, LONG), None);
    }

    /// Battery RAM of which a few bytes change each frame, sometimes more.
    #[test]
    fn what_changes_a_little_is_read_as_it_was_last_written_after_any_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (mut random, mut ram) = (7_u32, vec![0_u8; 0x2000]);
        let mut next = move || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            random as usize >> 8
        };
        let mut open = Journal::open(&path, OWNER, ram.len() + 4).unwrap();
        let (mut bytes_before, mut ram_before) = (fs::read(&path).unwrap(), None);
        for frame in 0..700_u32 {
            let count = match next() % 40 {
                0 => 0,
                1 => 3_000,
                _ => 1 + next() % 4,
            };
            for _ in 0..count {
                ram[next() % 0x2000] = next() as u8;
            }
            // What stands before the RAM changes now and then, too.
            let head = (frame / 100).to_le_bytes();
            open.write(&[&head, &ram]).unwrap();
            let now = [&head[..], &ram].concat();
            assert_eq!(open.record(), now);
            let bytes = fs::read(&path).unwrap();
            assert_eq!(Journal::read(&path, OWNER, ram.len() + 4).as_ref(), Some(&now), "frame {frame}");
            if frame % 50 == 3 {
                // The end in the middle of the write.
                let changed: Vec<_> = (0..bytes.len()).filter(|&at| bytes[at] != bytes_before[at]).collect();
                if let [first, .., last] = changed[..] {
                    let end = first + next() % (last - first);
                    fs::write(&path, [&bytes[..end], &bytes_before[end..]].concat()).unwrap();
                    let read = Journal::read(&path, OWNER, ram.len() + 4);
                    assert_eq!(read, ram_before, "frame {frame}, cut at {end}");
                    open = Journal::open(&path, OWNER, ram.len() + 4).unwrap();
                    open.write(&[&head, &ram]).unwrap();
                }
            }
            (bytes_before, ram_before) = (fs::read(&path).unwrap(), Some(now));
        }
    }

    /// Found by `cargo xtask fuzz --target journal --seed 7`: the next record has the number of the
    /// damaged one.
    #[test]
    fn entries_of_a_damaged_record_are_none_of_the_next_one() {
        const LONG: usize = 300;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut open = Journal::open(&path, OWNER, LONG).unwrap();
        let mut record = [1; LONG];
        open.write(&[&record]).unwrap();
        record[0] = 2;
        open.write(&[&record]).unwrap();
        drop(open);
        let mut bytes = fs::read(&path).unwrap();
        assert!(bytes[half(LONG) + HEAD + LONG..].iter().any(|byte| *byte != 0), "an entry");
        bytes[half(LONG) + HEAD + 4] ^= 1;
        fs::write(&path, bytes).unwrap();
        assert_eq!(Journal::read(&path, OWNER, LONG), None);
        Journal::open(&path, OWNER, LONG).unwrap().write(&[&[3; LONG]]).unwrap();
        assert_eq!(Journal::read(&path, OWNER, LONG), Some(vec![3; LONG]));
    }

    /// The fuzz target `journal` does the same for longer.
    #[test]
    fn a_damaged_file_gives_what_was_written_and_takes_the_next_record() {
        const LONG: usize = 256;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (mut ram, mut records) = ([1; LONG], Vec::new());
        let mut open = Journal::open(&path, OWNER, LONG).unwrap();
        for frame in 1..9_u8 {
            if frame < 3 {
                ram.fill(frame);
            }
            ram[usize::from(frame) * 20] = frame;
            open.write(&[&ram]).unwrap();
            records.push(ram.to_vec());
        }
        let whole = fs::read(&path).unwrap();
        let mut random = 7_u32;
        let mut next = move |below: usize| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) as usize % below
        };
        for case in 0..400 {
            let mut bytes = whole.clone();
            for _ in 0..=next(4) {
                let at = next(2) * half(LONG) + next(700);
                match next(3) {
                    0 => bytes[at] = next(256) as u8,
                    1 => bytes[at..at + 8].fill(0xFF),
                    _ => {
                        let from = next(700);
                        bytes.copy_within(from..from + 30, at);
                    }
                }
            }
            fs::write(&path, &bytes).unwrap();
            let read = Journal::read(&path, OWNER, LONG);
            assert!(read.as_ref().is_none_or(|record| records.contains(record)), "case {case}: {read:?}");
            let record = [next(256) as u8; LONG];
            Journal::open(&path, OWNER, LONG).unwrap().write(&[&record]).unwrap();
            assert_eq!(Journal::read(&path, OWNER, LONG).as_deref(), Some(&record[..]), "case {case}");
        }
    }

    #[test]
    fn a_few_changed_bytes_are_a_few_written_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut ram = vec![0_u8; 0x2000];
        let mut open = Journal::open(&path, OWNER, ram.len()).unwrap();
        open.write(&[&ram]).unwrap();
        for byte in 1..=9 {
            let before = fs::read(&path).unwrap();
            ram[usize::from(byte) * 700] = byte;
            open.write(&[&ram]).unwrap();
            let after = fs::read(&path).unwrap();
            assert!(before.iter().zip(&after).filter(|(before, after)| before != after).count() < 100);
            open.write(&[&ram]).unwrap();
            assert_eq!(fs::read(&path).unwrap(), after, "nothing has changed");
        }
    }
}
