//! The console on its own thread, at its own speed.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use nes::{Cartridge, Config, Console};

use crate::input::Strobe;
use crate::mailbox::{self, Dots};
use crate::pace::Pace;
use crate::remote::Shared;
use crate::ring::Feed;
use crate::settings::SoundSettings;
use crate::status::{MessageKind, Motion, Notice};
use crate::{Command, DesktopError, Options};

/// What the other threads ask of the console's.
#[derive(Debug)]
pub(crate) enum Order {
    /// The interface.
    Command(Command),
    /// A sound device began to take samples.
    Sound(Box<Feed>),
    /// The sound device is gone.
    Silence,
}

/// What a machine looks back on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) time: Duration,
    pub(crate) gaps: Option<u64>,
}

/// The console and what it needs to run in real time.
pub(crate) struct Machine<F> {
    console: Console,
    cartridge: Cartridge,
    config: Config,
    shared: Arc<Shared>,
    /// Called after a frame or a change of which the interface does not know yet.
    tell: F,
    picture: Box<Dots>,
    feed: Option<Box<Feed>>,
    pace: Pace,
    motion: Motion,
    sound: SoundSettings,
    /// Fades in and out: a step would click.
    volume: f32,
    samples: Vec<f32>,
}

impl<F: Fn(Notice)> Machine<F> {
    pub(crate) fn new(cartridge: Cartridge, options: &Options, shared: Arc<Shared>, tell: F) -> Self {
        let config = Config { sample_rate: Some(crate::SAMPLE_RATE), ..options.config };
        let settings = &options.settings;
        shared.input.set(settings.input.clone());
        shared.status().title.clone_from(&options.title);
        Self {
            console: Console::new(cartridge.clone(), config),
            cartridge,
            config,
            pace: Pace::new(shared.clock.elapsed()),
            shared,
            tell,
            picture: mailbox::blank(),
            feed: None,
            motion: Motion::Running,
            sound: settings.sound.clone(),
            volume: 0.0,
            samples: Vec::new(),
        }
    }

    /// Runs until told to quit, or until `limit` frames are done.
    pub(crate) fn run(mut self, orders: &Receiver<Order>, limit: Option<u64>) -> Run {
        let start = Instant::now();
        self.until_told(orders, limit);
        Run { time: start.elapsed(), gaps: self.feed.map(|feed| feed.gaps()) }
    }

    fn until_told(&mut self, orders: &Receiver<Order>, limit: Option<u64>) {
        while limit.is_none_or(|limit| self.shared.frames.load(Ordering::Relaxed) < limit) {
            match self.next_order(orders) {
                Ok(Some(order)) => {
                    if self.obey(order).is_break() {
                        return;
                    }
                }
                Ok(None) => self.frame(),
                Err(Gone) => return,
            }
        }
    }

    /// The next order, or none when a frame is due first.
    fn next_order(&self, orders: &Receiver<Order>) -> Result<Option<Order>, Gone> {
        if self.motion == Motion::Paused {
            return orders.recv().map(Some).map_err(|_| Gone);
        }
        let wait = self.pace.wait(self.now()).unwrap_or(Duration::ZERO);
        match orders.recv_timeout(wait) {
            Ok(order) => Ok(Some(order)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Gone),
        }
    }

