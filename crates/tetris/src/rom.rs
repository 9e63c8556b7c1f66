//! What the model has to know of a cartridge: its data, and how long it takes to draw.

use crate::kill_screen::Timing;
use crate::profile::roms_of;
use crate::rules::{HighScores, Pace};
use crate::{Profile, Release, hooks};

/// Address of the demo's recording: pairs of buttons and frames.
pub(crate) const DEMO_BUTTONS: u16 = 0xDD00;
/// Address of the demo's pieces, one a byte in bits 4–6. It ends the recording.
pub(crate) const DEMO_PIECES: u16 = 0xDF00;

/// Rows of a lock that are looked up: four of its own, and what resets have left.
const MOST_ROWS: usize = 16;

/// Data and durations of a cartridge that the model plays by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rom {
    /// The demo's recording, `$DD00` to `$DEFF`.
    pub demo_buttons: [u8; 0x200],
    /// The demo's pieces, `$DF00` to `$DFFF`.
    pub demo_pieces: [u8; 0x100],
    /// What the demo finds at `$0000` to `$0007` while its recording has not been wound back since
    /// power-on.
    pub demo_unset: [u8; 8],
    /// The table of a cold reset.
    pub high_scores: HighScores,
    /// What stands on the screen as the level, by level: two digits, and other things from level 30
    /// on.
    pub level_digits: [u8; 256],
    /// Rows of garbage that a lock is worth, by rows completed. A reset during the animation of a
    /// clear leaves its rows to the next lock, so that more than four are looked up: behind the
    /// table lies program, which the game takes for numbers.
    pub garbage: [u8; MOST_ROWS],
    /// What the rows of a lock are worth a level: BCD, low byte first. The same goes for more than
    /// four.
    pub points: [[u8; 2]; MOST_ROWS],
    /// Whether the loop that adds points ends where the score reaches its limit. What more than
    /// four rows look up can bring it down again in a loop that goes on.
    pub limit_ends_points: bool,
    /// Scanlines on which the rockets of the A-type endings stand.
    pub rockets: [u8; 5],
    /// Who passes in the B-type's endings.
    pub parade: Parade,
    /// Frames from power-on until RAM is cleared and set up, the first being 1.
    pub boot_frames: u8,
    /// Screens.
    pub dark_frames: DarkFrames,
    /// How fast pieces fall and shift by themselves.
    pub pace: Pace,
    /// How long a lock takes, of a cartridge that its points make late at high levels; `None` of
    /// one that is never late.
    pub timing: Option<&'static Timing>,
}

/// Frames without an interrupt while a screen is drawn: from the interrupt that the picture goes
/// off with, to the one that it comes on with. Pairs are A-type and B-type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DarkFrames {
    /// The empty screen after a reset.
    pub blank: u8,
    /// The legal screen.
    pub legal: u8,
    /// The title.
    pub title: u8,
    /// The first menu.
    pub type_menu: u8,
    /// The second menu.
    pub level_menu: [u8; 2],
    /// The screen of a game.
    pub game: [u8; 2],
    /// The name of a high score.
    pub name_entry: [u8; 2],
    /// The five A-type endings, by points.
    pub ending_a: [u8; 5],
    /// The B-type's ending.
    pub ending_b: u8,
}

impl DarkFrames {
    /// Those of the built-in cartridge, measured; the parity test holds them.
    pub const MAXOUT: Self = Self {
        blank: 1,
        legal: 1,
        title: 2,
        type_menu: 3,
        level_menu: [3, 3],
        game: [4, 4],
        name_entry: [3, 3],
        ending_a: [2, 2, 2, 2, 2],
        ending_b: 2,
    };
    /// Those of its PAL build, whose frames have more cycles, measured; the parity test holds them.
    pub const MAXOUT_PAL: Self = Self { ending_a: [1; 5], ..Self::MAXOUT };
    /// Those of the US cartridge, measured; the traces hold them.
    pub const US: Self = Self {
        blank: 1,
        legal: 0,
        title: 0,
        type_menu: 0,
        level_menu: [1, 1],
        game: [0, 0],
        name_entry: [1, 1],
        ending_a: [0; 5],
        ending_b: 0,
    };
}

/// Tables of the B-type's parade, ten bytes each by the level's last digit, then six columns for
/// each: a level that is shown as another digit, from 31 on, reads the table behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parade([u8; Self::BYTES]);

impl Parade {
    /// Bytes of the tables.
    pub const BYTES: usize = 5 * 10 + 96;
    /// Frames of each of two pictures.
    pub(crate) const PICTURE_FRAMES: usize = 0;
    /// Frames of a step.
    pub(crate) const DELAY: usize = 10;
    /// The column in which one comes in.
    pub(crate) const START: usize = 20;
    /// The column that stands for none.
    pub(crate) const ABSENT: usize = 30;
    /// Columns of a step.
    pub(crate) const STEP: usize = 40;
    const TURNS: usize = 50;

