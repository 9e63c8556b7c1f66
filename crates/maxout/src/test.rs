//! `maxout test`: test ROMs to a verdict each.

use std::collections::BTreeMap;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use draft::Draft;
use nes_conformance::{Manifest, Options, Report, Verdict};

use crate::junit;
use cli::error::{Error, reading};
use cli::interrupt::Interrupt;
use cli::machine::PowerOn;
use cli::progress::Progress;
use cli::{image_file, output};

/// Run test ROMs and report their results.
///
/// The reporting method is detected automatically: a status byte at $6000; words, codes or CRCs on
/// the screen; or the result bytes of nestest, AccuracyCoin and Holy Mapperel.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout test roms/ --junit results.xml
  maxout test nes-test-roms --manifest nes-test-roms.json --json
  maxout test AccuracyCoin.nes --phase 1

A manifest is JSON: {\"roms\": [{\"path\", \"report\", \"expected\", \"frame_budget\", \"mmc3\"}]}. With one, a folder stands for
the ROMs that it lists, and a listed file that is missing is an error.

Exit status: 0 all passed or have no verdict that a program can read, 1 one failed, 2 one could not run.")]
pub(crate) struct Arguments {
    /// Test ROMs, or folders to search for .nes files.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Facts about the ROMs, in JSON.
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// ROMs to run at a time [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Frame limit for each ROM, in place of its method's or the manifest's limit.
    #[arg(long, value_name = "N")]
    frames: Option<u32>,
    #[command(flatten)]
    power_on: PowerOn,
    /// Print one JSON object per ROM and line instead of a table.
    #[arg(long)]
    json: bool,
    /// Also write the results as JUnit XML.
    #[arg(long, value_name = "OUT.xml")]
    junit: Option<PathBuf>,
}

/// How long Ctrl-C waits at most.
const PATIENCE: Duration = Duration::from_millis(100);

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let manifest = arguments.manifest.as_deref().map(manifest).transpose()?;
    let mut roms = Vec::new();
    for path in &arguments.paths {
        if path.is_dir() {
            let found = match &manifest {
                Some(manifest) => manifest.roms.iter().map(|entry| path.join(&entry.path)).collect(),
                None => search(path)?,
            };
            if found.is_empty() {
                return Err(Error::NoRoms(path.clone()));
            }
            roms.extend(found);
        } else {
            roms.push(path.clone());
        }
    }
    let inputs: Vec<_> = roms
        .iter()
        .map(|rom| ("ROM", Some(rom.as_path())))
        .chain([("--manifest", arguments.manifest.as_deref())])
        .collect();
    image_file::check_outputs(&inputs, &[("--junit", arguments.junit.as_deref())])?;
    let options = Options { frames: arguments.frames, ..arguments.power_on.options() };
    let work = Work { roms, manifest, options, next: AtomicUsize::new(0) };
    if !arguments.json {
        line("verdict   passed  frames  ROM")?;
    }
    let reports = run_all(work, arguments.jobs, |report| print(report, arguments.json))?;
    if let Some(path) = &arguments.junit {
        let document = junit::xml(&reports)
            .map_err(|source| Error::Write { path: path.clone(), source: io::Error::other(source) })?;
        Draft::write_file(path, document.as_bytes())?;
    }
    if !arguments.json {
        line(&summary(&reports))?;
    }
    Ok(exit_code(&reports))
}

fn manifest(path: &Path) -> Result<Manifest, Error> {
    let bytes = image_file::read(path)?;
    serde_json::from_slice(&bytes).map_err(|source| Error::Manifest { path: path.into(), source })
}

/// The .nes files below `folder`, in the order of their names.
fn search(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut roms = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = folder.read_dir().map_err(|error| reading(&folder, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| reading(&folder, error))?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(|error| reading(&folder, error))?);
            // A link to a folder is not followed: it may lead back up.
            if kind.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("nes")) {
                roms.push(path);
            }
        }
    }
    roms.sort();
    Ok(roms)
}

/// ROMs to run, by several threads.
struct Work {
    roms: Vec<PathBuf>,
    manifest: Option<Manifest>,
    options: Options,
    /// The first that no thread has taken.
    next: AtomicUsize,
}

