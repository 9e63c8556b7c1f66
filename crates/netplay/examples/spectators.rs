//! Two players in a room and many who watch, in one process: what those are sent and how far they
//! are behind. `cargo xtask netplay --spectators` runs it beside a room's server:
//! `cargo run -p netplay --example spectators -- 127.0.0.1:5052 100 20`.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "an example reads arguments and clock"
)]
#![allow(clippy::print_stdout, reason = "an example says what it has measured")]

use std::collections::hash_map::RandomState;
use std::error::Error;
use std::hash::{BuildHasher, Hasher};
use std::thread;
use std::time::{Duration, Instant};

use netplay::{
    Advance, Code, Game, Guest, Part, Playback, Publication, RollbackSession, RoomOptions, RoomWire, Rules,
    Spectator, WatchOptions,
};

/// A frame of the console.
const FRAME: Duration = Duration::from_micros(16_639);

/// A game in which every button counts.
#[derive(Clone)]
struct Sum(u64);

impl Game for Sum {
    fn frame(&mut self, [one, two]: [u8; 2]) {
        self.0 =
            (self.0 ^ u64::from(one) << 8 ^ u64::from(two)).wrapping_mul(0x0100_0000_01B3).rotate_left(7);
    }

    fn hash(&self) -> u64 {
        self.0
    }
}

/// Returns a number that differs from call to call.
fn number() -> u64 {
    RandomState::new().build_hasher().finish()
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [server, count, seconds] = &words[..] else {
        return Err("expected a server's address, how many watch, and seconds".into());
    };
    let (count, seconds): (usize, u64) = (count.parse()?, seconds.parse()?);
    let code = Code::new(number());
    let enter = |is_host| {
        let token = std::env::var("MAXOUT_ROOM_TOKEN").ok();
        let options = RoomOptions { server: server.clone(), code, client: number(), token, hidden: true };
        RoomWire::enter(&options, is_host)
    };
    let mut wires = [enter(true)?, enter(false)?];
    let rules = Rules { cartridge: 1, number: number(), ..Rules::default() };
    let mut host = RollbackSession::new(Sum(1), 1, 0, 2).inviting(rules);
    let (mut guest, mut second) = (Guest::new(1, number()), None);
    let mut watching = (0..count)
        .map(|_| {
            let options = WatchOptions { server: server.clone(), code: code.watch(), client: number() };
            Ok((Spectator::enter(&options)?, Playback::new(Sum(1))))
        })
        .collect::<Result<Vec<_>, std::io::Error>>()?;
    let mut publication = Publication::new(rules);
    let (begun, mut certain) = (Instant::now(), Vec::new());
    let (mut total, mut shown, mut most) = (Duration::ZERO, 0_u32, Duration::ZERO);
    let mut next = FRAME;
    while begun.elapsed() < Duration::from_secs(seconds) {
        let now = begun.elapsed();
        let name = host.other_name();
        let held = (now.as_millis() / 90 % 4) as u8;
        let mut witness = |game: &Sum, held: [u8; 2]| {
            certain.push(now);
            publication.push(held, name, || game.hash());
        };
        if let Advance::Over(end) = host.turn_witnessed(held, now, &mut wires[0], &mut witness) {
            return Err(end.into());
        }
        match &mut second {
            None => {
                let rules = guest.turn(now, &mut wires[1])?;
                second = rules.map(|rules| RollbackSession::new(Sum(1), 1, 1, 2).numbered(rules.number));
            }
            Some(second) => {
                second.turn(held ^ 3, now, &mut wires[1]);
            }
        }
        wires[0].publish(&publication);
        for (spectator, playback) in &mut watching {
            spectator.turn(now);
            while let Some(part) = spectator.take() {
                if let Part::Frames { held, hash, is_last, .. } = part {
                    playback.push(&held, hash, is_last);
                }
            }
            let (_, mut frame) = playback.game();
            playback.turn(&mut |_, _| {
                let behind = now.saturating_sub(certain[frame as usize]);
                (total, shown, most) = (total + behind, shown + 1, most.max(behind));
                frame += 1;
            })?;
        }
        thread::sleep(next.saturating_sub(begun.elapsed()));
        next += FRAME;
    }
    let (frames, least) = (certain.len(), watching.iter().map(|(_, playback)| playback.game().1).min());
    println!(
        "{count} watched {frames} frames, each at least {}, {} ms behind on average and {} ms at most",
        least.unwrap_or(0),
        (total / shown.max(1)).as_millis(),
        most.as_millis()
    );
    Ok(())
}
