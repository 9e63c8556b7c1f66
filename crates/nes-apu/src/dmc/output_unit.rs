//! What turns the DMC's bytes into a level.

use nes_state::{Fields, State, StateError};

/// Sample buffer, shift register and level (NESdev: APU DMC, Output unit).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutputUnit {
    level: u8,
    shifter: u8,
    /// Bits until the next byte, 1–8. They are counted in silence, too.
    bits: u8,
    silent: bool,
    buffer: u8,
    full: bool,
}

impl Default for OutputUnit {
    fn default() -> Self {
        Self { level: 0, shifter: 0, bits: 8, silent: true, buffer: 0, full: false }
    }
}

impl OutputUnit {
    /// The reset line: only the count of bits and the level's lowest bit stay.
    pub(super) fn reset(&mut self) {
        *self = Self { level: self.level & 1, bits: self.bits, ..Self::default() };
    }

    /// One bit: the level moves by two if it stays within 0–127. Whether the byte was its last, and
    /// the next was taken from the buffer, if there is one and `buffer_ready`.
    pub(super) fn clock(&mut self, buffer_ready: bool) -> bool {
        if !self.silent {
            if self.shifter & 1 != 0 {
                self.level += if self.level <= 125 { 2 } else { 0 };
            } else {
                self.level -= if self.level >= 2 { 2 } else { 0 };
            }
            self.shifter >>= 1;
        }
        self.bits -= 1;
        if self.bits > 0 {
            return false;
        }
        self.bits = 8;
        self.silent = !(self.full && buffer_ready);
        if !self.silent {
            self.shifter = self.buffer;
            self.full = false;
        }
        true
    }

    /// As many bits at once, in silence.
    pub(super) fn skip(&mut self, bits: u64) {
        self.bits = (u64::from(self.bits) + 7 - bits % 8) as u8 % 8 + 1;
    }

    /// A byte for the buffer.
    pub(super) fn fill(&mut self, byte: u8) {
        self.buffer = byte;
        self.full = true;
    }

    /// A write to `$4011`.
    pub(super) fn set_level(&mut self, level: u8) {
        self.level = level & 0x7F;
    }

    /// 0–127.
    pub(super) fn level(&self) -> u8 {
        self.level
    }

    /// Bits until the next byte, 1–8.
    pub(super) fn bits(&self) -> u8 {
        self.bits
    }

    /// Silent, with nothing in the buffer.
    pub(super) fn is_at_rest(&self) -> bool {
        self.silent && !self.full
    }
}

impl State for OutputUnit {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { level, shifter, bits, silent, buffer, full } = self;
        fields.u8(level)?;
        fields.check("DMC level", u64::from(*level), *level < 128)?;
        fields.u8(shifter)?;
        fields.u8(bits)?;
        fields.check("DMC bits", u64::from(*bits), (1..=8).contains(bits))?;
        fields.bool(silent)?;
        fields.u8(buffer)?;
        fields.bool(full)
    }
}
