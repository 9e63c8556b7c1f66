//! Ranges that lie over each other, made flat: at each key the one that counts.

use std::collections::BTreeMap;

use super::Extent;

/// What counts at each key.
#[derive(Clone, Debug)]
pub(super) struct Flat<T> {
    /// First key, and the key behind the last, of pieces that do not meet.
    pieces: BTreeMap<u32, (u32, T)>,
}

impl<T> Default for Flat<T> {
    fn default() -> Self {
        Self { pieces: BTreeMap::new() }
    }
}

impl<T: Copy> Flat<T> {
    /// Lays ranges over each other; where they meet the one of the lowest rank counts.
    pub(super) fn new<R: Ord + Copy>(mut ranges: Vec<(R, Extent, T)>) -> Self {
        ranges.sort_by_key(|(rank, extent, _)| (*rank, extent.key));
        let mut pieces = BTreeMap::new();
        // What is taken, with what touches made one: so a range looks at as many as it swallows.
        let mut taken: BTreeMap<u32, u32> = BTreeMap::new();
        for (_, extent, what) in ranges {
            let (mut begin, mut end) = (extent.key, extent.end());
            let before = taken.range(..=begin).next_back().filter(|(_, until)| **until >= begin);
            let before = before.map(|(&from, &until)| (from, until));
            let mut free = begin;
            if let Some((from, until)) = before {
                (begin, free) = (from, free.max(until));
            }
            let within: Vec<(u32, u32)> =
                taken.range(begin..=end).map(|(&from, &until)| (from, until)).collect();
            for (from, until) in within {
                if from > free {
                    pieces.insert(free, (from, what));
                }
                free = free.max(until);
                taken.remove(&from);
            }
            if free < end {
                pieces.insert(free, (end, what));
            }
            end = end.max(free);
            taken.insert(begin, end);
        }
        Self { pieces }
    }

    /// What counts at `key`.
    pub(super) fn at(&self, key: u32) -> Option<T> {
        let (_, &(end, what)) = self.pieces.range(..=key).next_back()?;
        (key < end).then_some(what)
    }

    /// The key behind the piece that begins at `key`.
    pub(super) fn end(&self, key: u32) -> Option<u32> {
        self.pieces.get(&key).map(|&(end, _)| end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn at_each_key_the_lowest_rank_counts(
            ranges in prop::collection::vec((0_u8..4, 0_u32..40, 1_u32..20), 0..24),
        ) {
            let extent = |key, bytes| Extent { key, bytes, address: 0 };
            let all: Vec<_> = ranges
                .iter()
                .enumerate()
                // No two of one rank: which of them counts is not said.
                .map(|(index, &(rank, key, bytes))| ((rank, index), extent(key, bytes), index))
                .collect();
            let flat = Flat::new(all.clone());
            for key in 0..64 {
                let meant = all.iter().filter(|(_, extent, _)| (extent.key..extent.end()).contains(&key));
                prop_assert_eq!(flat.at(key), meant.min_by_key(|(rank, ..)| *rank).map(|(.., what)| *what));
            }
        }
    }
}
