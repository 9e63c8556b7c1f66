//! The boards behind one pointer, the MMC5 apart.

use nes_cartridge::{Cartridge, Place, Video};
use nes_testing::Image;

use crate::banks::{chr_banks, nametables, prg_banks};

fn write(cartridge: &mut Cartridge, writes: &[(u16, u8)]) {
    for &(address, value) in writes {
        cartridge.write(address, value, 0);
    }
}

#[test]
fn bnrom_and_nina_001_share_a_mapper() {
    let mut bnrom = Image::ines(34, 8, 0).cartridge();
    assert_eq!((bnrom.info().board, prg_banks(&bnrom)), ("BNROM", [0, 1, 2, 3]));
    write(&mut bnrom, &[(0x7FFD, 1), (0x8000, 2)]);
    assert_eq!(prg_banks(&bnrom), [8, 9, 10, 11]);

    let mut nina = Image::ines(34, 4, 4).cartridge();
    assert_eq!(nina.info().board, "NINA-001");
    write(&mut nina, &[(0x8000, 1), (0x7FFE, 2), (0x7FFF, 5)]);
    assert_eq!(prg_banks(&nina), [0, 1, 2, 3]);
    assert_eq!(chr_banks(&nina), [8, 9, 10, 11, 20, 21, 22, 23]);
    write(&mut nina, &[(0x7FFD, 1)]);
    assert_eq!(prg_banks(&nina), [4, 5, 6, 7]);
    // The RAM under the registers takes the byte, too.
    assert_eq!([0x7FFD, 0x7FFE, 0x7FFF].map(|at| nina.read(at, 0xEE)), [1, 2, 5]);
}

#[test]
fn a_submapper_says_which_and_bnroms_bus_has_conflicts() {
    assert_eq!(Image::nes2(34, 1, 4, 1, 7, 0).cartridge().info().board, "NINA-001");
    let mut bnrom = Image::nes2(34, 2, 8, 0, 0, 7).cartridge();
    assert_eq!(bnrom.info().board, "BNROM");
    // $8000 holds 0.
    write(&mut bnrom, &[(0x8000, 3)]);
    assert_eq!(prg_banks(&bnrom), [0, 1, 2, 3]);
    write(&mut bnrom, &[(0xE000, 3)]);
    assert_eq!(prg_banks(&bnrom), [12, 13, 14, 15]);
}

#[test]
fn gxrom_switches_prg_and_chr_at_once() {
    let mut cartridge = Image::ines(66, 8, 4).cartridge();
    write(&mut cartridge, &[(0x8000, 0x31)]);
    assert_eq!(prg_banks(&cartridge), [12, 13, 14, 15]);
    assert_eq!(chr_banks(&cartridge), [8, 9, 10, 11, 12, 13, 14, 15]);
}

#[test]
fn hes_multicarts_have_their_register_below_6000() {
    let mut cartridge = Image::ines(113, 16, 16).cartridge();
    write(&mut cartridge, &[(0x4100, 0b1101_1010)]);
    assert_eq!(prg_banks(&cartridge), [12, 13, 14, 15]);
    assert_eq!(chr_banks(&cartridge)[0], 80);
    assert_eq!(nametables(&cartridge), [0, 1, 0, 1]);
    // A8 is low, or the address is above.
    write(&mut cartridge, &[(0x4200, 0), (0x8000, 0), (0x6100, 0)]);
    assert_eq!(prg_banks(&cartridge), [12, 13, 14, 15]);
    write(&mut cartridge, &[(0x5FFF, 0)]);
    assert_eq!((prg_banks(&cartridge), nametables(&cartridge)), ([0, 1, 2, 3], [0, 0, 1, 1]));
}

