//! The console with a past and a future: run ahead, gone back, recorded. No clock and no thread.

use std::path::PathBuf;

use nes::controller::fm2::{Commands, FrameInput};
use nes::{Buttons, Cartridge, Config, Console, Frame, Pads, StateError};
use thiserror::Error;

use crate::channels::{Channels, Tap};
use crate::command::Channel;
use crate::deck::Deck;
use crate::rewind::Rewind;
use crate::settings::RewindSettings;

/// Most frames that can be run ahead.
pub(crate) const MOST_AHEAD: u8 = 2;

/// The console, the way back, the movies, and the frames run ahead.
#[derive(Clone)]
pub(crate) struct Engine {
    console: Console,
    cartridge: Cartridge,
    config: Config,
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

    /// Another cartridge, powered on.
    pub(crate) fn insert(&mut self, cartridge: Cartridge) {
        self.console = Console::new(cartridge.clone(), self.config);
        self.cartridge = cartridge;
        self.pending = Commands::empty();
        self.rewind.clear();
        self.deck.restart();
        self.channels = None;
        self.future = None;
    }

    /// The power, off and on: as if the program had just begun, but for the way back.
    pub(crate) fn power_cycle(&mut self) {
        if self.deck.is_recording() {
            self.pending |= Commands::POWER; // part of the movie
        } else {
            self.restart();
        }
    }

    /// The power, off and on, with nothing before.
    pub(crate) fn restart(&mut self) {
        self.insert(self.cartridge.clone());
    }

