//! MMC1 and its boards, a fact a test.

use nes_testing::Image;

use crate::banks::{chr_banks, nametables, prg_banks};
use nes_cartridge::Cartridge;

/// Five writes of one bit each, four cycles apart, as an unrolled loop of LSR and STA would at the
/// least.
fn set(cartridge: &mut Cartridge, address: u16, value: u8) {
    for bit in 0..5 {
        cartridge.write(address, value >> bit & 1, 1000 + 4 * bit);
    }
}

const CONTROL: u16 = 0x8000;
const CHR0: u16 = 0xA000;
const CHR1: u16 = 0xC000;
const PRG: u16 = 0xE000;

/// 128 KiB of PRG-ROM and 64 KiB of CHR-ROM, no RAM.
fn sxrom() -> Cartridge {
    Image::nes2(1, 0, 8, 8, 0, 0).cartridge()
}

/// 256 KiB of PRG-ROM, 8 KiB of CHR-RAM, 8 KiB of PRG-RAM.
fn snrom() -> Cartridge {
    Image::nes2(1, 0, 16, 0, 0x70, 7).cartridge()
}

/// 512 KiB of PRG-ROM, 8 KiB of CHR-RAM and `prg_ram` as NES 2.0 has it.
fn surom(prg_ram: u8) -> Cartridge {
    Image::nes2(1, 0, 32, 0, prg_ram, 7).cartridge()
}

#[test]
fn at_power_on_the_last_bank_is_at_c000() {
    assert_eq!(prg_banks(&sxrom()), [0, 1, 14, 15]);
    assert_eq!(prg_banks(&snrom()), [0, 1, 30, 31]);
}

#[test]
fn bits_come_in_lowest_first() {
    let mut cartridge = sxrom();
    for (cycle, bit) in [0, 1, 1, 0, 0].into_iter().enumerate() {
        assert_eq!(prg_banks(&cartridge), [0, 1, 14, 15]);
        cartridge.write(PRG, 0xFE & 0x7F | bit, cycle as u64 * 4);
    }
    assert_eq!(prg_banks(&cartridge), [12, 13, 14, 15]);
}

#[test]
fn the_fifth_address_alone_chooses_the_register() {
    let mut cartridge = sxrom();
    for (cycle, address) in [CONTROL, CHR0, CHR1, CONTROL, 0xFFFF].into_iter().enumerate() {
        cartridge.write(address, u8::from(cycle == 0), cycle as u64 * 4);
    }
    assert_eq!(prg_banks(&cartridge), [2, 3, 14, 15]);
    assert_eq!((chr_banks(&cartridge)[0], nametables(&cartridge)), (0, [0; 4]));
}

#[test]
fn the_prg_modes_are_32_kib_first_fixed_and_last_fixed() {
    let cases =
        [(0x00, [8, 9, 10, 11]), (0x04, [8, 9, 10, 11]), (0x08, [0, 1, 10, 11]), (0x0C, [10, 11, 14, 15])];
    for (control, banks) in cases {
        let mut cartridge = sxrom();
        set(&mut cartridge, PRG, 5);
        set(&mut cartridge, CONTROL, control);
        assert_eq!(prg_banks(&cartridge), banks, "control {control:02X}");
    }
}

#[test]
fn the_chr_modes_are_8_kib_and_two_of_4_kib() {
    let mut cartridge = sxrom();
    set(&mut cartridge, CHR0, 5);
    set(&mut cartridge, CHR1, 9);
    assert_eq!(chr_banks(&cartridge), [16, 17, 18, 19, 20, 21, 22, 23]);
    set(&mut cartridge, CONTROL, 0x10);
    assert_eq!(chr_banks(&cartridge), [20, 21, 22, 23, 36, 37, 38, 39]);
}

#[test]
fn the_nametables_are_lower_upper_vertical_horizontal() {
    let cases = [(0, [0; 4]), (1, [1; 4]), (2, [0, 1, 0, 1]), (3, [0, 0, 1, 1])];
    for (control, tables) in cases {
        let mut cartridge = sxrom();
        set(&mut cartridge, CONTROL, control);
        assert_eq!(nametables(&cartridge), tables);
    }
}

#[test]
fn bit_7_empties_the_port() {
    let mut cartridge = sxrom();
    for cycle in 0..4 {
        cartridge.write(PRG, 1, cycle * 4);
    }
    cartridge.write(PRG, 0x80, 20);
    assert_eq!(prg_banks(&cartridge), [0, 1, 14, 15]);
    set(&mut cartridge, PRG, 2);
    assert_eq!(prg_banks(&cartridge), [4, 5, 14, 15]);
}

#[test]
fn bit_7_fixes_the_last_bank_and_leaves_the_rest_of_control() {
    let mut cartridge = sxrom();
    set(&mut cartridge, CHR0, 2);
    set(&mut cartridge, CHR1, 4);
    set(&mut cartridge, CONTROL, 0x12);
    assert_eq!(prg_banks(&cartridge), [0, 1, 2, 3]);
    cartridge.write(PRG, 0x80, 5000);
    assert_eq!(prg_banks(&cartridge), [0, 1, 14, 15]);
    assert_eq!(chr_banks(&cartridge), [8, 9, 10, 11, 16, 17, 18, 19]);
    assert_eq!(nametables(&cartridge), [0, 1, 0, 1]);
}

