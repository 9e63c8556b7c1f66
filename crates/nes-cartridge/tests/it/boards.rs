//! The boards of discrete logic: UNROM, CNROM, AMROM and their kin.

use nes_testing::Image;

use crate::banks::{chr_banks, nametables, prg_banks};

#[test]
fn uxrom_switches_8000_and_fixes_the_last_bank() {
    let mut cartridge = Image::ines(2, 8, 0).cartridge();
    assert_eq!(prg_banks(&cartridge), [0, 1, 14, 15]);
    cartridge.write(0xFFFF, 5, 0);
    assert_eq!(prg_banks(&cartridge), [10, 11, 14, 15]);
    cartridge.write(0x8000, 0x0E, 0); // the lines of a smaller ROM are not connected
    assert_eq!(prg_banks(&cartridge), [12, 13, 14, 15]);
}

#[test]
fn cnrom_switches_chr() {
    let mut cartridge = Image::ines(3, 2, 4).cartridge();
    assert_eq!(chr_banks(&cartridge), [0, 1, 2, 3, 4, 5, 6, 7]);
    let before = cartridge.chr_generation();
    cartridge.write(0x8000, 0xF2, 0);
    assert_eq!(chr_banks(&cartridge), [16, 17, 18, 19, 20, 21, 22, 23]);
    assert_ne!(cartridge.chr_generation(), before);
    assert_eq!(prg_banks(&cartridge), [0, 1, 2, 3]);
}

#[test]
fn cnrom_banks_chr_ram_too() {
    let mut cartridge = Image::nes2(3, 0, 2, 0, 0, 9).cartridge(); // 32 KiB
    for bank in 0..4 {
        cartridge.write(0x8000, bank, 0);
        cartridge.write_chr(0, 0x40 | bank);
    }
    for bank in 0..4 {
        cartridge.write(0x8000, bank, 0);
        assert_eq!(cartridge.read_chr(0), 0x40 | bank);
    }
}

#[test]
fn axrom_switches_32_kib_and_one_nametable() {
    let mut cartridge = Image::ines(7, 16, 0).with(6, 0x71).cartridge();
    assert_eq!((prg_banks(&cartridge), nametables(&cartridge)), ([0, 1, 2, 3], [0; 4]));
    cartridge.write(0x8000, 0x13, 0);
    assert_eq!((prg_banks(&cartridge), nametables(&cartridge)), ([12, 13, 14, 15], [1; 4]));
    cartridge.write(0x8000, 0x0B, 0); // 256 KiB: three lines
    assert_eq!((prg_banks(&cartridge), nametables(&cartridge)), ([12, 13, 14, 15], [0; 4]));
}

#[test]
fn tengens_board_switches_32_kib_and_chr_through_the_rom_that_answers_too() {
    let mut image = Image::ines(148, 4, 8);
    (image.prg[0x100], image.prg[0x8100], image.prg[0x120]) = (0xFF, 0xFF, 0x03);
    let mut cartridge = image.cartridge();
    assert_eq!(cartridge.info().board, "Tengen 800008");
    assert_eq!((prg_banks(&cartridge), chr_banks(&cartridge)), ([0, 1, 2, 3], [0, 1, 2, 3, 4, 5, 6, 7]));
    cartridge.write(0x8120, 0x0E, 0);
    assert_eq!(chr_banks(&cartridge), [16, 17, 18, 19, 20, 21, 22, 23], "$0E and $03 is 2");
    cartridge.write(0x8100, 0x0D, 0);
    assert_eq!(prg_banks(&cartridge), [4, 5, 6, 7]);
    assert_eq!(chr_banks(&cartridge), [40, 41, 42, 43, 44, 45, 46, 47]);
}

#[test]
fn with_bus_conflicts_a_write_meets_the_rom() {
    for (submapper, bank) in [(0, 3), (1, 3), (2, 1)] {
        let mut image = Image::nes2(3, submapper, 2, 4, 0, 0);
        image.prg[0x1234] = 0x01;
        let mut cartridge = image.cartridge();
        cartridge.write(0x9234, 3, 0);
        assert_eq!(cartridge.read_chr(0), bank * 8, "submapper {submapper}");
    }
    let mut image = Image::nes2(2, 2, 8, 0, 0, 7);
    image.prg[0x1C000] = 0x02;
    let mut cartridge = image.cartridge();
    cartridge.write(0xC000, 0x07, 0);
    assert_eq!(cartridge.read(0x8000, 0), 4);
    let mut image = Image::nes2(7, 2, 8, 0, 0, 7);
    image.prg[0x10] = 0x12;
    let mut cartridge = image.cartridge();
    cartridge.write(0x8010, 0xFF, 0);
    assert_eq!((cartridge.read(0x8000, 0), nametables(&cartridge)), (8, [1; 4]));
}

#[test]
fn below_6000_nobody_answers() {
    for mapper in [0, 1, 2, 3, 7, 148] {
        let mut cartridge = Image::ines(mapper, 2, 1).cartridge();
        let before = cartridge.clone();
        cartridge.write(0x4020, 0x55, 0);
        cartridge.write(0x5FFF, 0x55, 0);
        assert_eq!(cartridge, before);
        assert_eq!([cartridge.read(0x4020, 0x40), cartridge.read(0x5FFF, 0x5F)], [0x40, 0x5F]);
    }
}

#[test]
fn the_generation_moves_with_chr_ram_and_with_nothing_else() {
    let mut cartridge = Image::ines(2, 8, 0).cartridge();
    let start = cartridge.chr_generation();
    cartridge.write(0x8000, 1, 0);
    cartridge.write(0x6000, 1, 0);
    cartridge.write_chr(0x10, 0);
    assert_eq!(cartridge.chr_generation(), start);
    cartridge.write_chr(0x10, 1);
    assert_ne!(cartridge.chr_generation(), start);
}

#[test]
fn clones_do_not_share_what_they_write() {
    let mut cartridge = Image::ines(0, 1, 0).cartridge();
    let before = cartridge.clone();
    cartridge.write_chr(0, 1);
    cartridge.write(0x6000, 2, 0);
    assert_eq!([before.read_chr(0), before.read(0x6000, 0xFF)], [0, 0]);
    assert_ne!(cartridge, before);
}
