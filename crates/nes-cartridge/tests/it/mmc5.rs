//! The MMC5: banks, `ExRAM`, the second playfield, the interrupt by lines.

use nes_cartridge::{Cartridge, PictureFetch, PictureUse, Place};
use nes_testing::Image;

use crate::banks::{chr_banks, prg_banks};

fn write(cartridge: &mut Cartridge, writes: &[(u16, u8)]) {
    for &(address, value) in writes {
        cartridge.write(address, value, 0);
    }
}

/// 256 KiB of PRG-ROM, 128 KiB of CHR-ROM.
fn cartridge() -> Cartridge {
    Image::ines(5, 16, 16).cartridge()
}

/// The PPU's fetches, one in each cycle from the one it holds on.
struct Picture {
    cartridge: Cartridge,
    cycle: u64,
}

impl Picture {
    /// A picture whose line `line` has just been found: the MMC5 has seen the lines before.
    fn at(cartridge: Cartridge, line: u16) -> Self {
        let mut picture = Self { cartridge, cycle: 1000 };
        for line in 0..=line {
            picture.begin(line);
        }
        picture
    }

    fn fetch(&mut self, address: u16, purpose: PictureUse, line: u16, column: u16) -> Place {
        self.cycle += 1;
        let (cycle, sampled) = (self.cycle, self.cycle + 1);
        self.cartridge.fetch(&PictureFetch { address, purpose, line, column, cycle, sampled })
    }

    /// The last fetches of the line before, and the first of this one.
    fn begin(&mut self, line: u16) {
        for _ in 0..3 {
            self.fetch(0x2000 + (line / 8 * 32), PictureUse::Tile, line, 2);
        }
        self.fetch(0x23C0, PictureUse::Attribute, line, 2);
        self.fetch(0x0000, PictureUse::Background, line, 2);
    }

    fn status(&mut self) -> u8 {
        let value = self.cartridge.read(0x5204, 0);
        self.cartridge.was_read(0x5204, value, self.cycle);
        value
    }
}

#[test]
fn prg_is_banked_in_four_sizes() {
    let mut cartridge = cartridge();
    assert_eq!(prg_banks(&cartridge)[3], 31, "the last bank at power-on");
    write(&mut cartridge, &[(0x5114, 0x81), (0x5115, 0x83), (0x5116, 0x86), (0x5117, 0x9D)]);
    assert_eq!(prg_banks(&cartridge), [1, 3, 6, 29]);
    write(&mut cartridge, &[(0x5100, 2)]);
    assert_eq!(prg_banks(&cartridge), [2, 3, 6, 29]);
    write(&mut cartridge, &[(0x5100, 1)]);
    assert_eq!(prg_banks(&cartridge), [2, 3, 28, 29]);
    write(&mut cartridge, &[(0x5100, 0)]);
    assert_eq!(prg_banks(&cartridge), [28, 29, 30, 31]);
}

#[test]
fn prg_ram_can_lie_at_8000_and_is_protected() {
    let mut cartridge = cartridge();
    assert_eq!(cartridge.prg_ram().len(), 0x1_0000);
    write(&mut cartridge, &[(0x5113, 2), (0x5115, 0x02), (0x6000, 9)]);
    assert_eq!(cartridge.read(0xA000, 0xEE), 0, "not written: it is protected");
    write(&mut cartridge, &[(0x5102, 2), (0x5103, 1), (0x6000, 9), (0xA001, 8)]);
    assert_eq!([0x6000, 0xA000, 0x6001, 0xA001].map(|at| cartridge.read(at, 0xEE)), [9, 9, 8, 8]);
    write(&mut cartridge, &[(0x5103, 0), (0xA001, 7)]);
    assert_eq!(cartridge.read(0xA001, 0xEE), 8);
    assert!(cartridge.prg_rom().get(cartridge.prg_banks()[1] as usize).is_none());
}

#[test]
fn chr_is_banked_in_four_sizes() {
    let mut cartridge = cartridge();
    for register in 0..8 {
        write(&mut cartridge, &[(0x5120 + u16::from(register), 8 + register)]);
    }
    assert_eq!(chr_banks(&cartridge), [8, 9, 10, 11, 12, 13, 14, 15]);
    write(&mut cartridge, &[(0x5101, 2)]);
    assert_eq!(chr_banks(&cartridge), [18, 19, 22, 23, 26, 27, 30, 31]);
    write(&mut cartridge, &[(0x5101, 1)]);
    assert_eq!(chr_banks(&cartridge), [44, 45, 46, 47, 60, 61, 62, 63]);
    write(&mut cartridge, &[(0x5101, 0)]);
    assert_eq!(chr_banks(&cartridge), [120, 121, 122, 123, 124, 125, 126, 127]);
}

