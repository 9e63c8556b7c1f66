//! What is fuzzed.

use emulator::{Attached, Emulator};
use nes::cartridge::patch::{self, PatchError};
use nes::fm2::Movie;
use nes::{Buttons, Cartridge, Config, Palette};
use strum::{Display, EnumIter, EnumString};

use crate::bytes::{mutate, mutate_text};
use crate::choices::Choices;
use crate::reached::{came_to, reached, said};
use crate::scripts::Scripts;
use crate::serve::Serve;
use crate::{dap, files, games, network, texts, written};

/// Something that reads what others wrote.
#[derive(Clone, Copy, Debug, Display, EnumIter, EnumString, PartialEq, Eq)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Target {
    /// Lua programs, against time, memory and stack.
    Lua,
    /// Images of cartridges, loaded and run for a few frames.
    Rom,
    /// Saved states, whose checksums are mostly right, loaded and run.
    State,
    /// FM2 movies, and what is written of them read again.
    Fm2,
    /// Movies of BizHawk's and Mesen's, whose archives are mostly whole.
    Movies,
    /// IPS, BPS and UPS patches, whose check sums are mostly right.
    Patch,
    /// Palette files.
    Palette,
    /// Profiles of cartridges.
    Profile,
    /// Test ROMs and their verdicts.
    Conformance,
    /// Commands of the debugger, several in a session.
    Commands,
    /// Messages to the debugger for editors, several in a session.
    Dap,
    /// Expressions of breakpoints.
    Expression,
    /// Symbol files, written in every format and read again.
    Symbols,
    /// Game Genie codes.
    Genie,
    /// Evaluations of the player.
    Formula,
    /// Seeds of the randomizers.
    Seed,
    /// Lists of test ROMs.
    Manifest,
    /// Positions, modes and options of practice.
    Position,
    /// Files of kept games.
    Kept,
    /// Recordings of NestrisChamps, and the placements in them.
    Ngf,
    /// Games as one line a placement, JSON or CSV.
    Lines,
    /// Links, and banks of puzzles.
    Puzzles,
    /// Settings of the window, read and changed.
    Settings,
    /// Mappings of gamepads as SDL writes them, and what the pads then report.
    Mapping,
    /// Files of save slots.
    Slot,
    /// Secrets, rooms and rules for streams.
    Connections,
    /// Messages of a match over the network, to one that is on.
    Network,
    /// Letters of a room: its server, two players, and one who watches.
    Room,
    /// Files of matches, whose buttons are mostly packed as they should be.
    Match,
    /// The journal of a battery's RAM.
    Journal,
    /// Questions to the server of the player for points.
    Serve,
    /// Heads of HTTP requests and WebSocket handshakes.
    Head,
    /// ZIP archives with a ROM in them.
    Archive,
    /// Trainings, assignments and games of them, whose checksums are right.
    Training,
    /// Traces of another machine.
    Trace,
    /// Weights and nets of the player for points.
    Weights,
    /// Pieces, as a kept game names them.
    Sequence,
    /// The model of the game, from any memory.
    Rules,
    /// The model beside the machine, for a whole game a case.
    Machine,
    /// The fast searcher beside the plain one.
    Search,
}

/// A case, by what it chooses.
pub(crate) type Case = Box<dyn FnMut(&mut Choices)>;

const MOVIE: &str = "version 3\nemuVersion 22020\nrerecordCount 0\npalFlag 0\nromFilename game\nromChecksum \
                     base64:AAAAAAAAAAAAAAAAAAAAAA==\nguid 452DE2C3-EF43-2FA9-77AC-0677FC51543B\nfourscore 0\nmicrophone \
                     0\nport0 1\nport1 1\nport2 0\n|0|R.......|........||\n|1|....S...|........||\n|2|.......A|........||\n";

const PROFILE: &str =
    "name = \"x\"\nsha1 = []\n[ram]\nlevel = 0x0190\nplayer_1 = 0x0040\n[hooks]\nspawn = 0x98C0\n";

const PADS: [Buttons; 2] = [Buttons::empty(); 2];

fn emulator(cartridge: Cartridge) -> Emulator {
    Emulator::bare(cartridge, Config { video: false, ..Config::default() })
}

fn built_in() -> Emulator {
    emulator(Cartridge::from_bytes(nes_testing::MAXOUT).expect("the built-in cartridge"))
}

