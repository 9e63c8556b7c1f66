//! The loader: what it takes, what it refuses, and in which words.

use nes_clock::Region;
use nes_testing::Image;

use crate::banks::{chr_banks, nametables, prg_banks};
use nes_cartridge::{Cartridge, Format, Mirroring, Part, RomError, Warning};

fn refusal(bytes: &[u8]) -> RomError {
    Cartridge::from_bytes(bytes).expect_err("refused")
}

#[test]
fn every_refusal_says_what_was_found_and_what_to_do() {
    let cases: [(Vec<u8>, &str); 13] = [
        (b"".to_vec(), "the image is empty"),
        (b"NE".to_vec(), "header cut short: an iNES header has 16 bytes, the image has 2"),
        (b"NES\x1A\x01\x01".to_vec(), "header cut short: an iNES header has 16 bytes, the image has 6"),
        (vec![0; 0x6010], "not a cartridge image: expected it to open with 4E 45 53 1A"),
        (
            b"PK\x03\x04rest".to_vec(),
            "this is a zip archive, not an iNES or NES 2.0 cartridge image; unpack it first",
        ),
        (b"\x1F\x8Brest".to_vec(), "this is a gzip archive"),
        (b"7z\xBC\xAF\x27\x1C".to_vec(), "this is a 7z archive"),
        (b"Rar!\x1A\x07\x01".to_vec(), "this is a rar archive"),
        (b"NESM\x1A\x01".to_vec(), "this is an NSF file (music)"),
        (b"NSFE".to_vec(), "this is an NSFe file (music)"),
        (b"FDS\x1A\x01".to_vec(), "this is a Famicom Disk System image"),
        (b"\x01*NINTENDO-HVC*".to_vec(), "this is a Famicom Disk System image"),
        (b"UNIF\x07".to_vec(), "this is a UNIF image"),
    ];
    for (bytes, message) in cases {
        let error = refusal(&bytes).to_string();
        assert!(error.starts_with(message), "{error}");
        assert!(!error.contains('\n'), "one line: {error}");
    }
}

#[test]
fn the_region_is_the_headers() {
    let region = |image: Image| image.cartridge().info().region;
    assert_eq!(region(Image::ines(0, 2, 1)), Region::Ntsc);
    assert_eq!(region(Image::ines(0, 2, 1).with(9, 1)), Region::Pal);
    for (byte, expected) in [(0, Region::Ntsc), (1, Region::Pal), (2, Region::Ntsc)] {
        assert_eq!(region(Image::nes2(0, 0, 2, 1, 0, 0).with(12, byte)), expected);
    }
}

