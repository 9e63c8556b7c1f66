//! `TetrisGYM` by the names of its modes: its builds differ from version to version, and from
//! mapper to mapper.

/// Bytes of a header.
const HEADER: usize = 16;
/// Modes and options that Tetris does not have, as one of its menus or its display in a game writes
/// them.
const WORDS: [&str; 24] = [
    "TSPINS",
    "SETUPS",
    "CRUNCH",
    "STACKN",
    "STACKING",
    "QCKTAP",
    "TRNSTN",
    "TRANSITION",
    "MARTHN",
    "MARATHON",
    "TAPQTY",
    "QUANTITY",
    "CKRBRD",
    "CHECKERBOARD",
    "GARBGE",
    "LOBARS",
    "DROUGHT",
    "DASDLY",
    "LOWSTK",
    "KILLSCREEN",
    "INVZBL",
    "INVISIBLE",
    "HRDDRP",
    "LINECAP",
];
/// So many of them, and it is no chance.
const ENOUGH: usize = 4;

/// Does the image have enough of the names, in the game's letters or in ASCII?
pub(super) fn is_gym(image: &[u8]) -> bool {
    let rom = image.get(HEADER..).unwrap_or_default();
    let has = |word: &&&str| {
        let tiles = word.bytes().map(tile).collect::<Vec<_>>();
        holds(rom, &tiles) || holds(rom, word.as_bytes())
    };
    WORDS.iter().filter(has).take(ENOUGH).count() == ENOUGH
}

/// The tile of a letter, in the game's pattern tables: digits first, A is `$0A`.
const fn tile(letter: u8) -> u8 {
    letter - b'A' + 0x0A
}

fn holds(rom: &[u8], text: &[u8]) -> bool {
    rom.windows(text.len()).any(|bytes| bytes == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Release;

    fn image(words: &[&str], letter: impl Fn(u8) -> u8) -> Vec<u8> {
        let mut image = b"NES\x1A\x02\x02\0\0\0\0\0\0\0\0\0\0".to_vec();
        for word in words {
            image.extend([0xFF; 3]);
            image.extend(word.bytes().map(&letter));
        }
        image.resize(16 + 0xC000, 0x00);
        image
    }

    #[test]
    fn four_of_its_modes_in_tiles_or_ascii_are_the_practice_hack_and_three_are_not() {
        for letter in [tile, |letter: u8| letter] {
            let image = |words: &[&str]| image(words, letter);
            assert_eq!(
                Release::of_image(&image(&["CRUNCH", "LOBARS", "TRNSTN", "TAPQTY"])),
                Some(Release::Gym)
            );
            assert_eq!(
                Release::of_image(&image(&["MARATHON", "CHECKERBOARD", "DROUGHT", "INVISIBLE"])),
                Some(Release::Gym)
            );
            assert_eq!(Release::of_image(&image(&["CRUNCH", "LOBARS", "TRNSTN"])), None);
        }
    }

    #[test]
    fn our_own_cartridges_are_not_taken_for_it() {
        for own in [
            &include_bytes!("../../../../roms/maxout.nes")[..],
            include_bytes!("../../../../roms/maxout-slow.nes"),
        ] {
            assert!(!is_gym(own));
        }
    }
}
