//! From the drop that fails to the next piece.

use nes_testing::Game;
use nes_testing::game::{BLOCK, I_FLAT, I_UPRIGHT, O};
use tetris::ram::{self, play_state};

/// Frames from the failing drop to the spawn, and the low byte of the frame counter at the former.
fn lock(game: &mut Game) -> (usize, u8) {
    game.wait_until(3, |game| game.state() == play_state::LOCK);
    let counter = game.at(ram::FRAME_COUNTER.at());
    (game.wait_until(60, |game| game.state() == play_state::ACTIVE), counter)
}

#[test]
fn entry_delay_by_the_row_of_the_pivot() {
    for row in 0..20_u8 {
        let mut game = Game::in_play();
        game.clear_playfield();
        // A square needs the row below its pivot; what it comes to lie on begins a row further
        // down.
        (row + 2..20).for_each(|below| game.set_row(below.into(), "....###..."));
        game.set_piece(if row < 19 { O } else { I_FLAT }, 5, row);
        let delay = match row {
            0..6 => 18,
            6..10 => 16,
            10..14 => 14,
            14..18 => 12,
            18.. => 10,
        };
        assert_eq!(lock(&mut game).0, delay, "row {row}");
    }
}

#[test]
fn a_line_clear_takes_17_to_20_frames_more_by_the_frame_counter() {
    for phase in 0..8 {
        let mut game = Game::in_play();
        game.wait(phase + 1);
        game.clear_playfield();
        game.set_row(19, "####..####");
        game.set_piece(O, 5, 18);
        let (frames, counter) = lock(&mut game);
        assert_eq!(frames, 10 + 20 - usize::from(counter % 4), "frame counter {counter} at the failing drop");
        assert_eq!((game.lines(), game.score()), (1, 40));
        assert_eq!(game.row(19), "....##....");
    }
}

#[test]
fn a_line_clear_higher_up_has_the_same_four_lengths() {
    let mut extra: Vec<_> = (0..4)
        .map(|phase| {
            let mut game = Game::in_play();
            game.wait(phase + 1);
            game.clear_playfield();
            (14..20).for_each(|row| game.set_row(row, "###.##.###"));
            game.set_row(13, "####..####");
            game.set_piece(O, 5, 12);
            lock(&mut game).0 - 14
        })
        .collect();
    extra.sort_unstable();
    assert_eq!(extra, [17, 18, 19, 20]);
}

#[test]
fn cleared_rows_vanish_from_the_middle_outward() {
    const ROW_16: usize = 0x20CC + 0x20 * 16;
    const VANISHED: u8 = 0xFF;
    let mut game = Game::in_play();
    game.clear_playfield();
    (16..20).for_each(|row| game.set_row(row, "#####.####"));
    game.set_piece(I_UPRIGHT, 5, 18);
    let mut seen = Vec::new();
    for _ in 0..45 {
        game.wait(1);
        let cell = |column| if game.nametable(ROW_16 + column) == VANISHED { ' ' } else { '#' };
        let row: String = (0..10).map(cell).collect();
        if row.contains(' ') && seen.last() != Some(&row) {
            seen.push(row);
        }
    }
    assert_eq!(seen, ["####  ####", "###    ###", "##      ##", "#        #", "          "]);
    assert_eq!(game.line_counts(), [0, 0, 0, 1]);
    assert_eq!((game.lines(), game.score()), (4, 1_200));
}

#[test]
fn a_full_top_row_counts_twice_and_the_stack_sinks_out_of_the_field() {
    let mut game = Game::in_play();
    (2..20).for_each(|row| game.set_row(row, "###.######"));
    game.set_row(1, "..........");
    game.set_row(0, "####..####");
    game.set_piece(O, 5, 0);
    lock(&mut game);
    assert_eq!(game.lines(), 2);
    let rows = [0, 1, 2, 3].map(|row| game.row(row));
    assert_eq!(rows, ["..........", "..........", "....##....", "###.######"]);
    assert_eq!(game.row(20), "###.######", "the row below the last one");
}

#[test]
fn cells_above_the_field_are_those_at_the_end_of_its_page() {
    const ROW_ABOVE: usize = ram::PLAYFIELD.at() + 0xF6;
    for (column, x) in [(0, 1), (1, 0)] {
        let mut game = Game::in_play();
        game.set_piece(I_UPRIGHT, 0, 0);
        game.poke(ram::FALL_TIMER.at(), 0);
        game.poke(ROW_ABOVE + column, BLOCK);
        game.hold(nes::Buttons::RIGHT);
        assert_eq!(game.at(ram::PIECE_X.at()), x, "a block over column {column}");
    }
}

#[test]
fn the_curtain_takes_36_steps_of_four_frames() {
    let mut game = Game::in_play();
    game.set_row(0, "...####...");
    game.set_row(1, "...####...");
    game.set_piece(O, 5, 0);
    game.wait_until(30, |game| game.state() == play_state::CURTAIN);
    let frames = game.wait_until(200, |game| game.at(0x78) == 20);
    assert!((141..=144).contains(&frames), "{frames} frames");
}
