//! Games of files: reviewed, and looked through for puzzles.

use super::*;

/// Turns of a game as its log has them, in a file of one line a placement.
fn lines_of(rig: &Rig, folder: &Path) -> PathBuf {
    let turns = rig.machine.engine.watched().unwrap().log().turns();
    let path = folder.join("game.csv");
    fs::write(&path, notation::lines::csv(&turns)).unwrap();
    path
}

#[test]
fn the_game_of_a_file_is_reviewed_kept_beside_it_and_read_from_there() {
    let place = tempfile::tempdir().unwrap();
    let mut rig = Rig::new(BUILT_IN);
    rig.practise("tetris", "level=18");
    rig.pieces_in(6);
    let path = lines_of(&rig, place.path());
    let of_game = rig.review(12);
    let mut other = Rig::new(BUILT_IN);
    let review = other.review_file(&path);
    assert_eq!((review.file.as_str(), review.total, review.positions.len()), ("game.csv", 5, 5));
    let losses = |review: &ReviewStatus| review.reviews.iter().map(|one| one.loss).collect::<Vec<_>>();
    assert_eq!(losses(&review), losses(&of_game));
    let kept = place.path().join("game.csv.review.json");
    let bytes = fs::read(&kept).unwrap();
    assert_eq!(other.review_file(&path).reviews, review.reviews);
    assert_eq!(fs::read(&kept).unwrap(), bytes, "read and left alone");
    // Its positions are played on the machine.
    let (mode, options) = (Kind::Tetris.usual(), practice::Options::default());
    let position = Some(review.positions[2].1.clone());
    other.ask(PracticeCommand::Begin { mode, options, position });
    assert_eq!(other.status().unwrap().level, 18);
    // What is no game says why.
    fs::write(place.path().join("bad.csv"), "board,piece\n").unwrap();
    let bad = other.review_file(&place.path().join("bad.csv"));
    assert!(bad.reviews.is_empty() && bad.notes[0].contains("bad.csv: expected one placement a line"));
    let said = other.shared.status().messages.back().unwrap().text.clone();
    assert!(said.contains("cannot review") && said.contains("bad.csv"), "{said}");
    fs::write(place.path().join("cut.ngf"), [0x60; 40]).unwrap();
    let cut = other.review_file(&place.path().join("cut.ngf"));
    assert!(cut.notes[0].contains("frame 1"), "{:?}", cut.notes);
}

#[test]
fn puzzles_are_found_in_the_games_that_were_kept() {
    let place = tempfile::tempdir().unwrap();
    let mut rig = kept_in(&place);
    rig.practise("tetris", "level=18");
    rig.pieces_in(12);
    rig.practise("tetris", "level=18");
    rig.pieces_in(12);
    fs::write(place.path().join("games/zzz.mxgame"), "no game").unwrap();
    rig.ask(PracticeCommand::FindPuzzles);
    let search = (0..6000).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        rig.machine.update_status();
        rig.shared.status().puzzle_search.clone().filter(|search| search.is_done)
    });
    let search = search.expect("an end");
    assert_eq!((search.games, search.total, search.left_out), (3, 3, 1));
    for puzzle in &search.puzzles {
        assert_eq!(puzzle.position.level, 18);
    }
}

#[test]
fn a_kept_game_is_reviewed_without_being_played_and_its_field_is_kept() {
    let place = tempfile::tempdir().unwrap();
    let mut rig = kept_in(&place);
    rig.practise("tetris", "level=18");
    rig.pieces_in(6);
    let of_game = rig.review(12);
    let trainer = rig.shared.status().game.as_ref().map(|game| Arc::clone(&game.trainer)).unwrap();
    assert_eq!(trainer.delays.iter().sum::<u32>(), 5, "each piece got a tap: {trainer:?}");
    rig.practise("tetris", "level=18");
    let path = games(&place)[0].clone();
    let review = rig.reviewed(PracticeCommand::ReviewKept { path: path.clone(), hertz: 12, reaction: 18 });
    assert_eq!(review.file, path.file_name().unwrap().to_string_lossy());
    let losses = |review: &ReviewStatus| review.reviews.iter().map(|one| one.loss).collect::<Vec<_>>();
    assert_eq!(losses(&review), losses(&of_game));
    assert_eq!(review.positions, of_game.positions);
    let board = read(&path).result_of("board").and_then(practice::board_of).unwrap();
    assert!(board[19] != 0 && board[0] == 0, "the field before the last piece: {board:?}");
    // That of another cartridge, and what is no game.
    let mut other = Rig::new(SLOW);
    let bad = other.reviewed(PracticeCommand::ReviewKept { path, hertz: 12, reaction: 18 });
    assert!(bad.reviews.is_empty() && bad.notes[0].contains("another cartridge"), "{:?}", bad.notes);
}
