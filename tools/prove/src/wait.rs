//! Loops that wait: what a shortcut may run through at once, and what looks like it.

use crate::code::Code;
use strum::VariantArray;

/// Where the NMI counts.
pub(crate) const COUNTER: u8 = 0x10;
/// What the IRQ counts in.
pub(crate) const IRQ_COUNTER: u8 = 0x11;

/// A loop of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum Wait {
    /// `LDA zp; BEQ`, until the NMI counts.
    Nmi,
    /// The same through the IRQ's counter.
    Irq,
    /// `LDA zp; CMP zp; BEQ`.
    Same,
    /// The counter read at a mirror of RAM.
    Mirror,
    /// Several reads of RAM and ROM in turn, a NOP, a compare.
    Long,
    /// The branch back crosses a page.
    Crossing,
    /// Indexed and indirect reads of RAM.
    Indirect,
    /// It writes RAM while it waits.
    Writing,
    /// It counts up in memory while it waits.
    Counting,
    /// It pushes and pulls.
    Stack,
    /// `BIT $2002; BPL`.
    Vblank,
    /// Sprite zero hit, by `BIT $2002; BVC`, with a limit.
    Hit,
    /// The frame counter's flag in `$4015`, with a limit.
    FrameFlag,
    /// Reads of a pad, with a limit.
    Pad,
    /// 256 turns of INX; BNE.
    Turns,
}

impl Wait {
    /// Appends the loop.
    pub(crate) fn assemble(self, code: &mut Code) {
        const BEQ: u8 = 0xF0;
        match self {
            Self::Crossing => {
                clear(code, COUNTER);
                while code.here() & 0xFF != 0xFD {
                    code.put(&[0xEA]);
                }
            }
            Self::Irq => clear(code, IRQ_COUNTER),
            _ => clear(code, COUNTER),
        }
        if self == Self::Indirect {
            code.put(&[0xA9, COUNTER, 0x85, 0x12, 0xA9, 0, 0x85, 0x13, 0xA2, 0, 0xA0, 0]);
        }
        // A limit of 256 turns for what may never come.
        if matches!(self, Self::Hit | Self::FrameFlag | Self::Pad | Self::Turns) {
            code.put(&[0xA2, 0]);
        }
        let start = code.here();
        match self {
            Self::Nmi | Self::Crossing => code.put(&[0xA5, COUNTER]),
            Self::Irq => code.put(&[0xA5, IRQ_COUNTER]),
            Self::Same => code.put(&[0xA9, 0, 0xC5, COUNTER]),
            Self::Mirror => code.absolute(0xAD, 0x0800 + u16::from(COUNTER)),
            Self::Long => {
                code.put(&[0xA6, 0x20]); // LDX zp
                code.absolute(0xAC, 0xF000); // LDY ROM
                code.put(&[0xEA, 0x24, 0x21, 0xA5, COUNTER, 0xC9, 0]); // NOP; BIT; LDA; CMP #
            }
            Self::Indirect => code.put(&[0xB5, 0x20, 0xB1, 0x12]), // LDA zp,X; LDA (zp),Y
            Self::Writing => code.put(&[0x86, 0x22, 0xA5, COUNTER]), // STX zp; LDA zp
            Self::Counting => code.put(&[0xE6, 0x23, 0xA5, COUNTER]), // INC zp; LDA zp
            Self::Stack => code.put(&[0x48, 0x68, 0xA5, COUNTER]), // PHA; PLA; LDA zp
            Self::Vblank | Self::Hit => code.absolute(0x2C, 0x2002),
            Self::FrameFlag => code.absolute(0xAD, 0x4015),
            Self::Pad => code.absolute(0xAD, 0x4016),
            Self::Turns => {}
        }
        match self {
            Self::Vblank => code.branch(0x10, start),
            Self::Hit => {
                code.put(&[0x70, 3, 0xE8]); // BVS out; INX
                code.branch(0xD0, start);
            }
            Self::FrameFlag => {
                code.put(&[0x29, 0x40, 0xD0, 3, 0xE8]); // AND #; BNE out; INX
                code.branch(0xD0, start);
            }
            Self::Pad | Self::Turns => {
                code.put(&[0xE8]);
                code.branch(0xD0, start);
            }
            _ => code.branch(BEQ, start),
        }
    }
}

/// LDA #0; STA zp.
fn clear(code: &mut Code, address: u8) {
    code.put(&[0xA9, 0, 0x85, address]);
}
