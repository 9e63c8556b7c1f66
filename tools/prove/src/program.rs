//! A random program: what it does, and the cartridge that does it.

use crate::case::Power;
use crate::code::Code;
use crate::wait::{COUNTER, IRQ_COUNTER, Wait};
use nes_testing::Image;
use strum::VariantArray;
use tetris::SplitMix64;

/// Where the code begins, in every bank of 16 KiB.
const BASE: u16 = 0xC000;
/// Random bytes, other ones in every bank.
const DATA: u16 = 0xF000;
/// Two pages of sprites.
const SPRITES: u16 = 0xF800;
/// Where a program on the MMC5 begins.
const MMC5_RESET: u16 = 0xFD00;
const BANK: usize = 0x4000;

/// The board that a program is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum Board {
    /// NROM with CHR-ROM.
    Nrom,
    /// NROM with CHR-RAM.
    NromRam,
    /// MMC1 with 32 KiB of CHR-ROM.
    Mmc1,
    /// MMC1 with CHR-RAM and PRG-RAM.
    Mmc1Ram,
    /// `UxROM`, CHR-RAM.
    Uxrom,
    /// CNROM with 32 KiB of CHR-ROM.
    Cnrom,
    /// `AxROM`, CHR-RAM.
    Axrom,
    /// MMC3 with 64 KiB of CHR-ROM.
    Mmc3,
    /// MMC3 with CHR-RAM and four nametables.
    Mmc3Ram,
    /// Tengen's 800008 with 64 KiB of CHR-ROM.
    Tengen,
    /// NINA-001 with 32 KiB of CHR-ROM.
    Nina,
    /// `GxROM` with 32 KiB of CHR-ROM.
    Gxrom,
    /// A multicart of HES' with 64 KiB of CHR-ROM.
    Hes,
    /// Action 53, CHR-RAM.
    Action53,
    /// UNROM 512 with one screen, CHR-RAM.
    Unrom512,
    /// UNROM 512 with flash and four screens.
    Unrom512Flash,
    /// FME-7 with 64 KiB of CHR-ROM.
    Fme7,
    /// Magic Floor.
    MagicFloor,
    /// MMC5 with 64 KiB of CHR-ROM.
    Mmc5,
    /// MMC5 with CHR-RAM.
    Mmc5Ram,
}

impl Board {
    /// Mapper, banks of 16 KiB of PRG-ROM, banks of 8 KiB of CHR-ROM.
    fn sizes(self) -> (u8, u8, u8) {
        match self {
            Self::Nrom => (0, 2, 1),
            Self::NromRam => (0, 2, 0),
            Self::Mmc1 => (1, 8, 4),
            Self::Mmc1Ram => (1, 8, 0),
            Self::Uxrom => (2, 8, 0),
            Self::Cnrom => (3, 2, 4),
            Self::Axrom => (7, 8, 0),
            Self::Mmc3 => (4, 8, 8),
            Self::Mmc3Ram => (4, 8, 0),
            Self::Tengen => (148, 4, 8),
            Self::Nina => (34, 4, 4),
            Self::Gxrom => (66, 8, 4),
            Self::Hes => (113, 8, 8),
            Self::Action53 => (28, 8, 0),
            Self::Unrom512 | Self::Unrom512Flash => (30, 8, 0),
            Self::Fme7 => (69, 8, 8),
            Self::MagicFloor => (218, 2, 0),
            Self::Mmc5 => (5, 8, 8),
            Self::Mmc5Ram => (5, 8, 0),
        }
    }

    /// Its iNES number.
    pub(crate) fn mapper(self) -> u16 {
        self.sizes().0.into()
    }

    fn is_mmc3(self) -> bool {
        matches!(self, Self::Mmc3 | Self::Mmc3Ram)
    }

    fn is_mmc5(self) -> bool {
        matches!(self, Self::Mmc5 | Self::Mmc5Ram)
    }

    /// Bits of the header's byte 6 that the program does not choose.
    fn flags(self) -> u8 {
        match self {
            Self::Mmc3Ram | Self::Unrom512 => 0x08,
            Self::Unrom512Flash => 0x0B,
            _ => 0,
        }
    }
}

