//! Writes battery RAM of 8 KiB into a journal once a frame, of which so many bytes beside each
//! other change in so many places, for callgrind: the difference of two runs is what the frames
//! between them cost.
//!
//! `cargo build --release -p draft --example journal && valgrind --tool=callgrind
//! target/release/examples/journal 1000 4 1`

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example reads its arguments")]

use std::error::Error;

use draft::Journal;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<usize> =
        std::env::args().skip(1).take(3).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let writes = std::env::args().len() < 5;
    let [frames, changed, places] = words[..] else {
        return Err("expected frames, bytes of a place, and places of a frame".into());
    };
    let folder = tempfile::tempdir()?;
    let mut ram = vec![0_u8; 0x2000];
    let mut journal = Journal::open(&folder.path().join("journal"), b"example", ram.len())?;
    for frame in 0..frames {
        for place in 0..places {
            for byte in 0..changed {
                // At other places in each frame.
                let at = (frame * 97 + place * ram.len() / places + byte) % ram.len();
                ram[at] = ram[at].wrapping_add(1);
            }
        }
        if writes {
            journal.write(&[&ram])?;
        }
    }
    Ok(())
}
