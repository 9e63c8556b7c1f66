//! A program that encodes, which may fail, stand still or never end.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How long its file may stay as it is before the program counts as one that never ends.
const TIMEOUT: Duration = Duration::from_secs(60);
/// How long its last words are waited for once it has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// A running program and the file that it writes.
#[derive(Debug)]
pub(crate) struct Encoder {
    kill_handle: KillHandle,
    words: mpsc::Receiver<String>,
    file: PathBuf,
    timeout: Duration,
}

/// The way to end it from another thread, one that waits for it included.
#[derive(Clone, Debug)]
pub(crate) struct KillHandle(Arc<Mutex<Child>>);

impl KillHandle {
    fn child(&self) -> MutexGuard<'_, Child> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the program, if it still runs.
    pub(crate) fn kill(&self) {
        let mut child = self.child();
        // Where it has ended, there is nothing to end.
        let _ = child.kill();
        let _ = child.try_wait();
    }
}

impl Encoder {
    pub(crate) fn new(mut child: Child, file: &Path) -> Self {
        let words = listen(&mut child);
        Self {
            kill_handle: KillHandle(Arc::new(Mutex::new(child))),
            words,
            file: file.to_owned(),
            timeout: TIMEOUT,
        }
    }

    /// The next program of the same recording, with the same kill handle.
    pub(crate) fn go_on_as(&mut self, mut child: Child, file: &Path) {
        self.words = listen(&mut child);
        *self.kill_handle.child() = child;
        file.clone_into(&mut self.file);
    }

    pub(crate) fn kill_handle(&self) -> KillHandle {
        self.kill_handle.clone()
    }

    /// Waits until it has ended, as long as its file grows.
    ///
    /// # Errors
    /// What it said when it failed; or that it had to be ended.
    pub(crate) fn wait(&mut self) -> io::Result<()> {
        let ended = self.end()?;
        if ended.success() {
            return Ok(());
        }
        let said = self.words.recv_timeout(LAST_WORDS).unwrap_or_default();
        let reason = said.lines().next_back().unwrap_or("without a message");
        Err(io::Error::other(format!("ffmpeg failed ({ended}): {reason}")))
    }

    fn end(&mut self) -> io::Result<ExitStatus> {
        let size = || std::fs::metadata(&self.file).map_or(0, |file| file.len());
        let (mut written, mut since) = (size(), Instant::now());
        loop {
            if let Some(status) = self.kill_handle.child().try_wait()? {
                return Ok(status);
            }
            if size() != written {
                (written, since) = (size(), Instant::now());
            }
            if since.elapsed() > self.timeout {
                self.kill_handle.kill();
                let seconds = self.timeout.as_secs_f64();
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    format!("ffmpeg wrote nothing for {seconds} seconds, and was stopped"),
                ));
            }
            thread::sleep(LOOK);
        }
    }

    #[cfg(test)]
    pub(crate) fn timeout(&mut self, timeout: Duration) {
        self.timeout = timeout;
    }
}

/// A recording that is given up takes its program along.
impl Drop for Encoder {
    fn drop(&mut self) {
        self.kill_handle.kill();
    }
}

/// Reads its last words on a thread of their own: it would stand still once the pipe is full.
fn listen(child: &mut Child) -> mpsc::Receiver<String> {
    let (said, hear) = mpsc::channel();
    if let Some(mut words) = child.stderr.take() {
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = words.read_to_end(&mut text); // what there was is told
            let _ = said.send(String::from_utf8_lossy(&text).into_owned());
        });
    }
    hear
}
