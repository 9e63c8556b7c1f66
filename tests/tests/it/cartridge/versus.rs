//! The game for two: both fields, garbage, the common row of pieces, and how one gets there.

use nes::{Buttons, Observer};

use super::cabinet::{ALL_ROWS_SHOWN, BLOCK, Cabinet, EMPTY, I_UPRIGHT, O, mode, play_state, ram};
use super::screen::{NmiTrace, assert_in_vblank};

const PLAYER_COUNT: usize = 0xBE;
/// Rows to come for the first player, and for the second, between two frames.
const PENDING: usize = 0xBB;
const TYPE_MENU: u8 = 2;
const NOTHING: Buttons = Buttons::empty();
/// Where the nametable has the first cell of either field.
const FIELDS: [usize; 2] = [0x20C4, 0x20D2];
/// The tile of a row that the curtain has reached.
const CURTAIN: u8 = 0x4F;
/// The columns of the holes in the garbage for either, as `versus` sets them.
const HOLES: [u8; 2] = [3, 8];
const HOLE: usize = 0x7A;

/// One side of a game for two, by its number, 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Side(usize);

const SIDES: [Side; 2] = [Side(0), Side(1)];

impl Side {
    fn other(self) -> Self {
        Self(1 - self.0)
    }

    /// A byte of this player's block, by the first player's address.
    fn byte(self, address: usize) -> usize {
        address + 0x20 * self.0
    }

    fn at(self, cabinet: &Cabinet, address: usize) -> u8 {
        cabinet.at(self.byte(address))
    }

    fn poke(self, cabinet: &mut Cabinet, address: usize, value: u8) {
        cabinet.poke(self.byte(address), value);
    }

    fn state(self, cabinet: &Cabinet) -> u8 {
        self.at(cabinet, ram::PLAY_STATE)
    }

    fn field(self) -> usize {
        ram::PLAYFIELD + 0x100 * self.0
    }

    fn cells(self, cabinet: &Cabinet) -> Vec<u8> {
        cabinet.console.ram()[self.field()..][..200].to_vec()
    }

    fn set_row(self, cabinet: &mut Cabinet, row: usize, picture: &str) {
        for (column, cell) in picture.bytes().enumerate() {
            cabinet.poke(self.field() + 10 * row + column, if cell == b'#' { BLOCK } else { EMPTY });
        }
    }

    fn row(self, cabinet: &Cabinet, row: usize) -> String {
        let cells = self.cells(cabinet);
        cells[10 * row..][..10].iter().map(|&cell| if cell < EMPTY { '#' } else { '.' }).collect()
    }

    /// As [`Cabinet::set_piece`].
    fn set_piece(self, cabinet: &mut Cabinet, orientation: u8, x: u8, y: u8) {
        self.poke(cabinet, ram::ORIENTATION, orientation);
        self.poke(cabinet, ram::PIECE_X, x);
        self.poke(cabinet, ram::PIECE_Y, y);
        self.poke(cabinet, ram::DOWN_REPEAT, 0);
        self.poke(cabinet, ram::FALL_TIMER, 100);
    }

    /// Puts the piece at the top, where it has long to fall.
    fn hold_piece(self, cabinet: &mut Cabinet) {
        self.set_piece(cabinet, O, 5, 0);
        self.poke(cabinet, ram::FALL_TIMER, 0);
    }

    fn pads(self, buttons: Buttons) -> [Buttons; 2] {
        let mut pads = [NOTHING; 2];
        pads[self.0] = buttons;
        pads
    }
}

fn frame(cabinet: &mut Cabinet, pads: [Buttons; 2]) {
    watch(cabinet, pads, &mut ());
}

fn watch(cabinet: &mut Cabinet, mut pads: [Buttons; 2], observer: &mut impl Observer) {
    assert!(cabinet.console.run_frame(&mut pads, observer).is_continue(), "the observer broke a frame off");
}

/// A game for two, at level 0, that has just begun; the fields are empty.
fn versus() -> Cabinet {
    let mut cabinet = Cabinet::level_menu();
    cabinet.poke(PLAYER_COUNT, 2);
    for number in 0..60 {
        cabinet.hold(if number == 2 { Buttons::START } else { NOTHING });
        if cabinet.at(ram::GAME_MODE) == mode::PLAY && cabinet.state() == play_state::ACTIVE {
            cabinet.wait(10);
            for (side, hole) in SIDES.into_iter().zip(HOLES) {
                assert_eq!(side.state(&cabinet), play_state::ACTIVE, "{side:?}");
                assert!(side.at(&cabinet, HOLE) < 10, "the level menu has drawn a hole");
                side.poke(&mut cabinet, HOLE, hole);
            }
            return cabinet;
        }
    }
    panic!("Start did not begin a game for two");
}