#[test]
fn tall_sprites_have_a_set_of_banks_of_their_own() {
    let mut cartridge = cartridge();
    write(&mut cartridge, &[(0x5123, 3), (0x5127, 7), (0x512B, 40)]);
    write(&mut cartridge, &[(0x5101, 3), (0x5120, 1), (0x5128, 50)]);
    let places = |cartridge: &Cartridge| {
        let mut picture = Picture::at(cartridge.clone(), 3);
        let background = picture.fetch(0x0004, PictureUse::Background, 3, 4);
        [background, picture.fetch(0x0004, PictureUse::Sprite, 3, 4)]
    };
    assert_eq!(places(&cartridge), [Place::Chr(0x404); 2]);
    cartridge.snoop(0, 0x20);
    assert_eq!(places(&cartridge), [Place::Chr(50 * 0x400 + 4), Place::Chr(0x404)]);
    // For the CPU it is the set that was written last.
    assert_eq!(cartridge.read_chr(0), 50);
    write(&mut cartridge, &[(0x5120, 1)]);
    assert_eq!(cartridge.read_chr(0), 1);
    // The second set has four registers for both tables.
    write(&mut cartridge, &[(0x512B, 40)]);
    assert_eq!([0x0C00, 0x1C00, 0x1000].map(|at| cartridge.read_chr(at)), [40, 40, 50]);
}

#[test]
fn nametables_are_ciram_exram_or_one_tile() {
    let mut cartridge = cartridge();
    write(&mut cartridge, &[(0x5104, 2), (0x5C07, 0x66), (0x5104, 0)]);
    write(&mut cartridge, &[(0x5105, 0b11_10_01_00), (0x5106, 0x42), (0x5107, 0x02)]);
    let places = [0x2007, 0x2407, 0x2807, 0x2C07, 0x2FC7].map(|address| cartridge.place(address));
    let expected =
        [Place::Ciram(7), Place::Ciram(0x407), Place::Board(7, 0x66), Place::Fixed(0x42), Place::Fixed(0xAA)];
    assert_eq!(places, expected);
    cartridge.write_place(places[2], 0x67);
    assert_eq!(cartridge.place(0x2807), Place::Board(7, 0x67));
    write(&mut cartridge, &[(0x5104, 2)]);
    assert_eq!(cartridge.place(0x2807), Place::Fixed(0), "no nametable while it is the CPU's RAM");
}

#[test]
fn exram_is_the_cpus_in_two_modes() {
    let mut cartridge = cartridge();
    write(&mut cartridge, &[(0x5104, 2), (0x5C00, 1), (0x5FFF, 2)]);
    assert_eq!([0x5C00, 0x5FFF].map(|at| cartridge.read(at, 0xEE)), [1, 2]);
    write(&mut cartridge, &[(0x5104, 3), (0x5C00, 9)]);
    assert_eq!(cartridge.read(0x5C00, 0xEE), 1, "read only");
    write(&mut cartridge, &[(0x5104, 0)]);
    assert_eq!(cartridge.read(0x5C00, 0xEE), 0xEE, "open bus");
    write(&mut cartridge, &[(0x5C00, 9), (0x5104, 2)]);
    assert_eq!(cartridge.read(0x5C00, 0xEE), 0, "zero, beside a picture");
    write(&mut cartridge, &[(0x5104, 1)]);
    let mut drawn = Picture::at(cartridge, 2).cartridge;
    write(&mut drawn, &[(0x5C00, 9), (0x5104, 2)]);
    assert_eq!(drawn.read(0x5C00, 0xEE), 9);
}

#[test]
fn each_tile_can_have_its_own_bank_and_palette() {
    let mut cartridge = cartridge();
    write(&mut cartridge, &[(0x5104, 2), (0x5C25, 0b1000_0101), (0x5104, 1), (0x5130, 0)]);
    let mut picture = Picture::at(cartridge, 8);
    assert_eq!(picture.fetch(0x2025, PictureUse::Tile, 8, 5), Place::Ciram(0x25));
    assert_eq!(picture.fetch(0x23C1, PictureUse::Attribute, 8, 5), Place::Fixed(0xAA));
    assert_eq!(picture.fetch(0x1238, PictureUse::Background, 8, 5), Place::Chr(0x5238));
    let sprite = picture.fetch(0x1238, PictureUse::Sprite, 8, 5);
    assert_eq!(sprite, Place::Chr(0x238), "sprites have the ordinary bank");
}

