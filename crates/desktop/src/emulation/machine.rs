//! The console on its own thread, at its own speed.

mod commands;
mod debugging;
mod event_loop;
mod games;
mod inserted;
mod movies;
mod network;
mod opponent;
mod outputs;
mod practice;
mod refusal;
mod scripts;
mod streaming;
mod transport;
mod warm_up;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use autopilot::NetSource;
use emulator::{Attached, Duel, Emulator, FrameOutcome, RewindLimits};
use nes::{Cartridge, Config, IgnoredWrites, Region};
use nes_lua::{FrameScript, Overlay};
use tetris::Profile;

use crate::config::settings::{Sync, TetrisSettings};
use crate::debugger::DebugSession;
use crate::emulation::movie::MovieFiles;
use crate::emulation::network::NetworkMatch;
use crate::emulation::script::Scripting;
use crate::emulation::streaming::Streaming;
use crate::emulation::timing::TimingCheck;
use crate::input::held::FramePads;
use crate::messages::command::PracticeCommand;
use crate::messages::handle::Shared;
use crate::messages::machine_message::MachineMessage;
use crate::messages::status::{CrashStatus, MatchStatus, Message, MessageKind, Notice, RunState};
use crate::video::render_settings::RenderSettings;
use crate::{Command, Options, Pieces, Versus};
use inserted::{InsertedCartridge, losses};
use opponent::Opponent;
use outputs::Outputs;
use practice::{PlayerPads, PracticeGame};
use refusal::Refusal;
use transport::Transport;

/// What a machine looks back on.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) time: Duration,
    pub(crate) gaps: Option<u64>,
    pub(crate) timing_check: Option<TimingCheck>,
    /// The file of the state in the end, and the hash of the console.
    pub(crate) state: Vec<u8>,
    pub(crate) state_hash: u64,
    /// What was said when nobody looked any more.
    pub(crate) final_messages: Vec<Message>,
}

/// The console and what it needs to run in real time.
pub(crate) struct Machine<F> {
    pub(crate) engine: Emulator,
    shared: Arc<Shared>,
    /// Called after a frame or a change of which the interface does not know yet.
    notify: F,
    transport: Transport,
    cartridge: InsertedCartridge,
    movies: MovieFiles,
    outputs: Outputs,
    script: Scripting,
    opponent: Opponent,
    /// Whether everything ends with the match.
    ends_with_match: bool,
    /// The game that is played, in practice or not.
    practice: PracticeGame,
    /// Where games are kept.
    games: Option<PathBuf>,
    /// The next new game, and how the computer plays.
    tetris: TetrisSettings,
    /// Nets of the computer for points and of the coach.
    nets: NetSource,
    /// The pieces that the command line has asked for, until the player sets something else.
    given_pieces: Option<Pieces>,
    streaming: Streaming,
    /// The profile by which frames are streamed; none for a game that is not known.
    streamed: Option<Profile>,
    /// What the player has set, for after a versus game.
    rewind: RewindLimits,
    /// The cartridge's debugger, once it was asked for.
    debugger: Option<Box<DebugSession>>,
    /// The writes that the PPU ignored and that were told last.
    told_ignored: Option<IgnoredWrites>,
    /// Commands carried out so far.
    commands_done: u64,
    quit_at_end: bool,
    /// A movie ended that was the last thing to do.
    is_over: bool,
    /// Why the session cannot begin as it was asked to.
    refused: Option<Refusal>,
}

