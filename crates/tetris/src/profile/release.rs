//! The releases of the family, and how an image is told to be one of them.

use strum::{IntoStaticStr, VariantArray};

use super::{Hashes, Partial, Profile, known_by_text};
use crate::hooks::{DEFAULT_HIGH_SCORES, DISPATCH};
use crate::kill_screen::Timing;
use crate::orientation::{SPAWN_TABLE, TYPES};
use crate::ram;
use crate::rom::BUILT_IN_HIGH_SCORES;
use crate::rules::Pace;

/// The built-in cartridge's image; it is known by its bytes, which change with its sources.
const BUILT_IN: &[u8] = include_bytes!("../../../../roms/maxout.nes");
/// Where it has the jump tables' subroutine.
const BUILT_IN_DISPATCH: u16 = 0xAA7B;
/// The second build of the same sources: SHA-1 of its file and of what follows the header, a line
/// each, as `cargo xtask roms` writes them. The image itself is not known here.
const SLOW: &str = include_str!("../../../../roms/maxout-slow.sha1");
/// The PAL build's, alike.
const PAL: &str = include_str!("../../../../roms/maxout-pal.sha1");
/// Where `TetrisGYM` keeps its score as BCD, low byte first, and all of it in binary.
const GYM_SCORE: u16 = 0x000C;
const GYM_BINARY_SCORE: u16 = 0x0008;
/// What `TetrisGYM` has of the block at `$60`: it has one player, and the block at `$40` alone.
const GYM_BLOCK: [ram::Variable; 17] = [
    ram::PIECE_X,
    ram::PIECE_Y,
    ram::ORIENTATION,
    ram::LEVEL,
    ram::FALL_TIMER,
    ram::DAS,
    ram::START_LEVEL,
    ram::PLAY_STATE,
    ram::VRAM_ROW,
    ram::CLEARED_ROWS,
    ram::DOWN_REPEAT,
    ram::SOFT_DROP_ROWS,
    ram::LINES,
    ram::CLEAR_STEP,
    ram::LINES_COMPLETED,
    ram::ROW_CHECK,
    ram::START_HEIGHT,
];
/// What it has where the map says. Its game types, its demo and its pieces are others.
const GYM_KEPT: [ram::Variable; 19] = [
    ram::LFSR,
    ram::SPAWN_COUNT,
    ram::PRESSED,
    ram::HELD,
    ram::FAST_MUSIC,
    ram::AUDIO_PAUSE,
    ram::VBLANK_DONE,
    ram::MODE_STATE,
    ram::DROP_SPEED,
    ram::FRAME_COUNTER,
    ram::RENDER_MODE,
    ram::NEXT_PIECE,
    ram::GAME_MODE,
    ram::LINE_COUNTS,
    ram::HIDE_NEXT,
    ram::PAD_PRESSED,
    ram::PAD_HELD,
    ram::PIECE_COUNTS,
    ram::PLAYFIELD,
];

/// What the statistics of TAUS are called on its screen, in the game's letters and with the free
/// tile behind them that its numbers follow (`taus_game.nam` of its sources, 1.5.0).
const TAUS_NAMES: [&[u8]; 5] = [
    &[0x0D, 0x11, 0x1D, 0xFF],
    &[0x0B, 0x1B, 0x17, 0xFF],
    &[0x0E, 0x0F, 0x0F, 0xFF],
    &[0x1D, 0x1B, 0x1D, 0xFF],
    &[0x1D, 0x1B, 0x17, 0x1C],
];
/// How the picker of the 7-bag build begins, at `$9903`: a bag of seven bits in the place of the
/// last piece, filled when it is empty (`7bag.s` of TAUS's sources).
const BAG_PICKER: [u8; 8] = [0xA5, 0x19, 0xD0, 0x04, 0xA9, 0x7F, 0x85, 0x19];
/// Where that is in an image, and where the tables of pieces are in the US release's.
const BAG_PICKER_AT: usize = 16 + 0x1903;
const US_TYPES_AT: usize = 16 + 0x193B;
const US_SPAWN_TABLE_AT: usize = 16 + 0x194E;

