//! The viewer, the coach, games as files, the debugger's views.

use web::Machine;

use crate::{DOWN, LEFT, MOVIE, NETS, START, both_cartridges, field};

/// A movie that names its cartridge by a checksum.
const NAMED: &[u8] = include_bytes!("../../../../tests/movies/maxout.fm2");

/// Gives the machine the four nets.
fn with_nets(machine: &mut Machine) {
    for (number, net) in NETS.into_iter().enumerate() {
        assert_eq!(machine.set_net(net).unwrap(), number + 1);
    }
    assert!(machine.set_net(b"no net").is_err());
}

#[test]
fn a_net_for_slow_hands_stands_beside_that_of_its_speed() {
    let mut machine = Machine::new(48_000);
    with_nets(&mut machine);
    let decided = |machine: &mut Machine, hertz| {
        machine.practise("tetris", "level=18", "", "", 7).unwrap();
        machine.set_computer(hertz).unwrap();
        (0..1_800).for_each(|_| machine.frame([0, 0]));
        (machine.status(), machine.state_hash())
    };
    let without = [12, 30].map(|hertz| decided(&mut machine, hertz).1);
    let slow = include_bytes!("../../../value/nets/l18-slow.net");
    assert_eq!(machine.set_net(slow).unwrap(), 4, "the speed has one already");
    let with = [12, 30].map(|hertz| decided(&mut machine, hertz).1);
    assert!(with[0] != without[0], "slow hands ask it");
    assert_eq!(with[1], without[1], "fast ones do not");
}

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
    assert!(machine.open_game("game.fm2", MOVIE).unwrap());
    read(&mut machine);
    let report = machine.report();
    assert_eq!(field(&report, "/state"), hash);
    let pieces = field(&report, "/statistics/pieces").as_u64().unwrap();
    assert!(pieces > 20, "{pieces}");
    assert!(machine.begin_review(0.0, 18).unwrap_err().to_string().contains("nets"));
    with_nets(&mut machine);
    machine.begin_review(12.0, 18).unwrap();
    let mut reviews = Vec::new();
    let last = loop {
        let part = machine.review_on(16).unwrap();
        reviews.extend(field(&part, "/reviews").as_array().cloned().unwrap());
        if field(&part, "/share") == 1.0 {
            break part;
        }
    };
    assert_eq!(reviews.len() as u64, pieces);
    // The score before each is what the clears so far have made.
    let scores: Vec<f64> = reviews.iter().map(|one| one["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted() && scores[0] == 0.0 && scores[scores.len() - 1] > 0.0, "{scores:?}");
    assert_eq!(field(&last, "/summary/placements").as_u64(), Some(pieces));
    assert!(machine.review_page("game").unwrap().contains("Accuracy"));
    // Any frame, forwards and back, is the same one.
    let frame = reviews[pieces as usize / 2]["frame"].as_u64().unwrap() as usize;
    machine.seek(frame).unwrap();
    let picture = machine.paint().to_vec();
    machine.seek(length).unwrap();
    machine.seek(frame).unwrap();
    assert!(machine.paint() == picture);
    // Its figures are those of the pieces so far, and all of them at the end.
    let shown = |machine: &Machine| {
        let [pieces, lines] = ["pieces", "lines"]
            .map(|name| field(&machine.status(), &format!("/game/statistics/{name}")).as_u64().unwrap());
        (pieces, lines)
    };
    let lines = field(&report, "/statistics/lines").as_u64().unwrap();
    let half = shown(&machine);
    assert!(
        half.0 > pieces / 3 && half.0 < 2 * pieces / 3 && half.1 < lines,
        "{half:?} of {pieces}, {lines}"
    );
    machine.seek(1).unwrap();
    assert_eq!(shown(&machine), (0, 0));
    machine.seek(length).unwrap();
    assert_eq!(shown(&machine), (pieces, lines));
    machine.close_game();
    assert_eq!(format!("{:016x}", machine.state_hash()), hash, "the console is where it was");
}

#[test]
fn a_link_of_a_placement_is_reviewed_and_a_file_of_lines_too() {
    let mut machine = Machine::new(48_000);
    with_nets(&mut machine);
    machine.open_game("game.fm2", MOVIE).unwrap();
    read(&mut machine);
    machine.begin_review(12.0, 18).unwrap();
    let reviews = field(&machine.review_on(1_000).unwrap(), "/reviews");
    let link = reviews[20]["link"].as_str().unwrap().to_owned();
    machine.review_link(&link).unwrap();
    let one = machine.review_on(10).unwrap();
    assert_eq!(field(&one, "/reviews/0/rows"), reviews[20]["rows"]);
    assert_eq!(field(&one, "/share"), 1.0);
    assert!(machine.review_link("maxout:nothing").unwrap_err().to_string().contains("expected a link"));
    let lines = "board,piece,level,lines,column,row,orientation\n".to_owned()
        + &format!("{},O,18,0,1,18,10\n", "0".repeat(200));
    machine.review_file("game.csv", lines.as_bytes(), 12.0, 18).unwrap();
    assert_eq!(field(&machine.review_on(10).unwrap(), "/total"), 1);
    let error = machine.review_file("game.csv", b"nothing", 12.0, 18).unwrap_err().to_string();
    assert!(error.starts_with("game.csv: "), "{error}");
    assert!(machine.review_file("game.txt", b"", 12.0, 18).is_err());
}

#[test]
fn a_kept_game_is_raced_on_the_same_pieces_and_its_picture_is_beside_the_players() {
    let mut machine = Machine::new(48_000);
    machine.practise("tetris", "level=18", "", "", 7).unwrap();
    (0..900).for_each(|_| machine.frame([DOWN, 0]));
    let counts = field(&machine.status(), "/game/statistics/counts");
    let (file, alone) = (machine.game_file().unwrap(), machine.paint().len());
    machine.begin_race("theirs.mxgame", &file).unwrap();
    assert_eq!(field(&machine.status(), "/game/level"), 18);
    assert_eq!(machine.paint().len(), 2 * alone);
    let own = machine.paint()[..alone].to_vec();
    (0..900).for_each(|_| machine.frame([DOWN, 0]));
    assert_eq!(field(&machine.status(), "/game/statistics/counts"), counts, "the same pieces");
    (0..60).for_each(|_| machine.frame([DOWN, 0]));
    assert!(machine.paint()[alone..] != own[..], "it plays on");
    assert_eq!(field(&machine.status(), "/race/over"), true, "its file is at its end");
    assert!(!machine.step_back());
    machine.power();
    assert_eq!(machine.paint().len(), alone);
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
        machine.open_game("game.mxgame", &file).unwrap();
        read(&mut machine);
        assert_eq!(field(&machine.report(), "/state"), hash);
        assert_eq!(field(&machine.report(), "/verified"), true);
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
        let error = machine.open_game("mine.fm2", bytes).unwrap_err().to_string();
        assert!(error.starts_with("mine.fm2"), "{error}");
    }
    machine.practise("", "", "", "", 0).unwrap();
    let file = machine.game_file().unwrap();
    machine.insert("maxout-slow.nes", crate::SLOW, &[]).unwrap();
    let error = machine.open_game("game.mxgame", &file).unwrap_err().to_string();
    assert!(error.contains("another cartridge"), "{error}");
    let wanted = machine.wants("game.mxgame", &file).unwrap();
    assert_eq!((field(&wanted, "/here"), field(&wanted, "/builtIn")), (false.into(), true.into()));
    // A movie names its cartridge by a checksum; its buttons on another one are nonsense.
    let error = machine.open_game("maxout.fm2", NAMED).unwrap_err().to_string();
    assert!(error.contains("another cartridge"), "{error}");
    assert_eq!(field(&machine.wants("maxout.fm2", NAMED).unwrap(), "/builtIn"), true);
    assert!(machine.read_on(1).is_err() && machine.seek(1).is_err() && machine.take_over().is_err());
}

