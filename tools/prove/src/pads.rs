//! What is held on the two pads.

use nes::{Buttons, Pads};
use tetris::SplitMix64;

/// How the buttons are used in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Nobody touches a pad.
    None,
    /// Random buttons, held for random times, on either pad.
    Holds,
    /// The same, as a player of a game does: one direction and one button at a time, and Start
    /// until something happens.
    Play,
}

/// Generates the input of two pads on which random buttons are held for random times, now and then
/// with contacts that bounce: then each latch finds something else.
#[derive(Clone, Debug)]
pub struct PadGenerator {
    input: Input,
    random: SplitMix64,
    held: [Buttons; 2],
    /// Frames until something else is held.
    left: [u32; 2],
    frame: u64,
    bouncing: bool,
    latches: u64,
}

impl PadGenerator {
    /// Returns the input of a seed.
    pub fn new(input: Input, seed: u64) -> Self {
        let random = SplitMix64::new(seed ^ 0x00F1_46E5);
        let held = [Buttons::empty(); 2];
        Self { input, random, held, left: [0; 2], frame: 0, bouncing: false, latches: 0 }
    }

    /// A new frame begins.
    pub fn next_frame(&mut self) {
        self.frame += 1;
        self.bouncing = self.input != Input::None && self.random.one_in(64);
        for port in 0..2 {
            if self.left[port] > 0 {
                self.left[port] -= 1;
                continue;
            }
            (self.held[port], self.left[port]) = match self.input {
                Input::None => (Buttons::empty(), u32::MAX),
                Input::Holds => {
                    (Buttons::from_bits_retain(self.random.next_u64() as u8), self.random.below(20))
                }
                Input::Play => self.play(),
            };
        }
    }

    fn play(&mut self) -> (Buttons, u32) {
        const MOVES: [Buttons; 5] =
            [Buttons::LEFT, Buttons::RIGHT, Buttons::DOWN, Buttons::DOWN, Buttons::UP];
        let held = match self.random.below(16) {
            // A game that waits for Start gets it soon, one that plays is seldom disturbed.
            0 if self.frame < 600 || self.random.one_in(8) => Buttons::START,
            1 if self.random.one_in(8) => Buttons::SELECT,
            0..4 => Buttons::empty(),
            4..10 => self.random.pick(&MOVES),
            10..12 => self.random.pick(&[Buttons::A, Buttons::B]),
            _ => self.random.pick(&MOVES) | self.random.pick(&[Buttons::A, Buttons::B]),
        };
        let long = self.random.one_in(6);
        (held, self.random.below(if long { 40 } else { 6 }))
    }
}

impl Pads for PadGenerator {
    fn sample(&mut self) -> [Buttons; 2] {
        self.latches += 1;
        if !self.bouncing {
            return self.held;
        }
        let noise = SplitMix64::new(self.latches).next_u64();
        self.held.map(|held| Buttons::from_bits_retain(held.bits() ^ noise as u8))
    }
}

impl PartialEq for PadGenerator {
    /// As many latches: what was held is the same by then.
    fn eq(&self, other: &Self) -> bool {
        self.latches == other.latches
    }
}
