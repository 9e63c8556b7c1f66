//! The bench of the player, without files of results: plays a format's games, trains a net.
//!
//!     cargo run --release -p value --example lab -- play bt-30hz-18f games=2000 threads=2 from=0 [weights=el-tetris|built-in|FILE] [ahead=N[,N]] [39=NET …]
//!     cargo run --release -p value --example lab -- train bt-30hz-18f 39 checkpoint=FILE minutes=10 net=OUT

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "an example measures, reads and writes"
)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use value::{
    Board, Decider, EL_TETRIS, Experience, Format, Guided, Learner, Linear, Mind, Net, NetJudge, Nets,
    Outcome, Plan, Player, Report, Speed, Start, WeightsFile, deal, experience, fnv, report_seeds,
    tuning_seeds,
};

type Options = BTreeMap<String, String>;

fn number<T: std::str::FromStr>(options: &Options, name: &str, default: T) -> T {
    options.get(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}

/// What each number comes to, in their order, on so many threads.
fn all<T: Send, W>(
    count: usize,
    threads: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let (mut own, mut done) = (worker(), Vec::new());
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= count {
                            return done;
                        }
                        done.push((number, work(&mut own, number)));
                    }
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

fn nets(options: &Options) -> Nets {
    ["18", "19", "29", "39"].map(|name| {
        let path = options.get(name)?;
        let bytes = std::fs::read(path).unwrap();
        println!("{name}: {path} {:016x}", fnv(&bytes));
        Some(Arc::new(Net::from_bytes(&bytes).unwrap().0))
    })
}

fn linear(format: &Format, options: &Options) -> Linear {
    match options.get("weights").map(String::as_str) {
        Some("el-tetris") => Linear::new(EL_TETRIS),
        None | Some("built-in") => Linear::built_in(format),
        Some(path) => {
            let file = WeightsFile::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
            Linear::by_speed(format, file.weights)
        }
    }
}

fn games(format: &Format, options: &Options) {
    let count = number(options, "games", 2_000);
    let threads = number(options, "threads", 1);
    let from: u32 = number(options, "from", 0);
    let seeds = if options.contains_key("tuning") { tuning_seeds(count) } else { report_seeds(count) };
    let nets = nets(options);
    let linear = linear(format, options);
    let breadths = options.get("ahead").map_or("", String::as_str).split(',');
    let breadths: Vec<usize> =
        breadths.filter(|text| !text.is_empty()).map(|text| text.parse().unwrap()).collect();
    let mind = if nets.iter().any(Option::is_some) {
        Mind::Nets { nets, linear, breadths, guided: number(options, "guided", 0) }
    } else if breadths.is_empty() {
        Mind::Linear(linear)
    } else {
        Mind::Ahead(linear, breadths)
    };
    let begun = Instant::now();
    let start = Start { board: Board::EMPTY, lines: from };
    let outcomes: Vec<Outcome> = all(
        count,
        threads,
        || Player::new(format, mind.clone()),
        |player, number| player.play(&start, seeds[number], deal(seeds[number])),
    );
    let report = Report::of(&outcomes);
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{report:?}\n{:.0} ± {:.0} (sd {:.0}), {:.0} decisions/s",
        report.score.mean,
        report.score.se,
        report.score.sd,
        report.pieces as f64 / seconds
    );
}

fn train(format: &Format, options: &Options, speed: &str) {
    let speed = Speed::ALL[["18", "19", "29", "39"].iter().position(|name| *name == speed).unwrap()];
    let checkpoint = &options["checkpoint"];
    let threads = number(options, "threads", 1);
    let mut learner = if let Ok(bytes) = std::fs::read(checkpoint) {
        Learner::from_bytes(&bytes).unwrap()
    } else {
        let plan = Plan::new(*format, speed, number(options, "seed", 1));
        let plan = Plan {
            games: number(options, "games", plan.games),
            passes: number(options, "passes", plan.passes),
            rate: number(options, "rate", plan.rate),
            halving: number(options, "halving", plan.halving),
            lambda: number(options, "lambda", plan.lambda),
            exploration: number(options, "exploration", plan.exploration),
            taught: number(options, "taught", plan.taught),
            batch: number(options, "batch", plan.batch),
            memory: number(options, "memory", plan.memory),
            stumbling: number(options, "stumbling", plan.stumbling),
            guided: number(options, "guided", plan.guided),
            average: number(options, "average", plan.average),
            ..plan
        };
        match options.get("begin") {
            Some(path) => {
                let net = Net::from_bytes(&std::fs::read(path).unwrap()).unwrap().0;
                Learner::from_net(plan, net, Vec::new())
            }
            None => Learner::new(plan),
        }
    };
    let frozen = nets(options);
    let linear = linear(format, options);
    let (begun, minutes) = (Instant::now(), number(options, "minutes", 1.0));
    let rounds = number(options, "rounds", usize::MAX);
    while begun.elapsed().as_secs_f64() < 60.0 * minutes && learner.history().len() < rounds {
        let (tasks, lesson) = (learner.tasks(), learner.lesson());
        let mut nets = frozen.clone();
        nets[speed as usize] = Some(Arc::new(learner.net().clone()));
        let (taught, clock) = (learner.is_taught(), Instant::now());
        let played: Vec<Experience> = all(
            tasks.len(),
            threads,
            || {
                let judge = NetJudge::new(format, nets.clone());
                let guided = learner.plan().guided as usize;
                let guided = Guided::new(format, nets.clone(), linear.clone(), guided);
                (Decider::new(format), guided, judge, linear.clone())
            },
            |(decider, judge, later, linear), number| {
                let task = &tasks[number];
                let start = (Board { columns: task.columns }, task.lines);
                if taught {
                    experience(decider, linear, later, &lesson, start, task.seed)
                } else {
                    experience(decider, judge, later, &lesson, start, task.seed)
                }
            },
        );
        let playing = clock.elapsed().as_secs_f64();
        learner.learn(&played);
        let learning = clock.elapsed().as_secs_f64() - playing;
        let round = learner.history().last().unwrap();
        let full: Vec<f64> = tasks
            .iter()
            .zip(&played)
            .filter(|(task, _)| task.lines == Speed::LINES[speed as usize] && task.columns == [0; 10])
            .map(|(_, game)| game.score as f64)
            .collect();
        println!(
            "{:4} {:7} samples  {:8.0} points  {:4.1} % survive  loss {:.5}  {playing:.1} s + {learning:.1} s  from empty {:.0} ({})",
            learner.history().len(),
            round.samples,
            round.score,
            100.0 * round.survived,
            round.loss,
            full.iter().sum::<f64>() / full.len().max(1) as f64,
            full.len()
        );
        std::fs::write(format!("{checkpoint}.new"), learner.to_bytes()).unwrap();
        std::fs::rename(format!("{checkpoint}.new"), checkpoint).unwrap();
    }
    if let Some(path) = options.get("net") {
        std::fs::write(path, learner.net().to_bytes(&learner.provenance(""))).unwrap();
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = arguments
        .iter()
        .filter_map(|text| text.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let format: Format = arguments[1].parse().unwrap();
    match arguments[0].as_str() {
        "play" => games(&format, &options),
        "train" => train(&format, &options, &arguments[2]),
        other => panic!("{other}: expected play or train"),
    }
}
