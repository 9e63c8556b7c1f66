//! Ten minutes of a game in real time with fifty readers.

use std::thread;
use std::time::{Duration, Instant};

use stream::server::{Options, Server};
use stream::{Broadcast, Feed, RATE};

use crate::rig::{Game, IMAGES, hub, socket, until};

/// Ten minutes.
const FRAMES: u32 = 36_059;

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
    let (mut longest, mut latest) = (Duration::ZERO, Duration::ZERO);
    for frame in 1..=FRAMES {
        let snapshot = game.frame();
        let before = Instant::now();
        feed.frame(snapshot);
        longest = longest.max(before.elapsed());
        let due = begun + Duration::from_secs_f64(f64::from(frame) / RATE);
        let now = Instant::now();
        latest = latest.max(now.saturating_duration_since(due));
        thread::sleep(due.saturating_duration_since(now));
    }
    println!(
        "{FRAMES} frames: the feed took {longest:?} at most, the latest frame was {latest:?} late, {} were left out",
        feed.lost()
    );
    // A sound device has some frames in its buffer; a frame that is a frame late is heard by
    // nobody.
    assert!(latest < Duration::from_millis(16) && feed.lost() == 0);
    assert!(hub.readers() >= 40);
    drop(dead);
}
