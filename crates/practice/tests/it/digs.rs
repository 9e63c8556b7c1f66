//! Modes that lay out the field.

use nes::Buttons;
use practice::{Item, Outcome};
use tetris::View;
use tetris::ram::{self, play_state};

use crate::rig::both;

const I_UPRIGHT: u8 = 0x11;

#[test]
fn a_floor_never_clears_and_rows_above_it_do() {
    for mut rig in both("floor=3 level=9") {
        assert_eq!(rig.counts()[15..], [0, 0, 10, 10, 10]);
        for column in 0..9 {
            rig.console.ram_mut()[ram::PLAYFIELD.at() + 160 + column] = 0x7B;
        }
        rig.put(9, 15, I_UPRIGHT);
        assert_eq!((rig.view().lines(), rig.view().score()), (1, 400));
        // Three cells of the I are left, one row down.
        assert_eq!(rig.counts()[13..], [0, 1, 1, 1, 10, 10, 10]);
        assert!(rig.view().playfield()[170..].iter().all(|&tile| tile == 0x7E));
    }
}

#[test]
fn without_burns_no_row_ever_clears_and_the_entry_delay_is_the_games() {
    for (mut free, mut rig) in both("tetris level=9").into_iter().zip(both("floor=0 level=9")) {
        let mut spans = Vec::new();
        for rig in [&mut rig, &mut free] {
            (0..10).for_each(|_| rig.hold(Buttons::empty()));
            rig.lay(&["XXXXXXXXX."; 2]);
            rig.until_active();
            rig.put(9, 18, I_UPRIGHT);
            spans.push(rig.console.frame_number());
        }
        assert_eq!((rig.view().lines(), rig.view().score()), (0, 0));
        assert_eq!(rig.counts()[15..], [0, 1, 1, 10, 10]);
        assert_eq!((free.view().lines(), free.view().score()), (2, 1_000));
        // Without the animation: it takes 17 to 20 frames.
        assert!((17..=20).contains(&(spans[1] - spans[0])), "{spans:?}");
    }
}

#[test]
fn a_crunched_field_is_narrow_at_every_height_after_clears_too() {
    for mut rig in both("crunch=10 level=9") {
        assert_eq!(rig.counts(), [4; 20]);
        for column in 2..7 {
            for row in 16..20 {
                rig.console.ram_mut()[ram::PLAYFIELD.at() + 10 * row + column] = 0x7B;
            }
        }
        rig.put(7, 18, I_UPRIGHT);
        assert_eq!((rig.view().lines(), rig.view().score()), (4, 12_000));
        assert_eq!(rig.counts(), [4; 20]);
        assert!(rig.view().rows().iter().all(|&row| row == 0b11_0000_0011));
    }
}

#[test]
fn garbage_makes_every_piece_ready_for_a_tetris() {
    for mut rig in both("garbage=0 level=9") {
        for _ in 0..5 {
            assert_eq!(rig.view().rows()[16..], [0x1FF; 4]);
            rig.put(9, 18, I_UPRIGHT);
        }
        assert_eq!(rig.view().lines(), 20);
    }
}

#[test]
fn random_garbage_comes_up_while_the_stack_is_low_and_smart_garbage_under_the_hole() {
    for (mode, least) in [("garbage=1", 3), ("garbage=2", 3), ("garbage=3", 8)] {
        for mut rig in both(&format!("{mode} level=9")) {
            let (mut rose, mut same) = (0, 0);
            for piece in 0..40 {
                rig.lay(&["XXXXXXX.XX"]);
                rig.put(3, 15, rig.view().orientation().unwrap().id());
                let rows = rig.view().rows();
                // What came up has one hole; what was there has more, or is above.
                let garbage: Vec<u16> =
                    rows.into_iter().rev().take_while(|row| row.count_ones() == 9).collect();
                rose += usize::from(garbage.len() > 1);
                let own = garbage.iter().all(|&row| row == !(1 << 7) & 0x3FF);
                assert!(own || mode != "garbage=2", "{piece}: {rows:?}");
                same += usize::from(own);
                assert!(garbage.len() <= 4, "{piece}: {rows:?}");
            }
            assert!(rose >= least, "{mode}: {rose}");
            assert_eq!(same == 40, mode == "garbage=2", "{mode}: {same}");
            let tall = ["XXXXXXX.XX"; 12];
            rig.lay(&tall);
            let before = rig.view().rows();
            rig.put(5, 2, rig.view().orientation().unwrap().id());
            assert_eq!(rig.view().rows()[10..], before[10..], "{mode}");
        }
    }
}

#[test]
fn a_dig_is_scrambled_under_its_top_with_every_piece() {
    for mut rig in both("garbage=4 level=9") {
        rig.lay(&["XXXXXXXXX."; 12]);
        let before = rig.view().rows();
        rig.put(5, 3, rig.view().orientation().unwrap().id());
        let after = rig.view().rows();
        assert_eq!(after[8..12], before[8..12]);
        assert!((13..20).filter(|&row| after[row] != before[row]).count() > 3, "{after:?}");
    }
}

#[test]
fn a_checkerboard_costs_ten_a_line_and_ends_with_its_last_row() {
    for height in [0, 3, 8] {
        for mut rig in both(&format!("checkerboard={height} level=9")) {
            let rows = [1, 3, 5, 8, 10, 12, 14, 16, 18][height];
            let counts = rig.counts();
            assert_eq!(counts.iter().filter(|&&count| count == 5).count(), rows);
            assert!(counts[..20 - rows].iter().all(|&count| count == 0));
            let first = rig.view().rows();
            assert!((20 - rows..19).all(|row| first[row] ^ first[row + 1] == 0x3FF));
            assert_eq!(rig.view().score(), height as u32 * 1_000);
            rig.lay(&["XXXXXXXXX.", "XXXXXXXXX.", "XXXX...XX."]);
            rig.put(9, 16, I_UPRIGHT);
            let score = (height as u32 * 1_000).saturating_sub(20);
            assert_eq!((rig.view().score(), rig.session.outcome()), (score, Outcome::Playing));
            rig.lay(&["XXXXXXXXX."]);
            rig.put(9, 18, I_UPRIGHT);
            assert_eq!(rig.session.outcome(), Outcome::Goal);
            assert_eq!(rig.session.score(), score.saturating_sub(10));
            rig.until(400, |view: View| view.play_state() == play_state::CURTAIN);
        }
    }
    for mut rig in both("checkerboard=5 level=9") {
        rig.lay(&["XXXX.XXXXX"; 20]);
        rig.until(400, |view: View| view.play_state() == play_state::CURTAIN);
        assert_eq!((rig.session.outcome(), rig.session.score()), (Outcome::ToppedOut, 0));
        assert_eq!(rig.view().score(), 0);
    }
}

#[test]
fn a_low_stack_ends_with_a_block_above_its_line() {
    for mut rig in both("low-stack=4 level=9") {
        rig.lay(&["XXXXXXXXX."; 3]);
        rig.place(3, 0x12);
        assert_eq!(rig.session.outcome(), Outcome::Playing);
        assert!(rig.session.overlay().contains(&Item::Line { row: 15 }));
        rig.until_active();
        rig.put(5, 15, 0x12);
        assert_eq!(rig.session.outcome(), Outcome::AboveLine);
        rig.until(400, |view: View| view.play_state() == play_state::CURTAIN);
        rig.hold(Buttons::empty());
    }
}
