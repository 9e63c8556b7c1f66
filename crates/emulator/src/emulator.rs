//! The console with a past and a future: run ahead, gone back, recorded. No clock and no thread.

use std::sync::Arc;

use autopilot::{Autopilot, Thought};
use nes::apu::{Channel, ChannelLevels};
use nes::fm2::{Commands, FrameInput, RamInit, RomHashes};
use nes::{Buttons, Cartridge, Config, Console, Devices, Frame, Held, Region, StateError};
use nes_debug::{Crash, CrashWatch, Debugger, Interference};
use nes_script::{FrameScript, ScriptError};
use thiserror::Error;

use crate::last_frames::LastFrames;
use crate::movie::MovieRecorder;
use crate::pieces::Pieces;
use crate::practice::Practice;
use crate::rewind::{Rewind, RewindLimits};
use crate::saved::SavedState;

mod frame;
mod game;

use frame::FrameUnderWay;
pub use frame::{Attached, Drawn, FrameOutcome};

/// Most frames that can be run ahead.
pub const MOST_AHEAD: u8 = 2;

/// The console, the way back, the movies, and the frames run ahead.
#[derive(Clone)]
pub struct Emulator {
    console: Console,
    cartridge: Cartridge,
    config: Config,
    pieces: Option<Pieces>,
    /// The practice session that the game is played in.
    practice: Option<Practice>,
    /// Holds the first pad in the player's place.
    computer: Option<Autopilot>,
    /// What happens to the console before the next frame.
    pending: Commands,
    rewind: Rewind,
    /// The buttons since power-on: recorded, played, or both.
    pub movie: MovieRecorder,
    ahead: u8,
    /// The picture to be shown, when it is not the console's own.
    future: Option<Frame>,
    /// What the game saw in the last frame.
    held: Held,
    /// The sound of the last frame.
    sound: Vec<f32>,
    /// The frame that was stopped before its end.
    under_way: Option<FrameUnderWay>,
    /// The console was exchanged: what a debugger remembers is not its past.
    exchanged: bool,
    /// The next frame does not follow the last one that was shown.
    elsewhere: bool,
    /// The end of the last way through the menus.
    way_in: LastFrames,
    /// Where the debugger's movie stood before each switch of the power: frame of the log, start
    /// of the movie.
    movie_starts: Vec<(u64, u64)>,
    /// The start that the debugger's movie is to have from now on.
    movie_start: Option<u64>,
    /// The debugger's movie has switched the power on with other RAM than the log began with.
    other_ram: bool,
    /// Notices a crash of the game, if it is a known one.
    watch: Option<CrashWatch>,
    /// The crash in which the game is, as it was noticed.
    crash: Option<Crash>,
    /// The frame at whose end the watch expects the console.
    watched: u64,
}

/// Why no movie leads to the console's state any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Edit {
    #[error("the script changes the game by more than buttons")]
    /// A script wrote memory or loaded a state.
    Script,
    #[error("the debugger changes the game by more than buttons")]
    /// The debugger wrote memory or registers.
    Debugger,
    #[error("the debugger's movie switches the power on with other RAM than at the beginning")]
    /// The power was switched on with other RAM.
    OtherRam,
}

/// Why a state cannot be gone back to.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LoadError {
    #[error(transparent)]
    /// The bytes are no state of this cartridge.
    State(#[from] StateError),
    #[error("the state does not come in the movie that plays; stop the movie first")]
    /// The state is of another past than the movie's.
    OtherMovie,
}

impl Emulator {
    /// Returns `cartridge` in a console that was just switched on.
    pub fn new(cartridge: Cartridge, config: Config, rewind: RewindLimits) -> Self {
        Self {
            console: Console::new(cartridge.clone(), config),
            cartridge,
            config,
            pieces: None,
            practice: None,
            computer: None,
            pending: Commands::empty(),
            rewind: Rewind::new(rewind),
            movie: MovieRecorder::default(),
            ahead: 0,
            future: None,
            held: Held::default(),
            sound: Vec::new(),
            under_way: None,
            exchanged: true,
            elsewhere: false,
            way_in: LastFrames::default(),
            movie_starts: vec![],
            movie_start: None,
            other_ram: false,
            watch: None,
            crash: None,
            watched: 0,
        }
    }

    /// Returns the same without rewind and without a log: a frame costs no more than the console's
    /// own, and memory does not grow.
    pub fn bare(cartridge: Cartridge, config: Config) -> Self {
        let mut emulator = Self::new(cartridge, config, RewindLimits::OFF);
        emulator.movie.keep_no_log();
        emulator
    }

