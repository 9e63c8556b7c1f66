//! `cargo xtask fuzz`: runs targets for as long as asked, or so many cases, and says which case
//! fails.
//!
//! A case is its target and a number: `cargo xtask fuzz --target lua --seed N --cases 1` runs it
//! again. A case that reaches an answer which none has reached before is kept in the folder that
//! `--corpus` names, and half of the later cases are changes of kept ones: `--like FILE --seed N`
//! runs one of those again. A panic is caught and told; a case that takes longer than it may, and
//! memory beyond the bound, end the program with the case that did it. A stack that overflows ends
//! it too: the last line names the cases that ran.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a tool meets the outside world")]
#![allow(clippy::print_stderr, reason = "a tool may end when standard error is lost")]

mod bytes;
mod choices;
mod corpus;
mod dap;
mod files;
mod games;
mod network;
mod reached;
mod scripts;
mod serve;
mod session;
mod soak;
mod target;
mod texts;
mod written;

use std::panic;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use choices::Choices;
use clap::Parser;
use corpus::{Corpus, Kept};
use cpu_time::ProcessTime;
use strum::IntoEnumIterator;
use target::Target;
use tetris::SplitMix64;

/// Makes inputs at random and looks that nothing panics, hangs, or takes too much memory.
#[derive(Parser)]
#[command(name = "cargo xtask fuzz")]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Long>,
    /// Minutes to run, shared by the targets.
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    minutes: f64,
    /// Cases to run of each target, in place of a time.
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// Only this target; more than once for more.
    #[arg(long, value_name = "TARGET")]
    target: Vec<Target>,
    /// The first case.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folder of the cases that reached something new, which this run changes and adds to; not
    /// with --cases.
    #[arg(long, value_name = "FOLDER")]
    corpus: Option<PathBuf>,
    /// Change the kept case in this file, by the seeds; seed 0 changes nothing.
    #[arg(long, value_name = "FILE")]
    like: Option<PathBuf>,
    /// Print what parsers answered, without numbers and names, how often, and in which case first.
    #[arg(long)]
    answers: bool,
}

/// What is not made of cases.
#[derive(clap::Subcommand)]
enum Long {
    /// Play, rewind, save, record and practise for hours, and watch memory and open files.
    Soak(soak::Soak),
}

/// Stack of the thread that runs the cases: as large as the window's console has.
const STACK: usize = 2 << 20;

/// The most processor time that a case may take; another program may have the processor meanwhile.
const PATIENCE: Duration = Duration::from_secs(20);

/// The longest that a case may take: one that waits needs no processor.
const WAITING: Duration = Duration::from_secs(600);

/// The most memory of the whole process, in KiB.
const MEMORY: u64 = 512 << 10;

/// What the thread is at: the watchdog reads it.
#[derive(Default)]
struct Progress {
    seed: AtomicU64,
    /// Number of the kept case that is changed, from 1; 0 where there is none.
    kept: AtomicU64,
    over: AtomicBool,
}

/// A case that is repeated by a command.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Repeat {
    seed: u64,
    /// The kept case that it is a change of.
    like: Option<PathBuf>,
}

/// Which cases are run.
struct Plan {
    first: u64,
    /// How many, in place of a time.
    cases: Option<u64>,
    share: Duration,
    corpus: Corpus,
    /// All cases are changes of the only kept one.
    is_like: bool,
}

