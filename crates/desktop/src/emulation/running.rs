//! A game that runs, without a window: the console's thread, the sound device's and the pads'.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nes::Cartridge;
use tty::panics;

use crate::audio::device::Sound;
use crate::emulation::machine::{Machine, Run};
use crate::emulation::movie;
use crate::emulation::script::LiveScript;
use crate::input::gamepad;
use crate::messages::handle::{MachineHandle, Shared};
use crate::messages::machine_message::MachineMessage;
use crate::messages::status::{Message, MessageKind, Notice};
use crate::record::recorder;
use crate::record::rescue::rescue;
use crate::{Command, DesktopError, Options};

/// What a session came to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlaySummary {
    /// Frames that the console ran.
    pub frames: u64,
    /// Pictures that the window showed.
    pub shown: u64,
    /// From the first frame to the last.
    pub time: Duration,
    /// Gaps in the sound; `None` when no device played it in the end.
    pub gaps: Option<u64>,
    /// Gaps since the first second of the last stretch without a command; `None` as `gaps`, or when
    /// it was shorter.
    pub gaps_settled: Option<u64>,
    /// The last that was said to the player, oldest first.
    pub messages: Vec<Message>,
    /// What of it was said when the window was closed already.
    pub final_messages: Vec<Message>,
    /// The file of the state in the end.
    pub state: Vec<u8>,
    /// The hash of the console, the same on any machine.
    pub state_hash: u64,
    /// Frames a second of that same time by the sound device's clock.
    pub rate: Option<f64>,
}

/// How long the console's thread is waited for: it ends its recordings, each of which has a bound
/// of its own.
const TIMEOUT: Duration = recorder::TIMEOUT.saturating_add(Duration::from_secs(30));
/// How long a script has for what it does at its end, before it is interrupted; and how long after
/// that what the battery keeps is written for a console's thread that hangs.
const SCRIPT_TIMEOUT: Duration = Duration::from_millis(500);
/// What the console's thread is called.
const CONSOLE: &str = "console";
/// How often a thread that is waited for is looked at.
const LOOK: Duration = Duration::from_millis(2);
/// How long the pads' thread is.
const PADS_PATIENCE: Duration = Duration::from_secs(1);

/// A game that runs: in a window, in a terminal, or for nobody but a [`MachineHandle`]. Dropping it
/// leaves the threads to themselves; [`Running::finish`] ends them.
#[derive(Debug)]
pub struct Running {
    handle: MachineHandle,
    shared: Arc<Shared>,
    queue: Sender<MachineMessage>,
    console: JoinHandle<Run>,
    sound: Sound,
    pads: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

impl Running {
    /// Starts the game. `tell` is called on the console's thread.
    ///
    /// # Errors
    /// [`DesktopError::Rom`] when the image is no cartridge, [`DesktopError::Read`],
    /// [`DesktopError::Movie`] or [`DesktopError::EmptyMovie`] when the movie is none,
    /// [`DesktopError::Script`] when the script is none, [`DesktopError::Refused`] when another
    /// thing that the session is to begin with cannot be. A missing sound device or pad is none.
    pub fn start(options: &Options, tell: impl Fn(Notice) + Send + 'static) -> Result<Self, DesktopError> {
        let cartridge = Cartridge::from_bytes(&options.image)
            .map_err(|source| DesktopError::Rom { title: options.title.clone(), source })?;
        let movie =
            options.movie.as_deref().map(|path| Ok::<_, DesktopError>((path.to_owned(), movie::read(path)?)));
        let movie = movie.transpose()?;
        let shared = Arc::new(Shared::new());
        let interrupt = || Arc::clone(&shared.script_interrupt);
        let script = options.script.as_deref();
        let script = script.map(|path| LiveScript::read(path, &options.title, interrupt())).transpose()?;
        let (queue, receiver) = mpsc::channel();
        let limit = options.exit_after_frames;
        let (begin, begun) = mpsc::channel();
        let console = {
            let (shared, options) = (Arc::clone(&shared), options.clone());
            let ended = Arc::clone(&shared);
            let body = move || {
                let rescued = options.folders.recordings.as_deref().map(rescue).unwrap_or_default();
                options.folders.sweep();
                let notify = NotifyOnDrop(tell);
                let mut machine = Machine::new(cartridge, &options, shared, |notice| (notify.0)(notice));
                for text in rescued {
                    machine.say(MessageKind::Warning, text);
                }
                if let Some((path, movie)) = movie {
                    machine.begin_movie(path, movie);
                }
                if let Some(script) = script {
                    machine.begin_script(script);
                }
                let _ = begin.send(machine.take_refused()); // `Running::start` waits for it
                let run = machine.run(&receiver, limit);
                ended.has_ended.store(true, Ordering::Release);
                run
            };
            thread::Builder::new().name(CONSOLE.into()).spawn(body)
        };
        let Ok(console) = console else { return Err(DesktopError::ConsoleStopped) };
        match begun.recv() {
            Ok(None) => {}
            Ok(Some(reason)) => {
                let _ = joined(console, TIMEOUT); // it ends by itself
                return Err(DesktopError::Refused(reason));
            }
            Err(_) => return Err(DesktopError::ConsoleStopped),
        }
        save_after_panic(&shared, &queue);
        let sound = Sound::start(shared.clock, queue.clone(), Arc::clone(&shared.sound_again));
        let stop = Arc::new(AtomicBool::new(false));
        let pads = gamepad::follow(Arc::clone(&shared), Arc::clone(&stop));
        let handle = MachineHandle::new(queue.clone(), Arc::clone(&shared));
        Ok(Self { handle, shared, queue, console, sound, pads, stop })
    }