fn title() -> Cabinet {
    let mut cabinet = Cabinet::power_on();
    cabinet.wait_until(600, |cabinet| cabinet.at(ram::GAME_MODE) == mode::TITLE);
    cabinet.wait(10);
    cabinet
}

#[test]
fn start_on_the_second_pad_at_the_title_makes_it_a_game_for_two_and_b_in_the_menu_one_for_one() {
    for (side, players) in SIDES.into_iter().zip([1, 2]) {
        let mut cabinet = title();
        frame(&mut cabinet, side.pads(Buttons::START));
        cabinet.wait(10);
        let at = [ram::GAME_MODE, PLAYER_COUNT].map(|address| cabinet.at(address));
        assert_eq!(at, [TYPE_MENU, players], "{side:?}");
        cabinet.hold(Buttons::B);
        cabinet.wait(10);
        let at = [ram::GAME_MODE, PLAYER_COUNT].map(|address| cabinet.at(address));
        assert_eq!(at, [mode::TITLE, 1], "{side:?}");
    }
}

#[test]
fn in_a_game_for_one_nobody_looks_at_the_second_pad() {
    let mut alone = Cabinet::in_play();
    let mut beside = alone.clone();
    let second = [Buttons::A, Buttons::START, Buttons::SELECT, Buttons::DOWN, Buttons::START | Buttons::LEFT];
    for number in 0..1_000 {
        let first = if number % 97 == 0 { Buttons::START } else { Buttons::LEFT };
        frame(&mut alone, [first, NOTHING]);
        frame(&mut beside, [first, if number % 2 == 0 { second[number / 2 % 5] } else { NOTHING }]);
        let of_pads = [0x00, 0x01, 0x02, 0xF6, 0xF8];
        for address in (0..0x100).chain(0x200..0x600).filter(|address| !of_pads.contains(address)) {
            assert_eq!(alone.at(address), beside.at(address), "frame {number}, ${address:04X}");
        }
    }
}

#[test]
fn both_fields_are_drawn_at_their_columns() {
    let mut cabinet = versus();
    for side in SIDES {
        for row in 4..20 {
            let cells: String =
                (0..10).map(|x| if (x * row + side.0) % 3 == 0 { '#' } else { '.' }).collect();
            side.set_row(&mut cabinet, row, &cells);
        }
        side.poke(&mut cabinet, ram::VRAM_ROW, 0);
    }
    let shown =
        |cabinet: &Cabinet| SIDES.iter().all(|side| side.at(cabinet, ram::VRAM_ROW) == ALL_ROWS_SHOWN);
    assert_eq!(cabinet.wait_until(20, shown), 5, "four rows of either field a frame");
    for (side, first) in SIDES.into_iter().zip(FIELDS) {
        for (cell, tile) in side.cells(&cabinet).into_iter().enumerate() {
            let place = first + cell / 10 * 0x20 + cell % 10;
            assert_eq!(cabinet.nametable(place), tile, "{side:?}, cell {cell}");
        }
    }
}

#[test]
fn each_pad_moves_its_own_piece_and_sprites_stand_on_the_fields() {
    let mut cabinet = versus();
    for side in SIDES {
        side.set_piece(&mut cabinet, O, 5, 10);
        side.poke(&mut cabinet, ram::FALL_TIMER, 0);
    }
    for (pads, columns) in [
        ([Buttons::LEFT, Buttons::RIGHT], [4, 6]),
        ([NOTHING, NOTHING], [4, 6]),
        ([Buttons::RIGHT, Buttons::RIGHT], [5, 7]),
    ] {
        frame(&mut cabinet, pads);
        assert_eq!(SIDES.map(|side| side.at(&cabinet, ram::PIECE_X)), columns);
    }
    // Four sprites of either piece, then the next one; an O lies to the left of its pivot and at it.
    let sprite = |number: usize, byte: usize| cabinet.at(0x200 + 4 * number + byte);
    for (side, left) in SIDES.into_iter().zip([32, 144]) {
        let columns: Vec<u8> = (0..4).map(|cell| sprite(4 * side.0 + cell, 3)).collect();
        let pivot = left + 8 * side.at(&cabinet, ram::PIECE_X);
        assert_eq!(columns, [pivot - 8, pivot, pivot - 8, pivot], "{side:?}");
        let rows: Vec<u8> = (0..4).map(|cell| sprite(4 * side.0 + cell, 0)).collect();
        assert_eq!(rows, [127, 127, 135, 135], "{side:?}");
    }
    for cell in 8..12 {
        assert!(
            (104..=144).contains(&sprite(cell, 3)) && (15..=23).contains(&sprite(cell, 0)),
            "the next piece"
        );
    }
    assert_eq!(sprite(12, 0), 0xFF, "twelve sprites");
}

