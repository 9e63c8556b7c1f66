//! A CPU that has jammed: cycles that read $FFFF, one like the other.

use nes_cpu::Cpu;

use crate::fast::stretch;
use crate::{Attachment, Mainboard};

/// Runs the cycles of a jammed CPU up to the next event, if it reads PRG-ROM and nobody wants to
/// see its steps.
///
/// Each leaves the same byte on the data bus, polls nothing and is told to nobody
/// ([`crate::Access`] `Dummy`): until a chip acts, which is an event, only the time moves. On PAL a
/// DMA that is asked for waits for an opcode's fetch, which never comes. Returns whether it ran
/// any.
#[cold]
#[inline(never)]
pub(super) fn run<A: Attachment>(cpu: &Cpu, board: &mut Mainboard, attachment: &A, prg_rom: &[u8]) -> bool {
    let seen = A::SELECTS && (attachment.due() || attachment.selects_step(cpu.pc));
    let waits = board.apu.dmc_wants_dma() && !board.lets_dma_hold(false);
    // A jammed CPU looks at no line: of all events only the end of the frame matters to it.
    let event = if waits && !board.cartridge.watches_a12() {
        board.region.cycle(board.ppu.next_event()).saturating_add(1)
    } else {
        board.next_event
    };
    if seen || board.cycle >= event {
        return false;
    }
    let Some([.., last]) = stretch::banks(board, prg_rom) else { return false };
    board.data_bus = last[0x1FFF];
    board.cycle = event;
    true
}
