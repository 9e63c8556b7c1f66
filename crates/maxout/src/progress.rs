//! A bar on standard error for what takes longer than two seconds, where somebody is there to see it.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

const PATIENCE: Duration = Duration::from_secs(2);

/// Counts up to a total; shows itself late, or never.
pub(crate) struct Progress {
    bar: ProgressBar,
    total: u64,
    unit: &'static str,
    begun: Instant,
}

impl Progress {
    pub(crate) fn new(total: u64, unit: &'static str) -> Self {
        Self { bar: ProgressBar::hidden(), total, unit, begun: Instant::now() }
    }

    pub(crate) fn reach(&mut self, position: u64) {
        if self.bar.is_hidden() && stderr().is_terminal() && self.begun.elapsed() > PATIENCE {
            let template = format!("{{wide_bar}} {{pos}}/{{len}} {}  {{eta}}", self.unit);
            if let Ok(style) = ProgressStyle::with_template(&template) {
                self.bar = ProgressBar::new(self.total).with_style(style);
            }
        }
        self.bar.set_position(position);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