#[test]
fn action_53_stands_for_three_boards() {
    // 16 outer banks of 32 KiB.
    let mut cartridge = Image::ines(28, 32, 0).cartridge();
    let halves = |cartridge: &Cartridge| [0x8000, 0xC000].map(|at| cartridge.read(at, 0) / 2);
    assert_eq!(halves(&cartridge), [30, 31], "the last bank at power-on");
    let set = |cartridge: &mut Cartridge, register: u8, value: u8| {
        write(cartridge, &[(0x5000, register), (0x8000, value)]);
    };
    set(&mut cartridge, 0x81, 4);
    // Outer banks of 64 KiB, 32 KiB banks within them.
    set(&mut cartridge, 0x80, 0x10);
    set(&mut cartridge, 0x01, 1);
    assert_eq!(halves(&cartridge), [10, 11]);
    set(&mut cartridge, 0x01, 0);
    assert_eq!(halves(&cartridge), [8, 9]);
    // UNROM: the upper half fixed, banks within 128 KiB.
    set(&mut cartridge, 0x80, 0x2E);
    set(&mut cartridge, 0x01, 3);
    assert_eq!((halves(&cartridge), nametables(&cartridge)), ([11, 9], [0, 1, 0, 1]));
    // The same the other way round.
    set(&mut cartridge, 0x80, 0x2B);
    assert_eq!((halves(&cartridge), nametables(&cartridge)), ([8, 11], [0, 0, 1, 1]));
    // One screen, which the inner registers choose.
    set(&mut cartridge, 0x80, 0x00);
    set(&mut cartridge, 0x01, 0x10);
    assert_eq!(nametables(&cartridge), [1; 4]);
    set(&mut cartridge, 0x00, 0x02);
    assert_eq!(nametables(&cartridge), [0; 4]);
    assert_eq!((cartridge.info().chr_ram, cartridge.chr_banks()[0]), (0x8000, 0x4000));
}

#[test]
fn unrom_512_banks_32_kib_of_chr_ram_and_chooses_a_screen() {
    let image = Image::ines(30, 32, 0).with(6, 0xE8);
    let mut cartridge = image.cartridge();
    assert_eq!(cartridge.info().chr_ram, 0x8000);
    // Bus conflicts, where it cannot be flashed: $C000 holds 62.
    write(&mut cartridge, &[(0xC001, 0xFF)]);
    assert_eq!(prg_banks(&cartridge), [60, 61, 62, 63]);
    assert_eq!((cartridge.chr_banks()[0], nametables(&cartridge)), (0x2000, [0; 4]));
    let mut free = Image::nes2(30, 1, 32, 0, 0, 9).with(6, 0xE8).cartridge();
    write(&mut free, &[(0x8000, 0xE3)]);
    assert_eq!((free.read(0x8000, 0), free.chr_banks()[0], nametables(&free)), (6, 0x6000, [1; 4]));
    let mut chosen = Image::nes2(30, 3, 32, 0, 0, 9).cartridge();
    write(&mut chosen, &[(0x8000, 0x80)]);
    assert_eq!(nametables(&chosen), [0, 1, 0, 1]);
}

#[test]
fn four_screens_of_unrom_512_are_its_last_chr_ram() {
    let mut cartridge = Image::ines(30, 32, 0).with(6, 0xE9).cartridge();
    assert_eq!(cartridge.video(), Video::OwnBus);
    assert_eq!(cartridge.place(0x2C05), Place::Chr(0x6C05));
    cartridge.write_place(Place::Chr(0x6C05), 0x77);
    // $E006 holds 63.
    write(&mut cartridge, &[(0xE000, 0x3F)]);
    cartridge.write(0xE000, 0x6F, 0);
    assert_eq!(cartridge.place(0x0C05), Place::Chr(0x2C05));
    assert_eq!(cartridge.chr_at(0x6C05), 0x77);
}

/// What the flash is told before a command.
const UNLOCK: [(u16, u8); 4] = [(0xC000, 1), (0x9555, 0xAA), (0xC000, 0), (0xAAAA, 0x55)];

fn command(cartridge: &mut Cartridge, code: u8) {
    write(cartridge, &UNLOCK);
    write(cartridge, &[(0xC000, 1), (0x9555, code)]);
}

#[test]
fn a_program_writes_its_own_flash_and_a_battery_file_keeps_it() {
    let mut cartridge = Image::ines(30, 32, 0).with(6, 0xE2).cartridge();
    assert_eq!(cartridge.info().board, "UNROM 512 with flash");
    assert!(cartridge.has_flash() && cartridge.battery_ram().len() == 0x8_0000);
    let fresh = cartridge.clone();
    command(&mut cartridge, 0xA0);
    write(&mut cartridge, &[(0xC000, 5), (0x8123, 0x08)]);
    cartridge.before_read(25);
    assert_eq!(cartridge.read(0x8123, 0), 0x08, "of $0A: programming clears bits");
    write(&mut cartridge, &[(0x8124, 0)]);
    assert_eq!(cartridge.read(0x8124, 0), 10, "one byte only");
    // An erasure: 4 KiB.
    command(&mut cartridge, 0x80);
    write(&mut cartridge, &UNLOCK);
    write(&mut cartridge, &[(0xC000, 5), (0x8FFF, 0x30)]);
    cartridge.before_read(32_216);
    assert_eq!([0x8000, 0x8FFF, 0x9000].map(|at| cartridge.read(at, 0)), [0xFF, 0xFF, 10]);
    command(&mut cartridge, 0xA0);
    write(&mut cartridge, &[(0xC000, 5), (0x8000, 0x5A)]);
    cartridge.before_read(25);
    assert_eq!(cartridge.read(0x8000, 0), 0x5A);
    assert_eq!(cartridge.prg_rom(), fresh.prg_rom(), "the image stays");

    let kept = cartridge.battery_ram().to_vec();
    let mut again = fresh;
    assert_eq!(again.read(0x8000, 0), 0);
    assert!(again.load_battery_ram(&kept));
    write(&mut again, &[(0xC000, 5)]);
    assert_eq!(again.read(0x8000, 0), 0x5A);
}

