//! Hostile images and states: an error or a cartridge that answers every address, and no memory but
//! what the image brings and its board may have.

use nes_cartridge::{Cartridge, PictureFetch, PictureUse, Place, RomError, patch};
use nes_state::{Reader, StateError, Writer};
use nes_testing::Image;
use proptest::prelude::*;

/// The RAM of the largest board, in bytes.
const RAM_LIMIT: usize = 0x2_0000 + 0x2_0000;

/// What a board keeps in a state besides the RAM of its cartridge: registers, and MMC5's 1 KiB of
/// its own.
const BOARD_LIMIT: usize = 0x400 + 128;

/// The flash that a board writes, in bytes.
fn flash_len(cartridge: &Cartridge) -> usize {
    if cartridge.has_flash() { cartridge.info().prg_rom.next_power_of_two() } else { 0 }
}

/// A cartridge holds no more than it should, and answers everywhere.
fn exercise(mut cartridge: Cartridge, image_len: usize, writes: &[(u16, u8)]) {
    let info = cartridge.info().clone();
    assert!(info.prg_rom + info.chr_rom <= image_len);
    assert!(info.prg_ram + info.chr_ram <= RAM_LIMIT + flash_len(&cartridge));
    assert_eq!(cartridge.prg_rom().len(), info.prg_rom);
    assert_eq!(cartridge.prg_ram().len(), info.prg_ram);
    for (cycle, &(address, value)) in (0..).zip(writes) {
        match address {
            0..0x2000 => cartridge.write_chr(address, value),
            0x2000..0x3000 => cartridge.set_a12(value & 1 != 0),
            0x3000..0x4020 => cartridge.clock_a12(value & 1 != 0, cycle * 3, cycle * 3 + 1),
            _ => cartridge.write(address, value, cycle * 3),
        }
        answers_everywhere(&cartridge);
    }
    answers_everywhere(&cartridge);
    let mut fetched = cartridge.clone();
    for (cycle, &(address, column)) in (0..).zip(writes) {
        let column = u16::from(column);
        let purpose = [PictureUse::Tile, PictureUse::Attribute, PictureUse::Background, PictureUse::Sprite]
            [usize::from(column & 3)];
        let fetch = PictureFetch {
            address: address & 0x3FFF,
            purpose,
            line: column,
            column: column / 8,
            cycle,
            sampled: cycle,
        };
        let place = fetched.fetch(&fetch);
        answers(&fetched, place);
        fetched.write_place(place, 0x55);
    }
}

/// A place is inside its memory.
fn answers(cartridge: &Cartridge, place: Place) {
    match place {
        Place::Ciram(at) => assert!(usize::from(at) < cartridge.ciram_len()),
        Place::Chr(at) => assert!((at as usize) < cartridge.chr().len()),
        Place::Board(at, _) => assert!(at < 0x400),
        Place::Fixed(_) => {}
    }
}

fn answers_everywhere(cartridge: &Cartridge) {
    for page in (0x4020..=0xFFFF).step_by(0x3E1).chain([0x5FFF, 0x6000, 0x7FFF, 0x8000, 0xFFFF]) {
        let _ = cartridge.read(page, 0);
    }
    for page in (0..0x2000).step_by(0x155).chain([0x1FFF]) {
        let _ = cartridge.read_chr(page);
    }
    for page in (0x2000..0x3F00).step_by(0x1FF) {
        assert!(cartridge.ciram_address(page) < cartridge.ciram_len());
    }
    for page in (0..0x3F00).step_by(0x1FF) {
        answers(cartridge, cartridge.place(page));
    }
}

fn images() -> impl Strategy<Value = Image> {
    let mapper = prop::sample::select(vec![0u8, 1, 2, 3, 4, 5, 7, 28, 30, 34, 66, 69, 113, 155, 218]);
    let ines = (mapper.clone(), 1u8..4, 0u8..3).prop_map(|(mapper, prg, chr)| Image::ines(mapper, prg, chr));
    let nes2 = (mapper, 0u8..8, 1u8..4, 0u8..3, any::<u8>(), any::<u8>()).prop_map(
        |(mapper, submapper, prg, chr, prg_ram, chr_ram)| {
            Image::nes2(mapper, submapper, prg, chr, prg_ram, chr_ram)
        },
    );
    prop_oneof![ines, nes2]
}

fn writes() -> impl Strategy<Value = Vec<(u16, u8)>> {
    prop::collection::vec((any::<u16>(), any::<u8>()), 0..24)
}

