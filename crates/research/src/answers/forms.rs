//! Placements in the forms that clients read.

use serde_json::{Value, json};
use tetris::{Piece, Placement, buttons};
use value::Child;

use super::position::{Position, written};

/// Turns by A, shifts to the right and rows from where a piece appears.
pub(super) fn placement(place: Placement) -> [i32; 3] {
    [place.orientation.turns().into(), i32::from(place.x) - 5, i32::from(place.y)]
}

/// A placement as a line: turns and shifts, buttons, the board after it, level and lines.
pub(super) fn one(position: &Position, child: &Child, way: &[u8]) -> String {
    let [turns, shifts, _] = placement(child.place);
    let (level, lines) = position.after(child.cleared);
    format!("{turns},{shifts}|{}|{}|{level}|{lines}", inputs(way), written(&child.board))
}

/// Buttons as a letter a frame.
fn inputs(way: &[u8]) -> String {
    let letters = way.iter().map(|&held| {
        let has = |button: u8| held & button != 0;
        match (has(buttons::LEFT), has(buttons::RIGHT), has(buttons::A), has(buttons::B)) {
            (true, _, true, _) => 'E',
            (true, _, _, true) => 'F',
            (_, true, true, _) => 'I',
            (_, true, _, true) => 'G',
            (true, ..) => 'L',
            (_, true, ..) => 'R',
            (_, _, true, _) => 'A',
            (_, _, _, true) => 'B',
            _ => '.',
        }
    });
    let text: String = letters.collect();
    let pressed = text.trim_end_matches('.');
    if pressed.is_empty() { "none".to_owned() } else { pressed.to_owned() }
}

/// Is there more to a way than its shifts and turns?
fn is_special(way: &[u8], place: Placement) -> bool {
    let [turns, shifts, _] = placement(place);
    let taps = way.iter().filter(|&&held| held != 0).count() as i32;
    taps > shifts.abs().max(if turns == 3 { 1 } else { turns })
}

/// What a value is made of, as clients that split it into factors expect: what stands before
/// `SUBTOTAL` are the factors.
fn explained(value: f32) -> String {
    format!("points to come: {value:.2}, \nSUBTOTAL: {value:.2}")
}

/// A placement of a list of the best. `further` are the best placements of each piece after it.
pub(super) fn short(place: Placement, way: Option<&[u8]>, value: f32, further: &[Value]) -> Value {
    json!({
        "placement": placement(place),
        "isSpecialMove": way.is_some_and(|way| is_special(way, place)),
        "totalValue": format!("{value:.2}"),
        "evalScore": format!("{value:.2}"),
        "evalExplanation": explained(value),
        "hypotheticalLines": further,
    })
}

/// What comes after a placement with a probability: a piece, and its best placement.
pub(super) fn line(piece: Piece, probability: f32, place: Placement, value: f32) -> Value {
    json!({
        "pieceSequence": piece.letter().to_string(),
        "probability": probability,
        "moveSequence": [placement(place)],
        "resultingValue": value,
    })
}

/// A placement of the engine's list.
pub(super) fn long(piece: Piece, place: Placement, way: &[u8], value: f32) -> Value {
    json!({
        "piece": piece.letter().to_string(),
        "placement": placement(place),
        "inputSequence": inputs(way),
        "isSpecialMove": is_special(way, place),
        "totalValue": value,
        "evalScore": value,
        "evalExplanation": explained(value),
        "hypotheticalLines": [],
    })
}

#[cfg(test)]
mod tests {
    use tetris::Orientation;

    use super::*;

    #[test]
    fn buttons_are_a_letter_a_frame() {
        use buttons::{A, B, LEFT, RIGHT};
        assert_eq!(
            inputs(&[LEFT | A, 0, LEFT, 0, RIGHT | B, RIGHT | A, LEFT | B, A, B, RIGHT, 0, 0]),
            "E.L.GIFABR"
        );
        assert_eq!(inputs(&[0, 0, 0]), "none");
    }

    #[test]
    fn a_placement_counts_from_where_the_piece_appears() {
        let upright = Orientation::spawn(Piece::T).counterclockwise();
        assert_eq!(placement(Placement { orientation: upright, x: 0, y: 18 }), [3, -5, 18]);
        let spawned = Orientation::spawn(Piece::I);
        assert_eq!(placement(Placement { orientation: spawned, x: 7, y: 19 }), [0, 2, 19]);
    }
}
