//! Plays a match of two computers, writes its file to standard output, and says how large it is and
//! how long it takes to verify: `cargo run --release -p emulator --example match_file --
//! chase-down 36000 > ten.mxmatch`.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "an example reads its arguments and the clock"
)]
#![allow(clippy::print_stderr, reason = "an example says what it has measured")]

use std::error::Error;
use std::io::{Write, stdout};
use std::thread;
use std::time::Instant;

use autopilot::{Autopilot, Settings};
use emulator::{Match, MatchFile, MatchHeader, MatchKind, MatchRecorder, MatchRules, Stage};
use nes::{Buttons, Cartridge};
use randomizers::Kind;
use tetris::Profile;

const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, frames] = &words[..] else {
        return Err("expected a kind of match and a number of frames".into());
    };
    let (kind, frames): (MatchKind, u64) = (kind.parse()?, frames.parse()?);
    let cartridge = Cartridge::from_bytes(IMAGE)?;
    let profile = Profile::of_image(IMAGE).ok_or("not a known cartridge")?;
    let rules = MatchRules { kind, best_of: 99, level: 18, dealer: Kind::Nes, seed: 7 };
    let mut game = Match::begin(&cartridge, &profile, rules, 0, None).ok_or("the menus lead to no game")?;
    game.set_seen(false);
    let settings = Settings { level: 18, ..Settings::default() };
    let player = || Autopilot::new(profile.clone(), settings.clone());
    let mut players = [player(), player()];
    let (mut recorder, mut number) = (MatchRecorder::default(), 0);
    for frame in 0..frames {
        if std::mem::replace(&mut number, game.game()) != game.game() {
            players = [player(), player()];
        }
        let start = if frame % 30 < 15 { Buttons::START } else { Buttons::empty() };
        let held = match game.stage() {
            Stage::Playing => [0, 1].map(|at| players[at].action(game.duel().console(at)).buttons),
            _ => [start; 2],
        };
        let held = held.map(|held| held.bits());
        game.frame(held);
        recorder.push(held, &game);
    }
    let header = MatchHeader {
        cartridge: cartridge.crc32(),
        rules,
        names: ["Ada".to_owned(), "Ben".to_owned()],
        own: 0,
        begun: 1_700_000_000,
        frames,
        hash: 0,
        agreed: frames,
        results: Vec::new(),
    };
    let bytes = recorder.file(header, &game).bytes();
    stdout().write_all(&bytes)?;
    let begun = Instant::now();
    MatchFile::read(&bytes)?.verify(&cartridge, &profile, &|one, two| {
        thread::scope(|scope| {
            scope.spawn(one);
            two();
        });
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    let games = game.results().len();
    eprintln!(
        "{frames} frames, {games} games, {} bytes, verified in {seconds:.2} s on two threads",
        bytes.len()
    );
    Ok(())
}
