//! Candidates rated by another program, on whatever machines it has.

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread;

use serde::Serialize;
use training::{Trial, Vector};

use crate::ai::AiError;
use crate::ai::fitness::Rating;
use crate::error::Error;

#[derive(Serialize)]
struct Request<'a> {
    weights: &'a Vector,
    trial: &'a Trial,
}

/// Feeds the candidates to a command of the shell, a line each, and reads as many lines of fitness.
pub(super) fn rate(command: &str, trial: &Trial, candidates: &[Vector]) -> Result<Vec<f64>, Error> {
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
    // Written from a thread of its own: a command that answers before it has read all would wait for ever otherwise.
    let input = child.stdin.take();
    let writer = thread::spawn(move || input.map_or(Ok(()), |mut input| input.write_all(&lines)));
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(format!("it ended with {}", output.status)).into());
    }
    let written = writer.join().unwrap_or_else(|_| Err(io::Error::other("the lines could not be written")));
    written.map_err(|error| failed(error.to_string()))?;
    let mut fitness = Vec::with_capacity(candidates.len());
    for line in output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
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
