//! The figures of docs/debugger.md, measured: `cargo run --release -p nes-debug --example figures`.
//!
//! CPU time of this process, on the built-in cartridge with a picture and without sound.
//! `figures MODE N` only runs N frames, for an instruction count: `bare` the console, `watched` the
//! console with a crash of the game looked out for, `attached` the debugger without a breakpoint,
//! `crash` the debugger with the one on a crash.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example measures and asks")]

use std::hint::black_box;
use std::io;

use cpu_time::ProcessTime;
use nes::{Buttons, Cartridge, Config, Console};
use nes_debug::view::{self, Excerpt, Format};
use nes_debug::{Breakpoint, CrashWatch, Debugger, Goal, Symbols, Trigger, Unit};
use tetris::Profile;

const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");
const LABELS: &str = include_str!("../../../roms/maxout.lbl");
const FRAMES: u64 = 6_000;

type Failure = Box<dyn std::error::Error>;

fn seconds(work: impl FnOnce()) -> f64 {
    let start = ProcessTime::now();
    work();
    start.elapsed().as_secs_f64()
}

fn debugger() -> Result<Debugger, Failure> {
    let profile = Profile::of_image(IMAGE);
    Ok(Debugger::new(Cartridge::from_bytes(IMAGE)?, Config::default(), profile))
}

fn bare(frames: u64) -> Result<f64, Failure> {
    let mut console = Console::new(Cartridge::from_bytes(IMAGE)?, Config::default());
    Ok(seconds(|| {
        for _ in 0..frames {
            let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
            black_box(console.picture().pixels());
        }
    }))
}

fn watched(frames: u64) -> Result<(), Failure> {
    let mut console = Console::new(Cartridge::from_bytes(IMAGE)?, Config::default());
    let profile = Profile::of_image(IMAGE).ok_or("the built-in cartridge is known")?;
    let mut watch = CrashWatch::new(&profile, &console);
    for _ in 0..frames {
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut watch);
        assert_eq!(watch.end_frame(&console), None);
        black_box(console.picture().pixels());
    }
    Ok(())
}

fn attached(breakpoints: &[Trigger], frames: u64) -> Result<(f64, u64), Failure> {
    let mut debugger = debugger()?;
    for trigger in breakpoints {
        // They are hit and counted, and let pass.
        debugger.breakpoints.add(Breakpoint { pass: u64::MAX, ..Breakpoint::new(trigger.clone()) });
    }
    let seconds = seconds(|| {
        black_box(debugger.run(&Goal::Frames(frames), frames, &mut || true));
    });
    Ok((seconds, debugger.breakpoints.list().iter().map(|breakpoint| breakpoint.hits).sum()))
}

/// Code addresses of the cartridge, spread over its labels.
fn routines(count: usize) -> Result<Vec<Trigger>, Failure> {
    let symbols: Symbols = nes_debug::symbols::Format::Vice.read(LABELS, 0x8000)?;
    let mut addresses: Vec<u16> =
        symbols.labels().map(|label| label.address).filter(|at| *at >= 0x8000).collect();
    addresses.dedup();
    let step = (addresses.len() / count).max(1);
    Ok(addresses.into_iter().step_by(step).take(count).map(|at| Trigger::Execute(at..=at)).collect())
}

