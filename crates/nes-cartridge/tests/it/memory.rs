//! RAM sizes, batteries and submappers of NES 2.0, for every board that there is.

use core::ops::Range;

use nes_cartridge::{Cartridge, Warning};
use nes_testing::Image;

/// Flag of byte 6: the board has a battery.
const BATTERY: u8 = 2;

/// A header and what a cartridge makes of it: mapper, submapper, byte 10 (battery-backed and
/// volatile PRG-RAM as 64 << n), byte 11 (the same of CHR-RAM), 8 KiB units of CHR-ROM, and whether
/// a battery is there; the board, its PRG-RAM, the part that a battery keeps, and what is odd.
type Case = ([u8; 5], bool, &'static str, usize, Range<usize>, &'static [Warning]);

const CASES: &[Case] = &[
    // NROM, UxROM, CNROM, AxROM, Tengen: RAM is at $6000 if the header has any.
    ([0, 0, 0x00, 0, 1], false, "NROM", 0, 0..0, &[]),
    ([0, 0, 0x07, 0, 1], false, "NROM", 0x2000, 0x2000..0x2000, &[]),
    ([0, 0, 0x70, 0, 1], true, "NROM", 0x2000, 0..0x2000, &[]),
    ([0, 0, 0x50, 0, 1], true, "NROM", 0x800, 0..0x800, &[]),
    ([0, 0, 0x65, 0, 1], true, "NROM", 0x2000, 0x1000..0x2000, &[]),
    ([2, 0, 0x70, 7, 0], true, "UxROM", 0x2000, 0..0x2000, &[]),
    ([2, 1, 0x00, 7, 0], false, "UxROM", 0, 0..0, &[]),
    ([2, 2, 0x00, 7, 0], false, "UxROM", 0, 0..0, &[]),
    ([2, 3, 0x00, 7, 0], false, "UxROM", 0, 0..0, &[Warning::UnknownSubmapper { found: 3 }]),
    ([3, 2, 0x07, 0, 4], false, "CNROM", 0x2000, 0x2000..0x2000, &[]),
    ([7, 2, 0x00, 7, 0], false, "AxROM", 0, 0..0, &[]),
    ([148, 0, 0x00, 0, 4], false, "Tengen 800008", 0, 0..0, &[]),
    // MMC1: the boards are told apart by their memories. SOROM and SZROM have two chips of RAM, of
    // which the battery keeps the second.
    ([1, 0, 0x00, 7, 0], false, "SGROM/SMROM", 0, 0..0, &[]),
    ([1, 0, 0x70, 7, 0], true, "SNROM", 0x2000, 0..0x2000, &[]),
    ([1, 0, 0x77, 7, 0], true, "SOROM", 0x4000, 0x2000..0x4000, &[]),
    ([1, 0, 0x80, 7, 0], true, "SOROM", 0x4000, 0..0x4000, &[]),
    ([1, 0, 0x90, 7, 0], true, "SXROM", 0x8000, 0..0x8000, &[]),
    ([1, 0, 0x07, 0, 2], false, "SJROM/SKROM", 0x2000, 0x2000..0x2000, &[]),
    ([1, 0, 0x77, 0, 2], true, "SZROM", 0x4000, 0x2000..0x4000, &[]),
    ([1, 0, 0x00, 0, 2], false, "SxROM without PRG-RAM", 0, 0..0, &[]),
    ([1, 3, 0x70, 0, 2], true, "SJROM/SKROM", 0x2000, 0..0x2000, &[]),
    ([1, 5, 0x00, 0, 2], false, "SEROM/SHROM/SH1ROM", 0, 0..0, &[]),
    ([1, 6, 0x00, 0, 2], false, "SxROM without PRG-RAM", 0, 0..0, &[Warning::UnknownSubmapper { found: 6 }]),
    ([155, 0, 0x70, 0, 2], true, "SJROM/SKROM", 0x2000, 0..0x2000, &[]),
    // MMC3, with its revision by the submapper; MMC6 and MC-ACC run as an MMC3.
    ([4, 0, 0x70, 0, 4], true, "TKROM/TSROM", 0x2000, 0..0x2000, &[]),
    ([4, 4, 0x00, 0, 4], false, "TFROM/TLROM", 0, 0..0, &[]),
    ([4, 1, 0x00, 0, 4], false, "TFROM/TLROM", 0, 0..0, &[Warning::UnknownSubmapper { found: 1 }]),
    ([4, 3, 0x00, 0, 4], false, "TFROM/TLROM", 0, 0..0, &[Warning::UnknownSubmapper { found: 3 }]),
    // The boards behind one pointer. What UNROM 512 has of a battery is its flash.
    ([5, 0, 0x00, 0, 4], false, "ExROM (MMC5)", 0, 0..0, &[]),
    ([5, 0, 0x77, 0, 4], true, "ExROM (MMC5)", 0x4000, 0x2000..0x4000, &[]),
    ([28, 0, 0x00, 9, 0], false, "Action 53", 0, 0..0, &[]),
    ([30, 0, 0x00, 9, 0], false, "UNROM 512", 0, 0..0, &[]),
    ([30, 0, 0x00, 9, 0], true, "UNROM 512 with flash", 0x8000, 0..0x8000, &[]),
    ([34, 1, 0x07, 0, 1], false, "NINA-001", 0x2000, 0x2000..0x2000, &[]),
    ([34, 2, 0x00, 7, 0], false, "BNROM", 0, 0..0, &[]),
    ([66, 0, 0x00, 0, 4], false, "GxROM", 0, 0..0, &[]),
    ([69, 0, 0x70, 0, 4], true, "FME-7", 0x2000, 0..0x2000, &[]),
    ([69, 0, 0x90, 0, 4], true, "FME-7", 0x8000, 0..0x8000, &[]),
    ([113, 0, 0x00, 0, 4], false, "NINA-03/06 of HES multicarts", 0, 0..0, &[]),
    ([218, 0, 0x00, 0, 0], false, "Magic Floor", 0, 0..0, &[]),
    // Headers whose battery and sizes contradict each other.
    ([0, 0, 0x00, 0, 1], true, "NROM", 0, 0..0, &[Warning::BatteryWithoutRam]),
    ([1, 0, 0x00, 7, 0], true, "SGROM/SMROM", 0, 0..0, &[Warning::BatteryWithoutRam]),
    ([1, 0, 0x07, 7, 0], true, "SNROM", 0x2000, 0..0x2000, &[Warning::BatteryUnsized { found: 0x2000 }]),
    ([1, 0, 0x70, 7, 0], false, "SNROM", 0x2000, 0..0x2000, &[Warning::BatteryImplied { found: 0x2000 }]),
    ([2, 0, 0x00, 0x70, 0], true, "UxROM", 0, 0..0, &[Warning::BatteryForChrRam { found: 0x2000 }]),
];

