//! Recordings of whole runs, to be compared with another emulator's (`docs/accuracy.md`, Second
//! opinions).
//!
//! ```text
//! cargo run --release -p nes --example recording -- record ROM FRAMES OUT [SETTING…]
//! cargo run --release -p nes --example recording -- compare OURS THEIRS
//! ```
//!
//! Settings: `pal`, `phase=0–3`, `alignment=0–3`, `fill=HEX`, `start=FRAME` (Start is held in four
//! frames from there).
//!
//! A recording is two files. `OUT` has for each frame, at the end of the instruction in which its
//! vertical blank begins, the 2,048 bytes of RAM and the 61,440 pixels of the picture, 16 bits
//! each, low byte first: a palette index in bits 0–5, emphasis in bits 6–8. `OUT.sound` has a line
//! for each change of what a channel puts out: the CPU cycle, the channel (0 and 1 pulse, 2
//! triangle, 3 noise, 4 DMC) and by how much its level changes.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example reads and writes files")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::ops::ControlFlow;
use std::{env, fs};

use nes::apu::{Apu, Sink};
use nes::{Access, Break, BusEvent, Buttons, Cartridge, Config, Console, Cpu, Mainboard, Observer, Region};

const RAM: usize = 2048;
const PICTURE: usize = 256 * 240 * 2;
/// Frames by which one recording may be behind the other.
const OFFSETS: std::ops::RangeInclusive<i64> = -3..=3;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["record", rom, frames, out, ref settings @ ..] => record(rom, frames.parse()?, out, settings),
        ["compare", ours, theirs] => compare(ours, theirs),
        _ => Err("expected: record ROM FRAMES OUT [SETTING…], or: compare OURS THEIRS".into()),
    }
}

/// What every channel puts out, by a copy of the audio unit that runs beside the machine's, which
/// lags.
#[derive(Default)]
struct Listener {
    unit: Option<Apu>,
    changes: Changes,
}

/// Every change so far.
#[derive(Default)]
struct Changes {
    levels: [u8; 5],
    changes: Vec<(u64, usize, i16)>,
}

impl Sink for Changes {
    fn outputs(&mut self, cycle: u64, outputs: [u8; 5]) {
        for (channel, (level, now)) in self.levels.iter_mut().zip(outputs).enumerate() {
            if *level != now {
                self.changes.push((cycle, channel, i16::from(now) - i16::from(*level)));
                *level = now;
            }
        }
    }
}

impl Listener {
    fn run(&mut self, cycle: u64) {
        if let Some(unit) = &mut self.unit {
            unit.run_by_cycles(cycle, &mut self.changes);
        }
    }
}

impl Observer for Listener {
    fn step(&mut self, _: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.run(board.cycle());
        let mut unit = board.apu().clone();
        unit.run_until(board.cycle(), &mut ());
        self.unit = Some(unit);
        ControlFlow::Continue(())
    }

    fn bus(&mut self, event: BusEvent) {
        let BusEvent { cycle, address, value, write, access } = event;
        let of_unit = write && matches!(address, 0x4000..=0x4013 | 0x4015 | 0x4017);
        if !of_unit && access != Access::DmcDma {
            return;
        }
        self.run(cycle);
        match &mut self.unit {
            Some(unit) if of_unit => unit.write(address, value),
            Some(unit) => unit.dmc_fetched(value),
            None => {}
        }
    }
}

fn record(rom: &str, frames: u64, out: &str, settings: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut config = Config::default();
    let mut start = None;
    for setting in settings {
        match setting.split_once('=') {
            None if *setting == "pal" => config.region = Some(Region::Pal),
            Some(("phase", value)) => config.phase = value.parse()?,
            Some(("alignment", value)) => config.apu_alignment = value.parse()?,
            Some(("fill", value)) => config.ram_fill = u8::from_str_radix(value, 16)?.into(),
            Some(("start", value)) => start = Some(value.parse()?),
            _ => return Err(format!("no such setting: {setting}").into()),
        }
    }
    let mut console = Console::new(Cartridge::from_bytes(&fs::read(rom)?)?, config);
    let mut listener = Listener::default();
    let ppu = console.board.ppu_at(console.cycle());
    println!("line {}, dot {}, cycle {}", ppu.scanline(), ppu.dot(), console.cycle());
    let mut file = BufWriter::new(File::create(out)?);
    for frame in 0..frames {
        let pressed = start.is_some_and(|start| (start..start + 4).contains(&frame));
        let pad = if pressed { Buttons::START } else { Buttons::empty() };
        let _ = console.run_frame(&mut [pad, Buttons::empty()], &mut listener);
        file.write_all(console.ram())?;
        for pixel in console.picture().pixels() {
            file.write_all(&pixel.to_le_bytes())?;
        }
    }
    file.flush()?;
    let mut file = BufWriter::new(File::create(format!("{out}.sound"))?);
    for (cycle, channel, delta) in listener.changes.changes {
        writeln!(file, "{cycle} {channel} {delta}")?;
    }
    Ok(file.flush()?)
}

