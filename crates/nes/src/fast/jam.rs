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

#[cfg(test)]
mod tests {
    use nes_controller::Buttons;
    use nes_testing::Image;

    use crate::{Cartridge, Config, Console, Reference, Region};

    /// Switches NMI, sprites and a looping sample with its interrupt on, waits for a while and
    /// jams.
    fn cartridge(opcode: u8, waits: u8) -> Cartridge {
        let mut code = vec![];
        for (value, address) in [
            (0x80, 0x2000_u16),
            (0x1E, 0x2001),
            (0xCF, 0x4010),
            (0x01, 0x4013),
            (0x1F, 0x4015),
            (0x02, 0x4014),
        ] {
            let [low, high] = address.to_le_bytes();
            code.extend([0xA9, value, 0x8D, low, high]); // LDA #value; STA address
        }
        code.extend([0xA2, waits, 0xCA, 0xD0, 0xFD, opcode]); // LDX #waits; DEX; BNE to it
        Cartridge::from_bytes(&Image::nrom(&code).put(0x1000, &[0x40]).bytes()).expect("a valid image")
    }

    /// Runs both so many frames and compares them after each.
    fn compare(opcode: u8, waits: u8, region: Region, frames: u32) -> Console {
        let config = Config { region: Some(region), ..Config::default() };
        let mut fast = Console::new(cartridge(opcode, waits), config);
        let mut slow = Reference::new(cartridge(opcode, waits), config);
        let mut pads = [Buttons::empty(); 2];
        for frame in 0..frames {
            assert!(fast.run_frame(&mut pads, &mut ()).is_continue());
            assert!(slow.run_frame(&mut pads, &mut ()).is_continue());
            assert!(fast == *slow.console(), "{opcode:02X}, {region}, frame {frame}, cycle {}", fast.cycle());
        }
        assert!(fast.cpu.jammed, "{opcode:02X} does not jam");
        fast
    }

    #[test]
    fn a_jammed_console_is_the_definitions_and_takes_few_steps() {
        for (opcode, waits, region) in [
            (0x02, 1, Region::Ntsc),
            (0x12, 77, Region::Ntsc),
            (0xF2, 200, Region::Ntsc),
            (0x02, 3, Region::Pal),
            (0x92, 120, Region::Pal),
        ] {
            let mut fast = compare(opcode, waits, region, 12);
            let mut pads = [Buttons::empty(); 2];
            let prg_rom = fast.board.cartridge.prg_rom_shared();
            let (begin, mut steps) = (fast.cycle(), 0);
            while fast.cycle() < begin + 100_000 {
                let Console { cpu, board } = &mut fast;
                if !crate::fast::run(cpu, board, &mut pads, &mut (), &prg_rom) {
                    assert!(fast.step(&mut pads, &mut ()).is_continue());
                }
                steps += 1;
            }
            assert!(steps < 2000, "{opcode:02X}, {region}: {steps} steps for 100,000 cycles");
        }
    }

    #[test]
    fn frames_of_a_jammed_console_are_the_definitions() {
        compare(0x02, 50, Region::Ntsc, 150);
        compare(0x02, 50, Region::Pal, 150);
    }
}
