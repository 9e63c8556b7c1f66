//! Proves for as long as it is told to. `cargo xtask prove` builds it, says where the ROMs are, and
//! calls it.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]
#![allow(clippy::print_stderr, reason = "a tool may end when standard error is lost")]

use anyhow::Result;
use clap::{Parser, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use maxout_prove::{Difference, Kind, Plan, Roms, Summary, Wanted, run};
use nes::Region;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, SystemTime};

/// Minutes without --minutes and --seed.
const MINUTES: f64 = 10.0;

/// Run the fast console and the slow one side by side, on ROMs and random programs.
///
/// The fast console is the one that everybody uses; the slow one keeps every chip in step at every
/// cycle. They must see the same bus and be equal after every frame: state, picture and samples.
/// Ctrl-C ends with the summary. A difference is printed with the command that runs its case again,
/// and fails.
#[derive(Parser)]
#[command(name = "cargo xtask prove", bin_name = "cargo xtask prove")]
struct Arguments {
    /// Minutes to run, shared evenly by the kinds; without them 10, or with --seed one case of each
    /// kind.
    #[arg(long)]
    minutes: Option<f64>,
    /// Only cases of this kind; may be given again.
    #[arg(long)]
    kind: Vec<Kind>,
    /// Only cartridges on the board of this iNES number, of MMC3 4, of Tengen's 148; may be given
    /// again.
    #[arg(long, value_name = "NUMBER")]
    mapper: Vec<u16>,
    /// Only consoles of this region.
    #[arg(long)]
    region: Option<Television>,
    /// Only PPUs with OAM decay or palette corruption.
    #[arg(long)]
    quirks: bool,
    /// Seed of the first case; the others follow. Without it the time of day.
    #[arg(long)]
    seed: Option<u64>,
    /// A folder of test ROMs beside the pinned package's, which `cargo xtask prove` names; may be
    /// given again.
    #[arg(long, value_name = "DIR")]
    suite_dir: Vec<PathBuf>,
    /// Threads; without it one for each processor.
    #[arg(long)]
    jobs: Option<usize>,
    /// Programs tried to make one that differs smaller.
    #[arg(long, default_value_t = 400)]
    shrinks: u32,
    /// Stop after so many cases that differ.
    #[arg(long, default_value_t = 1)]
    differences: usize,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Television {
    Ntsc,
    Pal,
}

impl From<Television> for Region {
    fn from(television: Television) -> Self {
        match television {
            Television::Ntsc => Self::Ntsc,
            Television::Pal => Self::Pal,
        }
    }
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let kinds =
        if arguments.kind.is_empty() { Kind::value_variants().to_vec() } else { arguments.kind.clone() };
    let roms =
        if kinds.contains(&Kind::Roms) { Roms::collect(&arguments.suite_dir)? } else { Roms::default() };
    let clock = || SystemTime::UNIX_EPOCH.elapsed().map_or(1, |elapsed| elapsed.as_secs());
    let one = arguments.seed.is_some() && arguments.minutes.is_none();
    let minutes = arguments.minutes.unwrap_or(if one { 24.0 * 60.0 } else { MINUTES });
    let plan = Plan {
        kinds,
        wanted: Wanted {
            mappers: arguments.mapper,
            region: arguments.region.map(Region::from),
            quirks: arguments.quirks,
        },
        seed: arguments.seed.unwrap_or_else(clock),
        cases: if one { 1 } else { u64::MAX },
        frames: u32::MAX,
        time: Duration::from_secs_f64((minutes * 60.0).clamp(0.0, 1e9)),
        jobs: arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        shrinks: arguments.shrinks,
        differences: arguments.differences.max(1),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    ctrlc::set_handler(move || asked.store(true, Relaxed))?;
    let summary = watch(&plan, &roms, &stop)?;
    if arguments.json {
        println!("{}", serde_json::to_string(&summary)?);
    } else {
        print(&summary, &roms);
    }
    Ok(if summary.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the plan with a bar of its time.
fn watch(plan: &Plan, roms: &Roms, stop: &AtomicBool) -> Result<Summary> {
    let bar =
        if plan.cases == 1 { ProgressBar::new_spinner() } else { ProgressBar::new(plan.time.as_secs()) };
    bar.set_style(ProgressStyle::with_template("{elapsed_precise} {wide_bar} {msg}")?);
    let frames = AtomicU64::new(0);
    let done = AtomicBool::new(false);
    let found = |difference: &Difference| bar.suspend(|| eprintln!("{difference}\n"));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                bar.set_position(bar.elapsed().as_secs());
                bar.set_message(format!("{} frames compared", frames.load(Relaxed)));
                std::thread::sleep(Duration::from_millis(200));
            }
            bar.finish_and_clear();
        });
        let _ends = Ends(&done);
        run(plan, roms, stop, &frames, &found)
    })
}

/// Ends the bar's thread, whatever ends the run.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

fn print(summary: &Summary, roms: &Roms) {
    let Summary { seed, seconds, kinds, differences } = summary;
    println!(
        "{seconds:.0} s from seed {seed}; {} test ROMs, {} of boards not built here.\n",
        roms.len(),
        roms.refused
    );
    println!("| kind | cases | frames | bus cycles | differences |\n|---|---|---|---|---|");
    for kind in kinds {
        println!(
            "| {} | {} | {} | {} | {} |",
            kind.kind, kind.cases, kind.frames, kind.accesses, kind.differences
        );
    }
    println!("\nReached:");
    let names = kinds.first().map(|kind| kind.coverage).unwrap_or_default();
    for (index, (name, _)) in names.all().enumerate() {
        let counts = kinds.iter().filter_map(|kind| {
            let (_, count) = kind.coverage.all().nth(index)?;
            Some(format!("{} {count}", kind.kind))
        });
        println!("  {name}: {}", counts.collect::<Vec<_>>().join(", "));
    }
    println!();
    match differences.len() {
        0 => println!("No difference."),
        count => println!("{count} cases differ."),
    }
}
