//! A session whose messages are handed over one by one: no streams, threads or clock.

use std::cell::Cell;
use std::io::BufRead;
use std::rc::Rc;

use serde_json::Value;

use crate::Opener;
use crate::server::Server;
use crate::wire::{self, Mailbox, WireError};

/// A session without streams.
pub struct Direct {
    server: Server,
    /// Frames that a command may still run.
    left: Rc<Cell<u32>>,
    frames: u32,
}

impl Direct {
    /// Returns a session in which a command runs for at most `frames` frames.
    pub fn new(opener: Box<dyn Opener>, frames: u32) -> Self {
        let left = Rc::new(Cell::new(frames));
        let budget = Rc::clone(&left);
        let is_over = move || {
            let now = budget.get().checked_sub(1);
            budget.set(now.unwrap_or(0));
            now.is_none()
        };
        Self { server: Server::new(opener, Mailbox::closed(Box::new(is_over))), left, frames }
    }

    /// Takes the messages that `bytes` hold, runs up to `frames` frames behind each, and returns
    /// what the client is sent.
    ///
    /// # Errors
    /// Why no more messages can be read.
    pub fn take(&mut self, mut bytes: &[u8]) -> Result<Vec<Value>, WireError> {
        let input: &mut dyn BufRead = &mut bytes;
        let mut input = input;
        while let Some(body) = wire::read(&mut input)? {
            if self.is_over() {
                break;
            }
            self.left.set(self.frames);
            self.server.receive(wire::parse(&body))?;
            for _ in 0..self.frames {
                self.server.frame();
            }
        }
        Ok(self.server.take_sent())
    }

    /// Returns whether the client has ended the session.
    pub const fn is_over(&self) -> bool {
        self.server.is_over()
    }
}

/// Returns a message as it is sent.
#[cfg(test)]
fn message(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    wire::write(&mut bytes, value).expect("memory takes it");
    bytes
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use nes::{Cartridge, Config};
    use nes_debug::Debugger;
    use nes_debug::command::{CommandSession, NoFiles};
    use serde_json::json;

    use super::*;
    use crate::{Launch, OpenError, Opened, Store};

    impl Store for NoFiles {
        fn source_path(&self, _: &str) -> Option<PathBuf> {
            None
        }
    }

    struct BuiltIn;

    impl Opener for BuiltIn {
        fn open(&mut self, _: &Launch) -> Result<Opened, OpenError> {
            let image = nes_testing::MAXOUT;
            let debugger = Debugger::new(Cartridge::from_bytes(image)?, Config::default(), None);
            Ok(Opened { session: CommandSession::new(debugger, image.to_vec()), files: Box::new(NoFiles) })
        }
    }

    fn ask(client: &mut Direct, command: &str, arguments: &Value) -> Vec<Value> {
        let request = json!({ "seq": 1, "type": "request", "command": command, "arguments": arguments });
        client.take(&message(&request)).expect("a message")
    }

    #[test]
    fn a_command_that_runs_for_ever_is_stopped_as_by_the_next_message() {
        let mut client = Direct::new(Box::new(BuiltIn), 3);
        ask(&mut client, "launch", &json!({ "stopOnEntry": true }));
        ask(&mut client, "configurationDone", &Value::Null);
        let run = json!({ "expression": "frame 1000000", "context": "repl" });
        let said = ask(&mut client, "evaluate", &run);
        assert_eq!(said[0]["success"], true, "{said:?}");
        let frame = ask(&mut client, "evaluate", &json!({ "expression": "frame", "context": "watch" }));
        let frames: u32 = frame[0]["body"]["result"]
            .as_str()
            .and_then(|text| text.split(' ').next()?.parse().ok())
            .expect("a number");
        assert!((1..10).contains(&frames), "{frame:?}");
    }

    /// Found by `cargo xtask fuzz --target dap`.
    #[test]
    fn a_frame_of_any_number_has_scopes() {
        let mut client = Direct::new(Box::new(BuiltIn), 1);
        ask(&mut client, "launch", &json!({ "stopOnEntry": true }));
        for id in [i64::MAX, i64::MIN, 0, 2] {
            let said = ask(&mut client, "scopes", &json!({ "frameId": id }));
            assert_eq!(said[0]["success"], true, "{said:?}");
            assert_eq!(said[0]["body"]["scopes"][0]["variablesReference"], 3, "{said:?}");
        }
    }

    #[test]
    fn nothing_is_answered_behind_the_end() {
        let mut client = Direct::new(Box::new(BuiltIn), 1);
        let said = ask(&mut client, "disconnect", &Value::Null);
        assert!(said.iter().any(|message| message["event"] == "exited"), "{said:?}");
        assert!(client.is_over() && ask(&mut client, "threads", &Value::Null).is_empty());
    }
}
