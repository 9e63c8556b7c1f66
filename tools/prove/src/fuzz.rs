//! Fuzz runs: cases without end, on every processor, until time is up or someone stops them.

use crate::case::{Case, Kind, Wanted};
use crate::coverage::Coverage;
use crate::difference::Difference;
use crate::differential::{End, Tally, compare_case};
use crate::source::{self, Roms};
use anyhow::{Result, bail};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What to prove, and for how long.
pub struct Plan {
    /// The kinds, which share the time evenly.
    pub kinds: Vec<Kind>,
    /// Which of their cases.
    pub wanted: Wanted,
    /// Seed of each kind's first case; the others follow.
    pub seed: u64,
    /// Cases of each kind, at most.
    pub cases: u64,
    /// Frames of each case, at most.
    pub frames: u32,
    /// When no further frame is begun.
    pub time: Duration,
    /// Threads.
    pub jobs: usize,
    /// Programs tried to make one that differs smaller.
    pub shrinks: u32,
    /// Differences after which the rest is not worth the time.
    pub differences: usize,
}

/// What came out for one kind.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// The kind.
    pub kind: Kind,
    /// Cases that were run, the last ones perhaps not to their end.
    pub cases: u64,
    /// Frames compared, each on every fast console.
    pub frames: u64,
    /// Cycles of the bus compared.
    pub accesses: u64,
    /// Cases that differed.
    pub differences: u64,
    /// What the cases went through.
    pub coverage: Coverage,
    #[serde(skip)]
    next_seed: u64,
    #[serde(skip)]
    spent: Duration,
}

/// What came out.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// The seed that it began with.
    pub seed: u64,
    /// Seconds by the clock.
    pub seconds: f64,
    /// Each kind's figures.
    pub kinds: Vec<Figures>,
    /// Every case that differed.
    pub differences: Vec<Difference>,
}

/// A plan being carried out, as the threads share it.
struct FuzzRun<'a> {
    plan: &'a Plan,
    roms: &'a Roms,
    stop: &'a AtomicBool,
    frames: &'a AtomicU64,
    found: &'a (dyn Fn(&Difference) + Sync),
    begin: Instant,
    /// There are as many differences as were asked for.
    enough: AtomicBool,
    state: Mutex<State>,
}

/// What the threads change.
struct State {
    kinds: Vec<Figures>,
    differences: Vec<Difference>,
    error: Option<anyhow::Error>,
}

/// Names the case in which the machine panics: that is a finding too.
struct Present<'a>(&'a Case);

impl Drop for Present<'_> {
    #[allow(clippy::print_stderr, reason = "a tool may end when standard error is lost")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("PANIC in {}", self.0);
        }
    }
}

/// Runs the plan. `stop` ends it between two frames; `frames` counts them while it runs; `found` is
/// told each difference.
///
/// # Errors
/// When a case cannot be made, or no kind has one that is wanted.
pub fn run(
    plan: &Plan,
    roms: &Roms,
    stop: &AtomicBool,
    frames: &AtomicU64,
    found: &(dyn Fn(&Difference) + Sync),
) -> Result<Summary> {
    let kinds: Vec<_> = plan.kinds.iter().filter(|&&kind| roms.has(kind, &plan.wanted)).collect();
    if kinds.is_empty() {
        let mappers: Vec<_> = plan.wanted.mappers.iter().map(u16::to_string).collect();
        bail!(
            "expected cases on the board of mapper {}, found none: random programs are on 0, 1, 2, 3, 4, 5, 7, 28, 30, 34, 66, 69, 113, 148 and 218",
            mappers.join(" or ")
        );
    }
    let kinds = kinds.into_iter().map(|&kind| Figures {
        kind,
        cases: 0,
        frames: 0,
        accesses: 0,
        differences: 0,
        coverage: Coverage::default(),
        next_seed: plan.seed,
        spent: Duration::ZERO,
    });
    let state = Mutex::new(State { kinds: kinds.collect(), differences: Vec::new(), error: None });
    let fuzz = FuzzRun {
        plan,
        roms,
        stop,
        frames,
        found,
        begin: Instant::now(),
        enough: AtomicBool::new(false),
        state,
    };
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| fuzz.work());
        }
    });
    let seconds = fuzz.begin.elapsed().as_secs_f64();
    let State { kinds, differences, error } = fuzz.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match error {
        Some(error) => Err(error),
        None => Ok(Summary { seed: plan.seed, seconds, kinds, differences }),
    }
}

