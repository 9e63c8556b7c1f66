//! What the machine does next: what other threads ask of it, or a frame that is due.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::Command;
use crate::emulation::machine::Machine;
use crate::messages::message::Order;
use crate::messages::status::{MessageKind, Motion, Notice};
use crate::record::recorder::Recorder;

/// A wait shorter than this is slept to the end, without an ear for orders: the system wakes a listener too late.
const DEAF: Duration = Duration::from_micros(1500);

impl<F: Fn(Notice)> Machine<F> {
    /// Runs frames as they are due and does between them what is asked, until it is told to quit, the last movie is
    /// over, or `limit` frames are done.
    pub(crate) fn until_told(&mut self, orders: &Receiver<Order>, limit: Option<u64>) {
        while !self.over && limit.is_none_or(|limit| self.shared.frames.load(Ordering::Relaxed) < limit) {
            match self.next_order(orders) {
                Ok(Some(order)) => {
                    if self.obey(order).is_break() {
                        return;
                    }
                }
                Ok(None) if self.motion == Motion::Paused => self.draw_script(),
                Ok(None) => self.frame(),
                Err(Gone) => return,
            }
        }
    }

    /// The next order, or none when a frame is due first.
    fn next_order(&self, orders: &Receiver<Order>) -> Result<Option<Order>, Gone> {
        if self.motion == Motion::Paused {
            return self.next_order_while_paused(orders);
        }
        loop {
            let wait = match self.motion {
                Motion::FastForward => Duration::ZERO,
                _ => self.pace.wait(self.now()).unwrap_or(Duration::ZERO),
            };
            match orders.recv_timeout(wait.saturating_sub(DEAF)) {
                Ok(order) => return Ok(Some(order)),
                Err(RecvTimeoutError::Disconnected) => return Err(Gone),
                Err(RecvTimeoutError::Timeout) if wait > DEAF => {}
                Err(RecvTimeoutError::Timeout) => {
                    spin_sleep::sleep(wait);
                    return Ok(None);
                }
            }
        }
    }

    /// Nothing is due; but a file that becomes whole is to be told of.
    fn next_order_while_paused(&self, orders: &Receiver<Order>) -> Result<Option<Order>, Gone> {
        /// How often an unfinished file is looked at.
        const LOOK: Duration = Duration::from_millis(100);
        /// How often a script that has paused the game is called.
        const SCRIPT: Duration = Duration::from_millis(16);
        let calls = self.script.as_ref().is_some_and(|live| live.script.paused());
        if calls && !self.is_under_debugger() {
            return match orders.recv_timeout(SCRIPT) {
                Ok(order) => Ok(Some(order)),
                Err(RecvTimeoutError::Timeout) => Ok(None),
                Err(RecvTimeoutError::Disconnected) => Err(Gone),
            };
        }
        loop {
            if self.recorders.iter().all(Recorder::is_open) {
                return orders.recv().map(Some).map_err(|_| Gone);
            }
            match orders.recv_timeout(LOOK) {
                Ok(order) => return Ok(Some(order)),
                Err(RecvTimeoutError::Disconnected) => return Err(Gone),
                Err(RecvTimeoutError::Timeout) if self.recorders.iter().any(Recorder::is_done) => {
                    return Ok(Some(Order::Command(Command::Pause))); // whose status tells of it
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    pub(crate) fn obey(&mut self, order: Order) -> ControlFlow<()> {
        match order {
            Order::Command(Command::Quit) => return ControlFlow::Break(()),
            Order::Command(command) => {
                self.command(command);
                self.gather_recordings();
                self.describe();
                (self.tell)(Notice::Status);
            }
            Order::Sound(feed) => self.speaker.connect(Some(feed)),
            Order::Silence => self.speaker.connect(None),
            Order::Warn(text) => {
                self.say(MessageKind::Warning, text);
                (self.tell)(Notice::Status);
            }
        }
        self.audit = None;
        ControlFlow::Continue(())
    }
}

/// The interface is gone.
struct Gone;
