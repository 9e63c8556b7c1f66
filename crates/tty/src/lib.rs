//! The terminal that a program was started from, which may go away while it runs.
//!
//! [`tell!`] writes a line to standard error. A closed terminal, a full disk or a closed pipe loses
//! the line and nothing else; `eprintln!` would end the program. [`Keys`] reads what is typed and
//! notices that the terminal is gone. [`panics`] is what is done before a panic ends the program.
//! [`half_blocks`] paints pictures. The window and the command line share them.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

pub mod half_blocks;
mod keys;
pub mod panics;

pub use keys::{Keys, has_hung_up, tells_releases};

use std::fmt;
use std::io::{self, Write};

/// Writes a line to standard error, as `eprintln!` does, and goes on if that fails.
///
/// ```
/// tty::tell!("{} of {} games", 3, 7);
/// ```
#[macro_export]
macro_rules! tell {
    ($($words:tt)*) => {
        $crate::tell(::core::format_args!($($words)*))
    };
}

/// Writes a line to standard error; see [`tell!`]. Control characters are left out, so that no text
/// from a file or another computer commands the terminal.
pub fn tell(words: fmt::Arguments<'_>) {
    // A line that cannot be written has no reader; there is nothing else to do about it.
    let _ = io::stderr().lock().write_all(line(words).as_bytes());
}

/// Returns the line as it is written: whole, so that lines of several threads do not mix.
fn line(words: fmt::Arguments<'_>) -> String {
    let shown = |letter: &char| !letter.is_control() || matches!(letter, '\n' | '\t');
    words.to_string().chars().filter(shown).chain(['\n']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_breaks_and_loses_what_commands_a_terminal() {
        let hostile = "scene\x1b]0;owned\x07 \u{9b}31mred\r\n\ttwo";
        assert_eq!(line(format_args!("OBS: {hostile}")), "OBS: scene]0;owned 31mred\n\ttwo\n");
    }
}
