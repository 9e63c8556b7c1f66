//! Tables and routines stand where scripts and practice tools look for them.

use std::ops::ControlFlow;

use nes::{Break, Buttons, Cpu, Mainboard, Observer};

use nes_testing::Game;
use nes_testing::game::{I_FLAT, O, Visits, bcd};
use tetris::ram::{self, play_state};

/// Row and column about the pivot.
type Cell = (i8, i8);

/// By orientation id: the piece (T J Z O S L I), its tile, and its cells.
const ORIENTATIONS: [(u8, u8, [Cell; 4]); 19] = [
    (0, 0x7B, [(-1, 0), (0, -1), (0, 0), (0, 1)]),
    (0, 0x7B, [(-1, 0), (0, 0), (0, 1), (1, 0)]),
    (0, 0x7B, [(0, -1), (0, 0), (0, 1), (1, 0)]),
    (0, 0x7B, [(-1, 0), (0, -1), (0, 0), (1, 0)]),
    (1, 0x7D, [(-1, 0), (0, 0), (1, -1), (1, 0)]),
    (1, 0x7D, [(-1, -1), (0, -1), (0, 0), (0, 1)]),
    (1, 0x7D, [(-1, 0), (-1, 1), (0, 0), (1, 0)]),
    (1, 0x7D, [(0, -1), (0, 0), (0, 1), (1, 1)]),
    (2, 0x7C, [(0, -1), (0, 0), (1, 0), (1, 1)]),
    (2, 0x7C, [(-1, 1), (0, 0), (0, 1), (1, 0)]),
    (3, 0x7B, [(0, -1), (0, 0), (1, -1), (1, 0)]),
    (4, 0x7D, [(0, 0), (0, 1), (1, -1), (1, 0)]),
    (4, 0x7D, [(-1, 0), (0, 0), (0, 1), (1, 1)]),
    (5, 0x7C, [(-1, 0), (0, 0), (1, 0), (1, 1)]),
    (5, 0x7C, [(0, -1), (0, 0), (0, 1), (1, -1)]),
    (5, 0x7C, [(-1, -1), (-1, 0), (0, 0), (1, 0)]),
    (5, 0x7C, [(-1, 1), (0, -1), (0, 0), (0, 1)]),
    (6, 0x7B, [(-2, 0), (-1, 0), (0, 0), (1, 0)]),
    (6, 0x7B, [(0, -2), (0, -1), (0, 0), (0, 1)]),
];

/// Spawn orientations of T J Z O S L I.
const SPAWN: [u8; 7] = [0x02, 0x07, 0x08, 0x0A, 0x0B, 0x0E, 0x12];

fn table<const N: usize>(address: u16) -> [u8; N] {
    let game = Game::power_on();
    std::array::from_fn(|index| game.console.peek(address + index as u16))
}

#[test]
fn orientations_at_8a9c_are_row_tile_column_of_four_cells() {
    let bytes = table::<{ 12 * 19 }>(0x8A9C);
    for (id, (orientation, (_, tile, cells))) in bytes.chunks(12).zip(ORIENTATIONS).enumerate() {
        let mut found: Vec<_> =
            orientation.chunks(3).map(|cell| (cell[0].cast_signed(), cell[2].cast_signed())).collect();
        found.sort_unstable();
        assert_eq!(found, cells, "orientation {id:02X}");
        assert!(orientation.chunks(3).all(|cell| cell[1] == tile), "orientation {id:02X}: tile {tile:02X}");
    }
}

#[test]
fn rotations_at_88ee_are_the_orientation_after_b_and_after_a() {
    let rotations = table::<38>(0x88EE);
    for (id, pair) in (0..).zip(rotations.chunks(2)) {
        let piece = ORIENTATIONS[usize::from(id)].0;
        let ids: Vec<u8> = (0..19).filter(|&id| ORIENTATIONS[usize::from(id)].0 == piece).collect();
        let (place, count) = (usize::from(id - ids[0]), ids.len());
        let turned = [ids[(place + count - 1) % count], ids[(place + 1) % count]];
        assert_eq!(pair, turned, "orientation {id:02X}");
    }
}

#[test]
fn drop_speeds_at_898e_are_frames_a_row_of_30_levels() {
    let mut speeds = [2; 30];
    speeds[..19].copy_from_slice(&[48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3]);
    speeds[29] = 1;
    assert_eq!(table(0x898E), speeds);
}

#[test]
fn piece_tables_at_993b_994e_9956() {
    let pieces = ORIENTATIONS.map(|(piece, ..)| piece);
    assert_eq!(table(0x993B), pieces, "piece by orientation");
    assert_eq!(table(0x994E), SPAWN, "spawn orientation by piece");
    assert_eq!(
        table(0x9956),
        pieces.map(|piece| SPAWN[usize::from(piece)]),
        "spawn orientation by orientation"
    );
}