/// A field in which an upright I at column 9, row 18 completes `rows`; the row above says where it was.
fn set_up_clear(cabinet: &mut Cabinet, side: Side, rows: usize) {
    for row in 16..20 {
        let cells = if row >= 20 - rows { "#########." } else { "#.#.#.#.#." };
        side.set_row(cabinet, row, cells);
    }
    side.set_piece(cabinet, I_UPRIGHT, 9, 18);
}

#[test]
fn a_clear_of_two_three_or_four_rows_raises_one_two_or_four_with_one_hole_on_the_other_side() {
    for sender in SIDES {
        let receiver = sender.other();
        for (rows, garbage) in [(1, 0), (2, 1), (3, 2), (4, 4)] {
            let case = format!("{sender:?}, {rows} rows");
            let mut cabinet = versus();
            set_up_clear(&mut cabinet, sender, rows);
            receiver.set_row(&mut cabinet, 19, "##.#######");
            receiver.set_row(&mut cabinet, 18, "#.........");
            receiver.hold_piece(&mut cabinet);
            cabinet.wait_until(60, |cabinet| sender.state(cabinet) == play_state::SPAWN);
            assert_eq!(usize::from(sender.at(&cabinet, ram::LINES)), rows, "{case}");
            assert_eq!(receiver.at(&cabinet, ram::LINES), 0, "{case}");
            let pending = |cabinet: &Cabinet| SIDES.map(|side| cabinet.at(PENDING + side.0));
            let mut expected = [0; 2];
            expected[receiver.0] = garbage as u8;
            assert_eq!(pending(&cabinet), expected, "{case}");
            assert_eq!(receiver.row(&cabinet, 19), "##.#######", "{case}: not while the piece falls");

            receiver.set_piece(&mut cabinet, O, 9, 17);
            receiver.set_row(&mut cabinet, 18, "#.........");
            cabinet.wait_until(60, |cabinet| receiver.state(cabinet) == play_state::SPAWN);
            assert_eq!(pending(&cabinet), [0, 0], "{case}");
            let hole = usize::from(HOLES[receiver.0]);
            let with_hole: String = (0..10).map(|column| if column == hole { '.' } else { '#' }).collect();
            for row in 20 - garbage..20 {
                assert_eq!(receiver.row(&cabinet, row), with_hole, "{case}, row {row}");
            }
            assert_eq!(receiver.row(&cabinet, 19 - garbage), "##.#######", "{case}: lifted");
            assert_eq!(receiver.row(&cabinet, 18 - garbage), "#.......##", "{case}: with the piece");
            assert_eq!(receiver.row(&cabinet, 17 - garbage), "........##", "{case}");
            let left = if rows == 4 { ".........." } else { "#.#.#.#.##" };
            assert_eq!(sender.row(&cabinet, 19), left, "{case}");
        }
    }
}

#[test]
fn garbage_of_several_clears_comes_at_once_and_a_hole_that_is_filled_clears_its_row() {
    let mut cabinet = versus();
    let [sender, receiver] = SIDES;
    for rows in [2, 4] {
        set_up_clear(&mut cabinet, sender, rows);
        receiver.hold_piece(&mut cabinet);
        cabinet.wait_until(60, |cabinet| sender.state(cabinet) == play_state::SPAWN);
        receiver.hold_piece(&mut cabinet);
        cabinet.wait_until(60, |cabinet| sender.state(cabinet) == play_state::ACTIVE);
    }
    receiver.set_piece(&mut cabinet, O, 1, 18);
    sender.hold_piece(&mut cabinet);
    cabinet.wait_until(120, |cabinet| {
        receiver.at(cabinet, ram::PIECE_Y) == 0 && receiver.state(cabinet) == play_state::ACTIVE
    });
    assert_eq!(receiver.row(&cabinet, 15), "########.#");
    assert_eq!(receiver.row(&cabinet, 13), "##........");
    receiver.set_piece(&mut cabinet, I_UPRIGHT, HOLES[1], 18);
    sender.hold_piece(&mut cabinet);
    cabinet.wait_until(60, |cabinet| receiver.state(cabinet) == play_state::SPAWN);
    assert_eq!(receiver.at(&cabinet, ram::LINES), 4);
    assert_eq!(cabinet.at(PENDING), 4, "and sends as many back");
}