impl Work {
    /// Runs ROMs as long as there are some and somebody wants their reports.
    fn carry_out(&self, reports: &Sender<(usize, Report)>) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = self.roms.get(number) else { return };
            if reports.send((number, run_one(path, self.manifest.as_ref(), &self.options))).is_err() {
                return;
            }
        }
    }
}

/// Runs all ROMs. `each` is called with every report in the order of the ROMs, as soon as those
/// before it are there.
fn run_all(
    work: Work,
    jobs: Option<u16>,
    mut each: impl FnMut(&Report) -> Result<(), Error>,
) -> Result<Vec<Report>, Error> {
    let interrupt = Interrupt::listen();
    let work = Arc::new(work);
    let progress = Progress::new(work.roms.len() as u64, "ROMs");
    let (sender, receiver) = mpsc::channel();
    let jobs = jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let mut workers = Vec::new();
    for _ in 0..jobs.min(work.roms.len()) {
        let (work, sender) = (Arc::clone(&work), sender.clone());
        // Nobody waits for a ROM that runs when Ctrl-C is pressed: these threads end with the
        // program.
        workers.extend(thread::Builder::new().spawn(move || work.carry_out(&sender)));
    }
    if workers.is_empty() {
        work.carry_out(&sender);
    }
    drop(sender);
    let (mut early, mut reports) = (BTreeMap::new(), Vec::new());
    while reports.len() < work.roms.len() {
        interrupt.check()?;
        match receiver.recv_timeout(PATIENCE) {
            Ok((number, report)) => early.insert(number, report),
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        progress.advance(1);
        while let Some(report) = early.remove(&reports.len()) {
            progress.aside(|| each(&report))?;
            reports.push(report);
        }
    }
    for worker in workers {
        if let Err(panic) = worker.join() {
            std::panic::resume_unwind(panic);
        }
    }
    Ok(reports)
}

fn run_one(path: &Path, manifest: Option<&Manifest>, options: &Options) -> Report {
    let name = path.to_string_lossy().replace('\\', "/");
    let report = match image_file::read_rom(path) {
        Ok(image) => {
            let entry = manifest.and_then(|manifest| manifest.entry(&name));
            nes_conformance::run(&image, &entry.map_or_else(|| options.clone(), |entry| entry.apply(options)))
        }
        Err(error) => Report::error(error.to_string()),
    };
    report.named(name)
}

fn line(text: &str) -> Result<(), Error> {
    writeln!(stdout().lock(), "{text}").map_err(Error::Output)
}

/// Prints a report. Standard output writes every line as it ends, into a pipe, too.
fn print(report: &Report, json: bool) -> Result<(), Error> {
    if json {
        return output::json_line(&mut stdout().lock(), report).map_err(Error::Output);
    }
    let Report { rom, verdict, passed, total, frames, .. } = report;
    let parts = format!("{passed}/{total}");
    line(&format!("{:<8} {parts:>7} {frames:>7}  {rom}", verdict.word()))?;
    for failure in &report.failures {
        line(&format!("{:27}{}: {}", "", failure.name, failure.code))?;
    }
    if matches!(verdict, Verdict::Error | Verdict::Timeout) {
        let reason = report.text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        line(&format!("{:27}{}", "", reason.trim()))?;
    }
    Ok(())
}

fn summary(reports: &[Report]) -> String {
    let count = |verdict| reports.iter().filter(|report| report.verdict == verdict).count();
    let words = [Verdict::Pass, Verdict::Fail, Verdict::Timeout, Verdict::Unknown, Verdict::Error];
    let counts: Vec<_> =
        words.iter().map(|&verdict| format!("{} {}", count(verdict), verdict.word())).collect();
    format!("{} ROMs: {}", reports.len(), counts.join(", "))
}

fn exit_code(reports: &[Report]) -> ExitCode {
    let any = |verdicts: &[Verdict]| reports.iter().any(|report| verdicts.contains(&report.verdict));
    if any(&[Verdict::Fail, Verdict::Timeout]) {
        ExitCode::from(1)
    } else if any(&[Verdict::Error]) {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    }
}
