//! The user's browser.

use std::process::{Command, Stdio};

/// Opens a page, or says that the user has to.
pub(super) fn open(address: &str) {
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(first).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => {
            // It hands the page on and ends; somebody has to wait for it.
            std::thread::spawn(move || child.wait());
        }
        Err(error) => eprintln!("{program} cannot be started ({error}): open the page yourself"),
    }
}