/// What the CPU reads at `address` in `cycle`.
fn read_at(cartridge: &mut Cartridge, address: u16, cycle: u64) -> u8 {
    assert!(!cartridge.watches_reads() || cartridge.reacts_to(address));
    cartridge.before_read(cycle);
    let value = cartridge.read(address, 0);
    cartridge.was_read(address, value, cycle);
    value
}

#[test]
fn a_flash_that_works_tells_its_status_and_takes_no_command() {
    let mut cartridge = Image::ines(30, 32, 0).with(6, 0xE2).cartridge();
    command(&mut cartridge, 0xA0);
    write(&mut cartridge, &[(0xC000, 5), (0x8123, 0x08)]);
    assert!(cartridge.watches_reads() && !cartridge.reacts_to(0x6000));
    // Bit 7 is not what it will be, bit 6 another in each read, wherever that is.
    let status = [0x8123, 0x8123, 0xFFFC, 0x8000].map(|address| read_at(&mut cartridge, address, 24));
    assert_eq!(status, [0x80, 0xC0, 0x80, 0xC0]);
    // What is written meanwhile is no command; a state keeps what it works at.
    command(&mut cartridge, 0x90);
    let bytes = nes_state::Writer::save(&mut cartridge);
    let mut loaded = Image::ines(30, 32, 0).with(6, 0xE2).cartridge();
    nes_state::Reader::load(&bytes, &mut loaded).expect("a state");
    assert_eq!(loaded, cartridge);
    write(&mut cartridge, &[(0xC000, 5)]);
    assert_eq!([25, 26].map(|cycle| read_at(&mut cartridge, 0x8123, cycle)), [8, 8]);
    assert!(!cartridge.watches_reads());

    for (last, offset, time) in [(0x30, 0x8FFF, 32_216), (0x10, 0x9555, 125_284)] {
        command(&mut cartridge, 0x80);
        write(&mut cartridge, &UNLOCK);
        write(&mut cartridge, &[(0xC000, if last == 0x10 { 1 } else { 5 }), (offset, last)]);
        assert_eq!(read_at(&mut cartridge, 0x8000, time - 1) & 0x80, 0, "an erased bit is 1 in the end");
        assert_eq!(read_at(&mut cartridge, 0x8000, time), 0xFF);
    }
    assert!(cartridge.prg_ram().iter().all(|&byte| byte == 0xFF));
}

#[test]
fn a_flash_tells_its_maker_and_its_size() {
    for (banks, name) in [(8, 0xB5), (16, 0xB6), (32, 0xB7)] {
        let mut cartridge = Image::ines(30, banks, 0).with(6, 0xE2).cartridge();
        for leave in [
            &[(0x8000, 0xF0)][..],
            &[(0xC000, 1), (0x9555, 0xAA), (0xC000, 0), (0xAAAA, 0x55), (0x8001, 0xF0)],
        ] {
            command(&mut cartridge, 0x90);
            let told = [0x8000, 0x8001, 0xFFFE].map(|address| read_at(&mut cartridge, address, 9));
            assert_eq!(told, [0xBF, name, 0xBF]);
            write(&mut cartridge, leave);
            write(&mut cartridge, &[(0xC000, 5)]);
            assert_eq!(read_at(&mut cartridge, 0x8000, 9), 10);
        }
    }
}

