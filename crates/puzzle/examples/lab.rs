//! Makes a few puzzles and plays them on: `cargo run -p puzzle --example lab -- GAMES SAMPLE PLAYED`.

#![allow(clippy::disallowed_methods, reason = "an example reads files")]

use std::sync::Arc;

use puzzle::{Bank, Checker, Maker, SelfPlay, play};
use value::Net;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number = |at: usize| std::env::args().nth(at).and_then(|word| word.parse::<u32>().ok());
    let (games, sample, played) = (number(1).unwrap_or(20), number(2).unwrap_or(20), number(3).unwrap_or(40));
    let mut nets = value::Nets::default();
    for name in ["l18", "l19", "l29", "l39"] {
        let path = format!("{}/../value/nets/{name}.net", env!("CARGO_MANIFEST_DIR"));
        let (net, provenance) = Net::from_bytes(&std::fs::read(path)?)?;
        nets[provenance.speed as usize] = Some(Arc::new(net));
    }
    let mut maker = Maker::new(&nets)?;
    let mut candidates = Vec::new();
    for game in 0..games {
        let mut positions = Vec::new();
        play(&nets, &SelfPlay::numbered(game.into()), |position| {
            positions.push(*position);
            true
        });
        candidates.extend(maker.of_game(&positions));
    }
    let bank = Bank::select(&candidates, sample as usize);
    let checker = Checker::new(nets);
    let mut won = 0;
    for puzzle in &bank.puzzles {
        let checked = checker.check(puzzle, played)?;
        won += u32::from(checked.is_won());
        let themes: Vec<String> = puzzle.themes.iter().map(|theme| theme.to_string()).collect();
        println!(
            "{:08x} {:>8.0} ± {:>6.0}  level {} rating {} {}",
            checked.puzzle,
            checked.points,
            checked.error,
            puzzle.position.level,
            puzzle.rating,
            themes.join(" ")
        );
    }
    println!("{won} of {} won, {} candidates", bank.puzzles.len(), candidates.len());
    Ok(())
}
