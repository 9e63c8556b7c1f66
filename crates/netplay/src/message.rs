//! What the two sides say to each other. Each message is whole by itself: any may be lost, doubled
//! or late.

/// What a player is called: at most 24 bytes of text.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Name([u8; NAME]);

/// Bytes of a name.
const NAME: usize = 24;

impl Name {
    /// No name.
    pub const EMPTY: Self = Self([0; NAME]);

    /// Returns as much of a text as fits, without control characters and spaces around it.
    pub fn new(text: &str) -> Self {
        let shown: String = text.chars().filter(|letter| !letter.is_control()).collect();
        let shown = shown.trim();
        let ends = shown.char_indices().map(|(at, letter)| at + letter.len_utf8());
        let end = ends.take_while(|end| *end <= NAME).last().unwrap_or(0);
        let mut bytes = [0; NAME];
        for (byte, of_text) in bytes.iter_mut().zip(shown[..end].trim_end().bytes()) {
            *byte = of_text;
        }
        Self(bytes)
    }

    /// Returns the text; bytes of the other side that are none become `�`.
    pub fn text(&self) -> String {
        let length = self.0.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        String::from_utf8_lossy(&self.0[..length]).chars().filter(|letter| !letter.is_control()).collect()
    }

    fn read(bytes: &[u8]) -> Result<Self, MessageError> {
        let text = String::from_utf8_lossy(bytes);
        let name = Self::new(text.trim_end_matches('\0'));
        if bytes.len() == NAME { Ok(name) } else { Err(MessageError::Length) }
    }
}

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.text().fmt(f)
    }
}

/// What both sides have to agree upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// CRC32 of the cartridge.
    pub cartridge: u32,
    /// Hash of the state in which the match begins: the seed, the level, everything.
    pub beginning: u64,
}

/// What is played: the host says, and the guest begins alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// CRC32 of the cartridge.
    pub cartridge: u32,
    /// Start level of both.
    pub level: u8,
    /// What deals the pieces, by a number that both know.
    pub dealer: u8,
    /// The seed of the pieces, and of all else.
    pub seed: u32,
    /// What decides a game, and the lines that it asks for, by numbers that both know.
    pub kind: (u8, u16),
    /// Games; more than half win the match.
    pub best_of: u8,
    /// What the host is called.
    pub name: Name,
    /// The number of the match, at random. Who does not know it cannot speak in the match.
    pub number: u64,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A guest asks what is played, until the answer has come, and chooses a number by which it
    /// knows the answer.
    Knock(u64),
    /// What is played.
    Invite(Rules),
    /// The host plays with another guest: the answer to the knock of this number.
    Busy(u64),
    /// The host listens to those alone who know its code: the answer to the knock of this number.
    Locked(u64),
    /// What I play, in the match of this number, and what I am called. Sent until the other side's
    /// has come.
    Hello(u64, Terms, Name),
    /// Buttons of a player, frame by frame.
    Buttons {
        /// The number of the match, so that nothing of a stranger or of another match is taken.
        number: u64,
        /// Frames of the other side's buttons that have come without a gap.
        received: u64,
        /// The frame of the first of `buttons`.
        first: u64,
        /// Those which the other side has not confirmed.
        buttons: Vec<u8>,
        /// A frame that is certain, and the hash of the game after it.
        certain: (u64, u64),
    },
    /// The match of this number is over for me.
    Bye(u64),
}

/// Why bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// Not ours at all.
    #[error("expected a message of a Maxout match")]
    Foreign,
    /// Of another version.
    #[error("expected version {VERSION} of the match protocol, found {0}: both sides need the same Maxout")]
    Version(u8),
    /// Ours, but not whole, or with too much.
    #[error("a message of a Maxout match that is not whole")]
    Length,
}

const MAGIC: [u8; 4] = *b"MXNP";
/// The protocol's version.
const VERSION: u8 = 3;
/// Frames of buttons in a message, at most.
pub(super) const MOST: usize = 128;

