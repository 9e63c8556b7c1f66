//! The status register P.

use bitflags::bitflags;

bitflags! {
    /// The status register.
    ///
    /// ```text
    /// 7  bit  0
    /// NV1B DIZC
    /// ||   |||+- carry
    /// ||   ||+-- zero
    /// ||   |+--- interrupt disable
    /// ||   +---- decimal: stored, without effect in the 2A03
    /// |+-------- overflow
    /// +--------- negative
    /// ```
    ///
    /// Bits 4 and 5 exist only on the stack. In a [`Cpu`](crate::Cpu), B is clear and bit 5 set.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Status: u8 {
        /// Carry.
        const C = 0x01;
        /// Zero.
        const Z = 0x02;
        /// Interrupt disable.
        const I = 0x04;
        /// Decimal; the 2A03 has no decimal mode.
        const D = 0x08;
        /// Pushed as set by PHP and BRK, as clear by IRQ and NMI.
        const B = 0x10;
        /// Always pushed as set.
        const U = 0x20;
        /// Overflow.
        const V = 0x40;
        /// Negative.
        const N = 0x80;
    }
}

impl Status {
    /// What a pull of `byte` leaves in the register: bits 4 and 5 have no storage.
    #[inline]
    pub const fn pulled(byte: u8) -> Self {
        Self::from_bits_retain(byte & !Self::B.bits() | Self::U.bits())
    }
}
