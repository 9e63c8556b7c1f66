//! Presses as words.

use cli::unexpected::Unexpected;
use nes::Buttons;

/// Frames that a text may have.
const MOST: usize = 1_000_000;

/// The buttons of each frame of a text: `left:20 . a+down:3`.
pub(super) fn frames(text: &str) -> Result<Vec<Buttons>, Unexpected> {
    let mut frames = Vec::new();
    for word in text.split_whitespace() {
        let (names, count) = word.split_once(':').unwrap_or((word, "1"));
        let wrong = || {
            let expected = Unexpected::new(
                "buttons of a, b, select, start, up, down, left, right, joined by +, or a dot, and perhaps : and a \
                 number of frames",
            );
            expected.at("presses").found(format!("`{word}`"))
        };
        let digits = !count.is_empty() && count.bytes().all(|digit| digit.is_ascii_digit());
        let count: usize = if digits { count.parse().map_err(|_| wrong())? } else { return Err(wrong()) };
        if frames.len().saturating_add(count) > MOST {
            let expected = Unexpected::new(format!("at most {MOST} frames")).at("presses");
            return Err(expected.found(format!("more at `{word}`")));
        }
        let held = match names {
            "." => Buttons::empty(),
            names if names.split('+').any(str::is_empty) => return Err(wrong()),
            names => nes_debug::buttons(names).ok_or_else(wrong)?,
        };
        frames.extend(std::iter::repeat_n(held, count));
    }
    Ok(frames)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_frames() {
        let held = frames("left:2 . A+Down").unwrap();
        assert_eq!(held, [Buttons::LEFT, Buttons::LEFT, Buttons::empty(), Buttons::A | Buttons::DOWN]);
        for wrong in ["lft", "left:", "left:x", "left:-1", "+", "left:99999999", ":3"] {
            assert!(frames(wrong).unwrap_err().to_string().contains(wrong), "{wrong}");
        }
    }
}
