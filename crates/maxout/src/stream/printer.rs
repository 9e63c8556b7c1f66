//! Lines on standard output.

use std::io::{self, BufWriter, Write, stdout};
use std::thread::{self, JoinHandle};

use stream::Reader;

/// Prints what a reader gets. In real time a thread does, so that whoever reads slowly loses lines
/// and the game does not wait; else every line is printed, and the game waits.
pub(super) enum Printer {
    Waits(Reader),
    Thread(JoinHandle<io::Result<()>>),
}

impl Printer {
    pub(super) fn new(reader: Reader, waits: bool) -> Self {
        if waits {
            Self::Waits(reader)
        } else {
            Self::Thread(thread::spawn(move || reader.write_all(stdout())))
        }
    }

    /// After each frame.
    pub(super) fn turn(&mut self) -> io::Result<()> {
        match self {
            Self::Waits(reader) => print(reader),
            // It ends before its time only by an error, which the end says.
            Self::Thread(thread) if thread.is_finished() => Err(io::ErrorKind::BrokenPipe.into()),
            Self::Thread(_) => Ok(()),
        }
    }

    /// Prints what is left.
    pub(super) fn end(self) -> io::Result<()> {
        match self {
            Self::Waits(reader) => print(&reader),
            Self::Thread(thread) => thread.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into())),
        }
    }
}

fn print(reader: &Reader) -> io::Result<()> {
    let mut out = BufWriter::new(stdout().lock());
    while let Some(line) = reader.next() {
        writeln!(out, "{line}")?;
    }
    out.flush()
}
