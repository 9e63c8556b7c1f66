//! CPU time of headless runs: Maxout and a peer on the same ROM. `cargo xtask bench` calls it, one process a run.
//!
//! A package of its own, because only here the peer is compiled in. Both machines make picture (palette indices)
//! and sound (48 kHz), neither converts to RGB, nobody touches the pads. Each command prints one JSON object.

use anyhow::{Context, Result, anyhow};
use clap::{Parser, Subcommand, ValueEnum};
use cpu_time::ProcessTime;
use nes::{Buttons, Cartridge, Config, Console};
use serde_json::json;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tetanes_core::prelude as peer;

const SAMPLE_RATE: u32 = 48_000;

/// Frames before the measured ones: the ROM boots, caches fill.
const WARM_UP: u32 = 120;

/// Measure headless runs.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run frames and print their CPU time.
    Frames {
        machine: Machine,
        rom: PathBuf,
        #[arg(long, default_value_t = 1200)]
        frames: u32,
    },
    /// Print the medians of cloning, restoring and saving.
    Snapshot { rom: PathBuf },
}

#[derive(Clone, Copy, ValueEnum)]
enum Machine {
    Maxout,
    Peer,
}

fn main() -> Result<()> {
    let object = match Arguments::parse().command {
        Command::Frames { machine, rom, frames } => {
            let image = read(&rom)?;
            let cpu_seconds = match machine {
                Machine::Maxout => maxout(&image, frames)?,
                Machine::Peer => peer(&image, frames)?,
            };
            json!({ "cpu_seconds": cpu_seconds, "frames": frames })
        }
        Command::Snapshot { rom } => snapshot(&read(&rom)?)?,
    };
    println!("{object}");
    Ok(())
}

fn read(rom: &Path) -> Result<Vec<u8>> {
    std::fs::read(rom).with_context(|| format!("{} cannot be read", rom.display()))
}

/// CPU seconds, user and system, that the work takes.
fn cpu_seconds(work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let start = ProcessTime::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

fn console(image: &[u8]) -> Result<Console> {
    let cartridge = Cartridge::from_bytes(image)?;
    Ok(Console::new(cartridge, Config { sample_rate: Some(SAMPLE_RATE), ..Config::default() }))
}

fn run(console: &mut Console, frames: u32) {
    let mut pads = [Buttons::empty(); 2];
    for _ in 0..frames {
        // Without an observer nothing can ask for a stop.
        let _ = console.run_frame(&mut pads, &mut ());
        black_box((console.picture().pixels(), console.samples()));
        console.clear_samples();
    }
}

fn maxout(image: &[u8], frames: u32) -> Result<f64> {
    let mut console = console(image)?;
    run(&mut console, WARM_UP);
    cpu_seconds(|| {
        run(&mut console, frames);
        Ok(())
    })
}

fn peer(image: &[u8], frames: u32) -> Result<f64> {
    let config = peer::Config::default().with_ram_state(peer::RamState::AllZeros).with_sram_dir(None);
    let mut deck = peer::ControlDeck::with_config(config);
    deck.set_sample_rate(SAMPLE_RATE as f32);
    deck.load_rom("bench", &mut &*image).map_err(|error| anyhow!("the peer does not load it: {error}"))?;
    let mut run = |frames| {
        for _ in 0..frames {
            let _ = deck.clock_frame().map_err(|error| anyhow!("the peer stops: {error}"))?;
            black_box((deck.frame_buffer_raw(), deck.audio_samples()));
            deck.clear_audio_samples();
        }
        Ok(())
    };
    run(WARM_UP)?;
    cpu_seconds(|| run(frames))
}

/// Snapshots of a console in the middle of a run: as values, and as bytes.
fn snapshot(image: &[u8]) -> Result<serde_json::Value> {
    let mut console = console(image)?;
    run(&mut console, WARM_UP);
    let value = console.clone();
    let clone = median_microseconds(|| {
        black_box(console.clone());
    });
    let restore = median_microseconds(|| console.clone_from(black_box(&value)));
    let save = median_microseconds(|| {
        black_box(value.save());
    });
    Ok(json!({
        "clone_microseconds": clone,
        "restore_microseconds": restore,
        "save_microseconds": save,
        "bytes": value.save().len(),
    }))
}

fn median_microseconds(mut work: impl FnMut()) -> f64 {
    const TIMES: usize = 2001;
    let mut times: Vec<f64> = (0..TIMES)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[TIMES / 2]
}