#[test]
fn of_writes_in_consecutive_cycles_the_first_counts() {
    let mut cartridge = sxrom();
    for i in 0..5 {
        let bit = u8::from(i == 0);
        cartridge.write(PRG, bit, i * 10);
        cartridge.write(PRG, bit ^ 1, i * 10 + 1);
    }
    assert_eq!(prg_banks(&cartridge), [2, 3, 14, 15]);
}

#[test]
fn a_third_write_in_a_row_is_ignored_too() {
    let mut cartridge = sxrom();
    for cycle in 0..5 {
        cartridge.write(PRG, 1, cycle);
    }
    for cycle in 0..4 {
        cartridge.write(PRG, 0, 10 + cycle * 2);
    }
    assert_eq!(prg_banks(&cartridge), [2, 3, 14, 15]);
}

#[test]
fn a_reset_counts_even_right_after_a_write() {
    let mut cartridge = sxrom();
    set(&mut cartridge, CONTROL, 0);
    cartridge.write(PRG, 0x7F, 5000);
    cartridge.write(PRG, 0x80, 5001);
    assert_eq!(prg_banks(&cartridge), [0, 1, 14, 15]);
    set(&mut cartridge, PRG, 3); // the bit before the reset is gone
    assert_eq!(prg_banks(&cartridge), [6, 7, 14, 15]);
}

#[test]
fn serom_does_not_bank_prg() {
    for image in [Image::nes2(1, 5, 2, 2, 0, 0), Image::ines(1, 2, 2)] {
        let mut cartridge = image.cartridge();
        for control in [0x00, 0x08, 0x0C] {
            set(&mut cartridge, CONTROL, control);
            set(&mut cartridge, PRG, 1);
            assert_eq!(prg_banks(&cartridge), [0, 1, 2, 3]);
        }
        set(&mut cartridge, CHR0, 2);
        assert_eq!(chr_banks(&cartridge)[0], 8);
    }
}

#[test]
fn thirty_two_kib_are_banked_where_nes_2_0_says_so_or_beside_chr_ram() {
    for image in [Image::nes2(1, 0, 2, 2, 0, 0), Image::ines(1, 2, 0)] {
        let mut cartridge = image.cartridge();
        set(&mut cartridge, PRG, 1);
        assert_eq!(prg_banks(&cartridge), [2, 3, 2, 3]);
    }
}

#[test]
fn mmc1b_enables_prg_ram_at_power_on_and_disables_it_by_prg_bit_4() {
    let mut cartridge = snrom();
    cartridge.write(0x6000, 0x6B, 0);
    assert_eq!(cartridge.read(0x6000, 0x60), 0x6B);
    set(&mut cartridge, PRG, 0x10);
    cartridge.write(0x6000, 0x80, 0);
    assert_eq!(cartridge.read(0x6000, 0x60), 0x60);
    set(&mut cartridge, PRG, 0x00);
    assert_eq!(cartridge.read(0x6000, 0x60), 0x6B);
}

#[test]
fn mmc1a_always_enables_prg_ram() {
    for image in [Image::nes2(155, 0, 8, 8, 0x70, 0), Image::nes2(1, 3, 8, 8, 0x70, 0)] {
        let mut cartridge = image.cartridge();
        set(&mut cartridge, PRG, 0x10);
        cartridge.write(0x6000, 0x6B, 0);
        assert_eq!(cartridge.read(0x6000, 0x60), 0x6B);
    }
}

/// The banks at $8000 and $C000 of 16, as a program reads them that has each bank's number in it:
/// of MMC1A and of MMC1B. The first two rows are what a chip of either revision gave
/// (little-things-nes, mmc1a; NESdev: INES Mapper 155).
const BANKS_WITH_BIT_4: [(u8, u8, [u8; 2], [u8; 2]); 6] = [
    (0x0C, 0x10, [0, 7], [0, 15]),
    (0x08, 0x18, [8, 8], [0, 8]),
    (0x0C, 0x1A, [10, 15], [10, 15]),
    (0x08, 0x13, [0, 3], [0, 3]),
    (0x00, 0x1A, [10, 11], [10, 11]),
    (0x0C, 0x02, [2, 15], [2, 15]),
];

#[test]
fn with_bit_4_of_the_prg_register_bit_3_alone_is_a17_of_mmc1a() {
    for (mapper, submapper, is_a) in [(155, 0, true), (1, 3, true), (1, 0, false)] {
        for (control, prg, of_a, of_b) in BANKS_WITH_BIT_4 {
            let mut cartridge = Image::nes2(mapper, submapper, 16, 8, 0x70, 0).cartridge();
            set(&mut cartridge, CONTROL, control);
            set(&mut cartridge, PRG, prg);
            let [lower, _, upper, _] = prg_banks(&cartridge).map(|bank| bank / 2);
            let expected = if is_a { of_a } else { of_b };
            assert_eq!([lower, upper], expected, "mapper {mapper}, {control:02X}, {prg:02X}");
        }
    }
}

