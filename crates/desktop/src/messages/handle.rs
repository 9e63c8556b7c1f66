//! The interface's end of the machine's thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use nes::Buttons;
use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use crate::emulation::vsync::Beat;
use crate::input::held::Input;
use crate::input::host_input::Surroundings;
use crate::messages::command::Command;
use crate::messages::latest::{Dots, Mailbox, blank};
use crate::messages::message::Order;
use crate::messages::status::{PadStatus, Status};
use crate::video::presented_frame::Sheet;

/// What the threads share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The start of all times.
    pub(crate) clock: Instant,
    pub(crate) input: Input,
    pub(crate) pictures: Mailbox<Sheet>,
    /// Those of the other console, in a duel.
    pub(crate) beside: Mailbox<Box<Dots>>,
    /// Frames run so far, in whichever direction; those run ahead are not counted.
    pub(crate) frames: AtomicU64,
    /// A long run of the debugger's is to stop.
    pub(crate) interrupt: AtomicBool,
    surroundings: Mutex<Surroundings>,
    status: Mutex<Status>,
    /// Written by the pads' thread.
    pads: Mutex<Vec<PadStatus>>,
    beat: Mutex<Beat>,
}

impl Shared {
    pub(crate) fn new() -> Self {
        Self {
            clock: Instant::now(),
            input: Input::default(),
            pictures: Mailbox::new(Sheet::default()),
            beside: Mailbox::new(blank()),
            frames: AtomicU64::new(0),
            interrupt: AtomicBool::new(false),
            surroundings: Mutex::default(),
            status: Mutex::default(),
            pads: Mutex::default(),
            beat: Mutex::default(),
        }
    }

    /// The status, to change; `pads` in it is nobody's.
    pub(crate) fn status(&self) -> MutexGuard<'_, Status> {
        lock(&self.status)
    }

    /// Keys and pointer, to change.
    pub(crate) fn surroundings(&self) -> MutexGuard<'_, Surroundings> {
        lock(&self.surroundings)
    }

    /// The display's beat.
    pub(crate) fn beat(&self) -> MutexGuard<'_, Beat> {
        lock(&self.beat)
    }

    /// The pads, to change.
    pub(crate) fn pads(&self) -> MutexGuard<'_, Vec<PadStatus>> {
        lock(&self.pads)
    }
}

/// All are plain data, so that another thread's panic leaves them readable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The interface's end of the machine's thread: commands and keys in, pictures and status out. Nothing here waits
/// for the machine.
#[derive(Debug, Clone)]
pub struct Remote {
    orders: Sender<Order>,
    shared: Arc<Shared>,
}

impl Remote {
    pub(crate) fn new(orders: Sender<Order>, shared: Arc<Shared>) -> Self {
        Self { orders, shared }
    }

    /// Asks for something. A machine that has stopped says so by [`Notice::Stopped`](crate::Notice::Stopped).
    pub fn send(&self, command: Command) {
        let _ = self.orders.send(Order::Command(command));
    }

    /// Stops a run that the debugger was told to make.
    pub fn interrupt(&self) {
        self.shared.interrupt.store(true, Ordering::Relaxed);
    }

    /// How things stand.
    pub fn status(&self) -> Status {
        Status { pads: self.shared.pads().clone(), ..self.shared.status().clone() }
    }

    /// Puts the newest picture into `sheet` and answers yes; or answers no when that has been done before.
    pub fn picture(&self, sheet: &mut Sheet) -> bool {
        self.shared.pictures.take(sheet)
    }

    /// The same of the computer's picture, in a duel: palette index and emphasis of 256 x 240 dots.
    pub fn picture_beside(&self, dots: &mut Box<Dots>) -> bool {
        self.shared.beside.take(dots)
    }

    /// A picture was handed to a display that makes its giver wait for the next refresh, just now: with
    /// `Sync::Display` the machine falls into step. Not to be called where nothing waits.
    pub fn presented(&self) {
        self.shared.beat().tick(self.shared.clock.elapsed());
    }

    /// Frames run since the start, in whichever direction.
    pub fn frames(&self) -> u64 {
        self.shared.frames.load(Ordering::Relaxed)
    }

    /// A key went down or up. Answers whether it is one of the game's.
    pub fn key(&self, code: KeyCode, pressed: bool) -> bool {
        self.shared.surroundings().key(code, pressed);
        self.shared.input.key(code, pressed)
    }

    /// The pointer is over this dot of the picture, or as far beyond it: what a script sees.
    pub fn point(&self, dot: (i32, i32)) {
        self.shared.surroundings().pointer = dot;
    }

    /// A button of the mouse goes down or up, for a script to see.
    pub fn click(&self, button: MouseButton, pressed: bool) {
        self.shared.surroundings().click(button, pressed);
    }

    /// The keyboard went elsewhere: nothing is held any more.
    pub fn release_keys(&self) {
        self.shared.surroundings().release();
        self.shared.input.release_keys();
    }

    /// What the pads hold was meant for a menu: the game sees it once it was let go and pressed again.
    pub fn spend_pads(&self) {
        self.shared.input.spend_pads();
    }

    /// Holds exactly `buttons` for `player` (0 or 1), besides what keys and pads hold.
    pub fn hold(&self, player: usize, buttons: Buttons) {
        self.shared.input.hold(player, buttons);
    }
}