#[test]
fn a_second_playfield_lies_beside_the_first() {
    let mut cartridge = cartridge();
    // Tile $11 at row 2, column 3 of ExRAM; its attributes are palette 2.
    write(&mut cartridge, &[(0x5104, 2), (0x5C43, 0x11), (0x5FC0, 0x80), (0x5104, 0)]);
    write(&mut cartridge, &[(0x5200, 0x84), (0x5201, 12), (0x5202, 6)]);
    let mut picture = Picture::at(cartridge, 8);
    // Line 8 scrolled by 12 is line 20: row 2, its fifth line.
    assert_eq!(picture.fetch(0x2025, PictureUse::Tile, 8, 3), Place::Board(0x43, 0x11));
    assert_eq!(picture.fetch(0x23C1, PictureUse::Attribute, 8, 3), Place::Fixed(0xAA));
    assert_eq!(picture.fetch(0x1238, PictureUse::Background, 8, 3), Place::Chr(0x6000 + 0x11C));
    assert_eq!(picture.fetch(0x2026, PictureUse::Tile, 8, 4), Place::Ciram(0x26), "right of the border");
    picture.cartridge.write(0x5200, 0xC4, picture.cycle);
    assert_eq!(picture.fetch(0x2025, PictureUse::Tile, 8, 3), Place::Ciram(0x25));
    assert!(matches!(picture.fetch(0x2026, PictureUse::Tile, 8, 4), Place::Board(0x44, _)));
}

#[test]
fn an_interrupt_comes_with_a_line() {
    let mut cartridge = cartridge();
    write(&mut cartridge, &[(0x5203, 3), (0x5204, 0x80)]);
    assert!(cartridge.next_irq(1000) > 1000 + 200);
    let mut picture = Picture::at(cartridge, 2);
    assert!(!picture.cartridge.irq_at(picture.cycle + 1));
    assert_eq!(picture.status(), 0x40, "within the picture");
    assert!(picture.cartridge.next_irq(picture.cycle) <= picture.cycle + 1);
    picture.begin(3);
    assert!(picture.cartridge.irq_at(picture.cycle));
    assert_eq!(picture.cartridge.next_irq(picture.cycle), u64::MAX, "it is there");
    assert_eq!([picture.status(), picture.status()], [0xC0, 0x40], "a read acknowledges it");
    assert!(!picture.cartridge.irq_at(picture.cycle));
    // Without the interrupt the flag is raised all the same.
    picture.cartridge.write(0x5203, 5, 0);
    picture.cartridge.write(0x5204, 0, 0);
    picture.begin(4);
    picture.begin(5);
    assert!(!picture.cartridge.irq_at(picture.cycle));
    picture.cartridge.write(0x5204, 0x80, 0);
    assert!(picture.cartridge.irq_at(picture.cycle + 1));
    // The picture ends where nothing is fetched any more.
    picture.cartridge.advance(picture.cycle + 3);
    assert_eq!(picture.status() & 0x40, 0x40);
    picture.cartridge.advance(picture.cycle + 4);
    assert_eq!(picture.status() & 0x40, 0);
}

#[test]
fn it_multiplies() {
    let mut cartridge = cartridge();
    write(&mut cartridge, &[(0x5205, 201), (0x5206, 99)]);
    let product = u16::from_le_bytes([0x5205, 0x5206].map(|at| cartridge.read(at, 0)));
    assert_eq!(product, 201 * 99);
}

#[test]
fn the_pcm_channel_asks_for_an_interrupt_where_a_value_is_zero() {
    let mut cartridge = cartridge();
    cartridge.write(0x5010, 0x80, 5);
    assert!(!cartridge.sound_takes_reads() && cartridge.sound() == Some(nes_cartridge::BoardSound::Mmc5));
    cartridge.write(0x5011, 1, 6);
    assert!(!cartridge.irq_at(7));
    cartridge.write(0x5011, 0, 7);
    assert!(!cartridge.irq_at(6) && cartridge.irq_at(7));
    assert_eq!(cartridge.read(0x5010, 0), 0x80);
    cartridge.was_read(0x5010, 0x80, 9);
    assert!(!cartridge.irq_at(9) && cartridge.read(0x5010, 0) == 0);
    // Reads are the values now, and what is written is not.
    cartridge.write(0x5010, 0x81, 10);
    cartridge.write(0x5011, 0, 11);
    assert!(cartridge.watches_reads() && cartridge.reacts_to(0xBFFF) && !cartridge.reacts_to(0xC000));
    cartridge.was_read(0x8000, 3, 12);
    cartridge.was_read(0xC000, 0, 13);
    assert!(!cartridge.irq_at(14));
    cartridge.was_read(0xBFFF, 0, 15);
    assert!(cartridge.irq_at(15));
    cartridge.write(0x5010, 1, 16);
    assert!(!cartridge.irq_at(16), "the interrupt is disabled");
}
