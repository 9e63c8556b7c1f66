//! The file of a match: rules and buttons, from which anybody can play it again, and hashes that
//! the copy has to come to.
//!
//! A head of lines of text, as `kind chase-down`, ends with an empty line. Behind it lies, packed
//! as by zlib, what both players held: for each player runs of frames, a number in groups of seven
//! bits and the buttons; then a hash for every ten seconds.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::str::FromStr;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use nes::Cartridge;
use randomizers::Kind;
use tetris::Profile;

use super::duel::{Both, Standing};
use super::series::{GameResult, Match, MatchKind, MatchRules};
use super::verification::Verification;

/// Frames between two hashes.
pub(super) const MARKED: u64 = 600;
/// Frames of a match, at most: five hours.
const MOST_FRAMES: u64 = 5 * 60 * 60 * 60;
/// Letters of a name, and games, at most.
const LONGEST_NAME: usize = 40;
const MOST_RESULTS: usize = 1_000;
/// The first line.
const TITLE: &str = "maxout-match 1";

/// What the file of a match says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchHeader {
    /// CRC32 of the cartridge.
    pub cartridge: u32,
    /// What was played.
    pub rules: MatchRules,
    /// The players' names, the host's first; empty where there are none.
    pub names: [String; 2],
    /// Whose file it is: 0 the host's, 1 the guest's.
    pub own: usize,
    /// When it began, in seconds since 1970.
    pub begun: u64,
    /// Frames, and the hash of the match after them.
    pub frames: u64,
    /// See `frames`.
    pub hash: u64,
    /// The last frame after which the other side has told the same hash; 0 for none.
    pub agreed: u64,
    /// How the games ended.
    pub results: Vec<GameResult>,
}

/// The file of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchFile {
    /// What it says of it.
    pub header: MatchHeader,
    /// What both held, frame by frame.
    pub buttons: Vec<[u8; 2]>,
    /// The hash of the match after every 600 frames.
    pub marks: Vec<u64>,
}

/// Why a file is none of a match, or not what it says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// It is no such file.
    #[error("not a file of a match: expected the line {TITLE:?} first")]
    Foreign,
    /// A line is not understood, or is missing.
    #[error("{0}: not understood, or missing")]
    Line(&'static str),
    /// What both held is not whole.
    #[error("the buttons of the match are not whole")]
    Buttons,
    /// It was played on another cartridge.
    #[error("played on another cartridge: its CRC32 is {expected:08X}, found {found:08X}")]
    Cartridge {
        /// CRC32 of the file's.
        expected: u32,
        /// CRC32 of the one at hand.
        found: u32,
    },
    /// The cartridge leads to no game.
    #[error("this cartridge's menus did not lead to a game")]
    NoGame,
    /// The copy comes to another state.
    #[error(
        "the match differs: after frame {frame} the file says {expected:016x}, and replaying it gives {found:016x}"
    )]
    Differs {
        /// The first frame at which it was seen.
        frame: u64,
        /// The file's hash.
        expected: u64,
        /// The copy's hash.
        found: u64,
    },
    /// The copy comes to other results.
    #[error("the results differ: the file says {expected}, and replaying it gives {found}")]
    Results {
        /// The file's.
        expected: String,
        /// The copy's.
        found: String,
    },
}

/// Takes in a match frame by frame.
#[derive(Clone, Debug, Default)]
pub struct MatchRecorder {
    buttons: Vec<[u8; 2]>,
    marks: Vec<u64>,
}

impl MatchRecorder {
    /// The match has run a frame in which these buttons were held.
    pub fn push(&mut self, buttons: [u8; 2], after: &Match) {
        if self.frames() >= MOST_FRAMES {
            return;
        }
        self.buttons.push(buttons);
        if self.frames().is_multiple_of(MARKED) {
            self.marks.push(after.hash());
        }
    }

    /// Returns how many frames there are.
    pub fn frames(&self) -> u64 {
        self.buttons.len() as u64
    }

    /// Returns the file of the match that has come to `now`. Frames, hash, rules and results of
    /// `header` are taken from there.
    pub fn file(&self, header: MatchHeader, now: &Match) -> MatchFile {
        let (frames, hash) = (self.frames(), now.hash());
        let results = now.results().iter().copied().take(MOST_RESULTS).collect();
        let header = MatchHeader { frames, hash, results, rules: *now.rules(), ..header };
        MatchFile { header, buttons: self.buttons.clone(), marks: self.marks.clone() }
    }
}

