//! Practice modes, undo, the computer player.

use web::Machine;

use crate::{DOWN, LEFT, START, both_cartridges, field};

/// Frames in which a piece of level 18 falls and the next one comes.
const A_PIECE: usize = 120;

#[test]
fn a_mode_begins_at_its_level_and_pieces_are_taken_back_on_both_cartridges() {
    both_cartridges(|mut machine| {
        machine.practise("garbage=4", "level=18", "", "", 0).unwrap();
        let status = machine.status();
        assert_eq!(field(&status, "/game/level"), 18);
        assert_eq!(field(&status, "/game/mode"), "garbage=4");
        assert_eq!(field(&status, "/game/practice"), true);
        let position = machine.position();
        assert!(!position.is_empty());
        for _ in 0..A_PIECE {
            machine.frame([DOWN, 0]);
        }
        let undo = field(&machine.status(), "/game/undo").as_u64().unwrap();
        assert!(undo >= 1, "{undo}");
        machine.undo(None).unwrap();
        assert_eq!(field(&machine.status(), "/game/undo").as_u64(), Some(undo - 1));
        assert!(machine.events().contains("\"event\":\"lock\""));
    });
}

#[test]
fn a_position_is_entered_and_tried_again() {
    let mut machine = Machine::new(48_000);
    let position = "1 0 T I 18 120 500000 16 8988 7 513 56BBA458";
    machine.practise("", "level=18", "", position, 0).unwrap();
    assert_eq!(field(&machine.status(), "/game/score"), 500_000);
    assert!(machine.position().starts_with("1 0 T I 18 120 500000"));
    (0..A_PIECE).for_each(|_| machine.frame([DOWN, 0]));
    assert!(!machine.position().starts_with("1 0 T I"));
    machine.retry(None).unwrap();
    assert!(machine.position().starts_with("1 0 T I 18 120 500000"), "{}", machine.position());
}

#[test]
fn texts_of_a_link_that_mean_nothing_are_refused_with_what_was_expected() {
    let mut machine = Machine::new(48_000);
    let hash = machine.state_hash();
    for (mode, options, pieces, position) in [
        ("no-mode", "", "", ""),
        ("", "levle=3", "", ""),
        ("", "", "--randomizer dice", ""),
        ("", "", "", "1 0 T I"),
        ("seed=1", "", "", ""),
    ] {
        let error = machine.practise(mode, options, pieces, position, 0).unwrap_err().to_string();
        assert!(error.contains("expected") || error.contains("position"), "{error}");
    }
    assert_eq!(machine.state_hash(), hash, "the game goes on");
}

#[test]
fn the_same_seed_deals_the_same_pieces() {
    let pieces = |mut machine: Machine| {
        machine.practise("seed=12ab34", "level=18", "", "", 0).unwrap();
        (0..600).for_each(|_| machine.frame([DOWN, 0]));
        field(&machine.status(), "/game/statistics/counts").to_string()
    };
    let mut second = Machine::new(48_000);
    (0..77).for_each(|_| second.frame([0, 0]));
    assert_eq!(pieces(Machine::new(48_000)), pieces(second));
}

#[test]
fn the_computer_plays_from_power_on_and_leaves_the_pad_when_told_to() {
    both_cartridges(|mut machine| {
        machine.practise("", "level=18", "", "", 0).unwrap();
        assert!(machine.set_computer(11).unwrap_err().to_string().contains("10, 12"));
        machine.set_computer(12).unwrap();
        (0..1_500).for_each(|_| machine.frame([0, 0]));
        assert!(field(&machine.status(), "/game/statistics/pieces").as_u64().unwrap() > 20);
        machine.set_computer(0).unwrap();
        machine.frame([LEFT, 0]);
        assert_eq!(field(&machine.status(), "/held"), LEFT);
    });
}

#[test]
fn the_computer_begins_with_the_player_shows_its_picture_and_wins_against_nobody() {
    both_cartridges(|mut machine| {
        machine.set_versus(12).unwrap();
        let alone = machine.paint().len();
        let mut two = false;
        for frame in 0..6_000_u32 {
            let playing = field(&machine.status(), "/versus/playing") == true;
            two |= playing && machine.paint().len() == 2 * alone;
            let start = if !playing && frame % 40 < 2 { START } else { 0 };
            machine.frame([if playing { DOWN } else { start }, 0]);
            if two && !playing {
                break;
            }
        }
        assert!(two, "a game was on, and both were shown");
        assert_eq!(field(&machine.status(), "/versus/outcome"), "lost");
        assert!(!machine.step_back(), "there is no way back");
        machine.set_versus(0).unwrap();
        machine.frame([0, 0]);
        assert_eq!(machine.paint().len(), alone);
    });
}
