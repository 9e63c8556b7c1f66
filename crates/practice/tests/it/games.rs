//! Modes that deal or count.

use nes::Buttons;
use practice::{Item, Outcome, ScoreForm, Slot, score_text};
use tetris::ram::{self, play_state};
use tetris::{Piece, View};

use crate::rig::{IMAGES, Rig, both};

/// The I upright and flat, the O.
const I_UPRIGHT: u8 = 0x11;
const O: u8 = 0x0A;

#[test]
fn a_seed_deals_its_pieces_on_both_cartridges() {
    for (seed, wanted) in [
        ("101010", "ZJOTLTZJLZJSZISIJOLI"),
        ("123456", "ZTZIJIJOZTSOSZJZOSLI"),
        ("87AB12", "OZIJSOTZSJTSTJZLOLJO"),
        ("133702", "OJSTZSIOLSIJTSZILJZJ"),
    ] {
        for mut rig in both(&format!("seed={seed}")) {
            let mut dealt: String = rig.view().piece().map(Piece::letter).into_iter().collect();
            while dealt.len() < wanted.len() {
                // Every piece goes where it is out of the way, and the field is emptied.
                rig.lay(&[]);
                rig.put(5, 18, rig.view().orientation().unwrap().id());
                dealt.extend(rig.view().piece().map(Piece::letter));
            }
            assert_eq!(dealt, wanted);
        }
    }
}

#[test]
fn the_score_goes_on_beyond_six_digits_where_the_game_stops() {
    for mut rig in both("transition=9 level=18") {
        assert_eq!((rig.session.score(), rig.view().score(), rig.view().lines()), (900_000, 900_000, 120));
        let mut score = 900_000;
        for _ in 0..6 {
            rig.lay(&["XXXXXXXXX."; 4]);
            rig.until_active();
            rig.put(9, 18, I_UPRIGHT);
            score += 1_200 * (u32::from(rig.view().level()) + 1);
        }
        assert_eq!((rig.session.score(), rig.view().score()), (score, 999_999));
        assert_eq!((rig.view().level(), rig.view().lines()), (20, 144));
        let shown = rig.session.overlay();
        let text = score_text(score, ScoreForm::Classic);
        assert!(
            shown.iter().any(
                |item| matches!(item, Item::Text { slot: Slot::Score, text: shown, .. } if *shown == text)
            )
        );
    }
}

#[test]
fn a_transition_begins_ten_lines_before_it_and_at_sixteen_comes_every_ten_lines() {
    for (level, lines) in [(0, 0), (9, 90), (18, 120), (19, 130), (29, 190), (129, 0), (255, 0)] {
        for rig in both(&format!("transition=3 level={level}")) {
            let found = (rig.view().level(), rig.view().lines(), rig.view().score());
            assert_eq!(found, (level, lines, 300_000));
        }
    }
    for mut rig in both("transition=16 level=18") {
        assert_eq!((rig.view().score(), rig.view().lines()), (0, 0));
        let mut score = 0;
        for tetrises in 1..=10 {
            rig.lay(&["XXXXXXXXX."; 4]);
            rig.put(9, 18, I_UPRIGHT);
            let level = 18 + 4 * tetrises / 10;
            score += 1_200 * (level + 1);
            let found = (u32::from(rig.view().level()), rig.view().lines(), rig.view().score());
            assert_eq!(found, (level, 4 * tetrises, score));
            assert_eq!(rig.session.score(), score);
        }
    }
}

#[test]
fn the_pace_is_the_score_less_its_target() {
    for mut rig in both("pace=10 level=18") {
        assert_eq!(rig.session.pace(), Some(0));
        rig.lay(&["XXXXXXXXX."; 4]);
        rig.put(9, 18, I_UPRIGHT);
        assert_eq!(rig.session.pace(), Some(22_800 - 4 * 3_826));
        assert!(
            rig.session
                .overlay()
                .iter()
                .any(|item| matches!(item, Item::Text { slot: Slot::Pace, text, .. } if text == "+7496"))
        );
    }
}