#[test]
fn every_bad_header_is_refused_by_name() {
    let ines = || Image::ines(0, 2, 1);
    let nes2 = || Image::nes2(0, 0, 2, 1, 0, 0);
    let cases = [
        (ines().with(4, 0), "the header promises no PRG-ROM"),
        (
            Image::ines(0, 2, 2).with(4, 3),
            "CHR-ROM cut short: the header promises 16384 bytes, the image has 0 left",
        ),
        (ines().with(4, 4), "PRG-ROM cut short: the header promises 65536 bytes, the image has 40960 left"),
        (ines().with(5, 2), "CHR-ROM cut short: the header promises 16384 bytes, the image has 8192 left"),
        (ines().with(6, 0x60), "mapper 6 (submapper 0) is not supported: expected 0 (NROM), 1 or 155 (MMC1)"),
        (ines().with(6, 0x90), "mapper 9 (submapper 0), the MMC2 of PxROM boards, is not supported"),
        (ines().with(7, 0x01), "this is an image for the Vs. System"),
        (ines().with(7, 0x02), "this is an image for the PlayChoice-10"),
        (nes2().with(7, 0x09), "this is an image for the Vs. System"),
        (nes2().with(7, 0x0A), "this is an image for the PlayChoice-10"),
        (nes2().with(7, 0x0B).with(13, 1), "this is an image for the Vs. System"),
        (nes2().with(7, 0x0B).with(13, 4), "this is an image for a famiclone"),
        (
            nes2().with(12, 3),
            "this is a Dendy image: expected NTSC or PAL timing; use the NTSC (USA, Japan) or PAL release",
        ),
        (nes2().with(8, 0x51), "mapper 256 (submapper 5) is not supported"),
        (
            nes2().with(9, 0x0E),
            "the header promises 58753024 bytes of PRG-ROM: a cartridge takes at most 4194304",
        ),
        (nes2().with(4, 0xFC).with(9, 0x0F), "the header promises 9223372036854775808 bytes of PRG-ROM"),
        (nes2().with(4, 0xFF).with(9, 0x0F), "the header's PRG-ROM size, 2^63 x 7, is beyond all bounds"),
        (nes2().with(5, 0xFD).with(9, 0xF0), "the header's CHR-ROM size, 2^63 x 3, is beyond all bounds"),
        (nes2().with(4, 0x7C).with(9, 0x0F), "the header promises 2147483648 bytes of PRG-ROM"),
        (
            nes2().with(4, 0).with(9, 0x0F),
            "the header promises 1 bytes of PRG-ROM: NROM takes multiples of 8192",
        ),
        (nes2().with(10, 0x0F), "the header's PRG-RAM size has the reserved shift count 15"),
        (nes2().with(10, 0xF0), "the header's PRG-RAM size has the reserved shift count 15"),
        (nes2().with(11, 0x0F), "the header's CHR-RAM size has the reserved shift count 15"),
        (nes2().with(10, 0x0E), "the header promises 1048576 bytes of PRG-RAM: NROM takes at most 8192"),
        (
            Image::nes2(0, 0, 2, 0, 0, 3),
            "the header promises 512 bytes of CHR-RAM: expected none or at least 1024",
        ),
    ];
    for (image, message) in cases {
        let error = refusal(&image.bytes()).to_string();
        assert!(error.starts_with(message), "{:02X?}: {error}", image.header);
        assert!(!error.contains('\n'), "one line: {error}");
    }
}

#[test]
fn two_sizes_of_2_to_the_31_do_not_wrap() {
    let image = Image::nes2(0, 0, 0x7C, 0x7C, 0, 0).with(9, 0xFF).header;
    let error =
        RomError::TooLarge { part: Part::PrgRom, found: 1 << 31, limit: 4 << 20, board: "a cartridge" };
    assert_eq!(refusal(&image), error);
}

#[test]
fn an_image_cut_anywhere_is_refused() {
    let mut image = Image::ines(1, 1, 1).with(6, 0x14);
    image.trainer = vec![7; 512];
    let bytes = image.bytes();
    for end in (0..0x300).chain((0x300..bytes.len()).step_by(251)) {
        assert!(Cartridge::from_bytes(&bytes[..end]).is_err(), "{end}");
    }
    assert!(Cartridge::from_bytes(&bytes).is_ok());
}

#[test]
fn a_file_beyond_64_mib_is_refused() {
    let bytes = vec![0; (64 << 20) + 1];
    assert_eq!(refusal(&bytes), RomError::FileTooLarge { found: (64 << 20) + 1, limit: 64 << 20 });
}

#[test]
fn chr_ram_that_the_board_cannot_address_is_a_warning() {
    let cartridge = Cartridge::from_bytes(&Image::nes2(0, 0, 2, 0, 0, 8).bytes()).unwrap();
    assert_eq!(cartridge.info().warnings, [Warning::UnreachableChrRam { found: 0x4000, limit: 0x2000 }]);
    assert_eq!(cartridge.info().chr_ram, 0x2000);
}

