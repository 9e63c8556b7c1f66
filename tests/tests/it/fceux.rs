//! FCEUX's movies here, and ours in FCEUX: RAM after each frame is what FCEUX 2.6.5 had, whose
//! digests are committed. `cargo xtask accuracy --fceux` asks FCEUX itself; with `--record` it
//! makes the movies and the digests anew.

use maxout_fceux::Verdict;
use nes::fm2::{Commands, Movie, RamInit};

const BUILT_IN: &[u8] = include_bytes!("../../../roms/maxout.nes");
/// The cartridge that is known by its hash alone.
const SLOW: &[u8] = include_bytes!("../../../roms/maxout-slow.nes");

/// Frames that FCEUX may end within a piece of the program's work, in one movie: those in which a
/// screen is built.
const MOST_CUT: usize = 24;

/// A movie and the digests of both PPUs.
fn committed(name: &str) -> (Movie, Vec<[u16; 2]>) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/movies");
    let read = |kind: &str| {
        let path = format!("{folder}/{name}.{kind}");
        std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let movie = Movie::parse(&read("fm2")).expect("a movie that plays here");
    (movie, maxout_fceux::digests_from_bytes(&read("ram")))
}

/// RAM is the same after every frame, with the old PPU and with the new one.
fn is_the_same_in_fceux(name: &str, rom: &[u8], least: usize) {
    let (movie, digests) = committed(name);
    assert_eq!(movie.rom_checksum, Movie::checksum_of(md5(rom)), "{REMEDY}");
    let mut cut = [0; 2];
    let mut frames = 0;
    for frame in maxout_fceux::play(rom, &movie) {
        let fceuxs =
            digests.get(frame.line).unwrap_or_else(|| panic!("line {} of {}", frame.line, digests.len()));
        for (ppu, &digest) in fceuxs.iter().enumerate() {
            match frame.compare(|ram| maxout_fceux::digest(ram) == digest) {
                Verdict::Equal => {}
                Verdict::Cut => cut[ppu] += 1,
                Verdict::Different => {
                    panic!("{name}.fm2, line {}, PPU {ppu}: RAM differs; {REMEDY}", frame.line)
                }
            }
        }
        frames += 1;
    }
    assert!(cut.iter().all(|&cut| cut <= MOST_CUT), "{cut:?} frames end within the program's work");
    assert_eq!(frames, movie.frames.len());
    assert!(frames > least, "{frames} frames");
}

const REMEDY: &str = "has the cartridge changed? then `cargo xtask accuracy --fceux --record`";

fn md5(rom: &[u8]) -> [u8; 16] {
    nes::Cartridge::from_bytes(rom).expect("a committed cartridge").info().md5.0
}

#[test]
fn a_game_recorded_by_fceux_has_the_same_ram_here_after_every_frame() {
    is_the_same_in_fceux("fceux", BUILT_IN, 20_000);
    is_the_same_in_fceux("fceux-slow", SLOW, 9_000);
}

#[test]
fn a_game_recorded_here_had_the_same_ram_in_fceux_after_every_frame() {
    is_the_same_in_fceux("maxout", BUILT_IN, 9_000);
    is_the_same_in_fceux("maxout-slow", SLOW, 9_000);
}

#[test]
fn the_movies_have_a_whole_game_a_reset_and_a_power_on() {
    for (name, rom, ram) in [
        ("fceux", BUILT_IN, RamInit::Stripes),
        ("maxout", BUILT_IN, RamInit::Zeros),
        ("fceux-slow", SLOW, RamInit::Stripes),
        ("maxout-slow", SLOW, RamInit::Zeros),
    ] {
        let (movie, _) = committed(name);
        let commands: Vec<Commands> =
            movie.frames.iter().map(|frame| frame.commands).filter(|commands| !commands.is_empty()).collect();
        assert_eq!(commands, [Commands::RESET, Commands::POWER], "{name}");
        assert_eq!(movie.ram, ram, "{name}");
        let over = maxout_fceux::play(rom, &movie).filter(|frame| frame.ram[0x68] == 10).count();
        assert!(over > 0, "{name}: no curtain falls");
    }
}

#[test]
fn a_movie_a_line_late_is_told_from_one_in_step() {
    let (mut movie, digests) = committed("fceux");
    movie.frames.insert(0, movie.frames[0]);
    let wrong = maxout_fceux::play(BUILT_IN, &movie).take(2_000).filter(|frame| {
        digests.get(frame.line).is_some_and(|fceuxs| {
            frame.compare(|ram| maxout_fceux::digest(ram) == fceuxs[0]) == Verdict::Different
        })
    });
    assert!(wrong.count() > 100);
}
