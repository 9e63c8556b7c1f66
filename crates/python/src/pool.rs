//! Threads that outlive a fork of the process by being made anew.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Threads of this process. A copy shares them.
///
/// A process that was forked (`os.fork()`, `multiprocessing`, a `DataLoader`) has none of the
/// threads of its parent, and would wait for them for ever: [`Self::renew`] makes its own.
#[derive(Clone)]
pub struct Pool {
    threads: usize,
    process: u32,
    workers: Option<Arc<ThreadPool>>,
}

impl Pool {
    /// As many threads; for one, the caller's own does the work.
    ///
    /// # Errors
    /// When the system has no threads.
    pub fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let workers = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build());
        let workers = workers.transpose()?.map(Arc::new);
        Ok(Self { threads, process: std::process::id(), workers })
    }

    /// Returns how many threads it was asked for.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Makes threads for this process if it is another than the one that has them.
    ///
    /// # Errors
    /// When the system has no threads.
    pub fn renew(&mut self) -> Result<(), ThreadPoolBuildError> {
        if self.threads > 1 && self.process != std::process::id() {
            let new = Self::new(self.threads)?;
            // To end threads that are not there could wait for one that held a lock when the
            // process was forked.
            std::mem::forget(std::mem::replace(self, new));
        }
        Ok(())
    }

    /// Returns the threads; `None` where the caller's own does the work.
    pub fn get(&self) -> Option<&ThreadPool> {
        self.workers.as_deref()
    }
}
