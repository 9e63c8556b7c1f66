//! The one description of the 256 opcodes, which the executor, the disassembler and the documents
//! share.

/// How an instruction finds its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// No operand: `CLC`.
    Implied,
    /// The accumulator: `ASL A`.
    Accumulator,
    /// The byte after the opcode: `LDA #$10`.
    Immediate,
    /// A byte of the zero page: `LDA $10`.
    ZeroPage,
    /// The same, X added without leaving the zero page: `LDA $10,X`.
    ZeroPageX,
    /// The same, with Y: `LDX $10,Y`.
    ZeroPageY,
    /// Any address: `LDA $1234`.
    Absolute,
    /// The same, X added: `LDA $1234,X`.
    AbsoluteX,
    /// The same, Y added: `LDA $1234,Y`.
    AbsoluteY,
    /// The address behind a pointer, whose high byte is read from the same page as its low one:
    /// `JMP ($1234)`.
    Indirect,
    /// The address behind a pointer of the zero page at operand plus X: `LDA ($10,X)`.
    IndirectX,
    /// The address behind a pointer of the zero page, Y added: `LDA ($10),Y`.
    IndirectY,
    /// A signed distance from the next instruction: `BNE $1234`.
    Relative,
}

impl Mode {
    /// Bytes of an instruction of this mode, 1-3. BRK counts as 1: the byte that it skips is no
    /// operand.
    #[expect(clippy::len_without_is_empty, reason = "an instruction is never empty")]
    pub const fn len(self) -> usize {
        match self {
            Self::Implied | Self::Accumulator => 1,
            Self::Absolute | Self::AbsoluteX | Self::AbsoluteY | Self::Indirect => 3,
            _ => 2,
        }
    }
}

/// One of the 256 opcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Opcode {
    /// The opcode itself.
    pub code: u8,
    /// Three capital letters.
    pub mnemonic: &'static str,
    /// Where the operand comes from.
    pub mode: Mode,
    /// Is it in MOS Technology's manual?
    pub official: bool,
}