impl<F: Fn(Notice)> Machine<F> {
    pub(crate) fn new(cartridge: Cartridge, options: &Options, shared: Arc<Shared>, notify: F) -> Self {
        let Options { config, settings, folders, pieces, versus, .. } = options.clone();
        // Both sides of a match have the same console, whatever their files are called.
        let cartridge = if options.network.is_some() { cartridge } else { cartridge.named(&options.title) };
        let palette = RenderSettings::new(&settings.picture).0.palette;
        shared.input.set(settings.input);
        let (inserted, outcome) = InsertedCartridge::new(options, &cartridge);
        if let Err(trouble) = outcome {
            shared.status().say(MessageKind::Warning, trouble.to_string());
        }
        for text in losses(&cartridge).chain(options.warnings.iter().cloned()) {
            shared.status().say(MessageKind::Warning, text);
        }
        let region = config.region.or(settings.time.region.region());
        let devices = settings.time.ports;
        let mut config = Config { sample_rate: Some(crate::SAMPLE_RATE), region, devices, ..config };
        config.quirks.strict_start |= settings.time.strict_ppu_start;
        let mut engine = Emulator::new(cartridge, config, settings.rewind.into());
        if versus.is_some() {
            engine.rewind().set_limits(RewindLimits::OFF);
        }
        engine.restart(inserted.kept());
        engine.set_pieces(pieces.clone());
        engine.set_ahead(settings.time.run_ahead);
        engine.mute(&settings.sound.muted_channels);
        let mut machine = Self {
            engine,
            transport: Transport::new(settings.time, shared.clock.elapsed()),
            shared,
            notify,
            cartridge: inserted,
            movies: MovieFiles::default(),
            outputs: Outputs::new(settings.sound, settings.recording, palette),
            script: Scripting::new(folders.scripts, options.prints),
            opponent: versus.map_or(Opponent::None, |versus| Opponent::Computer(Box::new(versus))),
            ends_with_match: options.network.as_ref().is_some_and(|network| network.frames.is_some()),
            practice: PracticeGame::default(),
            games: folders.games,
            tetris: settings.tetris,
            nets: options.nets.clone(),
            given_pieces: pieces,
            streaming: Streaming::new(options.stream.clone(), settings.streaming),
            streamed: None,
            rewind: settings.rewind.into(),
            debugger: None,
            told_ignored: None,
            commands_done: 0,
            quit_at_end: options.quit_at_end,
            is_over: false,
            refused: None,
        };
        machine.watch_crashes();
        machine.deal_as_set();
        machine.refused = machine.begin_as_asked(options).err();
        // Who has asked for one game is not given another.
        machine.is_over = machine.refused.is_some();
        machine
    }

    /// Begins what the session is to begin with.
    fn begin_as_asked(&mut self, options: &Options) -> Result<(), Refusal> {
        self.begin_stream()?;
        if let Some(network) = options.network.clone() {
            self.begin_match(network)?;
        }
        if let Some(path) = &options.battery {
            self.bring_battery(path)?;
        }
        if let Some(path) = &options.state {
            self.load_file(path)?;
        }
        if let Some(path) = options.game.clone() {
            self.try_command(Command::Practice(PracticeCommand::Replay(path)))?;
        }
        if let Some(path) = options.review.clone() {
            let (hertz, reaction) = (options.settings.practice.hertz, options.settings.practice.reaction);
            self.try_command(Command::Practice(PracticeCommand::ReviewFile { path, hertz, reaction }))?;
        }
        Ok(())
    }

    /// Returns why the session cannot begin as it was asked to, once.
    pub(crate) fn take_refused(&mut self) -> Option<String> {
        self.refused.take().map(|refused| refused.to_string())
    }

    /// Runs until told to quit, or until `limit` frames are done.
    pub(crate) fn run(mut self, queue: &Receiver<MachineMessage>, limit: Option<u64>) -> Run {
        let (start, is_refused) = (Instant::now(), self.is_over);
        self.list_slots();
        self.update_status();
        self.process_messages(queue, limit);
        let time = start.elapsed();
        let last_message = self.shared.status().messages.back().map_or(0, |last| last.number);
        // What the player has comes first: a script may take its time.
        self.close_battery();
        self.end_game_file();
        if !is_refused {
            self.keep_session();
        }
        self.finish_recordings();
        self.end_script("");
        if let Some(network) = self.opponent.network_mut() {
            network.leave();
        }
        self.streaming.end();
        let said = self.shared.status().messages.clone();
        Run {
            time,
            gaps: self.outputs.audio.gaps(),
            timing_check: self.transport.timing_check(),
            state: self.engine.saved().write(self.engine.picture(), &self.outputs.palette),
            state_hash: self.engine.state_hash(),
            final_messages: said.into_iter().filter(|message| message.number > last_message).collect(),
        }
    }

    /// Returns what the machine is doing.
    pub(crate) fn run_state(&self) -> RunState {
        self.transport.run_state()
    }

    /// Runs one frame, in the direction of the run state.
    pub(crate) fn frame(&mut self) {
        if self.is_seeking() {
            return self.go_on_seeking();
        }
        let (now, run_state) = (self.now(), self.run_state());
        if self.transport.set_region(self.region(), now) {
            self.greet_stream();
        }
        let spacing = match self.transport.settings().sync {
            Sync::Display => self.shared.vsync().spacing(now, self.transport.frame_rate()),
            Sync::Sound => None,
        };
        self.transport.begin_frame(now, spacing, &mut self.outputs.audio);
        if self.opponent.network().is_some() {
            self.frame_of_match();
        } else if run_state == RunState::Rewinding {
            self.frame_back();
        } else {
            self.frame_forward();
        }
        self.present();
        let frames = self.shared.frames.fetch_add(1, Ordering::Relaxed) + 1;
        self.transport.end_frame(now, frames, self.outputs.audio.status(now));
        self.collect_recordings();
        self.update_status();
        if self.run_state() != run_state {
            (self.notify)(Notice::Status);
        }
    }