/// Prints, as one JSON object, in how many frames RAM and picture are equal, by how many frames
/// theirs is behind, and how far the sound is equal.
fn compare(ours: &str, theirs: &str) -> Result<(), Box<dyn Error>> {
    let (mine, other) = (fs::read(ours)?, fs::read(theirs)?);
    let (mine, other): (Vec<_>, Vec<_>) =
        (mine.chunks_exact(RAM + PICTURE).collect(), other.chunks_exact(RAM + PICTURE).collect());
    let pairs = |offset: i64| {
        let other = &other;
        mine.iter().enumerate().filter_map(move |(frame, mine)| {
            Some((*mine, *other.get(usize::try_from(frame as i64 + offset).ok()?)?))
        })
    };
    let equal = |offset: i64| {
        pairs(offset).fold((0, 0), |(ram, picture), (mine, other)| {
            (ram + u32::from(mine[..RAM] == other[..RAM]), picture + u32::from(mine[RAM..] == other[RAM..]))
        })
    };
    let (offset, (ram, picture)) = OFFSETS
        .map(|offset| (offset, equal(offset)))
        .max_by_key(|&(offset, (ram, picture))| (ram + picture, -offset.abs()))
        .ok_or("no frames")?;
    let (last, other_last) = pairs(offset).next_back().ok_or("no frames")?;
    let ram_last: Vec<_> = (0..RAM)
        .filter(|&at| last[at] != other_last[at])
        .map(|at| format!("{at:03X}:{:02X}/{:02X}", last[at], other_last[at]))
        .collect();
    let pixels =
        (RAM..last.len()).step_by(2).filter(|&at| last[at..at + 2] != other_last[at..at + 2]).count();
    let (my_sound, other_sound) = (sound(ours)?, sound(theirs)?);
    println!(
        "{{\"frames\":{},\"behind\":{offset},\"ram\":{ram},\"picture\":{picture},\"last_ram\":{ram_last:?},\"last_pixels\":\
         {pixels},\"sound\":{:?}}}",
        pairs(offset).count(),
        of_channels(&my_sound, &other_sound),
    );
    Ok(())
}

type Sound = BTreeMap<u8, Vec<(u64, i16)>>;

fn sound(path: &str) -> Result<Sound, Box<dyn Error>> {
    let mut sound = Sound::new();
    for line in BufReader::new(File::open(format!("{path}.sound"))?).lines() {
        let line = line?;
        let [cycle, channel, delta] = line.split(' ').collect::<Vec<_>>()[..] else {
            return Err(format!("expected CYCLE CHANNEL CHANGE, found {line}").into());
        };
        sound.entry(channel.parse()?).or_default().push((cycle.parse()?, delta.parse()?));
    }
    Ok(sound)
}

/// For each channel: changes here, there, and how many at the same cycle, or one beside it, by the
/// same amount, with theirs later by so many cycles.
fn of_channels(mine: &Sound, other: &Sound) -> Vec<[i64; 4]> {
    let later = |mine: &[(u64, i16)], other: &[(u64, i16)]| {
        let mut count = BTreeMap::<i64, u32>::new();
        let mut rest = other;
        for &(cycle, _) in mine {
            let near = rest.partition_point(|&(at, _)| at + 100 < cycle);
            rest = &rest[near..];
            for &(at, _) in rest.iter().take_while(|&&(at, _)| at < cycle + 100) {
                *count.entry(at as i64 - cycle as i64).or_default() += 1;
            }
        }
        count.into_iter().max_by_key(|&(_, count)| count).map_or(0, |(later, _)| later)
    };
    let none = Vec::new();
    (0..5)
        .map(|channel| {
            let (mine, other) = (mine.get(&channel).unwrap_or(&none), other.get(&channel).unwrap_or(&none));
            let later = later(mine, other);
            let same = mine
                .iter()
                .filter(|&&(cycle, delta)| {
                    let at = cycle.saturating_add_signed(later);
                    (at.saturating_sub(1)..=at + 1).any(|at| other.binary_search(&(at, delta)).is_ok())
                })
                .count();
            [mine.len() as i64, other.len() as i64, same as i64, later]
        })
        .collect()
}
