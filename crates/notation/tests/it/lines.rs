//! One line a placement, written and read.

use notation::lines::{csv, json, read};
use notation::ngf::{Recording, find};

const GAME: &[u8] = include_bytes!("ngf/level18-230lines.ngf.gz");

#[test]
fn a_game_is_read_from_its_lines_as_it_was_written() {
    let game = find(&Recording::read(GAME).unwrap()).remove(0);
    let mut turns = game.turns;
    for turn in &mut turns {
        // Lines do not say these.
        turn.shifts.clear();
        turn.ms[0] = 0;
    }
    turns[3].next = None;
    turns[4].score = None;
    for text in [json(&turns), csv(&turns), csv(&turns).replace('\n', "\r\n")] {
        assert_eq!(read(text.as_bytes()).as_deref(), Ok(&turns[..]));
    }
}

#[test]
fn a_line_at_fault_is_named_with_what_was_expected() {
    let empty = "0".repeat(200);
    let head = "board,piece,next,level,lines,column,row,orientation\n";
    let line = |piece: &str, row: u8| format!("{empty},{piece},I,18,0,5,{row},10\n");
    assert_eq!(read((head.to_owned() + &line("O", 18)).as_bytes()).unwrap().len(), 1);
    for (text, expected) in [
        (String::new(), "found none"),
        ("piece,next\nT,I\n".to_owned(), "found none"),
        (head.to_owned() + &line("O", 18) + &line("X", 18), "line 3: piece: expected a letter of TJZOSLI"),
        (head.to_owned() + &line("O", 17), "line 2: expected a place where the piece fits and rests"),
        (head.to_owned() + &line("T", 18), "line 2: orientation: expected a number of an orientation of T"),
        (head.to_owned() + "01,O,I,18,0,5,18,10\n", "line 2: board: expected 200 digits"),
        ("{\"board\": 7}".to_owned(), "line 1:"),
    ] {
        let error = read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert!(read(&[0xFF, 0xFE]).is_err());
}
