//! A program that is attacked: in a process group of its own, so that nothing of it stays unseen.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::end::PANIC;

/// How long anything may take, on however busy a machine.
pub(crate) const LONGEST: Duration = Duration::from_secs(60);

/// How often something that is waited for is looked at.
pub(crate) const LOOK: Duration = Duration::from_millis(5);

/// A running program. It is killed with this value, whatever it has started included.
pub(crate) struct Program {
    child: Child,
    /// What shows its terminal, and whether that is to be closed.
    terminal: Option<(Arc<AtomicBool>, JoinHandle<()>)>,
    /// The last number that it printed.
    pub(crate) printed: Arc<AtomicU64>,
    /// Lines of its standard error.
    pub(crate) errors: Receiver<String>,
}

/// What standard input, output and error are.
pub(crate) enum Streams {
    /// Pipes that are read; standard input is empty.
    Pipes,
    /// A terminal.
    Terminal,
    /// Output and error take nothing.
    Full,
}

impl Program {
    /// Starts `program` with these words in `folder`, which is its home, on a display or none.
    pub(crate) fn start(
        program: &Path,
        folder: &Path,
        words: &[&str],
        display: Option<&str>,
        streams: &Streams,
    ) -> std::io::Result<Self> {
        // It ends with the thread that looks after it, also where this program is killed itself.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL"]).arg(program);
        command.args(words).current_dir(folder).process_group(0);
        command.env("HOME", folder).env("RUST_BACKTRACE", "0");
        command.env("MAXOUT_PANIC", folder.join(PANIC));
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "MAXOUT_STREAM_TOKEN", "WAYLAND_DISPLAY", "DISPLAY"]
        {
            command.env_remove(name);
        }
        command.envs(display.map(|display| ("DISPLAY", display)));
        let mut terminal = None;
        match streams {
            Streams::Pipes => {
                command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            }
            Streams::Terminal => {
                let (shows, programs) = open_terminal()?;
                let end = || programs.try_clone().map(Stdio::from);
                command.stdin(end()?).stdout(end()?).stderr(end()?);
                let is_closed = Arc::new(AtomicBool::new(false));
                let closed = Arc::clone(&is_closed);
                terminal = Some((is_closed, thread::spawn(move || show(shows, &closed))));
            }
            Streams::Full => {
                let full = File::options().write(true).open("/dev/full")?;
                command.stdin(Stdio::null()).stdout(full.try_clone()?).stderr(full);
            }
        }
        let mut child = command.spawn()?;
        let printed = Arc::new(AtomicU64::new(0));
        if let Some(output) = child.stdout.take() {
            let printed = Arc::clone(&printed);
            thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if let Ok(number) = line.trim().parse() {
                        printed.store(number, Ordering::Relaxed);
                    }
                }
            });
        }
        let (say, errors) = mpsc::channel();
        if let Some(output) = child.stderr.take() {
            thread::spawn(move || {
                let lines = BufReader::new(output).lines().map_while(Result::ok);
                // Whoever no longer listens does not keep the program waiting.
                lines.for_each(|line| drop(say.send(line)));
            });
        }
        Ok(Self { child, terminal, printed, errors })
    }

    pub(crate) fn pid(&self) -> Option<Pid> {
        Pid::from_raw(self.child.id().cast_signed())
    }

    /// Sends a signal; a program that has ended gets none.
    pub(crate) fn signal(&self, signal: Signal) {
        if let Some(pid) = self.pid() {
            let _ = rustix::process::kill_process(pid, signal);
        }
    }

    /// Closes its terminal, as a window does that is closed.
    pub(crate) fn close_terminal(&mut self) {
        if let Some((is_closed, shows)) = self.terminal.take() {
            is_closed.store(true, Ordering::Relaxed);
            let _ = shows.join(); // it has nothing to say
        }
    }

    pub(crate) fn has_terminal(&self) -> bool {
        self.terminal.is_some()
    }

    /// Waits for its end, so long at most.
    pub(crate) fn ended_within(&mut self, longest: Duration) -> Option<ExitStatus> {
        let begun = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                _ if begun.elapsed() >= longest => return None,
                _ => thread::sleep(LOOK),
            }
        }
    }

    /// Returns whether something that it started still runs. Call it once it has ended.
    pub(crate) fn has_children(&self) -> bool {
        let begun = Instant::now();
        // What is ending has a moment.
        while begun.elapsed() < Duration::from_secs(5) {
            match self.pid().map(rustix::process::test_kill_process_group) {
                Some(Ok(())) => thread::sleep(LOOK),
                _ => return false,
            }
        }
        true
    }

    /// Returns the last lines of its standard error, of those that nobody has taken.
    pub(crate) fn last_words(&self) -> String {
        const LINES: usize = 6;
        // What reads them may be a moment behind.
        thread::sleep(LOOK);
        let lines: Vec<String> = self.errors.try_iter().collect();
        lines[lines.len().saturating_sub(LINES)..].join(" | ")
    }

    /// Waits for a line of its standard error that has `words`. Returns what follows them.
    pub(crate) fn line_with(&self, words: &str) -> Option<String> {
        let begun = Instant::now();
        while let Some(left) = LONGEST.checked_sub(begun.elapsed()) {
            let line = self.errors.recv_timeout(left).ok()?;
            if let Some((_, rest)) = line.split_once(words) {
                return Some(rest.trim().to_owned());
            }
        }
        None
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.close_terminal();
        // It may have ended by itself.
        if let Some(pid) = self.pid() {
            let _ = rustix::process::kill_process_group(pid, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A terminal of 80 by 24 characters: the end that shows, and the program's.
fn open_terminal() -> std::io::Result<(File, File)> {
    let shows: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&shows)?;
    unlockpt(&shows)?;
    tcsetwinsize(&shows, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 })?;
    let name = ptsname(&shows, vec![])?;
    let name = name.to_str().map_err(std::io::Error::other)?;
    let programs = File::options().read(true).write(true).open(name)?;
    Ok((shows.into(), programs))
}

/// Takes what a terminal shows until it is closed.
fn show(mut shows: File, is_closed: &AtomicBool) {
    let wait = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };
    while !is_closed.load(Ordering::Relaxed) {
        let ready = poll(&mut [PollFd::new(&shows, PollFlags::IN)], Some(&wait)).is_ok_and(|ready| ready > 0);
        // Where the program is gone, there is nothing to read and nothing to wait for.
        if ready && !shows.read(&mut [0; 4096]).is_ok_and(|read| read > 0) {
            thread::sleep(LOOK);
        }
    }
}
