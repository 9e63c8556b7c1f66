//! A match of others, as it is watched.

use std::time::Duration;

use nes::Cartridge;
use netplay::{Datagrams, Name, NoEntry, Part, Playback, Rules, Spectator};
use tetris::Profile;

use super::consoles::Consoles;
use super::turn::CertainFrame;
use super::{NetworkError, Turn};

/// A match of others, which a room hands on.
pub(super) struct Watched<D> {
    spectator: Spectator<D>,
    /// What is played, and the match, once the room has said so.
    match_of: Option<(Rules, Playback<Consoles>)>,
    guest: Name,
    sample_rate: u32,
    /// For how long nothing has come.
    silence: Duration,
}

impl<D: Datagrams> Watched<D> {
    pub(super) fn new(spectator: Spectator<D>, sample_rate: u32) -> Self {
        Self { spectator, sample_rate, match_of: None, guest: Name::EMPTY, silence: Duration::ZERO }
    }

    /// Returns the match, once both players are there.
    pub(super) fn game(&self) -> Option<&Consoles> {
        self.match_of
            .as_ref()
            .map(|(_, playback)| playback.game())
            .filter(|(_, frame)| *frame > 0)
            .map(|it| it.0)
    }

    /// Returns the players' names, the host's first.
    pub(super) fn names(&self) -> [String; 2] {
        let host = self.match_of.as_ref().map_or(Name::EMPTY, |(rules, _)| rules.name);
        let of = |name: Name, otherwise: &str| match name.text() {
            text if text.is_empty() => otherwise.to_owned(),
            text => text,
        };
        [of(host, "the host"), of(self.guest, "the guest")]
    }

    /// Returns the way to the room.
    pub(super) fn spectator(&mut self) -> &mut Spectator<D> {
        &mut self.spectator
    }

    /// Returns whether the host has not opened the room yet.
    pub(super) fn is_closed(&self) -> bool {
        self.spectator.refused() == Some(NoEntry::Closed)
    }

    /// Returns for how long nothing has come, if that is longer than usual.
    pub(super) fn interrupted(&self) -> Option<Duration> {
        (self.silence > Duration::from_secs(2)).then_some(self.silence)
    }

    /// Goes on. `last` is the frame whose hash is asked for. Returns the hash once it is known, and
    /// whether the match is over.
    pub(super) fn turn(
        &mut self,
        (cartridge, profile): (&Cartridge, &Profile),
        (now, patience): (Duration, Duration),
        last: Option<u64>,
        turn: &mut Turn,
    ) -> Result<(Option<u64>, bool), NetworkError> {
        self.spectator.turn(now);
        if let Some(why) = self.spectator.refused().filter(|why| *why != NoEntry::Closed) {
            return Err(why.into());
        }
        while let Some(part) = self.spectator.take() {
            match part {
                Part::Rules(rules) => {
                    let (own, other) = (cartridge.crc32(), rules.cartridge);
                    if own != other {
                        return Err(netplay::End::Cartridge { own, other }.into());
                    }
                    let game = Consoles::begin(cartridge, profile, rules, 0, self.sample_rate)?;
                    self.match_of = Some((rules, Playback::new(game)));
                }
                Part::Frames { held, hash, guest, is_last } => {
                    if guest != Name::EMPTY {
                        self.guest = guest;
                    }
                    if let Some((_, playback)) = &mut self.match_of {
                        playback.push(&held, hash, is_last);
                    }
                }
            }
        }
        let Some((_, playback)) = &mut self.match_of else { return Ok((None, false)) };
        let (before, mut frame) = playback.game();
        let (mut number, mut hash) = (before.game(), None);
        let had_begun = frame > 0;
        turn.frame = playback.turn(&mut |game, _| {
            frame += 1;
            if last == Some(frame) {
                hash = Some(netplay::Game::hash(game));
            }
            let begins = std::mem::replace(&mut number, game.game()) != game.game();
            turn.certain.push(CertainFrame::of(game, begins));
        })?;
        turn.begun = frame > 0 && !had_begun;
        self.silence = self.spectator.silence(now).filter(|_| frame > 0).unwrap_or_default();
        if self.silence > patience && playback.waiting() == 0 {
            return Err(netplay::End::Gone(patience).into());
        }
        Ok((hash, playback.is_over()))
    }
}
