//! The lines of the stream in a file, a pipe or on standard output.

use std::fs::OpenOptions;
use std::io::{self, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use stream::Reader;

/// How long the end is waited for: whoever reads a pipe may have stopped reading.
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes lines in a thread of its own, so that whoever reads slowly loses lines and the game does
/// not wait.
#[derive(Debug)]
pub(super) struct LineWriter {
    thread: Option<JoinHandle<()>>,
    complaint: Arc<Mutex<Option<String>>>,
}

impl LineWriter {
    /// Writes what `reader` gets into `path`; `-` is standard output. A pipe is opened once
    /// somebody reads it.
    pub(super) fn start(reader: Reader, path: PathBuf) -> Self {
        let complaint = Arc::new(Mutex::new(None));
        let told = Arc::clone(&complaint);
        let body = move || {
            if let Err(error) = write(&reader, &path) {
                let text = format!("the stream's lines cannot be written to {}: {error}", path.display());
                *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
            }
        };
        let thread = thread::Builder::new().name("stream lines".into()).spawn(body);
        Self { thread: thread.ok(), complaint }
    }

    /// Returns why nothing is written any more, once.
    pub(super) fn complaint(&self) -> Option<String> {
        self.complaint.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The stream has ended: waits a moment for what is left.
    pub(super) fn end(mut self) {
        let Some(thread) = self.thread.take() else { return };
        let begun = Instant::now();
        while !thread.is_finished() {
            if begun.elapsed() > PATIENCE {
                return; // left alone with its pipe
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = thread.join();
    }
}

fn write(reader: &Reader, path: &Path) -> io::Result<()> {
    if path == Path::new("-") {
        reader.write_all(stdout())
    } else {
        reader.write_all(OpenOptions::new().create(true).append(true).open(path)?)
    }
}
