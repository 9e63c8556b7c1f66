//! Levels, caps and crashes.

use practice::{Outcome, Position};
use tetris::View;
use tetris::ram::{self, play_state};

use crate::rig::{IMAGES, Rig, both};

const I_UPRIGHT: u8 = 0x11;

#[test]
fn a_game_begins_at_any_level() {
    for level in [0, 9, 10, 19, 20, 29, 30, 137, 255] {
        for rig in both(&format!("tetris level={level}")) {
            assert_eq!((rig.view().level(), rig.session.level()), (level, level));
        }
    }
}

fn tetris(rig: &mut Rig) {
    // Over a floor that has come up.
    let floor = rig.view().playfield().chunks(10).filter(|row| row[0] == 0x7E).count();
    for row in 16 - floor..20 - floor {
        for column in 0..10 {
            rig.console.ram_mut()[ram::PLAYFIELD.at() + 10 * row + column] =
                if column < 9 { 0x7B } else { ram::EMPTY };
        }
    }
    rig.put(9, 18 - floor as u8, I_UPRIGHT);
}

#[test]
fn the_cap_sets_in_at_its_lines_with_each_of_its_effects() {
    let at_cap = |effect: &str| {
        both(&format!("tetris level=18 cap=lines:8 cap-effect={effect}")).map(|mut rig| {
            tetris(&mut rig);
            assert_eq!(rig.session.outcome(), Outcome::Playing);
            tetris(&mut rig);
            rig
        })
    };
    for mut rig in at_cap("halt") {
        assert_eq!(rig.session.outcome(), Outcome::Halted);
        rig.until(400, |view: View| view.play_state() == play_state::CURTAIN);
    }
    for mut rig in at_cap("killscreen") {
        rig.until_active();
        let row = rig.view().row();
        rig.hold(nes::Buttons::empty());
        assert_eq!(rig.view().row(), row + 2);
    }
    for mut rig in at_cap("invisible") {
        rig.lay(&["XX.XXXXXXX"; 3]);
        rig.hold(nes::Buttons::empty());
        assert_eq!(rig.counts().iter().sum::<u32>(), 27);
        let covers = rig.session.overlay().len();
        assert_eq!(covers, rig.counts().iter().sum::<u32>() as usize);
    }
    for mut rig in both("tetris level=28 cap=level:29 cap-effect=floor") {
        for _ in 0..50 {
            tetris(&mut rig);
        }
        assert_eq!(rig.view().level(), 29, "200 lines");
        assert_eq!(rig.counts()[18..], [0, 10]);
        for _ in 0..5 {
            tetris(&mut rig);
        }
        // 220 lines: two more levels.
        assert_eq!((rig.view().level(), &rig.counts()[16..]), (31, &[0, 10, 10, 10][..]));
    }
}

/// Of the slow build, in which locks take as long as on the US cartridge: how many of the levels
/// from 155 on crash it with a triple.
fn crashes(words: &str) -> (usize, Vec<Outcome>, Vec<u32>) {
    let (mut seen, mut outcomes, mut scores) = (0, Vec::new(), Vec::new());
    for level in (155..175).chain([200, 255]) {
        for rows in 1..=4 {
            let mut rig = Rig::new(IMAGES[1], &format!("tetris level={level} {words}"));
            // The loop of points takes longest at the limit of six digits.
            let mut position = Position::of(&rig.session).unwrap();
            position.score = 999_999;
            rig.session.enter(&mut rig.console, &position).unwrap();
            rig.lay(&["XXXXXXXXX."; 4][..rows]);
            rig.until_active();
            let ram = rig.console.ram_mut();
            ram[ram::PIECE_X.at()..][..3].copy_from_slice(&[9, 18, I_UPRIGHT]);
            (ram[ram::DOWN_REPEAT.at()], ram[ram::FALL_TIMER.at()]) = (0, 0x60);
            for _ in 0..80 {
                rig.hold(nes::Buttons::empty());
            }
            seen += usize::from(rig.session.crash_frame().is_some());
            outcomes.push(rig.session.outcome());
            scores.push(rig.session.score());
            if rig.session.outcome() == Outcome::Playing && words != "crash=crash" {
                assert_eq!(rig.view().score(), rig.session.score().min(999_999));
                assert!(rig.console.peek(0xFFFC) == 0 || !rig.console.cpu.jammed);
            }
        }
    }
    (seen, outcomes, scores)
}

#[test]
fn a_crash_is_kept_from_happening_shown_or_the_end_and_the_points_are_whole() {
    let (shown, outcomes, scores) = crashes("crash=show");
    assert!(shown > 0, "the machine itself crashes here");
    assert!(outcomes.iter().all(|&outcome| outcome == Outcome::Playing));
    let each = [40, 100, 300, 1_200];
    let levels = (155..175).chain([200, 255]);
    let wanted: Vec<u32> =
        levels.flat_map(|level| each.map(|points| 999_999 + points * (level + 1))).collect();
    assert_eq!(scores, wanted);
    let (ended, outcomes, _) = crashes("crash=top-out");
    assert_eq!(ended, shown);
    assert_eq!(outcomes.iter().filter(|&&outcome| outcome == Outcome::Crashed).count(), shown);
    let (strict, _, _) = crashes("crash=show strict");
    assert!(strict >= shown, "{strict} {shown}");
    let (unseen, _, scores) = crashes("crash=off");
    assert_eq!((unseen, scores), (0, wanted));
}