    /// The parade whose tables these are.
    pub const fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    /// The byte for `level` of a table.
    pub(crate) fn byte(&self, table: usize, level: u8) -> u8 {
        self.0.get(table + usize::from(level)).copied().unwrap_or(0)
    }

    /// The column in which the next of them starts.
    pub(crate) fn turn(&self, level: u8, one: u8) -> u8 {
        let turn = level.wrapping_mul(6).wrapping_add(one);
        self.0.get(Self::TURNS + usize::from(turn)).copied().unwrap_or(0)
    }

    /// The US cartridge's, measured.
    const US: Self = Self([
        2, 4, 6, 3, 16, 3, 5, 6, 2, 5, // frames of a picture
        3, 1, 1, 1, 2, 5, 1, 2, 1, 1, // frames of a step
        2, 2, 254, 254, 2, 254, 2, 2, 254, 2, // start
        0, 0, 0, 2, 240, 16, 240, 240, 32, 240, // absent
        1, 1, 255, 252, 1, 255, 2, 2, 254, 2, // step
        0x3A, 0x24, 0x0A, 0x4A, 0x3A, 0xFF, // turns of level 0
        0x22, 0x44, 0x12, 0x32, 0x4A, 0xFF, //
        0xAE, 0x6E, 0x8E, 0x6E, 0x1E, 0x02, //
        0x42, 0x42, 0x42, 0x42, 0x42, 0x02, //
        0x22, 0x0A, 0x1A, 0x04, 0x0A, 0xFF, //
        0xEE, 0xDE, 0xFC, 0xFC, 0xF6, 0x02, //
        0x80, 0x80, 0x80, 0x80, 0x80, 0xFF, //
        0xE8, 0xE8, 0xE8, 0xE8, 0x48, 0xFF, //
        0x80, 0xAE, 0x9E, 0x90, 0x80, 0x02, //
        0x80, 0x80, 0x80, 0x80, 0x80, 0xFF, //
        0x98, 0xA8, 0xC0, 0xA8, 0x90, 0xB0, // and of the digits beyond 9
        0xB0, 0xB8, 0xA0, 0xB8, 0xA8, 0xA0, //
        0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, //
        0x30, 0x20, 0x40, 0x28, 0xA0, 0x80, //
        0xA8, 0x88, 0x68, 0xA8, 0x48, 0x78, //
        0x58, 0x68, 0x18, 0x48, 0x78, 0x38, //
    ]);
}

/// The built-in cartridge's image, from which its data is taken.
const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");
/// Where it has its table of high scores.
pub(crate) const BUILT_IN_HIGH_SCORES: u16 = 0xBD6D;
/// Bytes before PRG-ROM.
const HEADER: usize = 16;
/// Address of the level's digits.
const LEVEL_DIGITS: usize = 0x96B8;
/// Address of the rows of garbage, by rows completed.
const GARBAGE: usize = 0x9B53;
/// Address of the points, by rows completed.
const POINTS: usize = 0x9CA5;

impl Rom {
    /// The built-in cartridge.
    pub const MAXOUT: Self = Self {
        demo_buttons: bytes_at(IMAGE, HEADER + DEMO_BUTTONS as usize - 0x8000),
        demo_pieces: bytes_at(IMAGE, HEADER + DEMO_PIECES as usize - 0x8000),
        demo_unset: [0; 8],
        high_scores: HighScores::from_bytes(&bytes_at(
            IMAGE,
            HEADER + BUILT_IN_HIGH_SCORES as usize - 0x8000,
        )),
        level_digits: bytes_at(IMAGE, HEADER + LEVEL_DIGITS - 0x8000),
        garbage: bytes_at(IMAGE, HEADER + GARBAGE - 0x8000),
        points: words(&bytes_at(IMAGE, HEADER + POINTS - 0x8000)),
        limit_ends_points: true,
        rockets: [0xBF, 0xBF, 0xBF, 0xBF, 0xC7],
        parade: Parade::US,
        boot_frames: 3,
        dark_frames: DarkFrames::MAXOUT,
        pace: Pace::NTSC,
        timing: None,
    };

    /// The slow build of its sources, as far as it differs.
    pub const MAXOUT_SLOW: Self =
        Self { limit_ends_points: false, timing: Some(&Timing::MAXOUT_SLOW), ..Self::MAXOUT };

    /// The PAL build of its sources, as far as it differs. The demo's recording is the same: it has
    /// no meaning there.
    pub const MAXOUT_PAL: Self =
        Self { dark_frames: DarkFrames::MAXOUT_PAL, pace: Pace::PAL, ..Self::MAXOUT };

