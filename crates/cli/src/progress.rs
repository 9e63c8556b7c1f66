//! A bar on standard error for what takes longer than two seconds, and a line now and then where
//! standard error is a file or a pipe.

use std::io::{IsTerminal, stderr};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

const PATIENCE: Duration = Duration::from_secs(2);
const TICK: Duration = Duration::from_millis(100);
/// Seconds between two lines where there is no terminal.
const LINE_SECONDS: u64 = 60;

/// Counts up to a total, or for ever if that is 0, from as many threads as there are; shows itself
/// late, or never. Dropped it is gone.
pub struct Progress {
    bar: OnceLock<ProgressBar>,
    reached: AtomicU64,
    total: u64,
    unit: &'static str,
    begun: Instant,
    /// Of the last line that was written: how many times [`LINE_SECONDS`] had passed.
    lines: AtomicU64,
}

impl Progress {
    /// Returns the progress of `total` pieces of work, which are called `unit`.
    pub fn new(total: u64, unit: &'static str) -> Self {
        Self {
            bar: OnceLock::new(),
            reached: AtomicU64::new(0),
            total,
            unit,
            begun: Instant::now(),
            lines: AtomicU64::new(0),
        }
    }

    /// So much is done by now.
    pub fn reach(&self, position: u64) {
        self.reached.store(position, Ordering::Relaxed);
        self.show(position);
    }

    /// So much more is done.
    pub fn advance(&self, more: u64) {
        self.show(self.reached.fetch_add(more, Ordering::Relaxed) + more);
    }

    /// Does what prints lines, the bar out of their way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away, so that results have its place.
    pub fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }

    fn show(&self, position: u64) {
        if self.bar.get().is_none() {
            let elapsed = self.begun.elapsed();
            if elapsed <= PATIENCE {
                return;
            }
            if !stderr().is_terminal() {
                if let Some(line) = self.line(position, elapsed.as_secs()) {
                    tty::tell!("{line}");
                }
                return;
            }
        }
        self.bar.get_or_init(|| self.bar()).set_position(position);
    }

    /// Returns the line for a reader who is no terminal, if its time has come and no other thread
    /// has taken it.
    fn line(&self, position: u64, seconds: u64) -> Option<String> {
        let due = seconds / LINE_SECONDS;
        if self.lines.fetch_max(due, Ordering::Relaxed) >= due {
            return None;
        }
        let total = match self.total {
            0 => String::new(),
            total => format!(" of {total}"),
        };
        Some(format!("{position}{total} {} after {seconds} s", self.unit))
    }

    fn bar(&self) -> ProgressBar {
        let bar = ProgressBar::new(self.total);
        let template = match self.total {
            0 => format!("{{spinner}} {{pos}} {}  {{elapsed}}", self.unit),
            _ => format!("{{wide_bar}} {{pos}}/{{len}} {}  {{eta}}", self.unit),
        };
        match ProgressStyle::with_template(&template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Does work of which nobody knows how long it takes; somebody who waits sees what for.
pub fn waiting<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (done, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let over = |patience| wait.recv_timeout(patience) != Err(RecvTimeoutError::Timeout);
            if !stderr().is_terminal() || over(PATIENCE) {
                return;
            }
            let spinner = ProgressBar::new_spinner().with_message(what.to_owned());
            while !over(TICK) {
                spinner.tick();
            }
            spinner.finish_and_clear();
        });
        // Dropped even if the work panics, which ends the wait.
        let _done = done;
        work()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_is_waited_for_gives_what_it_gives() {
        assert_eq!(waiting("a sum", || 2 + 2), 4);
    }

    #[test]
    fn a_pipe_gets_one_line_a_minute() {
        let progress = Progress::new(100, "pieces");
        assert_eq!(progress.line(1, 59), None);
        assert_eq!(progress.line(40, 61).as_deref(), Some("40 of 100 pieces after 61 s"));
        assert_eq!(progress.line(41, 119), None);
        assert_eq!(progress.line(90, 300).as_deref(), Some("90 of 100 pieces after 300 s"));
        assert_eq!(progress.line(95, 301), None);
    }

    #[test]
    fn what_threads_have_done_adds_up() {
        let progress = Progress::new(4_000, "pieces");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1_000).for_each(|_| progress.advance(1)));
            }
        });
        assert_eq!(progress.reached.load(Ordering::Relaxed), 4_000);
    }
}
