//! Programs that wait, in loops of every shape, for what their interrupt handlers change: a run
//! that forwards its idle loops must be the same as one that takes no shortcut.

use nes_controller::Buttons;

use crate::lockstep::Dice;
use crate::{Cartridge, Config, Console, Reference, fast};

/// Where the program is: it runs across the border of two 8 KiB at $E000.
const ORIGIN: u16 = 0xD800;
const NMI: u16 = 0xF000;
const IRQ: u16 = 0xF100;
/// Counted up by the NMI's handler and by the IRQ's.
const NMIS: u8 = 0x10;
const IRQS: u8 = 0x11;
/// Not 0: the next NMI goes on at the address in `TARGET` in place of returning.
const ESCAPE: u8 = 0x12;
const TARGET: u8 = 0x13;

/// A program that grows.
struct Program {
    code: Vec<u8>,
}

impl Program {
    fn here(&self) -> u16 {
        ORIGIN + self.code.len() as u16
    }

    /// A branch `opcode` back to `target`.
    fn branch(&mut self, opcode: u8, target: u16) {
        let distance = target.wrapping_sub(self.here() + 2) as u8;
        self.code.extend([opcode, distance]);
    }

    /// JMP or JSR.
    fn jump(&mut self, opcode: u8, target: u16) {
        let [low, high] = target.to_le_bytes();
        self.code.extend([opcode, low, high]);
    }

    /// A loop that waits for an interrupt, or for the pause in it to end.
    fn wait(&mut self, dice: &mut Dice) {
        let counter = dice.of(&[NMIS, NMIS, NMIS, IRQS]);
        // LDA #; STA $2000; LDA #0; STA $4017; CLI: it would wait for ever without.
        let [control, irq] = if counter == NMIS { [0x80, 0xEA] } else { [dice.of(&[0x00, 0x80]), 0x58] };
        self.code.extend([0xA9, control, 0x8D, 0x00, 0x20, 0xA9, 0x00, 0x8D, 0x17, 0x40, irq]);
        let begin = self.here();
        match dice.roll(12) {
            // LDA #0; STA counter; wait: LDA counter; BEQ wait
            0 => {
                self.code.extend([0xA9, 0, 0x85, counter, 0xA5, counter]);
                self.branch(0xF0, begin + 4);
            }
            // LDX counter; wait: NOP...; CPX counter; BEQ wait: a lap of any length
            1 => {
                self.code.extend([0xA6, counter]);
                self.code.extend((0..dice.roll(6)).map(|_| 0xEA));
                self.code.extend([0xE4, counter]);
                self.branch(0xF0, begin + 2);
            }
            // LDA counter; wait: CMP counter; BNE out; JMP wait; out:
            2 => {
                self.code.extend([0xA5, counter, 0xC5, counter, 0xD0, 3]);
                self.jump(0x4C, begin + 2);
            }
            // LDY counter; wait: JSR compare; BEQ wait, with the subroutine before the loop
            3 => {
                self.code.extend([0xA4, counter]);
                self.jump(0x4C, begin + 8);
                self.code.extend([0xC4, counter, 0x60]);
                self.jump(0x20, begin + 5);
                self.branch(0xF0, begin + 8);
            }
            // The same with the subroutine behind the loop
            4 => {
                self.code.extend([0xA4, counter]);
                self.jump(0x20, begin + 10);
                self.branch(0xF0, begin + 2);
                self.jump(0x4C, begin + 13);
                self.code.extend([0xC4, counter, 0x60]);
            }
            // LDA counter; wait: PHA; PLA; CMP counter; BEQ wait: writes that change nothing
            5 => {
                self.code.extend([0xA5, counter, 0x48, 0x68, 0xC5, counter]);
                self.branch(0xF0, begin + 2);
            }
            // LDX #$80; LDA counter; wait: CMP $0790+counter,X: another page, a mirror of RAM
            6 => {
                self.code.extend([0xA2, 0x80, 0xA5, counter, 0xDD, counter.wrapping_sub(0x80), 0x07]);
                self.branch(0xF0, begin + 4);
            }
            // LDA counter; wait: INC $20; CMP counter; BEQ wait: no idle loop, it counts
            7 => {
                self.code.extend([0xA5, counter, 0xE6, 0x20, 0xC5, counter]);
                self.branch(0xF0, begin + 2);
            }
            // wait: INC $21; DEC $21; LDA counter; CMP #n; BNE wait: changes, and takes it back
            8 => {
                self.code.extend([0xE6, 0x21, 0xC6, 0x21, 0xA5, counter, 0xC9, dice.roll(4) as u8]);
                self.branch(0xD0, begin);
            }
            // LDA #after; STA TARGET; ...; INC ESCAPE; self: JMP self; after:
            9 => {
                let after = begin + 13;
                let [low, high] = after.to_le_bytes();
                self.code.extend([0xA9, low, 0x85, TARGET, 0xA9, high, 0x85, TARGET + 1, 0xE6, ESCAPE]);
                self.jump(0x4C, begin + 10);
            }
            // LDX #n; wait: LDA $8000,X; LDA counter; AND #7; BNE wait: reads of whatever bank, or open bus
            10 => {
                let high = dice.of(&[0x80, 0x9F, 0x50, 0x60]);
                self.code.extend([0xA2, dice.roll(0x100) as u8, 0xBD, 0xFF, high, 0xA5, counter, 0x29, 7]);
                self.branch(0xD0, begin + 2);
            }
            // wait: BIT register; LDA counter; AND #3; BEQ wait: reads with side effects
            _ => {
                let [low, high] = dice.of(&[0x2002u16, 0x2007, 0x4015, 0x4016]).to_le_bytes();
                self.code.extend([0x2C, low, high, 0xA5, counter, 0x29, 3]);
                self.branch(0xF0, begin);
            }
        }
    }