    /// Another cartridge, powered on, with `kept` in its battery's RAM. Returns the pieces that are
    /// of no use to it.
    pub fn insert(&mut self, cartridge: Cartridge, kept: &[u8]) -> Option<Pieces> {
        let same = cartridge.crc32() == self.cartridge.crc32();
        (self.computer, self.practice) = (None, None);
        self.cartridge = cartridge;
        self.restart(kept);
        if same { None } else { self.pieces.take() }
    }

    /// The power, off and on, with nothing before and `kept` in the battery's RAM.
    pub fn restart(&mut self, kept: &[u8]) {
        self.restart_with(kept, RamInit::default());
    }

    /// The same with RAM as a movie has it.
    pub fn restart_with(&mut self, kept: &[u8], ram: RamInit) {
        self.config.ram_fill = ram.into();
        let mut cartridge = self.cartridge.clone();
        cartridge.load_battery_ram(kept);
        self.console = Console::new(cartridge, self.config);
        self.movie.restart(ram);
        self.begin_anew();
        self.future = None;
    }

    /// The console is another: there is no way back from here.
    fn begin_anew(&mut self) {
        self.resync();
        self.pending = Commands::empty();
        self.rewind.clear();
        self.under_way = None;
        (self.exchanged, self.elsewhere) = (true, true);
        self.movie_starts.clear();
        self.movie_start = Some(0);
        self.forget_crash();
    }

    /// The power, off and on, as a part of the movie that is recorded.
    pub fn record_power_cycle(&mut self) {
        self.pending |= Commands::POWER;
    }

    /// Other pieces for this cartridge's games.
    pub fn set_pieces(&mut self, pieces: Option<Pieces>) {
        self.pieces = pieces;
        self.resync();
    }

    /// Returns what deals the pieces instead of the game.
    pub fn dealt(&self) -> Option<&Pieces> {
        self.pieces.as_ref()
    }

    /// Returns the name of the pieces that come instead of the game's.
    pub fn pieces(&self) -> Option<&str> {
        self.dealt().map(|pieces| pieces.name.as_str())
    }

    /// Returns the console, to be changed between two frames.
    pub fn console(&mut self) -> &mut Console {
        &mut self.console
    }

    /// Returns the console as it is now.
    pub fn state(&self) -> &Console {
        &self.console
    }

    /// Gives the first pad to a computer player, or back to the player.
    pub fn set_computer(&mut self, computer: Option<Autopilot>) {
        self.computer = computer;
    }

    /// Returns the computer player at the first pad, with what it means to do.
    pub fn computer(&self) -> Option<&Autopilot> {
        self.computer.as_ref()
    }

    /// Returns whether a computer player holds the first pad.
    pub fn has_computer(&self) -> bool {
        self.computer.is_some()
    }

    /// Returns the computer player's evaluation of the current piece.
    pub fn thought(&self) -> Option<Arc<Thought>> {
        self.computer.as_ref()?.thought().cloned()
    }

    /// Returns the MD5 by which movies name the cartridge.
    pub fn md5(&self) -> [u8; 16] {
        self.cartridge.info().md5.0
    }

    /// Returns the hashes by which movies name the cartridge.
    pub fn rom_hashes(&self) -> RomHashes {
        nes::rom_hashes(&self.cartridge)
    }

    /// Returns what the cartridge's battery would keep now.
    pub fn battery_ram(&self) -> &[u8] {
        self.console.board.cartridge().battery_ram()
    }

    /// Presses the reset button before the next frame.
    pub fn reset(&mut self) {
        self.pending |= Commands::RESET;
    }

    /// Shows the picture of so many `frames` later, [`MOST_AHEAD`] at most.
    pub fn set_ahead(&mut self, frames: u8) {
        self.ahead = frames.min(MOST_AHEAD);
    }

    /// Returns how many frames later the picture is.
    pub fn ahead(&self) -> u8 {
        self.ahead
    }

    /// Mutes these sound channels.
    pub fn mute(&mut self, channels: &[Channel]) {
        self.config.channel_levels = ChannelLevels::without(channels.iter().copied());
    }

    /// Returns how many frames can be gone back.
    pub fn frames_back(&self) -> usize {
        self.rewind.len()
    }

    /// Gives the sound another rate, in samples a second. Nothing else changes.
    pub fn set_sample_rate(&mut self, rate: u32) {
        self.config.sample_rate = Some(rate);
        let mut console = Console::new(self.cartridge.clone(), self.config);
        // The bytes are a state of the same cartridge.
        if console.load(&self.console.save()).is_ok() {
            self.console = console;
        }
    }

    /// Returns the rewind buffer.
    pub fn rewind(&mut self) -> &mut Rewind {
        &mut self.rewind
    }

    /// Frames that the console has finished since power-on.
    pub fn frame_number(&self) -> u64 {
        self.console.frame_number()
    }

