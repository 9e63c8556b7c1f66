//! A match over the network in the machine: its frames take the place of the engine's.

use draft::Draft;
use emulator::{MatchFile, Over, RewindLimits, Turn};
use nes::Pads;
use netplay::{Code, RoomOptions, WatchOptions};
use tetris::{Feature, SplitMix64};

use super::games::chance;
use super::opponent::Opponent;
use crate::config::settings::MOST_LEVEL;
use crate::emulation::machine::Machine;
use crate::emulation::machine::refusal::Refusal;
use crate::emulation::network::{self, NetworkMatch};
use crate::input::held::FramePads;
use crate::messages::command::NetworkCommand;
use crate::messages::status::{MessageKind, Notice};
use crate::options::{NetworkOptions, NetworkRole};

/// Returns how to come into the room of a code at a server.
fn in_room(code: Code, server: &str) -> RoomOptions {
    RoomOptions { server: server.to_owned(), code, client: network::chance(), token: None, hidden: false }
}

impl<F: Fn(Notice)> Machine<F> {
    pub(super) fn network_command(&mut self, command: NetworkCommand) -> Result<(), Refusal> {
        let role = match command {
            NetworkCommand::Host(address) => {
                NetworkRole::Host { address, code: Some(Code::new(network::chance())) }
            }
            NetworkCommand::Join(host) => NetworkRole::Join(host),
            NetworkCommand::HostInRoom(server) => {
                let code = Code::new(network::chance());
                NetworkRole::Room { options: in_room(code, &server), is_host: true }
            }
            NetworkCommand::JoinInRoom(at) => {
                let (code, server) = at.split_once('@').ok_or(Refusal::NoRoom)?;
                NetworkRole::Room { options: in_room(code.parse()?, server), is_host: false }
            }
            NetworkCommand::Watch(at) => {
                let (code, server) = at.split_once('@').ok_or(Refusal::NoRoom)?;
                let (code, server) = (code.parse()?, server.to_owned());
                NetworkRole::Watch(WatchOptions { server, code, client: network::chance() })
            }
            NetworkCommand::Leave => {
                if self.opponent.network().is_some() {
                    self.leave_match("you have left the match");
                }
                return Ok(());
            }
        };
        let mut options = NetworkOptions::new(role);
        (options.kind, options.best_of) = (self.tetris.match_kind.kind(), self.tetris.match_best_of);
        options.name = self.streaming.name(1);
        options.level = self.tetris.start_level.min(MOST_LEVEL);
        options.randomizer = self.tetris.randomizer.unwrap_or(options.randomizer);
        options.seed = match self.tetris.seed {
            0 => SplitMix64::mix(chance().into()) as u32,
            seed => seed.into(),
        };
        self.begin_match(options)
    }

    pub(super) fn begin_match(&mut self, options: NetworkOptions) -> Result<(), Refusal> {
        let refused = Refusal::of("a match over the network");
        let profile = self.cartridge.profile_for(Feature::Versus).map_err(refused)?;
        if self.is_under_debugger() {
            return Err(Refusal::UnderDebugger("a match cannot begin"));
        }
        if self.opponent.network().is_some() {
            return Err(Refusal::InMatch);
        }
        let found = NetworkMatch::new(options, self.engine.power().0, profile)?;
        self.end_script("was stopped because a match began");
        self.stop_movie_recording();
        self.end_practice();
        self.engine.movie.stop_playing();
        self.engine.set_computer(None);
        self.engine.rewind().set_limits(RewindLimits::OFF);
        self.enter(crate::RunState::Running);
        // Both sides run at the console's own speed, whatever the settings say.
        self.transport.keep_own_speed(true, self.now());
        let status = found.status();
        self.say(MessageKind::Note, status.text);
        self.opponent = Opponent::Network(Box::new(found));
        self.greet_stream();
        self.outputs.audio.jump();
        Ok(())
    }

    /// Leaves the match; the console is as it was before.
    pub(super) fn leave_match(&mut self, reason: &str) {
        self.keep_match();
        let Some(mut network) = self.opponent.take_network() else { return };
        network.leave();
        self.engine.rewind().set_limits(self.rewind);
        self.transport.keep_own_speed(false, self.now());
        self.say(MessageKind::Note, format!("the match is over: {reason}"));
        self.greet_stream();
        self.streaming.seek(1);
        self.outputs.audio.jump();
    }

    /// Writes the file of the match among the kept games.
    fn keep_match(&mut self) {
        let Some(folder) = self.games.clone() else { return };
        let Some((begun, file)) = self.opponent.network().and_then(NetworkMatch::file) else { return };
        let path = folder.join(format!("{begun}-{}.{}", file.header.own, MatchFile::EXTENSION));
        let written =
            std::fs::create_dir_all(&folder).and_then(|()| Ok(Draft::write_file(&path, &file.bytes())?));
        match written {
            Ok(()) => self.say(MessageKind::Note, format!("the match was saved as {}", path.display())),
            Err(error) => {
                let text = format!("{}: the match could not be saved: {error}", path.display());
                self.say(MessageKind::Warning, text);
            }
        }
    }

    /// One frame of the match, if one can be run.
    pub(super) fn frame_of_match(&mut self) {
        let now = self.now();
        let frame = self.shared.frames.load(std::sync::atomic::Ordering::Relaxed);
        let [pressed, _] = FramePads::new(&self.shared.input, frame).sample();
        let Some(network) = self.opponent.network_mut() else { return };
        let Turn { frame, begun, certain, said, game_over, over } = network.turn(pressed, now);
        for text in said {
            self.say(MessageKind::Note, text);
        }
        if begun {
            self.greet_stream();
            self.stream_match_begins();
        }
        self.stream_match(&certain);
        if game_over {
            self.keep_match();
        }
        if frame {
            self.play_match();
        } else {
            self.outputs.audio.rest();
        }
        match over {
            None => {}
            Some(Over::Done) => {
                self.leave_match("it has reached its last frame");
                self.is_over = true;
            }
            Some(Over::Ended(reason)) => {
                self.leave_match(&reason);
                self.is_over |= self.ends_with_match;
            }
        }
    }

    fn play_match(&mut self) {
        let (now, run_state) = (self.now(), self.run_state());
        let Some((duel, own)) = self.opponent.network().and_then(NetworkMatch::game) else { return };
        let console = duel.console(own);
        self.outputs.record(console.picture(), None, duel.sound(own));
        self.outputs.play(duel.sound(own), 100, run_state, now);
    }

    /// Puts both pictures where the interface finds them. Returns whether there are any.
    pub(super) fn present_match(&mut self) -> bool {
        let Some((duel, own)) = self.opponent.network().and_then(NetworkMatch::game) else { return false };
        self.outputs.present_beside(duel.console(1 - own).picture(), &self.shared);
        if self.outputs.present(duel.console(own).picture(), None, &self.shared) {
            (self.notify)(Notice::Picture);
        }
        true
    }
}

#[cfg(test)]
mod tests;
