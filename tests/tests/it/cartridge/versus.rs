//! The game for two: both fields, garbage, the common row of pieces, and how one gets there.

use nes::{Buttons, Observer};

use super::screen::{NmiTrace, assert_in_vblank};
use nes_testing::Game;
use nes_testing::game::{ALL_ROWS_SHOWN, BLOCK, EMPTY, I_UPRIGHT, O};
use tetris::ram::{self, game_mode, play_state};

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

    fn at(self, game: &Game, address: usize) -> u8 {
        game.at(self.byte(address))
    }

    fn poke(self, game: &mut Game, address: usize, value: u8) {
        game.poke(self.byte(address), value);
    }

    fn state(self, game: &Game) -> u8 {
        self.at(game, ram::PLAY_STATE.at())
    }

    fn field(self) -> usize {
        ram::PLAYFIELD.at() + 0x100 * self.0
    }

    fn cells(self, game: &Game) -> Vec<u8> {
        game.console.ram()[self.field()..][..200].to_vec()
    }

    fn set_row(self, game: &mut Game, row: usize, picture: &str) {
        for (column, cell) in picture.bytes().enumerate() {
            game.poke(self.field() + 10 * row + column, if cell == b'#' { BLOCK } else { EMPTY });
        }
    }

    fn row(self, game: &Game, row: usize) -> String {
        let cells = self.cells(game);
        cells[10 * row..][..10].iter().map(|&cell| if cell < EMPTY { '#' } else { '.' }).collect()
    }

    /// As [`Game::set_piece`].
    fn set_piece(self, game: &mut Game, orientation: u8, x: u8, y: u8) {
        self.poke(game, ram::ORIENTATION.at(), orientation);
        self.poke(game, ram::PIECE_X.at(), x);
        self.poke(game, ram::PIECE_Y.at(), y);
        self.poke(game, ram::DOWN_REPEAT.at(), 0);
        self.poke(game, ram::FALL_TIMER.at(), 100);
    }

    /// Puts the piece at the top, where it has long to fall.
    fn hold_piece(self, game: &mut Game) {
        self.set_piece(game, O, 5, 0);
        self.poke(game, ram::FALL_TIMER.at(), 0);
    }

    fn pads(self, buttons: Buttons) -> [Buttons; 2] {
        let mut pads = [NOTHING; 2];
        pads[self.0] = buttons;
        pads
    }
}

fn frame(game: &mut Game, pads: [Buttons; 2]) {
    watch(game, pads, &mut ());
}

fn watch(game: &mut Game, mut pads: [Buttons; 2], observer: &mut impl Observer) {
    assert!(game.console.run_frame(&mut pads, observer).is_continue(), "the observer broke a frame off");
}

/// A game for two, at level 0, that has just begun; the fields are empty.
fn versus() -> Game {
    let mut game = Game::level_menu();
    game.poke(PLAYER_COUNT, 2);
    for number in 0..60 {
        game.hold(if number == 2 { Buttons::START } else { NOTHING });
        if game.at(ram::GAME_MODE.at()) == game_mode::PLAY && game.state() == play_state::ACTIVE {
            game.wait(10);
            for (side, hole) in SIDES.into_iter().zip(HOLES) {
                assert_eq!(side.state(&game), play_state::ACTIVE, "{side:?}");
                assert!(side.at(&game, HOLE) < 10, "the level menu has drawn a hole");
                side.poke(&mut game, HOLE, hole);
            }
            return game;
        }
    }
    panic!("Start did not begin a game for two");
}

fn title() -> Game {
    let mut game = Game::power_on();
    game.wait_until(600, |game| game.at(ram::GAME_MODE.at()) == game_mode::TITLE);
    game.wait(10);
    game
}

#[test]
fn start_on_the_second_pad_at_the_title_makes_it_a_game_for_two_and_b_in_the_menu_one_for_one() {
    for (side, players) in SIDES.into_iter().zip([1, 2]) {
        let mut game = title();
        frame(&mut game, side.pads(Buttons::START));
        game.wait(10);
        let at = [ram::GAME_MODE.at(), PLAYER_COUNT].map(|address| game.at(address));
        assert_eq!(at, [TYPE_MENU, players], "{side:?}");
        game.hold(Buttons::B);
        game.wait(10);
        let at = [ram::GAME_MODE.at(), PLAYER_COUNT].map(|address| game.at(address));
        assert_eq!(at, [game_mode::TITLE, 1], "{side:?}");
    }
}

#[test]
fn in_a_game_for_one_nobody_looks_at_the_second_pad() {
    let mut alone = Game::in_play();
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
    let mut game = versus();
    for side in SIDES {
        for row in 4..20 {
            let cells: String =
                (0..10).map(|x| if (x * row + side.0) % 3 == 0 { '#' } else { '.' }).collect();
            side.set_row(&mut game, row, &cells);
        }
        side.poke(&mut game, ram::VRAM_ROW.at(), 0);
    }
    let shown = |game: &Game| SIDES.iter().all(|side| side.at(game, ram::VRAM_ROW.at()) == ALL_ROWS_SHOWN);
    assert_eq!(game.wait_until(20, shown), 5, "four rows of either field a frame");
    for (side, first) in SIDES.into_iter().zip(FIELDS) {
        for (cell, tile) in side.cells(&game).into_iter().enumerate() {
            let place = first + cell / 10 * 0x20 + cell % 10;
            assert_eq!(game.nametable(place), tile, "{side:?}, cell {cell}");
        }
    }
}

