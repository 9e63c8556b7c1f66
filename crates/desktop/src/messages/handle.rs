//! The interface's end of the machine's thread.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use nes::Buttons;
use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use crate::DesktopError;
use crate::config::folders::write_whole;
use crate::emulation::vsync::VsyncEstimator;
use crate::input::held::Input;
use crate::input::host_input::HostInput;
use crate::messages::command::Command;
use crate::messages::latest_frame::{Framebuffer, LatestFrame, blank_framebuffer};
use crate::messages::machine_message::MachineMessage;
use crate::messages::status::{Message, PadStatus, Status};
use crate::video::presented_frame::PresentedFrame;

/// What the threads share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The start of all times.
    pub(crate) clock: Instant,
    pub(crate) input: Input,
    pub(crate) pictures: LatestFrame<PresentedFrame>,
    /// Those of the computer's console, in a versus game.
    pub(crate) opponent: LatestFrame<Box<Framebuffer>>,
    /// Frames run so far, in whichever direction; those run ahead are not counted.
    pub(crate) frames: AtomicU64,
    /// Commands sent so far.
    commands: AtomicU64,
    /// A long run of the debugger's is to stop.
    pub(crate) interrupt: AtomicBool,
    /// Once set, no script runs on: the window is closing.
    pub(crate) script_interrupt: Arc<AtomicBool>,
    /// What the battery keeps and is in no file yet, for whoever saves in place of a console's
    /// thread that hangs or is gone.
    spare: Mutex<Option<(PathBuf, Vec<u8>)>>,
    /// The player wants the sound device to be opened again.
    pub(crate) sound_again: Arc<AtomicBool>,
    /// The console's thread has written everything.
    pub(crate) has_ended: AtomicBool,
    host_input: Mutex<HostInput>,
    status: Mutex<Status>,
    /// Written by the pads' thread.
    pads: Mutex<Vec<PadStatus>>,
    vsync: Mutex<VsyncEstimator>,
}

impl Shared {
    pub(crate) fn new() -> Self {
        Self {
            clock: Instant::now(),
            input: Input::default(),
            pictures: LatestFrame::new(PresentedFrame::default()),
            opponent: LatestFrame::new(blank_framebuffer()),
            frames: AtomicU64::new(0),
            commands: AtomicU64::new(0),
            interrupt: AtomicBool::new(false),
            script_interrupt: Arc::default(),
            sound_again: Arc::default(),
            spare: Mutex::default(),
            has_ended: AtomicBool::new(false),
            host_input: Mutex::default(),
            status: Mutex::default(),
            pads: Mutex::default(),
            vsync: Mutex::default(),
        }
    }

    /// Returns the status, to change; `pads` in it is nobody's.
    pub(crate) fn status(&self) -> MutexGuard<'_, Status> {
        lock(&self.status)
    }

    /// The battery would write `ram` into `path` now; none when nothing is to be written.
    pub(crate) fn set_spare(&self, unwritten: Option<(&Path, &[u8])>) {
        let mut spare = lock(&self.spare);
        if let (Some((place, kept)), Some((path, ram))) = (spare.as_mut(), unwritten)
            && place.as_path() == path
        {
            if kept.as_slice() != ram {
                ram.clone_into(kept);
            }
            return;
        }
        *spare = unwritten.map(|(path, ram)| (path.to_owned(), ram.to_vec()));
    }

    /// Writes what the console's thread has not written.
    ///
    /// # Errors
    /// [`DesktopError::Write`].
    pub(crate) fn write_spare(&self) -> Result<(), DesktopError> {
        let spare = lock(&self.spare).take();
        spare.map_or(Ok(()), |(path, ram)| write_whole(&path, &ram))
    }

    /// Keys and pointer, to change.
    pub(crate) fn host_input(&self) -> MutexGuard<'_, HostInput> {
        lock(&self.host_input)
    }

    /// Returns the display's vsync.
    pub(crate) fn vsync(&self) -> MutexGuard<'_, VsyncEstimator> {
        lock(&self.vsync)
    }

    /// Returns the pads, to change.
    pub(crate) fn pads(&self) -> MutexGuard<'_, Vec<PadStatus>> {
        lock(&self.pads)
    }
}