#[test]
fn level_glyphs_at_96b8_are_bcd() {
    assert_eq!(table::<30>(0x96B8), std::array::from_fn(bcd));
}

#[test]
fn rows_at_96d6_and_96ea_are_cell_offsets_and_nametable_addresses() {
    assert_eq!(table::<20>(0x96D6), std::array::from_fn(|row| (row * 10) as u8));
    // Six columns left of a lone player's field.
    let rows = table::<40>(0x96EA);
    for (row, address) in (0..).zip(rows.chunks(2)) {
        assert_eq!(u16::from_le_bytes([address[0], address[1]]) + 6, 0x20CC + 0x20 * row, "row {row}");
    }
}

#[test]
fn colours_at_984c_are_four_by_the_last_digit_of_the_level() {
    const COLOURS: [[u8; 2]; 10] = [
        [0x21, 0x12],
        [0x29, 0x1A],
        [0x24, 0x14],
        [0x2A, 0x12],
        [0x2B, 0x15],
        [0x22, 0x2B],
        [0x00, 0x16],
        [0x05, 0x13],
        [0x16, 0x12],
        [0x27, 0x16],
    ];
    for (digit, colours) in table::<40>(0x984C).chunks(4).enumerate() {
        assert_eq!(colours, [0x0F, 0x30, COLOURS[digit][0], COLOURS[digit][1]], "digit {digit}");
    }
}

#[test]
fn points_at_9ca5_are_bcd_words() {
    let points = [0, 40, 100, 300, 1_200].map(|points: usize| [bcd(points % 100), bcd(points / 100)]);
    assert_eq!(table::<10>(0x9CA5), *points.as_flattened());
}

#[test]
fn mmc1_is_reset_by_bytes_with_bit_7_set() {
    assert!(table::<1>(0xFF00)[0] >= 0x80, "the first byte of the reset routine");
    assert_eq!(table(0xFFFA), [0x05, 0x80, 0x00, 0xFF, 0x4A, 0x80], "NMI, reset, IRQ");
}

#[test]
fn each_hook_is_passed_as_often_as_its_event_happens() {
    let mut game = Game::in_play();
    game.clear_playfield();
    game.set_row(19, "####..####");
    game.poke(ram::LEVEL.at(), 7);
    game.set_lines(79);
    game.set_piece(O, 5, 18);
    let mut every_frame = Visits::to([0x8005, 0x804A, 0x9D51]);
    let mut once =
        Visits::to([0x81CF, 0x948B, 0x9808, 0x98BA, 0x9907, 0x9938, 0x99A2, 0x9A6B, 0x9B58, 0x9C37]);
    let mut often = Visits::to([0xAA37, 0xAB47, 0x8138, 0x813B]);
    let mut frames = 0;
    while frames < 3 || game.state() != play_state::ACTIVE {
        game.watch(Buttons::empty(), &mut (&mut every_frame, &mut (&mut once, &mut often)));
        frames += 1;
        assert!(frames < 60);
    }
    assert_eq!(every_frame.counts, [frames; 3], "NMI, its return, pads");
    // An active frame with a drop, the test of the lock, a level-up to 8, a spawn, four rows, 8 + 1
    // rounds of points.
    assert_eq!(once.counts, [1, 2, 1, 1, 1, 1, 1, 4, 1, 9]);
    let [wait, lfsr, top, compare] = often.counts;
    assert!(wait >= frames, "$AA37: {wait} visits");
    assert!((frames..=frames + 1).contains(&lfsr), "$AB47: {lfsr} visits");
    assert_eq!(top, compare);
    assert_eq!(top, 7 * frames, "one pass of the main loop for each of seven states");
}

/// What A holds at $9938.
#[derive(Default)]
struct NewPiece(Option<u8>);

impl Observer for NewPiece {
    fn step(&mut self, cpu: &Cpu, _: &Mainboard) -> ControlFlow<Break> {
        if cpu.pc == 0x9938 {
            self.0 = Some(cpu.a);
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn a_holds_the_piece_to_come_at_9938() {
    let mut game = Game::in_play();
    game.set_piece(I_FLAT, 5, 19);
    let mut piece = NewPiece::default();
    for _ in 0..30 {
        game.watch(Buttons::empty(), &mut piece);
    }
    let chosen = piece.0.expect("a piece was picked");
    assert!(SPAWN.contains(&chosen));
    assert_eq!(game.at(ram::NEXT_PIECE.at()), chosen);
}
