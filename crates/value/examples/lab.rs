//! The bench of the player, without files of results: plays a format's games, follows a plan of
//! training, makes nets small.
//!
//!     cargo run --release -p value --example lab -- play bt-30hz-18f games=2000 threads=2 from=0 [weights=el-tetris|built-in|FILE] [ahead=N[,N]] [narrow=N] [clearing=POINTS] [until=LINES] [39=NET …]
//!     cargo run --release -p value --example lab -- plan crates/value/plans/small.toml FOLDER threads=2
//!     cargo run --release -p value --example lab -- small FOLDER NET…

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "an example measures, reads and writes"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use tetris::Playfield;
use value::{
    Actor, Curriculum, EL_TETRIS, Experience, Format, Learner, Linear, Mind, Net, NetMind, Nets, Player,
    PointsGame, Provenance, Report, Start, WeightsFile, deal, fnv, is_file, points, report_seeds,
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
    let (mut board, mut lines) = (Playfield::EMPTY, from);
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
        let clearing = number(options, "clearing", 0.0);
        NetMind { breadths, narrow, guided, caution, clearing, ..NetMind::new(nets, linear) }.into()
    } else {
        Mind::weights(linear, breadths)
    };
    let begun = Instant::now();
    let start = Start { board: Playfield::EMPTY, lines: from };
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
    let outcomes: Vec<PointsGame> = all(
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

/// Follows a plan of stages, as `maxout ai value train --plan` does; files go to a folder.
fn plan(path: &str, folder: &str, options: &Options) {
    let curriculum: Curriculum = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    curriculum.check().unwrap();
    let (beside, folder) = (Path::new(path).parent().unwrap(), Path::new(folder));
    let threads = number(options, "threads", 1);
    let file =
        |name: &str| if is_file(name) { beside.join(name) } else { folder.join(format!("{name}.net")) };
    let net = |name: &String| Net::from_bytes(&std::fs::read(file(name)).unwrap()).unwrap();
    let mut identities = BTreeMap::new();
    for stage in &curriculum.stages {
        let identity = |name: &String| {
            if is_file(name) { fnv(&std::fs::read(file(name)).unwrap()) } else { identities[name] }
        };
        let sources: Vec<u64> = stage.sources().map(identity).collect();
        let plan = curriculum.plan(stage, &sources).unwrap();
        let checkpoint = folder.join(format!("{}.train", stage.name));
        identities.insert(stage.name.clone(), stage.identity(&plan));
        let read = |path: &Path| Learner::from_bytes(&std::fs::read(path).unwrap()).unwrap();
        let mut learner = if checkpoint.exists() {
            let learner = read(&checkpoint);
            assert!(*learner.plan() == plan, "{} is of another plan", checkpoint.display());
            learner
        } else {
            let inherited = stage
                .inherit
                .as_ref()
                .map(|name| read(&folder.join(format!("{name}.train"))).left().to_vec());
            let begin = stage.begin.as_ref().map(|name| net(name).0);
            stage.learner(plan, begin, &inherited.unwrap_or_default())
        };
        let mut after = Nets::default();
        for (net, provenance) in stage.after.iter().map(net) {
            after[provenance.speed as usize] = Some(Arc::new(net));
        }
        let write = |path: &Path, bytes: &[u8]| {
            let draft = path.with_extension("draft");
            std::fs::write(&draft, bytes).unwrap();
            std::fs::rename(draft, path).unwrap();
        };
        let save = |learner: &Learner| {
            let hashes: Vec<String> = sources.iter().map(|hash| format!("{hash:016x}")).collect();
            let provenance = learner.provenance(&Learner::notes(&hashes));
            let provenance = Provenance { asked: stage.asked.clone(), ..provenance };
            write(&file(&stage.name), &learner.net().to_bytes(&provenance));
        };
        while learner.history().len() < stage.rounds as usize {
            let (tasks, clock) = (learner.tasks(), Instant::now());
            let actor = Actor::new(&learner.assignment(), &after);
            let games: Vec<Experience> = all(
                tasks.len(),
                threads,
                || actor.clone(),
                |actor, number| actor.play(&tasks[number]).unwrap(),
            );
            let playing = clock.elapsed().as_secs_f64();
            learner.learn(&games);
            let round = learner.history().last().unwrap();
            println!(
                "{} {:4} {:7} samples  {:8.0} points  {:5.1} % survive  loss {:.5}  {playing:.1} s + {:.1} s",
                stage.name,
                learner.history().len(),
                round.samples,
                round.score,
                100.0 * round.survived,
                round.loss,
                clock.elapsed().as_secs_f64() - playing,
            );
            let ended = learner.history().len() >= stage.rounds as usize;
            if ended || learner.history().len() % 10 == 0 {
                save(&learner);
                if ended {
                    learner = learner.without_samples();
                }
                write(&checkpoint, &learner.to_bytes());
            }
        }
        save(&learner);
    }
}

/// Writes each net into the folder as a small net of the same name.
fn small(folder: &str, nets: &[String]) {
    for path in nets.iter().map(Path::new) {
        let (net, provenance) = Net::from_bytes(&std::fs::read(path).unwrap()).unwrap();
        let name = path.file_name().unwrap();
        std::fs::write(Path::new(folder).join(name), net.to_small_bytes(&provenance)).unwrap();
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = arguments
        .iter()
        .filter_map(|text| text.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    match arguments[0].as_str() {
        "play" => games(&arguments[1].parse().unwrap(), &options),
        "plan" => plan(&arguments[1], &arguments[2], &options),
        "small" => small(&arguments[1], &arguments[2..]),
        other => panic!("{other}: expected play, plan or small"),
    }
}
