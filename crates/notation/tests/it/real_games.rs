//! Two games of experts, read off video: cells flicker, counters are misread, frames are missing.

use notation::Turn;
use notation::ngf::{Found, Frame, Recording, find};
use tetris::{Placement, Playfield};

const GAMES: [(&[u8], u32, u32); 2] = [
    (include_bytes!("ngf/level18-230lines.ngf.gz"), 594, 230),
    (include_bytes!("ngf/level18-895lines.ngf.gz"), 2_269, 895),
];

fn found(bytes: &[u8]) -> (Recording, Found) {
    let recording = Recording::read(bytes).unwrap();
    assert_eq!(recording.damage(), None);
    let mut games = find(&recording);
    assert_eq!(games.len(), 1);
    let game = games.remove(0);
    (recording, game)
}

#[test]
fn of_the_pieces_of_two_real_games_ninety_nine_of_a_hundred_are_found() {
    for (bytes, pieces, lines) in GAMES {
        let (recording, game) = found(bytes);
        assert_eq!((game.frames, game.pieces), (recording.len(), Some(pieces)));
        assert!(game.turns.len() as u32 * 100 >= pieces * 99, "{} of {pieces}", game.turns.len());
        assert!(game.turns.len() as u32 <= pieces);
        assert_eq!(game.last.1, lines);
        assert_eq!(game.turns.iter().map(|turn| turn.cleared).sum::<u32>(), lines);
        assert!(game.unread * 100 < game.frames, "{} frames are unread", game.unread);
        let known = game.turns.iter().filter(|turn| turn.next.is_some()).count();
        assert_eq!(known, game.turns.len());
    }
}

fn fits(board: &Playfield, place: Placement, below: i32) -> bool {
    place.cells().iter().all(|&(x, y)| {
        let y = y + below;
        (0..10).contains(&x) && y < 20 && (y < 0 || board.columns[x as usize] >> y & 1 == 0)
    })
}

/// Cells of a frame that a board does not have.
fn beyond(frame: &Frame, board: &Playfield) -> usize {
    let has = |at: usize| board.columns[at % 10] >> (at / 10) & 1 == 1;
    (0..200).filter(|&at| frame.cells[at] != 0 && !has(at)).count()
}

fn missing(frame: &Frame, board: &Playfield) -> usize {
    let has = |at: usize| board.columns[at % 10] >> (at / 10) & 1 == 1;
    (0..200).filter(|&at| frame.cells[at] == 0 && has(at)).count()
}

#[test]
fn each_placement_is_a_legal_lock_after_which_the_frames_show_its_field() {
    for (bytes, ..) in GAMES {
        let (recording, game) = found(bytes);
        let frames: Vec<Frame> = recording.frames().collect();
        let begun = frames[0].ctime;
        let mut board = Playfield::EMPTY;
        let mut agreeing = 0;
        for (turn, next) in game.turns.iter().zip(game.turns.iter().skip(1)) {
            let Turn { place, .. } = *turn;
            assert_eq!(turn.board, board, "piece {}", turn.number);
            assert_eq!(place.orientation.piece(), Some(turn.piece));
            assert!(fits(&board, place, 0) && !fits(&board, place, 1), "piece {}", turn.number);
            assert_eq!(turn.next, Some(next.piece), "piece {}", turn.number);
            board = turn.after();
            // The next piece is in the air meanwhile.
            let after =
                frames.iter().filter(|frame| (turn.ms[1]..next.ms[1]).contains(&(frame.ctime - begun)));
            let agrees = |frame: &&Frame| missing(frame, &board) == 0 && beyond(frame, &board) <= 4;
            agreeing += u32::from(after.filter(agrees).count() > 0);
        }
        let turns = game.turns.len() as u32 - 1;
        assert!(agreeing * 1_000 >= turns * 999, "the field agrees after {agreeing} of {turns}");
    }
}
