//! MMC3: banks, PRG-RAM, nametables, and the counter of rises of PPU A12.

use nes_cartridge::{Cartridge, Mmc3Revision};
use nes_testing::Image;

use crate::banks::{chr_banks, nametables, prg_banks};

/// 128 KiB of PRG-ROM (16 banks), 64 KiB of CHR-ROM (64 banks).
fn cartridge() -> Cartridge {
    Image::ines(4, 8, 8).cartridge()
}

fn write(cartridge: &mut Cartridge, writes: &[(u16, u8)]) {
    for &(address, value) in writes {
        cartridge.write(address, value, 0);
    }
}

/// A clock of the counter in the first possible cycle from `cycle` on; the cycle after it.
fn clock(cartridge: &mut Cartridge, cycle: u64) -> u64 {
    cartridge.clock_a12(false, cycle, cycle);
    cartridge.clock_a12(true, cycle + 3, cycle + 3);
    cycle + 4
}

/// Which of so many clocks ask for an interrupt, each of which is acknowledged.
fn asking(cartridge: &mut Cartridge, clocks: u64) -> Vec<u64> {
    let mut asking = Vec::new();
    for number in 0..clocks {
        let now = clock(cartridge, 1000 + 10 * number);
        if cartridge.irq_at(now) {
            asking.push(number);
            cartridge.write(0xE000, 0, now);
            cartridge.write(0xE001, 0, now + 1);
            assert!(!cartridge.irq_at(now + 1));
        }
    }
    asking
}

#[test]
fn the_bank_registers_switch_small_banks() {
    let mut cartridge = cartridge();
    write(&mut cartridge, &[(0x8000, 6), (0x8001, 5), (0x8000, 7), (0x8001, 0x19)]);
    assert_eq!(prg_banks(&cartridge), [5, 9, 14, 15]);
    for (register, value) in [(0, 9), (1, 20), (2, 30), (3, 31), (4, 32), (5, 0x81)] {
        write(&mut cartridge, &[(0x9FFE, register), (0x9FFF, value)]);
    }
    assert_eq!(chr_banks(&cartridge), [8, 9, 20, 21, 30, 31, 32, 1]);
    assert_eq!(prg_banks(&cartridge), [5, 9, 14, 15]);
}

#[test]
fn the_select_register_swaps_halves_at_once() {
    let mut cartridge = cartridge();
    write(&mut cartridge, &[(0x8000, 6), (0x8001, 5)]);
    let generation = cartridge.chr_generation();
    write(&mut cartridge, &[(0x8000, 0x40)]);
    assert_eq!(prg_banks(&cartridge), [14, 1, 5, 15]);
    assert_eq!((chr_banks(&cartridge), cartridge.chr_generation()), ([0, 1, 2, 3, 4, 5, 6, 7], generation));
    assert!(cartridge.write_moves_picture(0x8000, 0x80, 0));
    write(&mut cartridge, &[(0x8000, 0x80)]);
    assert_eq!(chr_banks(&cartridge), [4, 5, 6, 7, 0, 1, 2, 3]);
    assert_ne!(cartridge.chr_generation(), generation);
}

#[test]
fn chr_ram_is_banked_too() {
    let mut cartridge = Image::nes2(4, 0, 8, 0, 0, 9).cartridge(); // 32 KiB
    for bank in 0..32 {
        write(&mut cartridge, &[(0x8000, 2), (0x8001, bank)]);
        cartridge.write_chr(0x1000, bank);
    }
    for bank in 0..32 {
        write(&mut cartridge, &[(0x8000, 5), (0x8001, bank)]);
        assert_eq!(cartridge.read_chr(0x1C00), bank);
    }
}

#[test]
fn a001_disables_and_protects_the_ram() {
    let mut cartridge = cartridge();
    write(&mut cartridge, &[(0x6123, 1)]);
    assert_eq!(cartridge.read(0x6123, 0x61), 1);
    write(&mut cartridge, &[(0xA001, 0xC0), (0x6123, 2)]);
    assert_eq!(cartridge.read(0x6123, 0x61), 1);
    write(&mut cartridge, &[(0xA001, 0x00), (0x6123, 3)]);
    assert_eq!(cartridge.read(0x6123, 0x61), 0x61);
    write(&mut cartridge, &[(0xA001, 0x80)]);
    assert_eq!(cartridge.read(0x6123, 0x61), 1);
    write(&mut cartridge, &[(0x6123, 4)]);
    assert_eq!(cartridge.read(0x6123, 0x61), 4);
}

#[test]
fn a000_chooses_the_nametables_unless_there_are_four() {
    for (flags, power_on) in [(0x40, [0, 0, 1, 1]), (0x41, [0, 1, 0, 1])] {
        let mut cartridge = Image::ines(4, 8, 8).with(6, flags).cartridge();
        assert_eq!(nametables(&cartridge), power_on);
        write(&mut cartridge, &[(0xA000, 0xFF)]);
        assert_eq!(nametables(&cartridge), [0, 0, 1, 1]);
        write(&mut cartridge, &[(0xA000, 0xFE)]);
        assert_eq!(nametables(&cartridge), [0, 1, 0, 1]);
    }
    let mut four = Image::ines(4, 8, 8).with(6, 0x48).cartridge();
    write(&mut four, &[(0xA000, 1)]);
    assert_eq!((nametables(&four), four.ciram_len()), ([0, 1, 2, 3], 0x1000));
}

