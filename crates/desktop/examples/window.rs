//! Opens a window without the command line around it, and tells in the end what the session came
//! to.
//!
//! `cargo run -p desktop --example window -- ROM [FRAMES [FOLDER]]`; settings and everything else
//! of the player's are in FOLDER, and nowhere without it.

#![allow(clippy::disallowed_methods, reason = "a program meets the outside world")]
#![allow(clippy::print_stderr, reason = "a tool may end when standard error is lost")]

use std::path::Path;
use std::process::ExitCode;

use desktop::{DesktopError, Folders, Options, PlaySummary};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(rom) = arguments.next() else {
        eprintln!("usage: window ROM [FRAMES [FOLDER]]");
        return ExitCode::from(2);
    };
    let frames = arguments.next().and_then(|frames| frames.to_str()?.parse().ok());
    let folder = arguments.next();
    match session(Path::new(&rom), frames, folder.as_deref().map(Path::new)) {
        Ok(session) => {
            let PlaySummary { frames, shown, time, gaps, gaps_settled, rate, messages, .. } = session;
            let sound = gaps.map_or("no sound".into(), |gaps| format!("{gaps} gaps in the sound"));
            println!("{frames} frames in {:.3} s, {shown} shown, {sound}", time.as_secs_f64());
            if let (Some(gaps), Some(rate)) = (gaps_settled, rate) {
                println!("gaps after the first second: {gaps}");
                println!("frames a second by the sound: {rate:.4}");
            }
            for message in messages {
                println!("said: {}", message.text);
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("window: {error}");
            ExitCode::FAILURE
        }
    }
}

fn session(rom: &Path, frames: Option<u64>, folder: Option<&Path>) -> Result<PlaySummary, DesktopError> {
    let mut options = Options::from_file(rom)?;
    if let Some(folder) = folder {
        options = options.in_folders(Folders::inside(folder));
    }
    options.exit_after_frames = frames;
    desktop::play(&options)
}
