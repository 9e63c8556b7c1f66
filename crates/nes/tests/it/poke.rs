//! Bytes written past the machine.

use nes::{Buttons, Cartridge, Config, Console, Memory};

const IMAGE: &[u8] = include_bytes!("../../../../roms/maxout.nes");

fn console() -> Console {
    let mut console = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default());
    for _ in 0..60 {
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
    }
    console
}

#[test]
fn a_byte_that_was_poked_is_there_and_a_clone_keeps_its_own() {
    let mut poked = console();
    let before = poked.clone();
    for memory in [Memory::Ram, Memory::Ciram, Memory::Palette, Memory::Oam, Memory::PrgRom, Memory::Chr] {
        let old = before.memory(memory)[3];
        let new = old ^ 1;
        assert_eq!(poked.poke(memory, 3, new), Some(old), "{memory:?}");
        assert_eq!(poked.memory(memory)[3], new, "{memory:?}");
        assert_eq!(before.memory(memory)[3], old, "{memory:?}");
        assert!(poked != before, "{memory:?}");
        assert_eq!(poked.poke(memory, 3, old), Some(new), "{memory:?}");
        assert!(poked == before, "{memory:?}");
        assert_eq!(poked.poke(memory, 1 << 20, 0), None, "{memory:?}");
    }
    assert_eq!(poked.poke(Memory::PrgRam, 0, 1), None, "this cartridge has none");
}

#[test]
fn a_pattern_that_was_poked_is_drawn() {
    let mut poked = console();
    let before = poked.picture().clone();
    for offset in 0..poked.memory(Memory::Chr).len() {
        poked.poke(Memory::Chr, offset, 0xAA);
    }
    let _ = poked.run_frame(&mut [Buttons::empty(); 2], &mut ());
    assert!(*poked.picture() != before);
}