impl MatchFile {
    /// How the names of such files end.
    pub const EXTENSION: &str = "mxmatch";

    /// Returns its bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        // Writing into memory does not fail.
        let _ = packer.write_all(&self.body());
        let body = packer.finish().unwrap_or_default();
        [self.head().into_bytes(), body].concat()
    }

    fn head(&self) -> String {
        let MatchHeader { cartridge, rules, names, own, begun, frames, hash, agreed, results } = &self.header;
        let MatchRules { kind, best_of, level, dealer, seed } = rules;
        let mut text = format!(
            "{TITLE}\ncartridge {cartridge:08X}\nkind {kind}\nbest-of {best_of}\nlevel {level}\ndealer {dealer}\n\
             seed {seed}\nown {own}\nbegun {begun}\nframes {frames}\nhash {hash:016x}\nagreed {agreed}\n"
        );
        // Writing into a string does not fail.
        for name in names {
            let _ = writeln!(text, "name {}", plain(name));
        }
        for result in results {
            let _ = writeln!(text, "result {}", written(result));
        }
        text + "\n"
    }

    fn body(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for player in [0, 1] {
            for run in self.buttons.chunk_by(|one, two| one[player] == two[player]) {
                let mut count = run.len();
                while count >= 0x80 {
                    bytes.push(count as u8 | 0x80);
                    count >>= 7;
                }
                bytes.extend([count as u8, run[0][player]]);
            }
        }
        bytes.extend(self.marks.iter().flat_map(|mark| mark.to_be_bytes()));
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, MatchError> {
        if !bytes.starts_with(TITLE.as_bytes()) {
            return Err(MatchError::Foreign);
        }
        let end = bytes.windows(2).position(|pair| pair == b"\n\n").ok_or(MatchError::Buttons)?;
        let head = std::str::from_utf8(&bytes[..end]).map_err(|_| MatchError::Line("head"))?;
        let header = read_head(head)?;
        let marks = header.frames / MARKED;
        // A run is at least two bytes for a frame of one player.
        let most = 4 * header.frames + 8 * marks;
        let mut body = Vec::new();
        let unpacked = ZlibDecoder::new(&bytes[end + 2..]).take(most + 1).read_to_end(&mut body);
        if unpacked.is_err() || body.len() as u64 > most {
            return Err(MatchError::Buttons);
        }
        let mut rest = &body[..];
        let one = read_runs(&mut rest, header.frames)?;
        let two = read_runs(&mut rest, header.frames)?;
        let marks: Vec<u64> = rest.as_chunks().0.iter().map(|mark| u64::from_be_bytes(*mark)).collect();
        if 8 * marks.len() != rest.len() || marks.len() as u64 != header.frames / MARKED {
            return Err(MatchError::Buttons);
        }
        let buttons = one.into_iter().zip(two).map(|(one, two)| [one, two]).collect();
        Ok(Self { header, buttons, marks })
    }

    /// Plays the match again on `cartridge`, of `profile`, and compares every hash and all results.
    ///
    /// # Errors
    /// What differs.
    pub fn verify(&self, cartridge: &Cartridge, profile: &Profile, both: Both<'_>) -> Result<(), MatchError> {
        let mut verification = Verification::begin(self, cartridge, profile)?;
        while !verification.step(both)? {}
        Ok(())
    }
}

/// One line of text.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect()
}

/// The winner, then of both score, lines and whether they topped out.
pub(super) fn written(GameResult { winner, standings }: &GameResult) -> String {
    let winner = winner.map_or("none".to_owned(), |winner| winner.to_string());
    let of = |Standing { is_out, score, lines }: Standing| format!("{score} {lines} {}", u8::from(is_out));
    let [one, two] = standings.map(of);
    format!("{winner} {one} {two}")
}

fn read_result(text: &str) -> Option<GameResult> {
    let words: Vec<&str> = text.split(' ').collect();
    let [winner, ref numbers @ ..] = words[..] else { return None };
    let numbers: Vec<u32> = numbers.iter().map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [score, lines, out, other_score, other_lines, other_out] = numbers[..] else { return None };
    let winner = match winner {
        "none" => None,
        number => Some(number.parse().ok().filter(|winner| *winner < 2)?),
    };
    let one = Standing { is_out: out != 0, score, lines };
    let two = Standing { is_out: other_out != 0, score: other_score, lines: other_lines };
    Some(GameResult { winner, standings: [one, two] })
}

