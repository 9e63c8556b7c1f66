//! Plays the puzzles of a bank on, and writes those whose answers win clearly, as `maxout puzzle
//! make` does at its end: `cargo run -p puzzle --example puzzle_lab -- IN.bin OUT.bin GAMES`.

#![allow(clippy::disallowed_methods, reason = "an example reads files")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use puzzle::{Bank, Checker};
use value::Net;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [from, to, games] = &words[..] else { return Err("expected IN.bin OUT.bin GAMES".into()) };
    let games: u32 = games.parse()?;
    let mut nets = value::Nets::default();
    for name in ["l18", "l19", "l29", "l39"] {
        let path = format!("{}/../value/nets/{name}.net", env!("CARGO_MANIFEST_DIR"));
        let (net, provenance) = Net::from_bytes(&std::fs::read(path)?)?;
        nets[provenance.speed as usize] = Some(Arc::new(net));
    }
    let bank = Bank::read(&std::fs::read(from)?)?;
    let (next, checker) = (AtomicUsize::new(0), Checker::new(nets));
    let work = || {
        let mut won = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(puzzle) = bank.puzzles.get(at) else { return won };
            let is_won = checker.check(puzzle, games).is_ok_and(|checked| checked.is_won_clearly());
            won.extend(is_won.then_some(at));
            if at.is_multiple_of(100) {
                println!("{at}: {} in this thread", won.len());
            }
        }
    };
    let mut won = std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        threads.map(|thread| thread.join().unwrap_or_default()).concat()
    });
    won.sort_unstable();
    let kept = Bank { puzzles: won.into_iter().map(|at| bank.puzzles[at]).collect() };
    println!("{} of {} puzzles", kept.puzzles.len(), bank.puzzles.len());
    std::fs::write(to, kept.bytes())?;
    Ok(())
}