fn cartridge([mapper, submapper, prg_ram, chr_ram, chr]: [u8; 5], battery: bool) -> Cartridge {
    let image = Image::nes2(mapper, submapper, 2, chr, prg_ram, chr_ram);
    let flags = image.header[6] | if battery { BATTERY } else { 0 };
    image.with(6, flags).cartridge()
}

#[test]
fn every_board_has_the_ram_and_the_battery_that_nes_2_0_gives_it() {
    for (header, battery, board, prg_ram, kept, warnings) in CASES {
        let cartridge = cartridge(*header, *battery);
        let info = cartridge.info();
        assert_eq!((info.board, info.prg_ram), (*board, *prg_ram), "{header:02X?}");
        assert_eq!((&info.battery_ram, &info.warnings[..]), (kept, *warnings), "{header:02X?}");
        assert_eq!(cartridge.battery_ram().len(), kept.len());
        assert_eq!(info.battery, *battery || !kept.is_empty());
        let lost = *battery && kept.is_empty();
        assert_eq!(info.warnings.iter().any(Warning::is_a_loss), lost, "{header:02X?}");
    }
}

#[test]
fn every_mapper_and_submapper_that_is_known_is_in_the_table() {
    for mapper in 0..=255 {
        for submapper in 0..16 {
            let image = Image::nes2(mapper, submapper, 2, 1, 0, 0).bytes();
            let Ok(cartridge) = Cartridge::from_bytes(&image) else { continue };
            let unknown = cartridge.info().warnings.contains(&Warning::UnknownSubmapper { found: submapper });
            let listed = CASES.iter().any(|(header, ..)| header[0] == mapper);
            assert!(listed, "mapper {mapper}");
            // Of the MMC1 1, 2 and 4 are deprecated names of boards that its memories name, too.
            let known: &[u8] = match mapper {
                1 => &[0, 1, 2, 3, 4, 5],
                2 | 3 | 7 | 34 | 66 => &[0, 1, 2],
                30 => &[0, 1, 2, 3],
                4 => &[0, 4],
                _ => &[0],
            };
            assert_eq!(!unknown, known.contains(&submapper), "{mapper}.{submapper}");
        }
    }
}

#[test]
fn of_two_chips_the_battery_keeps_the_second_and_a_file_of_both_is_read() {
    let mut sorom = cartridge([1, 0, 0x77, 7, 0], true);
    for (bank, value) in [(0, 0x56), (8, 0x53)] {
        for bit in 0..5 {
            sorom.write(0xA000, bank >> bit & 1, 1000 + 4 * bit as u64);
        }
        sorom.write(0x6000, value, 0);
    }
    let kept = sorom.battery_ram().to_vec();
    assert_eq!((kept.len(), kept[0]), (0x2000, 0x53));
    let both = sorom.prg_ram().to_vec();
    for (file, read) in [(&kept[..], true), (&both, true), (&both[1..], false), (&[], false)] {
        let mut fresh = cartridge([1, 0, 0x77, 7, 0], true);
        assert_eq!(fresh.load_battery_ram(file), read, "{} bytes", file.len());
        assert_eq!(fresh.battery_ram()[0], if read { 0x53 } else { 0 });
        assert_eq!(fresh.prg_ram()[0], 0, "the first chip has no battery");
    }
    // An iNES header has one size for both; a board with one chip keeps all of it.
    let ines = |units| Image::ines(1, 8, 0).with(6, 0x10 | BATTERY).with(8, units).cartridge();
    assert_eq!(
        [1, 2, 4].map(|units| ines(units).info().battery_ram.clone()),
        [0..0x2000, 0x2000..0x4000, 0..0x8000]
    );
}