impl Target {
    /// Makes what all cases have in common.
    pub(crate) fn begin(self) -> Case {
        match self {
            Self::Lua => {
                let mut scripts = Scripts::new(built_in().state().clone());
                Box::new(move |random| scripts.run(random))
            }
            Self::Rom => Box::new(rom),
            Self::State => {
                let mut emulator = built_in();
                emulator.frame(&mut PADS.clone(), Attached::default());
                let state = emulator.save();
                Box::new(move |random| {
                    let mut bytes = state.clone();
                    if random.one_in(2) {
                        mutate(&mut bytes, random);
                    } else {
                        // Of another length, most states are refused before their last field.
                        for _ in 0..=random.below(8) {
                            let at = random.below(bytes.len() as u32) as usize;
                            bytes[at] = random.next_u64() as u8;
                        }
                    }
                    // Behind a wrong checksum no field is ever read.
                    if !random.one_in(8) {
                        mend(&mut bytes, &state);
                    }
                    if reached(emulator.console().load(&bytes)).is_some() {
                        for _ in 0..3 {
                            emulator.frame(&mut PADS.clone(), Attached::default());
                        }
                        assert_eq!(emulator.save().len(), state.len(), "a state of another length");
                    }
                })
            }
            Self::Fm2 => Box::new(|random| {
                let mut bytes = MOVIE.as_bytes().to_vec();
                mutate(&mut bytes, random);
                if let Some(movie) = reached(Movie::parse(&bytes)) {
                    let text = movie.to_string();
                    let again = Movie::parse(text.as_bytes()).expect("what is written can be read");
                    assert_eq!(again.to_string(), text, "what is read again is the same");
                }
            }),
            Self::Movies => Box::new(files::movie),
            Self::Patch => Box::new(patch_of),
            Self::Palette => Box::new(|random| {
                let mut bytes = vec![random.next_u64() as u8; 192];
                mutate(&mut bytes, random);
                let _ = reached(Palette::from_bytes(&bytes));
            }),
            Self::Profile => Box::new(|random| {
                let _ = reached(tetris::Profile::parse(&mutate_text(PROFILE, random)));
            }),
            Self::Conformance => Box::new(|random| {
                let mut image = nes_testing::MAXOUT.to_vec();
                mutate(&mut image, random);
                let options =
                    nes_conformance::Options { frames: Some(3), ..nes_conformance::Options::default() };
                let report = nes_conformance::run(&image, &options);
                came_to(format!("{:?}", report.verdict));
                report.failures.iter().for_each(|failure| said(&failure.code));
            }),
            _ => self.begin_later(),
        }
    }

    /// The same for what is made of texts and games.
    fn begin_later(self) -> Case {
        let of = |case: fn(&mut Choices)| -> Case { Box::new(case) };
        match self {
            Self::Commands => {
                let mut commands = texts::Commands::new();
                Box::new(move |random| commands.run(random))
            }
            Self::Dap => of(dap::session),
            Self::Mapping => of(texts::mapping),
            Self::Expression => {
                let profile = tetris::Profile::parse(PROFILE).expect("a profile");
                let symbols = nes_debug::Symbols::of_game(&profile);
                Box::new(move |random| texts::expression(random, &symbols))
            }
            Self::Formula => {
                let mut random = Choices::new(1);
                let boards: Vec<_> = (0..4).map(|_| games::board(&mut random)).collect();
                Box::new(move |random| texts::formula(random, &boards))
            }
            Self::Rules => {
                let game = nes_testing::model::in_play();
                Box::new(move |random| games::rules(random, &game))
            }
            Self::Machine => Box::new(games::machine),
            Self::Symbols => of(texts::symbols),
            Self::Genie => of(texts::genie),
            Self::Seed => of(texts::seed),
            Self::Manifest => of(texts::manifest),
            Self::Position => of(texts::position),
            Self::Kept => of(games::kept),
            Self::Ngf => {
                let usual = written::recording();
                Box::new(move |random| written::ngf(random, &usual))
            }
            Self::Lines => {
                let usual = written::texts();
                Box::new(move |random| written::lines(random, &usual))
            }
            Self::Puzzles => {
                let usual = puzzle::Bank::built_in();
                Box::new(move |random| written::puzzles(random, &usual))
            }
            Self::Settings => {
                let usual = desktop::hostile::usual_settings();
                Box::new(move |random| texts::settings(random, &usual))
            }
            Self::Slot => {
                let usual = games::usual_slot();
                Box::new(move |random| games::slot(random, &usual))
            }
            Self::Serve => {
                let mut serve = Serve::new();
                Box::new(move |random| serve.ask(random))
            }
            Self::Head => of(files::head),
            Self::Archive => {
                let usual = files::archive();
                Box::new(move |random| files::unpacked(random, &usual))
            }
            Self::Training => {
                let usual = files::Trainings::new();
                Box::new(move |random| usual.changed(random))
            }
            Self::Network => of(network::case),
            Self::Room => of(network::room),
            Self::Match => {
                let usual = written::match_of(2_000).bytes();
                Box::new(move |random| written::match_file(random, &usual))
            }
            Self::Journal => {
                let mut usual = files::Journals::new();
                Box::new(move |random| usual.changed(random))
            }
            Self::Trace => of(games::trace),
            Self::Weights => {
                let usual = texts::usual_weights();
                Box::new(move |random| texts::weights(random, &usual))
            }
            Self::Sequence => {
                let profile = tetris::Profile::of_image(nes_testing::MAXOUT).expect("a profile");
                Box::new(move |random| texts::sequence(random, &profile))
            }
            Self::Connections => of(texts::connections),
            Self::Search => of(games::searches),
            other => unreachable!("{other} is made of bytes"),
        }
    }

