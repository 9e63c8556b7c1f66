//! Prints the frames of a recording as NestrisChamps' own reader has them, one JSON object a line:
//! `cargo run -p notation --example frames -- FILE`.
//!
//! To compare: `public/js/BinaryFrame.js` of timotheeg/nestrischamps, its `parse` of each frame,
//! without `version`, `game_type` and `player_num`, by `JSON.stringify`.

#![allow(clippy::disallowed_methods, reason = "an example reads files")]

use notation::ngf::Recording;
use serde_json::{Map, Value, json};
use tetris::Piece;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("expected a recording")?;
    let recording = Recording::read(&std::fs::read(path)?)?;
    for frame in recording.frames() {
        let letter = |piece: Option<Piece>| piece.map(Piece::letter);
        let mut fields: Map<String, Value> = Map::new();
        let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        put("gameid", json!(frame.game));
        put("ctime", json!(frame.ctime));
        put("lines", json!(frame.lines));
        put("level", json!(frame.level));
        put("score", json!(frame.score));
        put("instant_das", json!(frame.pieces.das));
        put("preview", json!(letter(frame.pieces.next)));
        put("cur_piece_das", json!(frame.pieces.spawn_das));
        put("cur_piece", json!(letter(frame.pieces.current)));
        for (piece, count) in Piece::ALL.iter().zip(frame.counts) {
            put(&piece.to_string(), json!(count));
        }
        put("field", json!(frame.cells.to_vec()));
        println!("{}", Value::Object(fields));
    }
    Ok(())
}
