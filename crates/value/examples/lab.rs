//! The bench of the player, without files of results: plays a format's games, trains a net.
//!
//!     cargo run --release -p value --example lab -- play bt-30hz-18f games=2000 threads=2 from=0 [weights=el-tetris|built-in|FILE] [ahead=N[,N]] [narrow=N] [until=LINES] [39=NET …]
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
    Actor, Board, EL_TETRIS, Experience, Format, Learner, Linear, Mind, Net, NetMind, Nets, Outcome, Plan,
    Player, Report, Speed, Start, WeightsFile, deal, fnv, points, report_seeds, tuning_seeds,
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

/// A part of a game.
struct Leg {
    score: u32,
    lines: u32,
    by_tetrises: u32,
    there: bool,
}

/// Plays from an empty board at some lines to others.
fn leg(player: &mut Player, (from, until): (u32, u32), seed: u32) -> Leg {
    let mut pieces = deal(seed);
    let (mut board, mut lines) = (Board::EMPTY, from);
    let mut leg = Leg { score: 0, lines: 0, by_tetrises: 0, there: false };
    let (mut piece, mut next) = (pieces.next().unwrap(), pieces.next().unwrap());
    while lines < until {
        let Some(choice) = player.decide(&board, lines, piece) else { break };
        let child = player.decider().children()[choice.targets[next as usize]];
        if child.cleared > 0 {
            leg.score += points(child.cleared, child.lines);
            leg.lines += child.cleared;
            leg.by_tetrises += if child.cleared == 4 { 4 } else { 0 };
        }
        (board, lines) = (child.board, child.lines);
        (piece, next) = (next, pieces.next().unwrap());
    }
    leg.there = lines >= until;
    leg
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
        let narrow = number(options, "narrow", 0);
        let (guided, caution) = (number(options, "guided", 0), number(options, "caution", value::CAUTION));
        NetMind { breadths, narrow, guided, caution, ..NetMind::new(nets, linear) }.into()
    } else if breadths.is_empty() {
        Mind::Linear(linear)
    } else {
        Mind::Ahead(linear, breadths)
    };
    let begun = Instant::now();
    let start = Start { board: Board::EMPTY, lines: from };
    if let Some(until) = options.get("until") {
        let until = until.parse().unwrap();
        let games = all(
            count,
            threads,
            || Player::new(format, mind.clone()),
            |player, number| leg(player, (from, until), seeds[number]),
        );
        let mean = |of: &dyn Fn(&Leg) -> f64| games.iter().map(of).sum::<f64>() / count as f64;
        let score = mean(&|leg| f64::from(leg.score));
        let square = mean(&|leg| (f64::from(leg.score) - score).powi(2));
        println!(
            "{score:.0} ± {:.0} points from {from} to {until} lines, {:.1} % come there, {:.1} % of lines by tetrises",
            (square / count as f64).sqrt(),
            100.0 * mean(&|leg| f64::from(u8::from(leg.there))),
            100.0 * mean(&|leg| f64::from(leg.by_tetrises)) / mean(&|leg| f64::from(leg.lines)),
        );
        return;
    }
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
            ahead: number(options, "ahead", plan.ahead),
            looked_at: number(options, "looked-at", plan.looked_at),
            well: number(options, "well", plan.well),
            caution: number(options, "caution", plan.caution),
            by_weights: number(options, "by-weights", plan.by_weights),
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
    let (begun, minutes) = (Instant::now(), number(options, "minutes", 1.0));
    let rounds = number(options, "rounds", usize::MAX);
    while begun.elapsed().as_secs_f64() < 60.0 * minutes && learner.history().len() < rounds {
        let (tasks, clock) = (learner.tasks(), Instant::now());
        let actor = Actor::new(&learner.assignment(), &frozen);
        let played: Vec<Experience> =
            all(tasks.len(), threads, || actor.clone(), |actor, number| actor.play(&tasks[number]).unwrap());
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
        // Nets on the way are there to be looked at.
        if learner.history().len() % 10 == 0 {
            save(&learner, checkpoint, options);
        }
    }
    save(&learner, checkpoint, options);
}

fn save(learner: &Learner, checkpoint: &str, options: &Options) {
    std::fs::write(format!("{checkpoint}.new"), learner.to_bytes()).unwrap();
    std::fs::rename(format!("{checkpoint}.new"), checkpoint).unwrap();
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
