//! The console with a past and a future: run ahead, gone back, recorded. No clock and no thread.

use std::path::PathBuf;

use autopilot::{Autopilot, Substitution};
use nes::controller::fm2::{Commands, FrameInput};
use nes::{Buttons, Cartridge, Config, Console, Frame, Pads, StateError};
use thiserror::Error;

use crate::Pieces;
use crate::audio::channels::{Channels, Tap};
use crate::config::settings::RewindSettings;
use crate::debugger::Way;
use crate::emulation::movie::Deck;
use crate::emulation::rewind::Rewind;
use crate::messages::command::Channel;

mod scripted;

pub(crate) use scripted::{Drawn, Scripted};

/// Most frames that can be run ahead.
pub(crate) const MOST_AHEAD: u8 = 2;

/// The console, the way back, the movies, and the frames run ahead.
#[derive(Clone)]
pub(crate) struct Engine {
    console: Console,
    cartridge: Cartridge,
    config: Config,
    pieces: Option<Pieces>,
    /// Holds the first pad in the player's place.
    computer: Option<Autopilot>,
    /// What happens to the console before the next frame.
    pending: Commands,
    rewind: Rewind,
    pub(crate) deck: Deck,
    ahead: u8,
    /// The picture to be shown, when it is not the console's own.
    future: Option<Frame>,
    buttons: [Buttons; 2],
    /// The sound of the last frame.
    sound: Vec<f32>,
    muted: Vec<Channel>,
    /// What is heard while channels are muted; made anew after everything that is no ordinary frame.
    channels: Option<Channels>,
}

/// Why a state cannot be gone back to.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum LoadError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error("the state does not come in the movie that plays; stop the movie first")]
    OtherMovie,
}

/// Buttons that are the same from the first strobe of a frame to its end, because that is what a movie can say.
struct Latch<'a, P> {
    pads: &'a mut P,
    latched: Option<[Buttons; 2]>,
}

impl<P: Pads> Pads for Latch<'_, P> {
    fn sample(&mut self) -> [Buttons; 2] {
        *self.latched.get_or_insert_with(|| self.pads.sample())
    }
}

impl Engine {
    pub(crate) fn new(cartridge: Cartridge, config: Config, rewind: RewindSettings) -> Self {
        Self {
            console: Console::new(cartridge.clone(), config),
            cartridge,
            config,
            pieces: None,
            computer: None,
            pending: Commands::empty(),
            rewind: Rewind::new(rewind),
            deck: Deck::default(),
            ahead: 0,
            future: None,
            buttons: [Buttons::empty(); 2],
            sound: Vec::new(),
            muted: vec![],
            channels: None,
        }
    }

    /// Another cartridge, powered on, with `kept` in its PRG-RAM. Answers the pieces that are of no use to it.
    pub(crate) fn insert(&mut self, cartridge: Cartridge, kept: &[u8]) -> Option<Pieces> {
        let same = cartridge.crc32() == self.cartridge.crc32();
        self.computer = None;
        self.cartridge = cartridge;
        self.restart(kept);
        if same { None } else { self.pieces.take() }
    }

    /// The power, off and on, with nothing before and `kept` in the cartridge's PRG-RAM.
    pub(crate) fn restart(&mut self, kept: &[u8]) {
        let mut cartridge = self.cartridge.clone();
        for (offset, &byte) in kept.iter().enumerate() {
            cartridge.poke_prg_ram(offset, byte);
        }
        self.console = Console::new(cartridge, self.config);
        self.meet();
        self.pending = Commands::empty();
        self.rewind.clear();
        self.deck.restart();
        self.channels = None;
        self.future = None;
    }

    /// The power, off and on, as a part of the movie that is recorded.
    pub(crate) fn record_power_cycle(&mut self) {
        self.pending |= Commands::POWER;
    }

    /// Other pieces for this cartridge's games.
    pub(crate) fn set_pieces(&mut self, pieces: Option<Pieces>) {
        self.pieces = pieces;
        self.meet();
    }

    /// The name of the pieces that come instead of the game's.
    pub(crate) fn pieces(&self) -> Option<&str> {
        self.pieces.as_ref().map(|pieces| pieces.name.as_str())
    }

    /// The console, for whoever plays a part in the game.
    pub(crate) fn console(&mut self) -> &mut Console {
        &mut self.console
    }