/// Reads the value of a line.
fn read<T: FromStr>(name: &'static str, text: &str) -> Result<T, MatchError> {
    text.parse().map_err(|_| MatchError::Line(name))
}

fn read_head(head: &str) -> Result<MatchHeader, MatchError> {
    let lines: Vec<(&str, &str)> = head.lines().filter_map(|line| line.split_once(' ')).collect();
    let all =
        |name: &'static str| lines.iter().filter(move |(known, _)| *known == name).map(|(_, value)| *value);
    let text = |name: &'static str| all(name).next().ok_or(MatchError::Line(name));
    let hex = |name: &'static str| u64::from_str_radix(text(name)?, 16).map_err(|_| MatchError::Line(name));
    let names: Vec<String> = all("name").map(plain).collect();
    let results = all("result").map(read_result).collect::<Option<Vec<_>>>();
    let header = MatchHeader {
        cartridge: u32::try_from(hex("cartridge")?).map_err(|_| MatchError::Line("cartridge"))?,
        rules: MatchRules {
            kind: read::<MatchKind>("kind", text("kind")?)?,
            best_of: read("best-of", text("best-of")?)?,
            level: read("level", text("level")?)?,
            dealer: read::<Kind>("dealer", text("dealer")?)?,
            seed: read("seed", text("seed")?)?,
        },
        names: names.try_into().map_err(|_| MatchError::Line("name"))?,
        own: read("own", text("own")?)?,
        begun: read("begun", text("begun")?)?,
        frames: read("frames", text("frames")?)?,
        hash: hex("hash")?,
        agreed: read("agreed", text("agreed")?)?,
        results: results.ok_or(MatchError::Line("result"))?,
    };
    let bounds = [
        ("frames", header.frames <= MOST_FRAMES),
        ("result", header.results.len() <= MOST_RESULTS),
        ("own", header.own < 2),
        ("level", header.rules.level < 20),
        ("best-of", header.rules.best_of > 0),
    ];
    match bounds.into_iter().find(|(_, fits)| !fits) {
        Some((name, _)) => Err(MatchError::Line(name)),
        None => Ok(header),
    }
}

/// Reads runs of buttons for so many frames.
fn read_runs(rest: &mut &[u8], frames: u64) -> Result<Vec<u8>, MatchError> {
    let mut buttons = Vec::new();
    let mut next = || -> Result<u8, MatchError> {
        let (&byte, after) = rest.split_first().ok_or(MatchError::Buttons)?;
        *rest = after;
        Ok(byte)
    };
    while (buttons.len() as u64) < frames {
        let (mut count, mut shift) = (0_u64, 0);
        loop {
            let byte = next()?;
            count |= u64::from(byte & 0x7F) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
            if shift > 28 {
                return Err(MatchError::Buttons);
            }
        }
        let held = next()?;
        if count == 0 || buttons.len() as u64 + count > frames {
            return Err(MatchError::Buttons);
        }
        buttons.resize(buttons.len() + count as usize, held);
    }
    Ok(buttons)
}

#[cfg(test)]
mod tests {
    use tetris::SplitMix64;

    use super::super::series::tests::{IMAGES, play_to_the_end, played};
    use super::*;

