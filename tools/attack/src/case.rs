//! One end after the other, several beside each other, each in a folder of its own.

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use strum::IntoEnumIterator;
use tetris::SplitMix64;

use crate::end::{End, PANIC, Then, make_room};
use crate::program::{LONGEST, Program, Streams};
use crate::surface::{CARTRIDGE, Surface};
use crate::table::Table;
use crate::{Arguments, left, strangers};

/// Frames that the battery may lose: the one in which the program is ended.
const BATTERY: u64 = 1;
/// Frames that a kept game may lose: half a second. What practice tells is ten frames apart.
const KEPT: u64 = 30;

/// How long a program may go on that may end by itself, before it is killed.
const GRACE: Duration = Duration::from_millis(500);

/// What came of an end.
#[derive(Debug, Default)]
pub(crate) struct EndResult {
    /// Frames that it had come to, as far as is known: a lower bound.
    pub(crate) known: u64,
    /// Frames of the battery or the kept game that are lost.
    pub(crate) lost: u64,
    /// A draft that a killed program left: the next session removes it after a day.
    pub(crate) drafts: u64,
    pub(crate) failures: Vec<String>,
}

impl EndResult {
    fn lose(&mut self, what: &str, most: u64, known: u64, saved: Option<u64>) {
        self.known = known;
        self.lost = known.saturating_sub(saved.unwrap_or(0));
        if self.lost > most {
            self.failures.push(format!("{what} came to {known} and has {saved:?}"));
        }
    }
}

/// A display without a screen, if there can be one.
struct Display(Child);

impl Display {
    fn open() -> Option<(Self, String)> {
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1280x1024x24"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut display = Self(command.spawn().ok()?);
        let mut number = String::new();
        BufReader::new(display.0.stdout.take()?).read_line(&mut number).ok()?;
        let number = number.trim();
        (!number.is_empty()).then(|| (display, format!(":{number}")))
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // It has nothing to lose.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A small disk of its own, where the system lets us have one.
struct Disk(tempfile::TempDir);

impl Disk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().ok()?;
        let words = ["-t", "tmpfs", "-o", "size=4m", "maxout-attack"];
        let mounted = Command::new("mount").args(words).arg(folder.path()).stderr(Stdio::null()).status();
        mounted.is_ok_and(|status| status.success()).then_some(Self(folder))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: what still runs there is killed before, but its end may take a moment.
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

/// Runs the attack that was asked for and prints what came of it.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let display = Display::open();
    let has_disk = Disk::mount().is_some();
    let mut surfaces = arguments.surface.clone();
    if surfaces.is_empty() {
        surfaces = Surface::iter().collect();
    }
    if display.is_none() {
        println!("no Xvfb: no windows are ended");
        surfaces.retain(|surface| *surface != Surface::Window);
    }
    if !has_disk {
        println!("no disk can be mounted: none is filled");
    }
    let longest = Duration::from_secs_f64(arguments.minutes.max(0.0) * 60.0);
    let begun = Instant::now();
    // Strangers have a sixth of the time.
    let end_by = if arguments.ends.is_some() { longest } else { longest * 5 / 6 };
    let table = Mutex::new(Table::default());
    let next = AtomicU64::new(0);
    let display = display.as_ref().map(|(_, name)| name.as_str());
    let program = match arguments.program.canonicalize() {
        Ok(program) => program,
        Err(error) => {
            println!("{}: {error}", arguments.program.display());
            return ExitCode::FAILURE;
        }
    };
    thread::scope(|scope| {
        for _ in 0..arguments.beside.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let more = arguments.ends.map_or_else(|| begun.elapsed() < end_by, |ends| number < ends);
                    if !more || surfaces.is_empty() {
                        return;
                    }
                    let seed = arguments.seed + number;
                    // Each surface has the same share.
                    let surface = surfaces[(seed % surfaces.len() as u64) as usize];
                    let mut random = SplitMix64::new(seed);
                    let mut ends = arguments.end.clone();
                    if ends.is_empty() {
                        ends = End::iter().filter(|end| has_disk || *end != End::FullDisk).collect();
                    }
                    let end = random.pick(&ends);
                    let outcome = case(&program, surface, end, display, &mut random);
                    let outcome = outcome.unwrap_or_else(|error| EndResult {
                        failures: vec![format!("the case cannot be made: {error}")],
                        ..EndResult::default()
                    });
                    for failure in &outcome.failures {
                        println!("FAILED: seed {seed}: {surface}, {end}: {failure}");
                    }
                    if let Ok(mut table) = table.lock() {
                        table.add(surface, end, &outcome);
                    }
                }
            });
        }
    });
    let Ok(table) = table.into_inner() else { return ExitCode::FAILURE };
    println!("{table}");
    let mut is_sound = table.failures() == 0;
    if arguments.ends.is_none() {
        let mut random = SplitMix64::new(arguments.seed);
        for (name, outcome) in strangers::all(&program, longest.saturating_sub(begun.elapsed()), &mut random)
        {
            match outcome {
                Ok(tried) => println!("{name}: {tried}"),
                Err(failure) => {
                    println!("FAILED: {name}: {failure:#}");
                    is_sound = false;
                }
            }
        }
    }
    if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn case(
    program: &Path,
    surface: Surface,
    end: End,
    display: Option<&str>,
    random: &mut SplitMix64,
) -> std::io::Result<EndResult> {
    let disk = if end == End::FullDisk { Disk::mount() } else { None };
    let own = tempfile::tempdir()?;
    let folder: PathBuf = disk.as_ref().map_or(own.path(), |disk| disk.0.path()).to_owned();
    Surface::prepare(&folder)?;
    let mut outcome = EndResult::default();
    let mut programs = surface.start(program, &folder, display, random)?;
    surface.wait(&programs, &folder, display, random);
    let before = surface.counts().then(|| left::noted(&folder)).flatten().unwrap_or(0);
    let then = end.come(&mut programs[0], &folder, random);
    let known = programs[0].printed.load(Ordering::Relaxed).max(before);
    let status = match then {
        Then::Ends => programs[0].ended_within(LONGEST),
        Then::MayEnd => programs[0].ended_within(GRACE).or_else(|| {
            programs[0].signal(rustix::process::Signal::KILL);
            programs[0].ended_within(LONGEST)
        }),
    };
    match status {
        None => outcome.failures.push(format!("it does not end: {}", programs[0].last_words())),
        Some(status) if then == Then::Ends && !is_orderly(status) => {
            outcome.failures.push(format!("it ends with {status}: {}", programs[0].last_words()));
        }
        Some(_) => {}
    }
    // The other side of a match hears of it.
    for other in programs.iter_mut().skip(1) {
        other.signal(rustix::process::Signal::TERM);
        if other.ended_within(LONGEST).is_none() {
            outcome.failures.push("the other side does not end".to_owned());
        }
    }
    if programs.iter().any(Program::has_children) {
        outcome.failures.push("a program that it started goes on".to_owned());
    }
    drop(programs);
    make_room(&folder);
    let _ = std::fs::remove_file(folder.join(PANIC)); // most often there is none
    look(program, surface, then, known, &folder, &mut outcome)?;
    Ok(outcome)
}

