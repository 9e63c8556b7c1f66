//! Frames that several cores make in a second of processor time, in the same front end.

use super::front_end::Running;
use crate::display::Display;
use anyhow::{Context, Result};
use first_run::workspace::Workspace;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Frames of a short run and of a long one: what the front end takes to start counts in both.
const FRAMES: [u64; 2] = [600, 6_600];
/// How often each core has its turn.
const TURNS: usize = 3;
const PATIENCE: Duration = Duration::from_secs(600);

/// Runs `own` and `others` by turns, and prints the best of each.
pub(super) fn run(workspace: &Workspace, own: &Path, others: &[PathBuf]) -> Result<()> {
    let folder = workspace.built("retroarch").join("speed");
    let display = Display::open(Command::new("Xvfb"))?;
    let rom = workspace.root.join("roms/maxout.nes");
    let cores: Vec<&Path> = [own].into_iter().chain(others.iter().map(PathBuf::as_path)).collect();
    let mut best = vec![f64::INFINITY; cores.len()];
    for _ in 0..TURNS {
        for (core, best) in cores.iter().zip(&mut best) {
            let core = core.canonicalize().with_context(|| format!("{} is not there", core.display()))?;
            let seconds = |frames: u64| {
                let arguments = [format!("--max-frames={frames}")];
                let mut running = Running::start(&display, &core, Some(&rom), &folder, &[], &arguments)?;
                running.wait(PATIENCE)?;
                Ok::<_, anyhow::Error>(running.processor().as_secs_f64())
            };
            let [short, long] = [seconds(FRAMES[0])?, seconds(FRAMES[1])?];
            *best = best.min(long - short);
        }
    }
    println!(
        "best of {TURNS} turns, {} frames of the built-in cartridge in RetroArch, no picture shown:",
        FRAMES[1] - FRAMES[0]
    );
    for (core, seconds) in cores.iter().zip(best) {
        let name = core.file_name().unwrap_or_default().to_string_lossy();
        println!("{:>8.0} frames a second  {name}", (FRAMES[1] - FRAMES[0]) as f64 / seconds);
    }
    Ok(())
}
