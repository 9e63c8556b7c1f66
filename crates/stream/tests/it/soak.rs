//! Ten minutes of a game in real time with fifty readers.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use stream::server::{Options, Server};
use stream::{Broadcast, Feed, RATE};

use crate::rig::{Game, IMAGES, hub, socket, until};

/// Ten minutes.
const FRAMES: u32 = 36_059;
/// A frame that is this late is heard: nearly a frame.
const LATE: Duration = Duration::from_millis(16);

/// Returns how long a virtual machine's host has kept its processors from it, as Linux counts it
/// (`proc(5)`, "steal", in hundredths of a second). Nothing where there is no such file.
fn stolen() -> Duration {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    let ticks = stat.lines().next().and_then(|line| line.split_whitespace().nth(8)?.parse::<u64>().ok());
    Duration::from_millis(10 * ticks.unwrap_or(0))
}

#[test]
#[ignore = "takes ten minutes of a machine that does nothing else: cargo test -p stream --test it -- --ignored soak --nocapture"]
fn soak_no_frame_is_late_with_fifty_readers_of_whom_ten_are_dead() {
    let hub = hub(1);
    let server = Server::start(hub.clone(), Options::default()).unwrap();
    let address = server.address();
    let dead: Vec<_> = (0..10).map(|_| socket(address, "/ws?states=1")).collect();
    for _ in 0..40 {
        let mut reader = socket(address, "/ws?states=1");
        thread::spawn(move || while reader.read().is_ok() {});
    }
    until("all read", || hub.readers() == 50);
    let mut feed = Feed::new(Broadcast::new(hub.clone()));
    let mut game = Game::new(IMAGES[0], 1, 18);
    let begun = Instant::now();
    let (mut longest, mut latest, mut ours) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut stolen_in_time = stolen();
    for frame in 1..=FRAMES {
        let snapshot = game.frame();
        let before = Instant::now();
        feed.frame(snapshot);
        longest = longest.max(before.elapsed());
        let due = begun + Duration::from_secs_f64(f64::from(frame) / RATE);
        let now = Instant::now();
        let late = now.saturating_duration_since(due);
        latest = latest.max(late);
        if late < Duration::from_millis(2) {
            stolen_in_time = stolen();
        } else {
            let taken = stolen().saturating_sub(stolen_in_time);
            // The time is counted in ticks: up to one more at either end.
            let elsewhere = if taken.is_zero() { taken } else { taken + Duration::from_millis(20) };
            ours = ours.max(if late < LATE { late } else { late.saturating_sub(elsewhere) });
        }
        thread::sleep(due.saturating_duration_since(now));
    }
    println!(
        "{FRAMES} frames: the feed took {longest:?} at most, the latest frame was {latest:?} late, {ours:?} without \
         what the machine's host took, {} were left out",
        feed.lost()
    );
    assert!(ours < LATE && feed.lost() == 0);
    assert!(hub.readers() >= 40);
    drop(dead);
}
