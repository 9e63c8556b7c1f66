//! The rewind buffer: a state for each of the last frames, as the difference to the next one.

use std::collections::VecDeque;
use std::mem;

use nes::fm2::FrameInput;

/// How far back a rewind goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RewindLimits {
    /// Seconds, 0 (off) to 3600.
    pub seconds: u32,
    /// MiB that it may take; then the oldest seconds are forgotten.
    pub megabytes: u32,
}

impl RewindLimits {
    /// No rewind at all.
    pub const OFF: Self = Self { seconds: 0, megabytes: 0 };
}

impl Default for RewindLimits {
    fn default() -> Self {
        Self { seconds: 120, megabytes: 64 }
    }
}

/// What a frame began with: the state and what was done and held.
pub type Moment = (Vec<u8>, FrameInput);

/// The states of the last frames. The newest is kept whole, and each older one as its difference to
/// the one after it, so that going back is one step at a time and forgetting the oldest costs
/// nothing.
#[derive(Debug, Clone, Default)]
pub struct Rewind {
    limits: RewindLimits,
    newest: Option<Moment>,
    /// Oldest first.
    older: VecDeque<(Box<[u8]>, FrameInput)>,
    /// Bytes of all in `older`.
    bytes: usize,
}

impl Rewind {
    /// Returns an empty buffer with these limits.
    pub fn new(limits: RewindLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// New limits hold from the next frame on.
    pub fn set_limits(&mut self, limits: RewindLimits) {
        self.limits = limits;
    }

    /// Returns whether nothing is kept.
    pub fn is_off(&self) -> bool {
        self.limits.seconds == 0
    }

    /// Frames that it goes back.
    pub fn len(&self) -> usize {
        self.older.len() + usize::from(self.newest.is_some())
    }

    /// Returns whether there is no frame to go back to.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.bytes + self.newest.as_ref().map_or(0, |(state, _)| state.capacity())
    }

    /// Forgets all frames.
    pub fn clear(&mut self) {
        *self = Self::new(self.limits);
    }

    /// A frame begins at `state` with `input`, `rate` of which are a second.
    pub fn push(&mut self, state: Vec<u8>, input: FrameInput, rate: f64) {
        if self.is_off() {
            return self.clear();
        }
        if let Some((older, done)) = self.newest.replace((state, input))
            && let Some((newer, _)) = &self.newest
        {
            if older.len() != newer.len() {
                self.older.clear(); // another cartridge
                self.bytes = 0;
                return;
            }
            let difference = difference(&older, newer);
            self.bytes += cost(&difference);
            self.older.push_back((difference, done));
        }
        let frames = (f64::from(self.limits.seconds.min(3600)) * rate) as usize;
        let bytes = (self.limits.megabytes as usize) << 20;
        while self.older.len() > frames || self.bytes() > bytes {
            let Some((difference, _)) = self.older.pop_front() else { break };
            self.bytes -= cost(&difference);
        }
    }

    /// Goes back to the frame before: what it began with.
    pub fn pop(&mut self) -> Option<Moment> {
        let (state, input) = self.newest.take()?;
        if let Some((difference, done)) = self.older.pop_back() {
            self.bytes -= cost(&difference);
            let mut older = state.clone();
            apply(&difference, &mut older);
            self.newest = Some((older, done));
        }
        Some((state, input))
    }
}

/// Returns what an entry takes, with its place in the queue.
fn cost(difference: &[u8]) -> usize {
    difference.len() + mem::size_of::<(Box<[u8]>, FrameInput)>()
}

/// Returns the bytes in which `a` and `b`, of equal lengths, differ: again and again the length of
/// a stretch in which they do not, the length of one in which they do, and the exclusive or of the
/// latter.
fn difference(a: &[u8], b: &[u8]) -> Box<[u8]> {
    /// So many equal bytes between two stretches that differ are cheaper kept than counted.
    const BRIDGE: usize = 2;
    let mut out = Vec::new();
    let differs = |at: usize| a[at] != b[at];
    let mut done = 0;
    while let Some(start) = first_difference(a, b, done) {
        let mut end = start + 1;
        while let Some(next) = (end..a.len().min(end + BRIDGE + 1)).find(|&at| differs(at)) {
            end = next + 1;
        }
        number(&mut out, start - done);
        number(&mut out, end - start);
        out.extend((start..end).map(|at| a[at] ^ b[at]));
        done = end;
    }
    out.into()
}