    /// Returns the way to command it; any number of copies will do.
    pub fn handle(&self) -> &MachineHandle {
        &self.handle
    }

    /// Returns the way to say something to the console's thread, and the start of all times.
    pub(crate) fn ends(&self) -> (Sender<MachineMessage>, Instant) {
        (self.queue.clone(), self.shared.clock)
    }

    /// Does something with what the threads share.
    pub(crate) fn with_shared<T>(&self, task: impl FnOnce(&Shared) -> T) -> T {
        task(&self.shared)
    }

    /// Ends the game, recordings first.
    ///
    /// # Errors
    /// [`DesktopError::ConsoleStopped`] when the console's thread had panicked,
    /// [`DesktopError::ConsoleHangs`] when it has not come to its end, recordings included, in ten
    /// minutes.
    pub fn finish(self) -> Result<PlaySummary, DesktopError> {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.queue.send(MachineMessage::Command(Command::Quit)); // fails when it has stopped already
        // A script that does not come to an end would keep the window from closing.
        wait(&self.console, SCRIPT_TIMEOUT);
        self.shared.script_interrupt.store(true, Ordering::Relaxed);
        wait(&self.console, SCRIPT_TIMEOUT);
        // There is nothing to write where the thread has come so far.
        let kept = self.shared.write_spare();
        let ended = joined(self.console, TIMEOUT);
        self.sound.stop();
        if let Some(pads) = self.pads {
            // A driver that hangs must not keep the window from closing.
            let _ = joined(pads, PADS_PATIENCE);
        }
        kept?;
        let ended = ended.ok_or(DesktopError::ConsoleHangs { seconds: TIMEOUT.as_secs() })?;
        let Run { time, gaps, timing_check, state, state_hash, final_messages } =
            ended.map_err(|_| DesktopError::ConsoleStopped)?;
        Ok(PlaySummary {
            frames: self.shared.frames.load(Ordering::Relaxed),
            shown: 0,
            time,
            gaps,
            gaps_settled: timing_check.and_then(|timing_check| timing_check.gaps()),
            rate: timing_check.and_then(|timing_check| timing_check.rate()),
            state,
            state_hash,
            final_messages,
            messages: self.shared.status().messages.iter().cloned().collect(),
        })
    }
}

/// A panic ends the whole program: before it does, what the battery keeps is written, and the
/// console's thread, if it is another's panic, gets some time to write everything else.
fn save_after_panic(shared: &Arc<Shared>, queue: &Sender<MachineMessage>) {
    const SAVING: Duration = Duration::from_secs(5);
    let (shared, queue) = (Arc::downgrade(shared), queue.clone());
    panics::before_the_end(move || {
        let Some(shared) = shared.upgrade() else { return };
        let is_console = thread::current().name() == Some(CONSOLE);
        if !is_console {
            let _ = queue.send(MachineMessage::Command(Command::Quit));
            shared.script_interrupt.store(true, Ordering::Relaxed);
            let begun = Instant::now();
            while !shared.has_ended.load(Ordering::Acquire) && begun.elapsed() < SAVING {
                thread::sleep(LOOK);
            }
        }
        if let Err(error) = shared.write_spare() {
            tty::tell!("{error}");
        }
    });
}

/// Returns what a thread has come to; `None` if it has not ended within `patience`, and is left
/// alone.
fn joined<T>(thread: JoinHandle<T>, patience: Duration) -> Option<thread::Result<T>> {
    wait(&thread, patience).then(|| thread.join())
}

/// Waits for a thread, `timeout` at most. Returns whether it has ended.
fn wait<T>(thread: &JoinHandle<T>, timeout: Duration) -> bool {
    let begun = Instant::now();
    while !thread.is_finished() {
        if begun.elapsed() >= timeout {
            return false;
        }
        thread::sleep(LOOK);
    }
    true
}

/// Tells the interface that the console's thread ends, however it ends.
struct NotifyOnDrop<T: Fn(Notice)>(T);

impl<T: Fn(Notice)> Drop for NotifyOnDrop<T> {
    fn drop(&mut self) {
        (self.0)(Notice::Stopped);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Returns an image with a battery, whose program stands still.
    fn with_battery() -> Vec<u8> {
        nes_testing::Image::nrom(&[0x4C, 0x00, 0x80]).with(6, 2).bytes()
    }

    fn save(folder: &Path) -> Option<Vec<u8>> {
        let files = folder.join("saves").read_dir().ok()?.flatten();
        let file =
            files.map(|file| file.path()).find(|file| file.extension().is_some_and(|end| end == "sav"))?;
        fs::read(file).ok()
    }

    /// Starts a game that has 7 in its battery's RAM and has not written it yet, and panics: in the
    /// console's thread or in another. Then the program ends, as one does that does not unwind.
    fn panic_in(folder: &Path, thread: &str) -> ! {
        let script = folder.join("saves.lua");
        fs::write(&script, "memory.writebyte(0x6000, 7) emu.frameadvance() emu.frameadvance() print('done')")
            .unwrap();
        let mut options = Options::new("game", with_battery());
        options = options.in_folders(crate::Folders::inside(folder));
        (options.script, options.prints) = (Some(script), false);
        let falls = Arc::new(AtomicBool::new(false));
        let its_own = Arc::clone(&falls);
        panics::end_the_program();
        let running = Running::start(&options, move |_| {
            assert!(!its_own.swap(false, Ordering::Relaxed), "as asked");
        })
        .unwrap();
        let begun = Instant::now();
        while !running.handle().status().messages.iter().any(|message| message.text == "done") {
            assert!(begun.elapsed() < TIMEOUT, "the script does not run");
            thread::sleep(LOOK);
        }
        assert_eq!(save(folder), None);
        if thread == CONSOLE {
            falls.store(true, Ordering::Relaxed);
            wait(&running.console, TIMEOUT);
        } else {
            let _ = thread::spawn(|| panic!("as asked")).join();
        }
        std::process::exit(0);
    }

    /// The hook for panics is the process's, and so it takes one of its own.
    #[test]
    fn a_panic_in_any_thread_writes_what_the_battery_keeps_before_the_program_ends() {
        const FOLDER: &str = "MAXOUT_TEST_PANIC_FOLDER";
        const THREAD: &str = "MAXOUT_TEST_PANIC_THREAD";
        const NAME: &str = "emulation::running::tests::\
                            a_panic_in_any_thread_writes_what_the_battery_keeps_before_the_program_ends";
        if let (Some(folder), Ok(thread)) = (std::env::var_os(FOLDER), std::env::var(THREAD)) {
            panic_in(Path::new(&folder), &thread);
        }
        for thread in [CONSOLE, "another"] {
            let folder = tempfile::tempdir().unwrap();
            let mut child = std::process::Command::new(std::env::current_exe().unwrap());
            child.args(["--exact", NAME, "--nocapture"]).env(FOLDER, folder.path()).env(THREAD, thread);
            let output = child.output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && text.contains("as asked"), "{thread}: {text}");
            assert_eq!(save(folder.path()).map(|ram| ram[0]), Some(7), "{thread}: {text}");
        }
    }

