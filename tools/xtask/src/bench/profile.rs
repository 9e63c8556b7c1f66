//! Where a frame's instructions go, by callgrind's own costs of each source line.

use super::Rom;
use super::measure::{Bench, spans, under_callgrind};
use anyhow::{Context, Result};
use serde::Serialize;
use std::collections::BTreeMap;

/// The parts of a frame's work, and what marks a source file or a function as theirs. The first
/// that fits counts.
const PARTS: &[(&str, &[&str])] = &[
    (
        "sound into samples",
        &["nes-apu/src/synth", "nes-apu/src/filter", "nes-apu/src/kernel", "nes_apu::synth"],
    ),
    ("CPU", &["crates/nes-cpu/", "nes_cpu::"]),
    ("PPU", &["crates/nes-ppu/", "nes_ppu::"]),
    ("APU", &["crates/nes-apu/", "nes_apu::"]),
    ("cartridge", &["crates/nes-cartridge/", "nes_cartridge::"]),
    ("board and pads", &["crates/nes/", "crates/nes-controller/", "nes::", "nes_controller::"]),
];

/// What is of no part: the bench program, the system.
const REST: &str = "the rest";

/// One part's share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Share {
    pub(super) part: &'static str,
    pub(super) instructions_per_frame: u64,
}

/// The shares of a frame with picture and sound, largest first.
///
/// # Errors
/// When there is no valgrind, or a run fails.
pub(super) fn shares(bench: &Bench, rom: &Rom) -> Result<Vec<Share>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("profile");
    let count = |frames| -> Result<BTreeMap<&'static str, u64>> {
        under_callgrind(&bench.frames("maxout", rom, 0, frames), &file.to_string_lossy())?;
        let text = std::fs::read_to_string(&file).context("valgrind wrote no profile")?;
        Ok(costs(&text))
    };
    let (short, long) = spans(rom);
    let (less, more) = (count(short)?, count(long)?);
    let mut shares: Vec<Share> = more
        .into_iter()
        .map(|(part, cost)| Share {
            part,
            instructions_per_frame: cost.saturating_sub(less.get(part).copied().unwrap_or(0))
                / u64::from(long - short),
        })
        .collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.instructions_per_frame));
    Ok(shares)
}

/// Sums the costs of a profile's lines by parts. A line belongs to the file that it was written in,
/// wherever it was inlined; a line of the standard library to the function that it ended up in.
fn costs(profile: &str) -> BTreeMap<&'static str, u64> {
    let mut costs = BTreeMap::new();
    let (mut file, mut function) = ("", "");
    let mut called = false;
    for line in profile.lines() {
        if let Some((key, name)) = line.split_once('=') {
            match key {
                "fl" | "fi" | "fe" => file = name,
                "fn" => function = name,
                // The next line is what the called function cost, which its own lines say again.
                "calls" => called = true,
                _ => {}
            }
            continue;
        }
        let mut numbers = line.split_whitespace().map(str::parse::<u64>);
        let (Some(Ok(_)), Some(Ok(cost)), None) = (numbers.next(), numbers.next(), numbers.next()) else {
            continue;
        };
        if !std::mem::take(&mut called) {
            *costs.entry(part(file, function)).or_default() += cost;
        }
    }
    costs
}

fn part(file: &str, function: &str) -> &'static str {
    let of = |text: &str| {
        PARTS.iter().find(|(_, marks)| marks.iter().any(|mark| text.contains(mark))).map(|&(name, _)| name)
    };
    of(file).or_else(|| of(function)).unwrap_or(REST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_belongs_to_the_file_it_was_written_in_or_else_to_its_function() {
        let profile = "\
events: Ir

fl=/x/crates/nes/src/wires.rs
fn=nes::console::Console::step
12 100
fi=/x/crates/nes-cpu/src/cpu.rs
30 20
fe=/x/crates/nes/src/wires.rs
calls=3 40
31 5000
13 1
fl=/rustc/library/core/src/slice.rs
fn=nes_ppu::line::Ppu::draw
7 9
fl=/x/crates/nes-apu/src/synth.rs
fn=nes_apu::synth::Synth::level
1 4
fl=???
fn=memset
0 2
";
        let expected =
            [("APU", 0), ("CPU", 20), ("PPU", 9), ("board and pads", 101), ("sound into samples", 4)];
        let costs = costs(profile);
        for (part, cost) in expected {
            assert_eq!(costs.get(part).copied().unwrap_or(0), cost, "{part}");
        }
        assert_eq!(costs.get(REST), Some(&2));
    }
}