impl Message {
    /// The message as bytes, at most 200.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &[VERSION]].concat();
        match self {
            Self::Hello(number, Terms { cartridge, beginning }, name) => {
                bytes.push(0);
                bytes.extend(number.to_be_bytes());
                bytes.extend(cartridge.to_be_bytes());
                bytes.extend(beginning.to_be_bytes());
                bytes.extend(name.0);
            }
            Self::Buttons { number, received, first, buttons, certain: (frame, hash) } => {
                bytes.push(1);
                for number in [number, received, first, frame, hash] {
                    bytes.extend(number.to_be_bytes());
                }
                bytes.extend(&buttons[..buttons.len().min(MOST)]);
            }
            Self::Bye(number) => {
                bytes.push(2);
                bytes.extend(number.to_be_bytes());
            }
            Self::Knock(own) => {
                bytes.push(3);
                bytes.extend(own.to_be_bytes());
            }
            Self::Busy(own) => {
                bytes.push(5);
                bytes.extend(own.to_be_bytes());
            }
            Self::Locked(own) => {
                bytes.push(6);
                bytes.extend(own.to_be_bytes());
            }
            Self::Invite(Rules { cartridge, level, dealer, seed, number, kind, best_of, name }) => {
                bytes.push(4);
                bytes.extend(cartridge.to_be_bytes());
                bytes.extend([*level, *dealer]);
                bytes.extend(seed.to_be_bytes());
                bytes.extend(number.to_be_bytes());
                bytes.extend([kind.0, *best_of]);
                bytes.extend(kind.1.to_be_bytes());
                bytes.extend(name.0);
            }
        }
        bytes
    }

    /// Reads a message.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, MessageError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(MessageError::Foreign)?;
        let (&version, rest) = rest.split_first().ok_or(MessageError::Length)?;
        if version != VERSION {
            return Err(MessageError::Version(version));
        }
        let (&kind, rest) = rest.split_first().ok_or(MessageError::Length)?;
        match (kind, rest.len()) {
            (0, 44) => {
                let terms = Terms { cartridge: word(&rest[8..12])?, beginning: number(&rest[12..], 0)? };
                Ok(Self::Hello(number(rest, 0)?, terms, Name::read(&rest[20..])?))
            }
            (1, 40..) if rest.len() <= 40 + MOST => Ok(Self::Buttons {
                number: number(rest, 0)?,
                received: number(rest, 1)?,
                first: number(rest, 2)?,
                buttons: rest[40..].to_vec(),
                certain: (number(rest, 3)?, number(rest, 4)?),
            }),
            (2, 8) => Ok(Self::Bye(number(rest, 0)?)),
            (3, 8) => Ok(Self::Knock(number(rest, 0)?)),
            (5, 8) => Ok(Self::Busy(number(rest, 0)?)),
            (6, 8) => Ok(Self::Locked(number(rest, 0)?)),
            (4, 46) => Ok(Self::Invite(Rules {
                cartridge: word(&rest[..4])?,
                level: rest[4],
                dealer: rest[5],
                seed: word(&rest[6..10])?,
                number: number(&rest[10..], 0)?,
                kind: (rest[18], u16::from_be_bytes([rest[20], rest[21]])),
                best_of: rest[19],
                name: Name::read(&rest[22..])?,
            })),
            (0..=6, _) => Err(MessageError::Length),
            _ => Err(MessageError::Foreign),
        }
    }
}

fn word(bytes: &[u8]) -> Result<u32, MessageError> {
    bytes.try_into().map(u32::from_be_bytes).map_err(|_| MessageError::Length)
}

fn number(bytes: &[u8], index: usize) -> Result<u64, MessageError> {
    let word = bytes.get(8 * index..8 * index + 8).and_then(|word| word.try_into().ok());
    word.map(u64::from_be_bytes).ok_or(MessageError::Length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Found by `cargo xtask fuzz --target network --seed 770000470`.
    #[test]
    fn a_name_is_the_same_when_it_is_read_again() {
        for text in
            ["\u{1} @", "  Ada \u{7f} ", "23 letters and a space  ..", "éééééé éééé é é", "\u{fffd}", "\t"]
        {
            let name = Name::new(text);
            assert_eq!(Name::new(&name.text()), name, "{text:?}");
            assert_eq!(Name::read(&name.0), Ok(name), "{text:?}");
        }
    }
}