    const ONE_BY_ONE: Both<'static> = &|one, two| {
        one();
        two();
    };

    fn header() -> MatchHeader {
        MatchHeader {
            cartridge: 0,
            rules: MatchRules { kind: MatchKind::Score, best_of: 1, level: 0, dealer: Kind::Nes, seed: 0 },
            names: ["Ada".into(), "Ben\u{1b}[31m\n".into()],
            own: 1,
            begun: 1_700_000_000,
            frames: 0,
            hash: 0,
            agreed: 30,
            results: Vec::new(),
        }
    }

    /// A match of one game, its file, and what it was played on.
    fn kept(image: &[u8], kind: MatchKind) -> (MatchFile, Cartridge, Profile) {
        let cartridge = Cartridge::from_bytes(image).unwrap();
        let profile = Profile::of_image(image).unwrap();
        let (mut game, mut recorder) = (played(image, 0, kind, 3), MatchRecorder::default());
        play_to_the_end(&mut game, |buttons, after| recorder.push(buttons, after));
        let header = MatchHeader { cartridge: cartridge.crc32(), ..header() };
        (recorder.file(header, &game), cartridge, profile)
    }

    #[test]
    fn a_match_is_read_as_it_was_written_and_plays_again_bit_by_bit() {
        for image in IMAGES {
            for kind in [MatchKind::ChaseDown, MatchKind::Garbage] {
                let (file, cartridge, profile) = kept(image, kind);
                let bytes = file.bytes();
                let mut read = MatchFile::read(&bytes).unwrap();
                assert_eq!(read.header.names, ["Ada", "Ben[31m"]);
                read.header.names.clone_from(&file.header.names);
                assert_eq!(read, file);
                assert!(!file.marks.is_empty() && file.header.results.len() == 1, "{:?}", file.header);
                assert_eq!(read.verify(&cartridge, &profile, ONE_BY_ONE), Ok(()));
            }
        }
    }

    /// Both change what they hold twelve times a second, as the fastest hands do.
    #[test]
    fn ten_minutes_of_busy_hands_take_less_than_forty_kilobytes() {
        let (mut file, ..) = kept(IMAGES[0], MatchKind::Score);
        let mut random = SplitMix64::new(7);
        let mut held = [0; 2];
        file.buttons = (0..36_000)
            .map(|_| {
                for held in &mut held {
                    if random.one_in(5) {
                        *held = [0, 1, 2, 4, 64, 128, 65, 130][random.below(8) as usize];
                    }
                }
                held
            })
            .collect();
        file.header.frames = 36_000;
        file.marks = (0..60).map(|_| random.next_u64()).collect();
        let bytes = file.bytes();
        println!("{} bytes", bytes.len());
        assert!(bytes.len() < 40_000, "{} bytes", bytes.len());
        assert_eq!(MatchFile::read(&bytes).unwrap().buttons, file.buttons);
    }

    #[test]
    fn what_was_changed_is_found() {
        let (file, cartridge, profile) = kept(IMAGES[0], MatchKind::Score);
        let verify = |file: &MatchFile| file.verify(&cartridge, &profile, ONE_BY_ONE);
        let mut other = file.clone();
        let at = other.buttons.len() / 2;
        other.buttons[at][1] ^= 0x80;
        assert!(matches!(verify(&other), Err(MatchError::Differs { .. })), "{:?}", verify(&other));
        let mut other = file.clone();
        other.header.results[0].standings[0].score += 1;
        assert!(matches!(verify(&other), Err(MatchError::Results { .. })));
        let mut other = file.clone();
        other.header.hash ^= 1;
        assert!(
            matches!(verify(&other), Err(MatchError::Differs { frame, .. }) if frame == file.header.frames)
        );
        let mut other = file.clone();
        other.header.rules.seed += 1;
        assert!(matches!(verify(&other), Err(MatchError::Differs { frame: 600, .. })));
        let mut other = file.clone();
        other.header.cartridge ^= 1;
        assert!(matches!(verify(&other), Err(MatchError::Cartridge { .. })));
    }

    #[test]
    fn bytes_that_are_no_match_are_refused() {
        let (file, ..) = kept(IMAGES[0], MatchKind::Garbage);
        let bytes = file.bytes();
        for length in (0..bytes.len()).step_by(7) {
            assert!(MatchFile::read(&bytes[..length]).is_err(), "{length} bytes");
        }
        let text = file.head();
        for (line, other) in [
            ("frames ", "frames 99999999999"),
            ("own ", "own 2"),
            ("kind ", "kind chess"),
            ("result ", "result 3 0 0 0 0 0 0"),
            ("best-of ", "best-of 0"),
            ("name ", "nome x"),
        ] {
            let lines = text.lines().map(|known| if known.starts_with(line) { other } else { known });
            let head = lines.collect::<Vec<_>>().join("\n") + "\n\n";
            assert!(MatchFile::read(head.as_bytes()).is_err(), "{other}");
        }
        assert_eq!(MatchFile::read(b"PNG"), Err(MatchError::Foreign));
    }
}