/// A cartridge of the family that is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Release {
    /// The cartridge that comes with the program.
    Maxout,
    /// The second build of its sources, whose loops are as slow as those of the US release.
    MaxoutSlow,
    /// The PAL build of its sources, with the speeds of a PAL cartridge.
    MaxoutPal,
    /// Nintendo's, for America.
    Us,
    /// Nintendo's, for Europe.
    Europe,
    /// Bullet-Proof Software's, for Japan.
    Famicom,
    /// Tengen's.
    Tengen,
    /// The practice hack.
    Gym,
    /// The US release with statistics.
    Taus,
    /// The US release with pieces out of a bag.
    SevenBag,
    /// Any other with the tables of the game.
    Hack,
}

/// What is known by a hash: SHA-1 of the file or of PRG-ROM and CHR-ROM, as No-Intro and the NES
/// Cart Database list them.
const HASHES: &[(Release, &str)] = &[
    (Release::Us, "77747840541bfc62a28a5957692a98c550bd6b2b"),
    (Release::Us, "fd9079cb5e8479eb06d93c2ae5175bfce871746a"),
    // CRC32 of PRG-ROM and CHR-ROM: FDFF80D5.
    (Release::Europe, "817169b819aadaae52cce6b3d8d2fc24270566d7"),
    (Release::Europe, "66883b9eddec933e36b6bff0479cefd2434ffb40"),
    // Revisions A and B, CRC32 D074653D and 5C5A1AB8.
    (Release::Famicom, "a7f135cf49f92e0fd9d03b6f48c1bd65ce8bcc77"),
    (Release::Famicom, "3542e1ad16969f1ffed2427c08aa231c0edea06c"),
    // CRC32 343C7BB0.
    (Release::Tengen, "e675d418256854070f76136602dfc7545f5171ae"),
];

impl Release {
    /// The release that `image`, a whole file, is of: by its hashes, whatever its header says, and
    /// then by what only `TetrisGYM` and hacks have in PRG-ROM. `None` for any other file.
    pub fn of_image(image: &[u8]) -> Option<Self> {
        if image == BUILT_IN {
            return Some(Self::Maxout);
        }
        let hashes = Hashes::of(image);
        let known = known_hashes().find(|(_, hash)| hashes.contain(hash)).map(|(release, _)| release);
        known
            .or_else(|| known_by_text::is_gym(image).then_some(Self::Gym))
            .or_else(|| has_tables(image).then(|| of_hack(image)))
    }