    /// The US cartridge as far as its behaviour shows it. The demo's recording is not part of it:
    /// it is the cartridge's own and comes with its image ([`Rom::of_image`]).
    pub const US: Self = Self {
        demo_buttons: [0; 0x200],
        demo_pieces: [0; 0x100],
        demo_unset: [0; 8],
        high_scores: us_high_scores(),
        level_digits: us_level_digits(),
        // JSR, and LDX $41, DEX, DEX, TXA, BPL as published disassemblies have them; zeros stand
        // for what is not known.
        garbage: [0, 0, 1, 2, 4, 0x20, 0, 0, 0xA5, 0x56, 0, 0, 0, 0, 0, 0],
        points: words(&[
            0x00, 0x00, 0x40, 0x00, 0x00, 0x01, 0x00, 0x03, 0x00, 0x12, 0xA6, 0x41, 0xCA, 0xCA, 0x8A, 0x10,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ]),
        limit_ends_points: false,
        rockets: [0xBF, 0xBF, 0xBF, 0xBF, 0xC7],
        parade: Parade::US,
        boot_frames: 3,
        dark_frames: DarkFrames::US,
        pace: Pace::NTSC,
        timing: Some(&Timing::US),
    };
}

/// The table that the US cartridge shows after power-on.
const fn us_high_scores() -> HighScores {
    HighScores {
        names: [
            [8, 15, 23, 1, 18, 4],
            [15, 20, 1, 19, 1, 14],
            [12, 1, 14, 3, 5, 43],
            [0; 6],
            [1, 12, 5, 24, 43, 43],
            [20, 15, 14, 25, 43, 43],
            [14, 9, 14, 20, 5, 14],
            [0; 6],
        ],
        scores: [
            [0x01, 0x00, 0x00],
            [0x00, 0x75, 0x00],
            [0x00, 0x50, 0x00],
            [0; 3],
            [0x00, 0x20, 0x00],
            [0x00, 0x10, 0x00],
            [0x00, 0x05, 0x00],
            [0; 3],
        ],
        levels: [9, 5, 0, 0, 9, 5, 0, 0],
    }
}

/// Two digits up to level 29; then ten times the number of a row, then the addresses of the rows in
/// the picture. What follows is known where a game has shown it.
const fn us_level_digits() -> [u8; 256] {
    /// Level and what the B-type's ending took for its last digit.
    const SHOWN: [(u8, u8); 8] =
        [(99, 7), (137, 9), (138, 9), (154, 13), (200, 1), (234, 8), (235, 12), (255, 8)];
    let mut digits = [0; 256];
    let mut level: u8 = 0;
    while level < 90 {
        digits[level as usize] = match level {
            0..30 => ((level / 10) << 4) | (level % 10),
            30..50 => (level - 30) * 10,
            _ => (0x20C6 + ((level - 50) / 2) as u16 * 0x20).to_le_bytes()[(level % 2) as usize],
        };
        level += 1;
    }
    let mut index = 0;
    while index < SHOWN.len() {
        digits[SHOWN[index].0 as usize] = SHOWN[index].1;
        index += 1;
    }
    digits
}

impl Rom {
    /// The cartridge that `image`, a whole file, is of, with the data of the image; `None` where
    /// nobody has measured its durations.
    pub fn of_image(image: &[u8]) -> Option<Self> {
        let release = Release::of_image(image)?;
        let measured = match release {
            Release::Maxout => Self::MAXOUT,
            Release::MaxoutSlow => Self::MAXOUT_SLOW,
            Release::MaxoutPal => Self::MAXOUT_PAL,
            Release::Us => Self::US,
            Release::Europe
            | Release::Famicom
            | Release::Tengen
            | Release::Gym
            | Release::Taus
            | Release::SevenBag
            | Release::Hack => return None,
        };
        measured.with_prg(roms_of(image), &release.profile()?)
    }

    /// The data of a cartridge whose 32 KiB of PRG-ROM are `prg`, its durations being those of
    /// `self`. `None` if `prg` is shorter.
    fn with_prg(&self, prg: &[u8], profile: &Profile) -> Option<Self> {
        let at = |hook| usize::from(profile.address(hook)) - 0x8000;
        let high_scores = prg.get(at(hooks::DEFAULT_HIGH_SCORES)..)?.first_chunk()?;
        Some(Self {
            demo_buttons: *prg.get(at(hooks::DEMO_BUTTONS)..)?.first_chunk()?,
            demo_pieces: *prg.get(at(hooks::DEMO_PIECES)..)?.first_chunk()?,
            high_scores: HighScores::from_bytes(high_scores),
            level_digits: *prg.get(LEVEL_DIGITS - 0x8000..)?.first_chunk()?,
            garbage: *prg.get(GARBAGE - 0x8000..)?.first_chunk()?,
            points: words(prg.get(POINTS - 0x8000..)?.first_chunk()?),
            ..self.clone()
        })
    }
}

/// Pairs of bytes.
const fn words(bytes: &[u8; 2 * MOST_ROWS]) -> [[u8; 2]; MOST_ROWS] {
    let mut words = [[0; 2]; MOST_ROWS];
    let mut index = 0;
    while index < MOST_ROWS {
        words[index] = [bytes[2 * index], bytes[2 * index + 1]];
        index += 1;
    }
    words
}

/// `N` bytes of `image` from `at` on.
const fn bytes_at<const N: usize>(image: &[u8], at: usize) -> [u8; N] {
    let mut bytes = [0; N];
    let mut index = 0;
    while index < N {
        bytes[index] = image[at + index];
        index += 1;
    }
    bytes
}
