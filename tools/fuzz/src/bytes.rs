//! Bytes and texts that are changed at random.

use crate::choices::Choices;
use crate::reached;

/// Values at which lengths and fields go wrong.
const EDGES: [u8; 8] = [0x00, 0x01, 0x0F, 0x7F, 0x80, 0xF0, 0xFE, 0xFF];

/// Bytes that may be a text, at most.
const TEXT: usize = 1 << 11;

/// Characters at which texts go wrong.
const LETTERS: [char; 20] =
    ['(', '[', '{', '$', '%', '@', '#', ':', '"', ',', '=', '0', 'é', '\0', '\n', '\r', '\t', '~', '|', '9'];

fn below(random: &mut Choices, limit: usize) -> usize {
    random.below(limit.max(1) as u32) as usize
}

/// Changes `bytes` in one to eight ways, near the front more often than elsewhere.
pub(crate) fn mutate(bytes: &mut Vec<u8>, random: &mut Choices) {
    // Many formats are texts, which errors repeat.
    let before = (bytes.len() <= TEXT).then(|| String::from_utf8_lossy(bytes).into_owned());
    for _ in 0..=below(random, 8) {
        let reach = if below(random, 2) == 0 { bytes.len().min(64) } else { bytes.len() };
        let at = below(random, reach);
        match below(random, 9) {
            0 => bytes.truncate(at),
            1 => bytes.extend(std::iter::repeat_n(random.next_u64() as u8, below(random, 600))),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => bytes.insert(at, random.next_u64() as u8),
            4 => {
                let end = (at + below(random, 32)).min(bytes.len());
                let part = bytes[at.min(end)..end].to_vec();
                let place = below(random, bytes.len());
                bytes.splice(place..place, part);
            }
            5 if at < bytes.len() => bytes[at] ^= 1 << below(random, 8),
            _ if at < bytes.len() => bytes[at] = EDGES[below(random, EDGES.len())],
            _ => {}
        }
    }
    if let Some(before) = before {
        reached::changed(&before, &String::from_utf8_lossy(bytes));
    }
}

/// A text with a few characters taken out, doubled, or made others.
pub(crate) fn mutate_text(text: &str, random: &mut Choices) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=below(random, 6) {
        let at = below(random, letters.len());
        let new = LETTERS[below(random, LETTERS.len())];
        match below(random, 6) {
            0 if at < letters.len() => drop(letters.remove(at)),
            1 if at < letters.len() => letters[at] = new,
            2 => letters.truncate(at),
            3 => {
                let end = (at + below(random, 12)).min(letters.len());
                let part = letters[at.min(end)..end].to_vec();
                let times = 1 << below(random, 6);
                letters.splice(at..at, part.repeat(times));
            }
            _ => letters.insert(at, new),
        }
    }
    let changed: String = letters.into_iter().collect();
    reached::changed(text, &changed);
    changed
}
