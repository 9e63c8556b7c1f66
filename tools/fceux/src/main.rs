//! FCEUX beside the console: the same movies, the same RAM after each frame.
//! `cargo xtask accuracy --fceux` runs it.
//!
//! `fceux FCEUX MAXOUT [--record]`, with a display: the two programs, and whether the committed
//! movies and digests are made anew.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]
#![allow(clippy::print_stderr, reason = "a tool may end when standard error is lost")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use maxout_fceux::{Ram, Verdict};
use nes::Buttons;
use nes::fm2::{Commands, FrameInput, Movie};

/// A cartridge that both run, and its movies.
struct Game {
    /// Its file among the ROMs.
    rom: &'static str,
    /// The movie that FCEUX records, and how many pieces the player in it places before it lets
    /// them fall.
    of_fceux: (&'static str, &'static str),
    /// The movie that is recorded here.
    of_maxout: &'static str,
    /// Movies that are compared, and of which nothing is kept.
    others: &'static [&'static str],
}

/// The built-in cartridge, and the one that is known by its hash alone.
const GAMES: [Game; 2] = [
    Game { rom: "maxout.nes", of_fceux: ("fceux", "300"), of_maxout: "maxout", others: &["game"] },
    Game { rom: "maxout-slow.nes", of_fceux: ("fceux-slow", "100"), of_maxout: "maxout-slow", others: &[] },
];
const ROMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms");
/// Where the committed movies and digests are.
const MOVIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/movies");
const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts");
/// Longer than FCEUX takes for any of the movies.
const PATIENCE: Duration = Duration::from_secs(600);
/// The options of its two PPUs.
const PPUS: [(&str, &str); 2] = [("0", "old PPU"), ("1", "new PPU")];

/// FCEUX, and a folder for what it writes.
struct Fceux {
    program: PathBuf,
    folder: tempfile::TempDir,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(fceux), Some(maxout)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: fceux FCEUX MAXOUT [--record]; `cargo xtask accuracy --fceux` knows both");
        return ExitCode::from(2);
    };
    let records = arguments.next().is_some_and(|option| option == "--record");
    let folder = tempfile::tempdir().expect("a folder for what FCEUX writes");
    let fceux = Fceux { program: fceux.into(), folder };
    let wrong: usize = GAMES.iter().map(|game| game.compare(&fceux, Path::new(&maxout), records)).sum();
    println!("{wrong} differences in all");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Where the committed movie of this name is.
fn committed(name: &str) -> PathBuf {
    Path::new(MOVIES).join(name).with_extension("fm2")
}

impl Game {
    fn path(&self) -> PathBuf {
        Path::new(ROMS).join(self.rom)
    }

    /// Records and plays everything; answers the number of differences.
    fn compare(&self, fceux: &Fceux, maxout: &Path, records: bool) -> usize {
        let rom = fs::read(self.path()).expect("a committed cartridge");
        let mut wrong = 0;
        println!("{}, recorded by FCEUX, played here:", self.rom);
        for (option, name) in PPUS {
            let (movie, fceuxs) = fceux.record(self, option);
            wrong += compare(&format!("fresh, {name}"), &rom, &parse(&movie), &fceuxs);
            if records && option == "0" {
                fs::write(committed(self.of_fceux.0), &movie).expect("tests/movies can be written");
            }
        }
        if records {
            let movie = self.recorded_here(maxout, fceux.folder.path());
            fs::write(committed(self.of_maxout), movie.to_string()).expect("tests/movies can be written");
        }
        println!("{}, committed movies, played by both:", self.rom);
        let kept = [self.of_fceux.0, self.of_maxout];
        for &file in kept.iter().chain(self.others) {
            let path = committed(file);
            let movie = parse(&fs::read(&path).expect("a committed movie"));
            let digests = PPUS.map(|(option, name)| {
                let fceuxs = fceux.play(self, &path, option, &movie);
                wrong += compare(&format!("{file}.fm2, {name}"), &rom, &movie, &fceuxs);
                fceuxs.iter().map(maxout_fceux::digest).collect()
            });
            if kept.contains(&file) {
                wrong += keep(file, &digests, records);
            }
        }
        wrong
    }

    /// A game of the computer's, of which it lets go: pieces fall in the middle to the game's end,
    /// which Start leaves. Then the reset button and the game's beginning again, then the power
    /// switch and again.
    fn recorded_here(&self, maxout: &Path, folder: &Path) -> Movie {
        let path = folder.join("recorded here.fm2");
        let mut command = Command::new(maxout);
        command.args(["ai", "run"]).arg(self.path());
        command.args(["--level", "9", "--pieces", "150", "--movie-out"]).arg(&path);
        assert!(
            command.stdout(Stdio::null()).status().expect("maxout can be started").success(),
            "maxout ai run"
        );
        let mut movie = parse(&fs::read(&path).expect("the movie of maxout ai run"));
        let game = movie.frames.clone();
        let start = FrameInput { pads: [Buttons::START, Buttons::empty()], ..FrameInput::default() };
        let idle = (0..3000).map(|frame| match frame {
            2600.. if frame % 20 == 0 => start,
            _ => FrameInput::default(),
        });
        movie.frames.extend(idle);
        for commands in [Commands::RESET, Commands::POWER] {
            let begin = movie.frames.len();
            movie.frames.extend(&game[..1500.min(game.len())]);
            movie.frames[begin].commands = commands;
        }
        movie
    }
}

