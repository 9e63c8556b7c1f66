//! Files that are dropped on the window beside ROMs.

use std::fs;

use nes::cartridge::patch;

use super::{IMAGE, counter, game};
use crate::{Command, Options};

#[test]
fn a_dropped_patch_goes_over_its_own_source_or_over_the_game_that_is_on() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let saves = place("saves");
    let mut patched = counter();
    patched[16] = 0xCE; // DEC $6000
    for kind in [patch::Kind::Bps, patch::Kind::Ips, patch::Kind::Ups] {
        let name = format!("hack.{}", kind.extension());
        fs::write(place(&name), patch::write(kind, &counter(), &patched).unwrap()).unwrap();
    }
    fs::write(place("game.nes"), counter()).unwrap();
    let play = |image: Vec<u8>, patch: &str| {
        let with_saves = |options: &mut Options| {
            options.image.clone_from(&image);
            options.folders.saves = Some(saves.clone());
        };
        game(with_saves, &[(5, Command::OpenRom(place(patch)))], 20)
    };
    let kept = || {
        let list = fs::read_dir(&saves).unwrap().map(|entry| entry.unwrap().path());
        let saves = list.filter(|path| path.extension().is_some_and(|ending| ending == "sav"));
        let mut kept: Vec<_> = saves.map(|path| (path.clone(), fs::read(path).unwrap()[0])).collect();
        kept.sort();
        kept
    };
    // Over the game that is on: each has a battery file of its own.
    play(counter(), "hack.ips");
    let files = kept();
    assert_eq!(files.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [1, 0xFF]);
    assert!(files[1].0.file_name().unwrap().to_str().unwrap().starts_with("hack-"), "{files:?}");
    // Over the game beside it, whatever is on.
    for (patch, count) in [("hack.bps", 0xFE), ("hack.ups", 0xFD)] {
        let outcome = play(IMAGE.to_vec(), patch);
        assert_eq!(kept()[1].1, count, "{patch}: {}", outcome.final_messages());
    }
    fs::remove_file(place("game.nes")).unwrap();
    let outcome = play(IMAGE.to_vec(), "hack.bps");
    assert!(
        outcome.final_messages().contains("a patch for a ROM with CRC32"),
        "{}",
        outcome.final_messages()
    );
    assert_eq!(kept()[1].1, 0xFD);
}
