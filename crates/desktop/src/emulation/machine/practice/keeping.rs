//! Every game is kept: a file begins with it, grows while it is played, and ends with it.

use std::time::{SystemTime, UNIX_EPOCH};

use emulator::{Pieces, Played, Practice, Taken};
use nes::Buttons;
use practice::{Header, Kind, Options, Outcome, Session};
use tetris::ram::play_state;
use tetris::{Feature, View};

use super::game::{GameFile, Pushed};
use crate::Versus;
use crate::emulation::machine::Machine;
use crate::messages::status::{MessageKind, Notice};

/// Frames since power-on that a game is kept with: ten minutes. One that begins later begins with a
/// saved state.
const WAY_IN: usize = 36_000;

impl<F: Fn(Notice)> Machine<F> {
    /// Has a session look on at whatever is played, if the cartridge is known and none is there.
    pub(in crate::emulation::machine) fn watch_games(&mut self) {
        if self.engine.watched().is_some() || self.practice.is_unknown {
            return;
        }
        let profile = self.cartridge.profile_for(Feature::Games);
        let session =
            profile.and_then(|profile| Session::new(profile, Kind::Tetris.usual(), Options::default()));
        let Ok(mut session) = session else {
            self.practice.is_unknown = true;
            return;
        };
        session.join(self.engine.state());
        let practice = Practice::watching(session).joined(self.engine.state());
        self.engine.set_practice(Some(practice));
        if !self.engine.movie.has_diverged() {
            self.begin_way_in();
        }
    }

    /// The power may just have been switched on: then these buttons start the games to come.
    pub(super) fn begin_way_in(&mut self) {
        let begins = self.engine.frame_number() == 0 && self.engine.wakes_as_usual();
        self.practice.way_in = begins.then(Vec::new);
    }

    /// Returns whether what is played now is to be kept: it is the player's, and a file can say it.
    fn keeps_games(&self) -> bool {
        self.tetris.keep_games
            && self.games.is_some()
            && self.practice.replay.is_none()
            && self.engine.movie.input().is_none()
            && !self.practice.is_lost
    }

    /// Writes what was played since the last time.
    pub(in crate::emulation::machine) fn keep_game(&mut self) {
        let Some(practice) = self.engine.watched_mut() else { return };
        let Taken { played, begun, .. } = practice.take_played();
        let Some(first) = played.first().map(|played| played.frame) else { return };
        if begun && self.script.live.is_none() && !self.is_under_debugger() {
            self.practice.is_lost = false;
        }
        if !self.keeps_games() {
            self.practice.way_in = None;
            return self.close_game_file();
        }
        let goes_on = self.practice.file.as_ref().is_some_and(|file| !file.has_game_before(first));
        if begun && !goes_on {
            self.close_game_file();
            self.begin_game_file(&played);
        } else if self.practice.file.is_some() {
            self.extend_game_file(&played);
            if let Some(file) = self.practice.file.as_mut().filter(|_| begun) {
                file.begin_again(self.engine.frame_number());
            }
        } else if self.is_game_on() {
            self.practice.way_in = None;
            self.begin_game_file(&[]);
        } else {
            self.extend_way_in(&played);
        }
        self.end_if_over();
    }

    /// Returns whether a game is on that has not come to its end.
    fn is_game_on(&self) -> bool {
        let Some(session) = self.engine.watched().map(Practice::session) else { return false };
        if !session.is_playing() || session.outcome() != Outcome::Playing {
            return false;
        }
        let memory = session.profile().as_mapped(self.engine.state().ram());
        let view = View::new(&memory);
        view.in_play() && view.play_state() != play_state::CURTAIN
    }

    fn extend_way_in(&mut self, played: &[Played]) {
        let Some(mut way_in) = self.practice.way_in.take() else { return };
        if follow(&mut way_in, played) {
            self.practice.way_in = Some(way_in);
        }
    }

