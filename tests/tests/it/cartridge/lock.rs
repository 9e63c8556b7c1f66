//! From the drop that fails to the next piece.

use super::cabinet::{BLOCK, Cabinet, I_FLAT, I_UPRIGHT, O, play_state, ram};

/// Frames from the failing drop to the spawn, and the low byte of the frame counter at the former.
fn lock(cabinet: &mut Cabinet) -> (usize, u8) {
    cabinet.wait_until(3, |cabinet| cabinet.state() == play_state::LOCK);
    let counter = cabinet.at(ram::FRAME_COUNTER);
    (cabinet.wait_until(60, |cabinet| cabinet.state() == play_state::ACTIVE), counter)
}

#[test]
fn entry_delay_by_the_row_of_the_pivot() {
    for row in 0..20_u8 {
        let mut cabinet = Cabinet::in_play();
        cabinet.clear_playfield();
        // A square needs the row below its pivot; what it comes to lie on begins a row further down.
        (row + 2..20).for_each(|below| cabinet.set_row(below.into(), "....###..."));
        cabinet.set_piece(if row < 19 { O } else { I_FLAT }, 5, row);
        let delay = match row {
            0..6 => 18,
            6..10 => 16,
            10..14 => 14,
            14..18 => 12,
            18.. => 10,
        };
        assert_eq!(lock(&mut cabinet).0, delay, "row {row}");
    }
}

#[test]
fn a_line_clear_takes_17_to_20_frames_more_by_the_frame_counter() {
    for phase in 0..8 {
        let mut cabinet = Cabinet::in_play();
        cabinet.wait(phase + 1);
        cabinet.clear_playfield();
        cabinet.set_row(19, "####..####");
        cabinet.set_piece(O, 5, 18);
        let (frames, counter) = lock(&mut cabinet);
        assert_eq!(frames, 10 + 20 - usize::from(counter % 4), "frame counter {counter} at the failing drop");
        assert_eq!((cabinet.lines(), cabinet.score()), (1, 40));
        assert_eq!(cabinet.row(19), "....##....");
    }
}

#[test]
fn a_line_clear_higher_up_has_the_same_four_lengths() {
    let mut extra: Vec<_> = (0..4)
        .map(|phase| {
            let mut cabinet = Cabinet::in_play();
            cabinet.wait(phase + 1);
            cabinet.clear_playfield();
            (14..20).for_each(|row| cabinet.set_row(row, "###.##.###"));
            cabinet.set_row(13, "####..####");
            cabinet.set_piece(O, 5, 12);
            lock(&mut cabinet).0 - 14
        })
        .collect();
    extra.sort_unstable();
    assert_eq!(extra, [17, 18, 19, 20]);
}

#[test]
fn cleared_rows_vanish_from_the_middle_outward() {
    const ROW_16: usize = 0x20CC + 0x20 * 16;
    const VANISHED: u8 = 0xFF;
    let mut cabinet = Cabinet::in_play();
    cabinet.clear_playfield();
    (16..20).for_each(|row| cabinet.set_row(row, "#####.####"));
    cabinet.set_piece(I_UPRIGHT, 5, 18);
    let mut seen = Vec::new();
    for _ in 0..45 {
        cabinet.wait(1);
        let cell = |column| if cabinet.nametable(ROW_16 + column) == VANISHED { ' ' } else { '#' };
        let row: String = (0..10).map(cell).collect();
        if row.contains(' ') && seen.last() != Some(&row) {
            seen.push(row);
        }
    }
    assert_eq!(seen, ["####  ####", "###    ###", "##      ##", "#        #", "          "]);
    assert_eq!(cabinet.line_counts(), [0, 0, 0, 1]);
    assert_eq!((cabinet.lines(), cabinet.score()), (4, 1_200));
}

#[test]
fn a_full_top_row_counts_twice_and_the_stack_sinks_out_of_the_field() {
    let mut cabinet = Cabinet::in_play();
    (2..20).for_each(|row| cabinet.set_row(row, "###.######"));
    cabinet.set_row(1, "..........");
    cabinet.set_row(0, "####..####");
    cabinet.set_piece(O, 5, 0);
    lock(&mut cabinet);
    assert_eq!(cabinet.lines(), 2);
    let rows = [0, 1, 2, 3].map(|row| cabinet.row(row));
    assert_eq!(rows, ["..........", "..........", "....##....", "###.######"]);
    assert_eq!(cabinet.row(20), "###.######", "the row below the last one");
}

#[test]
fn cells_above_the_field_are_those_at_the_end_of_its_page() {
    const ROW_ABOVE: usize = ram::PLAYFIELD + 0xF6;
    for (column, x) in [(0, 1), (1, 0)] {
        let mut cabinet = Cabinet::in_play();
        cabinet.set_piece(I_UPRIGHT, 0, 0);
        cabinet.poke(ram::FALL_TIMER, 0);
        cabinet.poke(ROW_ABOVE + column, BLOCK);
        cabinet.hold(nes::Buttons::RIGHT);
        assert_eq!(cabinet.at(ram::PIECE_X), x, "a block over column {column}");
    }
}

#[test]
fn the_curtain_takes_36_steps_of_four_frames() {
    let mut cabinet = Cabinet::in_play();
    cabinet.set_row(0, "...####...");
    cabinet.set_row(1, "...####...");
    cabinet.set_piece(O, 5, 0);
    cabinet.wait_until(30, |cabinet| cabinet.state() == play_state::CURTAIN);
    let frames = cabinet.wait_until(200, |cabinet| cabinet.at(0x78) == 20);
    assert!((141..=144).contains(&frames), "{frames} frames");
}
