//! Batteries of sessions that come to their end, and where their files lie.

use super::*;

/// Returns an NROM image with a battery and 8 KiB of RAM.
fn cartridge() -> Cartridge {
    nes_testing::Image::ines(0, 1, 1).with(6, 2).cartridge()
}

fn open(saves: &Path) -> (Battery, BatteryResult) {
    let strays = vec![saves.with_extension("strays")];
    let (battery, outcome) = Battery::with(Some(saves), "game", &cartridge(), strays);
    (battery.expect("it has a battery"), outcome)
}

fn file(saves: &Path) -> PathBuf {
    saves.join(format!("game-{:08x}.sav", cartridge().crc32()))
}

/// Maxout 1.0 kept both chips of a board whose battery keeps the second.
#[test]
fn a_file_of_both_chips_is_read_and_the_batterys_part_is_written() {
    let sorom = nes_testing::Image::nes2(1, 0, 8, 0, 0x77, 7);
    let flags = sorom.header[6] | 2;
    let sorom = sorom.with(6, flags).cartridge();
    let folder = tempfile::tempdir().unwrap();
    let saves = folder.path();
    let place = saves.join(format!("game-{:08x}.sav", sorom.crc32()));
    let open = || Battery::with(Some(saves), "game", &sorom, vec![saves.join("strays")]);
    fs::write(&place, [[1; 0x2000], [2; 0x2000]].concat()).unwrap();
    let (battery, outcome) = open();
    let mut battery = battery.expect("it has a battery");
    outcome.unwrap();
    assert_eq!(battery.kept(), [2; 0x2000]);
    battery.close(&[3; 0x2000]).unwrap();
    assert_eq!(fs::read(&place).unwrap(), [3; 0x2000], "as other emulators write it");
    drop(battery);
    assert_eq!(open().0.expect("it has a battery").kept(), [3; 0x2000]);
    fs::write(&place, [4; 0x1FFF]).unwrap();
    assert!(open().1.unwrap_err().to_string().contains("expected 8192 bytes, found 8191"));
}

#[test]
fn what_is_kept_is_there_again_and_nothing_is_written_that_has_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let saves = folder.path().join("saves");
    let (mut battery, outcome) = open(&saves);
    outcome.unwrap();
    battery.close(&[0; 0x2000]).unwrap();
    assert!(!file(&saves).exists(), "blank RAM is what there was");
    battery.write(&[7; 0x2000]).unwrap();
    assert_eq!(fs::read(file(&saves)).unwrap(), [7; 0x2000]);
    drop(battery);
    assert_eq!(fs::read_dir(&saves).unwrap().count(), 1);
    assert_eq!(open(&saves).0.kept(), [7; 0x2000]);
    let plain = Cartridge::from_bytes(include_bytes!("../../../../../roms/maxout.nes")).unwrap();
    assert!(Battery::of(Some(&saves), "game", &plain).0.is_none());
}

#[test]
fn once_a_minute_it_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let (mut battery, _) = open(folder.path());
    for _ in 1..EVERY {
        battery.frame(&[1; 0x2000]).unwrap();
    }
    assert!(!file(folder.path()).exists());
    battery.frame(&[1; 0x2000]).unwrap();
    assert!(file(folder.path()).exists());
}

#[test]
fn a_file_of_another_size_is_said_and_moved_aside_before_anything_is_written() {
    for wrong in [vec![9; 5], vec![9; 0x2001]] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(file(folder.path()), &wrong).unwrap();
        let (mut battery, outcome) = open(folder.path());
        let error = outcome.unwrap_err().to_string();
        assert!(error.contains("expected 8192 bytes, found") && error.contains("sav.bak"), "{error}");
        assert_eq!(battery.kept(), [0; 0x2000]);
        battery.close(&[0; 0x2000]).unwrap();
        assert_eq!(fs::read(file(folder.path())).unwrap(), wrong, "nothing was to be kept");
        battery.close(&[1; 0x2000]).unwrap();
        assert_eq!(fs::read(aside(&file(folder.path()))).unwrap(), wrong);
        assert_eq!(fs::read(file(folder.path())).unwrap(), [1; 0x2000]);
    }
}

#[test]
fn where_nothing_can_be_written_that_is_said_at_once_and_in_the_end_it_is_kept_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    // A file where the folder should be: not even the superuser can write into it.
    let saves = folder.path().join("saves");
    fs::write(&saves, "").unwrap();
    fs::create_dir(folder.path().join("saves.strays")).unwrap();
    let (mut battery, outcome) = open(&saves);
    assert!(outcome.unwrap_err().to_string().contains("writable"));
    let mut told = (0..3 * EVERY).filter(|_| battery.frame(&[3; 0x2000]).is_err());
    assert_eq!((told.next(), told.next()), (Some(EVERY - 1), None), "once is enough");
    let error = battery.close(&[3; 0x2000]).unwrap_err().to_string();
    let elsewhere = error.split(" was saved to ").nth(1).and_then(|rest| rest.split(" instead").next());
    let elsewhere = Path::new(elsewhere.expect("it says where"));
    assert_eq!(fs::read(elsewhere).unwrap(), [3; 0x2000]);

    drop(battery);

    // The next session finds it, also while nothing can be written yet, and puts it in its
    // place.
    let (mut battery, outcome) = open(&saves);
    assert!(outcome.unwrap_err().to_string().contains("writable") && battery.kept() == [3; 0x2000]);
    let error = battery.close(&[3; 0x2000]).unwrap_err().to_string();
    assert!(error.contains("the next session will load it from there"), "{error}");
    drop(battery);
    fs::remove_file(&saves).unwrap();
    let (battery, outcome) = open(&saves);
    assert_eq!(battery.kept(), [3; 0x2000]);
    assert!(
        outcome.unwrap_err().to_string().contains("has the battery RAM that the last session could not save")
    );
    assert_eq!(fs::read(file(&saves)).unwrap(), [3; 0x2000]);
    drop(battery);
    assert!(open(&saves).1.is_ok(), "once is enough");
}

