//! A display without a screen.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The longest wait until it says its number.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running Xvfb on a number that nobody else has. It ends with this value.
pub(crate) struct Display {
    server: Child,
    name: String,
}

impl Display {
    /// Starts the given Xvfb, which has its other arguments already.
    ///
    /// # Errors
    /// When it does not start, or does not say its number in time.
    pub(crate) fn open(mut xvfb: Command) -> Result<Self> {
        xvfb.args(["-displayfd", "1", "-nolisten", "tcp"]);
        xvfb.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let server = xvfb.spawn().context("Xvfb could not be started")?;
        let mut display = Self { server, name: String::new() };
        let (sender, receiver) = mpsc::channel();
        if let Some(output) = display.server.stdout.take() {
            thread::spawn(move || {
                let mut number = String::new();
                let read = BufReader::new(output).read_line(&mut number);
                // Who no longer waits needs no number.
                let _ = sender.send(read.map(|_| number));
            });
        }
        let number = receiver
            .recv_timeout(PATIENCE)
            .with_context(|| format!("Xvfb said no display within {} seconds", PATIENCE.as_secs()))?
            .context("what Xvfb says cannot be read")?;
        if number.trim().is_empty() {
            bail!("Xvfb ended without a display: can /tmp be written?");
        }
        display.name = format!(":{}", number.trim());
        Ok(display)
    }

    /// What programs find in `DISPLAY`.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // It has nothing to lose.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell stands for the server: it says a number, or nothing.
    fn says(script: &str) -> Result<String> {
        let mut shell = Command::new("sh");
        shell.args(["-c", script, "sh"]);
        Display::open(shell).map(|display| display.name().to_owned())
    }

    #[test]
    fn a_display_has_the_number_that_the_server_says() -> Result<()> {
        assert_eq!(says("echo 12; sleep 60")?, ":12");
        assert!(says("exit 1").is_err_and(|error| error.to_string().contains("without a display")));
        Ok(())
    }
}
