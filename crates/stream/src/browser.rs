//! The user's browser.

use std::io;
use std::process::{Command, Stdio};

/// Opens a page in the user's browser.
///
/// # Errors
/// When the program that does so cannot be started, with its name: the user has to open the page.
pub fn open_in_browser(address: &str) -> io::Result<()> {
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(first).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| {
        let text = format!("{program} cannot be started ({error}): open the page yourself");
        io::Error::new(error.kind(), text)
    })?;
    // It hands the page on and ends; somebody has to wait for it.
    std::thread::spawn(move || child.wait());
    Ok(())
}