#[test]
fn the_counter_asks_after_as_many_lines_as_the_latch_says() {
    let mut cartridge = cartridge();
    write(&mut cartridge, &[(0xC000, 3), (0xC001, 0), (0xE001, 0)]);
    assert_eq!(cartridge.clocks_to_irq(), Some(4));
    assert_eq!(asking(&mut cartridge, 12), [3, 7, 11]);
    write(&mut cartridge, &[(0xE000, 0)]);
    assert_eq!(cartridge.clocks_to_irq(), None);
    for number in 0..12 {
        let now = clock(&mut cartridge, 2000 + 10 * number);
        assert!(!cartridge.irq_at(now));
    }
}

#[test]
fn no_interrupt_comes_before_it_is_announced() {
    for revision in [Mmc3Revision::A, Mmc3Revision::B] {
        for latch in 0..9 {
            let mut cartridge = cartridge();
            cartridge.set_mmc3_revision(revision);
            write(&mut cartridge, &[(0xC000, 5), (0xE001, 0)]);
            let mut cycle = 0;
            for number in 0..40 {
                if number == 11 {
                    write(&mut cartridge, &[(0xC000, latch), (0xC001, 0)]);
                }
                let announced = cartridge.clocks_to_irq();
                cycle = clock(&mut cartridge, cycle);
                if cartridge.irq_at(cycle) {
                    assert_eq!(announced, Some(1), "{revision:?}, latch {latch}, clock {number}");
                    cartridge.write(0xE000, 0, cycle);
                    cartridge.write(0xE001, 0, cycle);
                }
            }
        }
    }
}

#[test]
fn the_revisions_differ_where_the_latch_is_0() {
    for (revision, expected) in [(Mmc3Revision::A, vec![0]), (Mmc3Revision::B, vec![0, 1, 2, 3])] {
        let mut cartridge = cartridge();
        cartridge.set_mmc3_revision(revision);
        assert_eq!(cartridge.mmc3_revision(), Some(revision));
        write(&mut cartridge, &[(0xC000, 0), (0xC001, 0), (0xE001, 0)]);
        assert_eq!(asking(&mut cartridge, 4), expected, "{revision:?}");
    }
}

#[test]
fn the_submapper_names_the_revision() {
    let of = |submapper| Image::nes2(4, submapper, 8, 8, 0, 0).cartridge();
    assert_eq!(of(0).mmc3_revision(), Some(Mmc3Revision::B));
    assert_eq!(of(4).mmc3_revision(), Some(Mmc3Revision::A));
    assert!(of(4).info().warnings.is_empty());
    assert_eq!(of(1).info().warnings.len(), 1);
    assert_eq!(Image::ines(1, 2, 1).cartridge().mmc3_revision(), None);
}

#[test]
fn a_rise_counts_after_three_falling_edges_of_m2() {
    for (low_for, counts) in [(0, false), (2, false), (3, true), (1000, true)] {
        let mut cartridge = cartridge();
        write(&mut cartridge, &[(0xC000, 0), (0xC001, 0), (0xE001, 0)]);
        cartridge.clock_a12(true, 2, 2); // from power-on it was low for two
        assert!(!cartridge.irq_at(10));
        cartridge.clock_a12(false, 10, 10);
        cartridge.clock_a12(false, 10 + low_for, 10 + low_for); // no other level
        cartridge.clock_a12(true, 10 + low_for, 11 + low_for);
        assert_eq!(cartridge.irq_at(11 + low_for), counts, "low for {low_for}");
        assert!(!cartridge.irq_at(10 + low_for));
    }
}

#[test]
fn the_line_falls_in_the_cycle_after_the_acknowledgement() {
    let mut cartridge = cartridge();
    write(&mut cartridge, &[(0xC001, 0), (0xE001, 0)]);
    let now = clock(&mut cartridge, 100);
    cartridge.write(0xE000, 0, now + 5);
    assert_eq!([5, 6].map(|later| cartridge.irq_at(now + later)), [true, false]);
}

#[test]
fn a_state_has_everything_of_the_chip() {
    let mut cartridge = cartridge();
    write(&mut cartridge, &[(0x8000, 0xC6), (0x8001, 3), (0xA000, 0), (0xA001, 0xC0)]);
    write(&mut cartridge, &[(0xC000, 9), (0xC001, 0), (0xE001, 0)]);
    clock(&mut cartridge, 50);
    let bytes = nes_state::Writer::save(&mut cartridge);
    let mut loaded = Image::ines(4, 8, 8).cartridge();
    nes_state::Reader::load(&bytes, &mut loaded).expect("a state");
    assert_eq!(loaded, cartridge);
    assert_eq!((prg_banks(&loaded), chr_banks(&loaded)), (prg_banks(&cartridge), chr_banks(&cartridge)));
    assert_eq!(asking(&mut loaded, 30), asking(&mut cartridge, 30));
}

#[test]
fn the_board_is_named_by_its_memories() {
    let board = |image: Image| image.cartridge().info().board;
    assert_eq!(board(Image::ines(4, 8, 8)), "TKROM/TSROM");
    assert_eq!(board(Image::nes2(4, 0, 8, 8, 0, 0)), "TFROM/TLROM");
    assert_eq!(board(Image::ines(4, 8, 0)), "TNROM");
    assert_eq!(board(Image::nes2(4, 0, 8, 0, 0, 7)), "TGROM");
    assert_eq!(board(Image::ines(4, 8, 8).with(6, 0x48)), "TVROM/TR1ROM");
}