    /// Cases that every test run does.
    #[cfg(test)]
    pub(crate) fn share(self) -> u64 {
        match self {
            Self::Machine => 1,
            // Megabytes a case.
            Self::Training => 30,
            Self::Search | Self::Commands | Self::Dap => 60,
            _ => 300,
        }
    }
}

/// Bytes of a state's head: its name, its version, and which cartridge it is of.
const STATE_HEAD: usize = 10;

/// Puts the head of `whole` in front of a state again, and the checksum of everything behind it.
fn mend(bytes: &mut Vec<u8>, whole: &[u8]) {
    let head = STATE_HEAD.min(bytes.len());
    bytes[..head].copy_from_slice(&whole[..head]);
    let end = bytes.len().saturating_sub(4);
    let sum = crc32fast::hash(&bytes[..end]);
    bytes.truncate(end);
    bytes.extend(sum.to_le_bytes());
}

fn rom(random: &mut Choices) {
    let mut image = nes_testing::MAXOUT.to_vec();
    // The header decides most: half of the cases change nothing but it.
    if random.below(2) == 0 {
        let at = random.below(16) as usize;
        image[at] = random.next_u64() as u8;
    } else {
        mutate(&mut image, random);
    }
    if let Some(cartridge) = reached(Cartridge::from_bytes(&image)) {
        let mut emulator = emulator(cartridge);
        for _ in 0..2 {
            emulator.frame(&mut PADS.clone(), Attached::default());
        }
    }
}

fn patch_of(random: &mut Choices) {
    const IPS: &[u8] = b"PATCH\x00\x00\x10\x00\x02ab\x00\x00\x20\x00\x00\x00\x08zEOF";
    const BPS: &[u8] =
        b"BPS1\x00\x87\x00\x87\x80\x8Dabcd\x6C\x9E\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00";
    const UPS: &[u8] =
        b"UPS1\x00\x87\x00\x87\x90ab\x00\xA0cd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00";
    let old = &nes_testing::MAXOUT[..1024];
    let mut bytes = [IPS, BPS, UPS][random.below(3) as usize].to_vec();
    mutate(&mut bytes, random);
    if random.below(8) != 0 {
        with_sums(&mut bytes, old);
    }
    if let Some(image) = reached(patch::apply(&bytes, old)) {
        let most = match patch::Kind::of(&bytes) {
            // The last record may begin at 2^24 - 1 and be 65,535 bytes long.
            Some(patch::Kind::Ips) => (1 << 24) + 65_534,
            _ => patch::LIMIT,
        };
        assert!(image.len() <= most, "{} bytes of a patch of {}", image.len(), bytes.len());
    }
    if let Some(image) = reached(patch::apply_to_image(&bytes, old)) {
        let kind = patch::Kind::of(&bytes).expect("a patch that could be applied");
        if let Some(again) = reached(patch::write(kind, old, &image)) {
            assert!(patch::apply_to_image(&again, old).as_ref() == Ok(&image));
        }
    }
}

/// Puts right what a BPS or UPS patch says of the file that it is for and of itself.
fn with_sums(patch: &mut [u8], old: &[u8]) {
    if matches!(patch::Kind::of(patch), None | Some(patch::Kind::Ips)) || patch.len() < 16 {
        return;
    }
    let end = patch.len() - 12;
    patch[end..end + 4].copy_from_slice(&crc32fast::hash(old).to_le_bytes());
    let own = crc32fast::hash(&patch[..end + 8]);
    patch[end + 8..].copy_from_slice(&own.to_le_bytes());
    if let Err(PatchError::Outcome { found, .. }) = patch::apply(patch, old) {
        patch[end + 4..end + 8].copy_from_slice(&found.to_le_bytes());
        let own = crc32fast::hash(&patch[..end + 8]);
        patch[end + 8..].copy_from_slice(&own.to_le_bytes());
    }
}
