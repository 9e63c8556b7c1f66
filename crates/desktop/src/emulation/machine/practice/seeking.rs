//! A kept game that plays goes to any frame of it.

use emulator::Attached;

use std::time::Duration;

use crate::emulation::machine::Machine;
use crate::emulation::machine::practice::game::{Moment, PlayerPads};
use crate::emulation::machine::refusal::Refusal;
use crate::messages::status::{MessageKind, Notice};

/// How long frames are run unseen before the window is told how far it is.
const SLICE: Duration = Duration::from_millis(12);

/// Frames that are sooner run than found among the moments that are known.
const NEAR: u64 = 900;

impl<F: Fn(Notice)> Machine<F> {
    /// Returns whether a frame of the kept game is looked for.
    pub(in crate::emulation::machine) fn is_seeking(&self) -> bool {
        self.practice.replay.as_ref().is_some_and(|replay| replay.target.is_some())
    }

    /// Looks for a frame of the kept game, or for one so many frames from here.
    pub(super) fn seek(&mut self, target: impl FnOnce(u64) -> u64) -> Result<(), Refusal> {
        if self.is_under_debugger() {
            return Err(Refusal::UnderDebugger("a kept game cannot be moved"));
        }
        let now = self.engine.frame_number();
        let replay = self.practice.replay.as_mut().ok_or(Refusal::NoKeptGame)?;
        let here = replay.target.unwrap_or(now.saturating_sub(replay.first));
        // Its last frame is to be seen.
        let last = (replay.game.frames.len() as u64).saturating_sub(1);
        replay.target = Some(target(here).min(last));
        Ok(())
    }

    /// Remembers the moment before the frame that comes, if it is one to go to.
    pub(super) fn note_moment(&mut self) {
        let now = self.engine.frame_number();
        let Some(replay) = self.practice.replay.as_mut() else { return };
        let Some(frame) = now.checked_sub(replay.first).filter(|&frame| replay.wants(frame)) else { return };
        let Some(practice) = self.engine.practice() else { return };
        let (console, session) = (self.engine.state().save(), practice.session().save());
        replay.moments.push(Moment { frame, console, session });
    }

    /// Goes on looking for the frame, for as long as a slice of time lasts.
    pub(in crate::emulation::machine) fn go_on_seeking(&mut self) {
        let begun = self.now();
        self.leap();
        self.engine.set_seen(false);
        while self.is_behind() && self.now().saturating_sub(begun) < SLICE {
            let Some(pads) = self.kept_buttons() else { break };
            self.engine.frame_now(&mut PlayerPads::Kept(pads), Attached::default());
            if let Some(practice) = self.engine.watched_mut() {
                practice.take_played();
            }
        }
        self.engine.set_seen(true);
        self.engine.look_here();
        if !self.is_behind()
            && let Some(replay) = &mut self.practice.replay
        {
            replay.target = None;
        }
        self.outputs.audio.jump();
        self.outputs.audio.rest();
        self.present();
        self.update_status();
        (self.notify)(Notice::Status);
    }

    /// Returns whether frames are to be run up to the one that is looked for.
    fn is_behind(&self) -> bool {
        let now = self.engine.frame_number();
        let replay = self.practice.replay.as_ref();
        replay.is_some_and(|replay| replay.target.is_some_and(|target| now < replay.first + target))
    }

    /// Goes to a moment that is known, if the frame lies behind or far ahead.
    fn leap(&mut self) {
        let now = self.engine.frame_number();
        let (Some(replay), Some(practice)) = (self.practice.replay.as_mut(), self.engine.practice()) else {
            return;
        };
        let Some(target) = replay.target else { return };
        let here = now.saturating_sub(replay.first);
        let Some(moment) = replay.before(target) else { return };
        let is_ahead = moment.frame > here + NEAR;
        if target >= here && !is_ahead {
            return;
        }
        let (frame, console, session) = (moment.frame, moment.console.clone(), moment.session.clone());
        if here > replay.known.0 {
            replay.known = (here, practice.log().clone());
        }
        let mut log = replay.known.1.clone();
        log.back(replay.first + frame);
        if let Err(error) = self.engine.seek(&console, &session, log) {
            if let Some(replay) = &mut self.practice.replay {
                replay.target = None;
            }
            self.say(MessageKind::Warning, format!("cannot seek in the kept game: {error}"));
        }
    }
}

#[cfg(test)]
mod tests;