    /// Lets the computer hold the first pad, or no longer.
    pub(crate) fn set_computer(&mut self, computer: Option<Autopilot>) {
        self.computer = computer;
    }

    /// Whether it does.
    pub(crate) fn has_computer(&self) -> bool {
        self.computer.is_some()
    }

    /// What is in the cartridge's PRG-RAM now.
    pub(crate) fn prg_ram(&self) -> &[u8] {
        self.console.board.cartridge().prg_ram()
    }

    pub(crate) fn reset(&mut self) {
        self.pending |= Commands::RESET;
    }

    /// What was asked for before the next frame, which whoever takes the console over now does.
    pub(crate) fn take_pending(&mut self) -> Commands {
        std::mem::take(&mut self.pending)
    }

    pub(crate) fn set_ahead(&mut self, frames: u8) {
        self.ahead = frames.min(MOST_AHEAD);
    }

    pub(crate) fn ahead(&self) -> u8 {
        self.ahead
    }

    /// Channels that are not to be heard.
    pub(crate) fn mute(&mut self, channels: &[Channel]) {
        self.muted = channels.to_vec();
    }

    pub(crate) fn rewind(&mut self) -> &mut Rewind {
        &mut self.rewind
    }

    /// Frames that the console has finished since power-on.
    pub(crate) fn frame_number(&self) -> u64 {
        self.console.frame_number()
    }

    /// What the game saw in the last frame; where it did not look, what it had seen before.
    pub(crate) fn buttons(&self) -> [Buttons; 2] {
        self.buttons
    }

    /// The picture to show.
    pub(crate) fn picture(&self) -> &Frame {
        self.future.as_ref().unwrap_or_else(|| self.console.picture())
    }

    /// The sound of the last frame, at the rate of the console's configuration; backwards after a step back.
    pub(crate) fn sound(&self) -> &[f32] {
        &self.sound
    }

    /// Runs a frame with what `pads` hold, or the movie that plays; then as many as are run ahead, of which only
    /// the picture is left. Answers a movie that ended.
    pub(crate) fn frame(&mut self, pads: &mut impl Pads) -> Option<PathBuf> {
        let before = self.console.save();
        let scripted = self.deck.input();
        let commands = scripted.map_or(self.pending, |input| input.commands);
        self.pending = Commands::empty();
        self.carry_out(commands);
        let seen = if let Some(FrameInput { mut pads, .. }) = scripted {
            self.run_audibly(&mut pads);
            pads
        } else if let Some(computer) = &mut self.computer {
            let mut pads = [computer.action(&self.console).buttons, pads.sample()[1]];
            self.run_audibly(&mut pads);
            pads
        } else {
            let mut latch = Latch { pads, latched: None };
            self.run_audibly(&mut latch);
            latch.latched.unwrap_or(self.buttons)
        };
        self.buttons = seen;
        let input = FrameInput { commands, pads: seen };
        self.rewind.push(before, input);
        let ended = self.deck.ran(input);
        self.future = (self.ahead > 0).then(|| self.look_ahead());
        ended
    }

    /// Runs a frame of the console and keeps what is heard of it.
    fn run_audibly(&mut self, pads: &mut impl Pads) {
        self.sound.clear();
        if self.muted.is_empty() {
            run(&mut self.console, self.pieces.as_mut(), pads);
            self.sound.extend_from_slice(self.console.samples());
        } else {
            let before = self.channels.take().filter(|channels| channels.muted() == self.muted);
            let mut channels = before.unwrap_or_else(|| Channels::new(&self.console, &self.muted));
            let mut tap = Tap::default();
            match &mut self.pieces {
                Some(pieces) => pieces.substitution.run_frame_observed(&mut self.console, pads, &mut tap),
                None => drop(self.console.run_frame(pads, &mut tap)), // it never breaks
            }
            channels.follow(&tap, self.console.cycle(), &mut self.sound);
            self.channels = Some(channels);
        }
        self.console.clear_samples();
    }

    /// The picture of a later frame, if nothing changes at the pads.
    fn look_ahead(&self) -> Frame {
        let (mut console, mut pieces) = (self.console.clone(), self.pieces.clone());
        for frame in 0..usize::from(self.ahead) {
            let mut pads = self.deck.input_after(frame).map_or(self.buttons, |input| input.pads);
            run(&mut console, pieces.as_mut(), &mut pads);
        }
        console.picture().clone()
    }

