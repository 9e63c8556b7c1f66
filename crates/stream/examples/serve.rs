//! The computer's games on two consoles, served: what a program does that attaches a stream.
//!
//! `cargo run --release -p stream --example serve -- 5050`

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

use std::thread;
use std::time::{Duration, Instant};

use autopilot::{Autopilot, Settings};
use nes::{Buttons, Cartridge, Config, Console};
use stream::server::{Options, Server};
use stream::{Broadcast, Feed, Hub, RATE, Snapshot, StreamPlayer};
use tetris::Profile;

const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).map_or(Ok(0), |port| port.parse())?;
    let profile = Profile::of_image(IMAGE).ok_or("a cartridge that is known")?;
    let player = |player, name: &str| StreamPlayer {
        player,
        name: name.to_owned(),
        cartridge: profile.name.clone(),
        rate: RATE,
    };
    let hub = Hub::new(vec![player(1, "Ada"), player(2, "Ben")]);
    let server = Server::start(hub.clone(), Options { port, ..Options::default() })?;
    println!("http://{}/", server.address());
    let mut feed = Feed::new(Broadcast::new(hub));
    let mut games = Vec::new();
    for wait in [0, 7] {
        let config = Config { video: false, ..Config::default() };
        let settings = Settings { level: 18, wait, ..Settings::default() };
        games.push((
            Console::new(Cartridge::from_bytes(IMAGE)?, config),
            Autopilot::new(profile.clone(), settings),
        ));
    }
    let begun = Instant::now();
    for frame in 1_u64.. {
        for (number, (console, player)) in (1..).zip(&mut games) {
            let buttons = player.prepare(console);
            let _ = console.run_frame(&mut [buttons, Buttons::empty()], &mut ());
            feed.frame(Snapshot::of(number, console.frame_number(), &profile, console.ram()));
        }
        let due = begun + Duration::from_secs_f64(frame as f64 / RATE);
        thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    Ok(())
}
