//! What the 2C02 fetches to draw a line, byte by byte (NESdev: PPU rendering).

use nes_ppu::{Fetch, Frame, Ppu, Purpose, VideoBus};

const LINE: u64 = 341;
const FRAME: u64 = 262 * LINE;

struct Memory {
    bytes: [u8; 0x4000],
    reads: usize,
    fetches: Vec<Fetch>,
}

impl VideoBus for Memory {
    fn read(&mut self, address: u16) -> u8 {
        self.reads += 1;
        self.bytes[usize::from(address)]
    }

    fn fetch(&mut self, fetch: Fetch) -> u8 {
        self.fetches.push(fetch);
        self.bytes[usize::from(fetch.address)]
    }

    fn write(&mut self, address: u16, value: u8) {
        self.bytes[usize::from(address)] = value;
    }
}

/// A PPU after its third picture, with tile 3 at the top left, sprite 0 with tile 5 on the lines
/// 10-17, drawn.
fn drawing() -> (Ppu, Memory) {
    let mut ppu = Ppu::new(0);
    let mut memory = Memory { bytes: [0; 0x4000], reads: 0, fetches: Vec::new() };
    memory.bytes[0x2000] = 3;
    let mut frame = Frame::default();
    let mut tick = 4 * (2 * FRAME - u64::from(Ppu::RESET_DOT) - 20 * LINE);
    ppu.run_by_dots(tick, &mut memory, &mut frame);
    let sprite = [(3, 0), (4, 9), (4, 5), (4, 0), (4, 40)];
    let others = [(4, 0xFF); 252];
    let rest = [(0, 0x08), (5, 0), (5, 0), (1, 0x1E)];
    for (register, value) in sprite.into_iter().chain(others).chain(rest) {
        ppu.write(register, value, value, tick, &mut memory, &mut frame);
        tick += 48;
    }
    ppu.run_by_dots(4 * (3 * FRAME - u64::from(Ppu::RESET_DOT) - 22 * LINE), &mut memory, &mut frame);
    (ppu, memory)
}

#[test]
fn a_line_is_170_fetches_of_two_dots_each() {
    let (_, memory) = drawing();
    let line: Vec<&Fetch> = memory.fetches.iter().filter(|fetch| fetch.line == 9).collect();
    let dots: Vec<u16> = line.iter().map(|fetch| fetch.dot).collect();
    assert_eq!(dots, (2..=340).step_by(2).collect::<Vec<u16>>());
    let count = |purpose| line.iter().filter(|fetch| fetch.purpose == purpose).count();
    // 32 tiles and the next line's first two; eight units of sprites, one of them filled.
    assert_eq!((count(Purpose::Tile), count(Purpose::Attribute), count(Purpose::Background)), (34, 34, 68));
    assert_eq!((count(Purpose::Sprite), count(Purpose::Unused)), (2, 2 * 8 + 2 * 7 + 2));
    assert_eq!(memory.reads, 0, "each byte of a dot is a fetch");
}

#[test]
fn the_pattern_of_a_tile_is_fetched_for_the_line_that_shows_it() {
    let (_, memory) = drawing();
    let of_tile = |tile: u16| memory.fetches.iter().filter(move |fetch| fetch.address >> 4 == tile);
    let used = of_tile(3).filter(|fetch| fetch.purpose != Purpose::Unused);
    // The first two tiles of a line come in at the end of the one before.
    let found: Vec<_> = used.map(|fetch| (fetch.line, fetch.dot, fetch.address, fetch.purpose)).collect();
    let expected = (0..8_u16).flat_map(|row| {
        let line = if row == 0 { 261 } else { row - 1 };
        [(line, 326, 0x30 + row, Purpose::Background), (line, 328, 0x38 + row, Purpose::Background)]
    });
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
fn the_pattern_of_a_sprite_is_fetched_at_the_end_of_the_line_before() {
    let (_, memory) = drawing();
    let sprite = memory.fetches.iter().filter(|fetch| fetch.purpose == Purpose::Sprite);
    let found: Vec<_> = sprite.map(|fetch| (fetch.line, fetch.dot, fetch.address)).collect();
    // OAM holds the line before the sprite's first.
    let expected = (0..8_u16).flat_map(|row| [(9 + row, 262, 0x1050 + row), (9 + row, 264, 0x1058 + row)]);
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
fn a_read_through_the_data_port_is_no_part_of_the_picture() {
    let (mut ppu, mut memory) = drawing();
    let mut frame = Frame::default();
    memory.fetches.clear();
    let mut tick = 4 * (3 * FRAME - u64::from(Ppu::RESET_DOT) - 19 * LINE);
    for (register, value) in [(6, 0x12), (6, 0x34)] {
        ppu.write(register, value, value, tick, &mut memory, &mut frame);
        tick += 48;
        ppu.run_by_dots(tick, &mut memory, &mut frame);
    }
    for _ in 0..2 {
        ppu.read(7, tick, &mut memory, &mut frame);
        tick += 48;
        ppu.run_by_dots(tick, &mut memory, &mut frame);
    }
    assert!(memory.fetches.iter().all(|fetch| fetch.purpose == Purpose::Data), "{:?}", memory.fetches);
    let mut addresses: Vec<u16> = memory.fetches.iter().map(|fetch| fetch.address).collect();
    addresses.dedup();
    assert_eq!(addresses, [0x1234, 0x1235]);
}
