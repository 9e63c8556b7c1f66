//! A piece that is placed by keys.

use puzzle::Cursor;
use tetris::{Orientation, Placement, Playfield};

fn cursor() -> Cursor {
    let board = Playfield { columns: [0, 0, 0, 1 << 17, 0, 0, 0, 0, 0, 0] };
    let place = |id: u8, x: u8, y: u8| Placement { orientation: Orientation::from_id(id).unwrap(), x, y };
    let flat = (2..9).map(|x| place(0x12, x, if (1..6).contains(&x) { 16 } else { 19 }));
    let upright = (0..10).map(|x| place(0x11, x, if x == 3 { 16 } else { 18 }));
    let tuck = [place(0x12, 4, 19)];
    Cursor::new(flat.chain(upright).chain(tuck).collect(), &board).unwrap()
}

#[test]
fn it_goes_over_legal_places_only() {
    let mut cursor = cursor();
    assert_eq!((cursor.place().x, cursor.place().orientation.id()), (5, 0x12));
    for _ in 0..9 {
        cursor.shift(-1);
    }
    assert_eq!(cursor.place().x, 2);
    cursor.turn(true);
    assert_eq!((cursor.place().x, cursor.place().orientation.id()), (2, 0x11));
    cursor.shift(1);
    assert_eq!((cursor.place().x, cursor.place().y), (3, 16));
    cursor.turn(false);
    cursor.shift(1);
    assert_eq!((cursor.place().x, cursor.place().y), (4, 16));
    cursor.other();
    assert_eq!((cursor.place().x, cursor.place().y), (4, 19), "the tuck");
    cursor.other();
    assert_eq!(cursor.place().y, 16);
    assert!(cursor.point(9, 17) && cursor.place().x == 9 && !cursor.point(0, 0));
    assert_eq!(Cursor::new(Vec::new(), &Playfield::EMPTY), None);
}