/// Hands the listing of the opcodes to the macro `$callback`, after `($context)`.
///
/// The columns: opcode; mnemonic, which names the operation in [`Cpu`](crate::Cpu); addressing
/// mode; the way it works on the bus, as `dispatch` in `execution.rs` reads it; and whether it is
/// in the manual. Mnemonics of the unofficial ones are those of NESdev's CPU unofficial opcodes.
macro_rules! opcodes {
    ($callback:ident $($context:ident)*) => {
        $callback! {
            ($($context)*)
            0x00 brk Implied     own_poll official
            0x01 ora IndirectX   read     official
            0x02 jam Implied     own_poll unofficial
            0x03 slo IndirectX   modify   unofficial
            0x04 nop ZeroPage    read     unofficial
            0x05 ora ZeroPage    read     official
            0x06 asl ZeroPage    modify   official
            0x07 slo ZeroPage    modify   unofficial
            0x08 php Implied     push     official
            0x09 ora Immediate   read     official
            0x0A asl Accumulator modify   official
            0x0B anc Immediate   read     unofficial
            0x0C nop Absolute    read     unofficial
            0x0D ora Absolute    read     official
            0x0E asl Absolute    modify   official
            0x0F slo Absolute    modify   unofficial
            0x10 bpl Relative    branch   official
            0x11 ora IndirectY   read     official
            0x12 jam Implied     own_poll unofficial
            0x13 slo IndirectY   modify   unofficial
            0x14 nop ZeroPageX   read     unofficial
            0x15 ora ZeroPageX   read     official
            0x16 asl ZeroPageX   modify   official
            0x17 slo ZeroPageX   modify   unofficial
            0x18 clc Implied     implied  official
            0x19 ora AbsoluteY   read     official
            0x1A nop Implied     read     unofficial
            0x1B slo AbsoluteY   modify   unofficial
            0x1C nop AbsoluteX   read     unofficial
            0x1D ora AbsoluteX   read     official
            0x1E asl AbsoluteX   modify   official
            0x1F slo AbsoluteX   modify   unofficial
            0x20 jsr Absolute    control  official
            0x21 and IndirectX   read     official
            0x22 jam Implied     own_poll unofficial
            0x23 rla IndirectX   modify   unofficial
            0x24 bit ZeroPage    read     official
            0x25 and ZeroPage    read     official
            0x26 rol ZeroPage    modify   official
            0x27 rla ZeroPage    modify   unofficial
            0x28 plp Implied     own_poll official
            0x29 and Immediate   read     official
            0x2A rol Accumulator modify   official
            0x2B anc Immediate   read     unofficial
            0x2C bit Absolute    read     official
            0x2D and Absolute    read     official
            0x2E rol Absolute    modify   official
            0x2F rla Absolute    modify   unofficial
            0x30 bmi Relative    branch   official
            0x31 and IndirectY   read     official
            0x32 jam Implied     own_poll unofficial
            0x33 rla IndirectY   modify   unofficial
            0x34 nop ZeroPageX   read     unofficial
            0x35 and ZeroPageX   read     official
            0x36 rol ZeroPageX   modify   official
            0x37 rla ZeroPageX   modify   unofficial
            0x38 sec Implied     implied  official
            0x39 and AbsoluteY   read     official
            0x3A nop Implied     read     unofficial
            0x3B rla AbsoluteY   modify   unofficial
            0x3C nop AbsoluteX   read     unofficial
            0x3D and AbsoluteX   read     official
            0x3E rol AbsoluteX   modify   official
            0x3F rla AbsoluteX   modify   unofficial
            0x40 rti Implied     control  official
            0x41 eor IndirectX   read     official
            0x42 jam Implied     own_poll unofficial
            0x43 sre IndirectX   modify   unofficial
            0x44 nop ZeroPage    read     unofficial
            0x45 eor ZeroPage    read     official
            0x46 lsr ZeroPage    modify   official
            0x47 sre ZeroPage    modify   unofficial
            0x48 pha Implied     push     official
            0x49 eor Immediate   read     official
            0x4A lsr Accumulator modify   official
            0x4B alr Immediate   read     unofficial
            0x4C jmp Absolute    jump     official
            0x4D eor Absolute    read     official
            0x4E lsr Absolute    modify   official
            0x4F sre Absolute    modify   unofficial
            0x50 bvc Relative    branch   official
            0x51 eor IndirectY   read     official
            0x52 jam Implied     own_poll unofficial
            0x53 sre IndirectY   modify   unofficial
            0x54 nop ZeroPageX   read     unofficial
            0x55 eor ZeroPageX   read     official
            0x56 lsr ZeroPageX   modify   official
            0x57 sre ZeroPageX   modify   unofficial
            0x58 cli Implied     own_poll official
            0x59 eor AbsoluteY   read     official
            0x5A nop Implied     read     unofficial
            0x5B sre AbsoluteY   modify   unofficial
            0x5C nop AbsoluteX   read     unofficial
            0x5D eor AbsoluteX   read     official
            0x5E lsr AbsoluteX   modify   official
            0x5F sre AbsoluteX   modify   unofficial
            0x60 rts Implied     control  official
            0x61 adc IndirectX   read     official
            0x62 jam Implied     own_poll unofficial
            0x63 rra IndirectX   modify   unofficial
            0x64 nop ZeroPage    read     unofficial
            0x65 adc ZeroPage    read     official
            0x66 ror ZeroPage    modify   official
            0x67 rra ZeroPage    modify   unofficial
            0x68 pla Implied     pull     official
            0x69 adc Immediate   read     official
            0x6A ror Accumulator modify   official
            0x6B arr Immediate   read     unofficial
            0x6C jmp Indirect    jump     official
            0x6D adc Absolute    read     official
            0x6E ror Absolute    modify   official
            0x6F rra Absolute    modify   unofficial
            0x70 bvs Relative    branch   official
            0x71 adc IndirectY   read     official
            0x72 jam Implied     own_poll unofficial
            0x73 rra IndirectY   modify   unofficial
            0x74 nop ZeroPageX   read     unofficial
            0x75 adc ZeroPageX   read     official
            0x76 ror ZeroPageX   modify   official
            0x77 rra ZeroPageX   modify   unofficial
            0x78 sei Implied     own_poll official
            0x79 adc AbsoluteY   read     official
            0x7A nop Implied     read     unofficial
            0x7B rra AbsoluteY   modify   unofficial
            0x7C nop AbsoluteX   read     unofficial
            0x7D adc AbsoluteX   read     official
            0x7E ror AbsoluteX   modify   official
            0x7F rra AbsoluteX   modify   unofficial
            0x80 nop Immediate   read     unofficial
            0x81 sta IndirectX   write    official
            0x82 nop Immediate   read     unofficial
            0x83 sax IndirectX   write    unofficial
            0x84 sty ZeroPage    write    official
            0x85 sta ZeroPage    write    official
            0x86 stx ZeroPage    write    official
            0x87 sax ZeroPage    write    unofficial
            0x88 dey Implied     implied  official
            0x89 nop Immediate   read     unofficial
            0x8A txa Implied     implied  official
            0x8B ane Immediate   read     unofficial
            0x8C sty Absolute    write    official
            0x8D sta Absolute    write    official
            0x8E stx Absolute    write    official
            0x8F sax Absolute    write    unofficial
            0x90 bcc Relative    branch   official
            0x91 sta IndirectY   write    official
            0x92 jam Implied     own_poll unofficial
            0x93 sha IndirectY   high_and unofficial
            0x94 sty ZeroPageX   write    official
            0x95 sta ZeroPageX   write    official
            0x96 stx ZeroPageY   write    official
            0x97 sax ZeroPageY   write    unofficial
            0x98 tya Implied     implied  official
            0x99 sta AbsoluteY   write    official
            0x9A txs Implied     implied  official
            0x9B shs AbsoluteY   high_and unofficial
            0x9C shy AbsoluteX   high_and unofficial
            0x9D sta AbsoluteX   write    official
            0x9E shx AbsoluteY   high_and unofficial
            0x9F sha AbsoluteY   high_and unofficial
            0xA0 ldy Immediate   read     official
            0xA1 lda IndirectX   read     official
            0xA2 ldx Immediate   read     official
            0xA3 lax IndirectX   read     unofficial
            0xA4 ldy ZeroPage    read     official
            0xA5 lda ZeroPage    read     official
            0xA6 ldx ZeroPage    read     official
            0xA7 lax ZeroPage    read     unofficial
            0xA8 tay Implied     implied  official
            0xA9 lda Immediate   read     official
            0xAA tax Implied     implied  official
            0xAB lxa Immediate   read     unofficial
            0xAC ldy Absolute    read     official
            0xAD lda Absolute    read     official
            0xAE ldx Absolute    read     official
            0xAF lax Absolute    read     unofficial
            0xB0 bcs Relative    branch   official
            0xB1 lda IndirectY   read     official
            0xB2 jam Implied     own_poll unofficial
            0xB3 lax IndirectY   read     unofficial
            0xB4 ldy ZeroPageX   read     official
            0xB5 lda ZeroPageX   read     official
            0xB6 ldx ZeroPageY   read     official
            0xB7 lax ZeroPageY   read     unofficial
            0xB8 clv Implied     implied  official
            0xB9 lda AbsoluteY   read     official
            0xBA tsx Implied     implied  official
            0xBB lae AbsoluteY   read     unofficial
            0xBC ldy AbsoluteX   read     official
            0xBD lda AbsoluteX   read     official
            0xBE ldx AbsoluteY   read     official
            0xBF lax AbsoluteY   read     unofficial
            0xC0 cpy Immediate   read     official
            0xC1 cmp IndirectX   read     official
            0xC2 nop Immediate   read     unofficial
            0xC3 dcp IndirectX   modify   unofficial
            0xC4 cpy ZeroPage    read     official
            0xC5 cmp ZeroPage    read     official
            0xC6 dec ZeroPage    modify   official
            0xC7 dcp ZeroPage    modify   unofficial
            0xC8 iny Implied     implied  official
            0xC9 cmp Immediate   read     official
            0xCA dex Implied     implied  official
            0xCB axs Immediate   read     unofficial
            0xCC cpy Absolute    read     official
            0xCD cmp Absolute    read     official
            0xCE dec Absolute    modify   official
            0xCF dcp Absolute    modify   unofficial
            0xD0 bne Relative    branch   official
            0xD1 cmp IndirectY   read     official
            0xD2 jam Implied     own_poll unofficial
            0xD3 dcp IndirectY   modify   unofficial
            0xD4 nop ZeroPageX   read     unofficial
            0xD5 cmp ZeroPageX   read     official
            0xD6 dec ZeroPageX   modify   official
            0xD7 dcp ZeroPageX   modify   unofficial
            0xD8 cld Implied     implied  official
            0xD9 cmp AbsoluteY   read     official
            0xDA nop Implied     read     unofficial
            0xDB dcp AbsoluteY   modify   unofficial
            0xDC nop AbsoluteX   read     unofficial
            0xDD cmp AbsoluteX   read     official
            0xDE dec AbsoluteX   modify   official
            0xDF dcp AbsoluteX   modify   unofficial
            0xE0 cpx Immediate   read     official
            0xE1 sbc IndirectX   read     official
            0xE2 nop Immediate   read     unofficial
            0xE3 isc IndirectX   modify   unofficial
            0xE4 cpx ZeroPage    read     official
            0xE5 sbc ZeroPage    read     official
            0xE6 inc ZeroPage    modify   official
            0xE7 isc ZeroPage    modify   unofficial
            0xE8 inx Implied     implied  official
            0xE9 sbc Immediate   read     official
            0xEA nop Implied     read     official
            0xEB sbc Immediate   read     unofficial
            0xEC cpx Absolute    read     official
            0xED sbc Absolute    read     official
            0xEE inc Absolute    modify   official
            0xEF isc Absolute    modify   unofficial
            0xF0 beq Relative    branch   official
            0xF1 sbc IndirectY   read     official
            0xF2 jam Implied     own_poll unofficial
            0xF3 isc IndirectY   modify   unofficial
            0xF4 nop ZeroPageX   read     unofficial
            0xF5 sbc ZeroPageX   read     official
            0xF6 inc ZeroPageX   modify   official
            0xF7 isc ZeroPageX   modify   unofficial
            0xF8 sed Implied     implied  official
            0xF9 sbc AbsoluteY   read     official
            0xFA nop Implied     read     unofficial
            0xFB isc AbsoluteY   modify   unofficial
            0xFC nop AbsoluteX   read     unofficial
            0xFD sbc AbsoluteX   read     official
            0xFE inc AbsoluteX   modify   official
            0xFF isc AbsoluteX   modify   unofficial
        }
    };
}
pub(crate) use opcodes;

macro_rules! official {
    (official) => {
        true
    };
    (unofficial) => {
        false
    };
}

macro_rules! table {
    (() $($code:literal $mnemonic:ident $mode:ident $access:ident $status:ident)*) => {
        [$(Opcode {
            code: $code,
            mnemonic: {
                const CAPITALS: [u8; 3] = capitals(stringify!($mnemonic));
                text(&CAPITALS)
            },
            mode: Mode::$mode,
            official: official!($status),
        }),*]
    };
}

/// All opcodes, indexed by their code.
pub static OPCODES: [Opcode; 256] = opcodes!(table);

const fn capitals(mnemonic: &str) -> [u8; 3] {
    let letters = mnemonic.as_bytes();
    let mut capitals = [letters[0], letters[1], letters[2]];
    capitals.make_ascii_uppercase();
    capitals
}

const fn text(letters: &'static [u8]) -> &'static str {
    match core::str::from_utf8(letters) {
        Ok(text) => text,
        Err(_) => panic!("a mnemonic is ASCII"),
    }
}
