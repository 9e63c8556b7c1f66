//! nestest, instruction by instruction.

use std::ops::ControlFlow;

use maxout_tests::public_rom;
use nes::{Break, Buttons, Cartridge, Config, Console, Cpu, Mainboard, Observer};
use nes_debug::view::{Format, Listing};
use sha1::{Digest, Sha1};

/// SHA-1 of the log published with nestest, 8,991 lines closed by `\n`. The listing below is that
/// very file.
const PUBLISHED_LOG: [u8; 20] = [
    0xe3, 0x2c, 0xd5, 0xde, 0x0b, 0x69, 0xa9, 0x25, 0x87, 0x1b, 0x21, 0x3e, 0x8c, 0xfa, 0x89, 0x15, 0xd7,
    0x23, 0xf8, 0x3a,
];
const INSTRUCTIONS: u32 = 8_991;

struct Log {
    listing: Listing,
    sha1: Sha1,
    lines: u32,
}

impl Observer for Log {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        if self.lines == INSTRUCTIONS {
            return ControlFlow::Break(Break);
        }
        self.lines += 1;
        self.sha1.update(self.listing.line(cpu, board));
        self.sha1.update("\n");
        ControlFlow::Continue(())
    }
}

#[test]
fn registers_cycles_and_the_ppus_position_are_those_of_the_published_log() {
    let cartridge = Cartridge::from_bytes(&public_rom("cpu/nestest.nes")).expect("nestest is a cartridge");
    let mut console = Console::new(cartridge, Config::default());
    console.cpu.pc = 0xC000;
    let mut log = Log { listing: Listing::new(Format::Nestest), sha1: Sha1::new(), lines: 0 };
    while console.run_frame(&mut [Buttons::empty(); 2], &mut log).is_continue() {}
    assert_eq!(log.sha1.finalize()[..], PUBLISHED_LOG);
    assert_eq!([console.peek(0x02), console.peek(0x03)], [0, 0], "codes of the opcodes that failed");
}

/// Computes where the PPU is, and checks it against a PPU that was run there.
struct PpuPosition(Listing);

impl Observer for PpuPosition {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        let line = self.0.line(cpu, board);
        // The check is what takes long.
        if board.cycle().is_multiple_of(37) {
            let chips = board.caught_up();
            let beam = format!(" V:{:<3} H:{:<3}", chips.ppu().scanline(), chips.ppu().dot());
            assert!(line.contains(&beam), "{line} is not at {beam}");
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn the_listing_knows_where_the_ppu_is_across_frames_that_are_a_dot_short() {
    let cartridge = Cartridge::from_bytes(&public_rom("spritecans.nes")).expect("a cartridge");
    let mut console = Console::new(cartridge, Config { phase: 2, ..Config::default() });
    let mut position = PpuPosition(Listing::new(Format::Mesen));
    for _ in 0..12 {
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut position);
    }
}
