//! Words of other programs, before anyone sees them.

/// Letters of a text of another program that are shown, at most.
const LONGEST: usize = 200;

/// Returns what another program says as one line of at most 200 letters. Control characters, with
/// which it could command a terminal or forge a line of a log, become spaces.
pub(crate) fn plain(words: &str) -> String {
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    words.chars().take(LONGEST).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_others_are_one_short_line_without_commands() {
        assert_eq!(plain("no such scene"), "no such scene");
        assert_eq!(plain("a\x1b]0;owned\x07\r\nerror: b\u{9b}"), "a ]0;owned   error: b ");
        assert_eq!(plain(&"é".repeat(900)).chars().count(), 200);
    }
}
