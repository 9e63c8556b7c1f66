//! The games that results are reported on: what Python draws with `random.seed(0)` and
//! `random.sample(range(512, 2**24), n)`.
//!
//! Python's generator is MT19937 (Matsumoto and Nishimura 1998), seeded by its `init_by_array`.
//! Below some millions of draws `sample` takes numbers of 24 bits, the upper ones of a word, again
//! where one is too large or has been drawn before; so the first seeds are the same for every n.

use std::collections::HashSet;

use tetris::Piece;

const WORDS: usize = 624;
const LOWEST: u32 = 512;
const HIGHEST: u32 = 1 << 24;
/// Seeds from this number on are for tuning, never for a report.
const TUNING: usize = 10_000;

/// The first seeds of the report, each the three bytes that `randomizers::Sps` takes as one number.
pub fn report_seeds(count: usize) -> Vec<u32> {
    sample(count.min(TUNING))
}

/// Seeds for comparisons along the way, none of them among those of the report.
pub fn tuning_seeds(count: usize) -> Vec<u32> {
    sample(TUNING + count).split_off(TUNING)
}

/// The pieces that a seed deals, without end. Bits from the 24th up are left out.
pub fn deal(seed: u32) -> impl Iterator<Item = Piece> + Clone {
    let [_, high, low, count] = seed.to_be_bytes();
    // A dead register deals by the spawn count alone; no seed of the report has one.
    randomizers::Sps::new([high, low, count]).unwrap_or_else(|_| randomizers::Sps::numbered(u64::from(count)))
}

fn sample(count: usize) -> Vec<u32> {
    let mut twister = Twister::new(0);
    let mut drawn = HashSet::with_capacity(count);
    let mut seeds = Vec::with_capacity(count);
    while seeds.len() < count {
        let number = twister.word() >> 8;
        if number < HIGHEST - LOWEST && drawn.insert(number) {
            seeds.push(LOWEST + number);
        }
    }
    seeds
}

struct Twister {
    state: [u32; WORDS],
    next: usize,
}

impl Twister {
    /// As Python seeds it with a number of one word.
    fn new(seed: u32) -> Self {
        let mut state = [0u32; WORDS];
        state[0] = 19_650_218;
        for i in 1..WORDS {
            let last = state[i - 1];
            state[i] = 1_812_433_253u32.wrapping_mul(last ^ last >> 30).wrapping_add(i as u32);
        }
        let mut i = 1;
        for _ in 0..WORDS {
            let last = state[i - 1];
            state[i] = (state[i] ^ (last ^ last >> 30).wrapping_mul(1_664_525)).wrapping_add(seed);
            i = wrap(&mut state, i);
        }
        for _ in 1..WORDS {
            let last = state[i - 1];
            state[i] = (state[i] ^ (last ^ last >> 30).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i = wrap(&mut state, i);
        }
        state[0] = 0x8000_0000;
        Self { state, next: WORDS }
    }

    fn word(&mut self) -> u32 {
        if self.next == WORDS {
            self.turn();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9D2C_5680;
        word ^= word << 15 & 0xEFC6_0000;
        word ^ word >> 18
    }

    fn turn(&mut self) {
        for i in 0..WORDS {
            let joined = self.state[i] & 0x8000_0000 | self.state[(i + 1) % WORDS] & 0x7FFF_FFFF;
            let twist = if joined & 1 == 1 { 0x9908_B0DF } else { 0 };
            self.state[i] = self.state[(i + 397) % WORDS] ^ joined >> 1 ^ twist;
        }
        self.next = 0;
    }
}

/// The next place; after the last the first word is the last again, and the second is next.
fn wrap(state: &mut [u32; WORDS], i: usize) -> usize {
    if i + 1 == WORDS {
        state[0] = state[WORDS - 1];
        1
    } else {
        i + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed by `CPython` 3: `random.seed(0); random.sample(range(512, 2**24), n)` for 8, 2,000
    /// and 5,001.
    #[test]
    fn seeds_are_those_that_python_draws() {
        let seeds = report_seeds(5_001);
        assert_eq!(seeds[..8], [14167559, 6463855, 12716876, 14936326, 7056532, 679727, 4344414, 16198324]);
        assert_eq!(seeds[1_997..2_000], [12107366, 8060496, 15266201]);
        assert_eq!(seeds[4_998..], [14231483, 12804951, 13601000]);
    }

    #[test]
    fn no_seed_for_tuning_is_reported() {
        let reported: HashSet<u32> = report_seeds(5_001).into_iter().collect();
        let tuning = tuning_seeds(2_000);
        assert!(tuning.len() == 2_000 && tuning.iter().all(|seed| !reported.contains(seed)));
    }

    #[test]
    fn a_seed_deals_what_the_practice_cartridge_deals() {
        let dealt: String = deal(0x0012_3456).take(30).map(Piece::letter).collect();
        assert_eq!(dealt, "ZTZIJIJOZTSOSZJZOSLIOIJIJSTZST");
    }
}
