//! A kept game without the blocks that its growth needed, for links.

use super::read::whole;
use super::{BUTTONS, MAGIC, block};

/// Returns the same game with its buttons in as few blocks as they can be: written while it is
/// played, a file has a block, and a checksum, for each half second. Bytes that are no kept game
/// are returned as they are.
pub fn condensed(bytes: &[u8]) -> Vec<u8> {
    let head = MAGIC.len() + 1;
    if !bytes.starts_with(MAGIC) || bytes.len() < head {
        return bytes.to_vec();
    }
    let (mut out, mut rest) = (bytes[..head].to_vec(), &bytes[head..]);
    let mut runs: Vec<(u16, u8)> = Vec::new();
    let flush = |runs: &mut Vec<(u16, u8)>, out: &mut Vec<u8>| {
        if !runs.is_empty() {
            let payload: Vec<u8> = runs
                .drain(..)
                .flat_map(|(count, held)| [count.to_le_bytes()[0], count.to_le_bytes()[1], held])
                .collect();
            out.extend(block(BUTTONS, &payload));
        }
    };
    while let Some((kind, payload, after)) = whole(rest) {
        let (triples, odd) = payload.as_chunks::<3>();
        if kind == BUTTONS && odd.is_empty() {
            for &[low, high, held] in triples {
                let count = u16::from_le_bytes([low, high]);
                match runs.last_mut() {
                    Some((before, same)) if *same == held && before.checked_add(count).is_some() => {
                        *before += count;
                    }
                    _ => runs.push((count, held)),
                }
            }
        } else {
            flush(&mut runs, &mut out);
            out.extend(block(kind, payload));
        }
        rest = after;
    }
    flush(&mut runs, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::recorded;
    use super::*;
    use crate::Kept;

    #[test]
    fn a_condensed_game_is_the_same_game_in_fewer_bytes() {
        let (bytes, _) = recorded();
        let small = condensed(&bytes);
        assert!(small.len() < bytes.len(), "{} of {}", small.len(), bytes.len());
        let (game, again) = (Kept::read(&bytes).unwrap(), Kept::read(&small).unwrap());
        assert_eq!((again.frames, again.result, again.header), (game.frames, game.result, game.header));
        assert_eq!((again.chances, again.positions, again.backs), (game.chances, game.positions, game.backs));
        assert_eq!(condensed(&small), small);
        assert_eq!(condensed(b"nothing"), b"nothing");
        // What follows damage is left out, as a reader leaves it.
        let cut = condensed(&bytes[..bytes.len() - 1]);
        assert_eq!(Kept::read(&cut).unwrap().frames, Kept::read(&bytes[..bytes.len() - 1]).unwrap().frames);
    }
}