/// A program that was asked to end has a status of its own, unless the signal came before it
/// listened.
fn is_orderly(status: ExitStatus) -> bool {
    match (status.code(), status.signal()) {
        (Some(code), _) => matches!(code, 0 | 2 | 130),
        (None, Some(signal)) => matches!(signal, 1 | 2 | 15),
        _ => false,
    }
}

/// Looks what is left, by the next session.
fn look(
    program: &Path,
    surface: Surface,
    then: Then,
    known: u64,
    folder: &Path,
    outcome: &mut EndResult,
) -> std::io::Result<()> {
    if surface.counts() {
        let words = ["play", CARTRIDGE, "--headless", "--folder", ".", "--exit-after-frames", "0"];
        let mut next = Program::start(program, folder, &words, None, &Streams::Pipes)?;
        match next.ended_within(LONGEST) {
            Some(status) if status.success() => {}
            status => outcome.failures.push(format!("the next session ends with {status:?}")),
        }
        outcome.lose("the battery", BATTERY, known, left::saved(folder));
    } else if surface == Surface::Practice {
        outcome.lose("the kept game", KEPT, known, left::kept(folder));
    }
    let left = left::unfinished(folder);
    let (drafts, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|name| name.contains(".maxout-"));
    outcome.drafts = drafts.len() as u64;
    if then == Then::Ends && !drafts.is_empty() {
        outcome.failures.push(format!("it leaves {drafts:?}"));
    }
    if surface.counts() && !others.is_empty() {
        outcome.failures.push(format!("the next session leaves {others:?}"));
    }
    Ok(())
}
