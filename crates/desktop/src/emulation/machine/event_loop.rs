//! What the machine does next: what other threads ask of it, or a frame that is due.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use crate::Command;
use crate::emulation::machine::Machine;
use crate::messages::machine_message::MachineMessage;
use crate::messages::status::{Notice, RunState};

/// A wait shorter than this is slept to the end without listening for messages: the system wakes a
/// listener too late.
const SPIN: Duration = Duration::from_micros(1500);

impl<F: Fn(Notice)> Machine<F> {
    /// Runs frames as they are due and does between them what is asked, until it is told to quit,
    /// the last movie is over, or `limit` frames are done.
    pub(crate) fn process_messages(&mut self, queue: &Receiver<MachineMessage>, limit: Option<u64>) {
        while !self.is_over && limit.is_none_or(|limit| self.shared.frames.load(Ordering::Relaxed) < limit) {
            tty::panics::where_asked();
            match self.next_message(queue) {
                Ok(Some(message)) => {
                    if self.handle(message).is_break() {
                        return;
                    }
                }
                Ok(None) if self.run_state() == RunState::Paused && !self.is_seeking() => self.draw_script(),
                Ok(None) => self.frame(),
                Err(Disconnected) => return,
            }
        }
    }

    /// Returns the next message, or none when a frame is due first.
    fn next_message(
        &mut self,
        queue: &Receiver<MachineMessage>,
    ) -> Result<Option<MachineMessage>, Disconnected> {
        if self.is_seeking() {
            return match queue.try_recv() {
                Ok(message) => Ok(Some(message)),
                Err(TryRecvError::Empty) => Ok(None),
                Err(TryRecvError::Disconnected) => Err(Disconnected),
            };
        }
        if self.run_state() == RunState::Paused {
            return self.next_message_while_paused(queue);
        }
        loop {
            let wait = self.transport.wait(self.now());
            match queue.recv_timeout(wait.saturating_sub(SPIN)) {
                Ok(message) => return Ok(Some(message)),
                Err(RecvTimeoutError::Disconnected) => return Err(Disconnected),
                Err(RecvTimeoutError::Timeout) if wait > SPIN => {}
                Err(RecvTimeoutError::Timeout) => {
                    spin_sleep::sleep(wait);
                    return Ok(None);
                }
            }
        }
    }

    /// Nothing is due; but a file that becomes whole is to be told of, what the coach has found,
    /// and how the stream's connections stand.
    fn next_message_while_paused(
        &mut self,
        queue: &Receiver<MachineMessage>,
    ) -> Result<Option<MachineMessage>, Disconnected> {
        /// How often an unfinished file is looked at.
        const LOOK: Duration = Duration::from_millis(100);
        /// How often a script that has paused the game is called.
        const SCRIPT: Duration = Duration::from_millis(16);
        if self.script.is_paused() && !self.is_under_debugger() {
            return match queue.recv_timeout(SCRIPT) {
                Ok(message) => Ok(Some(message)),
                Err(RecvTimeoutError::Timeout) => Ok(None),
                Err(RecvTimeoutError::Disconnected) => Err(Disconnected),
            };
        }
        loop {
            let streams = self.streaming.is_on();
            if !self.outputs.has_unfinished_files() && !self.practice.is_reviewing() && !streams {
                return queue.recv().map(Some).map_err(|_| Disconnected);
            }
            match queue.recv_timeout(LOOK) {
                Ok(message) => return Ok(Some(message)),
                Err(RecvTimeoutError::Disconnected) => return Err(Disconnected),
                Err(RecvTimeoutError::Timeout)
                    if self.outputs.has_finished_files() || self.practice.has_review() =>
                {
                    return Ok(Some(MachineMessage::Recorded));
                }
                Err(RecvTimeoutError::Timeout) if streams && self.look_at_stream() => {
                    return Ok(Some(MachineMessage::Recorded));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    pub(crate) fn handle(&mut self, message: MachineMessage) -> ControlFlow<()> {
        match message {
            MachineMessage::Command(Command::Quit) => return ControlFlow::Break(()),
            MachineMessage::Command(command) => {
                self.command(command);
                self.commands_done += 1;
                self.collect_recordings();
                self.update_status();
                (self.notify)(Notice::Status);
            }
            MachineMessage::Recorded => {
                self.collect_recordings();
                self.update_status();
                (self.notify)(Notice::Status);
            }
            MachineMessage::Sound(producer) => self.outputs.audio.connect(Some(producer)),
            MachineMessage::Silence => self.outputs.audio.connect(None),
            MachineMessage::Say(kind, text) => {
                self.say(kind, text);
                (self.notify)(Notice::Status);
            }
        }
        self.transport.restart_timing_check();
        ControlFlow::Continue(())
    }
}

/// The interface is gone.
struct Disconnected;