    fn frame_back(&mut self) {
        if !self.engine.step_back() {
            return self.outputs.audio.rest();
        }
        if let Some(session) = self.debugger.as_mut().filter(|session| session.is_attached) {
            session.debugger().rewound(self.engine.state().cycle());
        }
        self.after_debugger(None);
        self.outputs.audio.jump();
        self.play();
    }

    /// One frame with everything that is attached, or what is left of one that the debugger has
    /// stopped.
    fn frame_forward(&mut self) {
        self.watch_games();
        let kept = self.kept_buttons();
        self.shared.input.plug(self.engine.devices());
        let live = FramePads::new(&self.shared.input, self.engine.movie.frame());
        let mut pads = kept.map_or(PlayerPads::Live(live), PlayerPads::Kept);
        let mut live = self.script.live.take();
        if let Some(live) = &mut live {
            live.script.set_input(self.shared.host_input().for_scripts());
        }
        let session = self.debugger.as_mut().filter(|session| session.is_attached);
        let attached = Attached {
            script: live.as_mut().map(|live| &mut live.script as &mut dyn FrameScript),
            debugger: session.map(|session| session.debugger()),
        };
        let FrameOutcome { stop, is_over, movie_ended, drawn } = self.engine.frame(&mut pads, attached);
        self.after_script_frame(live, drawn);
        self.after_movie(movie_ended);
        if is_over {
            self.after_frame();
        } else {
            self.outputs.audio.rest();
        }
        self.after_debugger(stop.as_ref());
    }

    /// A movie may have ended.
    pub(crate) fn after_movie(&mut self, ended: bool) {
        if let Some(movie) = ended.then(|| self.movies.playing.take()).flatten() {
            self.say(MessageKind::Note, format!("{} is over", movie.display()));
            self.is_over = self.quit_at_end;
        }
    }

    /// Does everything that follows a frame: battery, files, the opponent, sound.
    fn after_frame(&mut self) {
        if let Err(trouble) = self.cartridge.battery_frame(self.engine.battery_ram()) {
            self.say(MessageKind::Warning, trouble.to_string());
        }
        self.shared.set_spare(self.cartridge.unwritten(self.engine.battery_ram()));
        if let Err(error) = self.movies.autosave(&self.engine.movie) {
            self.say(MessageKind::Warning, format!("the movie cannot be written: {error}"));
        }
        self.tell_ignored_writes();
        self.frame_of_opponent();
        self.keep_game();
        self.stream_frame();
        let overlay = self.overlay();
        self.outputs.record(self.engine.picture(), overlay.as_ref(), self.engine.sound());
        self.play();
    }

    /// The computer's frame in versus mode, and what it has sent.
    fn frame_of_opponent(&mut self) {
        let Some(versus) = self.opponent.versus_mut() else { return };
        if let Some(event) = versus.frame(&mut self.engine) {
            self.say(MessageKind::Note, event.to_string());
        }
    }

    fn play(&mut self) {
        let (now, speed, run_state) = (self.now(), self.transport.speed(), self.run_state());
        self.outputs.play(self.engine.sound(), speed, run_state, now);
    }

    /// Returns what the script and the practice mode have drawn over the picture that is shown.
    fn overlay(&mut self) -> Option<Arc<Overlay>> {
        if self.run_state() == RunState::Rewinding {
            return None;
        }
        let of_mode = self.mode_overlay();
        let of_script = self.script.overlay().cloned();
        match (of_mode, of_script) {
            (Some(mut below), Some(above)) => {
                below.lay(&above);
                Some(Arc::new(below))
            }
            (below, above) => below.map(Arc::new).or(above),
        }
    }

    /// Puts the picture where the interface finds it.
    fn present(&mut self) {
        if self.present_match() {
            return;
        }
        if let Some(versus) = self.opponent.versus() {
            self.outputs.present_opponent(versus, &self.shared);
        }
        let overlay = self.overlay();
        if self.outputs.present(self.engine.picture(), overlay, &self.shared) {
            (self.notify)(Notice::Picture);
        }
    }

