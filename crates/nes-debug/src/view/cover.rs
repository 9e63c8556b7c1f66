//! The code/data log: which bytes of the cartridge the program has run and read, in FCEUX's layout.

use core::ops::ControlFlow;

use nes::ppu::Purpose;
use nes::{Access, Break, BusEvent, Cpu, FetchEvent, Mainboard, Observer, cpu};
use rayon::prelude::*;

use crate::Debugger;
use crate::history::Replay;

/// The log: a byte for each of PRG-ROM, then of CHR-ROM, as FCEUX documents (Code/Data Logger).
///
/// ```text
/// PRG  -PDC BBdc   c code, d data, BB slot of 8 KiB at $8000, C code and D data by a pointer, P sample of the DMC
/// CHR  ---- --rd   d fetched to be drawn, r read through $2007
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    prg: Vec<u8>,
    chr: Vec<u8>,
}

impl Cover {
    /// What the last minute has covered, byte by byte. With CHR-ROM the minute is run again dot by
    /// dot, on all cores, which takes seconds.
    pub fn of(debugger: &Debugger) -> Self {
        let board = &debugger.console().board;
        let chr = if board.cartridge().info().chr_rom > 0 { board.cartridge().chr().len() } else { 0 };
        let cover = Self { prg: vec![0; board.cartridge().prg_rom().len()], chr: vec![0; chr] };
        let now = debugger.console().cycle();
        let mut ends: Vec<u64> = debugger.history.keyframes().filter(|&cycle| cycle < now).collect();
        ends.push(now);
        let parts: Vec<(u64, u64)> = ends.windows(2).map(|pair| (pair[0], pair[1])).collect();
        let (history, profile) = (&debugger.history, debugger.profile());
        let run = |&(begin, end): &(u64, u64)| cover.clone().run(history.replay(begin, profile), end);
        parts.par_iter().map(run).reduce(|| cover.clone(), |all, part| all.with(&part))
    }

    /// With what a run through the past covers up to a cycle.
    fn run(self, replay: Option<Replay>, end: u64) -> Self {
        let Some(replay) = replay else { return self };
        if self.chr.is_empty() { self.watch::<false>(replay, end) } else { self.watch::<true>(replay, end) }
    }

    fn watch<const FETCHES: bool>(self, mut replay: Replay, end: u64) -> Self {
        let mut watch =
            Watch::<FETCHES> { cover: self, banks: [0; 4], chr_banks: [0; 8], indirect: false, jump: false };
        replay.run_to(end, &mut watch, |_, _| {});
        watch.cover
    }

    /// What either has covered; of a bank that was seen at two addresses, the other's.
    fn with(mut self, other: &Self) -> Self {
        for (mine, theirs) in self.prg.iter_mut().zip(&other.prg).filter(|(_, theirs)| **theirs != 0) {
            *mine = *mine & !0x0C | theirs;
        }
        for (mine, theirs) in self.chr.iter_mut().zip(&other.chr) {
            *mine |= theirs;
        }
        self
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

struct Watch<const FETCHES: bool> {
    cover: Cover,
    banks: [u32; 4],
    chr_banks: [u32; 8],
    /// The instruction works by a pointer.
    indirect: bool,
    /// The last one jumped by a pointer: where it went is code by a pointer.
    jump: bool,
}

impl<const FETCHES: bool> Observer for Watch<FETCHES> {
    const FETCHES: bool = FETCHES;

    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.banks = board.cartridge().prg_banks();
        if FETCHES {
            self.chr_banks = board.cartridge().chr_banks();
        }
        let code = !matches!(cpu.pc, 0x2000..=0x401F);
        let opcode = if code { board.peek(cpu.pc) } else { 0xEA };
        self.indirect = matches!(opcode & 0x1F, 0x01 | 0x03 | 0x11 | 0x13);
        if core::mem::take(&mut self.jump) && cpu.pc >= 0x8000 {
            self.mark(cpu.pc, 0x10);
        }
        self.jump = opcode == 0x6C;
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        let BusEvent { address, write, access, .. } = event;
        if write || address < 0x8000 {
            return;
        }
        let flag = match access {
            Access::Cpu(cpu::Access::Opcode | cpu::Access::Operand) => 0x01,
            Access::Cpu(cpu::Access::Data) if self.indirect => 0x22,
            Access::Cpu(cpu::Access::Data | cpu::Access::Vector) | Access::OamDma => 0x02,
            Access::DmcDma => 0x40,
            Access::Cpu(_) | Access::Halted => return,
        };
        self.mark(address, flag);
    }

    #[inline]
    fn fetch(&mut self, event: FetchEvent) {
        let flag = match event.purpose {
            Purpose::Background | Purpose::Sprite => 1,
            Purpose::Data => 2,
            Purpose::Tile | Purpose::Attribute | Purpose::Unused => return,
        };
        if event.address < 0x2000 {
            let bank = self.chr_banks[usize::from(event.address >> 10)] as usize;
            if let Some(flags) = self.cover.chr.get_mut(bank + usize::from(event.address & 0x3FF)) {
                *flags |= flag;
            }
        }
    }
}

impl<const FETCHES: bool> Watch<FETCHES> {
    #[inline(always)]
    fn mark(&mut self, address: u16, flag: u8) {
        let slot = usize::from(address >> 13 & 3);
        let offset = self.banks[slot] as usize + usize::from(address & 0x1FFF);
        if let Some(flags) = self.cover.prg.get_mut(offset) {
            *flags = *flags & !0x0C | (slot as u8) << 2 | flag;
        }
    }
}
