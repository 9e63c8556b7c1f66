//! Modes that bend a timer.

use nes::Buttons;
use tetris::ram::{self, play_state};

use crate::rig::{Rig, both};

/// Frames, counted from the press, in which the piece in play is shifted while Right is held.
fn shifts(rig: &mut Rig, frames: usize) -> Vec<usize> {
    rig.until_active();
    // It hangs, so that nothing is in the way.
    rig.console.ram_mut()[ram::PIECE_X.at()] = 2;
    let mut columns = Vec::new();
    for _ in 0..frames {
        let before = rig.view().column();
        rig.hold(Buttons::RIGHT);
        columns.push(rig.view().column() != before);
    }
    columns.iter().enumerate().filter(|&(_, &moved)| moved).map(|(frame, _)| frame).collect()
}

#[test]
fn the_auto_shift_comes_after_the_delay_and_every_six_frames() {
    for delay in 0..=16 {
        for mut rig in both(&format!("das-delay={delay}")) {
            let first = usize::from(delay.max(1) as u8);
            assert_eq!(shifts(&mut rig, 36)[..4], [0, first, first + 6, first + 12], "{delay}");
        }
    }
    for (mut own, mut free) in both("das-delay=16").into_iter().zip(both("tetris")) {
        assert_eq!(shifts(&mut own, 80), shifts(&mut free, 80));
        // A blocked shift fills the counter.
        assert_eq!((own.view().das(), free.view().das()), (16, 16));
    }
    for mut rig in both("das-delay=4") {
        shifts(&mut rig, 60);
        assert_eq!((rig.view().column(), rig.view().das()), (8, 4));
    }
}

#[test]
fn pal_shifts_at_twelve_and_every_four_frames_and_falls_as_pal_does() {
    for mut rig in both("tetris pal") {
        assert_eq!(shifts(&mut rig, 30)[..4], [0, 12, 16, 20]);
    }
    for (level, frames) in [(0, 36), (9, 5), (18, 2), (19, 1)] {
        for mut rig in both(&format!("tetris pal level={level}")) {
            assert_eq!(fall(&mut rig), vec![(frames, 1); 5], "{level}");
        }
    }
}

/// Frames and rows of the falls of the second piece, from its second on.
fn fall(rig: &mut Rig) -> Vec<(u64, u8)> {
    rig.put(2, 18, rig.view().orientation().unwrap().id());
    rig.until_active();
    let mut falls = Vec::new();
    let (mut row, mut frame) = (rig.view().row(), rig.console.frame_number());
    while falls.len() < 6 {
        rig.hold(Buttons::empty());
        if rig.view().row() != row {
            falls.push((rig.console.frame_number() - frame, rig.view().row() - row));
            (row, frame) = (rig.view().row(), rig.console.frame_number());
        }
    }
    falls.split_off(1)
}

#[test]
fn the_killscreen_falls_two_rows_a_frame_at_any_level() {
    for level in [0, 18, 29] {
        for mut rig in both(&format!("killscreen level={level}")) {
            assert_eq!(fall(&mut rig), vec![(1, 2); 5], "{level}");
            // A piece of the nineteen rows is down after ten frames.
            let mut frames = 0;
            rig.put(8, 18, rig.view().orientation().unwrap().id());
            rig.until_active();
            while rig.view().play_state() == play_state::ACTIVE {
                rig.hold(Buttons::empty());
                frames += 1;
            }
            assert!((9..=10).contains(&frames), "{frames}");
        }
    }
}

#[test]
fn marathon_falls_as_at_its_start_whatever_the_level_says() {
    for value in 0..=4 {
        for mut rig in both(&format!("marathon={value} level=18")) {
            let mut score = 0;
            for tetris in 1..=34 {
                rig.lay(&["XXXXXXXXX."; 4]);
                rig.put(9, 18, 0x11);
                let lines = 4 * tetris;
                let level = match value {
                    0 => 18,
                    1 | 3 => 18 + u32::from(lines >= 130),
                    _ => lines / 10,
                };
                score += 1_200 * (1 + if value < 3 { 18 } else { level });
                let found = (u32::from(rig.view().level()), rig.view().lines(), rig.view().score());
                assert_eq!(found, (level, lines, score), "marathon={value}");
                assert_eq!(rig.session.score(), score);
            }
            rig.lay(&[]);
            assert_eq!(fall(&mut rig), vec![(3, 1); 5]);
        }
    }
}

#[test]
fn up_locks_at_once_and_select_only_drops() {
    for mut rig in both("hard-drop level=0") {
        rig.until_active();
        let next = rig.view().next();
        rig.hold(Buttons::UP);
        assert_eq!(rig.view().play_state(), play_state::LOCK);
        rig.until_active();
        assert_eq!(rig.counts().iter().sum::<u32>(), 4);
        assert!((3..=6).any(|column| rig.view().is_taken(19, column)));
        assert_eq!(rig.view().piece(), next);
        // While it is held it does no more.
        rig.hold(Buttons::UP);
        while rig.view().play_state() != play_state::ACTIVE {
            rig.hold(Buttons::UP);
        }
        rig.hold(Buttons::UP);
        assert_eq!(rig.view().play_state(), play_state::ACTIVE);
        rig.hold(Buttons::empty());
        let before = rig.view().row();
        rig.hold(Buttons::SELECT);
        assert!(rig.view().row() > before + 10 && rig.view().play_state() == play_state::ACTIVE);
        assert_eq!(rig.console.ram()[ram::HIDE_NEXT.at()], 0);
        // There is time for a tuck.
        let column = rig.view().column();
        rig.hold(Buttons::empty());
        rig.hold(Buttons::LEFT);
        assert!(rig.view().column() < column || rig.view().is_taken(19, usize::from(column) - 2));
    }
}