/// One thing that a program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// LDA #; STA.
    Write(u16, u8),
    /// LDA.
    Read(u16),
    /// INC: two writes in a row.
    Modify(u16),
    /// STA with an index: a read of the address first.
    Indexed(u16, u8),
    /// So many cycles pass.
    Pause(u16),
    /// A loop that waits.
    Wait(Wait),
    /// `$2006`, twice.
    Address(u16),
    /// `$2005`, twice.
    Scroll(u8, u8),
    /// `$2005`, twice, with a position that moves a pixel each time.
    Pan,
    /// A loop that fills memory from an address, or copies it from another, by an index that counts
    /// from so much, up or down.
    Page(Option<u16>, u16, u8, bool),
    /// So many bytes to `$2007`, the rest of the data's page first.
    Fill(u8),
    /// So many reads of `$2007`.
    Fetch(u8),
    /// OAM DMA from a page.
    Dma(u8),
    /// A value into a register of the board.
    Bank(u8, u8),
    /// The four registers of a channel (0–4).
    Sound(u8, [u8; 4]),
    /// One byte of code: NOP, CLI, SEI, PHA, PLP and the like.
    Plain(u8),
    /// BRK, or a call of something that returns.
    Call(bool),
}

/// A program, its handlers, its cartridge and its console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The board that it is on.
    pub board: Board,
    /// Vertical mirroring.
    pub vertical: bool,
    /// The console's power-on.
    pub power: Power,
    /// Seed of patterns, data and sprites.
    pub memory: u64,
    /// It first fills video memory, palette and OAM.
    pub prepared: bool,
    /// What it does again and again.
    pub main: Vec<Op>,
    /// It stays in this loop at the end of `main`, the NMI aside.
    pub rest: Option<Wait>,
    /// What the NMI does.
    pub nmi: Vec<Op>,
    /// What the IRQ does, after its acknowledgement.
    pub irq: Vec<Op>,
    /// `$4015` as the IRQ leaves it.
    pub irq_channels: u8,
    /// Frames to be run.
    pub frames: u32,
}

impl Program {
    /// The cartridge's image.
    pub fn image(&self) -> Vec<u8> {
        let (mapper, prg_banks, chr_banks) = self.board.sizes();
        let mut random = SplitMix64::new(self.memory);
        let bank = self.bank(&mut random);
        let flags = mapper << 4 | self.board.flags() | u8::from(self.vertical);
        let mut image = Image::ines(mapper, prg_banks, chr_banks).with(6, flags);
        for prg in image.prg.chunks_exact_mut(BANK) {
            prg.copy_from_slice(&bank);
            let data = usize::from(DATA - BASE)..usize::from(SPRITES - BASE);
            prg[data].iter_mut().for_each(|byte| *byte = random.next_u64() as u8);
        }
        for row in image.chr.chunks_exact_mut(16) {
            row.copy_from_slice(&tile(&mut random));
        }
        image.bytes()
    }

    /// The bank that is everywhere: code, vectors, sprites.
    fn bank(&self, random: &mut SplitMix64) -> Vec<u8> {
        let mut code = Code::new(BASE);
        self.assemble_reset(&mut code);
        let nmi = code.here();
        code.put(&[0x48, 0xE6, COUNTER]); // PHA; INC
        self.assemble(&self.nmi, &mut code);
        code.put(&[0x68, 0x40]); // PLA; RTI
        let irq = code.here();
        code.put(&[0x48, 0xE6, IRQ_COUNTER]);
        code.absolute(0xAD, 0x4015);
        code.store(0x4015, self.irq_channels);
        if self.board.is_mmc3() {
            code.absolute(0x8D, 0xE000);
            code.absolute(0x8D, 0xE001);
        }
        if self.board.is_mmc5() {
            code.absolute(0xAD, 0x5204);
        }
        if self.board == Board::Fme7 {
            code.store(0x8000, 0x0D);
            code.store(0xA000, 0x81);
        }
        self.assemble(&self.irq, &mut code);
        code.put(&[0x68, 0x40]);
        let mut bank = vec![0x60; BANK]; // RTS
        let length = code.bytes.len().min(usize::from(DATA - BASE));
        bank[..length].copy_from_slice(&code.bytes[..length]);
        let sprites = usize::from(SPRITES - BASE);
        bank[sprites..sprites + 0x200]
            .chunks_exact_mut(4)
            .for_each(|entry| entry.copy_from_slice(&sprite(random)));
        let mut reset = BASE;
        if self.board.is_mmc5() {
            // The last 8 KiB are all that is in its place: 16 KiB are brought there.
            let mut show = Code::new(MMC5_RESET);
            show.store(0x5100, 1);
            show.absolute(0x4C, BASE);
            let at = usize::from(MMC5_RESET - BASE);
            bank[at..at + show.bytes.len()].copy_from_slice(&show.bytes);
            reset = MMC5_RESET;
        }
        let vectors = [nmi, reset, irq].map(u16::to_le_bytes).concat();
        bank[BANK - 6..].copy_from_slice(&vectors);
        bank
    }

