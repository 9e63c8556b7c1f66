//! One session from the opening of the window to its closing: who is started, in which order, and how all end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use nes::Cartridge;
use winit::event_loop::{EventLoop, EventLoopProxy};

use crate::app::{App, Notice};
use crate::error::reason;
use crate::input::Input;
use crate::machine::{Command, Machine, Run, Shared};
use crate::mailbox::Mailbox;
use crate::sound::Sound;
use crate::{DesktopError, Options, gamepad};

/// What a session came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Session {
    /// Frames that the console ran.
    pub frames: u64,
    /// Pictures that the window showed.
    pub shown: u64,
    /// From the first frame to the last.
    pub time: Duration,
    /// Gaps in the sound; `None` when no device played it in the end.
    pub gaps: Option<u64>,
}

/// Opens a window and plays until the player closes it. Must be called on the main thread.
///
/// # Errors
/// A [`DesktopError`] when the image is no cartridge, or when there is no display or no graphics driver. A missing
/// sound device or pad is none.
pub fn run(options: Options) -> Result<(), DesktopError> {
    play(options).map(drop)
}

/// Like [`run`], and tells what the session came to.
///
/// # Errors
/// As [`run`].
pub fn play(options: Options) -> Result<Session, DesktopError> {
    let cartridge = Cartridge::from_bytes(&options.image)
        .map_err(|source| DesktopError::Rom { title: options.title.clone(), source })?;
    let event_loop = EventLoop::<Notice>::with_user_event()
        .build()
        .map_err(|error| DesktopError::NoDisplay(reason(&error)))?;
    let shared = Arc::new(Shared {
        clock: Instant::now(),
        input: Arc::new(Input::default()),
        pictures: Mailbox::new(),
        frames: AtomicU64::new(0),
    });
    let (commands, receiver) = mpsc::channel();
    let proxy = event_loop.create_proxy();
    let console = {
        let (shared, config) = (Arc::clone(&shared), options.config);
        let (muted, limit) = (options.mute, options.exit_after_frames);
        let body = move || {
            let _farewell = Farewell(proxy.clone());
            let tell = move || {
                let _ = proxy.send_event(Notice::Picture); // fails when the window is gone: `Quit` comes
            };
            Machine::new(cartridge, &config, muted, shared, tell).run(&receiver, limit)
        };
        thread::Builder::new().name("console".into()).spawn(body)
    };
    let Ok(console) = console else { return Err(DesktopError::ConsoleStopped) };
    let sound = Sound::start(shared.clock, commands.clone());
    let stop = Arc::new(AtomicBool::new(false));
    let pads = gamepad::follow(Arc::clone(&shared.input), Arc::clone(&stop));

    let mut app = App::new(options, Arc::clone(&shared), commands.clone());
    let outcome = event_loop.run_app(&mut app);

    stop.store(true, Ordering::Relaxed);
    let _ = commands.send(Command::Quit);
    let ended = console.join();
    sound.stop();
    if let Some(pads) = pads {
        let _ = pads.join();
    }
    let shown = app.into_result()?;
    let Run { time, gaps } = ended.map_err(|_| DesktopError::ConsoleStopped)?;
    outcome.map_err(|error| DesktopError::NoDisplay(reason(&error)))?;
    Ok(Session { frames: shared.frames.load(Ordering::Relaxed), shown, time, gaps })
}

/// Tells the window that the console's thread ends, however it ends.
struct Farewell(EventLoopProxy<Notice>);

impl Drop for Farewell {
    fn drop(&mut self) {
        let _ = self.0.send_event(Notice::Stopped);
    }
}
