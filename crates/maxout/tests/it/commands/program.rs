//! A call of the program, and what is expected of it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Where the program is.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_maxout");

/// A call with its arguments, and with an input that is empty at first.
pub(crate) struct Call {
    command: Command,
    input: Vec<u8>,
}

/// The program with these arguments, in the tests' own folder.
pub(crate) fn call(arguments: &[&str]) -> Call {
    let mut command = Command::new(PROGRAM);
    command.args(arguments);
    Call { command, input: Vec::new() }
}

impl Call {
    /// And these.
    pub(crate) fn with(mut self, arguments: &[&str]) -> Self {
        self.command.args(arguments);
        self
    }

    /// In this folder.
    pub(crate) fn inside(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// With this at standard input.
    pub(crate) fn reading(mut self, input: &[u8]) -> Self {
        self.input = input.to_vec();
        self
    }

    /// What came of it.
    pub(crate) fn output(mut self) -> Output {
        let pipes = self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().expect("the program starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        // In a thread, because both pipes are shorter than what goes through them.
        let writer = std::thread::spawn(move || {
            // A program that has refused a line, or its arguments, reads no further.
            let _ = pipe.write_all(&self.input);
        });
        let output = child.wait_with_output().expect("the program ends");
        writer.join().expect("the writer ends");
        output
    }

    /// What it prints; it has to succeed.
    pub(crate) fn printed(self) -> String {
        let shown = format!("{:?}", self.command);
        let output = self.output();
        assert_eq!(output.status.code(), Some(0), "{shown}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// The JSON value that it prints; it has to succeed.
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.printed()).expect("one JSON value")
    }

    /// Its words; it has to refuse the call.
    pub(crate) fn refused(self) -> String {
        let shown = format!("{:?}", self.command);
        let output = self.output();
        assert_eq!(output.status.code(), Some(2), "{shown}: {}", text(&output.stderr));
        text(&output.stderr)
    }
}

/// What the program wrote.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is UTF-8")
}
