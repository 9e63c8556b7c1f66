//! What the model has to know of a cartridge: its data, and how long it takes to draw.

use crate::rules::HighScores;
use crate::{Profile, hooks};

/// Address of the demo's recording: pairs of buttons and frames.
pub(crate) const DEMO_BUTTONS: u16 = 0xDD00;
/// Address of the demo's pieces, one a byte in bits 4–6. It ends the recording.
pub(crate) const DEMO_PIECES: u16 = 0xDF00;

/// Data and durations of a cartridge that the model plays by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rom {
    /// The demo's recording, `$DD00` to `$DEFF`.
    pub demo_buttons: [u8; 0x200],
    /// The demo's pieces, `$DF00` to `$DFFF`.
    pub demo_pieces: [u8; 0x100],
    /// The table of a cold reset.
    pub high_scores: HighScores,
    /// Power-on.
    pub boot: Boot,
    /// Screens.
    pub dark_frames: DarkFrames,
}

/// Frames from power-on, the first being 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boot {
    /// In which RAM is cleared and set up.
    pub cleared: u8,
    /// In which the first screen is drawn and the interrupt comes on.
    pub drawn: u8,
}

/// Frames without an interrupt while a screen is drawn: from the interrupt that the picture goes off with, to the one
/// that it comes on with. Pairs are A-type and B-type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DarkFrames {
    /// The legal screen, come back to from a game.
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
        legal: 1,
        title: 2,
        type_menu: 3,
        level_menu: [3, 3],
        game: [4, 4],
        name_entry: [3, 3],
        ending_a: [2, 2, 2, 2, 2],
        ending_b: 2,
    };
}

/// The built-in cartridge's image, from which its data is taken.
const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");
/// Where it has its table of high scores.
pub(crate) const BUILT_IN_HIGH_SCORES: u16 = 0xBD6D;
/// Bytes before PRG-ROM.
const HEADER: usize = 16;

impl Rom {
    /// The built-in cartridge.
    pub const MAXOUT: Self = Self {
        demo_buttons: bytes_at(IMAGE, HEADER + DEMO_BUTTONS as usize - 0x8000),
        demo_pieces: bytes_at(IMAGE, HEADER + DEMO_PIECES as usize - 0x8000),
        high_scores: HighScores::from_bytes(&bytes_at(
            IMAGE,
            HEADER + BUILT_IN_HIGH_SCORES as usize - 0x8000,
        )),
        boot: Boot { cleared: 3, drawn: 5 },
        dark_frames: DarkFrames::MAXOUT,
    };
}

impl Rom {
    /// The data of a cartridge whose 32 KiB of PRG-ROM are `prg`. Its durations are taken to be the built-in cartridge's:
    /// see [`Game::follow_machine`](crate::rules::Game::follow_machine). `None` if `prg` is shorter.
    pub fn from_prg(prg: &[u8], profile: &Profile) -> Option<Self> {
        let at = |hook| usize::from(profile.address(hook)) - 0x8000;
        let high_scores = prg.get(at(hooks::DEFAULT_HIGH_SCORES)..)?.first_chunk()?;
        Some(Self {
            demo_buttons: *prg.get(at(hooks::DEMO_BUTTONS)..)?.first_chunk()?,
            demo_pieces: *prg.get(at(hooks::DEMO_PIECES)..)?.first_chunk()?,
            high_scores: HighScores::from_bytes(high_scores),
            ..Self::MAXOUT
        })
    }
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
