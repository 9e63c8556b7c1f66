//! `cargo xtask fuzz`: runs targets for as long as asked, or so many cases, and says which case
//! fails.
//!
//! A case is its target and a number: `cargo xtask fuzz --target lua --seed N --cases 1` runs it
//! again. A panic is caught and told; a case that takes longer than it may, and memory beyond the
//! bound, end the program with the case that did it. A stack that overflows ends it too: the last
//! line names the cases that ran.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a tool meets the outside world")]
#![allow(clippy::print_stderr, reason = "a tool may end when standard error is lost")]

mod bytes;
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
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use cpu_time::ProcessTime;
use strum::IntoEnumIterator;
use target::Target;

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
    over: AtomicBool,
}

/// What came of a target.
struct Outcome {
    cases: u64,
    slowest: (Duration, u64),
    failures: Vec<u64>,
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
    let targets = if arguments.target.is_empty() { Target::iter().collect() } else { arguments.target };
    let share = Duration::from_secs_f64(arguments.minutes.max(0.0) * 60.0 / targets.len() as f64);
    let mut failures = 0;
    for target in targets {
        let outcome = run(target, arguments.seed, arguments.cases, share);
        let (longest, at) = outcome.slowest;
        println!(
            "{target:<12} {:>9} cases from {}  {} failures  {:>3} answers  slowest {:>6.0} ms (seed {at})  peak {} MiB",
            outcome.cases,
            arguments.seed,
            outcome.failures.len(),
            outcome.reached.len(),
            longest.as_secs_f64() * 1000.0,
            peak().map_or_else(|| "?".to_owned(), |kib| (kib >> 10).to_string()),
        );
        if arguments.answers {
            outcome
                .reached
                .iter()
                .for_each(|(answer, (count, seed))| println!("  {count:>9} {answer} (seed {seed})"));
        }
        for seed in &outcome.failures {
            println!("  failed: cargo xtask fuzz --target {target} --seed {seed} --cases 1");
        }
        failures += outcome.failures.len();
    }
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(target: Target, first: u64, cases: Option<u64>, share: Duration) -> Outcome {
    let progress = Arc::new(Progress::default());
    let begun = Instant::now();
    let worker = {
        let progress = Arc::clone(&progress);
        let work = move || work(target, first, cases, share, begun, &progress);
        thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread")
    };
    let mut present = (first, Instant::now(), ProcessTime::now());
    while !progress.over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20));
        let seed = progress.seed.load(Ordering::Relaxed);
        if seed != present.0 {
            present = (seed, Instant::now(), ProcessTime::now());
        }
        let too_long = present.2.elapsed() > PATIENCE || present.1.elapsed() > WAITING;
        if too_long && !progress.over.load(Ordering::Relaxed) {
            eprintln!(
                "{target}: seed {seed}: more than {} seconds of work, or {} in all",
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

fn work(
    target: Target,
    first: u64,
    cases: Option<u64>,
    share: Duration,
    begun: Instant,
    progress: &Progress,
) -> Outcome {
    let mut fuzzed = target.begin();
    let mut outcome = Outcome {
        cases: 0,
        slowest: (Duration::ZERO, first),
        failures: Vec::new(),
        reached: reached::Answers::new(),
    };
    for seed in first.. {
        let more = cases.map_or_else(|| begun.elapsed() < share, |cases| outcome.cases < cases);
        if !more || outcome.failures.len() == 10 {
            break;
        }
        progress.seed.store(seed, Ordering::Relaxed);
        reached::begin(seed);
        let case = Instant::now();
        let ran = panic::catch_unwind(panic::AssertUnwindSafe(|| fuzzed(seed)));
        outcome.cases += 1;
        if case.elapsed() > outcome.slowest.0 {
            outcome.slowest = (case.elapsed(), seed);
        }
        if ran.is_err() {
            outcome.failures.push(seed);
        }
        if outcome.cases.is_multiple_of(50_000) {
            eprintln!("{target}: {} cases, {:.0} s", outcome.cases, begun.elapsed().as_secs_f64());
        }
    }
    progress.over.store(true, Ordering::Relaxed);
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
            let outcome = run(target, 1, Some(target.share()), Duration::ZERO);
            assert_eq!((outcome.cases, outcome.failures), (target.share(), Vec::new()), "{target}");
        }
    }
}