#[test]
fn a_movie_that_presses_reset_or_of_a_cartridge_that_is_no_tetris_plays_on_the_console() {
    let mut machine = Machine::new(48_000);
    let with_reset = String::from_utf8(MOVIE.to_vec()).unwrap().replacen("|0|", "|1|", 1);
    assert!(!machine.open_game("reset.fm2", with_reset.as_bytes()).unwrap(), "the viewer leaves it");
    assert!(machine.movie().is_some());
    machine.frame([0, 0]);
    // Any image of the right form is a cartridge, and this one is no Tetris.
    let mut other = include_bytes!("../../../../roms/maxout.nes").to_vec();
    other[16..0x7000].fill(0xEA);
    machine.insert("other.nes", &other, &[]).unwrap();
    let error = machine.practise("", "", "", "", 0).unwrap_err().to_string();
    assert!(error.contains("not recognised as Tetris") && !error.contains("maxout inspect"), "{error}");
    assert!(machine.open_game("maxout.fm2", NAMED).is_err(), "its checksum is another's");
    assert!(!machine.open_game("any.fm2", MOVIE).unwrap(), "it names none");
    assert!(machine.movie().is_some());
}

#[test]
fn each_game_that_is_begun_has_a_number_of_its_own() {
    let mut machine = Machine::new(48_000);
    let serial = |machine: &Machine| field(&machine.status(), "/game/serial").as_u64().unwrap();
    let first = serial(&machine);
    machine.practise("tetris", "level=18", "", "", 0).unwrap();
    let second = serial(&machine);
    assert!(second > first);
    (0..60).for_each(|_| machine.frame([DOWN, 0]));
    assert_eq!(serial(&machine), second);
    let state = machine.save();
    machine.load(&state).unwrap();
    assert!(serial(&machine) > second, "another past");
}