    /// Returns, once, whether the next frame does not follow the last one that was shown: the game
    /// was rewound, a state was loaded, or the power was switched.
    pub fn take_elsewhere(&mut self) -> bool {
        std::mem::take(&mut self.elsewhere)
    }

    /// Takes the last frames before a game began, which were run without picture.
    pub fn take_way_in(&mut self) -> impl Iterator<Item = (u64, [u8; 0x800])> + use<> {
        self.way_in.take()
    }

    /// Takes the same as they are.
    pub(crate) fn last_frames(&mut self) -> LastFrames {
        std::mem::take(&mut self.way_in)
    }

    /// Returns what the game saw in the last frame; where it did not look, what it had seen before.
    pub fn buttons(&self) -> [Buttons; 2] {
        self.held.pads
    }

    /// Returns the picture to show.
    pub fn picture(&self) -> &Frame {
        self.future.as_ref().unwrap_or_else(|| self.console.picture())
    }

    /// Returns the sound of the last frame, at the rate of the console's configuration; backwards
    /// after a step back.
    pub fn sound(&self) -> &[f32] {
        &self.sound
    }

    /// Goes back by a frame, or to the beginning of the one under way. Picture and sound, the
    /// latter backwards, are those of the frame that begins there. Returns whether there was a way
    /// back.
    pub fn step_back(&mut self) -> bool {
        let under_way = self.under_way.take();
        let begun = under_way.and_then(|frame| frame.before.map(|state| (state, frame.input)));
        let (state, input) = if let Some(begun) = begun {
            begun
        } else {
            let Some(frame) = self.rewind.pop() else { return false };
            self.movie.back(1);
            frame
        };
        if self.console.load(&state).is_err() {
            return false; // of another cartridge: `insert` forgets those
        }
        self.elsewhere = true;
        self.resync();
        self.forget_crash();
        self.go_back_over_switches();
        self.pending = input.commands;
        let mut copy = self.copy();
        copy.console.carry_out(input.commands, &self.cartridge, self.config);
        copy.console.set_channel_levels(self.config.channel_levels);
        copy.run(Held { pads: input.pads, extra: input.extra });
        self.future = Some(copy.console.picture().clone());
        self.sound.clear();
        self.sound.extend(copy.console.samples().iter().rev());
        true
    }

    /// Goes back by so many `frames`, or as far as the rewind reaches. Returns whether it has gone
    /// back at all.
    pub fn step_back_by(&mut self, frames: usize) -> bool {
        (0..frames).take_while(|_| self.step_back()).count() > 0
    }

    /// Takes back the switches of the power that the present frame is not behind: the debugger has
    /// another past then, and its movie stands elsewhere.
    fn go_back_over_switches(&mut self) {
        let frame = self.movie.frame();
        while let Some((_, start)) = self.movie_starts.pop_if(|(switched, _)| *switched >= frame) {
            self.movie_start = Some(start);
            self.exchanged = true;
        }
    }

    /// Follows the debugger, which had the console, from frame `from` on. Returns what it has done
    /// that no movie can say.
    pub fn follow(&mut self, debugger: &mut Debugger, from: u64) -> Option<Edit> {
        let Interference { changed, replaced, travelled } = debugger.take_interference();
        if replaced {
            self.movie.replace();
            self.begin_anew();
            // Its past is the debugger's own business.
            self.exchanged = false;
        } else if travelled {
            debugger.exchange(&mut self.console);
            let within = debugger.is_within_frame();
            debugger.exchange(&mut self.console);
            self.follow_back(from, within.then(|| debugger.held()));
            self.elsewhere = true;
            self.resync();
            self.forget_crash();
        }
        if replaced || travelled {
            self.future = None;
            self.sound.clear();
        }
        let other_ram = std::mem::take(&mut self.other_ram).then_some(Edit::OtherRam);
        other_ram.or((changed || replaced).then_some(Edit::Debugger))
    }

    /// The debugger has gone back to another moment, perhaps into a frame, in which this is `held`.
    fn follow_back(&mut self, from: u64, held: Option<Held>) {
        let back = usize::try_from(from.saturating_sub(self.console.frame_number())).unwrap_or(usize::MAX);
        let mut entry = self.under_way.take();
        if back > 0 {
            let input = self.movie.back(back);
            let mut before = None;
            for _ in 0..back.min(self.rewind.len() + 1) {
                before = self.rewind.pop().map(|(state, _)| state);
            }
            entry = input.map(|input| FrameUnderWay::new(before, input));
        }
        let lost = |Held { pads, extra }| {
            FrameUnderWay::new(None, FrameInput { pads, extra, ..FrameInput::default() })
        };
        self.under_way = held.map(|held| entry.unwrap_or_else(|| lost(held)));
    }

