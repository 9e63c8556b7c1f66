//! The viewer, the coach, games as files, the debugger's views.

use web::Machine;

use crate::{DOWN, LEFT, MOVIE, START, both_cartridges, field};

/// Reads the viewer's game to its end.
fn read(machine: &mut Machine) {
    while machine.read_on(5_000).unwrap() < 1.0 {}
}

#[test]
fn a_movie_is_read_to_the_state_that_it_plays_to_and_every_placement_is_reviewed() {
    let mut machine = Machine::new(48_000);
    let length = machine.play_movie("game.fm2", MOVIE).unwrap();
    (0..length).for_each(|_| machine.frame([0, 0]));
    let hash = format!("{:016x}", machine.state_hash());
    machine.open_game("game.fm2", MOVIE, 12.0, 18).unwrap();
    read(&mut machine);
    let report = machine.report();
    assert_eq!(field(&report, "/state"), hash);
    let pieces = field(&report, "/statistics/pieces").as_u64().unwrap();
    assert!(pieces > 20, "{pieces}");
    assert_eq!(field(&report, "/reviewed").as_u64(), Some(pieces));
    // Any frame, forwards and back, is the same one.
    let frame = field(&report, "/worst/0/frame").as_u64().unwrap() as usize;
    machine.seek(frame).unwrap();
    let picture = machine.paint().to_vec();
    machine.seek(length).unwrap();
    machine.seek(frame).unwrap();
    assert!(machine.paint() == picture);
    machine.close_game();
    assert_eq!(format!("{:016x}", machine.state_hash()), hash, "the console is where it was");
}

#[test]
fn a_practice_game_is_kept_and_plays_again_to_its_state() {
    both_cartridges(|mut machine| {
        machine.practise("garbage=4", "level=18", "", "", 0).unwrap();
        for frame in 0..700_u32 {
            let shift = if frame % 23 < 3 { LEFT } else { 0 };
            machine.frame([DOWN | shift, 0]);
            if frame == 300 {
                machine.undo(Some(7)).unwrap();
            }
        }
        (0..30).for_each(|_| assert!(machine.step_back()));
        (0..60).for_each(|_| machine.frame([0, 0]));
        let hash = format!("{:016x}", machine.state_hash());
        let file = machine.game_file().unwrap();
        assert!(machine.movie_file().is_err(), "buttons alone cannot repeat it");
        machine.open_game("game.mxgame", &file, 12.0, 18).unwrap();
        read(&mut machine);
        assert_eq!(field(&machine.report(), "/state"), hash);
        machine.seek(1_000).unwrap();
        machine.take_over().unwrap();
        assert_eq!(field(&machine.status(), "/game/mode"), "garbage=4");
    });
}

#[test]
fn a_game_of_the_computer_or_from_the_middle_says_so_in_its_file() {
    both_cartridges(|mut machine| {
        let standing = |machine: &Machine| {
            let file = machine.game_file().unwrap();
            practice::Kept::read(&file).unwrap().standing()
        };
        machine.practise("tetris", "level=18", "", "", 0).unwrap();
        for frame in 0..300_u32 {
            machine.frame([if frame % 60 > 1 { DOWN } else { 0 }, 0]);
        }
        assert!(standing(&machine).counts(), "only the menus were the computer's");
        let state = machine.save();
        machine.load(&state).unwrap();
        machine.frame([0, 0]);
        assert_eq!(standing(&machine).note(), Some("recorded from the middle"));
        machine.practise("tetris", "level=18", "", "", 0).unwrap();
        machine.set_computer(12).unwrap();
        (0..20).for_each(|_| machine.frame([0, 0]));
        machine.set_computer(0).unwrap();
        assert_eq!(standing(&machine).note(), Some("by the computer"));
    });
}

#[test]
fn an_ordinary_game_is_a_movie_that_plays_to_its_state() {
    let mut machine = Machine::new(48_000);
    for frame in 0..900_u32 {
        machine.frame([if frame % 40 < 2 { START } else { 0 }, 0]);
    }
    let hash = machine.state_hash();
    let movie = machine.movie_file().unwrap();
    let length = machine.play_movie("mine.fm2", movie.as_bytes()).unwrap();
    assert_eq!(length, 900);
    (0..length).for_each(|_| machine.frame([0, 0]));
    assert_eq!(machine.state_hash(), hash);
}

#[test]
fn a_game_that_is_none_or_of_another_cartridge_is_refused() {
    let mut machine = Machine::new(48_000);
    for bytes in [b"MXGAME".as_slice(), b"version 2\n", b""] {
        let error = machine.open_game("mine.fm2", bytes, 12.0, 18).unwrap_err().to_string();
        assert!(error.starts_with("mine.fm2"), "{error}");
    }
    machine.practise("", "", "", "", 0).unwrap();
    let file = machine.game_file().unwrap();
    machine.insert("maxout-slow.nes", crate::SLOW, &[]).unwrap();
    let error = machine.open_game("game.mxgame", &file, 12.0, 18).unwrap_err().to_string();
    assert!(error.contains("another cartridge"), "{error}");
    assert!(machine.read_on(1).is_err() && machine.seek(1).is_err() && machine.take_over().is_err());
}