    fn obey(&mut self, order: Order) -> ControlFlow<()> {
        match order {
            Order::Command(Command::Quit) => return ControlFlow::Break(()),
            Order::Command(command) => {
                self.command(command);
                (self.tell)(Notice::Status);
            }
            Order::Sound(feed) => self.feed = Some(feed),
            Order::Silence => self.feed = None,
        }
        ControlFlow::Continue(())
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Pause => self.set_motion(Motion::Paused),
            Command::Resume => self.set_motion(Motion::Running),
            Command::FrameAdvance => {
                self.set_motion(Motion::Paused);
                self.frame();
            }
            Command::Mute(mute) => self.sound.mute = mute,
            Command::SetVolume(volume) => self.sound.volume = volume.min(100),
            Command::Sound(sound) => self.sound = sound,
            Command::Input(input) => self.shared.input.set(*input),
            Command::Reset => self.console.reset(),
            Command::PowerCycle => self.console = Console::new(self.cartridge.clone(), self.config),
            Command::OpenRom(path) => {
                let title = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let put_in = read(&path).and_then(|image| self.insert(title, &image));
                if let Err(error) = put_in {
                    self.say(MessageKind::Error, error.to_string());
                }
            }
            Command::Insert(title, image) => {
                if let Err(error) = self.insert(title, &image) {
                    self.say(MessageKind::Error, error.to_string());
                }
            }
            other => self.say(MessageKind::Error, format!("not possible yet: {other:?}")),
        }
    }

    fn insert(&mut self, title: String, image: &[u8]) -> Result<(), DesktopError> {
        let cartridge = Cartridge::from_bytes(image)
            .map_err(|source| DesktopError::Rom { title: title.clone(), source })?;
        self.console = Console::new(cartridge.clone(), self.config);
        self.cartridge = cartridge;
        self.shared.status().title = title;
        Ok(())
    }

    fn say(&self, kind: MessageKind, text: String) {
        self.shared.status().say(kind, text);
    }

    fn set_motion(&mut self, motion: Motion) {
        self.motion = motion;
        self.shared.status().motion = motion;
        self.pace = Pace::new(self.now());
        if let Some(feed) = &mut self.feed {
            feed.rest();
        }
    }

    fn frame(&mut self) {
        let now = self.now();
        self.pace.frame(now, self.feed.as_ref().and_then(|feed| feed.surplus(now)));
        let frame = self.console.frame_number();
        let mut pads = Strobe::new(&self.shared.input, frame);
        let _ = self.console.run_frame(&mut pads, &mut ()); // nobody observes, so nobody breaks
        let seen = pads.seen().unwrap_or_default();
        self.play();
        self.picture.copy_from_slice(self.console.picture().pixels());
        self.shared.frames.fetch_add(1, Ordering::Relaxed);
        {
            let mut status = self.shared.status();
            status.frame = self.console.frame_number();
            status.buttons = seen;
        }
        if self.shared.pictures.put(&mut self.picture) {
            (self.tell)(Notice::Picture);
        }
    }

    fn play(&mut self) {
        /// A hundredth of a second from silence to full.
        const FADE: f32 = 100.0 / crate::SAMPLE_RATE as f32;
        let goal = if self.sound.mute { 0.0 } else { f32::from(self.sound.volume) / 100.0 };
        let now = self.now();
        if let Some(feed) = &mut self.feed {
            self.samples.clear();
            self.samples.extend(self.console.samples().iter().map(|sample| {
                self.volume += (goal - self.volume).clamp(-FADE, FADE);
                sample * self.volume
            }));
            feed.push(&self.samples, now);
        }
        self.console.clear_samples();
    }

    fn now(&self) -> Duration {
        self.shared.clock.elapsed()
    }
}

/// The interface is gone.
struct Gone;

fn read(path: &Path) -> Result<Vec<u8>, DesktopError> {
    fs::read(path).map_err(|source| DesktopError::Read { path: path.into(), source })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::mpsc;

    use super::*;

    fn image(banks: u8) -> Vec<u8> {
        let mut image = [b"NES\x1A".as_slice(), &[banks, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]].concat();
        image.resize(16 + 0x4000 * usize::from(banks) + 0x2000, 0xEA);
        image
    }

    /// Runs a cartridge of NOPs through `commands`; answers the frames run and how often the window was told of a
    /// picture.
    fn run(commands: Vec<Command>, limit: Option<u64>) -> (u64, u64) {
        let options = Options::new("nops", image(2));
        let cartridge = Cartridge::from_bytes(&options.image).unwrap();
        let shared = Arc::new(Shared::new());
        let told = Cell::new(0);
        let tell = |notice| told.set(told.get() + u64::from(notice == Notice::Picture));
        let (sender, receiver) = mpsc::channel();
        for command in commands {
            sender.send(Order::Command(command)).unwrap();
        }
        Machine::new(cartridge, &options, Arc::clone(&shared), tell).run(&receiver, limit);
        (shared.frames.load(Ordering::Relaxed), told.get())
    }

    #[test]
    fn it_ends_after_so_many_frames_and_tells_of_a_picture_until_it_is_taken() {
        assert_eq!(run(vec![], Some(5)), (5, 1));
    }

    #[test]
    fn a_pause_ends_with_the_next_command_that_says_so() {
        assert_eq!(run(vec![Command::Pause, Command::Reset, Command::Resume], Some(3)).0, 3);
    }

    #[test]
    fn it_quits_though_paused() {
        assert_eq!(run(vec![Command::Pause, Command::Quit], None), (0, 0));
    }

    #[test]
    fn a_frame_at_a_time() {
        assert_eq!(run(vec![Command::FrameAdvance, Command::FrameAdvance, Command::Quit], None).0, 2);
    }

    #[test]
    fn another_cartridge_plays_on_the_same_thread() {
        assert_eq!(run(vec![Command::Insert("other".into(), image(1))], Some(2)).0, 2);
    }
}