    /// Its name in JSON.
    pub fn id(self) -> &'static str {
        self.into()
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Maxout => "Maxout",
            Self::MaxoutSlow => "Maxout (slow)",
            Self::MaxoutPal => "Maxout (PAL)",
            Self::Us => "Tetris (US)",
            Self::Europe => "Tetris (Europe)",
            Self::Famicom => "Tetris (Famicom, Bullet-Proof Software)",
            Self::Tengen => "Tetris (Tengen)",
            Self::Gym => "TetrisGYM",
            Self::Taus => "TAUS",
            Self::SevenBag => "Tetris with a 7-bag",
            Self::Hack => "a hack of Tetris",
        }
    }

    /// How it is recognised.
    pub const fn known_by(self) -> &'static str {
        match self {
            Self::Maxout => "its bytes",
            Self::Gym => "the names of its modes in PRG-ROM",
            Self::Taus => "the names of its statistics in PRG-ROM",
            Self::SevenBag => "its picker in PRG-ROM",
            Self::Hack => "the game's tables in PRG-ROM",
            _ => "its SHA-1",
        }
    }

    /// What works on it and what does not, in a sentence or two.
    pub const fn limits(self) -> &'static str {
        match self {
            Self::Maxout => "everything works: it is the cartridge that comes with the program",
            Self::MaxoutSlow => {
                "everything works: it is a second build of the built-in cartridge, which crashes where the US release does"
            }
            Self::MaxoutPal => {
                "everything works: it is the PAL build of the built-in cartridge, whose pieces fall and shift as on PAL \
                 cartridges"
            }
            Self::Us => "everything works; the mode for two is the unfinished one of the cartridge itself",
            Self::Europe => {
                "it is made for PAL consoles, and runs on one whatever its header says; where it keeps things is not \
                 known, so no feature of the game works"
            }
            Self::Famicom | Self::Tengen => {
                "it is another game of the same name, with rules and a program of its own: it plays, and no feature of \
                 the game works"
            }
            Self::Gym => {
                "it plays; its games are streamed, kept and reviewed, and the debugger's panel shows them, with the score \
                 from where versions 5 and 6 keep it: $0008 (binary), $000C (BCD); its program differs from version to \
                 version, so other features of the game are off until a --profile says where it keeps things"
            }
            Self::Taus => {
                "everything works but the model beside the cartridge; it shows statistics where the US release counts \
                 pieces, so counts of pieces are not told"
            }
            Self::SevenBag => {
                "everything works that leaves the pieces to it: other pieces, practice modes and the forecast are off"
            }
            Self::Hack => {
                "it has the tables of Tetris, and where it keeps the rest is not known: it plays, and features of the \
                 game are off until a --profile says where it keeps things"
            }
        }
    }

    /// Where it keeps things; `None` where nobody knows.
    pub fn profile(self) -> Option<Profile> {
        let profile = Profile { sha1: self.sha1(), ..Profile::named(self.name()) };
        match self {
            Self::Maxout | Self::MaxoutSlow | Self::MaxoutPal => {
                let hooks = vec![(DEFAULT_HIGH_SCORES, BUILT_IN_HIGH_SCORES), (DISPATCH, BUILT_IN_DISPATCH)];
                let timing = (self == Self::MaxoutSlow).then_some(&Timing::US);
                let pace = if self == Self::MaxoutPal { Pace::PAL } else { Pace::NTSC };
                Some(Profile { hooks, timing, pace, ..profile })
            }
            Self::Us => Some(Profile { timing: Some(&Timing::US), ..profile }),
            Self::Gym => Some(Profile {
                partial: Partial { ram: true, hooks: true },
                places: gym_places(),
                // All of its modes but one are played by the rules of the A-type.
                values: vec![(ram::GAME_TYPE, 0)],
                binary_score: Some(GYM_BINARY_SCORE),
                ..profile
            }),
            Self::Taus => Some(Profile { values: vec![(ram::PIECE_COUNTS, 0)], ..profile }),
            Self::SevenBag => Some(Profile {
                lacks: &["last_piece", "new_piece", "random_piece", "default_high_scores"],
                ..profile
            }),
            Self::Europe | Self::Famicom | Self::Tengen | Self::Hack => None,
        }
    }

    /// Its known hashes.
    fn sha1(self) -> Vec<String> {
        known_hashes().filter(|(release, _)| *release == self).map(|(_, hash)| hash.to_owned()).collect()
    }
}

/// Where `TetrisGYM` keeps things from version 5 on: `main.asm` of its tag `v5`, and `src/ram.asm`
/// of its tag `6.0.0` and of 2026, agree.
fn gym_places() -> Vec<(ram::Variable, u16)> {
    let block = GYM_BLOCK.map(|place| (place, place.address - 0x20));
    let kept = GYM_KEPT.map(|place| (place, place.address));
    block.into_iter().chain(kept).chain([(ram::CURTAIN_ROW, 0x005C), (ram::SCORE, GYM_SCORE)]).collect()
}

/// Every release that is known by a hash, with the hash.
fn known_hashes() -> impl Iterator<Item = (Release, &'static str)> {
    let builds = [(Release::MaxoutSlow, SLOW), (Release::MaxoutPal, PAL)];
    let of_builds =
        builds.into_iter().flat_map(|(build, hashes)| hashes.lines().map(move |hash| (build, hash)));
    HASHES.iter().copied().chain(of_builds)
}

/// Does the program have the tables by which the game turns an orientation into a piece, and a
/// piece into an orientation?
fn has_tables(image: &[u8]) -> bool {
    let has = |table: &[u8]| image.windows(table.len()).any(|bytes| bytes == table);
    has(&TYPES) && has(&SPAWN_TABLE)
}

