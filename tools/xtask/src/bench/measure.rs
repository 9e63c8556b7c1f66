//! Runs of the bench program.

use super::Rom;
use super::results::{Row, Snapshot};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The bench program, and how often each run is done.
pub(super) struct Bench {
    pub(super) program: PathBuf,
    pub(super) rounds: u32,
}

/// What a run of frames prints.
#[derive(Deserialize)]
struct Run {
    /// CPU time (user and system) of the measured frames.
    cpu_seconds: f64,
    peak_kib: Option<u64>,
}

impl Bench {
    /// Everything about one ROM.
    ///
    /// # Errors
    /// When a run fails.
    pub(super) fn row(&self, rom: &Rom, instructions: bool) -> Result<Row> {
        let mut machines = ["maxout", "blind", "traced", "rgba", "peer"].map(|name| (name, Vec::new()));
        let mut peaks = Vec::new();
        // Interleaved, so that a machine that slows down slows all; the first round warms caches up
        // and is dropped.
        for round in 0..=self.rounds {
            for (machine, seconds) in &mut machines {
                let run: Run = ask(&mut self.frames(machine, rom, rom.warm_up, rom.frames))?;
                if round > 0 {
                    seconds.push(run.cpu_seconds);
                    peaks.extend(run.peak_kib.filter(|_| *machine == "maxout"));
                }
            }
        }
        let [maxout, blind, traced, rgba, peer] =
            machines.map(|(_, seconds)| f64::from(rom.frames) / median(seconds));
        let count = |machine| instructions.then(|| self.instructions(machine, rom)).transpose();
        Ok(Row {
            rom: rom.name.clone(),
            frames: rom.frames,
            warm_up: rom.warm_up,
            bar: rom.bar,
            frames_per_cpu_second: maxout,
            blind_frames_per_cpu_second: blind,
            traced_frames_per_cpu_second: traced,
            rgba_frames_per_cpu_second: rgba,
            peer_frames_per_cpu_second: peer,
            peak_kib: peaks.into_iter().max(),
            instructions_per_frame: count("maxout")?,
            blind_instructions_per_frame: count("blind")?,
            peer_instructions_per_frame: count("peer")?,
        })
    }

    /// Snapshots of a console that runs `rom`.
    ///
    /// # Errors
    /// When the run fails.
    pub(super) fn snapshot(&self, rom: &Rom) -> Result<Snapshot> {
        ask(Command::new(&self.program).arg("snapshot").arg(&rom.path))
    }

    /// The command that runs frames.
    pub(super) fn frames(&self, machine: &str, rom: &Rom, warm_up: u32, frames: u32) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["frames", machine]).arg(&rom.path);
        command.args(["--warm-up", &warm_up.to_string(), "--frames", &frames.to_string()]);
        command
    }

    /// Instructions a frame: the difference of two runs, so that loading and warming up fall out.
    fn instructions(&self, machine: &str, rom: &Rom) -> Result<u64> {
        let count = |frames| -> Result<u64> {
            let run = under_callgrind(&self.frames(machine, rom, 0, frames), "/dev/null")?;
            collected(&run).context("valgrind counted nothing")
        };
        // The peer takes so many that under valgrind ten seconds of the cartridge would be half an
        // hour.
        let (short, long) = if machine == "peer" { (60, 120) } else { spans(rom) };
        Ok(count(long)?.saturating_sub(count(short)?) / u64::from(long - short))
    }
}

/// Frames of a short run and of a long one: what lies between them is counted. The cartridge is
/// counted over 600 frames from its first second on, the others after their warming up.
pub(super) fn spans(rom: &Rom) -> (u32, u32) {
    if rom.warm_up == 0 { (60, 660) } else { (rom.warm_up, rom.warm_up + 60) }
}

/// Runs a command under callgrind, its profile going to `file`; what valgrind said.
///
/// # Errors
/// When there is no valgrind, or the run fails.
pub(super) fn under_callgrind(command: &Command, file: &str) -> Result<String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--compress-strings=no", "--compress-pos=no"])
        .arg(format!("--callgrind-out-file={file}"))
        .arg(command.get_program())
        .args(command.get_args())
        .output()
        .context("valgrind could not be started: install it, or leave --instructions out")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        bail!("{command:?} failed under valgrind:\n{said}");
    }
    Ok(said)
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

/// The count in valgrind's closing lines (`Collected : 123`).
fn collected(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
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
