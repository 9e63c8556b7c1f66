//! Files that are dropped on the window beside ROMs.

use std::fs;

use nes::Region;
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

#[test]
fn a_battery_save_is_brought_in_with_a_copy_of_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let (saves, theirs) = (folder.path().join("saves"), folder.path().join("game.sav"));
    let mut kept = vec![0; 0x2000];
    kept[0] = 40;
    fs::write(&theirs, &kept).unwrap();
    let with_saves = |options: &mut Options| {
        options.image = counter();
        options.folders.saves = Some(saves.clone());
    };
    let kept = |ending: &str| {
        let list = fs::read_dir(&saves).unwrap().map(|entry| entry.unwrap().path());
        let file = list.into_iter().find(|path| path.to_str().unwrap().ends_with(ending));
        file.map(|path| fs::read(path).unwrap()[0])
    };
    let outcome = game(with_saves, &[(5, Command::BringBattery(theirs.clone()))], 20);
    assert!(
        outcome.final_messages().contains("battery save loaded")
            && outcome.final_messages().contains("; the previous one is in ")
    );
    // The console counts its power-ons.
    assert_eq!((kept(".sav"), kept(".sav.1.bak")), (Some(41), Some(1)));
    // From the command line, before anything runs but for the console's own power-on.
    let begun = |options: &mut Options| {
        with_saves(options);
        options.battery = Some(theirs.clone());
    };
    game(begun, &[], 10);
    assert_eq!((kept(".sav"), kept(".sav.2.bak")), (Some(41), Some(41)));
    let none = game(|_| {}, &[(5, Command::BringBattery(theirs.clone()))], 20);
    assert_eq!(none.final_messages(), "this cartridge has no battery");
    // Beside the ROM it is found.
    fs::remove_dir_all(&saves).unwrap();
    fs::write(folder.path().join("game.nes"), counter()).unwrap();
    let open = [(5, Command::OpenRom(folder.path().join("game.nes")))];
    let beside = game(|options| options.folders.saves = Some(saves.clone()), &open, 20);
    assert!(beside.messages().contains("the first file is not changed"), "{}", beside.messages());
    assert_eq!((kept(".sav"), fs::read(&theirs).unwrap()[0]), (Some(41), 40));
}

#[test]
fn the_name_of_a_file_says_the_region_where_nothing_else_does() {
    let region = |title: &str, asked| {
        let change = |options: &mut Options| {
            options.image = counter();
            title.clone_into(&mut options.title);
            options.config.region = asked;
        };
        let outcome = game(change, &[], 5);
        (outcome.status.region, outcome.messages().contains("the file's name says (Europe)"))
    };
    assert_eq!(region("Game (Europe)", None), (Region::Pal, true));
    assert_eq!(region("Game (Europe)", Some(Region::Ntsc)), (Region::Ntsc, true));
    assert_eq!(region("Game", None), (Region::Ntsc, false));
}
