//! Catching up late must be the same as keeping every chip in step with the CPU.

use nes_controller::Buttons;

use crate::{Cartridge, Config, Console, Reference};

/// Numbers that look random and are the same every time (xorshift64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    pub(crate) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.roll(choices.len() as u64) as usize]
    }
}

/// An NROM image whose program pokes at every register in an order that nobody would think of.
pub(crate) fn image(dice: &mut Dice) -> Vec<u8> {
    let mut code = vec![0x58]; // CLI
    while code.len() < 0x1000 {
        let register = match dice.roll(8) {
            0..4 => 0x2000 + dice.roll(8) as u16,
            4..7 => 0x4000 + dice.roll(0x18) as u16,
            _ => dice.roll(0x100) as u16,
        };
        let value = match register {
            0x2000 => dice.of(&[0x00, 0x80, 0x90, 0xA8]),
            0x2001 => dice.of(&[0x00, 0x08, 0x18, 0x1E, 0x1F]),
            0x4010 => dice.of(&[0x0F, 0x4F, 0x8F, 0x80]),
            0x4013 => dice.of(&[0x00, 0x01, 0xFF]),
            0x4015 => dice.of(&[0x00, 0x10, 0x1F, 0x0F]),
            0x4017 => dice.of(&[0x00, 0x40, 0x80, 0xC0]),
            _ => dice.roll(0x100) as u8,
        };
        let [low, high] = register.to_le_bytes();
        match dice.roll(12) {
            0..5 => code.extend([0xA9, value, 0x8D, low, high]), // LDA #; STA
            5..8 => code.extend([0xAD, low, high]),              // LDA
            8 => code.extend([0xEE, low, high]),                 // INC
            9 => code.extend([0xA2, value, 0xCA, 0xD0, 0xFD]),   // LDX #; DEX; BNE: a pause
            10 => code.extend([0x2C, 0x02, 0x20]),               // BIT $2002
            _ => code.push(dice.of(&[0xEA, 0x58, 0x78, 0x48, 0x28])), // NOP CLI SEI PHA PLP
        }
    }
    code.extend([0x4C, 0x00, 0x80]); // JMP $8000
    let mut prg = vec![0x40; 0x8000]; // RTI everywhere else
    prg[..code.len()].copy_from_slice(&code);
    prg[0x7FFA..].copy_from_slice(&[0x00, 0x90, 0x00, 0x80, 0x00, 0xA0]);
    // An IRQ handler that acknowledges: BIT $4015; RTI. The DMC's has to be switched off.
    prg[0x2000..0x200A].copy_from_slice(&[0x2C, 0x15, 0x40, 0xA9, 0x0F, 0x8D, 0x10, 0x40, 0x40, 0x40]);
    let mut image = b"NES\x1A\x02\x01\0\0\0\0\0\0\0\0\0\0".to_vec();
    image.extend(prg);
    image.extend((0..0x2000).map(|_| dice.roll(0x100) as u8));
    image
}

#[test]
fn catching_up_late_is_the_same_as_lockstep() {
    for seed in 1..=24 {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let cartridge = Cartridge::from_bytes(&image(&mut dice)).expect("a valid image");
        let config = Config {
            phase: dice.roll(4) as u8,
            apu_alignment: dice.roll(4) as u8,
            ram_fill: (dice.roll(0x100) as u8).into(),
            ..Config::default()
        };
        let mut late = Console::new(cartridge.clone(), config);
        let mut step = Reference::new(cartridge, config);
        let mut pads = [Buttons::A | Buttons::UP, Buttons::B];
        for frame in 1..=5 {
            while late.frame_number() < frame {
                let _ = late.step(&mut pads, &mut ());
                let _ = step.step(&mut pads, &mut ());
                assert_eq!(late.cpu, step.console().cpu, "seed {seed}, cycle {}", late.cycle());
                assert_eq!(late.cycle(), step.console().cycle(), "seed {seed}");
            }
            let step = step.console();
            assert!(late == *step, "seed {seed}, frame {frame}");
            assert_eq!(late.state_hash(), step.state_hash(), "seed {seed}, frame {frame}");
            assert_eq!(
                late.board.caught_up().picture().pixels()[..],
                step.board.caught_up().picture().pixels()[..],
                "seed {seed}, frame {frame}"
            );
        }
    }
}
