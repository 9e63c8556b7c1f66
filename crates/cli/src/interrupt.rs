//! Ctrl-C asks; the command stops between two frames, so that drafts are removed.
//!
//! SIGTERM and SIGHUP ask as well, and the system sends them together when it shuts down. So only a
//! person who insists ends the program at once: a second Ctrl-C, a second or more after the first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::Error;

/// The least time between two Ctrl-C of which the second ends the program at once.
const INSISTENCE: Duration = Duration::from_secs(1);

/// Has the user asked to stop?
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on.
    pub fn listen() -> Self {
        let interrupt = Self::default();
        // It fails only where the system gives no thread or refuses the handler; then a signal ends
        // the program as it ends others.
        let _ = system::listen(Arc::clone(&interrupt.0));
        interrupt
    }

    /// Returns whether the program was asked to stop.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What is `true` once the user has asked.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// An error once the user has asked.
    ///
    /// # Errors
    /// [`Error::Interrupted`] when it was asked to.
    pub fn check(&self) -> Result<(), Error> {
        if self.asked() { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// Presses of Ctrl-C.
#[derive(Debug, Default)]
struct Presses {
    first: Option<Instant>,
}

impl Presses {
    /// Takes another press in. Returns whether the user insists.
    fn insist(&mut self, now: Instant) -> bool {
        now.saturating_duration_since(*self.first.get_or_insert(now)) >= INSISTENCE
    }
}

/// Ends the program at once. What is half written is removed.
fn end() -> ! {
    draft::remove_unfinished();
    std::process::exit(130)
}

#[cfg(unix)]
mod system {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Instant;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use super::{Presses, end};

    pub(super) fn listen(asked: Arc<AtomicBool>) -> io::Result<()> {
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        // `nohup` ignores it for the programs that it starts.
        if !is_ignored(SIGHUP) {
            signals.add_signal(SIGHUP)?;
        }
        let mut presses = Presses::default();
        let body = move || {
            for signal in signals.forever() {
                asked.store(true, Ordering::Relaxed);
                if signal == SIGINT && presses.insist(Instant::now()) {
                    end();
                }
            }
        };
        thread::Builder::new().name("signals".into()).spawn(body)?;
        Ok(())
    }

    /// Returns whether whoever started the program has it ignore a signal, as far as Linux tells.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }
}

#[cfg(not(unix))]
mod system {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Instant;

    use super::{Presses, end};

    pub(super) fn listen(asked: Arc<AtomicBool>) -> Result<(), ctrlc::Error> {
        let mut presses = Presses::default();
        ctrlc::set_handler(move || {
            asked.store(true, Ordering::Relaxed);
            if presses.insist(Instant::now()) {
                end();
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_second_press_a_second_after_the_first_insists() {
        let (mut presses, begun) = (Presses::default(), Instant::now());
        let after = |milliseconds| begun + Duration::from_millis(milliseconds);
        assert!(![0, 10, 500, 999].into_iter().any(|at| presses.insist(after(at))));
        assert!(presses.insist(after(1_000)));
    }
}
