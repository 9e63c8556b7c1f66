//! The analogue side of the unstable opcodes, as parameters.

use nes_state::{Fields, State, StateError};

use crate::Cpu;

/// Constants of the opcodes whose result depends on the die, its temperature or the board.
///
/// They drive two sources onto one internal bus at once; which bits win differs from console to
/// console (NESdev: CPU unofficial opcodes; Visual6502wiki: 6502 Opcode 8B).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unstable {
    /// ANE ($8B): A = (A | `ane_magic`) & X & operand. $FF and $EE are the common values.
    pub ane_magic: u8,
    /// LXA ($AB): A = X = (A | `lxa_magic`) & operand. blargg's `instr_test-v5` wants $FF.
    pub lxa_magic: u8,
    /// SHA ($93, $9F) and SHS ($9B) store A & (X | `sha_magic`) & (H + 1). $00, $F5, $F9, $FA and
    /// $FF have been seen (`AccuracyCoin`).
    pub sha_magic: u8,
    /// SHA and SHS leave A out when a page crossing corrupts the high byte of their address:
    /// (H + 1) & X in place of (H + 1) & A & X. Both are found in consoles (`AccuracyCoin`'s
    /// behaviours 2 and 1).
    pub sha_high_without_a: bool,
}

impl Default for Unstable {
    fn default() -> Self {
        Self { ane_magic: 0xFF, lxa_magic: 0xFF, sha_magic: 0, sha_high_without_a: false }
    }
}

impl State for Unstable {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { ane_magic, lxa_magic, sha_magic, sha_high_without_a } = self;
        fields.u8(ane_magic)?;
        fields.u8(lxa_magic)?;
        fields.u8(sha_magic)?;
        fields.bool(sha_high_without_a)
    }
}

impl Cpu {
    #[inline(always)]
    pub(crate) fn ane(&mut self, value: u8) {
        self.lda((self.a | self.unstable.ane_magic) & self.x & value);
    }

    #[inline(always)]
    pub(crate) fn lxa(&mut self, value: u8) {
        self.lax((self.a | self.unstable.lxa_magic) & value);
    }

    #[inline(always)]
    pub(crate) fn shx(&mut self) -> (u8, u8) {
        (self.x, self.x)
    }

    #[inline(always)]
    pub(crate) fn shy(&mut self) -> (u8, u8) {
        (self.y, self.y)
    }

    #[inline(always)]
    pub(crate) fn sha(&mut self) -> (u8, u8) {
        let value = self.a & (self.x | self.unstable.sha_magic);
        let mask = if self.unstable.sha_high_without_a { self.x } else { self.a & self.x };
        (value, mask)
    }

    #[inline(always)]
    pub(crate) fn shs(&mut self) -> (u8, u8) {
        self.sp = self.a & self.x;
        self.sha()
    }
}