/// Returns the first place from `from` on in which `a` and `b`, of equal lengths, differ.
fn first_difference(a: &[u8], b: &[u8], from: usize) -> Option<usize> {
    /// Bytes compared at once: most of a state stays the same from frame to frame.
    const BLOCK: usize = 64;
    let mut start = from;
    while start < a.len() {
        let end = a.len().min(start + BLOCK);
        if a[start..end] != b[start..end] {
            return (start..end).find(|&at| a[at] != b[at]);
        }
        start = end;
    }
    None
}

/// Turns one of the two that made `difference` into the other.
fn apply(difference: &[u8], state: &mut [u8]) {
    let mut bytes = difference.iter();
    let mut at = 0;
    while !bytes.as_slice().is_empty() {
        at += take_number(&mut bytes);
        for _ in 0..take_number(&mut bytes) {
            state[at] ^= bytes.next().copied().unwrap_or(0);
            at += 1;
        }
    }
}

/// Seven bits a byte, the lowest first; bit 7 says that more follow.
fn number(out: &mut Vec<u8>, mut value: usize) {
    while value > 0x7F {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn take_number(bytes: &mut std::slice::Iter<'_, u8>) -> usize {
    let (mut value, mut shift) = (0, 0);
    for &byte in bytes {
        value |= usize::from(byte & 0x7F) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use nes::Buttons;
    use proptest::prelude::*;

    use super::*;

    const RATE: f64 = nes::Region::Ntsc.frame_rate();

    fn held(bits: u8) -> FrameInput {
        FrameInput { pads: [Buttons::from_bits_retain(bits), Buttons::empty()], ..FrameInput::default() }
    }

    #[test]
    fn it_goes_back_the_way_it_came() {
        let mut rewind = Rewind::new(RewindLimits::default());
        let state = |n: u32| -> Vec<u8> { (0..500_u32).map(|at| (at * n / 7) as u8).collect() };
        for n in 0..100 {
            rewind.push(state(n), held(n as u8), RATE);
        }
        assert_eq!(rewind.len(), 100);
        for n in (0..100).rev() {
            assert_eq!(rewind.pop(), Some((state(n), held(n as u8))));
        }
        assert_eq!((rewind.pop(), rewind.bytes()), (None, 0));
    }

    #[test]
    fn the_oldest_are_forgotten_by_time_and_by_memory() {
        let mut short = Rewind::new(RewindLimits { seconds: 1, megabytes: 64 });
        (0..500_u32).for_each(|n| short.push(n.to_le_bytes().to_vec(), held(0), RATE));
        assert_eq!(short.len(), 61);
        let mut small = Rewind::new(RewindLimits { seconds: 3600, megabytes: 1 });
        for n in 0..400_u32 {
            let noise =
                (0..10_000_u32).map(|at| (at.wrapping_mul(2_654_435_761).wrapping_add(n) >> 13) as u8);
            small.push(noise.map(|byte| byte ^ n as u8).collect(), held(0), RATE);
        }
        assert!(
            small.bytes() <= 1 << 20 && small.len() > 50,
            "{} frames, {} bytes",
            small.len(),
            small.bytes()
        );
        assert_eq!(small.pop().unwrap().0.len(), 10_000);
    }

    #[test]
    fn of_another_cartridge_there_is_no_way_back_to_this_one() {
        let mut rewind = Rewind::new(RewindLimits::default());
        rewind.push(vec![1; 10], held(0), RATE);
        rewind.push(vec![2; 12], held(0), RATE);
        assert_eq!(rewind.pop().unwrap().0, [2; 12]);
        assert_eq!(rewind.pop(), None);
    }

    proptest! {
        #[test]
        fn a_difference_turns_either_into_the_other(pairs in proptest::collection::vec((0..3_u8, 0..3_u8), 0..600)) {
            let (a, b): (Vec<u8>, Vec<u8>) = pairs.into_iter().unzip();
            let difference = difference(&a, &b);
            let mut turned = a.clone();
            apply(&difference, &mut turned);
            prop_assert_eq!(&turned, &b);
            apply(&difference, &mut turned);
            prop_assert_eq!(&turned, &a);
        }
    }
}