#[test]
fn a_piece_comes_28_frames_after_its_turn_and_the_next_is_for_whoever_is_first() {
    let mut cabinet = versus();
    let [first, second] = SIDES;
    // Both lock in the same frame: the first player's turn comes first.
    for side in SIDES {
        side.set_piece(&mut cabinet, O, 5, 18);
    }
    let next = cabinet.at(ram::NEXT_PIECE);
    cabinet.wait_until(60, |cabinet| first.state(cabinet) == play_state::SPAWN);
    cabinet.wait_until(60, |cabinet| cabinet.at(0xA4) == 1);
    assert_eq!(cabinet.at(0xA5), 1, "for the first player");
    let after_next = cabinet.at(0xA6);
    let frames = cabinet.wait_until(60, |cabinet| first.state(cabinet) == play_state::ACTIVE);
    assert_eq!(frames, 27, "the 28th frame from the choice on");
    assert_eq!([first.at(&cabinet, ram::ORIENTATION), cabinet.at(ram::NEXT_PIECE)], [next, after_next]);
    assert_eq!(second.state(&cabinet), play_state::SPAWN, "waits");
    let frames = cabinet.wait_until(60, |cabinet| second.state(cabinet) == play_state::ACTIVE);
    assert_eq!((frames, second.at(&cabinet, ram::ORIENTATION)), (27, after_next));
    assert_eq!(cabinet.statistics().iter().sum::<usize>(), 3, "the first piece of both counts once");
}

#[test]
fn each_side_tops_out_on_its_own_and_its_start_ends_the_game() {
    for loser in SIDES {
        let winner = loser.other();
        let mut cabinet = versus();
        for row in 1..20 {
            loser.set_row(&mut cabinet, row, "########..");
        }
        loser.set_piece(&mut cabinet, O, 5, 0);
        cabinet.wait_until(20, |cabinet| loser.state(cabinet) == play_state::CURTAIN);
        for _ in 0..300 {
            frame(&mut cabinet, winner.pads(Buttons::DOWN));
            assert_ne!(winner.state(&cabinet), play_state::CURTAIN, "{loser:?}");
        }
        assert_eq!(loser.cells(&cabinet), [CURTAIN; 200], "{loser:?}");
        assert!(winner.cells(&cabinet).iter().all(|&cell| cell != CURTAIN), "{loser:?}");

        // The other plays on: his piece locks and the next one comes.
        cabinet.wait_until(120, |cabinet| winner.state(cabinet) == play_state::ACTIVE);
        let count = cabinet.statistics().iter().sum::<usize>();
        (0..20).for_each(|row| winner.set_row(&mut cabinet, row, ".........."));
        winner.set_piece(&mut cabinet, O, 5, 18);
        cabinet.wait_until(120, |cabinet| cabinet.statistics().iter().sum::<usize>() > count);
        cabinet.wait_until(10, |cabinet| winner.state(cabinet) == play_state::ACTIVE);

        frame(&mut cabinet, loser.pads(Buttons::START));
        cabinet.wait(20);
        assert_eq!(cabinet.at(ram::GAME_MODE), mode::LEVEL_MENU, "{loser:?}");
        assert_eq!(cabinet.at(PLAYER_COUNT), 2, "the next game is for two as well");
    }
}

#[test]
fn either_pauses_and_either_goes_on() {
    const AUDIO_PAUSE: usize = 0x68D;
    for (pauses, goes_on) in SIDES.into_iter().flat_map(|side| SIDES.map(|other| (side, other))) {
        let mut cabinet = versus();
        frame(&mut cabinet, pauses.pads(Buttons::START));
        cabinet.wait(5);
        let before = SIDES.map(|side| side.at(&cabinet, ram::FALL_TIMER));
        cabinet.wait(20);
        assert_ne!(cabinet.at(AUDIO_PAUSE), 0, "{pauses:?}");
        assert_eq!(SIDES.map(|side| side.at(&cabinet, ram::FALL_TIMER)), before, "{pauses:?}");
        frame(&mut cabinet, goes_on.pads(Buttons::START));
        cabinet.wait(20);
        assert_eq!(cabinet.at(AUDIO_PAUSE), 0, "{pauses:?}, {goes_on:?}");
        assert!(SIDES.iter().all(|side| side.state(&cabinet) == play_state::ACTIVE));
    }
}

#[test]
fn the_nmi_writes_within_vblank_when_both_clear_four_rows() {
    let mut trace = NmiTrace::default();
    for apart in 0..24 {
        let mut cabinet = versus();
        for side in SIDES {
            set_up_clear(&mut cabinet, side, 4);
            // Nine lines before: the level goes up with these four, and all numbers are drawn.
            side.poke(&mut cabinet, ram::LINES, 9);
        }
        SIDES[1].poke(&mut cabinet, ram::FALL_TIMER, 47 - apart);
        for _ in 0..120 {
            watch(&mut cabinet, [NOTHING; 2], &mut trace);
        }
        assert_eq!(SIDES.map(|side| side.at(&cabinet, ram::LEVEL)), [1, 1], "{apart} frames apart");
        assert_in_vblank(&trace, &format!("{apart} frames apart"));
    }
}