#[test]
fn snrom_disables_prg_ram_by_chr_bit_4() {
    let mut cartridge = snrom();
    cartridge.write(0x6000, 0x6B, 0);
    set(&mut cartridge, CHR0, 0x10);
    assert_eq!(cartridge.read(0x6000, 0x60), 0x60);
    set(&mut cartridge, CHR0, 0x0F);
    assert_eq!(cartridge.read(0x6000, 0x60), 0x6B);
    // Boards with CHR-ROM have another use for the bit.
    let mut cartridge = Image::nes2(1, 0, 16, 16, 0x70, 0).cartridge();
    cartridge.write(0x6000, 0x6B, 0);
    set(&mut cartridge, CHR0, 0x10);
    assert_eq!(cartridge.read(0x6000, 0x60), 0x6B);
}

#[test]
fn with_two_chr_banks_a12_chooses_whose_bit_4_disables() {
    let mut cartridge = snrom();
    cartridge.write(0x6000, 0x6B, 0);
    set(&mut cartridge, CHR0, 0x00);
    set(&mut cartridge, CHR1, 0x10);
    assert!(!cartridge.watches_a12());
    set(&mut cartridge, CONTROL, 0x1C);
    assert!(cartridge.watches_a12());
    let generation = cartridge.chr_generation();
    for (high, value) in [(false, 0x6B), (true, 0x60), (false, 0x6B)] {
        cartridge.set_a12(high);
        assert_eq!(cartridge.read(0x6000, 0x60), value);
    }
    assert_eq!(cartridge.chr_generation(), generation);
    set(&mut cartridge, CHR0, 0x1F);
    assert!(!cartridge.watches_a12());
}

#[test]
fn surom_has_prg_a18_from_chr_bit_4() {
    let mut cartridge = surom(0x70);
    assert_eq!(prg_banks(&cartridge), [0, 1, 30, 31]);
    set(&mut cartridge, PRG, 3);
    set(&mut cartridge, CHR0, 0x10);
    assert_eq!(prg_banks(&cartridge), [38, 39, 62, 63]);
    cartridge.write(0x6000, 0x6B, 0);
    assert_eq!(cartridge.read(0x6000, 0x60), 0x6B, "no second disable beyond 256 KiB");
    set(&mut cartridge, CONTROL, 0x08);
    assert_eq!(prg_banks(&cartridge), [32, 33, 38, 39]);
    set(&mut cartridge, CONTROL, 0x00);
    assert_eq!(prg_banks(&cartridge), [36, 37, 38, 39]);
}

#[test]
fn with_two_chr_banks_a12_chooses_the_256_kib() {
    let mut cartridge = surom(0x70);
    set(&mut cartridge, CHR1, 0x10);
    set(&mut cartridge, CONTROL, 0x1C);
    assert!(cartridge.watches_a12());
    assert_eq!(prg_banks(&cartridge), [0, 1, 30, 31]);
    cartridge.set_a12(true);
    assert_eq!(prg_banks(&cartridge), [32, 33, 62, 63]);
}

#[test]
fn sxrom_banks_32_kib_of_prg_ram_by_chr_bits_2_and_3() {
    let mut cartridge = surom(0x90);
    for bank in 0..4 {
        set(&mut cartridge, CHR0, bank << 2);
        cartridge.write(0x6000, 0xA0 | bank, 0);
    }
    for bank in 0..4 {
        set(&mut cartridge, CHR0, 0x13 | bank << 2);
        assert_eq!(cartridge.read(0x6000, 0), 0xA0 | bank);
    }
}

#[test]
fn sorom_banks_16_kib_of_prg_ram_by_chr_bit_3() {
    let mut cartridge = Image::nes2(1, 0, 16, 0, 0x77, 7).cartridge();
    for (chr, value) in [(0x00, 1), (0x08, 2)] {
        set(&mut cartridge, CHR0, chr);
        cartridge.write(0x6000, value, 0);
    }
    for (chr, value) in [(0x00, 1), (0x04, 1), (0x08, 2), (0x0C, 2)] {
        set(&mut cartridge, CHR0, chr);
        assert_eq!(cartridge.read(0x6000, 0), value);
    }
}

#[test]
fn szrom_banks_16_kib_of_prg_ram_by_chr_bit_4() {
    let mut cartridge = Image::nes2(1, 0, 8, 8, 0x77, 0).cartridge();
    for (chr, value) in [(0x00, 1), (0x10, 2)] {
        set(&mut cartridge, CHR0, chr);
        cartridge.write(0x6000, value, 0);
    }
    set(&mut cartridge, CHR0, 0x0F);
    assert_eq!(cartridge.read(0x6000, 0), 1);
}

#[test]
fn without_prg_ram_6000_is_open_bus() {
    let mut cartridge = Image::nes2(1, 5, 2, 2, 0, 0).cartridge();
    cartridge.write(0x6000, 0x55, 0);
    assert_eq!([cartridge.read(0x6000, 0x60), cartridge.read(0x7FFF, 0x7F)], [0x60, 0x7F]);
}