    fn assemble_reset(&self, code: &mut Code) {
        code.put(&[0x78, 0xD8, 0xA2, 0xFF, 0x9A]); // SEI; CLD; LDX #; TXS
        if self.prepared {
            prepare(code);
        }
        code.put(&[0x58]); // CLI
        let start = code.here();
        self.assemble(&self.main, code);
        if let Some(wait) = self.rest {
            let rest = code.here();
            wait.assemble(code);
            code.absolute(0x4C, rest);
        }
        code.absolute(0x4C, start);
    }

    fn assemble(&self, ops: &[Op], code: &mut Code) {
        for op in ops {
            op.assemble(self.board, code);
        }
    }
}

/// Waits until the PPU listens, then fills video memory, palette, two pages of sprites and OAM.
fn prepare(code: &mut Code) {
    const STA_DATA: [u8; 3] = [0x8D, 0x07, 0x20];
    for _ in 0..2 {
        let start = code.here();
        code.absolute(0x2C, 0x2002);
        code.branch(0x10, start);
    }
    // A page to $0200, another to $0300.
    code.put(&[0xA2, 0]);
    let start = code.here();
    code.put(&[0xBD, 0x00, 0xF8, 0x9D, 0x00, 0x02, 0xBD, 0x00, 0xF9, 0x9D, 0x00, 0x03, 0xE8]);
    code.branch(0xD0, start);
    code.store(0x4014, 2);
    // Patterns at $0000 (if they are RAM) and both nametables get six pages each.
    for address in [0x0000_u16, 0x2000, 0x2800] {
        Op::Address(address).assemble(Board::Nrom, code);
        code.put(&[0xA2, 0]);
        let start = code.here();
        for page in 0..4_u8 {
            code.put(&[0xBD, 0x00, 0xF0 + page]);
            code.put(&STA_DATA);
        }
        code.put(&[0xE8]);
        code.branch(0xD0, start);
    }
    Op::Address(0x3F00).assemble(Board::Nrom, code);
    Op::Fill(32).assemble(Board::Nrom, code);
    Op::Scroll(0, 0).assemble(Board::Nrom, code);
}

impl Op {
    fn assemble(self, board: Board, code: &mut Code) {
        match self {
            Self::Write(address, value) => code.store(address, value),
            Self::Read(address) => code.absolute(0xAD, address),
            Self::Modify(address) => code.absolute(0xEE, address),
            Self::Indexed(address, x) => {
                code.put(&[0xA2, x]);
                code.absolute(0x9D, address);
            }
            Self::Pause(cycles) => code.pause(cycles),
            Self::Wait(wait) => wait.assemble(code),
            Self::Address(address) => {
                let [high, low] = address.to_be_bytes();
                code.store(0x2006, high);
                code.store(0x2006, low);
            }
            Self::Scroll(x, y) => {
                code.store(0x2005, x);
                code.store(0x2005, y);
            }
            Self::Pan => {
                code.put(&[0xE6, 0x14, 0xA5, 0x14]); // INC; LDA
                code.absolute(0x8D, 0x2005);
                code.absolute(0x8D, 0x2005);
            }
            Self::Page(from, to, x, down) => page(code, from, to, x, down),
            Self::Fill(count) => transfer(code, count, &[0xBD, 0x00, 0xF0, 0x8D, 0x07, 0x20]),
            Self::Fetch(count) => transfer(code, count, &[0xAD, 0x07, 0x20]),
            Self::Dma(page) => code.store(0x4014, page),
            Self::Bank(register, value) => bank(board, register, value, code),
            Self::Sound(channel, values) => {
                for (register, value) in (0..).zip(values) {
                    code.store(0x4000 + u16::from(channel % 5) * 4 + register, value);
                }
                board_sound(board, channel, values, code);
            }
            Self::Plain(byte) => code.put(&[byte]),
            Self::Call(true) => code.put(&[0x00, 0xEA]),
            Self::Call(false) => code.absolute(0x20, 0xFF00),
        }
    }
}

/// LDX #count; the transfer; DEX; BNE.
fn transfer(code: &mut Code, count: u8, body: &[u8]) {
    code.put(&[0xA2, count.max(1)]);
    let start = code.here();
    code.put(body);
    code.put(&[0xCA]);
    code.branch(0xD0, start);
}