fn speeds() -> Result<(), Failure> {
    let mut rows: Vec<(String, Vec<f64>)> = Vec::new();
    for _ in 0..3 {
        let hundred = routines(100)?;
        let (with, hits) = attached(&hundred, FRAMES)?;
        let ram = Trigger::Memory { at: 0x60..=0x7F, reads: false, writes: true };
        let measured = [
            ("bare".to_owned(), bare(FRAMES)?),
            ("attached, no breakpoint".to_owned(), attached(&[], FRAMES)?.0),
            (format!("{} execute breakpoints, {hits} hits", hundred.len()), with),
            ("a write breakpoint on 32 bytes of RAM".to_owned(), attached(&[ram], FRAMES)?.0),
            (
                "a breakpoint on DMA: every cycle is looked at".to_owned(),
                attached(&[Trigger::Dma { oam: true, dmc: true }], FRAMES)?.0,
            ),
        ];
        for (index, (name, seconds)) in measured.into_iter().enumerate() {
            match rows.get_mut(index) {
                Some((_, all)) => all.push(seconds),
                None => rows.push((name, vec![seconds])),
            }
        }
    }
    let median = |all: &[f64]| {
        let mut all = all.to_vec();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let base = rows.first().map_or(1.0, |(_, all)| median(all));
    for (name, all) in &rows {
        let seconds = median(all);
        println!("{:>8.0} frames/s  {:>5.1} %  {name}", FRAMES as f64 / seconds, 100.0 * base / seconds);
    }
    Ok(())
}

fn backwards() -> Result<(), Failure> {
    let mut debugger = debugger()?;
    let _ = debugger.run(&Goal::Frames(FRAMES), FRAMES, &mut || true);
    let newest = debugger.console().frame_number();
    let units = [
        ("an instruction", Unit::Instruction),
        ("over", Unit::Over),
        ("a line", Unit::Line),
        ("a frame", Unit::Frame),
        ("an NMI", Unit::Nmi),
    ];
    for (name, unit) in units {
        let mut slowest: f64 = 0.0;
        // Everywhere in the last minute, and at the end of the stretch between two keyframes.
        for back in (2..3_600).step_by(119) {
            let mut past = debugger.clone();
            past.travel_to_frame(newest - back);
            let _ = past.run(&Goal::Instructions(500), 2, &mut || true);
            slowest = slowest.max(seconds(|| {
                black_box(past.back(&unit, 1));
            }));
        }
        println!("{:>8.2} ms at most  back {name}", 1000.0 * slowest);
    }
    Ok(())
}

fn trace() -> Result<(), Failure> {
    let mut debugger = debugger()?;
    let _ = debugger.run(&Goal::Frames(600), 600, &mut || true);
    let mut lines = Vec::with_capacity(128 << 20);
    let mut wrote = Ok(0);
    let every = Excerpt::new(Format::Mesen);
    let seconds = seconds(|| wrote = view::trace(&mut debugger, 1_000_000, &every, &mut || true, &mut lines));
    println!("{seconds:>8.2} s  {} lines in Mesen's format, {} MiB", wrote?, lines.len() >> 20);
    Ok(())
}

/// What runs by the definition, dot by dot, and what is found by a replay.
fn dots() -> Result<(), Failure> {
    let frames = 600;
    let fetch = Trigger::Video { at: 0x0A30..=0x0A3F, reads: true, writes: false };
    let (with, hits) = attached(&[fetch], frames)?;
    println!("{:>8.0} frames/s  a breakpoint on what the PPU fetches, {hits} hits", frames as f64 / with);
    let mut debugger = debugger()?;
    let _ = debugger.run(&Goal::Frames(FRAMES), FRAMES, &mut || true);
    let scopes = seconds(|| drop(black_box(view::scopes(&debugger, 2))));
    println!("{:>8.2} ms  scopes of two frames", 1000.0 * scopes);
    let accesses = seconds(|| drop(black_box(view::accesses(&debugger))));
    println!("{:>8.2} ms  accesses of a frame", 1000.0 * accesses);
    let happenings = seconds(|| drop(black_box(view::happenings(&debugger))));
    println!("{:>8.2} ms  what else happened in it", 1000.0 * happenings);
    let cover = seconds(|| drop(black_box(view::Cover::of(&debugger))));
    println!("{cover:>8.2} s of all cores  code/data log of a minute");
    Ok(())
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    if let Some(mode) = arguments.next() {
        let frames = arguments.next().unwrap_or_default().parse()?;
        match mode.as_str() {
            "bare" => drop(bare(frames)?),
            "watched" => watched(frames)?,
            "attached" => drop(attached(&[], frames)?),
            "crash" => drop(attached(&[Trigger::Event("crash".into())], frames)?),
            _ => return Err("bare, watched, attached or crash".into()),
        }
        // Linked in, not optimised away.
        black_box(debugger()?);
        return Ok(());
    }
    speeds()?;
    backwards()?;
    trace()?;
    dots()?;
    io::Write::flush(&mut io::stdout())?;
    Ok(())
}