proptest! {
    #[test]
    fn any_bytes_are_a_cartridge_or_an_error(bytes: Vec<u8>) {
        let _ = Cartridge::from_bytes(&bytes);
        let _ = Cartridge::from_bytes(&[b"NES\x1A", &bytes[..]].concat());
    }

    #[test]
    fn any_header_is_a_cartridge_or_an_error(header: [u8; 12], len in 0usize..0x2_0000, writes in writes()) {
        let mut bytes = vec![0x5A; len + 16];
        bytes[..4].copy_from_slice(b"NES\x1A");
        bytes[4..16].copy_from_slice(&header);
        match Cartridge::from_bytes(&bytes) {
            Ok(cartridge) => exercise(cartridge, bytes.len(), &writes),
            Err(error) => prop_assert!(!error.to_string().contains('\n')),
        }
    }

    #[test]
    fn any_mutation_of_a_header_is_a_cartridge_or_an_error(
        mut image in images(),
        mutations in prop::collection::vec((0usize..16, any::<u8>()), 0..4),
        end in prop::option::of(0usize..0x1_0000),
        writes in writes(),
    ) {
        for (index, byte) in mutations {
            image.header[index] = byte;
        }
        let mut bytes = image.bytes();
        bytes.truncate(end.unwrap_or(usize::MAX));
        if let Ok(cartridge) = Cartridge::from_bytes(&bytes) {
            exercise(cartridge, bytes.len(), &writes);
        }
    }

    #[test]
    fn a_state_goes_on_as_the_cartridge_that_saved_it(image in images(), before in writes(), after in writes()) {
        let Ok(fresh) = Cartridge::from_bytes(&image.bytes()) else { return Ok(()) };
        let mut cartridge = fresh.clone();
        play(&mut cartridge, &before, 0);
        let bytes = Writer::save(&mut cartridge);
        prop_assert!(bytes.len() <= RAM_LIMIT + flash_len(&cartridge) + BOARD_LIMIT);
        let mut loaded = fresh;
        prop_assert_eq!(Reader::load(&bytes, &mut loaded), Ok(()));
        prop_assert_eq!(&loaded, &cartridge);
        prop_assert_eq!(Writer::save(&mut loaded), bytes);
        play(&mut cartridge, &after, 24);
        play(&mut loaded, &after, 24);
        prop_assert_eq!(&loaded, &cartridge);
        for address in (0x4020..=0xFFFF).step_by(0x3E1) {
            prop_assert_eq!(loaded.read(address, 0), cartridge.read(address, 0));
        }
    }

    #[test]
    fn any_state_is_refused_or_runs(
        image in images(),
        mutations in prop::collection::vec((0usize..64, any::<u8>()), 0..8),
        end in prop::option::of(0usize..0x2100),
        writes in writes(),
    ) {
        let Ok(mut cartridge) = Cartridge::from_bytes(&image.bytes()) else { return Ok(()) };
        let mut bytes = Writer::save(&mut cartridge);
        let len = bytes.len();
        for (index, byte) in mutations {
            if let Some(place) = bytes.get_mut(index) {
                *place = byte;
            }
        }
        bytes.truncate(end.unwrap_or(usize::MAX));
        let mut loaded = cartridge.clone();
        match Reader::load(&bytes, &mut loaded) {
            Ok(()) => exercise(loaded, image.bytes().len(), &writes),
            Err(StateError::Truncated { .. }) => prop_assert!(bytes.len() < len),
            Err(StateError::Invalid { .. }) => answers_everywhere(&loaded),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}

fn play(cartridge: &mut Cartridge, writes: &[(u16, u8)], start: u64) {
    for (cycle, &(address, value)) in (start..).zip(writes) {
        match address {
            0..0x2000 => cartridge.write_chr(address, value),
            0x2000..0x3000 => cartridge.set_a12(value & 1 != 0),
            0x3000..0x4020 => cartridge.clock_a12(value & 1 != 0, cycle * 3, cycle * 3 + 1),
            _ => cartridge.write(address, value, cycle),
        }
    }
}

#[test]
fn a_header_that_promises_everything_is_refused_without_memory_for_it() {
    for low in 0..=0xFF {
        let header = Image::nes2(0, 0, low, low, 0xEE, 0xEE).with(9, 0xFF).header;
        let error = Cartridge::from_bytes(&header).unwrap_err();
        assert!(
            matches!(
                error,
                RomError::TooLarge { .. } | RomError::SizeOverflow { .. } | RomError::Truncated { .. }
            ),
            "{low:02X}: {error}"
        );
    }
}

/// The patches of a small file, one byte of them changed or the end cut off.
fn damaged_patch() -> impl Strategy<Value = Vec<u8>> {
    let (old, new) = ([7; 40], [7, 7, 8, 9, 7].repeat(9));
    let ips = patch::ips::write(&old, &new).expect("a patch of so few bytes");
    let patch = prop_oneof![Just(ips), Just(patch::bps::write(&old, &new))];
    (patch, any::<prop::sample::Index>(), any::<u8>(), any::<bool>()).prop_map(
        |(mut patch, at, byte, cut)| {
            let at = at.index(patch.len());
            patch[at] = byte;
            patch.truncate(if cut { at } else { patch.len() });
            // So that what follows is looked at too.
            if patch.starts_with(patch::bps::HEADER) && patch.len() > 8 {
                let end = patch.len() - 4;
                let sum = crc32fast::hash(&patch[..end]);
                patch[end..].copy_from_slice(&sum.to_le_bytes());
            }
            patch
        },
    )
}

proptest! {
    #[test]
    fn a_damaged_patch_is_an_error_or_makes_a_file_within_bounds(patch in damaged_patch()) {
        if let Ok(file) = patch::apply(&patch, &[7; 40]) {
            prop_assert!(file.len() <= patch::LIMIT);
        }
    }
}
