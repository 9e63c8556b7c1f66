//! The sound chip in a cartridge, on the mainboard's buses.

use super::{BoardSound, Mainboard, SoundChip};

/// What the chip of a board is to `nes-apu`.
pub(super) fn chip_of(sound: BoardSound) -> SoundChip {
    match sound {
        BoardSound::Mmc5 => SoundChip::Mmc5,
        BoardSound::Sunsoft5B => SoundChip::Sunsoft5B,
    }
}

impl Mainboard {
    /// Runs the chip up to the present.
    #[inline]
    pub(super) fn run_expansion(&mut self) {
        if self.expansion.is_some() {
            self.run_chip();
        }
    }

    #[cold]
    #[inline(never)]
    fn run_chip(&mut self) {
        let Self { expansion, synth, cycle, .. } = self;
        match (expansion, synth) {
            (Some(chip), Some(synth)) => chip.run_until(*cycle, synth),
            (Some(chip), None) => chip.run_until(*cycle, &mut ()),
            (None, _) => {}
        }
    }

    /// Hands the chip what the CPU writes to `address`, in $4020-$FFFF.
    pub(crate) fn write_sound(&mut self, address: u16, value: u8) {
        if self.expansion.is_none() || self.cartridge.sound_takes_reads() && address == 0x5011 {
            return;
        }
        self.tell_chip(address, value);
    }

    /// Writes `value` to the chip's register `address`.
    fn tell_chip(&mut self, address: u16, value: u8) {
        self.run_chip();
        match (&mut self.expansion, &mut self.synth) {
            (Some(chip), Some(synth)) => chip.write(address, value, synth),
            (Some(chip), None) => chip.write(address, value, &mut ()),
            (None, _) => {}
        }
    }

    /// What the chip answers a read of `address` with, if it does.
    pub(crate) fn read_sound(&mut self, address: u16) -> Option<u8> {
        // No other address is a register of theirs that can be read.
        if address != 0x5015 {
            return None;
        }
        self.run_expansion();
        self.expansion.as_ref()?.peek(address)
    }

    /// The same without moving the machine.
    pub(super) fn peek_sound(&self, address: u16) -> Option<u8> {
        (address == 0x5015 && self.expansion.is_some()).then(|| self.caught_up().read_sound(address))?
    }

    /// What the CPU's read of `value` at `address`, in $4020-$FFFF, brings about in the cartridge.
    pub(crate) fn was_read(&mut self, address: u16, value: u8) {
        if self.cartridge.sound_takes_reads() && matches!(address, 0x8000..=0xBFFF) {
            self.tell_chip(0x5011, value);
        }
        self.cartridge.was_read(address, value, self.cycle);
    }
}
