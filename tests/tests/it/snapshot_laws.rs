//! What a saved state promises, on real programs.

use maxout_tests::public_rom;
use nes::ppu::Quirks;
use nes::{Buttons, Cartridge, Config, Console, StateError};
use proptest::prelude::*;

/// Programs that between them use every chip: sprites and DMC, MMC1 with PRG-RAM, CNROM, CHR-RAM,
/// DMA.
const ROMS: [&str; 5] = [
    "spritecans.nes",
    "cpu/instr_misc.nes",
    "ppu/read_buffer.nes",
    "ppu/_240pee.nes",
    "cpu/sprdma_and_dmc_dma.nes",
];

fn console(rom: &str) -> Console {
    let cartridge = Cartridge::from_bytes(&public_rom(rom)).unwrap_or_else(|error| panic!("{rom}: {error}"));
    Console::new(cartridge, Config::default())
}

fn frames(console: &mut Console, count: u32) {
    // Buttons that change make menus move.
    for frame in 0..count {
        let pad = Buttons::from_bits_retain(((frame * 37) >> 3) as u8);
        let _ = console.run_frame(&mut [pad, Buttons::empty()], &mut ());
    }
}

fn steps(console: &mut Console, count: u32) {
    for _ in 0..count {
        let _ = console.step(&mut [Buttons::empty(); 2], &mut ());
    }
}

#[test]
fn save_load_save_gives_the_same_bytes() {
    for rom in ROMS {
        let mut original = console(rom);
        for round in 0..8 {
            frames(&mut original, 5);
            steps(&mut original, 1_000 + 777 * round);
            let saved = original.save();
            let mut copy = console(rom);
            copy.load(&saved).unwrap_or_else(|error| panic!("{rom}, round {round}: {error}"));
            assert_eq!(copy.save(), saved, "{rom}, round {round}");
            assert!(copy == original, "{rom}, round {round}");
            assert_eq!(copy.state_hash(), original.state_hash(), "{rom}, round {round}");
        }
    }
}

#[test]
fn a_loaded_state_has_the_same_future() {
    for rom in ROMS {
        let mut original = console(rom);
        frames(&mut original, 20);
        for offset in [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 2_000, 5_000] {
            steps(&mut original, offset);
            let mut copy = console(rom);
            copy.load(&original.save()).unwrap_or_else(|error| panic!("{rom}: {error}"));
            let mut straight = original.clone();
            frames(&mut copy, 4);
            frames(&mut straight, 4);
            assert_eq!(copy.save(), straight.save(), "{rom}, after {offset} instructions");
            assert!(copy.picture().pixels() == straight.picture().pixels(), "{rom}: the pictures differ");
            assert_eq!(copy.cycle(), straight.cycle());
        }
    }
}

#[test]
fn saving_does_not_disturb_the_run() {
    for rom in ROMS {
        let (mut watched, mut alone) = (console(rom), console(rom));
        for _ in 0..10 {
            steps(&mut watched, 1_234);
            let _ = watched.save();
            let _ = watched.clone();
            steps(&mut alone, 1_234);
        }
        assert!(watched == alone, "{rom}");
        assert_eq!(watched.save(), alone.save(), "{rom}");
    }
}

#[test]
fn a_state_is_smaller_than_32_kib() {
    for rom in ROMS {
        let mut console = console(rom);
        frames(&mut console, 10);
        let size = console.save().len();
        assert!(size < 32 << 10, "{rom}: {size} bytes");
    }
}

#[test]
fn a_state_of_another_cartridge_is_refused_by_name() {
    let mut other = console(ROMS[1]);
    let before = other.save();
    let error = other.load(&console(ROMS[0]).save()).expect_err("another cartridge");
    assert!(matches!(error, StateError::WrongCartridge { .. }), "{error}");
    assert_eq!(other.save(), before, "a refused state changes nothing");
}

#[test]
fn a_state_of_a_console_with_other_quirks_is_refused_by_name_and_one_of_its_own_goes_on() {
    let with = |quirks| {
        let cartridge = Cartridge::from_bytes(&public_rom("ppu/oam_read.nes")).expect("a cartridge");
        Console::new(cartridge, Config { quirks, ..Config::default() })
    };
    let quirks = |bits: u8| Quirks {
        oam_decay: bits & 1 != 0,
        palette_corruption: bits & 2 != 0,
        no_reset: bits & 4 != 0,
        strict_start: bits & 8 != 0,
    };
    for bits in 0..16 {
        let mut console = with(quirks(bits));
        frames(&mut console, 20);
        let saved = console.save();
        // How a console woke up is nothing that a state asks for.
        let mut copy = with(quirks(bits ^ 8));
        copy.load(&saved).unwrap_or_else(|error| panic!("{bits}: {error}"));
        frames(&mut console, 10);
        frames(&mut copy, 10);
        assert!(copy == console, "{bits}");
        let mut other = with(quirks(bits ^ 1));
        let error = other.load(&saved).expect_err("other quirks");
        assert!(matches!(error, StateError::WrongQuirks { .. }), "{error}");
        assert!(error.to_string().contains("OAM decay"), "{error}");
    }
}

#[test]
fn a_state_cut_at_any_byte_is_refused_and_changes_nothing() {
    for rom in ROMS {
        let mut console = console(rom);
        frames(&mut console, 3);
        let saved = console.save();
        let before = console.state_hash();
        frames(&mut console, 1);
        let after = console.state_hash();
        for length in 0..saved.len() {
            assert!(console.load(&saved[..length]).is_err(), "{rom}: {length} of {} bytes", saved.len());
        }
        assert_eq!(console.state_hash(), after);
        console.load(&saved).unwrap_or_else(|error| panic!("{rom}: {error}"));
        assert_eq!(console.state_hash(), before);
    }
}

#[test]
fn a_state_with_any_byte_flipped_is_refused() {
    let mut console = console(ROMS[0]);
    frames(&mut console, 3);
    let saved = console.save();
    for at in 0..saved.len() {
        let mut damaged = saved.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(console.load(&damaged).is_err(), "byte {at}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_moment_of_any_program_can_be_saved(rom in 0..ROMS.len(), frame in 0u32..40, step in 0u32..12_000, phase in 0u8..4) {
        let cartridge = Cartridge::from_bytes(&public_rom(ROMS[rom])).expect("a cartridge");
        let mut original = Console::new(cartridge, Config { phase, ram_fill: 0xA5.into(), ..Config::default() });
        frames(&mut original, frame);
        steps(&mut original, step);
        let mut copy = console(ROMS[rom]);
        copy.load(&original.save()).expect("its own state");
        prop_assert!(copy == original);
        frames(&mut copy, 1);
        frames(&mut original, 1);
        prop_assert_eq!(copy.save(), original.save());
    }
}