#[test]
fn rom_beyond_the_boards_address_lines_is_left_out_with_a_warning_that_says_so() {
    let cases = [
        (Image::ines(0, 2, 2), Part::ChrRom, 0x4000, 0x2000),
        (Image::ines(0, 3, 1), Part::PrgRom, 0xC000, 0x8000),
        (Image::ines(1, 33, 1), Part::PrgRom, 33 << 14, 0x8_0000),
        (Image::nes2(7, 0, 33, 0, 0, 7), Part::PrgRom, 33 << 14, 0x8_0000),
    ];
    for (image, part, found, limit) in cases {
        let cartridge = image.cartridge();
        let info = cartridge.info();
        let [warning @ Warning::UnreachableRom { board, .. }] = &info.warnings[..] else {
            panic!("{:02X?}: {:?}", image.header, info.warnings)
        };
        assert_eq!(*warning, Warning::UnreachableRom { part, found, limit, board });
        let text = warning.to_string();
        let left_out = format!("the other {} are left out", found - limit);
        assert!(warning.is_a_loss() && text.contains(*board) && text.ends_with(&left_out), "{text}");
        let (used, whole) = match part {
            Part::PrgRom => (cartridge.prg_rom(), &image.prg),
            _ => (cartridge.chr(), &image.chr),
        };
        assert_eq!(used, &whole[..limit as usize]);
        assert_eq!((info.prg_rom_in_image, info.chr_rom_in_image), (image.prg.len(), image.chr.len()));
        // The hashes are those of the file, by which a catalogue knows it.
        assert_eq!(info.crc32, crc32fast::hash(&[image.prg, image.chr].concat()));
    }
    let nrom = Image::ines(0, 2, 2).cartridge();
    assert_eq!(chr_banks(&nrom), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(prg_banks(&Image::ines(0, 3, 1).cartridge()), [0, 1, 2, 3]);
}

#[test]
fn an_overdump_is_a_warning() {
    let bytes = [Image::ines(0, 1, 1).bytes(), vec![0xFF; 100]].concat();
    let cartridge = Cartridge::from_bytes(&bytes).unwrap();
    assert_eq!(cartridge.info().warnings, [Warning::Overdump { extra: 100 }]);
    assert_eq!(cartridge.crc32(), Image::ines(0, 1, 1).cartridge().crc32());
}

#[test]
fn a_signed_header_says_nothing_from_byte_7_on() {
    let mut image = Image::ines(1, 2, 1);
    image.header[7..].copy_from_slice(b"DiskDude!");
    let info = image.cartridge().info().clone();
    assert_eq!((info.mapper, info.format), (1, Format::Ines));
    assert_eq!(info.warnings, [Warning::SignedHeader { text: "DiskDude!".to_owned() }]);
    // Even where the signature looks like Vs. System and PAL.
    let mut image = Image::ines(0, 2, 1);
    image.header[7..].copy_from_slice(b"\x01qqqqqqqq");
    assert_eq!(image.cartridge().info().mapper, 0);
}

#[test]
fn the_mapper_is_made_of_its_nibbles() {
    assert_eq!(Image::ines(155, 2, 0).cartridge().info().mapper, 155);
    assert_eq!(Image::nes2(155, 0, 2, 0, 0, 7).cartridge().info().mapper, 155);
    let error = refusal(&Image::nes2(7, 0, 2, 0, 0, 7).with(8, 0x03).bytes());
    assert!(matches!(error, RomError::UnknownMapper { mapper: 0x307, submapper: 0, .. }));
}

#[test]
fn nrom_of_16_kib_is_mirrored() {
    assert_eq!(prg_banks(&Image::ines(0, 1, 1).cartridge()), [0, 1, 0, 1]);
    assert_eq!(prg_banks(&Image::ines(0, 2, 1).cartridge()), [0, 1, 2, 3]);
}

#[test]
fn an_exponent_size_of_nes_2_0_is_read() {
    let mut image = Image::nes2(0, 0, 0, 1, 0, 0).with(4, 13 << 2).with(9, 0x0F); // 2^13 x 1
    image.prg = vec![0x42; 0x2000];
    assert_eq!(prg_banks(&image.cartridge()), [0x42; 4]);
}

#[test]
fn ines_stands_for_8_kib_of_ram_whatever_the_mapper() {
    for mapper in [0, 1, 2, 3, 7, 155] {
        let mut cartridge = Image::ines(mapper, 2, 1).cartridge();
        assert_eq!(cartridge.info().prg_ram, 0x2000);
        cartridge.write(0x6000, 0x80, 0);
        cartridge.write(0x7FFF, 0x81, 10);
        assert_eq!([cartridge.read(0x6000, 0), cartridge.read(0x7FFF, 0)], [0x80, 0x81], "mapper {mapper}");
    }
}

#[test]
fn nes_2_0_has_the_ram_that_it_says() {
    let none = Image::nes2(0, 0, 2, 1, 0, 0).cartridge();
    assert_eq!(none.read(0x6123, 0x61), 0x61);
    let mut small = Image::nes2(0, 0, 2, 1, 0x05, 0).cartridge(); // 2 KiB
    small.write(0x6001, 0x5A, 0);
    assert_eq!([0x6001, 0x6801, 0x7801].map(|address| small.read(address, 0)), [0x5A; 3]);
    assert_eq!(Image::nes2(1, 0, 2, 0, 0x77, 7).cartridge().info().prg_ram, 0x4000);
}

#[test]
fn a_trainer_goes_to_7000() {
    let mut image = Image::ines(0, 1, 1).with(6, 0x04);
    image.trainer = (0..512).map(|i| (i % 251) as u8).collect();
    let cartridge = image.cartridge();
    assert!((0..512).all(|i| cartridge.read(0x7000 + i, 0xFF) == image.trainer[usize::from(i)]));
    assert_eq!([cartridge.read(0x6FFF, 0xFF), cartridge.read(0x7200, 0xFF)], [0, 0]);
    assert_eq!(cartridge.read(0x8000, 0xFF), 0);

    let mut image = Image::nes2(0, 0, 1, 1, 0, 0).with(6, 0x04);
    image.trainer = vec![9; 512];
    assert_eq!(image.cartridge().info().warnings, [Warning::TrainerWithoutRam]);
    assert_eq!(image.cartridge().read(0x7000, 0xFF), 9);
}

#[test]
fn without_chr_rom_there_is_chr_ram() {
    let mut ines = Image::ines(0, 1, 0).cartridge();
    assert_eq!((ines.info().chr_ram, ines.info().warnings.len()), (0x2000, 0));
    ines.write_chr(0x1FFF, 0x77);
    assert_eq!(ines.read_chr(0x1FFF), 0x77);
    let nes2 = Image::nes2(0, 0, 1, 0, 0, 0).cartridge();
    assert_eq!((nes2.info().chr_ram, &nes2.info().warnings[..]), (0x2000, &[Warning::NoChr][..]));
    let mut small = Image::nes2(0, 0, 1, 0, 0, 4).cartridge(); // 1 KiB
    small.write_chr(0, 0x12);
    assert_eq!(small.read_chr(0x1C00), 0x12);
}

#[test]
fn chr_rom_is_not_written() {
    let mut cartridge = Image::ines(0, 1, 1).cartridge();
    let before = cartridge.clone();
    cartridge.write_chr(0x0400, 0xFF);
    assert_eq!(cartridge, before);
    assert_eq!(cartridge.read_chr(0x0400), 1);
}

#[test]
fn the_header_wires_the_nametables() {
    let cases = [
        (0x00, Mirroring::Horizontal, [0, 0, 1, 1], 0x800),
        (0x01, Mirroring::Vertical, [0, 1, 0, 1], 0x800),
        (0x08, Mirroring::FourScreen, [0, 1, 2, 3], 0x1000),
        (0x09, Mirroring::FourScreen, [0, 1, 2, 3], 0x1000),
    ];
    for (flags, mirroring, tables, len) in cases {
        let cartridge = Image::ines(0, 1, 1).with(6, flags).cartridge();
        assert_eq!(cartridge.info().mirroring, mirroring);
        assert_eq!(nametables(&cartridge), tables);
        assert_eq!(cartridge.ciram_len(), len);
        assert_eq!(cartridge.ciram_address(0x3001), cartridge.ciram_address(0x2001));
    }
}

#[test]
fn the_hashes_are_of_prg_and_chr_and_of_the_file() {
    let mut image = Image::ines(0, 1, 1);
    image.prg.fill(b'a');
    image.chr.fill(b'b');
    let info = image.cartridge().info().clone();
    let rom = [image.prg.clone(), image.chr.clone()].concat();
    assert_eq!(info.crc32, crc32fast::hash(&rom));
    assert_eq!(info.file_crc32, crc32fast::hash(&image.bytes()));
    assert_ne!(info.sha1, info.file_sha1);
    assert_eq!(info.sha1.to_string().len(), 40);
    // The header does not move the hash of the contents.
    let other = image.with(6, 1).cartridge().info().clone();
    assert_eq!((other.crc32, other.sha1), (info.crc32, info.sha1));
}

#[test]
fn the_md5_is_that_of_both_roms_each_filled_up_to_a_power_of_two() {
    let md5 = |image: &Image| image.cartridge().info().md5.to_string();
    // md5sum of the same bytes: 16 KiB of a, 8 KiB of b; 48 KiB of a, 16 KiB of $FF, 8 KiB of b.
    let mut image = Image::ines(0, 1, 1);
    image.prg.fill(b'a');
    image.chr.fill(b'b');
    assert_eq!(md5(&image), "3d2c800ed4f96c8b4ebcedd3e971287b");
    let mut image = Image::ines(1, 3, 1);
    image.prg.fill(b'a');
    image.chr.fill(b'b');
    assert_eq!(md5(&image), "5bd29bcbaa610e4ba3b5a24ec6a2429c");
}

#[test]
fn a_known_cartridge_is_what_it_is_whatever_its_header_says() {
    // Zeros, and four bytes that give them the CRC32 of Tetris (USA).
    let image = |mut image: Image| {
        image.prg.fill(0);
        image.chr.fill(0);
        image.chr.splice(0x3FFC.., [0x39, 0xEE, 0xE8, 0xF0]);
        image
    };
    for image in [image(Image::ines(1, 2, 2)), image(Image::nes2(1, 0, 2, 2, 0x70, 0)).with(6, 0x12)] {
        let cartridge = image.cartridge();
        let info = cartridge.info();
        assert_eq!((info.crc32, info.known, info.submapper), (0x1394_F57E, true, 5));
        assert_eq!((info.board, info.prg_ram, info.battery), ("SEROM/SHROM/SH1ROM", 0, false));
        assert_eq!(cartridge.read(0x6000, 0x60), 0x60);
    }
    assert!(!Image::ines(1, 2, 2).cartridge().info().known);
}

#[test]
fn the_board_is_named() {
    let cases = [
        (Image::ines(0, 2, 1), "NROM"),
        (Image::ines(1, 2, 2), "SEROM/SHROM/SH1ROM"),
        (Image::nes2(1, 5, 2, 2, 0, 0), "SEROM/SHROM/SH1ROM"),
        (Image::ines(1, 16, 0), "SNROM"),
        (Image::nes2(1, 0, 16, 0, 0x77, 7), "SOROM"),
        (Image::ines(1, 32, 0), "SUROM"),
        (Image::nes2(1, 0, 32, 0, 0x90, 7), "SXROM"),
        (Image::nes2(1, 0, 8, 0, 0, 7), "SGROM/SMROM"),
        (Image::nes2(1, 0, 8, 8, 0x77, 0), "SZROM"),
        (Image::nes2(1, 0, 8, 16, 0x07, 0), "SJROM/SKROM"),
        (Image::ines(2, 8, 0), "UxROM"),
        (Image::ines(3, 2, 4), "CNROM"),
        (Image::ines(7, 8, 0), "AxROM"),
        (Image::ines(148, 2, 4), "Tengen 800008"),
    ];
    for (image, board) in cases {
        assert_eq!(image.cartridge().info().board, board);
    }
}

#[test]
fn the_name_of_a_file_says_the_region_where_the_header_says_nothing() {
    let ines = Image::ines(0, 1, 1).bytes();
    let region = |image: &[u8], name: &str| Cartridge::from_bytes(image).unwrap().named(name).info().clone();
    for (name, found) in [
        ("Game (Europe)", Some("(Europe)")),
        ("Game (Rev 1) (Europe, Australia) [b]", Some("(Europe, Australia)")),
        ("Game (E) [!]", Some("(E)")),
        ("Game (USA, Europe)", None),
        ("Game (World)", None),
        ("Europe", None),
        ("Game (Europe", None),
        ("", None),
    ] {
        let info = region(&ines, name);
        let warnings = found.map(|found| Warning::RegionByName { found: found.to_owned() });
        assert_eq!(info.region, if found.is_some() { Region::Pal } else { Region::Ntsc }, "{name}");
        assert_eq!(info.warnings, warnings.into_iter().collect::<Vec<_>>(), "{name}");
    }
    // NES 2.0 says it itself.
    let nes2 = region(&Image::nes2(0, 0, 1, 1, 0, 0).bytes(), "Game (Europe)");
    assert_eq!((nes2.region, nes2.warnings.len()), (Region::Ntsc, 0));
}
