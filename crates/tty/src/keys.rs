//! What is typed, until the terminal is gone.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event};
use ratatui::crossterm::terminal;

/// How long the reading thread waits for a key before it looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(50);
/// How long the thread is waited for at the end: it never ends where the terminal is gone.
const PATIENCE: Duration = Duration::from_millis(200);
/// How long the terminal has to answer a question; crossterm itself waits two seconds.
const ANSWER: Duration = Duration::from_millis(2_500);

/// Reads the keyboard on a thread of its own.
///
/// crossterm 0.29 reads for ever from a terminal that is gone, inside `poll`. So nothing but this
/// thread calls it, and the reader asks the system whether the terminal is there.
#[derive(Debug)]
pub struct Keys {
    events: Receiver<io::Result<Event>>,
    unwanted: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Keys {
    /// Reads from now on. The terminal is in raw mode already.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn listen() -> io::Result<Self> {
        let (send, events) = mpsc::channel();
        let unwanted = Arc::new(AtomicBool::new(false));
        let is_unwanted = Arc::clone(&unwanted);
        let body = move || {
            while !is_unwanted.load(Ordering::Relaxed) {
                crate::panics::where_asked();
                let next = match event::poll(LOOK) {
                    Ok(false) => continue,
                    Ok(true) => event::read(),
                    Err(error) => Err(error),
                };
                let failed = next.is_err();
                if send.send(next).is_err() || failed {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("keys".into()).spawn(body)?;
        Ok(Self { events, unwanted, thread: Some(thread) })
    }

    /// Waits for what is typed next, at most for `timeout`.
    ///
    /// # Errors
    /// When the terminal is gone or cannot be read.
    pub fn next(&self, timeout: Duration) -> io::Result<Option<Event>> {
        match self.events.recv_timeout(timeout) {
            Ok(event) => event.map(Some),
            Err(RecvTimeoutError::Timeout) if !has_hung_up() => Ok(None),
            Err(_) => Err(io::Error::new(io::ErrorKind::BrokenPipe, "the terminal is gone")),
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.unwanted.store(true, Ordering::Relaxed);
        let begun = Instant::now();
        // The next who reads must not share the keys with this thread.
        while self.thread.as_ref().is_some_and(|thread| !thread.is_finished()) && begun.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Returns whether the terminal says when a key is let go. The terminal is asked, and may be gone.
pub fn tells_releases() -> bool {
    let (send, answer) = mpsc::channel();
    let body = move || {
        // It fails when nobody waits any more.
        let _ = send.send(terminal::supports_keyboard_enhancement().unwrap_or(false));
    };
    thread::Builder::new().spawn(body).is_ok() && answer.recv_timeout(ANSWER).unwrap_or(false)
}

/// Returns whether the terminal behind standard input is gone: its window was closed, or the
/// connection to it was lost.
#[cfg(unix)]
pub fn has_hung_up() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let input = io::stdin();
    let mut ends = [PollFd::new(&input, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut ends, Some(&now)).is_ok() && ends[0].revents().intersects(PollFlags::HUP | PollFlags::ERR)
}

/// Returns whether the terminal behind standard input is gone, which only Unix says.
#[cfg(not(unix))]
pub fn has_hung_up() -> bool {
    false
}