#[test]
fn a_drought_of_eighteen_has_no_i_and_one_of_two_is_the_game_itself() {
    let deal = |image, words: &str, count: usize| {
        let mut rig = Rig::new(image, words);
        let mut dealt: String = rig.view().piece().map(Piece::letter).into_iter().collect();
        while dealt.len() < count {
            rig.lay(&[]);
            rig.put(5, 18, rig.view().orientation().unwrap().id());
            dealt.extend(rig.view().piece().map(Piece::letter));
        }
        dealt
    };
    for image in IMAGES {
        assert_eq!(deal(image, "drought=2", 60), deal(image, "tetris", 60));
        let dry = deal(image, "drought=18", 300);
        assert!(!dry.contains('I'), "{dry}");
        let some = deal(image, "drought=10", 400).matches('I').count();
        let all = deal(image, "tetris", 400).matches('I').count();
        assert!(some > 5 && some * 3 < all * 2, "half of the I are left: {some} of {all}");
    }
}

#[test]
fn a_b_type_of_any_height_has_its_rows_and_its_bonus() {
    for (height, rows) in [(0, 0), (1, 3), (5, 12), (6, 14), (7, 16), (8, 18)] {
        for mut rig in both(&format!("b-type={height} level=7")) {
            let counts = rig.counts();
            let top = counts.iter().position(|&count| count > 0).map_or(0, |row| 20 - row);
            assert_eq!(top, rows, "{height}: {counts:?}");
            assert!(counts.iter().all(|&count| count < 10));
            assert_eq!((rig.view().lines(), rig.view().level()), (25, 7));
            let mut score = 0;
            while rig.session.outcome() == Outcome::Playing {
                rig.lay(&["XXXXXXXXX."; 4]);
                rig.until_active();
                let ram = rig.console.ram_mut();
                ram[ram::PIECE_X.at()..][..3].copy_from_slice(&[9, 18, I_UPRIGHT]);
                (ram[ram::DOWN_REPEAT.at()], ram[ram::FALL_TIMER.at()]) = (0, 0x60);
                rig.hold(Buttons::empty());
                let lines = rig.view().lines();
                for _ in 0..100 {
                    if rig.view().lines() != lines {
                        break;
                    }
                    rig.hold(Buttons::empty());
                }
                score += 1_200 * 8;
            }
            assert_eq!(rig.session.outcome(), Outcome::Goal);
            assert_eq!(rig.session.score(), score + 1_000 * (7 + height));
        }
    }
}

#[test]
fn stacking_marks_a_block_over_a_hole_and_nothing_on_an_even_stack() {
    for mut rig in both("stacking level=18") {
        rig.lay(&["XXXXXXXXX."; 3]);
        rig.hold(Buttons::empty());
        assert_eq!(rig.session.overlay(), []);
        rig.place(9, O);
        rig.lay(&["XXXXXX..XX", "XXXXX.X.XX"]);
        rig.hold(Buttons::empty());
        let alarms: Vec<(u8, u8)> = rig
            .session
            .overlay()
            .into_iter()
            .filter_map(|item| match item {
                Item::Alarm { row, column } => Some((row, column)),
                _ => None,
            })
            .collect();
        assert_eq!(alarms, [(18, 5), (19, 4), (19, 6), (19, 8)]);
    }
}

#[test]
fn invisible_covers_every_locked_block_until_the_curtain() {
    for mut rig in both("invisible level=18") {
        rig.lay(&["XX.XXXXXXX"; 2]);
        rig.hold(Buttons::empty());
        let covers = |rig: &Rig| {
            rig.session.overlay().iter().filter(|item| matches!(item, Item::Cover { .. })).count()
        };
        assert_eq!(covers(&rig), 18);
        // RAM stays true.
        assert_eq!(rig.counts()[19], 9);
        rig.lay(&["XXXX.XXXXX"; 20]);
        rig.until(400, |view: View| view.play_state() == play_state::CURTAIN);
        assert_eq!((rig.session.outcome(), covers(&rig)), (Outcome::ToppedOut, 0));
    }
}