#[test]
fn a_broken_command_leaves_the_flash_as_it_is() {
    let mut cartridge = Image::ines(30, 32, 0).with(6, 0xE2).cartridge();
    let before = cartridge.prg_ram().to_vec();
    write(&mut cartridge, &[(0xC000, 1), (0x9555, 0xAA), (0x9555, 0x55), (0x9555, 0xA0), (0x8000, 0)]);
    command(&mut cartridge, 0x80);
    write(&mut cartridge, &[(0x8000, 0x30)]);
    assert_eq!(cartridge.prg_ram(), before);
}

#[test]
fn fme_7_banks_prg_at_four_places_and_chr_by_the_kib() {
    let mut cartridge = Image::ines(69, 16, 16).cartridge();
    assert_eq!(prg_banks(&cartridge)[3], 31);
    for command in 0..8 {
        write(&mut cartridge, &[(0x8000, command), (0xA000, 0x70 + command)]);
    }
    assert_eq!(chr_banks(&cartridge), [0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77]);
    write(&mut cartridge, &[(0x9FFF, 9), (0xBFFF, 3), (0x8000, 10), (0xA000, 4), (0x8000, 11), (0xA000, 5)]);
    assert_eq!(prg_banks(&cartridge), [3, 4, 5, 31]);
    // ROM at $6000, then RAM, then nothing.
    write(&mut cartridge, &[(0x8000, 8), (0xA000, 6)]);
    assert_eq!(cartridge.read(0x6000, 0xEE), 6);
    write(&mut cartridge, &[(0xA000, 0xC0), (0x6000, 0x99)]);
    assert_eq!(cartridge.read(0x6000, 0xEE), 0x99);
    write(&mut cartridge, &[(0xA000, 0x40), (0x6000, 0x11)]);
    assert_eq!(cartridge.read(0x6000, 0xEE), 0xEE);
    write(&mut cartridge, &[(0xA000, 0xC0)]);
    assert_eq!(cartridge.read(0x6000, 0xEE), 0x99);
    let screens = [[0, 1, 0, 1], [0, 0, 1, 1], [0; 4], [1; 4]];
    for (mirroring, expected) in (0..).zip(screens) {
        write(&mut cartridge, &[(0x8000, 12), (0xA000, mirroring)]);
        assert_eq!(nametables(&cartridge), expected);
    }
}

#[test]
fn fme_7_asks_for_an_interrupt_where_its_counter_wraps() {
    let mut cartridge = Image::ines(69, 16, 16).cartridge();
    let set = |cartridge: &mut Cartridge, command: u8, value: u8, cycle: u64| {
        cartridge.write(0x8000, command, cycle - 4);
        cartridge.write(0xA000, value, cycle);
    };
    set(&mut cartridge, 14, 100, 10);
    set(&mut cartridge, 15, 1, 20);
    assert_eq!(cartridge.next_irq(20), u64::MAX, "it does not count");
    set(&mut cartridge, 13, 0x81, 1000);
    assert_eq!(cartridge.next_irq(1000), 1000 + 356 + 1);
    assert!(!cartridge.irq_at(1356) && cartridge.irq_at(1357) && cartridge.irq_at(90_000));
    // Another value for the counter does not take the interrupt back; a write of $D does, when
    // that cycle is over.
    set(&mut cartridge, 14, 0xFF, 1400);
    assert!(cartridge.irq_at(1401));
    set(&mut cartridge, 13, 0x81, 1500);
    assert!(cartridge.irq_at(1500) && !cartridge.irq_at(1501));
    // It has counted on from the value that was written, with a high byte that had wrapped to $FF.
    let left = 0xFFFF - 100;
    assert_eq!(cartridge.next_irq(1500), 1500 + left + 1);
    // It counts without asking.
    set(&mut cartridge, 13, 0x80, 2000);
    assert_eq!(cartridge.next_irq(2000), u64::MAX);
    assert!(!cartridge.irq_at(90_000));
}

#[test]
fn magic_floor_has_patterns_and_nametables_in_one_memory() {
    for (flags, line) in [(0xA0, 11), (0xA1, 10), (0xA8, 12), (0xA9, 13)] {
        let cartridge = Image::ines(218, 2, 0).with(6, flags).with(7, 0xD0).cartridge();
        assert_eq!(cartridge.video(), Video::OwnBus);
        assert!(cartridge.info().warnings.is_empty(), "{:?}", cartridge.info().warnings);
        for address in [0x0000, 0x0400, 0x0800, 0x1234, 0x2000, 0x2C05, 0x27FF] {
            let place = address & 0x3FF | (address >> line & 1) << 10;
            assert_eq!(cartridge.place(address), Place::Ciram(place), "{flags:02X}, {address:04X}");
        }
    }
}
