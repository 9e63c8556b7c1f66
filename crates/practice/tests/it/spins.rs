//! Modes with a target.

use practice::Session;
use tetris::ram;

use crate::rig::{Rig, both};

const I_UPRIGHT: u8 = 0x11;
const T_DOWN: u8 = 2;

/// The slot of a T in the field, as pivot: the only row with three free cells around a free one
/// below.
fn slot(rig: &Rig) -> (u8, u8) {
    let rows = rig.view().rows();
    for row in 1..19 {
        for column in 1..9_u8 {
            let three = 0b111 << (column - 1);
            if rows[row] == !three & 0x3FF && rows[row + 1] == !(1 << column) & 0x3FF {
                return (column, row as u8);
            }
        }
    }
    panic!("no slot: {rows:?}");
}

#[test]
fn a_t_spin_is_worth_a_double_and_another_t_costs_the_score() {
    for mut rig in both("t-spins level=5") {
        let mut columns = std::collections::HashSet::new();
        for number in 1..=12 {
            assert_eq!(rig.view().piece().map(tetris::Piece::letter), Some('T'));
            let (column, row) = slot(&rig);
            columns.insert(column);
            let before = rig.console.frame_number();
            rig.put(column, row, T_DOWN);
            assert_eq!((rig.view().score(), rig.session.score()), (600 * number, 600 * number));
            assert_eq!((rig.view().lines(), rig.session.hits()), (0, [number, 0]));
            assert!(rig.console.frame_number() > before + 40, "a longer entry delay");
        }
        assert!(columns.len() > 3);
        let (column, row) = slot(&rig);
        rig.put(if column > 5 { 1 } else { 8 }, row - 3, T_DOWN);
        assert_eq!((rig.view().score(), rig.session.hits()), (0, [12, 1]));
        // The slot stays until it is hit.
        assert_eq!(slot(&rig), (column, row));
    }
}

#[test]
fn taps_go_over_a_tower_that_is_put_back_before_every_piece() {
    for (value, column, height, behind) in [(1, 1, 1, 0), (16, 1, 16, 0), (17, 8, 1, 9), (30, 8, 14, 9)] {
        for mut rig in both(&format!("tap={value} level=18")) {
            for number in 1..=3 {
                let rows = rig.view().rows();
                assert!((20 - height..20).all(|row| rows[row] == 1 << column), "{rows:?}");
                assert!(rows[..20 - height].iter().all(|&row| row == 0));
                assert_eq!(rig.view().piece().map(tetris::Piece::letter), Some('I'));
                assert_eq!(rig.session.needed_taps(), Some(behind as i8 - 5));
                rig.put(behind, 18, I_UPRIGHT);
                assert_eq!(rig.session.hits(), [number, 0]);
            }
            rig.place(5, I_UPRIGHT);
            assert_eq!(rig.session.hits(), [3, 1]);
        }
    }
}

/// The well and the marked column of the last row.
fn wells(rig: &Rig) -> (u8, u8) {
    let row = &rig.view().playfield()[190..200];
    let find = |wanted: u8| row.iter().position(|&tile| tile == wanted).unwrap() as u8;
    (find(ram::EMPTY), find(0x7C))
}

#[test]
fn a_well_moves_to_the_marked_column_and_a_hit_counts_a_tetris() {
    for (value, rows, animated) in [(0, 4, true), (1, 1, true), (6, 6, true), (20, 4, false), (31, 15, false)]
    {
        for mut rig in both(&format!("tap-quantity={value} level=18")) {
            for number in 1..=4 {
                let (well, next) = wells(&rig);
                assert_ne!(well, next);
                assert_eq!(rig.counts().iter().filter(|&&count| count == 9).count(), rows);
                rig.place(well, I_UPRIGHT);
                assert_eq!(wells(&rig).0, next);
                assert_eq!(rig.session.hits(), [number, 0]);
                assert_eq!((rig.session.score(), rig.view().score()), (22_800 * number, 22_800 * number));
            }
            assert_eq!(rig.view().lines() > 0, animated);
            let (well, _) = wells(&rig);
            rig.place(if well == 4 { 6 } else { 4 }, I_UPRIGHT);
            assert_eq!((rig.session.hits(), rig.view().score(), wells(&rig).0), ([4, 1], 0, well));
        }
    }
}

#[test]
fn tap_quantity_takes_all_pieces_where_it_is_asked_to() {
    for mut rig in both("tap-quantity=20 all-pieces level=18") {
        let mut seen = std::collections::HashSet::new();
        for number in 1..=20 {
            seen.insert(rig.view().piece());
            let [column, row, turn] = rig.session.target().unwrap();
            assert_eq!(tetris::Orientation::from_id(turn).unwrap().piece(), rig.view().piece());
            rig.put(column, row, turn);
            assert_eq!(rig.session.hits(), [number, 0]);
        }
        assert!(seen.len() > 4);
    }
}

#[test]
fn setups_come_round_with_their_pieces_and_are_put_back() {
    let rounds = ["Z", "ST", "T", "I", "JL", "ILJT", "JL", "JL"];
    for (value, round) in rounds.into_iter().enumerate() {
        for mut rig in both(&format!("setups={value} level=18")) {
            let mut dealt = String::new();
            let first = rig.view().rows();
            assert!(first.iter().any(|&row| row != 0));
            for _ in 0..2 * round.len() {
                dealt.extend(rig.view().piece().map(tetris::Piece::letter));
                let height = rig.counts().iter().filter(|&&count| count > 0).count() as u8;
                rig.put(5, 18 - height, rig.view().orientation().unwrap().id());
            }
            assert_eq!(dealt, round.repeat(2));
            assert_eq!(rig.view().rows(), first);
            assert_eq!(rig.session.hits(), [0, 2 * round.len() as u32]);
        }
    }
}

#[test]
fn a_session_goes_on_from_its_bytes_and_its_console() {
    for mut rig in both("t-spins level=5") {
        let (column, row) = slot(&rig);
        rig.put(column, row, T_DOWN);
        let saved = (rig.console.save(), rig.session.save());
        let mut other = rig.clone();
        other.session =
            Session::new(rig.session.profile().clone(), rig.session.mode(), *rig.session.options()).unwrap();
        other.console.load(&saved.0).unwrap();
        other.session.load(&saved.1, &other.console).unwrap();
        for rig in [&mut rig, &mut other] {
            let (column, row) = slot(rig);
            rig.put(column, row, T_DOWN);
        }
        assert!(rig.console == other.console && rig.session.save() == other.session.save());
        for length in 0..saved.1.len() {
            assert!(other.session.load(&saved.1[..length], &other.console).is_err());
        }
    }
}
