//! Games begin at a moment of the level menu that is drawn.

use std::collections::HashSet;

use nes::{Cartridge, Config, Console};
use practice::{Options, Session};

use crate::rig::IMAGES;

/// The random number register and the playfield, in the first frame of a game of `words`.
fn begun(image: &'static [u8], words: &str, chance: u64) -> ([u8; 2], Vec<u8>) {
    let (mode, option) = words.split_once(' ').unwrap_or((words, ""));
    let mut options = Options::default();
    option.split_whitespace().for_each(|word| options.set(word).unwrap());
    let mut session = Session::of_image(image, mode.parse().unwrap(), options).unwrap();
    let config = Config { video: false, ..Config::default() };
    let mut console = Console::new(Cartridge::from_bytes(image).unwrap(), config);
    practice::begin(&mut console, &mut session, chance).unwrap();
    let view = tetris::View::new(console.ram());
    ([console.ram()[0x17], console.ram()[0x18]], view.playfield().to_vec())
}

#[test]
fn another_chance_is_another_game_in_every_mode_of_chance() {
    for image in IMAGES {
        for mode in ["tetris", "b-type=5", "checkerboard=3", "garbage=4", "transition=10"] {
            let games: HashSet<_> = (0..4).map(|chance| begun(image, mode, chance)).collect();
            assert_eq!(games.len(), 4, "{mode}");
        }
        assert_eq!(begun(image, "b-type=5", 7), begun(image, "b-type=5", 7));
    }
}

#[test]
fn garbage_of_a_b_type_game_is_another_with_another_chance() {
    for image in IMAGES {
        let fields: HashSet<_> = (0..4).map(|chance| begun(image, "b-type=5", chance).1).collect();
        assert!(fields.len() >= 3, "{} different fields of 4", fields.len());
    }
}

#[test]
fn a_seed_and_a_chosen_wait_leave_nothing_to_chance() {
    for image in IMAGES {
        for words in ["seed=12AB34", "tetris wait=9", "b-type=5 wait=30"] {
            assert_eq!(begun(image, words, 3), begun(image, words, 4), "{words}");
        }
    }
}
