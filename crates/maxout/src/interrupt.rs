//! Ctrl-C asks; the command stops between two frames, so that drafts are removed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

/// Has the user asked to stop?
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. A second Ctrl-C ends the process at once.
    pub(crate) fn listen() -> Self {
        let interrupt = Self::default();
        let asked = Arc::clone(&interrupt.0);
        // It fails only where a handler is already installed; then that one decides.
        let _ = ctrlc::set_handler(move || {
            if asked.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        interrupt
    }

    pub(crate) fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What is `true` once the user has asked.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// An error once the user has asked.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.asked() { Err(Error::Interrupted) } else { Ok(()) }
    }
}