    /// Returns the console's television system.
    pub fn region(&self) -> Region {
        self.console.region()
    }

    /// From the next power-on it is the console of `region`; with `None`, the cartridge's.
    pub fn choose_region(&mut self, region: Option<Region>) {
        self.config.region = region;
    }

    /// From the next power-on the PPU ignores early writes, or takes them.
    pub fn choose_ppu_start(&mut self, strict: bool) {
        self.config.quirks.strict_start = strict;
    }

    /// From the next power-on these devices are plugged into the ports.
    pub fn choose_devices(&mut self, devices: Devices) {
        self.config.devices = devices;
    }

    /// Returns what is plugged into the ports.
    pub fn devices(&self) -> Devices {
        self.console.devices()
    }

    /// Returns the console's configuration.
    pub fn config(&self) -> Config {
        self.config
    }

    /// Returns the cartridge as it is before it is switched on, and how the console wakes up.
    pub fn power(&self) -> (Cartridge, Config) {
        (self.cartridge.clone(), self.config)
    }

    /// Gives `debugger` the console for as long as `work` takes.
    pub fn lend<T>(&mut self, debugger: &mut Debugger, work: impl FnOnce(&mut Debugger) -> T) -> T {
        self.sync(debugger);
        debugger.exchange(&mut self.console);
        let result = work(debugger);
        debugger.exchange(&mut self.console);
        result
    }

    /// Lets `debugger` forget the past of another console than this.
    pub fn sync(&mut self, debugger: &mut Debugger) {
        if std::mem::take(&mut self.exchanged) {
            debugger.forget_past();
        }
        if let Some(start) = self.movie_start.take() {
            debugger.input.set_movie_start(start);
        }
    }

    /// Calls what `script` has for its end.
    ///
    /// # Errors
    /// What went wrong in that.
    pub fn finish_script(&mut self, script: &mut dyn FrameScript) -> Result<(), ScriptError> {
        let finished = script.finish(&mut self.console);
        self.after_script_call(script);
        finished
    }

    /// Calls what `script` has for a state that the player has saved in `slot`, or has loaded from
    /// there.
    ///
    /// # Errors
    /// What went wrong in that.
    pub fn tell_script(
        &mut self,
        script: &mut dyn FrameScript,
        slot: usize,
        loaded: bool,
    ) -> Result<(), ScriptError> {
        let console = &mut self.console;
        let told =
            if loaded { script.state_loaded(console, slot) } else { script.state_saved(console, slot) };
        self.after_script_call(script);
        told
    }

    /// A script was called between two frames.
    fn after_script_call(&mut self, script: &mut dyn FrameScript) {
        if script.take_meddled() {
            self.movie.mark_diverged();
            (self.exchanged, self.elsewhere) = (true, true);
        }
        self.resync();
    }

    /// Returns a hash of the state, the same on any machine.
    pub fn state_hash(&self) -> u64 {
        self.console.state_hash()
    }

    /// Returns the state, for a slot: where a frame is under way, that of its beginning.
    pub fn save(&self) -> Vec<u8> {
        let begun = self.under_way.as_ref().and_then(|frame| frame.before.clone());
        begun.unwrap_or_else(|| self.console.save())
    }

    /// Returns the state with what led to it and the session that belongs to it, for a file.
    pub fn saved(&self) -> SavedState {
        SavedState {
            console: self.save(),
            log: self.movie.log().to_vec(),
            ram: self.movie.ram(),
            frame: self.frame_number(),
            seconds: 0,
            practice: self.watched().map(|practice| practice.to_saved(&self.console)),
        }
    }

    /// Takes over a state that came about by `log` from a power-on with `ram`. There is no way back
    /// from there.
    ///
    /// # Errors
    /// When the state is none of this cartridge, or when a movie plays in which it does not come.
    /// Nothing has then changed.
    pub fn load(&mut self, state: &[u8], log: Vec<FrameInput>, ram: RamInit) -> Result<(), LoadError> {
        let mut console = self.console.clone();
        console.load(state)?;
        if !self.movie.jump(log, ram, console.frame_number()) {
            return Err(LoadError::OtherMovie);
        }
        self.config.ram_fill = ram.into();
        console.clear_samples();
        self.console = console;
        self.begin_anew();
        // The picture of a moment is that of the frame which it begins.
        let mut copy = self.copy();
        copy.run(self.held);
        self.future = Some(copy.console.picture().clone());
        Ok(())
    }

    /// Pieces and practice go on with a console that was exchanged.
    fn resync(&mut self) {
        if let Some(pieces) = &mut self.pieces {
            pieces.substitution.resync(&self.console);
        }
        if let Some(practice) = &mut self.practice {
            practice.follow_back(&self.console);
        }
    }
}

#[cfg(test)]
mod tests;
