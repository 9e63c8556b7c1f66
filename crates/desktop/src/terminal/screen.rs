//! What goes to the terminal, on a thread of its own: a line that is slow, or a terminal that was
//! told to stand still, delays pictures and never the game.

use std::io::{self, Write};
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a terminal that is waited for is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// The terminal's end: takes whatever is written, and never waits.
pub(super) struct Screen {
    /// What the next flush sends.
    buffer: Vec<u8>,
    queue: Sender<Vec<u8>>,
    backlog: Backlog,
}

/// What the terminal has not taken yet.
#[derive(Clone)]
pub(super) struct Backlog(Arc<Waiting>);

#[derive(Default)]
struct Waiting {
    /// Flushes of which not everything is written.
    flushes: AtomicUsize,
    /// Why nothing is written any more.
    failure: Mutex<Option<io::Error>>,
}

impl Screen {
    /// Writes into `terminal`, on a thread that ends with this value.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub(super) fn new(mut terminal: impl Write + Send + 'static) -> io::Result<Self> {
        let (queue, flushes) = mpsc::channel::<Vec<u8>>();
        let backlog = Backlog(Arc::default());
        let waiting = Arc::clone(&backlog.0);
        let body = move || {
            for bytes in flushes {
                tty::panics::where_asked();
                if let Err(error) = terminal.write_all(&bytes).and_then(|()| terminal.flush()) {
                    waiting.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    return;
                }
                waiting.flushes.fetch_sub(1, Ordering::Release);
            }
        };
        thread::Builder::new().name("terminal".into()).spawn(body)?;
        Ok(Self { buffer: vec![], queue, backlog })
    }

    /// Returns the way to see how far the terminal is.
    pub(super) fn backlog(&self) -> Backlog {
        self.backlog.clone()
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.backlog.check()?;
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.backlog.0.flushes.fetch_add(1, Ordering::Relaxed);
        // It fails where the thread has ended, which says why.
        if self.queue.send(mem::take(&mut self.buffer)).is_err() {
            self.backlog.check()?;
        }
        Ok(())
    }
}

impl Backlog {
    /// Returns whether the terminal has taken everything, or takes nothing any more.
    pub(super) fn is_empty(&self) -> bool {
        self.0.flushes.load(Ordering::Acquire) == 0 || self.failure().is_some()
    }

    /// Waits until it has, `timeout` at most. Returns whether it has.
    pub(super) fn wait(&self, timeout: Duration) -> bool {
        let begun = Instant::now();
        while !self.is_empty() {
            if begun.elapsed() >= timeout {
                return false;
            }
            thread::sleep(LOOK);
        }
        true
    }

    fn failure(&self) -> Option<io::Error> {
        let failure = self.0.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.as_ref().map(|error| io::Error::new(error.kind(), error.to_string()))
    }

    fn check(&self) -> io::Result<()> {
        self.failure().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;

    use super::*;

    /// A terminal that takes something each time that it is let.
    struct Slow(Receiver<()>, Sender<Vec<u8>>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.recv().map_err(|_| io::Error::other("hung up"))?;
            self.1.send(bytes.to_vec()).map_err(|_| io::Error::other("hung up"))?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_terminal_that_stands_still_is_written_to_without_waiting() {
        let ((go_on, wait), (take, taken)) = (mpsc::channel(), mpsc::channel());
        let mut screen = Screen::new(Slow(wait, take)).unwrap();
        let backlog = screen.backlog();
        assert!(backlog.is_empty());
        for text in ["one", "two"] {
            screen.write_all(text.as_bytes()).unwrap();
            screen.flush().unwrap();
        }
        screen.flush().unwrap();
        assert!(!backlog.wait(Duration::from_millis(5)) && taken.try_recv().is_err());
        go_on.send(()).unwrap();
        assert_eq!(taken.recv().unwrap(), b"one");
        assert!(!backlog.is_empty());
        go_on.send(()).unwrap();
        assert_eq!(taken.recv().unwrap(), b"two");
        assert!(backlog.wait(Duration::from_secs(60)));
    }

    #[test]
    fn a_terminal_that_was_closed_is_said_and_not_waited_for() {
        let ((go_on, wait), (take, _taken)) = (mpsc::channel(), mpsc::channel());
        let mut screen = Screen::new(Slow(wait, take)).unwrap();
        screen.write_all(b"one").unwrap();
        screen.flush().unwrap();
        drop(go_on);
        assert!(screen.backlog().wait(Duration::from_secs(60)));
        assert_eq!(screen.flush().unwrap_err().to_string(), "hung up");
    }
}
