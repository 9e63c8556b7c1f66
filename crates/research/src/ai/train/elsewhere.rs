//! Candidates rated by another program, on whatever machines it has.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::Serialize;
use training::{Trial, Vector};

use crate::ai::AiError;
use crate::ai::fitness::Rating;
use cli::error::Error;

#[derive(Serialize)]
struct Request<'a> {
    weights: &'a Vector,
    trial: &'a Trial,
}

/// How often a command that is about to end is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// Feeds the candidates to a command of the shell, a line each, and reads as many lines of fitness.
/// A command that takes longer than `patience` is ended.
pub(super) fn rate(
    command: &str,
    trial: &Trial,
    candidates: &[Vector],
    patience: Duration,
) -> Result<Vec<f64>, Error> {
    let failed = |reason: String| AiError::Elsewhere { command: command.into(), reason };
    let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut child = Command::new(shell)
        .args([option, command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    let mut lines = Vec::new();
    for weights in candidates {
        serde_json::to_writer(&mut lines, &Request { weights, trial })
            .map_err(|error| failed(error.to_string()))?;
        lines.push(b'\n');
    }
    let answer = answer(&mut child, lines, patience);
    if answer.is_err() {
        // Where it has ended already, there is nothing to end.
        let _ = child.kill();
        let _ = child.try_wait();
    }
    let (status, output) = answer.map_err(|error| failed(error.to_string()))?;
    if !status.success() {
        return Err(failed(format!("it ended with {status}")).into());
    }
    let mut fitness = Vec::with_capacity(candidates.len());
    for line in output.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        let rating: Rating = serde_json::from_slice(line)
            .map_err(|error| failed(format!("line {} of its output: {error}", fitness.len() + 1)))?;
        if candidates
            .get(fitness.len())
            .is_some_and(|candidate| candidate.map(f64::to_bits) != rating.weights.map(f64::to_bits))
        {
            let line = fitness.len() + 1;
            return Err(
                failed(format!("line {line} of its output rates other weights: keep the order")).into()
            );
        }
        fitness.push(rating.fitness);
    }
    if fitness.len() != candidates.len() {
        return Err(failed(format!("expected {} lines, found {}", candidates.len(), fitness.len())).into());
    }
    Ok(fitness)
}

/// What the command ends with and says, `lines` being its input. It fails when `patience` is over
/// before.
fn answer(child: &mut Child, lines: Vec<u8>, patience: Duration) -> io::Result<(ExitStatus, Vec<u8>)> {
    let deadline = Instant::now() + patience;
    // Written and read from threads of their own: a command that answers before it has read all
    // would wait for ever otherwise, and this one for a command that never ends.
    let input = child.stdin.take();
    let writer = thread::spawn(move || input.map_or(Ok(()), |mut input| input.write_all(&lines)));
    let output = child.stdout.take();
    let (said, hear) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = output.map_or(Ok(0), |mut output| output.read_to_end(&mut bytes));
        // Nobody listens any more when it was too late.
        let _ = said.send(read.map(|_| bytes));
    });
    let late = || {
        let seconds = patience.as_secs_f64();
        io::Error::new(
            io::ErrorKind::TimedOut,
            format!("it had not answered within {seconds} seconds, which --rate-within sets, and was ended"),
        )
    };
    let bytes = hear.recv_timeout(patience).map_err(|_| late())??;
    let status = until(deadline, || child.try_wait())?.ok_or_else(late)?;
    if status.success() {
        until(deadline, || Ok(writer.is_finished().then_some(())))?.ok_or_else(late)?;
        written(writer)?;
    }
    Ok((status, bytes))
}

/// What the thread that wrote the lines has come to.
fn written(writer: JoinHandle<io::Result<()>>) -> io::Result<()> {
    writer.join().unwrap_or_else(|_| Err(io::Error::other("the lines could not be written")))
}

/// Looks until there is something, or the time is over.
fn until<T>(deadline: Instant, mut look: impl FnMut() -> io::Result<Option<T>>) -> io::Result<Option<T>> {
    loop {
        let found = look()?;
        if found.is_some() || Instant::now() >= deadline {
            return Ok(found);
        }
        thread::sleep(LOOK);
    }
}
