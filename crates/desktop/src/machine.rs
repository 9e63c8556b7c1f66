//! The console on its own thread, at its own speed.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use nes::{Buttons, Cartridge, Config, Console, Pads};

use crate::input::{Input, Strobe};
use crate::mailbox::{self, Dots, Mailbox};
use crate::pace::Pace;
use crate::ring::Feed;

/// What the other threads ask of the console's.
#[derive(Debug)]
pub(crate) enum Command {
    Pause(bool),
    Mute(bool),
    Reset,
    Insert(Box<Cartridge>),
    /// A sound device began to take samples.
    Sound(Box<Feed>),
    /// The sound device is gone.
    Silence,
    Quit,
}

/// What the console shares with the window.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The start of all times.
    pub(crate) clock: Instant,
    pub(crate) input: Arc<Input>,
    pub(crate) pictures: Mailbox,
    /// Frames run so far.
    pub(crate) frames: AtomicU64,
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
    config: Config,
    shared: Arc<Shared>,
    /// Called after a frame of which the window does not know yet.
    tell: F,
    picture: Box<Dots>,
    taps: [Buttons; 2],
    feed: Option<Box<Feed>>,
    pace: Pace,
    paused: bool,
    muted: bool,
    /// Fades in and out when muting: a step would click.
    volume: f32,
    sound: Vec<f32>,
}

impl Pads for Strobe<'_> {
    fn sample(&mut self) -> [Buttons; 2] {
        Strobe::sample(self)
    }
}

impl<F: Fn()> Machine<F> {
    pub(crate) fn new(
        cartridge: Cartridge,
        config: &Config,
        muted: bool,
        shared: Arc<Shared>,
        tell: F,
    ) -> Self {
        let config = Config { sample_rate: Some(crate::SAMPLE_RATE), ..*config };
        Self {
            console: Console::new(cartridge, config),
            config,
            pace: Pace::new(shared.clock.elapsed()),
            shared,
            tell,
            picture: mailbox::blank(),
            taps: [Buttons::empty(); 2],
            feed: None,
            paused: false,
            muted,
            volume: 0.0,
            sound: Vec::new(),
        }
    }

    /// Runs until told to quit, or until `limit` frames are done.
    pub(crate) fn run(mut self, commands: &Receiver<Command>, limit: Option<u64>) -> Run {
        let start = Instant::now();
        self.until_told(commands, limit);
        Run { time: start.elapsed(), gaps: self.feed.map(|feed| feed.gaps()) }
    }

    fn until_told(&mut self, commands: &Receiver<Command>, limit: Option<u64>) {
        while limit.is_none_or(|limit| self.shared.frames.load(Ordering::Relaxed) < limit) {
            match self.next_command(commands) {
                Ok(Some(command)) => {
                    if self.obey(command).is_break() {
                        return;
                    }
                }
                Ok(None) => self.frame(),
                Err(Gone) => return,
            }
        }
    }

    /// The next command, or none when a frame is due first.
    fn next_command(&self, commands: &Receiver<Command>) -> Result<Option<Command>, Gone> {
        if self.paused {
            return commands.recv().map(Some).map_err(|_| Gone);
        }
        let wait = self.pace.wait(self.now()).unwrap_or(Duration::ZERO);
        match commands.recv_timeout(wait) {
            Ok(command) => Ok(Some(command)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Gone),
        }
    }

    fn obey(&mut self, command: Command) -> ControlFlow<()> {
        match command {
            Command::Quit => return ControlFlow::Break(()),
            Command::Pause(paused) => {
                self.paused = paused;
                self.pace = Pace::new(self.now());
                if let Some(feed) = &mut self.feed {
                    feed.rest();
                }
            }
            Command::Mute(muted) => self.muted = muted,
            Command::Reset => self.console.reset(),
            Command::Insert(cartridge) => self.console = Console::new(*cartridge, self.config),
            Command::Sound(feed) => self.feed = Some(feed),
            Command::Silence => self.feed = None,
        }
        ControlFlow::Continue(())
    }

    fn frame(&mut self) {
        let now = self.now();
        self.pace.frame(now, self.feed.as_ref().and_then(|feed| feed.surplus(now)));
        let mut pads = Strobe::new(&self.shared.input, &mut self.taps);
        let _ = self.console.run_frame(&mut pads, &mut ()); // nobody observes, so nobody breaks
        drop(pads);
        self.play();
        self.picture.copy_from_slice(self.console.picture().pixels());
        self.shared.frames.fetch_add(1, Ordering::Relaxed);
        if self.shared.pictures.put(&mut self.picture) {
            (self.tell)();
        }
    }

    fn play(&mut self) {
        /// A hundredth of a second from silence to full.
        const FADE: f32 = 100.0 / crate::SAMPLE_RATE as f32;
        let goal = if self.muted { 0.0 } else { 1.0 };
        let now = self.now();
        if let Some(feed) = &mut self.feed {
            self.sound.clear();
            self.sound.extend(self.console.samples().iter().map(|sample| {
                self.volume += (goal - self.volume).clamp(-FADE, FADE);
                sample * self.volume
            }));
            feed.push(&self.sound, now);
        }
        self.console.clear_samples();
    }

    fn now(&self) -> Duration {
        self.shared.clock.elapsed()
    }
}

/// The window is gone.
struct Gone;

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::mpsc;

    use super::*;

    /// Runs a cartridge of NOPs through `commands`; answers the frames run and how often the window was told.
    fn run(commands: Vec<Command>, limit: Option<u64>) -> (u64, u64) {
        let mut image = b"NES\x1A\x02\x01\0\0\0\0\0\0\0\0\0\0".to_vec();
        image.resize(16 + 0x8000 + 0x2000, 0xEA);
        let cartridge = Cartridge::from_bytes(&image).unwrap();
        let shared = Arc::new(Shared {
            clock: Instant::now(),
            input: Arc::default(),
            pictures: Mailbox::new(),
            frames: AtomicU64::new(0),
        });
        let told = Cell::new(0);
        let tell = || told.set(told.get() + 1);
        let (sender, receiver) = mpsc::channel();
        for command in commands {
            sender.send(command).unwrap();
        }
        Machine::new(cartridge, &Config::default(), false, Arc::clone(&shared), tell).run(&receiver, limit);
        (shared.frames.load(Ordering::Relaxed), told.get())
    }

    #[test]
    fn it_ends_after_so_many_frames_and_tells_of_a_picture_until_it_is_taken() {
        assert_eq!(run(vec![], Some(5)), (5, 1));
    }

    #[test]
    fn a_pause_ends_with_the_next_command_that_says_so() {
        let commands = vec![Command::Pause(true), Command::Reset, Command::Pause(false)];
        assert_eq!(run(commands, Some(3)).0, 3);
    }

    #[test]
    fn it_quits_though_paused() {
        assert_eq!(run(vec![Command::Pause(true), Command::Quit], None), (0, 0));
    }

    #[test]
    fn another_cartridge_plays_on_the_same_thread() {
        let mut image = b"NES\x1A\x01\x01\0\0\0\0\0\0\0\0\0\0".to_vec();
        image.resize(16 + 0x4000 + 0x2000, 0xEA);
        let other = Cartridge::from_bytes(&image).unwrap();
        assert_eq!(run(vec![Command::Insert(Box::new(other))], Some(2)).0, 2);
    }
}
