//! The code/data log: which bytes of the cartridge the program has run and read, in FCEUX's layout.

use core::ops::ControlFlow;

use nes::{Access, Break, BusEvent, Cpu, Mainboard, Observer, cpu};

use crate::{Debugger, Space, space};

/// The log: a byte for each of PRG-ROM, then of CHR-ROM, as FCEUX documents (Code/Data Logger).
///
/// ```text
/// PRG  -PDC BBdc   c code, d data, BB slot of 8 KiB at $8000, C code and D data by a pointer, P sample of the DMC
/// CHR  ---- --rd   d drawn, r read through $2007
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    prg: Vec<u8>,
    chr: Vec<u8>,
}

impl Cover {
    /// What the last minute has covered. A tile counts as drawn if a nametable or a sprite shows it at the end of a
    /// frame with rendering on.
    pub fn of(debugger: &Debugger) -> Self {
        let board = &debugger.console().board;
        let chr = if board.cartridge().info().chr_rom > 0 { board.cartridge().chr().len() } else { 0 };
        let cover = Self { prg: vec![0; board.cartridge().prg_rom().len()], chr: vec![0; chr] };
        let Some(oldest) = debugger.history.keyframes().next() else { return cover };
        let Some(mut replay) = debugger.replay(oldest) else { return cover };
        let mut watch =
            Watch { cover, banks: [0; 4], chr_banks: [0; 8], indirect: false, jump: false, vram: 0 };
        let mut drawn = Vec::new();
        replay.run_to(debugger.console().cycle(), &mut watch, |moment, _| {
            drawn.push(moment.console.board.caught_up());
            if drawn.len() == 60 {
                // One a second is enough: tiles stay.
                drawn.drain(..59);
            }
        });
        let mut cover = watch.cover;
        for chips in &drawn {
            cover.draw(chips);
        }
        cover
    }

    /// The tiles that nametables and sprites show.
    fn draw(&mut self, chips: &Mainboard) {
        let (control, mask) = chips.ppu().control_and_mask();
        if self.chr.is_empty() || !mask.intersects(nes::ppu::Mask::BACKGROUND | nes::ppu::Mask::SPRITES) {
            return;
        }
        let table = u16::from(control.contains(nes::ppu::Control::BACKGROUND_TABLE)) << 12;
        let mut tiles: Vec<u16> = (0x2000..0x2FFF_u16)
            .filter(|at| at & 0x3FF < 0x3C0)
            .map(|at| table | u16::from(space::peek(chips, Space::Ppu, at.into())) << 4)
            .collect();
        let table = u16::from(control.contains(nes::ppu::Control::SPRITE_TABLE)) << 12;
        tiles.extend(
            chips
                .ppu()
                .oam()
                .chunks_exact(4)
                .filter(|sprite| sprite[0] < 0xEF)
                .map(|sprite| table | u16::from(sprite[1]) << 4),
        );
        for tile in tiles {
            for at in tile..tile + 16 {
                let offset = chips.cartridge().chr_banks()[usize::from(at >> 10 & 7)] as usize
                    + usize::from(at & 0x3FF);
                if let Some(flags) = self.chr.get_mut(offset) {
                    *flags |= 1;
                }
            }
        }
    }

    /// The file, PRG-ROM first.
    pub fn bytes(&self) -> Vec<u8> {
        [&self.prg[..], &self.chr].concat()
    }

    /// Bytes of code, of data and untouched, of PRG-ROM; drawn ones of CHR-ROM.
    pub fn summary(&self) -> String {
        let count = |bytes: &[u8], meant: fn(u8) -> bool| bytes.iter().filter(|&&byte| meant(byte)).count();
        format!(
            "PRG-ROM: {} bytes of code, {} of data, {} of neither; CHR-ROM: {} bytes drawn, {} read",
            count(&self.prg, |flags| flags & 0x11 != 0),
            count(&self.prg, |flags| flags & 0x62 != 0),
            count(&self.prg, |flags| flags == 0),
            count(&self.chr, |flags| flags & 1 != 0),
            count(&self.chr, |flags| flags & 2 != 0),
        )
    }
}

struct Watch {
    cover: Cover,
    banks: [u32; 4],
    chr_banks: [u32; 8],
    /// The instruction works by a pointer.
    indirect: bool,
    /// The last one jumped by a pointer: where it went is code by a pointer.
    jump: bool,
    vram: u16,
}

impl Observer for Watch {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.banks = board.cartridge().prg_banks();
        let code = !matches!(cpu.pc, 0x2000..=0x401F);
        let opcode = if code { board.peek(cpu.pc) } else { 0xEA };
        self.indirect = matches!(opcode & 0x1F, 0x01 | 0x03 | 0x11 | 0x13);
        if core::mem::take(&mut self.jump) && cpu.pc >= 0x8000 {
            self.mark(cpu.pc, 0x10);
        }
        self.jump = opcode == 0x6C;
        if matches!(opcode, 0xAD | 0x2C | 0xAE | 0xAC) && board.peek(cpu.pc.wrapping_add(1)) == 7 {
            self.vram = board.caught_up().ppu().scroll().0.bits() & 0x3FFF;
            self.chr_banks = board.cartridge().chr_banks();
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        let BusEvent { address, write, access, .. } = event;
        if write || address < 0x2007 {
            return;
        }
        let flag = match access {
            Access::Cpu(cpu::Access::Opcode | cpu::Access::Operand) => 0x01,
            Access::Cpu(cpu::Access::Data) if self.indirect => 0x22,
            Access::Cpu(cpu::Access::Data | cpu::Access::Vector) => 0x02,
            Access::OamDma => 0x02,
            Access::DmcDma => 0x40,
            Access::Cpu(_) | Access::Halted => return,
        };
        if address >= 0x8000 {
            self.mark(address, flag);
        } else if address == 0x2007 && self.vram < 0x2000 {
            let bank = self.chr_banks[usize::from(self.vram >> 10 & 7)] as usize;
            if let Some(flags) = self.cover.chr.get_mut(bank + usize::from(self.vram & 0x3FF)) {
                *flags |= 2;
            }
        }
    }
}

impl Watch {
    #[inline(always)]
    fn mark(&mut self, address: u16, flag: u8) {
        let slot = usize::from(address >> 13 & 3);
        let offset = self.banks[slot] as usize + usize::from(address & 0x1FFF);
        if let Some(flags) = self.cover.prg.get_mut(offset) {
            *flags = *flags & !0x0C | (slot as u8) << 2 | flag;
        }
    }
}