#[test]
fn what_lies_elsewhere_and_is_older_or_of_another_length_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let saves = folder.path().join("saves");
    let strays = folder.path().join("saves.strays");
    fs::create_dir(&strays).unwrap();
    let begin = open(&saves).0.stray_begin().unwrap();
    let stray = |end: &str, length: usize| {
        let path = strays.join(format!("{begin}{end}.sav"));
        fs::write(&path, vec![5; length]).unwrap();
        path
    };
    let old = stray("old", 0x2000);
    let hour = std::time::Duration::from_secs(3600);
    let when = std::time::SystemTime::now() - hour;
    fs::File::options().write(true).open(&old).unwrap().set_modified(when).unwrap();
    stray("long", 0x2001);
    let (mut battery, outcome) = open(&saves);
    assert!(outcome.unwrap_err().to_string().contains("could not save") && battery.kept() == [5; 0x2000]);
    battery.close(&[6; 0x2000]).unwrap();
    drop(battery);
    fs::write(&old, [5; 0x2000]).unwrap();
    fs::File::options().write(true).open(&old).unwrap().set_modified(when).unwrap();
    let (battery, outcome) = open(&saves);
    outcome.unwrap();
    assert_eq!(battery.kept(), [6; 0x2000]);
}

#[test]
fn what_lies_elsewhere_is_taken_by_the_folder_that_it_belongs_to_alone() {
    let folder = tempfile::tempdir().unwrap();
    let strays = vec![folder.path().join("strays")];
    fs::create_dir(&strays[0]).unwrap();
    let of = |saves: &Path| {
        let (battery, _) = Battery::with(Some(saves), "game", &cartridge(), strays.clone());
        battery.expect("it has a battery")
    };
    let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
    fs::write(&one, "").unwrap();
    assert!(of(&one).close(&[9; 0x2000]).unwrap_err().to_string().contains("will load it from there"));
    assert_eq!(of(&other).kept(), [0; 0x2000], "it belongs to another folder");
    assert_eq!(fs::read_dir(&strays[0]).unwrap().count(), 1);
    fs::remove_file(&one).unwrap();
    assert_eq!(of(&one).kept(), [9; 0x2000]);
    assert_eq!(fs::read_dir(&strays[0]).unwrap().count(), 0);
}

#[test]
fn of_two_windows_with_one_cartridge_each_keeps_what_is_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let saves = folder.path();
    let beside = file(saves).with_extension("2.sav");
    let (mut first, outcome) = open(saves);
    outcome.unwrap();
    first.write(&[1; 0x2000]).unwrap();
    let (mut second, outcome) = open(saves);
    let told = outcome.unwrap_err().to_string();
    assert!(told.contains("another window") && told.contains(beside.to_str().unwrap()), "{told}");
    assert_eq!(second.kept(), [1; 0x2000], "it begins with what the other has kept by then");
    assert_eq!(open(saves).0.path(), Some(file(saves).with_extension("3.sav").as_path()));

    first.write(&[2; 0x2000]).unwrap();
    second.close(&[3; 0x2000]).unwrap();
    first.close(&[4; 0x2000]).unwrap();
    assert_eq!(fs::read(file(saves)).unwrap(), [4; 0x2000]);
    assert_eq!(fs::read(&beside).unwrap(), [3; 0x2000]);

    // A second window of a later day goes on with its own, and one alone with the usual file.
    drop(second);
    let (second, outcome) = open(saves);
    assert!(outcome.unwrap_err().to_string().contains("continues with its own"));
    assert_eq!(second.kept(), [3; 0x2000]);
    drop((first, second));
    let (alone, outcome) = open(saves);
    outcome.unwrap();
    assert_eq!(alone.kept(), [4; 0x2000]);
}

/// Its lock file stays; the lock itself is the system's.
#[test]
fn a_window_that_was_killed_holds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let name = file(folder.path()).file_name().unwrap().to_str().unwrap().to_owned();
    fs::write(folder.path().join(format!(".{name}.lock")), "").unwrap();
    let (battery, outcome) = open(folder.path());
    outcome.unwrap();
    assert_eq!(battery.path(), Some(file(folder.path()).as_path()));
}

#[test]
fn a_movie_leaves_the_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (mut battery, _) = open(folder.path());
    battery.write(&[1; 0x2000]).unwrap();
    battery.rest();
    battery.close(&[2; 0x2000]).unwrap();
    assert_eq!(battery.kept(), [1; 0x2000]);
    battery.resume();
    battery.close(&[2; 0x2000]).unwrap();
    assert_eq!(fs::read(file(folder.path())).unwrap(), [2; 0x2000]);
}
