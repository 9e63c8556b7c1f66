//! The audio processing unit of the 2A03, and a synthesiser that turns its output into samples.
//!
//! [`Apu`] is the chip: two pulses, triangle, noise, DMC, frame counter, IRQ line, channel outputs.
//! It knows no bus: the mainboard hands it register accesses and carries out the DMC's DMA. It runs
//! late, up to the cycle in which its state is read next, and then in stretches between events.
//! [`Synth`] makes band-limited samples of the levels; it is a listener and no part of the
//! machine's state. The crate is cut here so that a machine without ears runs without sound at no
//! cost, and the same.
//!
//! ```
//! use nes_apu::{Apu, Synth};
//!
//! let mut apu = Apu::new(0);
//! let mut synth = Synth::new(48_000);
//! apu.run_until(20, &mut synth);
//! for (address, value) in [(0x4015, 1), (0x4000, 0xBF), (0x4002, 0xFD), (0x4003, 0)] {
//!     apu.write(address, value); // 440 Hz on the first pulse
//! }
//! apu.run_until(29_781, &mut synth);
//! synth.end_frame(29_781);
//! assert_eq!(apu.peek_status(), 0x01);
//! assert!(synth.samples().len() > 790);
//! ```

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod apu;
mod definition;
mod dmc;
mod envelope;
mod expansion;
mod filter;
mod frame_counter;
mod kernel;
mod length;
mod mixer;
mod noise;
mod pcm;
mod pulse;
mod reading;
mod span;
mod sweep;
mod synth;
mod timer;
mod triangle;

pub use apu::{Apu, Sink};
pub use dmc::dmc_periods;
pub use expansion::{Expansion, SoundChip};
pub use mixer::ChannelLevels;
pub use noise::noise_periods;
pub use pcm::pcm16;
pub use reading::{
    Channel, DmcReading, EnvelopeReading, LengthReading, NoiseReading, PulseReading, Reading, SweepReading,
    TriangleReading,
};
pub use synth::Synth;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
