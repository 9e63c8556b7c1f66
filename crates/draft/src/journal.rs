//! A small file for what changes all the time: whatever ends the process, what was last written is
//! there.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Begins each half: the name and the version of the format.
const MAGIC: [u8; 4] = *b"MXJ1";

/// Bytes of a half before its record: magic, owner, number, length, checksum.
const HEAD: usize = 24;

/// A file of two halves, which are written in turn: while one is being written the other is whole,
/// and each has a number and a checksum. The system keeps what a process has written, however the
/// process ends; only a power cut can lose it. So nothing waits for the disk.
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
    /// The number of the newest record.
    number: u64,
    /// A half as it is written.
    half: Vec<u8>,
}

/// A record that was read, and its number.
type Numbered = (u64, Vec<u8>);

impl Journal {
    /// Opens the journal of `owner` at `path`, or makes it, for records of at most `capacity`
    /// bytes. The newest record stays until two others are written.
    ///
    /// # Errors
    /// When the file cannot be opened or made whole.
    pub fn open(path: &Path, owner: &[u8], capacity: usize) -> io::Result<Self> {
        let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        let length = 2 * (HEAD + capacity);
        let owner = crc32fast::hash(owner);
        let number = if file.metadata()?.len() == length as u64 {
            newest(&mut file, owner, capacity)?.map_or(0, |(number, _)| number)
        } else {
            file.set_len(0)?;
            file.write_all(&vec![0; length])?;
            0
        };
        Ok(Self {
            path: path.into(),
            file,
            owner,
            capacity,
            number,
            half: Vec::with_capacity(HEAD + capacity),
        })
    }

    /// Returns the newest whole record of `owner` in the journal at `path`; none where there is no
    /// such file, or none of that owner and capacity.
    pub fn read(path: &Path, owner: &[u8], capacity: usize) -> Option<Vec<u8>> {
        let mut file = File::open(path).ok()?;
        let there = file.metadata().ok()?;
        if !there.is_file() || there.len() != 2 * (HEAD + capacity) as u64 {
            return None;
        }
        newest(&mut file, crc32fast::hash(owner), capacity).ok()?.map(|(_, record)| record)
    }

    /// Writes the next record, which is these parts one after the other, over the older half.
    ///
    /// # Errors
    /// When it is longer than the capacity, or cannot be written. The last record is whole all the
    /// same.
    pub fn write(&mut self, parts: &[&[u8]]) -> io::Result<()> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if length > self.capacity {
            let words = format!("expected a record of at most {} bytes, found {length}", self.capacity);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
        }
        let number = self.number + 1;
        self.half.clear();
        self.half.extend(MAGIC);
        self.half.extend(self.owner.to_le_bytes());
        self.half.extend(number.to_le_bytes());
        self.half.extend((length as u32).to_le_bytes());
        self.half.extend([0; 4]);
        for part in parts {
            self.half.extend_from_slice(part);
        }
        let sum = checksum(&self.half);
        self.half[HEAD - 4..HEAD].copy_from_slice(&sum.to_le_bytes());
        self.file.seek(SeekFrom::Start(number % 2 * (HEAD + self.capacity) as u64))?;
        self.file.write_all(&self.half)?;
        self.number = number;
        Ok(())
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

/// Returns the checksum of a half: of all that is written but the checksum itself.
fn checksum(half: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&half[..HEAD - 4]);
    sum.update(&half[HEAD..]);
    sum.finalize()
}

fn newest(file: &mut File, owner: u32, capacity: usize) -> io::Result<Option<Numbered>> {
    let mut bytes = vec![0; 2 * (HEAD + capacity)];
    file.seek(SeekFrom::Start(0))?;
    file.read_exact(&mut bytes)?;
    let halves = bytes.chunks_exact(HEAD + capacity);
    Ok(halves.filter_map(|half| record(half, owner)).max_by_key(|(number, _)| *number))
}

/// Returns the record of a half, if it is whole and of that owner.
fn record(half: &[u8], owner: u32) -> Option<Numbered> {
    let (head, rest) = half.split_at(HEAD);
    let word = |at: usize| Some(u32::from_le_bytes(head[at..at + 4].try_into().ok()?));
    let number = u64::from_le_bytes(head[8..16].try_into().ok()?);
    let length = word(16)? as usize;
    let record = rest.get(..length)?;
    let is_whole = head.starts_with(&MAGIC)
        && word(4)? == owner
        && word(HEAD - 4)? == checksum(&half[..HEAD + length])
        && number < u64::MAX;
    is_whole.then(|| (number, record.to_vec()))
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
        let folder = tempfile::tempdir().unwrap();
        let (path, mut open) = journal(&folder);
        open.write(&[b"first"]).unwrap();
        open.write(&[b"second"]).unwrap();
        let whole = fs::read(&path).unwrap();
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, bytes).unwrap();
            let read = Journal::read(&path, OWNER, 10);
            assert!(matches!(read.as_deref(), Some(b"first" | b"second")), "bit {bit}: {read:?}");
        }
        fs::write(&path, &whole).unwrap();
        assert_eq!(Journal::read(&path, b"other", 10), None);
        assert_eq!(Journal::read(&path, OWNER, 11), None);
        assert_eq!(Journal::read(folder.path(), OWNER, 11), None);
    }
}