fn parse(bytes: &[u8]) -> Movie {
    Movie::parse(bytes).expect("a movie that plays here")
}

/// Prints what differs and how often. Answers the number of frames with a difference.
fn compare(title: &str, rom: &[u8], movie: &Movie, fceuxs: &[Ram]) -> usize {
    let (mut compared, mut cut, mut wrong) = (0, 0, 0);
    let mut examples = vec![];
    for frame in maxout_fceux::play(rom, movie) {
        let Some(theirs) = fceuxs.get(frame.line) else { break };
        compared += 1;
        match frame.compare(|ram| maxout_fceux::differences(ram, theirs).is_empty()) {
            Verdict::Equal => {}
            Verdict::Cut => cut += 1,
            Verdict::Different => {
                wrong += 1;
                examples.push((frame.line, maxout_fceux::differences(&frame.ram, theirs)));
                examples.truncate(8);
            }
        }
    }
    println!("  {title}: {compared} frames compared, {wrong} differ, {cut} cut within the last line");
    for (line, addresses) in &examples {
        println!("    line {line}: {}", list(addresses));
    }
    assert!(compared > 1000, "FCEUX wrote {} frames", fceuxs.len());
    wrong
}

fn list(addresses: &[u16]) -> String {
    let some: Vec<String> = addresses.iter().take(16).map(|address| format!("${address:04X}")).collect();
    some.join(" ") + if addresses.len() > some.len() { " …" } else { "" }
}

/// Writes or checks the digests of a committed movie. Answers how many lines differ.
fn keep(file: &str, runs: &[Vec<u16>; 2], records: bool) -> usize {
    let path = Path::new(MOVIES).join(file).with_extension("ram");
    let fresh: Vec<[u16; 2]> = runs[0].iter().zip(&runs[1]).map(|(&old, &new)| [old, new]).collect();
    if records {
        let bytes: Vec<u8> = fresh.iter().flatten().flat_map(|digest| digest.to_le_bytes()).collect();
        fs::write(&path, bytes).expect("tests/movies can be written");
        println!("  {file}.ram written");
    }
    let committed = maxout_fceux::digests_from_bytes(&fs::read(&path).unwrap_or_default());
    let lines = fresh.len().max(committed.len());
    let wrong = (0..lines).filter(|&line| fresh.get(line) != committed.get(line)).count();
    if wrong > 0 {
        println!(
            "  {file}.ram: {wrong} lines are not what FCEUX has: `cargo xtask accuracy --fceux --record`"
        );
    }
    wrong
}

impl Fceux {
    /// The movie of a new recording, and RAM after each of its lines.
    fn record(&self, game: &Game, ppu: &str) -> (Vec<u8>, Vec<Ram>) {
        let movie = self.folder.path().join(format!("recorded-{ppu}.fm2"));
        let mut command = Command::new(&self.program);
        command.env("MAXOUT_MOVIE", &movie).env("MAXOUT_PIECES", game.of_fceux.1);
        command.args(["--newppu", ppu, "--loadlua"]).arg(Path::new(SCRIPTS).join("record.lua"));
        let ram = self.run(game, command);
        (fs::read(movie).expect("FCEUX has recorded a movie"), ram)
    }

    /// RAM after each line of a movie.
    fn play(&self, game: &Game, path: &Path, ppu: &str, movie: &Movie) -> Vec<Ram> {
        let lines = movie.lines().last().map_or(0, |line| line + 1);
        let mut command = Command::new(&self.program);
        command.env("MAXOUT_FRAMES", lines.to_string()).env("MAXOUT_MOVIE", path);
        command.args(["--newppu", ppu, "--loadlua"]).arg(Path::new(SCRIPTS).join("play.lua"));
        self.run(game, command)
    }

    /// Runs FCEUX on the cartridge of `game`, under a home of its own, until its script says that
    /// it is done. It may crash as it ends, which is its own affair.
    fn run(&self, game: &Game, mut command: Command) -> Vec<Ram> {
        let [ram, done, said] = ["ram", "done", "said"].map(|name| self.folder.path().join(name));
        let _ = fs::remove_file(&done);
        let said_to = fs::File::create(&said).expect("a file for what FCEUX says");
        command.env("MAXOUT_RAM", &ram).env("MAXOUT_DONE", &done).env("HOME", self.folder.path());
        command.env("SDL_AUDIODRIVER", "dummy").args(["--sound", "0"]).arg(game.path());
        command.stdin(Stdio::null()).stdout(said_to.try_clone().expect("a file")).stderr(said_to);
        let mut child = command.spawn().expect("FCEUX can be started");
        let begun = Instant::now();
        while !done.exists() && begun.elapsed() < PATIENCE {
            if child.try_wait().expect("FCEUX can be waited for").is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let finished = done.exists();
        let _ = child.kill();
        let _ = child.wait();
        let said = fs::read_to_string(&said).unwrap_or_default();
        assert!(finished, "FCEUX's script did not come to its end; FCEUX said:\n{said}");
        let bytes = fs::read(&ram).expect("FCEUX has written RAM");
        bytes.chunks_exact(0x800).map(|ram| ram.try_into().expect("2 KiB")).collect()
    }
}
