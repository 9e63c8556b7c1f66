//! CPU time of headless runs: Maxout and a peer on the same ROM. `cargo xtask bench` calls it, one
//! process a run.
//!
//! A package of its own, because only here the peer is compiled in, and only with the feature
//! `measure`. Nobody touches the pads. Each command prints one JSON object.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

mod memory;
mod tracer;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand, ValueEnum};
use cpu_time::ProcessTime;
use nes::{Buttons, Cartridge, Config, Console, Frame, Observer, Palette};
use serde_json::json;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tracer::Tracer;

const SAMPLE_RATE: u32 = 48_000;

/// Frames before a snapshot is measured.
const INTO_THE_PROGRAM: u32 = 120;

/// Measure headless runs.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run frames and print their CPU time and the most memory that the process had.
    Frames {
        machine: Machine,
        rom: PathBuf,
        #[arg(long, default_value_t = 1200)]
        frames: u32,
        /// Frames from power-on that are run before the measured ones.
        #[arg(long, default_value_t = 120)]
        warm_up: u32,
    },
    /// Print the medians of cloning, restoring and saving.
    Snapshot { rom: PathBuf },
}

#[derive(Clone, Copy, ValueEnum)]
enum Machine {
    /// Picture (palette indices) and sound (48 kHz).
    Maxout,
    /// The same, and the picture as RGBA.
    Rgba,
    /// Neither picture nor sound.
    Blind,
    /// Picture and sound, and an observer that looks at each instruction and each cycle of the bus.
    Traced,
    /// The peer: picture (palette indices) and sound (48 kHz).
    Peer,
}

fn main() -> Result<()> {
    let object = match Arguments::parse().command {
        Command::Frames { machine, rom, frames, warm_up } => {
            let image = read(&rom)?;
            let cpu_seconds = match machine {
                Machine::Peer => peer(&image, warm_up, frames)?,
                machine => maxout(machine, &image, warm_up, frames)?,
            };
            json!({ "cpu_seconds": cpu_seconds, "frames": frames, "peak_kib": memory::peak_kib() })
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

fn console(image: &[u8], seen: bool) -> Result<Console> {
    let config = Config { sample_rate: seen.then_some(SAMPLE_RATE), video: seen, ..Config::default() };
    Ok(Console::new(Cartridge::from_bytes(image)?, config))
}

/// Runs frames and hands picture and sound to someone who does nothing with them.
fn run<O: Observer>(console: &mut Console, frames: u32, observer: &mut O, mut look: impl FnMut(&Frame)) {
    let mut pads = [Buttons::empty(); 2];
    for _ in 0..frames {
        // No observer here asks for a stop.
        let _ = console.run_frame(&mut pads, observer);
        look(console.picture());
        black_box((console.picture().pixels(), console.samples()));
        console.clear_samples();
    }
}

fn maxout(machine: Machine, image: &[u8], warm_up: u32, frames: u32) -> Result<f64> {
    let mut console = console(image, !matches!(machine, Machine::Blind))?;
    run(&mut console, warm_up, &mut (), |_| {});
    let palette = Palette::ntsc();
    let mut rgba = vec![0; Frame::WIDTH * Frame::HEIGHT * 4];
    let mut tracer = Tracer::default();
    cpu_seconds(|| {
        match machine {
            Machine::Traced => run(&mut console, frames, &mut tracer, |_| {}),
            Machine::Rgba => run(&mut console, frames, &mut (), |picture| {
                palette.paint(picture.pixels(), &mut rgba);
                black_box(&rgba);
            }),
            Machine::Maxout | Machine::Blind | Machine::Peer => run(&mut console, frames, &mut (), |_| {}),
        }
        black_box(&tracer);
        Ok(())
    })
}

#[cfg(not(feature = "measure"))]
fn peer(_: &[u8], _: u32, _: u32) -> Result<f64> {
    anyhow::bail!("the peer is not built in: build with --features measure")
}

#[cfg(feature = "measure")]
fn peer(image: &[u8], warm_up: u32, frames: u32) -> Result<f64> {
    use anyhow::anyhow;
    use tetanes_core::prelude as peer;

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
    run(warm_up)?;
    cpu_seconds(|| run(frames))
}

/// Snapshots of a console in the middle of a run: as values, and as bytes.
fn snapshot(image: &[u8]) -> Result<serde_json::Value> {
    let mut console = console(image, true)?;
    run(&mut console, INTO_THE_PROGRAM, &mut (), |_| {});
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