/// All are plain data, so that another thread's panic leaves them readable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The interface's end of the machine's thread: commands and keys in, pictures and status out.
/// Nothing here waits for the machine.
#[derive(Debug, Clone)]
pub struct MachineHandle {
    queue: Sender<MachineMessage>,
    shared: Arc<Shared>,
}

impl MachineHandle {
    pub(crate) fn new(queue: Sender<MachineMessage>, shared: Arc<Shared>) -> Self {
        Self { queue, shared }
    }

    /// Asks for something. A machine that has stopped says so by
    /// [`Notice::Stopped`](crate::Notice::Stopped).
    pub fn send(&self, command: Command) {
        self.shared.commands.fetch_add(1, Ordering::Relaxed);
        let _ = self.queue.send(MachineMessage::Command(command));
    }

    /// Returns how many commands were sent: a status of as many [`Status::commands_done`] is later
    /// than all of them.
    pub(crate) fn commands_sent(&self) -> u64 {
        self.shared.commands.load(Ordering::Relaxed)
    }

    /// Opens the sound device again.
    pub fn open_sound(&self) {
        self.shared.sound_again.store(true, Ordering::Relaxed);
    }

    /// Stops a run that the debugger was told to make.
    pub fn interrupt(&self) {
        self.shared.interrupt.store(true, Ordering::Relaxed);
    }

    /// Returns how things stand.
    pub fn status(&self) -> Status {
        Status { pads: self.shared.pads().clone(), ..self.shared.status().clone() }
    }

    /// Returns what was said after the message of that number, the newest last.
    pub fn messages_after(&self, number: u64) -> Vec<Message> {
        let status = self.shared.status();
        status.messages.iter().filter(|message| message.number > number).cloned().collect()
    }

    /// Puts the newest picture into `presented` and returns true; or returns false when that has
    /// been done before.
    pub fn picture(&self, presented: &mut PresentedFrame) -> bool {
        self.shared.pictures.take(presented)
    }

    /// Returns the same of the computer's picture, in a versus game: palette index and emphasis of
    /// 256 x 240 dots.
    pub fn opponent_picture(&self, dots: &mut Box<Framebuffer>) -> bool {
        self.shared.opponent.take(dots)
    }

    /// A picture was handed to a display that makes its giver wait for the next refresh, just now:
    /// with `Sync::Display` the machine falls into step. Not to be called where nothing waits.
    pub fn presented(&self) {
        self.shared.vsync().tick(self.shared.clock.elapsed());
    }

    /// Frames run since the start, in whichever direction.
    pub fn frames(&self) -> u64 {
        self.shared.frames.load(Ordering::Relaxed)
    }

    /// A key went down or up. Returns whether it is one of the game's.
    pub fn key(&self, code: KeyCode, pressed: bool) -> bool {
        self.shared.host_input().key(code, pressed);
        self.shared.input.key(code, pressed)
    }

    /// The pointer is over this dot of the picture, or as far beyond it: what a script sees, and
    /// where a Zapper points.
    pub fn point(&self, dot: (i32, i32)) {
        self.shared.host_input().pointer = dot;
        self.shared.input.point(dot);
    }

    /// A button of the mouse goes down or up, for a script to see; the left one is the trigger of a
    /// Zapper.
    pub fn click(&self, button: MouseButton, pressed: bool) {
        self.shared.host_input().click(button, pressed);
        if button == MouseButton::Left {
            self.shared.input.pull(pressed);
        }
    }

    /// The keyboard went elsewhere: nothing is held any more.
    pub fn release_keys(&self) {
        self.shared.host_input().release();
        self.shared.input.release_keys();
    }

    /// What the pads hold was meant for a menu: the game sees it once it was let go and pressed
    /// again.
    pub fn consume_pads(&self) {
        self.shared.input.consume_pads();
    }

    /// Holds exactly `buttons` for `player` (0 or 1), besides what keys and pads hold.
    pub fn hold(&self, player: usize, buttons: Buttons) {
        self.shared.input.hold(player, buttons);
    }
}
