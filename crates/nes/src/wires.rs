//! The CPU's side of the board: address decoding, open bus, and time.

use nes_cpu::{Bus, Lines};

use crate::mainboard::KeptOpcode;
use crate::{Access, Attachment, BusEvent, Mainboard, Pads};

/// The 2A03's registers answer only while the 6502's own address bus points at them, whoever
/// drives the outer bus in that moment (NESdev: DMA).
pub(crate) const fn selects_registers(cpu_address: u16) -> bool {
    matches!(cpu_address, 0x4000..=0x401F)
}

/// The board during a run, with the pads and the attachment of that run.
pub(crate) struct Wires<'a, P, A> {
    pub(crate) board: &'a mut Mainboard,
    pub(crate) pads: &'a mut P,
    pub(crate) attachment: &'a mut A,
}

impl<P: Pads, A: Attachment> Bus for Wires<'_, P, A> {
    #[inline(always)]
    fn read(&mut self, address: u16, access: nes_cpu::Access) -> u8 {
        // Most reads fetch from PRG-ROM: only they are inlined at each of the CPU's reads.
        if address < 0x8000 || self.board.cycle >= self.board.next_event {
            // Known where the CPU reads, so that nobody has to ask.
            return if access == nes_cpu::Access::Opcode {
                self.read_beyond_prg_rom::<true>(address, access)
            } else {
                self.read_beyond_prg_rom::<false>(address, access)
            };
        }
        let value = self.board.cartridge.read(address, self.board.data_bus);
        self.board.data_bus = value;
        self.end_cycle(address, value, false, Access::Cpu(access));
        value
    }

    #[inline]
    fn write(&mut self, address: u16, value: u8, access: nes_cpu::Access) {
        if self.board.cycle >= self.board.next_event {
            self.before_write();
        }
        if address < 0x2000 {
            self.board.ram[usize::from(address & 0x7FF)] = value;
        } else {
            self.write_device(address, value);
        }
        self.board.data_bus = value;
        self.end_cycle(address, value, true, Access::Cpu(access));
    }

    #[inline]
    fn lines(&mut self) -> Lines {
        self.board.lines()
    }

    fn acknowledge_nmi(&mut self) {
        self.board.ppu.acknowledge_nmi();
        self.board.schedule();
    }

    #[inline]
    fn held(&self) -> bool {
        self.board.released.wrapping_add(1) == self.board.cycle
    }
}

impl<P: Pads, A: Attachment> Wires<'_, P, A> {
    /// The cycle is over: time moves, and the attachment sees it.
    #[inline(always)]
    pub(crate) fn end_cycle(&mut self, address: u16, value: u8, write: bool, access: Access) {
        let cycle = self.board.cycle;
        self.board.cycle = cycle + 1;
        self.attachment.bus(BusEvent { cycle, address, value, write, access });
    }

    /// A read cycle of the CPU that touches something else than PRG-ROM, or before which something
    /// is due.
    #[inline(never)]
    fn read_beyond_prg_rom<const OPCODE: bool>(&mut self, address: u16, access: nes_cpu::Access) -> u8 {
        if self.board.cycle >= self.board.next_event
            && let Some(kept) = self.before_read::<OPCODE>(address)
        {
            self.board.data_bus = kept.value;
            self.end_cycle(kept.address, kept.value, false, Access::Cpu(access));
            return kept.value;
        }
        if address >= 0x2000 {
            return self.read_device(address, address, Access::Cpu(access));
        }
        let value = self.board.ram[usize::from(address & 0x7FF)];
        self.board.data_bus = value;
        self.end_cycle(address, value, false, Access::Cpu(access));
        value
    }

    /// Something is due before a read of `address`: the chips catch up, and a DMA may hold the CPU.
    /// Returns the opcode that is known already, if one is.
    #[cold]
    #[inline(never)]
    fn before_read<const OPCODE: bool>(&mut self, address: u16) -> Option<KeptOpcode> {
        let kept = if OPCODE { self.board.take_opcode() } else { None };
        self.board.catch_up_due();
        let asked = self.board.oam_page.is_some() || self.board.apu.dmc_wants_dma();
        if asked && self.board.lets_dma_hold(OPCODE) {
            self.hold(kept.map_or(address, |kept| kept.address));
        }
        kept
    }

    /// Something is due before a write. RDY does not stop a write: a DMA waits for the next read.
    #[cold]
    #[inline(never)]
    fn before_write(&mut self) {
        self.board.catch_up_due();
    }

    /// One read cycle that is not plain memory, or not the CPU's own: `address` is on the outer
    /// bus, `cpu_address` on the 6502's. They differ only while a DMA transfers.
    #[inline(never)]
    pub(crate) fn read_device(&mut self, address: u16, cpu_address: u16, access: Access) -> u8 {
        let board = &mut *self.board;
        let internal_bus = board.internal_bus();
        let outer = match address {
            0x0000..=0x1FFF => board.ram[usize::from(address & 0x7FF)],
            0x2000..=0x3FFF => board.read_ppu(address),
            0x4000..=0x401F => board.data_bus,
            0x4020..=0xFFFF => board.read_cartridge(address),
        };
        board.data_bus = outer;
        let value = if selects_registers(cpu_address) {
            match address & 0x1F {
                0x15 => board.read_apu_status(internal_bus),
                0x16 => board.read_pad(0, address, self.pads),
                0x17 => board.read_pad(1, address, self.pads),
                _ => outer,
            }
        } else {
            outer
        };
        self.end_cycle(address, value, false, access);
        value
    }

    /// A write cycle's effect outside RAM.
    #[inline(never)]
    pub(crate) fn write_device(&mut self, address: u16, value: u8) {
        let board = &mut *self.board;
        match address {
            0x0000..=0x1FFF => unreachable!("RAM is written on the spot"),
            0x2000..=0x3FFF => board.write_ppu(address, value),
            0x4014 => {
                board.oam_page = Some(value);
                board.schedule();
            }
            0x4016 => {
                let put = board.apu.is_put(board.cycle);
                let pads = &mut *self.pads;
                board.ports.write(value, board.cycle, put, || pads.held());
            }
            0x4000..=0x4017 => board.write_apu(address, value),
            0x4018..=0x401F => {}
            0x4020..=0xFFFF => board.write_cartridge(address, value),
        }
    }
}