/// What came of a target.
struct TargetResult {
    cases: u64,
    slowest: (Duration, u64),
    failures: Vec<Repeat>,
    /// Cases that are kept.
    kept: usize,
    /// What parsers answered.
    reached: reached::Answers,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(Long::Soak(soak)) = &arguments.command {
        return match soak::run(soak) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error:#}");
                ExitCode::FAILURE
            }
        };
    }
    let targets =
        if arguments.target.is_empty() { Target::iter().collect() } else { arguments.target.clone() };
    let share = Duration::from_secs_f64(arguments.minutes.max(0.0) * 60.0 / targets.len() as f64);
    let (mut failures, mut cases) = (0, 0);
    for target in targets {
        let corpus = match corpus_of(&arguments, target) {
            Ok(corpus) => corpus,
            Err(error) => {
                eprintln!("error: the kept cases cannot be read: {error}");
                return ExitCode::FAILURE;
            }
        };
        let (first, is_like) = (arguments.seed, arguments.like.is_some());
        let outcome = run(target, Plan { first, cases: arguments.cases, share, corpus, is_like });
        let (longest, at) = outcome.slowest;
        println!(
            "{target:<12} {:>9} cases from {}  {} failures  {:>3} answers  {:>3} kept  slowest {:>6.0} ms (seed {at})  peak {} MiB",
            outcome.cases,
            arguments.seed,
            outcome.failures.len(),
            outcome.reached.len(),
            outcome.kept,
            longest.as_secs_f64() * 1000.0,
            peak().map_or_else(|| "?".to_owned(), |kib| (kib >> 10).to_string()),
        );
        if arguments.answers {
            outcome
                .reached
                .iter()
                .for_each(|(answer, (count, seed))| println!("  {count:>9} {answer} (seed {seed})"));
        }
        for Repeat { seed, like } in &outcome.failures {
            println!("  failed: {}", command(target, *seed, like.as_deref()));
        }
        failures += outcome.failures.len();
        cases += outcome.cases;
    }
    println!("{cases} cases, {failures} failures");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The kept cases that a target begins with.
fn corpus_of(arguments: &Arguments, target: Target) -> std::io::Result<Corpus> {
    if let Some(path) = &arguments.like {
        return Ok(Corpus::of(Kept::read(path)?));
    }
    // So many cases are the same every time.
    match arguments.corpus.as_ref().filter(|_| arguments.cases.is_none()) {
        Some(folder) => Corpus::open(folder.join(target.to_string())),
        None => Ok(Corpus::default()),
    }
}

/// The command that runs a case again.
fn command(target: Target, seed: u64, like: Option<&Path>) -> String {
    let like = like.map(|path| format!(" --like {}", path.display())).unwrap_or_default();
    format!("cargo xtask fuzz --target {target}{like} --seed {seed} --cases 1")
}

fn run(target: Target, plan: Plan) -> TargetResult {
    let progress = Arc::new(Progress::default());
    let begun = Instant::now();
    let mut present = (plan.first, Instant::now(), ProcessTime::now());
    let worker = {
        let progress = Arc::clone(&progress);
        let work = move || work(target, plan, begun, &progress);
        thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread")
    };
    while !progress.over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20));
        let seed = progress.seed.load(Ordering::Relaxed);
        if seed != present.0 {
            present = (seed, Instant::now(), ProcessTime::now());
        }
        let too_long = present.2.elapsed() > PATIENCE || present.1.elapsed() > WAITING;
        if too_long && !progress.over.load(Ordering::Relaxed) {
            let of = progress.kept.load(Ordering::Relaxed);
            eprintln!(
                "{target}: seed {seed} (kept case {of}): more than {} seconds of work, or {} in all",
                PATIENCE.as_secs(),
                WAITING.as_secs()
            );
            std::process::exit(1);
        }
        if peak().is_some_and(|kib| kib > MEMORY) {
            eprintln!("{target}: seed {seed}, or one just before: more than {} MiB", MEMORY >> 10);
            std::process::exit(1);
        }
    }
    worker.join().expect("it catches panics")
}

