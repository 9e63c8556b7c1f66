//! One session from the opening of the window to its closing.

use tty::panics;
use winit::event_loop::EventLoop;

use crate::emulation::running::{PlaySummary, Running};
use crate::error::reason;
use crate::spare::ask_for_files;
use crate::ui::app::{App, AppEvent};
use crate::{DesktopError, Options};

/// Files that the window's library opens, at most.
const FILES: usize = 16;

/// Opens a window, plays until the player closes it, and tells what the session came to. Must be
/// called on the main thread.
///
/// # Errors
/// A [`DesktopError`] when the image is no cartridge, or when there is no display or no graphics
/// driver. A missing sound device or pad is none.
pub fn play(options: &Options) -> Result<PlaySummary, DesktopError> {
    // The library panics where it can open none, as it may also do a moment later.
    ask_for_files(FILES).map_err(|source| DesktopError::Files { count: FILES, source })?;
    let event_loop = panics::as_an_error(|| EventLoop::<AppEvent>::with_user_event().build())
        .map_err(|error| DesktopError::NoDisplay(reason(&error)))?;
    let proxy = event_loop.create_proxy();
    let teller = proxy.clone();
    let tell = move |notice| {
        let _ = teller.send_event(AppEvent::Machine(notice)); // fails when the window is gone: `Quit` comes
    };
    let running = Running::start(options, tell)?;
    let mut app = App::new(options, running.handle().clone(), proxy);
    let outcome = event_loop.run_app(&mut app);
    let ended = running.finish();
    let shown = app.into_result()?;
    let session = ended?;
    outcome.map_err(|error| DesktopError::NoDisplay(reason(&error)))?;
    Ok(PlaySummary { shown, ..session })
}
