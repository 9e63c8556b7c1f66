//! What a case chooses: numbers at random, or those of an earlier case of which some are changed.

use tetris::SplitMix64;

/// Numbers of a case that are kept, at most.
const MOST: usize = 1 << 16;

/// The numbers by which a case is made, in order. Equal numbers make an equal case.
pub(crate) struct Choices {
    /// What goes on behind the numbers that are given.
    random: SplitMix64,
    given: Vec<u64>,
    made: Vec<u64>,
    /// Numbers that were made, which may be more than are kept.
    count: usize,
}

impl Choices {
    /// Returns those of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: SplitMix64::new(seed), given: Vec::new(), made: Vec::new(), count: 0 }
    }

    /// Returns those of an earlier case, changed in one to eight places by a seed. Seed 0 changes
    /// nothing.
    pub(crate) fn like(kept: &[u64], seed: u64) -> Self {
        let mut random = SplitMix64::new(SplitMix64::mix(seed));
        let mut given = kept.to_vec();
        if seed != 0 {
            for _ in 0..=random.below(8) {
                change(&mut given, &mut random);
            }
        }
        Self { random, given, made: Vec::new(), count: 0 }
    }

    /// Returns the numbers so far, unless they are too many to be kept.
    pub(crate) fn made(&self) -> Option<&[u64]> {
        (self.count <= MOST).then_some(&self.made)
    }

    /// Returns the next 64 bits.
    pub(crate) fn next_u64(&mut self) -> u64 {
        let number = self.given.get(self.count).copied().unwrap_or_else(|| self.random.next_u64());
        self.count += 1;
        if self.count <= MOST {
            self.made.push(number);
        }
        number
    }

    /// Returns a number below `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// Returns true once in `n` on average.
    pub(crate) fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// Returns one of `choices`.
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }
}

/// Changes a number, leaves some out, puts others in, repeats some, or ends there.
fn change(given: &mut Vec<u64>, random: &mut SplitMix64) {
    let length = given.len() as u32;
    if length == 0 {
        return;
    }
    let at = random.below(length) as usize;
    let end = (at + 1 + random.below(8) as usize).min(given.len());
    match random.below(12) {
        0 => given.truncate(at),
        1 => drop(given.drain(at..end)),
        2 => given.insert(at, random.next_u64()),
        3 => {
            let part = given[at..end].to_vec();
            let place = random.below(length) as usize;
            given.splice(place..place, part);
        }
        // The upper half decides among few.
        4 => given[at] ^= 1 << (32 + random.below(32)),
        5 => given[at] = 0,
        6 => given[at] = u64::MAX,
        _ => given[at] = random.next_u64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(choices: &mut Choices, count: usize) -> Vec<u64> {
        (0..count).map(|_| choices.next_u64()).collect()
    }

    #[test]
    fn a_kept_case_is_made_again_and_a_changed_one_is_like_it() {
        let first = numbers(&mut Choices::new(7), 40);
        let mut random = SplitMix64::new(7);
        assert_eq!(first[0], random.next_u64(), "a seed is the generator's");
        assert_eq!(numbers(&mut Choices::like(&first, 0), 40), first);
        let mut one = Choices::like(&first, 9);
        let changed = numbers(&mut one, 40);
        assert_ne!(changed, first);
        assert!(changed.iter().filter(|number| first.contains(number)).count() >= 3, "{changed:?}");
        assert_eq!(one.made(), Some(&changed[..]));
        assert_eq!(numbers(&mut Choices::like(&first, 9), 40), changed, "by its seed it is always the same");
    }

    #[test]
    fn more_numbers_than_can_be_kept_are_made_all_the_same() {
        let mut choices = Choices::like(&[], 3);
        numbers(&mut choices, MOST + 1);
        assert_eq!(choices.made(), None);
    }
}