fn work(target: Target, mut plan: Plan, begun: Instant, progress: &Progress) -> TargetResult {
    let mut fuzzed = target.begin();
    let mut outcome = TargetResult {
        cases: 0,
        slowest: (Duration::ZERO, plan.first),
        failures: Vec::new(),
        kept: 0,
        reached: reached::Answers::new(),
    };
    // What the kept cases reach is not new.
    let again = if plan.is_like { 0 } else { plan.corpus.cases.len() };
    let again = (0..again).map(|kept| (0, Some(kept)));
    let first = plan.first;
    for (seed, kept) in again.chain((first..).map(|seed| (seed, None))) {
        let more = plan.cases.map_or_else(|| begun.elapsed() < plan.share, |cases| outcome.cases < cases);
        if !more || outcome.failures.len() == 10 {
            break;
        }
        let count = plan.corpus.cases.len() as u64;
        let number = SplitMix64::mix(seed);
        let like = kept.or_else(|| match count {
            0 => None,
            _ if plan.is_like => Some(0),
            _ => number.is_multiple_of(2).then_some((number / 2 % count) as usize),
        });
        let mut choices = match like {
            Some(kept) => Choices::like(&plan.corpus.cases[kept].numbers, seed),
            None => Choices::new(seed),
        };
        progress.kept.store(like.map_or(0, |kept| kept as u64 + 1), Ordering::Relaxed);
        progress.seed.store(seed, Ordering::Relaxed);
        reached::begin(seed);
        let case = Instant::now();
        let ran = panic::catch_unwind(panic::AssertUnwindSafe(|| fuzzed(&mut choices)));
        outcome.cases += 1;
        if case.elapsed() > outcome.slowest.0 {
            outcome.slowest = (case.elapsed(), seed);
        }
        if ran.is_err() {
            let like = like.map(|kept| plan.corpus.cases[kept].path.clone());
            outcome.failures.push(Repeat { seed, like });
        } else if kept.is_none()
            && reached::is_new()
            && let Some(numbers) = choices.made()
            && let Err(error) = plan.corpus.keep(numbers)
        {
            eprintln!("{target}: a case cannot be kept: {error}");
        }
        if outcome.cases.is_multiple_of(50_000) {
            eprintln!("{target}: {} cases, {:.0} s", outcome.cases, begun.elapsed().as_secs_f64());
        }
    }
    progress.over.store(true, Ordering::Relaxed);
    outcome.kept = plan.corpus.cases.len();
    outcome.reached = reached::taken();
    outcome
}

/// The most memory that this process has had, in KiB, where the system tells it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of every test run.
    #[test]
    fn a_few_hundred_cases_of_each_target_fail_nowhere() {
        for target in Target::iter() {
            let plan = |first| Plan {
                first,
                cases: Some(target.share()),
                share: Duration::ZERO,
                corpus: Corpus::default(),
                is_like: false,
            };
            let outcome = run(target, plan(1));
            assert_eq!((outcome.cases, outcome.failures), (target.share(), Vec::new()), "{target}");
            assert!(!outcome.reached.is_empty(), "{target} says nothing of what it reaches");
        }
    }

    #[test]
    fn a_run_goes_on_from_what_an_earlier_one_has_reached() {
        let folder = tempfile::tempdir().expect("a folder");
        let plan = |first, cases| Plan {
            first,
            cases: Some(cases),
            share: Duration::ZERO,
            corpus: Corpus::open(folder.path().join("fm2")).expect("a folder"),
            is_like: false,
        };
        let one = run(Target::Fm2, plan(1, 300));
        assert!(one.kept > 1 && one.kept <= one.reached.len(), "{} of {}", one.kept, one.reached.len());
        // As many cases as are kept reach as many answers.
        let again = run(Target::Fm2, plan(1, one.kept as u64));
        assert_eq!((again.kept, again.reached.len()), (one.kept, one.reached.len()));
        let further = run(Target::Fm2, plan(1_000_000, 300));
        assert!(further.kept >= one.kept && further.failures.is_empty());
    }

    #[test]
    fn a_case_is_repeated_by_its_command() {
        assert_eq!(command(Target::Dap, 7, None), "cargo xtask fuzz --target dap --seed 7 --cases 1");
        let like = command(Target::Dap, 7, Some(Path::new("a.case")));
        assert_eq!(like, "cargo xtask fuzz --target dap --like a.case --seed 7 --cases 1");
    }
}
