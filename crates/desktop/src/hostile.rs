//! For tests from outside, the fuzzer's and those of hours: what the window reads that others may
//! have written, as bytes, and devices that come and go.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use emulator::Emulator;
use nes::{Buttons, Cartridge};

use crate::audio::ring::{SampleConsumer, ring};
use crate::config::ConfigFile;
use crate::config::settings::Settings;
use crate::emulation::machine::Machine;
use crate::emulation::script::LiveScript;
use crate::input::gamepad::SimulatedPads;
use crate::messages::handle::Shared;
use crate::messages::machine_message::MachineMessage;
use crate::messages::status::Notice;
use crate::{Command, DesktopError, Options, Running};

/// Reads `text` as settings. One that is understood is changed, as a menu would change it, and says
/// what it is to say. Returns the warnings that it causes.
///
/// # Panics
/// When it does not.
pub fn settings(text: &str) -> Vec<String> {
    let (read, said) = ConfigFile::of_text(PathBuf::new(), text);
    let Some(read) = read else { return said };
    let mut other = read.clone();
    other.sound.mute = !read.sound.mute;
    other.picture.scale = if read.picture.scale == 2 { 3 } else { 2 };
    other.input.players.reverse();
    let changed = ConfigFile::edited_text(text, &read, &other);
    let (again, warnings) = ConfigFile::of_text(PathBuf::new(), &changed);
    assert_eq!(again.as_ref(), Some(&other), "{warnings:?}: {changed:?} from {text:?}");
    said
}

/// Reads `line` as the mapping of a gamepad, which then reports what the numbers say. Returns what
/// of the mapping is used.
///
/// # Panics
/// When a motion is no number.
pub fn mapping(line: &str, reports: &[u64]) -> String {
    crate::input::gamepad::mapping(line, reports)
}

/// Returns settings to begin with: what a new file says.
pub fn usual_settings() -> String {
    ConfigFile::edited_text("", &Settings::default(), &Settings::default())
}

/// What a test of hours asks of a game that runs.
pub use crate::messages::command::{DebugCommand, PracticeCommand, Recording, ScriptCommand};

/// The machine of the window, frame by frame, without its thread, its clock and its window.
pub struct Window {
    machine: Machine<fn(Notice)>,
    shared: Arc<Shared>,
}

impl Window {
    /// Begins as [`Running::start`] does, but for a movie.
    ///
    /// # Errors
    /// When the image is no cartridge, or the script is none.
    pub fn new(options: &Options) -> Result<Self, DesktopError> {
        let cartridge = Cartridge::from_bytes(&options.image)
            .map_err(|source| DesktopError::Rom { title: options.title.clone(), source })?;
        let shared = Arc::new(Shared::new());
        let mut machine = Machine::new(cartridge, options, Arc::clone(&shared), (|_| {}) as fn(Notice));
        if let Some(path) = &options.script {
            let interrupt = Arc::clone(&shared.script_interrupt);
            machine.begin_script(LiveScript::read(path, &options.title, interrupt)?);
        }
        Ok(Self { machine, shared })
    }

    /// Runs a frame in which the players hold these buttons.
    pub fn frame(&mut self, pads: [Buttons; 2]) {
        for (player, held) in (0..).zip(pads) {
            self.shared.input.hold(player, held);
        }
        self.machine.frame();
    }

    /// Goes back this number of frames.
    pub fn rewind(&mut self, frames: usize) {
        self.command(Command::Rewind(true));
        (0..frames).for_each(|_| self.machine.frame());
        self.command(Command::Rewind(false));
    }

    /// Carries out a command.
    pub fn command(&mut self, command: Command) {
        self.machine.command(command);
    }

    /// Returns the running game.
    pub fn emulator(&self) -> &Emulator {
        &self.machine.engine
    }

    /// Ends the game's file and the recordings.
    pub fn finish(mut self) {
        self.machine.end_game_file();
        self.machine.finish_recordings();
    }
}

/// A sound device that is none: it takes samples when it is told to, and is gone when it is
/// dropped.
pub struct SoundDevice {
    consumer: SampleConsumer,
    queue: Sender<MachineMessage>,
    clock: Instant,
}

impl SoundDevice {
    /// Plugs it in. It takes `rate` samples a second, if it keeps time.
    pub fn plug_in(running: &Running, rate: u32) -> Self {
        let (queue, clock) = running.ends();
        let (producer, consumer, _) = ring(rate);
        let _ = queue.send(MachineMessage::Sound(Box::new(producer))); // fails when the game is over
        Self { consumer, queue, clock }
    }

    /// Takes samples for two channels.
    pub fn take(&mut self, samples: usize) {
        let mut taken = vec![0.0_f32; 2 * samples];
        self.consumer.fill(&mut taken, 2, self.clock.elapsed());
    }
}

impl Drop for SoundDevice {
    fn drop(&mut self) {
        let _ = self.queue.send(MachineMessage::Silence); // fails when the game is over
    }
}

/// Pads that are none.
#[derive(Default)]
pub struct Pads(SimulatedPads);

impl Pads {
    /// Plugs the pad `number` in, or pulls it out.
    pub fn plug(&mut self, running: &Running, number: usize, is_in: bool) {
        running.with_shared(|shared| self.0.plug(shared, number, is_in));
    }

    /// Holds a button of the pad `number`, or lets it go, and pushes its stick to a side.
    pub fn press(&mut self, running: &Running, number: usize, button: usize, held: bool) {
        running.with_shared(|shared| self.0.press(shared, number, button, held));
    }
}
