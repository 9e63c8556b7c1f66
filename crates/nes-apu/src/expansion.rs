//! Sound chips of cartridges, which a Famicom adds to its own sound.
//!
//! They know no cartridge: the mainboard hands them what the CPU writes, and runs them up to the
//! cycle in which their output or interrupt is read next.

mod mmc5;
mod sunsoft5b;

use nes_state::{Fields, State, StateError};

use crate::Sink;
use crate::mixer::FULL_SCALE;
use mmc5::Mmc5Sound;
use sunsoft5b::Sunsoft5B;

/// Which chip it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundChip {
    /// Nintendo's MMC5: two pulses and a PCM channel.
    Mmc5,
    /// Sunsoft's 5B: three square waves, noise and an envelope.
    Sunsoft5B,
}

/// A sound chip in a cartridge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The cycle that comes next.
    cycle: u64,
    chip: Chip,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Chip {
    Mmc5(Mmc5Sound),
    Sunsoft5B(Sunsoft5B),
}

impl Expansion {
    /// Returns the chip at power-on, which is cycle 0.
    pub fn new(chip: SoundChip) -> Self {
        let chip = match chip {
            SoundChip::Mmc5 => Chip::Mmc5(Mmc5Sound::default()),
            SoundChip::Sunsoft5B => Chip::Sunsoft5B(Sunsoft5B::default()),
        };
        Self { cycle: 0, chip }
    }

    /// The cycle that comes next: every one before it has been run.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Executes the cycles before `cycle`, telling `sink` each new level. The state afterwards
    /// depends neither on the sink nor on how the way there was divided, and equals that of
    /// [`Expansion::run_by_cycles`].
    pub fn run_until<S: Sink>(&mut self, cycle: u64, sink: &mut S) {
        while self.cycle < cycle {
            let left = cycle - self.cycle;
            let idle = match &self.chip {
                Chip::Mmc5(chip) => chip.idle_cycles::<S>(self.cycle),
                Chip::Sunsoft5B(chip) => chip.idle_cycles::<S>(self.cycle),
            };
            let idle = idle.min(left);
            match &mut self.chip {
                Chip::Mmc5(chip) => chip.skip(self.cycle, idle),
                Chip::Sunsoft5B(chip) => chip.skip(self.cycle, idle),
            }
            self.cycle += idle;
            if idle < left {
                self.run_cycle(sink);
            }
        }
    }

    /// The same, cycle by cycle: the definition that the other is measured by.
    pub fn run_by_cycles<S: Sink>(&mut self, cycle: u64, sink: &mut S) {
        while self.cycle < cycle {
            self.run_cycle(sink);
        }
    }

    fn run_cycle<S: Sink>(&mut self, sink: &mut S) {
        match &mut self.chip {
            Chip::Mmc5(chip) => chip.tick(self.cycle),
            Chip::Sunsoft5B(chip) => chip.tick(self.cycle),
        }
        self.tell(sink);
        self.cycle += 1;
    }

    fn tell<S: Sink>(&self, sink: &mut S) {
        if S::LISTENS {
            sink.expansion(self.cycle, self.level());
        }
    }

    /// The CPU writes `value` to the cartridge's `address`, in the cycle that it has been run to.
    pub fn write<S: Sink>(&mut self, address: u16, value: u8, sink: &mut S) {
        match &mut self.chip {
            Chip::Mmc5(chip) => chip.write(address, value),
            Chip::Sunsoft5B(chip) => chip.write(address, value),
        }
        self.tell(sink);
    }

    /// What a register of the chip says; none where `address` is none of them.
    pub fn peek(&self, address: u16) -> Option<u8> {
        match &self.chip {
            Chip::Mmc5(chip) if address == 0x5015 => Some(chip.status()),
            _ => None,
        }
    }

    /// What the chip adds to the level of the console, of [`FULL_SCALE`].
    pub(crate) fn level(&self) -> i32 {
        match &self.chip {
            Chip::Mmc5(chip) => chip.level(),
            Chip::Sunsoft5B(chip) => chip.level(),
        }
    }

    /// What the chip adds to the console's sound, where the channels of the console alone reach
    /// from 0 to about 1.
    pub fn volume(&self) -> f32 {
        self.level() as f32 / FULL_SCALE as f32
    }
}

impl State for Expansion {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { cycle, chip } = self;
        fields.u64(cycle)?;
        match chip {
            Chip::Mmc5(chip) => chip.walk(fields),
            Chip::Sunsoft5B(chip) => chip.walk(fields),
        }
    }
}

#[cfg(test)]
mod tests;
