//! What those who watch are shown: the frames of a match that are certain, in parts.
//!
//! Part 0 says what is played. Each further one has thirty frames: what both held in them, and the
//! hash of the game after them. Parts are numbered, and whole by themselves: one that is lost is
//! asked for again.

use super::message::{Message, Name, Rules};

/// Frames of a part.
pub(crate) const FRAMES: usize = 30;
/// Parts of a match that are kept: three hours.
pub(crate) const PARTS: usize = 3 * 60 * 60 * 2 + 1;
/// Bytes of a part, at most: runs of a frame each for both players, and what stands beside them.
pub(crate) const LONGEST_PART: usize = 200;
/// The guest's name stands in one of so many parts, and where it has changed.
const NAMED: usize = 8;
/// The bit of a part's first byte that says that nothing comes after it.
const LAST: u8 = 0x80;

/// A part of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// What is played.
    Rules(Rules),
    /// Frames that are certain.
    Frames {
        /// What both held, frame by frame.
        held: Vec<[u8; 2]>,
        /// The hash of the game after them.
        hash: u64,
        /// What the guest is called; empty where the part does not say.
        guest: Name,
        /// Whether the match is over with them.
        is_last: bool,
    },
}

/// A match as its host publishes it.
#[derive(Clone, Debug, Default)]
pub struct Publication {
    parts: Vec<Vec<u8>>,
    held: Vec<[u8; 2]>,
    /// What the guest was called in the last part.
    named: Name,
    ended: bool,
}

impl Publication {
    /// A match by these rules, of which no frame is certain yet.
    pub fn new(rules: Rules) -> Self {
        Self { parts: vec![Message::Invite(rules).bytes()], ..Self::default() }
    }

    /// Another frame is certain, in which both held this. `hash` is asked for once in thirty
    /// frames.
    pub fn push(&mut self, held: [u8; 2], guest: Name, hash: impl FnOnce() -> u64) {
        if self.ended || self.parts.is_empty() || self.parts.len() >= PARTS {
            return;
        }
        self.held.push(held);
        if self.held.len() == FRAMES {
            self.pack(guest, hash(), false);
        }
    }

    /// The match is over after these frames.
    pub fn end(&mut self, guest: Name, hash: u64) {
        if !self.ended && !self.parts.is_empty() && self.parts.len() < PARTS {
            self.pack(guest, hash, true);
            self.ended = true;
        }
    }

    /// Returns how many parts there are.
    pub fn len(&self) -> u32 {
        self.parts.len() as u32
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns a part by its number, as bytes.
    pub(crate) fn part(&self, number: u32) -> Option<&[u8]> {
        self.parts.get(number as usize).map(Vec::as_slice)
    }

    fn pack(&mut self, guest: Name, hash: u64, is_last: bool) {
        let held = std::mem::take(&mut self.held);
        let is_named = is_last || guest != self.named || self.parts.len() % NAMED == 1;
        self.named = guest;
        let guest = if is_named { guest } else { Name::EMPTY };
        self.parts.push(Part::Frames { held, hash, guest, is_last }.bytes());
    }
}

impl Part {
    fn bytes(&self) -> Vec<u8> {
        let Self::Frames { held, hash, guest, is_last } = self else { return Vec::new() };
        let mut bytes = vec![held.len().min(FRAMES) as u8 | if *is_last { LAST } else { 0 }];
        bytes.extend(hash.to_be_bytes());
        for player in [0, 1] {
            for run in held.chunk_by(|one, two| one[player] == two[player]) {
                bytes.extend([run.len() as u8, run[0][player]]);
            }
        }
        let name = guest.text();
        bytes.extend(name.bytes());
        bytes
    }

    /// Reads a part by its number; `None` if it is none.
    pub(crate) fn read(number: u32, bytes: &[u8]) -> Option<Self> {
        if number == 0 {
            return match Message::read(bytes) {
                Ok(Message::Invite(rules)) => Some(Self::Rules(rules)),
                _ => None,
            };
        }
        let (&first, rest) = bytes.split_first()?;
        let (hash, mut rest) = rest.split_first_chunk()?;
        let count = usize::from(first & !LAST);
        if count > FRAMES {
            return None;
        }
        let mut held = vec![[0; 2]; count];
        for player in [0, 1] {
            let mut at = 0;
            while at < count {
                let (&[run, buttons], after) = rest.split_first_chunk()?;
                let run = held.get_mut(at..at + usize::from(run)).filter(|run| !run.is_empty())?;
                for held in run.iter_mut() {
                    held[player] = buttons;
                }
                (at, rest) = (at + run.len(), after);
            }
        }
        let guest = Name::new(&String::from_utf8_lossy(rest));
        Some(Self::Frames { held, hash: u64::from_be_bytes(*hash), guest, is_last: first & LAST != 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_they_are_written_and_half_ones_are_none() {
        let rules = Rules { level: 18, name: Name::new("Ada"), ..Rules::default() };
        let mut publication = Publication::new(rules);
        let held: Vec<[u8; 2]> = (0..70_u8).map(|frame| [frame, frame / 7]).collect();
        for (frame, held) in (0..).zip(&held) {
            publication.push(*held, Name::new("Bén"), || 1_000 + frame);
        }
        publication.end(Name::new("Bén"), 7);
        publication.push([1, 1], Name::EMPTY, || 0);
        assert_eq!(publication.len(), 4);
        let read = |number| Part::read(number, publication.part(number).unwrap());
        assert_eq!(read(0), Some(Part::Rules(rules)));
        let mut all = Vec::new();
        for (number, name, last) in [(1, "Bén", false), (2, "", false), (3, "Bén", true)] {
            let Some(Part::Frames { held, hash, guest, is_last }) = read(number) else {
                panic!("part {number}")
            };
            assert_eq!((guest.text().as_str(), is_last), (name, last));
            assert_eq!(hash, if last { 7 } else { u64::from(number) * 30 + 999 });
            all.extend(held);
        }
        assert_eq!(all, held);
        // The longest one fits, and what is cut off is none.
        let part = publication.part(1).unwrap();
        assert!(part.len() <= LONGEST_PART - 8, "{} bytes", part.len());
        assert!((0..part.len() - 4).all(|length| Part::read(1, &part[..length]).is_none()));
        assert_eq!(Part::read(1, &[31, 0, 0, 0, 0, 0, 0, 0, 0, 31, 0, 31, 0]), None, "too many frames");
        assert_eq!(Part::read(1, &[2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0]), None, "a run of none");
    }

    #[test]
    fn a_match_has_a_bound() {
        let mut publication = Publication::new(Rules::default());
        (0..PARTS * FRAMES + 100).for_each(|_| publication.push([0; 2], Name::EMPTY, || 0));
        publication.end(Name::EMPTY, 0);
        assert_eq!(publication.len() as usize, PARTS);
    }
}