/// LDX #x; LDA from,X; STA to,X; INX or DEX; BNE.
fn page(code: &mut Code, from: Option<u16>, to: u16, x: u8, down: bool) {
    code.put(&[0xA2, x]);
    let start = code.here();
    for (address, absolute, zero_page) in
        from.map(|from| (from, 0xBD, 0xB5)).into_iter().chain([(to, 0x9D, 0x95)])
    {
        match u8::try_from(address) {
            Ok(address) => code.put(&[zero_page, address]),
            Err(_) => code.absolute(absolute, address),
        }
    }
    code.put(&[if down { 0xCA } else { 0xE8 }]);
    code.branch(0xD0, start);
}

/// The same for the sound chip on the board.
fn board_sound(board: Board, channel: u8, values: [u8; 4], code: &mut Code) {
    let [first, second, ..] = values;
    match board {
        Board::Mmc5 | Board::Mmc5Ram => match channel % 5 {
            pulse @ (0 | 1) => {
                for (register, value) in (0..).zip(values) {
                    code.store(0x5000 + u16::from(pulse) * 4 + register, value);
                }
            }
            2 => code.store(0x5010, first),
            3 => code.store(0x5011, first),
            _ => code.store(0x5015, first),
        },
        Board::Fme7 => {
            code.store(0xC000, first & 0x0F);
            code.store(0xE000, second);
        }
        _ => {}
    }
}

/// A command of the flash, whose code is in it, too: what comes next is read while it works.
fn flash_command(command: u8, code: &mut Code) {
    for (bank, address, value) in [(1, 0x9555, 0xAA), (0, 0xAAAA, 0x55), (1, 0x9555, command)] {
        code.store(0xC000, bank);
        code.store(address, value);
    }
    // The byte to be programmed, or the end of identification.
    code.store(0x8123, if command == 0x90 { 0xF0 } else { 0x5A });
}

/// Registers of the MMC5 that leave its code where it is.
const MMC5: [u16; 24] = [
    0x5101, 0x5102, 0x5103, 0x5104, 0x5105, 0x5106, 0x5107, 0x5113, 0x5115, 0x5120, 0x5123, 0x5127, 0x5128,
    0x512B, 0x5130, 0x5200, 0x5201, 0x5202, 0x5203, 0x5204, 0x5205, 0x5206, 0x5C25, 0x5FC1,
];

/// A register of the board: MMC1 takes five writes, the others one. MMC3 has two in each 8 KiB, and
/// is left with its code where it is.
fn bank(board: Board, register: u8, value: u8, code: &mut Code) {
    match board {
        Board::Nina => return code.store(0x7FFD + u16::from(register % 3), value),
        Board::Hes => return code.store(0x4100 | u16::from(register), value),
        Board::Action53 => {
            code.store(0x5000, register);
            return code.store(0x8000, value);
        }
        Board::Fme7 => {
            code.store(0x8000, register);
            return code.store(0xA000, if register & 0x0F == 0x0B { value & !1 } else { value });
        }
        Board::Unrom512Flash if register & 0x3F == 0x3F => {
            return flash_command(if value < 0x80 { 0x90 } else { 0xA0 }, code);
        }
        Board::Mmc5 | Board::Mmc5Ram => {
            return code.store(MMC5[usize::from(register) % MMC5.len()], value);
        }
        _ => {}
    }
    let address = 0x8000 | u16::from(register & 3) << 13;
    if board.is_mmc3() {
        let address = address | u16::from(register >> 2 & 1);
        return code.store(address, if address == 0x8000 { value & !0x40 } else { value });
    }
    code.put(&[0xA9, value]);
    let serial = matches!(board, Board::Mmc1 | Board::Mmc1Ram);
    for _ in 0..if serial { 5 } else { 1 } {
        code.absolute(0x8D, address | 0x1000);
        if serial {
            code.put(&[0x4A]); // LSR A
        }
    }
}

/// A sprite: they share few lines and columns, so that they meet often, and some hang over an edge.
fn sprite(random: &mut SplitMix64) -> [u8; 4] {
    let mut within = |start: u32, width: u32| (start + random.below(width)) as u8;
    let y = match within(0, 8) {
        0 => within(228, 28),
        1 => within(0, 10),
        2 => within(0, 256),
        _ => within(60, 90),
    };
    let x = match within(0, 8) {
        // The 256th pixel is not like the others.
        0 => 255 - (within(0, 12) >> within(0, 4)),
        1 => within(0, 10),
        2 | 3 => within(90, 16),
        _ => within(0, 256),
    };
    [y, within(0, 256), within(0, 256), x]
}

/// A tile: now and then an empty or a full one, so that there are things to see through.
fn tile(random: &mut SplitMix64) -> [u8; 16] {
    match random.below(8) {
        0..2 => [0; 16],
        2 => [0xFF; 16],
        _ => std::array::from_fn(|_| random.next_u64() as u8),
    }
}
