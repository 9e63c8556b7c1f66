//! Channels switched off for the ear alone: the machine plays on as it is.
//!
//! A second audio unit beside the console's is told everything that the game tells the first, but
//! for what would make a muted channel sound: no volume for pulses and noise, no length for the
//! triangle, no samples for the DMC. Nothing of it gets back to the machine. It costs an observed
//! frame, and only while a channel is muted.

use nes::{Access, BusEvent, Console, Observer};
use nes_apu::{Apu, Synth};

use nes::apu::Channel;

/// The second audio unit.
#[derive(Clone)]
pub(crate) struct Channels {
    apu: Apu,
    synth: Synth,
    muted: Vec<Channel>,
}

/// Everything that a frame told the console's audio unit.
#[derive(Debug, Default)]
pub(crate) struct Tap {
    events: Vec<BusEvent>,
}

impl Tap {
    /// Returns whether it is told to the audio unit.
    pub(crate) fn wants(event: &BusEvent) -> bool {
        let register = event.write && matches!(event.address, 0x4000..=0x4013 | 0x4015 | 0x4017);
        let fetch = event.access == Access::DmcDma;
        register || fetch
    }
}

impl Observer for Tap {
    fn bus(&mut self, event: BusEvent) {
        if Self::wants(&event) {
            self.events.push(event);
        }
    }
}

impl Channels {
    /// Returns a unit that stands where that of `console` does, without the channels `muted`.
    pub(crate) fn new(console: &Console, muted: &[Channel]) -> Self {
        let apu = console.board.caught_up().apu().clone();
        let mut synth = Synth::new(crate::SAMPLE_RATE);
        synth.jump(apu.cycle());
        let mut channels = Self { apu, synth, muted: muted.to_vec() };
        for channel in muted {
            let silence: &[(u16, u8)] = match channel {
                Channel::Pulse1 => &[(0x4000, 0x30)],
                Channel::Pulse2 => &[(0x4004, 0x30)],
                // The counter is only reloaded, with nothing, after a write to $400B.
                Channel::Triangle => &[(0x4008, 0), (0x400B, 0)],
                Channel::Noise => &[(0x400C, 0x30)],
                Channel::Dmc => &[],
            };
            for &(address, value) in silence {
                channels.apu.write(address, value);
            }
        }
        channels
    }

    pub(crate) fn muted(&self) -> &[Channel] {
        &self.muted
    }

    /// Follows the console through a frame that ended before `cycle`; appends what is heard to
    /// `sound`.
    pub(crate) fn follow(&mut self, tap: &Tap, cycle: u64, sound: &mut Vec<f32>) {
        for event in &tap.events {
            self.apu.run_until(event.cycle, &mut self.synth);
            if event.write {
                let value = self.audible(event.address, event.value);
                if let Some(value) = value {
                    self.apu.write(event.address, value);
                }
            } else if self.apu.dmc_wants_dma() && !self.is_muted(Channel::Dmc) {
                self.apu.dmc_fetched(event.value);
            }
        }
        self.apu.run_until(cycle, &mut self.synth);
        self.synth.end_frame(cycle);
        sound.extend_from_slice(self.synth.samples());
        self.synth.clear();
    }

    fn is_muted(&self, channel: Channel) -> bool {
        self.muted.contains(&channel)
    }

    /// Returns what is written instead of `value`, so that muted channels stay silent.
    fn audible(&self, address: u16, value: u8) -> Option<u8> {
        /// The duty cycle and the length counter's halt stay; constant volume, 0.
        const NO_VOLUME: (u8, u8) = (0xE0, 0x10);
        let quiet = (value & NO_VOLUME.0) | NO_VOLUME.1;
        match address {
            0x4000 if self.is_muted(Channel::Pulse1) => Some(quiet),
            0x4004 if self.is_muted(Channel::Pulse2) => Some(quiet),
            0x4008 if self.is_muted(Channel::Triangle) => Some(0),
            0x400C if self.is_muted(Channel::Noise) => Some(quiet),
            0x4011 if self.is_muted(Channel::Dmc) => None,
            _ => Some(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use nes::{Buttons, Cartridge, Config};

    use super::*;

    /// Plays the built-in cartridge; answers what the console makes of each frame, and what is
    /// heard.
    fn play(muted: &[Channel], frames: u64) -> (Vec<f32>, Vec<f32>) {
        let image = include_bytes!("../../../../roms/maxout.nes");
        let config = Config { sample_rate: Some(crate::SAMPLE_RATE), ..Config::default() };
        let mut console = Console::new(Cartridge::from_bytes(image).unwrap(), config);
        let mut channels = Channels::new(&console, muted);
        let mut heard = vec![];
        for frame in 0..frames {
            let start = if frame % 60 < 3 { Buttons::START } else { Buttons::empty() };
            let mut tap = Tap::default();
            let _ = console.run_frame(&mut [start, Buttons::empty()], &mut tap);
            channels.follow(&tap, console.cycle(), &mut heard);
        }
        (console.samples().to_vec(), heard)
    }

    fn power(samples: &[f32]) -> f32 {
        samples.iter().map(|sample| sample * sample).sum::<f32>() / samples.len() as f32
    }

    #[test]
    fn with_nothing_muted_it_is_what_the_console_makes() {
        let (made, heard) = play(&[], 900);
        assert!(power(&made) > 1e-5, "the game sounds");
        assert_eq!(made.len(), heard.len());
        // The second unit's samples lie between the console's: the same waves, a fraction of a
        // sample apart.
        let product: f32 = made.iter().zip(&heard).map(|(a, b)| a * b).sum::<f32>() / made.len() as f32;
        let likeness = product / (power(&made) * power(&heard)).sqrt();
        assert!(likeness > 0.97, "{likeness}");
        assert!((power(&heard) / power(&made) - 1.0).abs() < 0.01, "{} of {}", power(&heard), power(&made));
    }

    #[test]
    fn each_channel_less_is_less_sound_and_none_is_silence() {
        let (made, none) = play(&Channel::ALL, 900);
        let settled = &none[48_000..]; // the triangle's last step before it stopped has died away
        assert!(power(settled) < power(&made) * 1e-4, "{} of {}", power(settled), power(&made));
        for channel in [Channel::Pulse1, Channel::Pulse2, Channel::Triangle] {
            let (_, less) = play(&[channel], 900);
            assert!(power(&less) < power(&made) * 0.98, "{channel:?}: {} of {}", power(&less), power(&made));
            let others: Vec<Channel> = Channel::ALL.into_iter().filter(|&other| other != channel).collect();
            let (_, alone) = play(&others, 900);
            assert!(power(&alone) > power(&made) * 0.01, "{channel:?} alone: {}", power(&alone));
        }
    }
}