impl FuzzRun<'_> {
    fn goes_on(&self) -> bool {
        !self.stop.load(Relaxed) && !self.enough.load(Relaxed) && self.begin.elapsed() < self.plan.time
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread's work: one case after the other.
    fn work(&self) {
        while self.goes_on() {
            let Some((kind, seed)) = next(self.plan, &mut self.state()) else { break };
            if let Err(error) = self.prove(kind, seed) {
                self.state().error = Some(error);
                self.stop.store(true, Relaxed);
            }
        }
    }

    fn prove(&self, kind: Kind, seed: u64) -> Result<()> {
        let mut case = source::case(kind, seed, self.roms)?;
        if !self.plan.wanted.holds(&case) {
            self.state().pass_over(kind);
            return Ok(());
        }
        case.frames = case.frames.min(self.plan.frames);
        let present = Present(&case);
        let begin = Instant::now();
        let mut tally = Tally::default();
        let end = compare_case(&case, &mut tally, &|| {
            self.frames.fetch_add(1, Relaxed);
            self.goes_on()
        });
        let difference = match end {
            End::Different(difference) => Some(self.shrunk(&case, *difference)?),
            End::Equal | End::Stopped => None,
        };
        drop(present);
        if let Some(difference) = &difference {
            (self.found)(difference);
        }
        let mut state = self.state();
        state.add(kind, tally, begin.elapsed(), difference);
        if state.differences.len() >= self.plan.differences {
            self.enough.store(true, Relaxed);
        }
        Ok(())
    }

    /// The same difference with the smallest program found that still differs, where the program
    /// was random.
    fn shrunk(&self, case: &Case, difference: Difference) -> Result<Difference> {
        if !matches!(case.kind, Kind::Programs | Kind::Pokes) {
            return Ok(difference);
        }
        let mut tree = source::tree(case.kind, case.seed);
        let mut smallest = difference;
        let mut differs = true;
        for _ in 0..self.plan.shrinks {
            let moved = if differs { tree.simplify() } else { tree.complicate() };
            if !moved || !self.goes_on() {
                break;
            }
            let program = tree.current();
            let smaller = source::of_program(case.kind, case.seed, &program)?;
            let end = compare_case(&smaller, &mut Tally::default(), &|| self.goes_on());
            differs = matches!(end, End::Different(_));
            if let End::Different(difference) = end {
                smallest = Difference {
                    program: Some(format!("{program:?}")),
                    case: case.to_string(),
                    ..*difference
                };
            }
        }
        Ok(smallest)
    }
}

/// The next case: of the kind that has had the least time.
fn next(plan: &Plan, state: &mut State) -> Option<(Kind, u64)> {
    let open = state.kinds.iter_mut().filter(|kind| kind.cases < plan.cases);
    let kind = open.min_by_key(|kind| (kind.spent, kind.cases))?;
    let seed = kind.next_seed;
    kind.next_seed = seed.wrapping_add(1);
    kind.cases += 1;
    Some((kind.kind, seed))
}

impl State {
    /// A case that was not wanted does not count.
    fn pass_over(&mut self, kind: Kind) {
        self.kinds.iter_mut().filter(|result| result.kind == kind).for_each(|result| result.cases -= 1);
    }

    fn add(&mut self, kind: Kind, tally: Tally, spent: Duration, difference: Option<Difference>) {
        for result in self.kinds.iter_mut().filter(|result| result.kind == kind) {
            result.frames += tally.frames;
            result.accesses += tally.accesses;
            result.coverage += tally.coverage;
            result.spent += spent;
            result.differences += u64::from(difference.is_some());
        }
        self.differences.extend(difference);
    }
}