    /// A game has begun, in the last of `played`; or one is joined, behind them.
    fn begin_game_file(&mut self, played: &[Played]) {
        let Some((folder, practice)) = self.games.clone().zip(self.engine.watched()) else { return };
        let session = practice.session();
        let letters = |dealt: &Pieces| {
            dealt.substitution.pieces(usize::MAX).iter().map(|piece| piece.letter()).collect()
        };
        let pieces = self.engine.pieces().map(|name| {
            if name.starts_with("--randomizer") {
                return name.to_owned();
            }
            // They may have come from a file.
            self.engine.dealt().map_or(String::new(), letters)
        });
        let mut way_in = self.practice.way_in.take();
        let from_power_on = !played.is_empty() && way_in.as_mut().is_some_and(|way| follow(way, played));
        let header = Header {
            mode: session.mode(),
            options: *session.options(),
            cartridge: session.profile().name.clone(),
            crc32: self.engine.state().board.cartridge().crc32(),
            begun: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
            pieces,
            score: (!from_power_on).then(|| session.score()),
        };
        let frame = self.engine.frame_number();
        let file = if let Some(frames) = way_in.filter(|_| from_power_on) {
            GameFile::from_power_on(&folder, &header, &frames)
        } else {
            let state = (self.engine.state().save(), session.save());
            GameFile::from_state(&folder, &header, &state, frame)
        };
        self.practice.versus = None;
        self.practice.is_over = false;
        match file {
            Ok(file) => self.practice.file = Some(file),
            Err(error) => {
                self.practice.is_lost = true;
                let text = format!("the game cannot be kept in {}: {error}", folder.display());
                self.say(MessageKind::Warning, text);
            }
        }
    }

    fn extend_game_file(&mut self, played: &[Played]) {
        for played in played {
            let Some(file) = &mut self.practice.file else { return };
            if self.practice.is_over {
                // It is over, unless the player has gone back into it.
                if played.frame >= file.end() {
                    continue;
                }
                self.practice.is_over = false;
            }
            match file.push(played) {
                Ok(Pushed::Yes) => {}
                // What follows is of another past, and a file of its own.
                Ok(Pushed::No) => self.practice.file = None,
                Err(error) => {
                    let text = format!("cannot write {} any more: {error}", file.path.display());
                    self.practice.file = None;
                    self.practice.is_lost = true;
                    self.say(MessageKind::Warning, text);
                }
            }
        }
    }

    fn end_if_over(&mut self) {
        let outcome = self.engine.watched().map(|practice| practice.session().outcome());
        if !self.practice.is_over && outcome.is_some_and(|outcome| outcome != Outcome::Playing) {
            self.write_end(None);
        }
    }

    /// Writes how the game ended, or that `edit` has ended what a file can say. It may go on after
    /// a piece is taken back.
    fn write_end(&mut self, edit: Option<&str>) {
        let (hash, mut now) = (self.engine.state_hash(), self.engine.frame_number());
        let Some(practice) = self.engine.watched() else { return };
        let mut result = practice::result(practice.session(), practice.log(), hash).to_vec();
        let versus = self.opponent.versus().and_then(Versus::result);
        result.extend(versus.iter().chain(&self.practice.versus).flatten().cloned());
        let Some(file) = &mut self.practice.file else { return };
        if let Some(edit) = edit {
            result.retain(|(name, _)| *name != "state");
            result.push(("cut", edit.to_owned()));
            now = file.end(); // the console may be at any moment
        }
        self.practice.is_over = true;
        let written = file.write_end(now, &result);
        let path = file.path.display();
        let (kind, text) = match written {
            // The list of games has the path; over the field it would hide what is played.
            Ok(()) => (MessageKind::Note, "The game is kept: Esc, Home, Games".to_owned()),
            Err(error) => {
                (MessageKind::Warning, format!("the game's end cannot be written to {path}: {error}"))
            }
        };
        self.say(kind, text);
    }

    /// The game changes by more than a file can say: it is kept up to here.
    pub(in crate::emulation::machine) fn lose_game(&mut self, edit: &str) {
        if !self.practice.is_over {
            self.write_end(Some(edit));
        }
        (self.practice.file, self.practice.way_in) = (None, None);
        (self.practice.is_over, self.practice.is_lost) = (false, true);
    }

    fn close_game_file(&mut self) {
        if !self.practice.is_over {
            self.write_end(None);
        }
        (self.practice.file, self.practice.is_over) = (None, false);
    }

    /// Ends the file that the game goes into.
    pub(crate) fn end_game_file(&mut self) {
        self.keep_game();
        self.close_game_file();
        self.practice.way_in = None;
    }
}

/// Adds frames to those since power-on. Returns whether they follow on them.
fn follow(way_in: &mut Vec<[Buttons; 2]>, played: &[Played]) -> bool {
    played.iter().all(|played| {
        let at = usize::try_from(played.frame).unwrap_or(usize::MAX);
        let follows = at <= way_in.len() && played.acts.is_empty() && at < WAY_IN;
        if follows {
            way_in.truncate(at);
            way_in.push(played.pads);
        }
        follows
    })
}

#[cfg(test)]
mod tests;
