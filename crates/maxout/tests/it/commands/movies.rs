//! Movies of other programs: read, written and played as FCEUX's, on the built-in cartridge and on
//! one that is known by its hash alone.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use nes::Buttons;
use nes::fm2::{Commands, Movie};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::program::call;

const SLOW: &[u8] = include_bytes!("../../../../../roms/maxout-slow.nes");

/// Writes an archive.
fn archive(path: &Path, files: &[(&str, &str)]) {
    let mut zip = ZipWriter::new(File::create(path).unwrap());
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

/// Writes the input of a movie as Mesen does: frame 0 has no line, and a command is on the line
/// before.
fn mesen(movie: &Movie) -> String {
    let columns = [
        ('U', Buttons::UP),
        ('D', Buttons::DOWN),
        ('L', Buttons::LEFT),
        ('R', Buttons::RIGHT),
        ('S', Buttons::START),
        ('s', Buttons::SELECT),
        ('B', Buttons::B),
        ('A', Buttons::A),
    ];
    let mut text = String::new();
    for (at, frame) in movie.frames.iter().enumerate().skip(1) {
        let next = movie.frames.get(at + 1).map(|frame| frame.commands).unwrap_or_default();
        let reset = if next.contains(Commands::RESET) { 'R' } else { '.' };
        let _ = write!(text, "|{reset}.");
        for pad in frame.pads {
            text.push('|');
            text.extend(columns.map(|(letter, button)| if pad.contains(button) { letter } else { '.' }));
        }
        text.push('\n');
    }
    text
}

#[test]
fn a_movie_comes_to_the_same_state_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    fs::write(place.join("slow.nes"), SLOW).unwrap();
    for rom in [&[][..], &["slow.nes"]] {
        let record = ["ai", "run", "--pieces", "5", "--movie-out", "game.fm2"];
        call(&record).with(rom).inside(place).printed();
        // A reset in the middle, which each format writes in its own way.
        let mut movie = Movie::parse(&fs::read(place.join("game.fm2")).unwrap()).unwrap();
        let middle = movie.frames.len() / 2;
        movie.frames[middle].commands = Commands::RESET;
        fs::write(place.join("game.fm2"), movie.to_string()).unwrap();
        call(&["movie", "convert", "game.fm2", "--out", "game.bk2"]).inside(place).printed();
        call(&["movie", "convert", "game.bk2", "--out", "again.fm2"]).inside(place).printed();
        let settings = "MesenVersion 2.1.0\nMovieFormatVersion 2\nGameFile game.nes\nRegion NTSC\n";
        let input = mesen(&movie);
        archive(&place.join("game.mmo"), &[("GameSettings.txt", settings), ("Input.txt", &input)]);
        fs::copy(place.join("game.fm2"), place.join("game.fm3")).unwrap();
        let state = |name: &str| {
            let run = ["run", "--no-video", "--no-sound", "--json", "--input", name];
            let outcome = call(&run).with(rom).inside(place).json();
            (outcome["frames"].as_u64().unwrap(), outcome["state"].as_str().unwrap().to_owned())
        };
        let recorded = state("game.fm2");
        assert_eq!(recorded.0, movie.frames.len() as u64);
        for name in ["game.bk2", "again.fm2", "game.mmo", "game.fm3"] {
            assert_eq!(state(name), recorded, "{name} {rom:?}");
        }
        movie.frames[middle].commands = Commands::empty();
        fs::write(place.join("other.fm2"), movie.to_string()).unwrap();
        assert_ne!(state("other.fm2"), recorded);
    }
}

#[test]
fn what_a_movie_needs_and_this_machine_does_not_have_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let header = "MovieVersion BizHawk v2.0.0\nPlatform NES\nCore NesHawk\nGameName x\n";
    let key = "LogKey:#Reset|Power|Reset Cycle|#P1 A|\n|..    0,|.|\n";
    archive(&place.join("sub.bk2"), &[("Header.txt", header), ("Input Log.txt", key)]);
    let refused = call(&["run", "--input", "sub.bk2"]).inside(place).refused();
    assert!(refused.contains("sub.bk2") && refused.contains("resets within a frame"), "{refused}");
    archive(&place.join("other.bk2"), &[("readme.txt", "")]);
    let refused = call(&["run", "--input", "other.bk2"]).inside(place).refused();
    assert!(refused.contains("no movie: expected an archive with"), "{refused}");
    let log = "LogKey:#Reset|Power|#P1 A|\n|..|A|\n";
    let header = format!("{header}SHA1 {}\n", "ab".repeat(20));
    archive(&place.join("game.bk2"), &[("Header.txt", &header), ("Input Log.txt", log)]);
    let output = call(&["run", "--input", "game.bk2"]).inside(place).output();
    let warning = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(warning.contains("was recorded with another cartridge: x, SHA-1 abab"), "{warning}");
    let name = call(&["movie", "convert", "game.bk2", "--out", "game.mmo"]).inside(place).refused();
    assert!(name.contains("expected a name that ends in .fm2 or .bk2"), "{name}");
}
