//! `bench`: CPU time of Maxout and of a peer on the same ROMs, one after the other, and of snapshots.

use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Package whose ROMs are run, and the peer.
const PEER: &str = "tetanes-core";

/// The ROMs by their paths in the package.
const ROMS: &[&str] = &["cpu/nestest.nes", "ppu/_240pee.nes", "spritecans.nes", "ppu/scanline.nes"];

/// How many times the peer's speed is asked for on each ROM.
const BAR: f64 = 2.0;

/// What `bench` can be told.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Runs of each; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Frames of a run that are measured, after 120 that are not.
    #[arg(long, default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,
    /// Other ROMs than the four of the peer's package.
    #[arg(long, value_name = "ROM")]
    rom: Vec<PathBuf>,
    /// Also count instructions a frame, by valgrind.
    #[arg(long)]
    instructions: bool,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

/// What a run of the bench program prints.
#[derive(Deserialize)]
struct Run {
    /// CPU time (user and system) of the measured frames.
    cpu_seconds: f64,
}

/// Snapshots: medians, and the size on disk.
#[derive(Deserialize, Serialize)]
struct Snapshot {
    clone_microseconds: f64,
    restore_microseconds: f64,
    save_microseconds: f64,
    bytes: usize,
}

/// One ROM's figures.
#[derive(Serialize)]
struct Row {
    rom: String,
    maxout_frames_per_cpu_second: f64,
    peer_frames_per_cpu_second: f64,
    ratio: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions_per_frame: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peer_instructions_per_frame: Option<u64>,
}

#[derive(Serialize)]
struct Results {
    peer: String,
    frames: u32,
    rounds: u32,
    bar: f64,
    roms: Vec<Row>,
    snapshot: Snapshot,
}

/// Measures, prints, and fails when a ROM is below the bar.
///
/// # Errors
/// When the bench program cannot be built or run.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let peer = workspace.package(PEER)?;
    let folder = peer.folder().join("test_roms");
    let roms: Vec<(String, PathBuf)> = if arguments.rom.is_empty() {
        ROMS.iter().map(|rom| ((*rom).to_owned(), folder.join(rom))).collect()
    } else {
        arguments.rom.iter().map(|rom| (rom.display().to_string(), rom.clone())).collect()
    };
    let program = workspace.build("maxout-bench", true)?;
    let rows = roms
        .iter()
        .map(|(name, path)| measure(&program, name, path, arguments))
        .collect::<Result<Vec<_>>>()?;
    let (_, first) = &roms[0];
    let snapshot = ask(Command::new(&program).arg("snapshot").arg(first))?;
    let results = Results {
        peer: format!("{} {}", peer.name, peer.version),
        frames: arguments.frames,
        rounds: arguments.rounds,
        bar: BAR,
        roms: rows,
        snapshot,
    };
    if arguments.json {
        println!("{}", serde_json::to_string(&results)?);
    } else {
        print(&results);
    }
    let passes = results.roms.iter().all(|row| row.ratio >= BAR);
    Ok(if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn measure(program: &Path, name: &str, rom: &Path, arguments: &Arguments) -> Result<Row> {
    let (mut own, mut peer) = (Vec::new(), Vec::new());
    // Interleaved, so that a machine that slows down slows both; the first round warms caches up and is dropped.
    for round in 0..=arguments.rounds {
        for (machine, seconds) in [("maxout", &mut own), ("peer", &mut peer)] {
            let run: Run = ask(&mut frames(program, machine, rom, arguments.frames))?;
            if round > 0 {
                seconds.push(run.cpu_seconds);
            }
        }
    }
    let speed = |seconds| f64::from(arguments.frames) / median(seconds);
    let (own, peer) = (speed(own), speed(peer));
    let count = |machine| arguments.instructions.then(|| instructions(program, machine, rom)).transpose();
    Ok(Row {
        rom: name.to_owned(),
        maxout_frames_per_cpu_second: own,
        peer_frames_per_cpu_second: peer,
        ratio: own / peer,
        instructions_per_frame: count("maxout")?,
        peer_instructions_per_frame: count("peer")?,
    })
}

fn frames(program: &Path, machine: &str, rom: &Path, frames: u32) -> Command {
    let mut command = Command::new(program);
    command.args(["frames", machine]).arg(rom).args(["--frames", &frames.to_string()]);
    command
}

/// Runs the bench program and reads the object that it prints.
fn ask<T: DeserializeOwned>(command: &mut Command) -> Result<T> {
    let output =
        command.stderr(Stdio::inherit()).output().context("the bench program could not be started")?;
    if !output.status.success() {
        bail!("{command:?} failed");
    }
    serde_json::from_slice(&output.stdout).context("the bench program printed something unexpected")
}

/// Instructions a frame: the difference of two runs, so that loading and warming up fall out.
fn instructions(program: &Path, machine: &str, rom: &Path) -> Result<u64> {
    const SHORT: u32 = 30;
    const LONG: u32 = 90;
    let count = |length| {
        let inner = frames(program, machine, rom, length);
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(inner.get_program())
            .args(inner.get_args())
            .output()
            .context("valgrind could not be started: install it, or leave --instructions out")?;
        collected(&String::from_utf8_lossy(&output.stderr)).context("valgrind counted nothing")
    };
    Ok(count(LONG)?.saturating_sub(count(SHORT)?) / u64::from(LONG - SHORT))
}

/// The count in valgrind's closing lines (`Collected : 123`).
fn collected(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

fn print(results: &Results) {
    let Results { peer, frames, rounds, bar, roms, snapshot } = results;
    println!("Frames per CPU second, {frames} frames, median of {rounds} interleaved runs; bar {bar}x.\n");
    println!("| ROM | Maxout | {peer} | ratio | |\n|---|---|---|---|---|");
    for row in roms {
        let verdict = if row.ratio >= *bar { "reached" } else { "not reached" };
        println!(
            "| {} | {:.0} | {:.0} | {:.2} | {verdict} |",
            row.rom, row.maxout_frames_per_cpu_second, row.peer_frames_per_cpu_second, row.ratio
        );
    }
    if roms.iter().any(|row| row.instructions_per_frame.is_some()) {
        println!("\n| ROM | Maxout, instructions a frame | {peer} |\n|---|---|---|");
        for row in roms {
            let millions = |count: Option<u64>| count.unwrap_or_default() as f64 / 1e6;
            let (own, peer) =
                (millions(row.instructions_per_frame), millions(row.peer_instructions_per_frame));
            println!("| {} | {own:.2} M | {peer:.2} M |", row.rom);
        }
    }
    let Snapshot { clone_microseconds, restore_microseconds, save_microseconds, bytes } = snapshot;
    println!(
        "\nSnapshot: clone {clone_microseconds:.1} µs, restore {restore_microseconds:.1} µs, \
         to bytes {save_microseconds:.1} µs, {bytes} bytes."
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_between_the_two_middles() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!((median(vec![4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < f64::EPSILON);
    }

    #[test]
    fn valgrinds_count_is_read_from_its_closing_lines() {
        assert_eq!(collected("==1== Events    : Ir\n==1== Collected : 123456\n==1==\n"), Some(123_456));
        assert_eq!(collected("nothing"), None);
    }
}
