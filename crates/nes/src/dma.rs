//! DMA: the cycles in which RDY holds the CPU and someone else drives the bus.
//!
//! A DMA halts the CPU only on a read, which the CPU then repeats, side effects included, until it
//! is let go. Cycles alternate between *get* (a DMA may read) and *put* (a DMA may write); both
//! DMAs may be under way at once, and on a get cycle the DMC goes first (NESdev: DMA). On PAL only
//! an opcode's fetch is held (`Mainboard::lets_dma_hold`).

use crate::wires::{Wires, selects_registers};
use crate::{Access, Attachment, Pads};

/// An OAM DMA under way.
struct OamDma {
    page: u8,
    index: u8,
    /// Read in the last get cycle, to be written in the put cycle that follows.
    latch: Option<u8>,
    /// Its first cycle only halts the CPU.
    halting: bool,
}

impl<P: Pads, A: Attachment> Wires<'_, P, A> {
    /// Runs DMA cycles until nobody asks for one. The 6502 holds `held` on its address bus.
    pub(crate) fn hold(&mut self, held: u16) {
        let page = self.board.oam_page.take();
        let mut oam = page.map(|page| OamDma { page, index: 0, latch: None, halting: true });
        let mut dmc_halting = true;
        loop {
            self.board.run_apu();
            self.board.oam_dma = oam.is_some();
            let dmc = self.board.apu.dmc_wants_dma();
            if oam.is_none() && !dmc {
                break;
            }
            dmc_halting |= !dmc;
            if self.board.apu.is_put(self.board.cycle) {
                match oam.as_mut().and_then(|oam| oam.latch.take()) {
                    Some(byte) => self.put_oam(byte, &mut oam),
                    // Halt, dummy and alignment cycles repeat the CPU's read.
                    None => self.repeat(held),
                }
            } else {
                match &mut oam {
                    _ if dmc && !dmc_halting => self.get_dmc(held),
                    &mut Some(OamDma { page, index: 0, halting: false, .. })
                        if self.whole_page(page, held) =>
                    {
                        oam = None;
                    }
                    Some(OamDma { page, index, latch, halting: false }) => {
                        let address = u16::from_be_bytes([*page, *index]);
                        *latch = Some(self.read_device(address, held, Access::OamDma));
                    }
                    _ => self.repeat(held),
                }
                // The DMC stops halting after its first get cycle, whoever used that cycle.
                dmc_halting = !dmc;
            }
            if let Some(oam) = &mut oam {
                oam.halting = false;
            }
        }
        self.board.released = self.board.cycle;
        self.board.catch_up();
    }

    /// All 512 cycles of an OAM DMA's transfer, if nobody could tell them from one cycle after
    /// another: no DMC DMA comes in between, no register is read, the PPU is idle and nobody
    /// watches.
    fn whole_page(&mut self, page: u8, held: u16) -> bool {
        let board = &mut *self.board;
        let end = board.cycle + 2 * 256;
        let plain = matches!(page, 0x00..=0x1F | 0x80..) && !selects_registers(held);
        let seen = A::WATCHES || board.cartridge.watches_a12() || board.cartridge.watches_reads();
        if seen || !plain || board.apu.next_event() < end {
            return false;
        }
        let first = u16::from(page) << 8;
        let bytes = core::array::from_fn(|index| {
            let address = first | index as u16;
            match address {
                0..0x2000 => board.ram[usize::from(address & 0x7FF)],
                _ => board.cartridge.read(address, 0),
            }
        });
        if !board.ppu.write_oam_page(&bytes, board.region.tick(end - 1)) {
            return false;
        }
        board.data_bus = bytes[255];
        board.cycle = end;
        true
    }

    fn repeat(&mut self, held: u16) {
        self.read_device(held, held, Access::Halted);
    }

    fn get_dmc(&mut self, held: u16) {
        let address = self.board.apu.dmc_address();
        let byte = self.read_device(address, held, Access::DmcDma);
        self.board.apu.dmc_fetched(byte);
    }

    fn put_oam(&mut self, byte: u8, transfer: &mut Option<OamDma>) {
        self.write_device(0x2004, byte);
        self.board.data_bus = byte;
        self.end_cycle(0x2004, byte, true, Access::OamDma);
        if let Some(oam) = transfer {
            match oam.index.checked_add(1) {
                Some(next) => oam.index = next,
                None => *transfer = None,
            }
        }
    }
}
