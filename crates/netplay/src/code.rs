//! The code of a match: four words that the players tell each other, and keys that follow from it.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// Sounds of a word: consonant, vowel, consonant, vowel. 4,096 words are twelve bits.
const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
const VOWELS: &[u8; 4] = b"aiou";
/// Words of a code, and bits of a word.
const WORDS: u32 = 4;
const BITS: u32 = 12;
/// Bytes of the authentication of a message.
pub(crate) const TAG: usize = 8;

/// The code of a match, 48 bits: who knows it can join, and nobody else can speak in the match.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Code(u64);

/// The code of those who watch a match, 48 bits, which follows from the players' and not the
/// reverse: who knows it sees the match and cannot speak in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct WatchCode(u64);

/// What is no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected four words of the host, as bado-kimu-tapi-zolu")]
pub struct NoCode;

impl Code {
    /// The code of a random number, of which 48 bits count.
    pub fn new(random: u64) -> Self {
        Self(random & ((1 << (WORDS * BITS)) - 1))
    }

    /// Returns the code of those who watch.
    pub fn watch(self) -> WatchCode {
        WatchCode(digest(b"maxout watch ", self.0) & ((1 << (WORDS * BITS)) - 1))
    }

    /// Returns the number by which a room knows the match. The code does not follow from it.
    pub(crate) fn room(self) -> u64 {
        self.watch().room()
    }

    /// Returns what authenticates a message of side `own`, 0 or 1: one's own, sent back, is none
    /// of the other side.
    pub(crate) fn tag(self, own: u8, message: &[u8]) -> [u8; TAG] {
        tag(self.0, &[&[own], message])
    }

    /// Returns whether a tag is that of a message, in a time that does not tell where they differ.
    pub(crate) fn knows(self, own: u8, message: &[u8], tag: &[u8]) -> bool {
        are_equal(self.tag(own, message), tag)
    }
}

impl WatchCode {
    /// Returns the number by which a room knows the match. The code does not follow from it.
    pub(crate) fn room(self) -> u64 {
        digest(b"maxout room ", self.0)
    }

    /// Returns what authenticates a part of the match by its number.
    pub(crate) fn tag(self, part: u32, load: &[u8]) -> [u8; TAG] {
        tag(self.0, &[&part.to_be_bytes(), load])
    }

    /// Returns whether a tag is that of a part, in a time that does not tell where they differ.
    pub(crate) fn knows(self, part: u32, load: &[u8], tag: &[u8]) -> bool {
        are_equal(self.tag(part, load), tag)
    }
}

/// Returns the first eight bytes of a hash of a number, for one purpose.
fn digest(purpose: &[u8], number: u64) -> u64 {
    let digest = Sha256::digest([purpose, &number.to_be_bytes()].concat());
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    u64::from_be_bytes(first)
}

fn tag(key: u64, parts: &[&[u8]]) -> [u8; TAG] {
    // A key may be of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key.to_be_bytes()) else { return [0; TAG] };
    for part in parts {
        mac.update(part);
    }
    let mut tag = [0; TAG];
    tag.copy_from_slice(&mac.finalize().into_bytes()[..TAG]);
    tag
}

fn are_equal(expected: [u8; TAG], tag: &[u8]) -> bool {
    tag.len() == TAG && expected.iter().zip(tag).fold(0, |differs, (one, other)| differs | (one ^ other)) == 0
}

fn write_words(number: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for word in 0..WORDS {
        let bits = number >> (BITS * (WORDS - 1 - word));
        let sounds = [
            CONSONANTS[(bits >> 8 & 15) as usize],
            VOWELS[(bits >> 6 & 3) as usize],
            CONSONANTS[(bits >> 2 & 15) as usize],
            VOWELS[(bits & 3) as usize],
        ];
        let dash = if word == 0 { "" } else { "-" };
        write!(f, "{dash}{}", sounds.map(char::from).iter().collect::<String>())?;
    }
    Ok(())
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_words(self.0, f)
    }
}

impl fmt::Display for WatchCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_words(self.0, f)
    }
}

impl fmt::Debug for WatchCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WatchCode(…)")
    }
}

/// The code is a secret.
impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}

impl FromStr for Code {
    type Err = NoCode;

    fn from_str(text: &str) -> Result<Self, NoCode> {
        of_words(text).map(Self)
    }
}

impl FromStr for WatchCode {
    type Err = NoCode;

    fn from_str(text: &str) -> Result<Self, NoCode> {
        of_words(text).map(Self)
    }
}

fn of_words(text: &str) -> Result<u64, NoCode> {
    let words: Vec<&str> = text.split(['-', ' ']).filter(|word| !word.is_empty()).collect();
    if words.len() != WORDS as usize {
        return Err(NoCode);
    }
    words.into_iter().try_fold(0, |bits, word| Some(bits << BITS | of_word(word)?)).ok_or(NoCode)
}

fn of_word(word: &str) -> Option<u64> {
    let word = word.to_ascii_lowercase();
    let &[one, two, three, four] = word.as_bytes() else { return None };
    let of = |sounds: &[u8], sound: u8| sounds.iter().position(|known| *known == sound).map(|at| at as u64);
    let [one, two] = [of(CONSONANTS, one)?, of(VOWELS, two)?];
    let [three, four] = [of(CONSONANTS, three)?, of(VOWELS, four)?];
    Some(one << 8 | two << 6 | three << 2 | four)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_words_are_read_as_they_are_said() {
        let mut random = 0x0123_4567_89AB_CDEF_u64;
        for _ in 0..1_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let code = Code::new(random);
            assert_eq!(code.to_string().parse(), Ok(code));
            assert_eq!(code.to_string().replace('-', " ").to_uppercase().parse(), Ok(code));
            assert_eq!(code.to_string().len(), 19);
        }
        for text in ["", "bado-kimu-tapi", "bado-kimu-tapi-zolu-bado", "bado-kimu-tapi-zole", "192.0.2.7"] {
            assert_eq!(text.parse::<Code>(), Err(NoCode), "{text}");
        }
        assert_eq!(format!("{:?}", Code::new(1)), "Code(…)");
        // The example that messages and documents give is one.
        let message = NoCode.to_string();
        let (_, example) = message.split_once("as ").unwrap();
        assert_eq!(example.parse::<Code>().map(|code| code.to_string()), Ok(example.to_owned()));
    }

    #[test]
    fn a_message_is_known_by_its_code_and_its_side() {
        let (code, other) = (Code::new(7), Code::new(8));
        let tag = code.tag(0, b"message");
        assert!(code.knows(0, b"message", &tag));
        assert!(!code.knows(1, b"message", &tag) && !other.knows(0, b"message", &tag));
        assert!(!code.knows(0, b"messagf", &tag) && !code.knows(0, b"message", &tag[..7]));
        assert_ne!(code.room(), other.room());
    }

    #[test]
    fn who_watches_finds_the_room_and_cannot_speak_as_a_player() {
        let code = Code::new(7);
        let watch: WatchCode = code.watch().to_string().parse().unwrap();
        assert_eq!((watch, watch.room()), (code.watch(), code.room()));
        assert_ne!(watch.to_string(), code.to_string());
        let tag = watch.tag(3, b"part");
        assert!(watch.knows(3, b"part", &tag));
        assert!(!watch.knows(4, b"part", &tag) && !Code::new(8).watch().knows(3, b"part", &tag));
        let as_code: Code = watch.to_string().parse().unwrap();
        assert!(!code.knows(0, b"message", &as_code.tag(0, b"message")));
        assert_eq!(format!("{watch:?}"), "WatchCode(…)");
    }
}
