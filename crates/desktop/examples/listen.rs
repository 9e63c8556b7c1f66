//! Plays a movie in real time and with sound, but without a window, and tells in the end what the
//! session came to.
//!
//! `cargo run -p desktop --example listen -- ROM MOVIE.fm2 SECONDS [LATENCY]`

#![allow(clippy::disallowed_methods, reason = "a program meets the outside world")]
#![allow(clippy::print_stderr, reason = "a tool may end when standard error is lost")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use desktop::{Command, DesktopError, Options, PlaySummary, RunState, Running};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rom, movie, seconds, latency @ ..] = &arguments[..] else {
        eprintln!("usage: listen ROM MOVIE.fm2 SECONDS [LATENCY]");
        return ExitCode::from(2);
    };
    let (Ok(seconds), Ok(latency)) = (seconds.parse(), latency.first().map_or(Ok(40), |text| text.parse()))
    else {
        eprintln!("listen: SECONDS and LATENCY are numbers");
        return ExitCode::from(2);
    };
    match session(&PathBuf::from(rom), movie.into(), seconds, latency) {
        Ok(PlaySummary { frames, gaps_settled: Some(gaps), rate: Some(rate), .. }) => {
            println!("{frames} frames, {gaps} gaps, {rate:.4} frames a second");
            ExitCode::SUCCESS
        }
        Ok(PlaySummary { frames, .. }) => {
            println!("{frames} frames, no sound");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("listen: {error}");
            ExitCode::FAILURE
        }
    }
}

fn session(
    rom: &std::path::Path,
    movie: PathBuf,
    seconds: u64,
    latency: u16,
) -> Result<PlaySummary, DesktopError> {
    let mut options = Options::from_file(rom)?;
    options.settings.sound.latency = latency;
    let running = Running::start(&options, |_| {})?;
    running.handle().send(Command::Pause);
    // The device has to be there before the first note.
    while running.handle().status().run_state != RunState::Paused {
        thread::sleep(Duration::from_millis(10));
    }
    thread::sleep(Duration::from_secs(1));
    running.handle().send(Command::PlayMovie(movie));
    running.handle().send(Command::Resume);
    thread::sleep(Duration::from_secs(seconds));
    running.finish()
}
