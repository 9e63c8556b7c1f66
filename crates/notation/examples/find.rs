//! Prints what is found in recordings: `cargo run -p notation --example find -- FILE…`.

#![allow(clippy::disallowed_methods, reason = "an example reads files")]

use notation::ngf::{Recording, find};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let recording = Recording::read(&std::fs::read(&path)?)?;
        for game in find(&recording) {
            println!(
                "{path}: {} placements of {:?} pieces, {} frames, {} unread, last {:?}, {:?}",
                game.turns.len(),
                game.pieces,
                game.frames,
                game.unread,
                game.last,
                game.gaps
            );
        }
    }
    Ok(())
}
