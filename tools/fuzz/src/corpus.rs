//! Cases that reached an answer for the first time, kept in a folder from one run to the next.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Cases of a target that are kept, at most.
const MOST: usize = 1_000;

/// What a file's name ends in.
const EXTENSION: &str = "case";

/// A case by its numbers (`Choices`), and its file.
pub(crate) struct Kept {
    pub(crate) path: PathBuf,
    pub(crate) numbers: Vec<u64>,
}

impl Kept {
    /// Reads the case of a file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        let bytes = fs::read(path)?;
        let (words, _) = bytes.as_chunks();
        Ok(Self {
            path: path.to_owned(),
            numbers: words.iter().map(|word| u64::from_le_bytes(*word)).collect(),
        })
    }
}

/// The kept cases of a target.
#[derive(Default)]
pub(crate) struct Corpus {
    folder: Option<PathBuf>,
    pub(crate) cases: Vec<Kept>,
}

impl Corpus {
    /// Reads the cases of a target's folder, which is made if there is none.
    ///
    /// # Errors
    /// When the folder or a file cannot be read.
    pub(crate) fn open(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let mut paths = Vec::new();
        for entry in folder.read_dir()? {
            paths.push(entry?.path());
        }
        paths.retain(|path| path.extension().is_some_and(|ending| ending == EXTENSION));
        // The order of a folder is the system's; a run is to be the same every time.
        paths.sort();
        let cases = paths.iter().map(|path| Kept::read(path)).collect::<io::Result<_>>()?;
        Ok(Self { folder: Some(folder), cases })
    }

    /// One case, to which none is added.
    pub(crate) fn of(kept: Kept) -> Self {
        Self { folder: None, cases: vec![kept] }
    }

    /// Keeps a case, whose name is its contents'.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep(&mut self, numbers: &[u64]) -> io::Result<()> {
        let Some(folder) = self.folder.as_ref().filter(|_| self.cases.len() < MOST) else { return Ok(()) };
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let path = folder.join(format!("{:016x}.{EXTENSION}", value::fnv(&bytes)));
        draft::Draft::write_file(&path, &bytes).map_err(io::Error::other)?;
        self.cases.push(Kept { path, numbers: numbers.to_vec() });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_cases_are_there_in_the_next_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("target");
        let mut corpus = Corpus::open(place.clone()).expect("a folder");
        assert!(corpus.cases.is_empty());
        corpus.keep(&[3, u64::MAX]).expect("a file");
        corpus.keep(&[1]).expect("a file");
        let again = Corpus::open(place).expect("a folder");
        let mut read: Vec<_> = again.cases.into_iter().map(|kept| kept.numbers).collect();
        read.sort();
        assert_eq!(read, [vec![1], vec![3, u64::MAX]]);
    }
}
