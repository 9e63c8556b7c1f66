//! The user's browser.

use std::io;

/// Opens a page in the user's browser, without waiting for it.
///
/// # Errors
/// When no program that does so can be started: the user has to open the page.
pub fn open_in_browser(address: &str) -> io::Result<()> {
    open::that_detached(address).map_err(|error| {
        let text = format!("no browser could be started ({error}): open the page yourself");
        io::Error::new(error.kind(), text)
    })
}
