//! What is fuzzed. Texts of the debugger are mutated by its own tests (`nes-debug/tests/it/hostile.rs`), so that the fuzzer builds fast.

use nes::controller::fm2::Movie;
use nes::{Buttons, Cartridge, Config, Console, Palette, cartridge::patch};
use strum::{Display, EnumIter, EnumString};
use tetris::SplitMix64;

use crate::bytes::{mutate, mutate_text};
use crate::scripts::Scripts;

/// Something that reads what others wrote.
#[derive(Clone, Copy, Debug, Display, EnumIter, EnumString, PartialEq, Eq)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Target {
    /// Lua programs, against time, memory and stack.
    Lua,
    /// Images of cartridges, loaded and run for a few frames.
    Rom,
    /// Saved states, loaded and run.
    State,
    /// FM2 movies, and what is written of them read again.
    Fm2,
    /// IPS and BPS patches.
    Patch,
    /// Palette files.
    Palette,
    /// Profiles of cartridges.
    Profile,
    /// Test ROMs and their verdicts.
    Conformance,
}

/// A case, by its number.
pub(crate) type Case = Box<dyn FnMut(u64)>;

const MOVIE: &str = "version 3\nemuVersion 22020\nrerecordCount 0\npalFlag 0\nromFilename game\nromChecksum \
                     base64:AAAAAAAAAAAAAAAAAAAAAA==\nguid 452DE2C3-EF43-2FA9-77AC-0677FC51543B\nfourscore 0\nmicrophone \
                     0\nport0 1\nport1 1\nport2 0\n|0|R.......|........||\n|1|....S...|........||\n|2|.......A|........||\n";

const PROFILE: &str = "name = \"x\"\nsha1 = []\n[ram]\npiece = 0x42\nlevel = 0x44\n[hooks]\nlock = 0x99A2\n";

const PADS: [Buttons; 2] = [Buttons::empty(); 2];

fn console() -> Console {
    let cartridge = Cartridge::from_bytes(nes_testing::MAXOUT).expect("the built-in cartridge");
    Console::new(cartridge, Config { video: false, ..Config::default() })
}

impl Target {
    /// Makes what all cases have in common.
    pub(crate) fn begin(self) -> Case {
        match self {
            Self::Lua => {
                let mut scripts = Scripts::new(console());
                Box::new(move |seed| scripts.run(seed))
            }
            Self::Rom => Box::new(|seed| rom(&mut SplitMix64::new(seed))),
            Self::State => {
                let mut console = console();
                let _ = console.run_frame(&mut PADS.clone(), &mut ());
                let state = console.save();
                Box::new(move |seed| {
                    let mut bytes = state.clone();
                    mutate(&mut bytes, &mut SplitMix64::new(seed));
                    if console.load(&bytes).is_ok() {
                        let _ = console.run_frame(&mut PADS.clone(), &mut ());
                        assert_eq!(console.save().len(), state.len(), "a state of another length");
                    }
                })
            }
            Self::Fm2 => Box::new(|seed| {
                let mut bytes = MOVIE.as_bytes().to_vec();
                mutate(&mut bytes, &mut SplitMix64::new(seed));
                if let Ok(movie) = Movie::parse(&bytes) {
                    let text = movie.to_string();
                    let again = Movie::parse(text.as_bytes()).expect("what is written can be read");
                    assert_eq!(again.to_string(), text, "what is read again is the same");
                }
            }),
            Self::Patch => Box::new(|seed| patch_of(&mut SplitMix64::new(seed))),
            Self::Palette => Box::new(|seed| {
                let mut bytes = vec![seed as u8; 192];
                mutate(&mut bytes, &mut SplitMix64::new(seed));
                let _ = Palette::from_bytes(&bytes);
            }),
            Self::Profile => Box::new(|seed| {
                let _ = tetris::Profile::parse(&mutate_text(PROFILE, &mut SplitMix64::new(seed)));
            }),
            Self::Conformance => Box::new(|seed| {
                let mut image = nes_testing::MAXOUT.to_vec();
                mutate(&mut image, &mut SplitMix64::new(seed));
                let options =
                    nes_conformance::Options { frames: Some(3), ..nes_conformance::Options::default() };
                let _ = nes_conformance::run(&image, &options);
            }),
        }
    }
}

fn rom(random: &mut SplitMix64) {
    let mut image = nes_testing::MAXOUT.to_vec();
    // The header decides most: half of the cases change nothing but it.
    if random.below(2) == 0 {
        let at = random.below(16) as usize;
        image[at] = random.next_u64() as u8;
    } else {
        mutate(&mut image, random);
    }
    if let Ok(cartridge) = Cartridge::from_bytes(&image) {
        let mut console = Console::new(cartridge, Config { video: false, ..Config::default() });
        for _ in 0..2 {
            let _ = console.run_frame(&mut PADS.clone(), &mut ());
        }
    }
}

fn patch_of(random: &mut SplitMix64) {
    const IPS: &[u8] = b"PATCH\x00\x00\x10\x00\x02ab\x00\x00\x20\x00\x00\x00\x08zEOF";
    const BPS: &[u8] = b"BPS1\x84\x84\x80\x8Dabcd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00";
    let mut bytes = if random.below(2) == 0 { IPS } else { BPS }.to_vec();
    mutate(&mut bytes, random);
    if let Ok(image) = patch::apply(&bytes, &nes_testing::MAXOUT[..1024]) {
        assert!(image.len() <= 1 << 24, "{} bytes of a patch of {}", image.len(), bytes.len());
    }
}
