//! Points, lines and levels.

use nes_testing::Game;
use nes_testing::game::{ALL_ROWS_SHOWN, bcd};
use tetris::ram::{self, play_state};

/// What a lock is worth, booked by the cartridge: `lines` rows completed after `soft_rows` of soft
/// drop.
fn book(game: &mut Game, lines: u8, soft_rows: u8) {
    game.poke(ram::PLAY_STATE.at(), play_state::LINES);
    game.poke(ram::LINES_COMPLETED.at(), lines);
    game.poke(ram::SOFT_DROP_ROWS.at(), soft_rows);
    game.poke(ram::VRAM_ROW.at(), 0);
    game.wait_until(2, |game| game.state() != play_state::LINES);
}

#[test]
fn points_of_lines_are_times_the_level_and_one() {
    const POINTS: [usize; 5] = [0, 40, 100, 300, 1_200];
    for level in [0, 9, 18, 29, 99] {
        for (lines, points) in (0..).zip(POINTS) {
            let mut game = Game::in_play();
            game.poke(ram::LEVEL.at(), level);
            game.set_score(123_456);
            book(&mut game, lines, 0);
            let score = 123_456 + points * (usize::from(level) + 1);
            assert_eq!(game.score(), score.min(999_999), "{lines} lines at level {level}");
        }
    }
}

#[test]
fn points_are_those_of_the_level_that_the_lines_lead_to() {
    let mut game = Game::in_play();
    game.set_lines(9);
    book(&mut game, 1, 0);
    assert_eq!((game.at(ram::LEVEL.at()), game.score()), (1, 80));
}

#[test]
fn the_score_ends_at_999999() {
    let mut game = Game::in_play();
    game.poke(ram::LEVEL.at(), 29);
    game.set_score(990_000);
    book(&mut game, 4, 0);
    assert_eq!(game.score(), 999_999);
}

#[test]
fn push_down_points_1_to_20_with_their_two_mistakes() {
    for ones in 0..10 {
        for soft_rows in 1..=20_u8 {
            for tens in [0, 5, 9] {
                let before = 10_000 + 10 * tens + ones;
                let mut game = Game::in_play();
                game.set_score(before);
                book(&mut game, 0, soft_rows);
                let award = usize::from(soft_rows) - 1;
                let mut score = before + award;
                // A binary carry out of the ones is not made good.
                if ones + award >= 16 {
                    score -= 6;
                }
                // With a carry into the hundreds the ones are lost.
                if score / 100 != before / 100 {
                    score = score / 10 * 10;
                }
                assert_eq!(game.score(), score, "{soft_rows} rows at {before}");
            }
        }
    }
}

#[test]
fn the_first_level_up_comes_at_lines_by_the_start_level() {
    for start in 0..20 {
        let mut game = Game::in_play();
        game.poke(ram::LEVEL.at(), start);
        while game.at(ram::LEVEL.at()) == start {
            assert!(game.lines() < 300, "start level {start}");
            book(&mut game, 1, 0);
        }
        let lines = match usize::from(start) {
            start @ 0..10 => 10 * (start + 1),
            10..16 => 100,
            start => 10 * (start - 5),
        };
        assert_eq!(game.lines(), lines, "start level {start}");
        assert_eq!(game.at(ram::LEVEL.at()), start + 1);
    }
}

#[test]
fn hundreds_of_lines_are_binary() {
    let mut game = Game::in_play();
    game.poke(ram::LEVEL.at(), 200);
    game.set_lines(999);
    book(&mut game, 1, 0);
    assert_eq!([game.at(ram::LINES.at()), game.at(ram::LINES.at() + 1)], [0x00, 0x0A]);
}

#[test]
fn b_type_lines_count_down_to_0() {
    for (lines, before, after) in [(1, 25, 24), (4, 20, 16), (2, 10, 8), (3, 12, 9), (1, 1, 0), (4, 3, 0)] {
        let mut game = Game::in_play();
        game.poke(ram::GAME_TYPE.at(), 1);
        game.set_lines(before);
        book(&mut game, lines, 0);
        assert_eq!(game.lines(), after, "{before} less {lines}");
    }
}

#[test]
fn statistics_carry_from_99_to_a_binary_hundred() {
    for (before, after) in [(9, [0x10, 0]), (99, [0x00, 1])] {
        let mut game = Game::in_play();
        game.poke(ram::PIECE_COUNTS.at(), bcd(before));
        game.poke(ram::NEXT_PIECE.at(), nes_testing::game::T_DOWN);
        game.poke(ram::VRAM_ROW.at(), ALL_ROWS_SHOWN);
        game.poke(ram::PLAY_STATE.at(), play_state::SPAWN);
        game.wait(1);
        assert_eq!(game.console.ram()[ram::PIECE_COUNTS.at()..][..2], after);
    }
}