    pub(crate) fn reset(&mut self) {
        self.pending |= Commands::RESET;
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
            run(&mut self.console, pads);
            self.sound.extend_from_slice(self.console.samples());
        } else {
            let before = self.channels.take().filter(|channels| channels.muted() == self.muted);
            let mut channels = before.unwrap_or_else(|| Channels::new(&self.console, &self.muted));
            let mut tap = Tap::default();
            let _ = self.console.run_frame(pads, &mut tap);
            channels.follow(&tap, self.console.cycle(), &mut self.sound);
            self.channels = Some(channels);
        }
        self.console.clear_samples();
    }

    /// The picture of a later frame, if nothing changes at the pads.
    fn look_ahead(&self) -> Frame {
        let mut console = self.console.clone();
        for frame in 0..usize::from(self.ahead) {
            let mut pads = self.deck.input_after(frame).map_or(self.buttons, |input| input.pads);
            run(&mut console, &mut pads);
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
        self.deck.back();
        self.channels = None;
        self.pending = input.commands;
        let mut console = self.console.clone();
        carry_out(&mut console, &self.cartridge, self.config, input.commands);
        let mut pads = input.pads;
        run(&mut console, &mut pads);
        self.future = Some(console.picture().clone());
        self.sound.clear();
        self.sound.extend(console.samples().iter().rev());
        true
    }

    /// A hash of the state, the same on any machine.
    #[cfg(test)]
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
        if !self.deck.jump(log) {
            return Err(LoadError::OtherMovie);
        }
        console.clear_samples();
        self.console = console;
        self.channels = None;
        self.pending = Commands::empty();
        self.rewind.clear();
        // The picture of a moment is that of the frame which it begins.
        let mut console = self.console.clone();
        run(&mut console, &mut self.buttons.clone());
        self.future = Some(console.picture().clone());
        Ok(())
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

fn run(console: &mut Console, pads: &mut impl Pads) {
    let _ = console.run_frame(pads, &mut ()); // nobody observes, so nobody breaks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The built-in cartridge, which strobes in every frame.
    const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");

    fn engine() -> Engine {
        let config = Config { sample_rate: Some(48_000), ..Config::default() };
        Engine::new(Cartridge::from_bytes(IMAGE).unwrap(), config, RewindSettings::default())
    }

    /// What is held in frame `frame`: Start now and then, and whatever.
    fn pads(frame: u64) -> [Buttons; 2] {
        let bits = if frame % 40 < 2 { 0x10 } else { ((frame * 0x9E37) >> 7) as u8 & 0xC7 };
        [Buttons::from_bits_retain(bits), Buttons::empty()]
    }

    fn play(engine: &mut Engine, frames: u64) {
        for _ in 0..frames {
            let mut pads = pads(engine.deck.frame());
            engine.frame(&mut pads);
        }
    }

    fn hash(engine: &Engine) -> u64 {
        engine.state_hash()
    }

    #[test]
    fn running_ahead_changes_the_picture_and_nothing_else() {
        let (mut plain, mut ahead) = (engine(), engine());
        ahead.set_ahead(1);
        let mut next = None;
        for frame in 0..400 {
            play(&mut plain, 1);
            play(&mut ahead, 1);
            assert_eq!(hash(&plain), hash(&ahead));
            assert_eq!(plain.sound(), ahead.sound());
            if let Some((held, picture)) = next.replace((pads(frame), ahead.picture().clone()))
                && held == pads(frame)
            {
                assert!(plain.picture() == &picture, "frame {frame} was seen a frame before");
            }
        }
    }

    #[test]
    fn a_muted_channel_changes_the_sound_and_nothing_else() {
        let (mut plain, mut muted) = (engine(), engine());
        muted.mute(&[Channel::Pulse1]);
        let mut heard = (0.0, 0.0);
        for _ in 0..600 {
            play(&mut plain, 1);
            play(&mut muted, 1);
            let power = |sound: &[f32]| sound.iter().map(|sample| sample * sample).sum::<f32>();
            heard = (heard.0 + power(plain.sound()), heard.1 + power(muted.sound()));
        }
        assert_eq!(hash(&plain), hash(&muted));
        assert!(heard.1 < heard.0 * 0.99, "{heard:?}");
    }

    #[test]
    fn what_was_rewound_and_played_again_is_the_same() {
        let mut engine = engine();
        play(&mut engine, 300);
        let there = hash(&engine);
        for _ in 0..200 {
            assert!(engine.step_back());
        }
        assert_eq!(engine.deck.frame(), 100);
        play(&mut engine, 200);
        assert_eq!(hash(&engine), there);
    }

    #[test]
    fn a_step_back_shows_and_sounds_the_frame_that_it_undoes() {
        let mut engine = engine();
        play(&mut engine, 200);
        let picture = engine.picture().clone();
        let samples = engine.sound().len();
        assert!(engine.step_back());
        assert!(engine.picture() == &picture);
        assert!(engine.sound().len().abs_diff(samples) <= 1);
        let mut fresh = super::tests::engine();
        assert!(!fresh.step_back());
    }

    #[test]
    fn a_minute_of_play_takes_less_than_64_mib_to_go_back_through() {
        let mut engine = engine();
        play(&mut engine, 3660);
        assert!(engine.rewind.len() >= 3607, "{}", engine.rewind.len());
        assert!(engine.rewind.bytes() < 4 << 20, "{}", engine.rewind.bytes());
    }

    #[test]
    fn a_reset_is_part_of_the_movie_and_of_the_way_back() {
        let mut engine = engine();
        play(&mut engine, 50);
        engine.reset();
        play(&mut engine, 20);
        let there = hash(&engine);
        for _ in 0..20 {
            engine.step_back();
        }
        play(&mut engine, 20);
        assert_eq!(hash(&engine), there);
        assert_eq!(engine.deck.log()[50].commands, Commands::RESET);
    }

    #[test]
    fn a_state_brings_its_log_along() {
        let mut engine = engine();
        play(&mut engine, 120);
        let (state, log) = (engine.save(), engine.deck.log().to_vec());
        play(&mut engine, 60);
        engine.load(&state, log).unwrap();
        assert_eq!((engine.deck.frame(), engine.frame_number()), (120, 120));
        assert!(matches!(engine.load(b"MXS", vec![]), Err(LoadError::State(_))));
        assert_eq!(engine.deck.frame(), 120);
    }
}
