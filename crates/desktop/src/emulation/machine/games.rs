//! Nintendo Tetris: new games, the computer as a player and as an opponent, other pieces.

use std::time::SystemTime;

use autopilot::{Autopilot, ComputerHands, Substitution};
use emulator::{Computer, RewindLimits};
use randomizers::Kind;
use tetris::{Feature, Profile};

use crate::config::settings::{ComputerStyle, MOST_LEVEL, TetrisSettings};
use crate::emulation::machine::Machine;
use crate::emulation::machine::opponent::Opponent;
use crate::emulation::machine::refusal::Refusal;
use crate::messages::status::{MessageKind, Notice};
use crate::{Pieces, Versus};

type CommandResult = Result<(), Refusal>;

/// So many frames a player may stand in the level menu: the random number register runs on
/// meanwhile.
const MOST_WAIT: u64 = 240;

impl TetrisSettings {
    /// Returns the computer that plays as these settings say.
    pub fn computer(&self) -> Computer {
        match self.computer {
            ComputerStyle::Stacking => Computer::Stacking,
            ComputerStyle::Survival => Computer::Survival,
            ComputerStyle::Points => Computer::Points(ComputerHands {
                hertz: self.computer_taps,
                reaction: self.computer_reaction,
                misdrops: self.computer_misdrops,
                aggression: self.computer_aggression,
                seed: 0,
            }),
        }
    }
}

impl<F: Fn(Notice)> Machine<F> {
    /// Takes the player's settings over. Pieces and start level are those of the next new game.
    pub(super) fn set_tetris(&mut self, tetris: TetrisSettings) {
        let pieces = |tetris: &TetrisSettings| (tetris.randomizer, tetris.seed);
        if pieces(&self.tetris) != pieces(&tetris) {
            self.given_pieces = None;
        }
        let other_style = self.tetris.computer() != tetris.computer();
        self.tetris = tetris;
        if let Some(versus) = self.opponent.versus_mut() {
            versus.set_computer(self.tetris.computer());
            versus.set_best_of(self.tetris.match_best_of);
        }
        if other_style
            && self.engine.has_computer()
            && let Ok(profile) = self.cartridge.profile_for(Feature::Computer)
        {
            self.engine.set_computer(Some(self.computer(profile, self.engine.frame_number())));
        }
    }

    /// Returns the computer as it is set, which waits so many frames in the level menu.
    fn computer(&self, profile: Profile, wait: u64) -> Autopilot {
        let wait = (wait % MOST_WAIT) as u32;
        self.tetris.computer().player(profile, &self.nets, self.tetris.start_level, wait)
    }

    pub(super) fn let_computer_play(&mut self, on: bool) -> CommandResult {
        let computer = if on {
            let profile = self.cartridge.profile_for(Feature::Computer).map_err(Refusal::of("C"))?;
            self.say(MessageKind::Note, "the computer plays; press C to take over".into());
            Some(self.computer(profile, self.engine.frame_number()))
        } else {
            self.say(MessageKind::Note, "you play".into());
            None
        };
        self.engine.set_computer(computer);
        Ok(())
    }

    /// Power off and on, and by buttons alone through the menus into a game.
    pub(super) fn new_game(&mut self) -> CommandResult {
        let profile = self.cartridge.profile_for(Feature::Computer).map_err(Refusal::of("New game"))?;
        if self.engine.movie.progress().is_some_and(|movie| movie.length.is_some()) {
            return Err(Refusal::MoviePlays);
        }
        if self.is_under_debugger() {
            return Err(Refusal::UnderDebugger("a new game cannot begin"));
        }
        self.end_practice();
        if !self.engine.movie.is_recording() {
            self.deal_as_set();
        }
        self.power_cycle();
        self.watch_games();
        let way_in = self.computer(profile.clone(), chance().into());
        let found = self.engine.begin_game(way_in, &profile);
        self.keep_game();
        if let Some(versus) = self.opponent.versus_mut() {
            versus.begin_anew();
        }
        self.outputs.audio.jump();
        self.present();
        if !found {
            return Err(Refusal::NoWayIn);
        }
        let level = self.tetris.start_level.min(MOST_LEVEL);
        let pieces = self.engine.pieces().map_or(String::new(), |pieces| format!(", {pieces}"));
        self.say(MessageKind::Note, format!("new game at level {level}{pieces}"));
        Ok(())
    }

    /// Has the games of the cartridge dealt as the player has set it. One that is not known deals
    /// its own, and what the command line asks for stays until the player sets something else.
    pub(super) fn deal_as_set(&mut self) {
        if let Some(given) = self.given_pieces.clone() {
            if let Some(versus) = self.opponent.versus_mut() {
                versus.deal(Some(given.clone()));
            }
            return self.engine.set_pieces(Some(given));
        }
        let same = self.opponent.versus().is_some() && self.tetris.same_pieces;
        // The game's own picker depends on when a piece is asked for; the randomizer after it does
        // not.
        let kind = self.tetris.randomizer.or(same.then_some(Kind::Nes));
        let profile = self.cartridge.profile_for(Feature::Pieces).ok();
        let pieces = kind.zip(profile).and_then(|(kind, profile)| self.pieces(profile, kind));
        self.engine.set_pieces(pieces);
        if let Some(versus) = self.opponent.versus_mut() {
            versus.deal(self.engine.dealt().filter(|_| same).cloned());
        }
    }

    /// Returns the pieces of the seed that the player has set, or of one drawn.
    pub(super) fn pieces(&self, profile: Profile, kind: Kind) -> Option<Pieces> {
        let seed = match self.tetris.seed {
            0 => 1 + u64::from(chance() % 9999),
            seed => seed.into(),
        };
        // Seeds that follow each other may be the same game; numbers are not.
        let seed = kind.seed_of(seed);
        let dealer = kind.dealer(&seed).ok()?;
        let name = format!("--randomizer {kind} --seed {seed}");
        Some(Pieces::new(Substitution::new(profile, dealer), name))
    }

    /// Begins a game against the computer, or ends versus mode.
    pub(super) fn play_versus(&mut self, on: bool) -> CommandResult {
        if !on {
            if let Some(versus) = self.opponent.take_versus() {
                self.practice.leave_versus(&versus);
                self.engine.rewind().set_limits(self.rewind);
                self.greet_stream();
                self.say(MessageKind::Note, "you play alone".into());
            }
            return Ok(());
        }
        let profile = self.cartridge.profile_for(Feature::Versus).map_err(Refusal::of("versus mode"))?;
        if self.is_under_debugger() {
            return Err(Refusal::UnderDebugger("versus mode cannot begin"));
        }
        self.end_script("was stopped because versus mode began");
        self.stop_movie_recording();
        self.engine.movie.stop_playing();
        self.engine.set_computer(None);
        self.engine.rewind().set_limits(RewindLimits::OFF);
        let (cartridge, _) = self.engine.power();
        let mut versus = Versus::new(profile, cartridge, self.tetris.computer(), self.nets.clone());
        versus.set_best_of(self.tetris.match_best_of);
        self.opponent = Opponent::Computer(Box::new(versus));
        self.greet_stream();
        self.new_game()
    }
}

/// Returns a number that nobody can foresee.
pub(super) fn chance() -> u32 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.subsec_nanos() >> 8)
}
