//! The 2A03's audio processing unit, and a synthesiser that turns its output into samples.

mod apu;
mod synth;

pub use apu::{Apu, Sink};
pub use synth::Synth;