    /// Returns which console is played on: in a match over the network both have the cartridge's.
    pub(crate) fn region(&self) -> Region {
        let duel = self.opponent.network().and_then(NetworkMatch::game);
        duel.map_or_else(|| self.engine.region(), |(duel, _)| duel.console(0).region())
    }

    /// Brings the status up to date.
    pub(crate) fn update_status(&mut self) {
        let now = self.now();
        let rewind = self.engine.rewind();
        let (frames, bytes) = (rewind.len(), rewind.bytes());
        let script = self.script.status();
        let crash = self.crash_status();
        let (practice, game) = (self.practice_status(), self.game_status());
        let last = self.engine.watched().and_then(|practice| practice.log().pieces.last());
        let position = last.map(::practice::Played::position);
        self.look_at_stream();
        let (review, puzzle_search) = (self.practice.review_status(), self.practice.search_status());
        let (review_error, review_warnings) = self.practice.take_words();
        let (region, in_game) = (self.region(), self.in_game());
        let mut status = self.shared.status();
        status.commands_done = self.commands_done;
        status.run_state = self.transport.run_state();
        status.fps = self.transport.fps();
        status.frame = self.engine.frame_number();
        status.region = region;
        status.speed = self.transport.speed();
        status.run_ahead = self.engine.ahead();
        status.script = script;
        if let Some(CrashStatus { crash, .. }) = crash
            && status.crash.is_none()
        {
            status.say(MessageKind::Warning, crash.to_string());
        }
        status.crash = crash;
        status.practice = practice;
        status.game = game;
        status.can_review = position.is_some();
        status.position = position;
        status.in_game = in_game;
        status.review = review;
        status.puzzle_search = puzzle_search;
        if let Some(error) = review_error {
            status.say(MessageKind::Error, error.to_string());
        }
        for warning in review_warnings {
            status.say(MessageKind::Warning, warning);
        }
        status.computer = self.engine.has_computer();
        let wanted = self.tetris.thoughts;
        let of_opponent = self.opponent.versus().and_then(Versus::thought);
        status.thoughts = [self.engine.thought(), of_opponent].map(|thought| thought.filter(|_| wanted));
        status.sound = self.outputs.audio.status(now);
        status.rewind = Duration::from_secs_f64(frames as f64 / region.frame_rate());
        status.rewind_bytes = bytes;
        let network = self.opponent.network();
        let duel = network.and_then(NetworkMatch::certain).map(Duel::status);
        status.versus = self.opponent.versus().map(Versus::status).or(duel);
        status.players = match &self.opponent {
            Opponent::None => None,
            Opponent::Computer(versus) => Some(MatchStatus {
                names: [self.streaming.name(1), String::new()],
                wins: versus.wins(),
                best_of: Some(versus.best_of().games()),
            }),
            Opponent::Network(network) => network.players(),
        };
        status.network = network.map(NetworkMatch::status);
        status.movie = self.movies.status(&self.engine.movie);
        status.movie_frames = self.engine.movie.log().len() as u64;
        status.recordings.clear();
        status.recordings.extend(self.outputs.recordings());
        status.buttons = self.engine.buttons();
        if status.title != self.cartridge.title {
            status.title.clone_from(&self.cartridge.title);
        }
    }

    /// Returns whether a game is on that the player would lose by beginning another. An unknown
    /// cartridge counts as a game after half a minute.
    fn in_game(&self) -> bool {
        const LONG: u64 = 1800;
        if self.opponent.is_shown() {
            return true;
        }
        if self.engine.has_computer()
            || self.engine.movie.progress().is_some_and(|movie| movie.length.is_some())
        {
            return false;
        }
        match self.engine.watched() {
            Some(practice) => {
                let session = practice.session();
                session.is_playing()
                    && session.outcome() == ::practice::Outcome::Playing
                    && !self.practice.is_replaying()
            }
            None => self.engine.frame_number() > LONG,
        }
    }

    /// Returns the crash in which the game is.
    fn crash_status(&self) -> Option<CrashStatus> {
        let way_back = self.opponent.versus().is_none() && self.engine.reaches_before_crash();
        self.engine.crash().map(|&crash| CrashStatus { crash, way_back })
    }

    /// One line for the player.
    pub(crate) fn say(&self, kind: MessageKind, text: String) {
        self.shared.status().say(kind, text);
    }

    pub(crate) fn now(&self) -> Duration {
        self.shared.clock.elapsed()
    }
}

#[cfg(test)]
mod both_cartridges;
#[cfg(test)]
mod tests;