    /// The script never comes to the end of a frame, whatever is caught: it would keep a window
    /// open for good.
    #[test]
    fn closing_ends_a_script_that_does_not_end_and_keeps_what_the_battery_keeps() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("busy.lua");
        let source = "memory.writebyte(0x6000, 7) print('busy') emu.frameadvance()
            local text = ('a'):rep(30000)
            while true do pcall(string.find, text, ('.-'):rep(30) .. 'b') end";
        fs::write(&script, source).unwrap();
        let mut options = Options::new("game", with_battery());
        options = options.in_folders(crate::Folders::inside(folder.path()));
        (options.script, options.prints) = (Some(script), false);
        let (tell, notices) = mpsc::channel();
        let tell = move |notice| {
            let _ = tell.send(notice);
        };
        let running = Running::start(&options, tell).unwrap();
        while !running.handle().status().messages.iter().any(|message| message.text == "busy") {
            assert!(!running.console.is_finished(), "{:?}", running.handle().status().messages);
            let _ = notices.recv_timeout(LOOK);
        }
        running.finish().unwrap();
        assert_eq!(save(folder.path()).map(|ram| ram[0]), Some(7));
    }

    #[test]
    fn what_the_battery_keeps_is_written_for_a_console_that_hangs() {
        let folder = tempfile::tempdir().unwrap();
        let (path, shared) = (folder.path().join("saves/game.sav"), Shared::new());
        shared.write_spare().unwrap();
        assert!(!path.exists());
        for ram in [[1; 4], [2; 4]] {
            shared.set_spare(Some((path.as_path(), &ram[..])));
        }
        shared.write_spare().unwrap();
        assert_eq!(fs::read(&path).unwrap(), [2; 4]);
        fs::remove_file(&path).unwrap();
        shared.set_spare(Some((path.as_path(), &[3; 4][..])));
        shared.set_spare(None);
        shared.write_spare().unwrap();
        assert!(!path.exists(), "the thread itself has written it");
    }

    #[test]
    fn a_thread_that_never_ends_is_left_alone() {
        let (end, ends) = mpsc::channel::<u8>();
        let thread = thread::spawn(move || ends.recv());
        assert!(joined(thread, Duration::from_millis(5)).is_none());
        drop(end);
        let ends = thread::spawn(|| 7);
        assert!(matches!(joined(ends, TIMEOUT), Some(Ok(7))));
    }
}