#[test]
fn each_pad_moves_its_own_piece_and_sprites_stand_on_the_fields() {
    let mut game = versus();
    for side in SIDES {
        side.set_piece(&mut game, O, 5, 10);
        side.poke(&mut game, ram::FALL_TIMER.at(), 0);
    }
    for (pads, columns) in [
        ([Buttons::LEFT, Buttons::RIGHT], [4, 6]),
        ([NOTHING, NOTHING], [4, 6]),
        ([Buttons::RIGHT, Buttons::RIGHT], [5, 7]),
    ] {
        frame(&mut game, pads);
        assert_eq!(SIDES.map(|side| side.at(&game, ram::PIECE_X.at())), columns);
    }
    // Four sprites of either piece, then the next one; an O lies to the left of its pivot and at
    // it.
    let sprite = |number: usize, byte: usize| game.at(0x200 + 4 * number + byte);
    for (side, left) in SIDES.into_iter().zip([32, 144]) {
        let columns: Vec<u8> = (0..4).map(|cell| sprite(4 * side.0 + cell, 3)).collect();
        let pivot = left + 8 * side.at(&game, ram::PIECE_X.at());
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

/// A field in which an upright I at column 9, row 18 completes `rows`; the row above says where it
/// was.
fn set_up_clear(game: &mut Game, side: Side, rows: usize) {
    for row in 16..20 {
        let cells = if row >= 20 - rows { "#########." } else { "#.#.#.#.#." };
        side.set_row(game, row, cells);
    }
    side.set_piece(game, I_UPRIGHT, 9, 18);
}

#[test]
fn a_clear_of_two_three_or_four_rows_raises_one_two_or_four_with_one_hole_on_the_other_side() {
    for sender in SIDES {
        let receiver = sender.other();
        for (rows, garbage) in [(1, 0), (2, 1), (3, 2), (4, 4)] {
            let case = format!("{sender:?}, {rows} rows");
            let mut game = versus();
            set_up_clear(&mut game, sender, rows);
            receiver.set_row(&mut game, 19, "##.#######");
            receiver.set_row(&mut game, 18, "#.........");
            receiver.hold_piece(&mut game);
            game.wait_until(60, |game| sender.state(game) == play_state::SPAWN);
            assert_eq!(usize::from(sender.at(&game, ram::LINES.at())), rows, "{case}");
            assert_eq!(receiver.at(&game, ram::LINES.at()), 0, "{case}");
            let pending = |game: &Game| SIDES.map(|side| game.at(PENDING + side.0));
            let mut expected = [0; 2];
            expected[receiver.0] = garbage as u8;
            assert_eq!(pending(&game), expected, "{case}");
            assert_eq!(receiver.row(&game, 19), "##.#######", "{case}: not while the piece falls");

            receiver.set_piece(&mut game, O, 9, 17);
            receiver.set_row(&mut game, 18, "#.........");
            game.wait_until(60, |game| receiver.state(game) == play_state::SPAWN);
            assert_eq!(pending(&game), [0, 0], "{case}");
            let hole = usize::from(HOLES[receiver.0]);
            let with_hole: String = (0..10).map(|column| if column == hole { '.' } else { '#' }).collect();
            for row in 20 - garbage..20 {
                assert_eq!(receiver.row(&game, row), with_hole, "{case}, row {row}");
            }
            assert_eq!(receiver.row(&game, 19 - garbage), "##.#######", "{case}: lifted");
            assert_eq!(receiver.row(&game, 18 - garbage), "#.......##", "{case}: with the piece");
            assert_eq!(receiver.row(&game, 17 - garbage), "........##", "{case}");
            let left = if rows == 4 { ".........." } else { "#.#.#.#.##" };
            assert_eq!(sender.row(&game, 19), left, "{case}");
        }
    }
}

#[test]
fn garbage_of_several_clears_comes_at_once_and_a_hole_that_is_filled_clears_its_row() {
    let mut game = versus();
    let [sender, receiver] = SIDES;
    for rows in [2, 4] {
        set_up_clear(&mut game, sender, rows);
        receiver.hold_piece(&mut game);
        game.wait_until(60, |game| sender.state(game) == play_state::SPAWN);
        receiver.hold_piece(&mut game);
        game.wait_until(60, |game| sender.state(game) == play_state::ACTIVE);
    }
    receiver.set_piece(&mut game, O, 1, 18);
    sender.hold_piece(&mut game);
    game.wait_until(120, |game| {
        receiver.at(game, ram::PIECE_Y.at()) == 0 && receiver.state(game) == play_state::ACTIVE
    });
    assert_eq!(receiver.row(&game, 15), "########.#");
    assert_eq!(receiver.row(&game, 13), "##........");
    receiver.set_piece(&mut game, I_UPRIGHT, HOLES[1], 18);
    sender.hold_piece(&mut game);
    game.wait_until(60, |game| receiver.state(game) == play_state::SPAWN);
    assert_eq!(receiver.at(&game, ram::LINES.at()), 4);
    assert_eq!(game.at(PENDING), 4, "and sends as many back");
}

#[test]
fn a_piece_comes_28_frames_after_its_turn_and_the_next_is_for_whoever_is_first() {
    let mut game = versus();
    let [first, second] = SIDES;
    // Both lock in the same frame: the first player's turn comes first.
    for side in SIDES {
        side.set_piece(&mut game, O, 5, 18);
    }
    let next = game.at(ram::NEXT_PIECE.at());
    game.wait_until(60, |game| first.state(game) == play_state::SPAWN);
    game.wait_until(60, |game| game.at(0xA4) == 1);
    assert_eq!(game.at(0xA5), 1, "for the first player");
    let after_next = game.at(0xA6);
    let frames = game.wait_until(60, |game| first.state(game) == play_state::ACTIVE);
    assert_eq!(frames, 27, "the 28th frame from the choice on");
    assert_eq!([first.at(&game, ram::ORIENTATION.at()), game.at(ram::NEXT_PIECE.at())], [next, after_next]);
    assert_eq!(second.state(&game), play_state::SPAWN, "waits");
    let frames = game.wait_until(60, |game| second.state(game) == play_state::ACTIVE);
    assert_eq!((frames, second.at(&game, ram::ORIENTATION.at())), (27, after_next));
    assert_eq!(game.statistics().iter().sum::<usize>(), 3, "the first piece of both counts once");
}

#[test]
fn each_side_tops_out_on_its_own_and_its_start_ends_the_game() {
    for loser in SIDES {
        let winner = loser.other();
        let mut game = versus();
        for row in 1..20 {
            loser.set_row(&mut game, row, "########..");
        }
        loser.set_piece(&mut game, O, 5, 0);
        game.wait_until(20, |game| loser.state(game) == play_state::CURTAIN);
        for _ in 0..300 {
            frame(&mut game, winner.pads(Buttons::DOWN));
            assert_ne!(winner.state(&game), play_state::CURTAIN, "{loser:?}");
        }
        assert_eq!(loser.cells(&game), [CURTAIN; 200], "{loser:?}");
        assert!(winner.cells(&game).iter().all(|&cell| cell != CURTAIN), "{loser:?}");

        // The other plays on: his piece locks and the next one comes.
        game.wait_until(120, |game| winner.state(game) == play_state::ACTIVE);
        let count = game.statistics().iter().sum::<usize>();
        (0..20).for_each(|row| winner.set_row(&mut game, row, ".........."));
        winner.set_piece(&mut game, O, 5, 18);
        game.wait_until(120, |game| game.statistics().iter().sum::<usize>() > count);
        game.wait_until(10, |game| winner.state(game) == play_state::ACTIVE);

        frame(&mut game, loser.pads(Buttons::START));
        game.wait(20);
        assert_eq!(game.at(ram::GAME_MODE.at()), game_mode::LEVEL_MENU, "{loser:?}");
        assert_eq!(game.at(PLAYER_COUNT), 2, "the next game is for two as well");
    }
}

#[test]
fn either_pauses_and_either_goes_on() {
    const AUDIO_PAUSE: usize = 0x68D;
    for (pauses, goes_on) in SIDES.into_iter().flat_map(|side| SIDES.map(|other| (side, other))) {
        let mut game = versus();
        frame(&mut game, pauses.pads(Buttons::START));
        game.wait(5);
        let before = SIDES.map(|side| side.at(&game, ram::FALL_TIMER.at()));
        game.wait(20);
        assert_ne!(game.at(AUDIO_PAUSE), 0, "{pauses:?}");
        assert_eq!(SIDES.map(|side| side.at(&game, ram::FALL_TIMER.at())), before, "{pauses:?}");
        frame(&mut game, goes_on.pads(Buttons::START));
        game.wait(20);
        assert_eq!(game.at(AUDIO_PAUSE), 0, "{pauses:?}, {goes_on:?}");
        assert!(SIDES.iter().all(|side| side.state(&game) == play_state::ACTIVE));
    }
}

#[test]
fn the_nmi_writes_within_vblank_when_both_clear_four_rows() {
    let mut trace = NmiTrace::default();
    for apart in 0..24 {
        let mut game = versus();
        for side in SIDES {
            set_up_clear(&mut game, side, 4);
            // Nine lines before: the level goes up with these four, and all numbers are drawn.
            side.poke(&mut game, ram::LINES.at(), 9);
        }
        SIDES[1].poke(&mut game, ram::FALL_TIMER.at(), 47 - apart);
        for _ in 0..120 {
            watch(&mut game, [NOTHING; 2], &mut trace);
        }
        assert_eq!(SIDES.map(|side| side.at(&game, ram::LEVEL.at())), [1, 1], "{apart} frames apart");
        assert_in_vblank(&trace, &format!("{apart} frames apart"));
    }
}
