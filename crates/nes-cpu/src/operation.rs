//! What the mnemonics do to the registers. Each is named as in the listing of the opcodes; those
//! with a `value` work on what was read, those that return one give what is written.

use crate::{Cpu, Status};

/// Loads, stores and transfers.
impl Cpu {
    #[inline(always)]
    pub(crate) fn lda(&mut self, value: u8) {
        self.a = value;
        self.set_nz(value);
    }

    #[inline(always)]
    pub(crate) fn ldx(&mut self, value: u8) {
        self.x = value;
        self.set_nz(value);
    }

    #[inline(always)]
    pub(crate) fn ldy(&mut self, value: u8) {
        self.y = value;
        self.set_nz(value);
    }

    #[inline(always)]
    pub(crate) fn lax(&mut self, value: u8) {
        self.x = value;
        self.lda(value);
    }

    #[inline(always)]
    pub(crate) fn lae(&mut self, value: u8) {
        self.sp &= value;
        self.lax(self.sp);
    }

    #[inline(always)]
    pub(crate) fn sta(&self) -> u8 {
        self.a
    }

    #[inline(always)]
    pub(crate) fn stx(&self) -> u8 {
        self.x
    }

    #[inline(always)]
    pub(crate) fn sty(&self) -> u8 {
        self.y
    }

    #[inline(always)]
    pub(crate) fn sax(&self) -> u8 {
        self.a & self.x
    }

    #[inline(always)]
    pub(crate) fn tax(&mut self) {
        self.ldx(self.a);
    }

    #[inline(always)]
    pub(crate) fn tay(&mut self) {
        self.ldy(self.a);
    }

    #[inline(always)]
    pub(crate) fn txa(&mut self) {
        self.lda(self.x);
    }

    #[inline(always)]
    pub(crate) fn tya(&mut self) {
        self.lda(self.y);
    }

    #[inline(always)]
    pub(crate) fn tsx(&mut self) {
        self.ldx(self.sp);
    }

    #[inline(always)]
    pub(crate) fn txs(&mut self) {
        self.sp = self.x;
    }

    #[inline(always)]
    pub(crate) fn pha(&self) -> u8 {
        self.a
    }

    #[inline(always)]
    pub(crate) fn php(&self) -> u8 {
        self.p.union(Status::B).bits()
    }

    #[inline(always)]
    pub(crate) fn pla(&mut self, value: u8) {
        self.lda(value);
    }

    #[inline(always)]
    #[expect(clippy::unused_self, reason = "an operation like the others of its column")]
    pub(crate) fn nop(&mut self, _value: u8) {}
}

/// Arithmetic and logic on the accumulator.
impl Cpu {
    #[inline(always)]
    pub(crate) fn and(&mut self, value: u8) {
        self.lda(self.a & value);
    }

    #[inline(always)]
    pub(crate) fn ora(&mut self, value: u8) {
        self.lda(self.a | value);
    }

    #[inline(always)]
    pub(crate) fn eor(&mut self, value: u8) {
        self.lda(self.a ^ value);
    }

    #[inline(always)]
    pub(crate) fn adc(&mut self, value: u8) {
        let sum = u16::from(self.a) + u16::from(value) + u16::from(self.carry());
        let result = sum as u8;
        // Overflow: both operands have the sign that the result lacks.
        let overflow = (self.a ^ result) & (value ^ result) & 0x80 != 0;
        self.p.set(Status::V, overflow);
        self.p.set(Status::C, sum > 0xFF);
        self.lda(result);
    }

    #[inline(always)]
    pub(crate) fn sbc(&mut self, value: u8) {
        self.adc(!value);
    }

    #[inline(always)]
    pub(crate) fn cmp(&mut self, value: u8) {
        self.compare(self.a, value);
    }

    #[inline(always)]
    pub(crate) fn cpx(&mut self, value: u8) {
        self.compare(self.x, value);
    }

    #[inline(always)]
    pub(crate) fn cpy(&mut self, value: u8) {
        self.compare(self.y, value);
    }

    #[inline(always)]
    pub(crate) fn bit(&mut self, value: u8) {
        let copied = Status::N.union(Status::V);
        self.p = self.p.difference(copied).union(Status::from_bits_retain(value).intersection(copied));
        self.p.set(Status::Z, self.a & value == 0);
    }

    #[inline(always)]
    pub(crate) fn anc(&mut self, value: u8) {
        self.and(value);
        self.p.set(Status::C, self.p.contains(Status::N));
    }

    #[inline(always)]
    pub(crate) fn alr(&mut self, value: u8) {
        self.a = self.lsr(self.a & value);
    }

