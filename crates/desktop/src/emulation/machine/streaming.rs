//! The stream of what is played: which frames go into it, and where it says that the game is
//! elsewhere.

use emulator::CertainFrame;
use nes::Region;
use stream::Snapshot;
use tetris::Feature;

use crate::emulation::machine::Machine;
use crate::emulation::network::NetworkMatch;
use crate::emulation::streaming::StreamError;
use crate::messages::command::StreamCommand;
use crate::messages::status::{MessageKind, Notice};

impl<F: Fn(Notice)> Machine<F> {
    /// Begins what is to be streamed from the start. What the settings ask for and cannot be is
    /// said, and what the command line asks for is an error.
    pub(super) fn begin_stream(&mut self) -> Result<(), StreamError> {
        self.greet_stream();
        for trouble in self.streaming.begin()? {
            self.say(MessageKind::Error, trouble.to_string());
        }
        if let Some(address) = self.streaming.address() {
            self.say(MessageKind::Note, format!("streaming at {address}"));
        }
        Ok(())
    }

    pub(super) fn stream_command(&mut self, command: StreamCommand) -> Result<(), StreamError> {
        self.greet_stream();
        if !self.streaming.is_on() {
            // What was before is nobody's business.
            self.engine.take_elsewhere();
            drop(self.engine.take_way_in());
        }
        match command {
            StreamCommand::Serve(on) => {
                self.streaming.serve(on)?;
                if let Some(address) = self.streaming.address() {
                    self.say(MessageKind::Note, format!("streaming at {address}"));
                }
            }
            StreamCommand::Open => self.streaming.open()?,
            StreamCommand::NestrisChamps(on) => self.streaming.send_to_champs(on)?,
            StreamCommand::Obs(on) => self.streaming.follow_rules(on)?,
        }
        self.shared.status().stream = self.streaming.status();
        Ok(())
    }

    /// The cartridge or the players are others.
    pub(super) fn greet_stream(&mut self) {
        let profile = self.cartridge.profile_for(Feature::Events).ok();
        let cartridge = profile.as_ref().map(|profile| profile.name.clone());
        let players = if self.opponent.is_shown() { 2 } else { 1 };
        let cartridges = vec![cartridge; players];
        self.streamed = profile;
        let rate = match self.region() {
            Region::Ntsc => stream::RATE,
            Region::Pal => stream::PAL_RATE,
        };
        self.streaming.greet(&cartridges.into_iter().flatten().collect::<Vec<_>>(), rate);
    }

    /// A match over the network has begun, with consoles of its own.
    pub(super) fn stream_match_begins(&mut self) {
        let (Some(network), Some(profile)) = (self.opponent.network(), &self.streamed) else { return };
        self.streaming.seek(1);
        self.streaming.seek(2);
        for (frame, ram) in network.way_in().take() {
            self.streaming.frame(Snapshot::of(1, frame, profile, &ram));
            self.streaming.frame(Snapshot::of(2, frame, profile, &ram));
        }
    }

    /// Frames of a match over the network have become certain: this computer's player first. What
    /// is shown meanwhile is a guess of the other player's buttons, and may be taken back.
    pub(super) fn stream_match(&mut self, certain: &[CertainFrame]) {
        if !self.streaming.is_on() {
            return;
        }
        let Some((_, own)) = self.opponent.network().and_then(NetworkMatch::game) else { return };
        let Some(profile) = &self.streamed else { return };
        for CertainFrame { consoles, begins } in certain {
            if let Some(way_in) = begins {
                self.streaming.seek(1);
                self.streaming.seek(2);
                for (frame, ram) in way_in.clone().take() {
                    self.streaming.frame(Snapshot::of(1, frame, profile, &ram));
                    self.streaming.frame(Snapshot::of(2, frame, profile, &ram));
                }
            }
            for (player, at) in [(1, own), (2, 1 - own)] {
                let (frame, ram) = &consoles[at];
                self.streaming.frame(Snapshot::of(player, *frame, profile, ram));
            }
        }
    }

    /// A frame was run and is shown.
    pub(super) fn stream_frame(&mut self) {
        if !self.streaming.is_on() {
            return;
        }
        let Some(profile) = &self.streamed else { return };
        let console = self.engine.state();
        let snapshot = Snapshot::of(1, console.frame_number(), profile, console.ram());
        if self.engine.take_elsewhere() {
            self.streaming.seek(1);
        }
        // A way through the menus that nobody saw ends with the beginning of a game.
        let way_in: Vec<_> = self.engine.take_way_in().collect();
        if way_in.last().is_some_and(|(frame, _)| frame + 1 == snapshot.frame) {
            for (frame, ram) in way_in {
                self.streaming.frame(Snapshot::of(1, frame, profile, &ram));
            }
        }
        self.streaming.frame(snapshot);
        self.streaming.crash(self.engine.crash());
        let Some(versus) = self.opponent.versus_mut() else { return };
        if versus.take_begun() {
            self.streaming.seek(2);
        }
        for (frame, ram) in versus.take_way_in() {
            self.streaming.frame(Snapshot::of(2, frame, profile, &ram));
        }
        if let Some(console) = versus.opponent_console() {
            self.streaming.frame(Snapshot::of(2, console.frame_number(), profile, console.ram()));
        }
    }

    /// Brings what is said about the stream up to date. Returns whether anything has changed.
    pub(super) fn look_at_stream(&mut self) -> bool {
        let now = self.now();
        if !self.streaming.is_on() {
            return false;
        }
        if let Some(complaint) = self.streaming.complaint() {
            self.say(MessageKind::Warning, complaint);
        }
        let Some(status) = self.streaming.look(now) else { return false };
        let known = &mut self.shared.status().stream;
        let changed = *known != status;
        *known = status;
        changed
    }
}

#[cfg(test)]
mod tests;
