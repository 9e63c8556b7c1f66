//! Points, lines and levels.

use super::cabinet::{ALL_ROWS_SHOWN, Cabinet, bcd, play_state, ram};

/// What a lock is worth, booked by the cartridge: `lines` rows completed after `soft_rows` of soft drop.
fn book(cabinet: &mut Cabinet, lines: u8, soft_rows: u8) {
    cabinet.poke(ram::PLAY_STATE, play_state::LINES);
    cabinet.poke(ram::LINES_COMPLETED, lines);
    cabinet.poke(ram::SOFT_DROP_ROWS, soft_rows);
    cabinet.poke(ram::VRAM_ROW, 0);
    cabinet.wait_until(2, |cabinet| cabinet.state() != play_state::LINES);
}

#[test]
fn points_of_lines_are_times_the_level_and_one() {
    const POINTS: [usize; 5] = [0, 40, 100, 300, 1_200];
    for level in [0, 9, 18, 29, 99] {
        for (lines, points) in (0..).zip(POINTS) {
            let mut cabinet = Cabinet::in_play();
            cabinet.poke(ram::LEVEL, level);
            cabinet.set_score(123_456);
            book(&mut cabinet, lines, 0);
            let score = 123_456 + points * (usize::from(level) + 1);
            assert_eq!(cabinet.score(), score.min(999_999), "{lines} lines at level {level}");
        }
    }
}

#[test]
fn points_are_those_of_the_level_that_the_lines_lead_to() {
    let mut cabinet = Cabinet::in_play();
    cabinet.set_lines(9);
    book(&mut cabinet, 1, 0);
    assert_eq!((cabinet.at(ram::LEVEL), cabinet.score()), (1, 80));
}

#[test]
fn the_score_ends_at_999999() {
    let mut cabinet = Cabinet::in_play();
    cabinet.poke(ram::LEVEL, 29);
    cabinet.set_score(990_000);
    book(&mut cabinet, 4, 0);
    assert_eq!(cabinet.score(), 999_999);
}

#[test]
fn push_down_points_1_to_20_with_their_two_mistakes() {
    for ones in 0..10 {
        for soft_rows in 1..=20_u8 {
            for tens in [0, 5, 9] {
                let before = 10_000 + 10 * tens + ones;
                let mut cabinet = Cabinet::in_play();
                cabinet.set_score(before);
                book(&mut cabinet, 0, soft_rows);
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
                assert_eq!(cabinet.score(), score, "{soft_rows} rows at {before}");
            }
        }
    }
}

#[test]
fn the_first_level_up_comes_at_lines_by_the_start_level() {
    for start in 0..20 {
        let mut cabinet = Cabinet::in_play();
        cabinet.poke(ram::LEVEL, start);
        while cabinet.at(ram::LEVEL) == start {
            assert!(cabinet.lines() < 300, "start level {start}");
            book(&mut cabinet, 1, 0);
        }
        let lines = match usize::from(start) {
            start @ 0..10 => 10 * (start + 1),
            10..16 => 100,
            start => 10 * (start - 5),
        };
        assert_eq!(cabinet.lines(), lines, "start level {start}");
        assert_eq!(cabinet.at(ram::LEVEL), start + 1);
    }
}

#[test]
fn hundreds_of_lines_are_binary() {
    let mut cabinet = Cabinet::in_play();
    cabinet.poke(ram::LEVEL, 200);
    cabinet.set_lines(999);
    book(&mut cabinet, 1, 0);
    assert_eq!([cabinet.at(ram::LINES), cabinet.at(ram::LINES + 1)], [0x00, 0x0A]);
}

#[test]
fn b_type_lines_count_down_to_0() {
    for (lines, before, after) in [(1, 25, 24), (4, 20, 16), (2, 10, 8), (3, 12, 9), (1, 1, 0), (4, 3, 0)] {
        let mut cabinet = Cabinet::in_play();
        cabinet.poke(ram::GAME_TYPE, 1);
        cabinet.set_lines(before);
        book(&mut cabinet, lines, 0);
        assert_eq!(cabinet.lines(), after, "{before} less {lines}");
    }
}

#[test]
fn statistics_carry_from_99_to_a_binary_hundred() {
    for (before, after) in [(9, [0x10, 0]), (99, [0x00, 1])] {
        let mut cabinet = Cabinet::in_play();
        cabinet.poke(ram::STATISTICS, bcd(before));
        cabinet.poke(ram::NEXT_PIECE, super::cabinet::T_DOWN);
        cabinet.poke(ram::VRAM_ROW, ALL_ROWS_SHOWN);
        cabinet.poke(ram::PLAY_STATE, play_state::SPAWN);
        cabinet.wait(1);
        assert_eq!(cabinet.console.ram()[ram::STATISTICS..][..2], after);
    }
}