    #[inline(always)]
    pub(crate) fn arr(&mut self, value: u8) {
        self.a = self.ror(self.a & value);
        // The adder works beside the shifter: C and V come from its bits 6 and 5.
        self.p.set(Status::C, self.a & 0x40 != 0);
        self.p.set(Status::V, (self.a ^ (self.a << 1)) & 0x40 != 0);
    }

    #[inline(always)]
    pub(crate) fn axs(&mut self, value: u8) {
        let source = self.a & self.x;
        self.compare(source, value);
        self.x = source.wrapping_sub(value);
    }
}

/// Read-modify-write.
impl Cpu {
    #[inline(always)]
    pub(crate) fn asl(&mut self, value: u8) -> u8 {
        self.shifted(value << 1, value & 0x80 != 0)
    }

    #[inline(always)]
    pub(crate) fn lsr(&mut self, value: u8) -> u8 {
        self.shifted(value >> 1, value & 0x01 != 0)
    }

    #[inline(always)]
    pub(crate) fn rol(&mut self, value: u8) -> u8 {
        self.shifted(value << 1 | self.carry(), value & 0x80 != 0)
    }

    #[inline(always)]
    pub(crate) fn ror(&mut self, value: u8) -> u8 {
        self.shifted(value >> 1 | self.carry() << 7, value & 0x01 != 0)
    }

    #[inline(always)]
    pub(crate) fn inc(&mut self, value: u8) -> u8 {
        let result = value.wrapping_add(1);
        self.set_nz(result);
        result
    }

    #[inline(always)]
    pub(crate) fn dec(&mut self, value: u8) -> u8 {
        let result = value.wrapping_sub(1);
        self.set_nz(result);
        result
    }

    #[inline(always)]
    pub(crate) fn slo(&mut self, value: u8) -> u8 {
        let result = self.asl(value);
        self.ora(result);
        result
    }

    #[inline(always)]
    pub(crate) fn rla(&mut self, value: u8) -> u8 {
        let result = self.rol(value);
        self.and(result);
        result
    }

    #[inline(always)]
    pub(crate) fn sre(&mut self, value: u8) -> u8 {
        let result = self.lsr(value);
        self.eor(result);
        result
    }

    #[inline(always)]
    pub(crate) fn rra(&mut self, value: u8) -> u8 {
        let result = self.ror(value);
        self.adc(result);
        result
    }

    #[inline(always)]
    pub(crate) fn dcp(&mut self, value: u8) -> u8 {
        let result = value.wrapping_sub(1);
        self.cmp(result);
        result
    }

    #[inline(always)]
    pub(crate) fn isc(&mut self, value: u8) -> u8 {
        let result = value.wrapping_add(1);
        self.sbc(result);
        result
    }
}

/// Index registers and flags.
impl Cpu {
    #[inline(always)]
    pub(crate) fn inx(&mut self) {
        self.ldx(self.x.wrapping_add(1));
    }

    #[inline(always)]
    pub(crate) fn iny(&mut self) {
        self.ldy(self.y.wrapping_add(1));
    }

    #[inline(always)]
    pub(crate) fn dex(&mut self) {
        self.ldx(self.x.wrapping_sub(1));
    }

    #[inline(always)]
    pub(crate) fn dey(&mut self) {
        self.ldy(self.y.wrapping_sub(1));
    }

    #[inline(always)]
    pub(crate) fn clc(&mut self) {
        self.p.remove(Status::C);
    }

    #[inline(always)]
    pub(crate) fn sec(&mut self) {
        self.p.insert(Status::C);
    }

    #[inline(always)]
    pub(crate) fn cld(&mut self) {
        self.p.remove(Status::D);
    }

    #[inline(always)]
    pub(crate) fn sed(&mut self) {
        self.p.insert(Status::D);
    }

    #[inline(always)]
    pub(crate) fn clv(&mut self) {
        self.p.remove(Status::V);
    }

    #[inline(always)]
    fn set_nz(&mut self, value: u8) {
        // In arithmetic, so that the host does not branch on data.
        let copied = Status::N.union(Status::Z).bits();
        let flags = (value & Status::N.bits()) | (u8::from(value == 0) * Status::Z.bits());
        self.p = Status::from_bits_retain((self.p.bits() & !copied) | flags);
    }

    #[inline(always)]
    fn carry(&self) -> u8 {
        self.p.bits() & Status::C.bits()
    }

    #[inline(always)]
    fn compare(&mut self, register: u8, value: u8) {
        self.p.set(Status::C, register >= value);
        self.set_nz(register.wrapping_sub(value));
    }

    #[inline(always)]
    fn shifted(&mut self, result: u8, carry: bool) -> u8 {
        self.p.set(Status::C, carry);
        self.set_nz(result);
        result
    }
}
