//! Options that change buttons or pictures.

use nes::{Buttons, Memory};
use practice::Session;
use tetris::ram::{self, play_state};

use crate::rig::{IMAGES, Rig, both};

#[test]
fn goofy_foot_swaps_the_pad_in_a_game() {
    for mut rig in both("tetris goofy") {
        let column = rig.view().column();
        rig.hold(Buttons::LEFT);
        assert_eq!(rig.view().column(), column + 1);
        rig.hold(Buttons::empty());
        let turned = rig.view().orientation().unwrap().counterclockwise();
        rig.hold(Buttons::A);
        assert_eq!(rig.view().orientation(), Some(turned));
        rig.hold(Buttons::empty());
        rig.hold(Buttons::SELECT);
        rig.hold(Buttons::empty());
        assert!(rig.view().is_paused());
    }
}

#[test]
fn start_does_not_pause_where_it_is_not_to_and_ends_the_curtain_all_the_same() {
    for mut rig in both("tetris no-pause level=18") {
        rig.hold(Buttons::START);
        assert!(!rig.view().is_paused() && rig.view().in_play());
        rig.lay(&["XXXX.XXXXX"; 20]);
        rig.until(400, |view| view.play_state() == play_state::CURTAIN);
        let mut frame = 0;
        while rig.view().in_play() {
            assert!(frame < 400, "Start ends the curtain");
            rig.hold(if frame % 20 == 0 { Buttons::START } else { Buttons::empty() });
            frame += 1;
        }
    }
}

/// Frames of a tetris in which the background is white, and its lines and points.
fn flashes(rig: &mut Rig) -> (usize, u32, u32, [u32; 4]) {
    rig.lay(&["XXXXXXXXX."; 4]);
    rig.until_active();
    let ram = rig.console.ram_mut();
    ram[ram::PIECE_X.at()..][..3].copy_from_slice(&[9, 18, 0x11]);
    (ram[ram::DOWN_REPEAT.at()], ram[ram::FALL_TIMER.at()]) = (0, 0x60);
    let mut white = 0;
    for _ in 0..60 {
        rig.hold(Buttons::empty());
        white += usize::from(rig.console.memory(Memory::Palette)[0x0E] == 0x30);
    }
    (white, rig.view().lines(), rig.view().score(), rig.view().line_counts())
}

#[test]
fn a_tetris_flashes_unless_it_is_not_to_and_counts_the_same() {
    for (mut free, mut still) in both("tetris level=9").into_iter().zip(both("tetris no-flash level=9")) {
        let (white, lines, score, counts) = flashes(&mut free);
        assert!(white > 1, "{white}");
        assert_eq!((lines, score, counts), (4, 12_000, [0, 0, 0, 1]));
        assert_eq!(flashes(&mut still), (0, lines, score, counts));
        assert_eq!(still.session.score(), score);
    }
}

#[test]
fn das_only_withholds_taps_that_are_faster_than_the_auto_shift() {
    for (gap, moved) in [(2, 1), (3, 1), (4, 2), (5, 2), (6, 4)] {
        for mut rig in both("tetris das-only") {
            rig.console.ram_mut()[ram::PIECE_X.at()] = 9;
            rig.console.ram_mut()[ram::ORIENTATION.at()] = 0x11;
            for _ in 0..4 {
                rig.hold(Buttons::LEFT);
                (1..gap).for_each(|_| rig.hold(Buttons::empty()));
            }
            assert_eq!(9 - rig.view().column(), moved, "every {gap} frames");
        }
    }
}

#[test]
fn a_cartridge_that_cannot_carry_it_says_why() {
    let mode = "floor=3".parse().unwrap();
    let error = |image: &[u8]| {
        Session::of_image(image, mode, practice::Options::default()).err().unwrap().to_string()
    };
    let mut other = IMAGES[1].to_vec();
    let free = other.iter().rposition(|&byte| byte == 0xFF).unwrap();
    other[free] = 0;
    assert!(error(&other).contains("the practice suite"), "{}", error(&other));
    assert!(error(b"NES").contains("isn't recognised"));
}

#[test]
fn a_session_that_changes_nothing_leaves_the_console_as_it_would_be() {
    for image in IMAGES {
        let mut rig = Rig::new(image, "tetris level=18");
        let mut alone = rig.console.clone();
        for frame in 0..2_000_u32 {
            let buttons = Buttons::from_bits_retain((frame.wrapping_mul(2_654_435_761) >> 28) as u8 & 0x83);
            rig.hold(buttons);
            let _ = alone.run_frame(&mut [buttons, Buttons::empty()], &mut ());
        }
        assert!(rig.console == alone);
        assert_eq!(rig.session.score(), rig.view().score());
    }
}

/// Sprites of the next box that the picture shows.
fn next_sprites(rig: &Rig) -> usize {
    let sprites = rig.console.memory(Memory::Oam);
    sprites.chunks(4).filter(|sprite| sprite[0] < 0xEF && sprite[3] >= 0xB8).count()
}

#[test]
fn the_next_piece_is_not_shown_where_it_is_not_to_be_whatever_select_does() {
    for (mut shown, mut hidden) in both("tetris").into_iter().zip(both("tetris no-next")) {
        for frame in 0..400 {
            let select = if frame % 40 < 2 && frame > 200 { Buttons::SELECT } else { Buttons::empty() };
            shown.hold(Buttons::empty());
            hidden.hold(select);
            let next = if frame > 2 { [4, 0] } else { [next_sprites(&shown), next_sprites(&hidden)] };
            assert_eq!([next_sprites(&shown), next_sprites(&hidden)], next, "frame {frame}");
        }
        assert!(hidden.session.writes() && !shown.session.writes());
    }
}
