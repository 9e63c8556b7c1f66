//! Commands without a terminal: a debugging session as a test.

use std::io::Write;
use std::process::ExitCode;

use nes_debug::command::CommandSession;

use super::DebugError;
use super::store::Disk;
use cli::error::Error;
use cli::interrupt::Interrupt;
use cli::progress::waiting;

/// Carries out lines until one fails or ends the session. `name` is where they come from.
pub(super) fn run<'a>(
    session: CommandSession,
    disk: Disk,
    name: &str,
    lines: impl Iterator<Item = &'a str>,
) -> Result<ExitCode, Error> {
    run_each(session, disk, name, lines.map(str::to_owned))
}

/// The same with lines that come one by one.
pub(super) fn run_each(
    mut session: CommandSession,
    mut disk: Disk,
    name: &str,
    lines: impl Iterator<Item = String>,
) -> Result<ExitCode, Error> {
    let interrupt = Interrupt::listen();
    let mut out = std::io::stdout().lock();
    for (number, line) in (1..).zip(lines) {
        let place = format!("{name}:{number}");
        let reply = waiting(&line, || session.execute(&line, &mut disk, &mut || !interrupt.asked()))
            .map_err(|source| DebugError::Command { place: place.clone(), source })?;
        interrupt.check()?;
        if reply.failed {
            out.flush().map_err(Error::Output)?;
            tty::tell!("{place}: {}", shown(&reply.text));
            return Ok(ExitCode::from(1));
        }
        if !reply.text.is_empty() {
            writeln!(out, "{}", reply.text).map_err(Error::Output)?;
        }
        if reply.quits {
            break;
        }
    }
    out.flush().map_err(Error::Output)?;
    Ok(ExitCode::SUCCESS)
}

/// Letters of an error that are shown: it repeats what was typed, which may be anything.
const LONGEST: usize = 400;

fn shown(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_repeats_no_more_than_a_few_lines_of_what_was_typed() {
        assert_eq!(shown("nonsense: no such command"), "nonsense: no such command");
        assert_eq!(shown(&"é".repeat(4_096)), "é".repeat(LONGEST) + "…");
    }
}
