//! What was measured, and how it is said.

use super::profile::Share;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What is asked for on a ROM.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Bar {
    /// Times the peer's speed, picture and sound made.
    pub(super) ratio: f64,
    /// Times the peer's speed, neither made here.
    pub(super) blind_ratio: f64,
    /// Host instructions a frame, at most, picture and sound made.
    pub(super) instructions: Option<u64>,
}

/// The most memory that a run may have.
const MOST_KIB: u64 = 24 << 10;

/// Snapshots: medians, and the size on disk.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Snapshot {
    clone_microseconds: f64,
    restore_microseconds: f64,
    save_microseconds: f64,
    bytes: usize,
}

/// One ROM's figures.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) rom: String,
    pub(super) frames: u32,
    pub(super) warm_up: u32,
    pub(super) bar: Bar,
    pub(super) frames_per_cpu_second: f64,
    pub(super) blind_frames_per_cpu_second: f64,
    pub(super) traced_frames_per_cpu_second: f64,
    pub(super) rgba_frames_per_cpu_second: f64,
    pub(super) peer_frames_per_cpu_second: f64,
    pub(super) peak_kib: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) instructions_per_frame: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) blind_instructions_per_frame: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) peer_instructions_per_frame: Option<u64>,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.frames_per_cpu_second / self.peer_frames_per_cpu_second
    }

    fn blind_ratio(&self) -> f64 {
        self.blind_frames_per_cpu_second / self.peer_frames_per_cpu_second
    }

    /// What is below its bar.
    fn misses(&self) -> Vec<String> {
        let Bar { ratio, blind_ratio, instructions } = self.bar;
        let mut misses = Vec::new();
        if self.ratio() < ratio {
            misses.push(format!("{ratio}x"));
        }
        if self.blind_ratio() < blind_ratio {
            misses.push(format!("{blind_ratio}x without picture and sound"));
        }
        if let (Some(most), Some(count)) = (instructions, self.instructions_per_frame)
            && count > most
        {
            misses.push(format!("{} M instructions", millions(most)));
        }
        if self.peak_kib.is_some_and(|peak| peak > MOST_KIB) {
            misses.push(format!("{} MiB", MOST_KIB >> 10));
        }
        misses
    }

    /// Is every bar reached?
    pub(super) fn passes(&self) -> bool {
        self.misses().is_empty()
    }
}

/// Everything of one run of the command.
#[derive(Debug, Serialize)]
pub(super) struct Results {
    pub(super) machine: String,
    pub(super) commit: String,
    pub(super) peer: String,
    pub(super) rounds: u32,
    pub(super) rows: Vec<Row>,
    /// Where the first ROM's frame goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shares: Option<Vec<Share>>,
    pub(super) snapshot: Snapshot,
}

/// The processor's name and how many there are, as the system says.
pub(super) fn machine() -> String {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let name = name.map_or("a processor that does not say its name", |(_, name)| name.trim());
    format!("{name}, {processors} processors, {} {}", std::env::consts::OS, std::env::consts::ARCH)
}

fn millions(count: u64) -> String {
    format!("{:.2}", count as f64 / 1e6)
}

/// The tables, in Markdown.
impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, commit, peer, rounds, rows, shares, snapshot } = self;
        writeln!(f, "{machine}; commit {commit}. Frames per CPU second, medians of {rounds} runs.\n")?;
        writeln!(
            f,
            "| ROM | frames | Maxout | as RGBA | traced | no picture, no sound | {peer} | ratio | ratio without | MiB | bars |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|---|---|---|---|---|")?;
        for row in rows {
            let misses = row.misses();
            let verdict = if misses.is_empty() {
                "reached".to_owned()
            } else {
                format!("missed: {}", misses.join(", "))
            };
            let peak = row.peak_kib.map_or("?".to_owned(), |peak| format!("{:.1}", peak as f64 / 1024.0));
            let from =
                if row.warm_up == 0 { "from power-on".to_owned() } else { format!("after {}", row.warm_up) };
            writeln!(
                f,
                "| {} | {} {from} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} | {peak} | {verdict} |",
                row.rom,
                row.frames,
                row.frames_per_cpu_second,
                row.rgba_frames_per_cpu_second,
                row.traced_frames_per_cpu_second,
                row.blind_frames_per_cpu_second,
                row.peer_frames_per_cpu_second,
                row.ratio(),
                row.blind_ratio(),
            )?;
        }
        if rows.iter().any(|row| row.instructions_per_frame.is_some()) {
            writeln!(
                f,
                "\n| ROM, millions of instructions a frame | Maxout | no picture, no sound | {peer} |\n|---|---|---|---|"
            )?;
            for row in rows {
                let [full, blind, other] = [
                    row.instructions_per_frame,
                    row.blind_instructions_per_frame,
                    row.peer_instructions_per_frame,
                ]
                .map(|count| count.map_or_else(String::new, millions));
                writeln!(f, "| {} | {full} | {blind} | {other} |", row.rom)?;
            }
        }
        if let (Some(shares), Some(first)) = (shares, rows.first()) {
            let sum: u64 = shares.iter().map(|share| share.instructions_per_frame).sum();
            writeln!(f, "\n| {}, part of a frame | instructions | share |\n|---|---|---|", first.rom)?;
            for Share { part, instructions_per_frame: count } in shares {
                let percent = 100.0 * *count as f64 / sum.max(1) as f64;
                writeln!(f, "| {part} | {count} | {percent:.1} % |")?;
            }
        }
        let Snapshot { clone_microseconds, restore_microseconds, save_microseconds, bytes } = snapshot;
        writeln!(
            f,
            "\nSnapshot: clone {clone_microseconds:.1} µs, restore {restore_microseconds:.1} µs, \
             to bytes {save_microseconds:.1} µs, {bytes} bytes."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row {
            rom: "a.nes".to_owned(),
            frames: 10,
            warm_up: 0,
            bar: Bar { ratio: 20.0, blind_ratio: 60.0, instructions: Some(1_200_000) },
            frames_per_cpu_second: 2000.0,
            blind_frames_per_cpu_second: 6000.0,
            traced_frames_per_cpu_second: 1.0,
            rgba_frames_per_cpu_second: 1.0,
            peer_frames_per_cpu_second: 100.0,
            peak_kib: Some(20 << 10),
            instructions_per_frame: Some(1_200_000),
            blind_instructions_per_frame: None,
            peer_instructions_per_frame: None,
        }
    }

    #[test]
    fn a_row_passes_at_its_bars_and_names_each_that_it_misses() {
        assert!(row().passes());
        let slow = Row {
            frames_per_cpu_second: 1999.0,
            blind_frames_per_cpu_second: 5999.0,
            peak_kib: Some((24 << 10) + 1),
            instructions_per_frame: Some(1_200_001),
            ..row()
        };
        assert_eq!(slow.misses(), ["20x", "60x without picture and sound", "1.20 M instructions", "24 MiB"]);
    }

    #[test]
    fn what_was_not_measured_is_not_missed() {
        assert!(Row { peak_kib: None, instructions_per_frame: None, ..row() }.passes());
    }
}
