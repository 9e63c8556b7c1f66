//! `bench`: CPU time of Maxout and of a peer on the same ROMs, one after the other, memory, and
//! snapshots.

mod document;
mod measure;
mod profile;
mod results;

use anyhow::{Context, Result};
use first_run::workspace::Workspace;
use measure::Bench;
use results::{Bar, Results, Row};
use std::path::PathBuf;
use std::process::ExitCode;

/// Package whose ROMs are run, and the peer.
const PEER: &str = "tetanes-core";

/// The built-in cartridge, from the workspace's root.
const CARTRIDGE: &str = "roms/maxout.nes";

/// The built-in cartridge runs from power-on for so long, that menus and the demo are in it.
const CARTRIDGE_FRAMES: u32 = 6000;

/// The peer's ROMs by their paths in its package: a menu over a still picture, sprites on a
/// scrolled one, a change of scroll in each line, a test suite's pictures, a picture that is timed
/// by the DMC's interrupt.
const ROMS: &[&str] =
    &["cpu/nestest.nes", "spritecans.nes", "ppu/scanline.nes", "ppu/_240pee.nes", "apu/dpcmletterbox.nes"];

/// Frames of the others from power-on that are not measured.
const WARM_UP: u32 = 120;

/// What is asked for on the cartridge.
const CARTRIDGE_BAR: Bar = Bar { ratio: 20.0, blind_ratio: 60.0, instructions: Some(1_200_000) };

/// What is asked for on the others.
const BAR: Bar = Bar { ratio: 6.0, blind_ratio: 6.0, instructions: None };

/// What `bench` can be told.
///
/// All runs are headless, one process each, and take turns, so that a machine that slows down slows
/// all; the medians of their CPU seconds count. Leave the machine alone meanwhile.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Runs of each; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Frames of a run that are measured, after 120 that are not (the cartridge: 6,000 from
    /// power-on).
    #[arg(long, default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,
    /// Other ROMs than the cartridge and those of the peer's package.
    #[arg(long, value_name = "ROM")]
    rom: Vec<PathBuf>,
    /// Also count instructions a frame, and where they go, by valgrind.
    #[arg(long)]
    instructions: bool,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,
    /// Put the tables into a document, between its lines `<!-- measured -->` and
    /// `<!-- end of measured -->`.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// A ROM to be run.
struct Rom {
    name: String,
    path: PathBuf,
    frames: u32,
    warm_up: u32,
    bar: Bar,
}

/// Measures, prints, and fails when a bar is not reached.
///
/// # Errors
/// When the bench program cannot be built or run.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let peer = workspace.package(PEER)?;
    let document = arguments.write.as_deref().map(document::Document::read).transpose()?;
    let bench = Bench {
        program: workspace.build("maxout-bench", &["--profile=bench", "--features=measure"])?,
        rounds: arguments.rounds,
    };
    let roms = roms(workspace, arguments)?;
    let mut rows = Vec::new();
    for rom in &roms {
        eprintln!("{}", rom.name);
        rows.push(bench.row(rom, arguments.instructions)?);
    }
    let first = roms.first().context("expected ROMs to run, found none")?;
    let shares = arguments.instructions.then(|| profile::shares(&bench, first)).transpose()?;
    let results = Results {
        machine: results::machine(),
        commit: workspace.commit(),
        peer: format!("{} {}", peer.name, peer.version),
        rounds: arguments.rounds,
        rows,
        shares,
        snapshot: bench.snapshot(first)?,
    };
    if let Some(document) = document {
        document.write(&results.to_string())?;
    }
    if arguments.json {
        println!("{}", serde_json::to_string(&results)?);
    } else {
        print!("{results}");
    }
    let passes = results.rows.iter().all(Row::passes);
    Ok(if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn roms(workspace: &Workspace, arguments: &Arguments) -> Result<Vec<Rom>> {
    let frames = arguments.frames;
    let other = |name: String, path| Rom { name, path, frames, warm_up: WARM_UP, bar: BAR };
    if !arguments.rom.is_empty() {
        return Ok(arguments
            .rom
            .iter()
            .map(|path| other(path.display().to_string(), path.clone()))
            .collect());
    }
    let cartridge = Rom {
        name: "built-in cartridge".to_owned(),
        path: workspace.root.join(CARTRIDGE),
        frames: CARTRIDGE_FRAMES,
        warm_up: 0,
        bar: CARTRIDGE_BAR,
    };
    let folder = workspace.package(PEER)?.folder().join("test_roms");
    let others = ROMS.iter().map(|rom| other((*rom).to_owned(), folder.join(rom)));
    Ok([cartridge].into_iter().chain(others).collect())
}