    /// Something that sets the next wait's scene.
    fn poke(&mut self, dice: &mut Dice) {
        let bank = dice.roll(4) as u8;
        let register = |address: u16, value: u8| {
            let [low, high] = address.to_le_bytes();
            [0xA9, value, 0x8D, low, high] // LDA #; STA
        };
        let code = match dice.roll(18) {
            0..3 => register(0x2000, dice.of(&[0x80, 0x80, 0x88, 0x00])),
            3..5 => register(0x2001, dice.of(&[0x00, 0x08, 0x1E])),
            5 => register(0x4010, dice.of(&[0x0F, 0x4F, 0x8F, 0x8E])),
            6 => register(0x4013, dice.of(&[0x00, 0x01, 0xFF])),
            7 => register(0x4015, dice.of(&[0x00, 0x10, 0x1F])),
            8..10 => register(0x4017, dice.of(&[0x00, 0x40, 0x80, 0xC0])),
            10 => register(0x4014, dice.roll(0x100) as u8),
            11 => register(0x8000, bank),
            // LDY #; SHX abs,Y: a write to anywhere, after a read of a register that nobody asked for
            16 => [0xA0, dice.roll(0x100) as u8, 0x9E, dice.roll(0x100) as u8, dice.of(&[0x20, 0x40, 0x80])],
            17 => [0xA0, 0xFF, 0x9E, 0x16, 0x40],
            12 => [0x58, 0xEA, 0xEA, 0xEA, 0xEA], // CLI
            13 => [0x78, 0xEA, 0xEA, 0xEA, 0xEA], // SEI
            14 => [0xEA, 0xEA, 0x20, 0x00, 0x80], // JSR $8000
            _ => [0xA2, bank, 0xFE, 0xFF, dice.of(&[0x1F, 0x3F, 0x7F])], // LDX #; INC abs,X
        };
        self.code.extend(code);
    }
}