/// Which hack with the game's tables it is.
fn of_hack(image: &[u8]) -> Release {
    let stands = |at: usize, table: &[u8]| image.get(at..at + table.len()) == Some(table);
    let is_of_us = stands(US_TYPES_AT, &TYPES) && stands(US_SPAWN_TABLE_AT, &SPAWN_TABLE);
    let has = |text: &&[u8]| image.windows(text.len()).any(|bytes| bytes == *text);
    if is_of_us && stands(BAG_PICKER_AT, &BAG_PICKER) {
        Release::SevenBag
    } else if is_of_us && TAUS_NAMES.iter().all(has) {
        Release::Taus
    } else {
        Release::Hack
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Feature;

    /// The tables of pieces where the US release has them, and nothing else of it.
    fn hack_of_us() -> Vec<u8> {
        let mut image = vec![0; 16 + 0x8000];
        image[..6].copy_from_slice(b"NES\x1A\x02\x02");
        image[US_TYPES_AT..][..TYPES.len()].copy_from_slice(&TYPES);
        image[US_SPAWN_TABLE_AT..][..SPAWN_TABLE.len()].copy_from_slice(&SPAWN_TABLE);
        image
    }

    #[test]
    fn builds_with_statistics_and_with_a_bag_are_told_by_what_they_change() {
        let plain = hack_of_us();
        assert_eq!(Release::of_image(&plain), Some(Release::Hack));
        let mut taus = plain.clone();
        for (number, name) in TAUS_NAMES.into_iter().enumerate() {
            assert_eq!(Release::of_image(&taus), Some(Release::Hack), "{number} names");
            taus[0x4000 + 32 * number..][..name.len()].copy_from_slice(name);
        }
        assert_eq!(Release::of_image(&taus), Some(Release::Taus));
        let mut bag = plain.clone();
        bag[BAG_PICKER_AT..][..8].copy_from_slice(&BAG_PICKER);
        assert_eq!(Release::of_image(&bag), Some(Release::SevenBag));
        // The same bytes elsewhere are another program.
        let moved = [&bag[..16], &[0; 16], &bag[16..]].concat();
        assert_eq!(Release::of_image(&moved), Some(Release::Hack));
    }

    #[test]
    fn games_of_hacks_are_streamed_kept_and_reviewed() {
        for release in [Release::Gym, Release::Taus, Release::SevenBag] {
            let profile = release.profile().unwrap();
            for feature in [Feature::Events, Feature::Games, Feature::Debugger] {
                assert_eq!(profile.missing(feature), Vec::<&str>::new(), "{release:?} {feature:?}");
            }
            assert!(!profile.missing(Feature::Parity).is_empty(), "{release:?}");
        }
        let bag = Release::SevenBag.profile().unwrap();
        assert_eq!(bag.missing(Feature::Pieces), ["new_piece"]);
        assert!(bag.missing(Feature::Computer).is_empty());
        let taus = Release::Taus.profile().unwrap();
        let mut machine = [0x12; 0x800];
        machine[ram::LEVEL.at()] = 18;
        let mapped = taus.as_mapped(&machine);
        let view = crate::View::new(&mapped);
        assert_eq!((view.piece_counts(), view.level()), ([0; 7], 18), "statistics are no pieces");
    }

    const SLOW_IMAGE: &[u8] = include_bytes!("../../../../roms/maxout-slow.nes");
    const PAL_IMAGE: &[u8] = include_bytes!("../../../../roms/maxout-pal.nes");

    /// An image with such a header, and the slow build behind it.
    fn with_header(change: impl Fn(&mut [u8])) -> Vec<u8> {
        let mut image = SLOW_IMAGE.to_vec();
        change(&mut image[..16]);
        image
    }

    #[test]
    fn the_slow_build_is_another_image_and_known_by_its_hash_alone() {
        assert_ne!(SLOW_IMAGE, BUILT_IN);
        assert_eq!(Release::of_image(SLOW_IMAGE), Some(Release::MaxoutSlow));
        let hashes = Hashes::of(SLOW_IMAGE);
        assert_eq!(
            SLOW.lines().collect::<Vec<_>>(),
            [&hashes.file, &hashes.headerless],
            "run `cargo xtask roms`"
        );
        // A byte of the program, and it is only a hack.
        let mut other = SLOW_IMAGE.to_vec();
        let free = other.iter().rposition(|&byte| byte == 0xFF).unwrap();
        other[free] = 0;
        assert_eq!(Release::of_image(&other), Some(Release::Hack));
        assert_eq!(Profile::of_image(&other), None);
    }

    #[test]
    fn the_pal_build_differs_by_its_header_its_speeds_and_its_music_and_is_known_by_its_hash() {
        assert_eq!(Release::of_image(PAL_IMAGE), Some(Release::MaxoutPal));
        let hashes = Hashes::of(PAL_IMAGE);
        assert_eq!(
            PAL.lines().collect::<Vec<_>>(),
            [&hashes.file, &hashes.headerless],
            "run `cargo xtask roms`"
        );
        assert_eq!(PAL_IMAGE[12] & 3, 1, "NES 2.0: PAL timing");
        let speeds = |image: &[u8]| image[16 + 0x098E..][..30].to_vec();
        let modelled =
            |pace: crate::rules::Pace| (0..30).map(|level| pace.frames_per_row(level)).collect::<Vec<_>>();
        assert_eq!(speeds(PAL_IMAGE), modelled(Pace::PAL));
        assert_eq!(speeds(BUILT_IN), modelled(Pace::NTSC));
    }

    #[test]
    fn a_cartridge_is_known_whatever_its_header_says() {
        let ines = with_header(|header| header[7..].fill(0));
        let signed = with_header(|header| header[7..].copy_from_slice(b"DiskDude!"));
        let sized = with_header(|header| (header[4], header[5]) = (9, 9));
        for image in [ines, signed, sized, [SLOW_IMAGE, b"junk"].concat()] {
            assert_eq!(Release::of_image(&image), Some(Release::MaxoutSlow), "{:02X?}", &image[..16]);
        }
        let mut trained = with_header(|header| header[6] |= 4);
        trained.splice(16..16, [7; 512]);
        assert_eq!(Release::of_image(&trained), Some(Release::MaxoutSlow));
    }

    #[test]
    fn hooks_of_our_builds_stand_where_their_labels_are() {
        use crate::hooks::{IDLE, LINES, MAIN_LOOP, NMI, POINTS};
        let labels = [
            include_str!("../../../../roms/maxout.lbl"),
            include_str!("../../../../roms/maxout-slow.lbl"),
            include_str!("../../../../roms/maxout-pal.lbl"),
        ];
        for (text, image) in labels.into_iter().zip([BUILT_IN, SLOW_IMAGE, PAL_IMAGE]) {
            let profile = Profile::of_image(image).unwrap();
            for (hook, name) in [
                (DISPATCH, "dispatch"),
                (DEFAULT_HIGH_SCORES, "default_high_scores"),
                (IDLE, "idle"),
                (POINTS, "add_line_points"),
                (LINES, "lines_state"),
                (MAIN_LOOP, "main_loop"),
                (NMI, "nmi"),
            ] {
                let line = format!("al {:06X} .{name}", profile.address(hook));
                assert!(text.lines().any(|label| label == line), "{}: {line}", profile.name);
            }
        }
    }

    #[test]
    fn no_file_at_all_is_a_release() {
        for image in [&b""[..], b"NES", &[0; 16], &[0xFF; 100], &vec![0; 49_168]] {
            assert_eq!(Release::of_image(image), None);
        }
    }

    #[test]
    fn every_hash_is_one_and_stands_once() {
        let mut seen = std::collections::HashSet::new();
        for (_, hash) in known_hashes() {
            assert!(hash.len() == 40 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()), "{hash}");
            assert!(seen.insert(hash) && hash == hash.to_ascii_lowercase(), "{hash}");
        }
    }

    #[test]
    fn everything_works_where_the_maps_hold_and_nothing_where_nobody_knows() {
        for &release in Release::VARIANTS {
            let profile = release.profile();
            let works = |feature| profile.as_ref().is_some_and(|profile| profile.missing(feature).is_empty());
            let count = Feature::all().filter(|&feature| works(feature)).count();
            let whole =
                matches!(release, Release::Maxout | Release::MaxoutSlow | Release::MaxoutPal | Release::Us);
            let all = Feature::all().count();
            let expected = match release {
                _ if whole => all,
                Release::Taus => all - 1,
                Release::SevenBag => all - 4,
                // The panel, the stream and games.
                Release::Gym => 3,
                _ => 0,
            };
            assert_eq!(count, expected, "{release:?}");
        }
        let gym = Release::Gym.profile().unwrap();
        assert_eq!(gym.place_address(ram::SCORE), 0x000C);
        assert!(gym.clone().supporting(Feature::Debugger).is_ok());
        let mut machine = [0; 0x800];
        machine[0x08..0x10].copy_from_slice(&[0x87, 0xD6, 0x12, 0x00, 0x67, 0x45, 0x23, 0x01]);
        (machine[0x44], machine[0x50], machine[0x64]) = (19, 0x42, 99);
        assert_eq!(gym.score(&machine), 1_234_567, "it goes beyond six digits");
        let mapped = gym.as_mapped(&machine);
        let view = crate::View::new(&mapped);
        assert_eq!((view.score(), view.level(), view.lines()), (234_567, 19, 42));
    }
}