    /// Goes back by a frame. Picture and sound, the latter backwards, are those of the frame that begins there.
    /// Answers no when there is no further back.
    pub(crate) fn step_back(&mut self) -> bool {
        let Some((state, input)) = self.rewind.pop() else { return false };
        if self.console.load(&state).is_err() {
            return false; // of another cartridge: `insert` forgets those
        }
        self.meet();
        self.deck.back();
        self.channels = None;
        self.pending = input.commands;
        let (mut console, mut pieces) = (self.console.clone(), self.pieces.clone());
        carry_out(&mut console, &self.cartridge, self.config, input.commands);
        let mut pads = input.pads;
        run(&mut console, pieces.as_mut(), &mut pads);
        self.future = Some(console.picture().clone());
        self.sound.clear();
        self.sound.extend(console.samples().iter().rev());
        true
    }

    /// Takes over a state that the debugger leaves, which came about in that `way`. There is no way back from there; a
    /// movie goes on where nothing but buttons did it.
    ///
    /// # Errors
    /// When the state is none of this cartridge. Nothing has then changed.
    pub(crate) fn take_over(&mut self, state: &[u8], way: &Way) -> Result<(), LoadError> {
        let log = self.deck.log_along(way);
        self.load(state, log)
    }

    /// What is held in the frame of `console` that comes next, where the player holds `pads`.
    pub(crate) fn held(&mut self, console: &Console, pads: [Buttons; 2]) -> [Buttons; 2] {
        match &mut self.computer {
            Some(computer) => [computer.action(console).buttons, pads[1]],
            None => pads,
        }
    }

    /// What the channels are that are not to be heard.
    pub(crate) fn muted(&self) -> &[Channel] {
        &self.muted
    }

    /// What deals other pieces than the game's own.
    pub(crate) fn substitution(&self) -> Option<Substitution> {
        self.pieces.as_ref().map(|pieces| pieces.substitution.clone())
    }

    /// The console's configuration.
    pub(crate) fn config(&self) -> Config {
        self.config
    }

    /// A hash of the state, the same on any machine.
    pub(crate) fn state_hash(&self) -> u64 {
        self.console.state_hash()
    }

    /// The state, for a slot.
    pub(crate) fn save(&self) -> Vec<u8> {
        self.console.save()
    }

    /// Takes over a state that came about by `log`. There is no way back from there.
    ///
    /// # Errors
    /// When the state is none of this cartridge, or when a movie plays in which it does not come. Nothing has then
    /// changed.
    pub(crate) fn load(&mut self, state: &[u8], log: Vec<FrameInput>) -> Result<(), LoadError> {
        let mut console = self.console.clone();
        console.load(state)?;
        if !self.deck.jump(log, console.frame_number()) {
            return Err(LoadError::OtherMovie);
        }
        console.clear_samples();
        self.console = console;
        self.meet();
        self.channels = None;
        self.pending = Commands::empty();
        self.rewind.clear();
        // The picture of a moment is that of the frame which it begins.
        let (mut console, mut pieces) = (self.console.clone(), self.pieces.clone());
        run(&mut console, pieces.as_mut(), &mut self.buttons.clone());
        self.future = Some(console.picture().clone());
        Ok(())
    }

    /// The pieces go on with a console that was exchanged.
    fn meet(&mut self) {
        if let Some(pieces) = &mut self.pieces {
            pieces.substitution.meet(&self.console);
        }
    }

    fn carry_out(&mut self, commands: Commands) {
        if !commands.is_empty() {
            self.channels = None;
        }
        carry_out(&mut self.console, &self.cartridge, self.config, commands);
    }
}

fn carry_out(console: &mut Console, cartridge: &Cartridge, config: Config, commands: Commands) {
    if commands.contains(Commands::POWER) {
        *console = Console::new(cartridge.clone(), config);
    } else if commands.contains(Commands::RESET) {
        console.reset();
    }
}

fn run(console: &mut Console, pieces: Option<&mut Pieces>, pads: &mut impl Pads) {
    match pieces {
        Some(pieces) => pieces.substitution.run_frame(console, pads),
        None => drop(console.run_frame(pads, &mut ())), // nobody observes, so nobody breaks
    }
}

#[cfg(test)]
mod tests;