/// An image of mapper 2 of four banks.
fn image(dice: &mut Dice) -> Vec<u8> {
    // LDX #$FF; TXS; LDY #24; INX; pause: DEX; BNE pause; DEY; BNE pause: the PPU warms up.
    let mut program =
        Program { code: vec![0xA2, 0xFF, 0x9A, 0xA0, 24, 0xE8, 0xCA, 0xD0, 0xFD, 0x88, 0xD0, 0xFA] };
    if dice.roll(4) > 0 {
        program.code.push(0x58); // CLI
    }
    while program.code.len() < 0x1000 {
        program.poke(dice);
        if dice.roll(4) == 0 {
            program.wait(dice);
        }
    }
    program.jump(0x4C, ORIGIN + 12);

    let mut image = b"NES\x1A\x04\x00\x20\0\0\0\0\0\0\0\0\0".to_vec();
    for bank in 0..4 {
        let mut prg: Vec<u8> = (0..0x4000).map(|_| dice.roll(0x100) as u8).collect();
        // In each bank LDX #bank; LDA #next; STA $8000: the RTS comes from the next one.
        prg[..8].copy_from_slice(&[0xA2, bank, 0xA9, dice.roll(4) as u8, 0x8D, 0x00, 0x80, 0x60]);
        if bank == 3 {
            let mut place = |address: u16, code: &[u8]| {
                prg[usize::from(address) - 0xC000..][..code.len()].copy_from_slice(code);
            };
            place(ORIGIN, &program.code);
            // PHA; INC NMIS; LDA ESCAPE; BEQ return; DEC ESCAPE; PLA x4; CLI or NOP; JMP (TARGET); return: PLA; RTI
            let cli = dice.of(&[0x58, 0xEA]);
            place(
                NMI,
                &[0x48, 0xE6, NMIS, 0xA5, ESCAPE, 0xF0, 10, 0xC6, ESCAPE, 0x68, 0x68, 0x68, 0x68, cli],
            );
            place(NMI + 14, &[0x6C, TARGET, 0x00, 0x68, 0x40]);
            // PHA; INC IRQS; BIT $4015; LDA #value; STA $4010; PLA; RTI
            let dmc = dice.of(&[0x0F, 0x4F]);
            place(IRQ, &[0x48, 0xE6, IRQS, 0x2C, 0x15, 0x40, 0xA9, dmc, 0x8D, 0x10, 0x40, 0x68, 0x40]);
            place(0xFFFA, &[NMI as u8, (NMI >> 8) as u8, ORIGIN as u8, (ORIGIN >> 8) as u8]);
            place(0xFFFE, &[IRQ as u8, (IRQ >> 8) as u8]);
        }
        image.extend(prg);
    }
    image
}

pub(crate) fn pair(seed: u64) -> (Dice, Console, Reference) {
    let mut dice = Dice(0xD1B5_4A32_D192_ED03_u64.wrapping_mul(seed));
    let cartridge = Cartridge::from_bytes(&image(&mut dice)).expect("a valid image");
    let config = Config {
        phase: (seed & 3) as u8,
        apu_alignment: (seed >> 2 & 3) as u8,
        ram_fill: dice.of(&[0, 0, 0xFF, 0x55]).into(),
        ..Config::default()
    };
    (dice, Console::new(cartridge.clone(), config), Reference::new(cartridge, config))
}

#[test]
fn a_frame_of_waiting_is_the_same_as_one_without_shortcuts() {
    for seed in 1..=32 {
        let (_, mut fast, mut slow) = pair(seed);
        let mut pads = [Buttons::A | Buttons::UP, Buttons::B];
        for frame in 1..=16 {
            let _ = fast.run_frame(&mut pads, &mut ());
            let _ = slow.run_frame(&mut pads, &mut ());
            assert_eq!(fast.cpu, slow.console().cpu, "seed {seed}, frame {frame}");
            assert!(fast == *slow.console(), "seed {seed}, frame {frame}");
            assert_eq!(fast.state_hash(), slow.console().state_hash(), "seed {seed}, frame {frame}");
        }
    }
}

/// An event that is announced too early costs time and changes nothing: here it makes a stretch
/// end wherever the dice will.
#[test]
fn every_stretch_ends_where_single_steps_do() {
    let mut forwarded = 0;
    for seed in 33..=64 {
        let (mut dice, mut fast, mut slow) = pair(seed);
        let prg_rom = fast.board.cartridge.prg_rom_shared();
        let mut pads = [Buttons::A | Buttons::UP, Buttons::B];
        while fast.frame_number() < 8 {
            let Console { cpu, board } = &mut fast;
            let early = board.cycle + dice.of(&[0, 8, 15, 50, 400, 4000, 20_000]) + dice.roll(16);
            board.next_event = board.next_event.min(early);
            if !fast::run(cpu, board, &mut pads, &mut (), &prg_rom) {
                let _ = fast.step(&mut pads, &mut ());
            }
            let long = fast.board.cycle - slow.console().board.cycle > 2000;
            while slow.console().board.cycle < fast.board.cycle {
                let _ = slow.step(&mut pads, &mut ());
            }
            assert_eq!(fast.board.cycle, slow.console().board.cycle, "seed {seed}");
            assert_eq!(fast.cpu, slow.console().cpu, "seed {seed}, cycle {}", fast.cycle());
            forwarded += u64::from(long);
            if long || dice.roll(64) == 0 {
                assert!(fast == *slow.console(), "seed {seed}, cycle {}", fast.cycle());
            }
        }
    }
    assert!(forwarded > 100, "{forwarded} long stretches: these programs do not wait");
}
