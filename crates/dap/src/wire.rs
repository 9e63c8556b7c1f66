//! Messages of the Debug Adapter Protocol on a stream: a head with `Content-Length`, an empty line,
//! and as many bytes of JSON.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Bytes of a head, at most.
const HEAD: u64 = 4096;
/// Bytes of a message, at most: all of PRG-ROM written at once is less.
const BODY: usize = 4 << 20;
/// Messages that wait to be written, at most.
const QUEUE: usize = 256;
/// How long a client may leave them unread.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the last messages may take to be written.
const FAREWELL: Duration = Duration::from_secs(5);

/// Why no more messages can be read or written.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The system gives no thread.
    #[error("no thread for the client: {0}")]
    Thread(io::Error),
    /// The stream cannot be read.
    #[error("the client cannot be read: {0}")]
    Read(io::Error),
    /// A head has no end.
    #[error(
        "the client sent a head without an end in {HEAD} bytes: expected `Content-Length: N` and an empty line"
    )]
    LongHead,
    /// A head does not say how long the message is.
    #[error("the client sent a head without `Content-Length: N`")]
    NoLength,
    /// A message is longer than any that is needed.
    #[error("the client sent a message of {0} bytes, expected at most {BODY}")]
    Long(usize),
    /// The stream ends within a message.
    #[error("the client ended within a message")]
    Cut,
    /// Nothing was read for a long time.
    #[error("the client has read nothing for {} seconds", PATIENCE.as_secs())]
    Unread,
    /// The stream is closed.
    #[error("the client is gone")]
    Gone,
}

/// Reads the body of the next message; `None` where the stream ends between two.
pub(crate) fn read(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, WireError> {
    let mut length = None;
    let mut left = HEAD;
    let mut begun = false;
    loop {
        let mut line = Vec::new();
        let count = input.by_ref().take(left).read_until(b'\n', &mut line).map_err(WireError::Read)?;
        left -= count as u64;
        if count == 0 && left > 0 {
            return if begun { Err(WireError::Cut) } else { Ok(None) };
        }
        if !line.ends_with(b"\n") {
            return Err(if left == 0 { WireError::LongHead } else { WireError::Cut });
        }
        begun = true;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
    let length: usize = length.ok_or(WireError::NoLength)?;
    if length > BODY {
        return Err(WireError::Long(length));
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => WireError::Cut,
        _ => WireError::Read(error),
    })?;
    Ok(Some(body))
}

/// Writes a message.
pub(crate) fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

/// What comes from the client.
#[derive(Debug)]
pub(crate) enum Incoming {
    Message(Value),
    /// A body that is no JSON.
    Malformed(String),
    /// Nothing more will come.
    End(Option<WireError>),
}

/// The message of a body.
pub(crate) fn parse(body: &[u8]) -> Incoming {
    match serde_json::from_slice(body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Malformed(error.to_string()),
    }
}

/// What has come and was not looked at yet.
pub(crate) struct Mailbox {
    incoming: Receiver<Incoming>,
    waiting: VecDeque<Incoming>,
    ends: Box<dyn Fn() -> bool>,
}

impl Mailbox {
    /// `ends` returns true when the session is to end.
    pub(crate) fn new(incoming: Receiver<Incoming>, ends: Box<dyn Fn() -> bool>) -> Self {
        Self { incoming, waiting: VecDeque::new(), ends }
    }

    /// One into which nothing comes.
    pub(crate) fn closed(ends: Box<dyn Fn() -> bool>) -> Self {
        Self::new(mpsc::sync_channel(1).1, ends)
    }

    /// Returns what came next. Waits for it no longer than `longest`.
    pub(crate) fn take(&mut self, longest: Duration) -> Option<Incoming> {
        if let Some(waiting) = self.waiting.pop_front() {
            return Some(waiting);
        }
        match self.incoming.recv_timeout(longest) {
            Ok(incoming) => Some(incoming),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Incoming::End(None)),
        }
    }

    pub(crate) fn asked_to_end(&self) -> bool {
        (self.ends)()
    }

    /// Returns whether a command may go on: the next message stops it.
    pub(crate) fn is_quiet(&mut self) -> bool {
        if let Ok(incoming) = self.incoming.try_recv() {
            self.waiting.push_back(incoming);
        }
        self.waiting.is_empty() && !self.asked_to_end()
    }
}

/// Reads messages on a thread of its own. At most a few wait to be taken.
pub(crate) fn incoming(mut input: impl BufRead + Send + 'static) -> io::Result<Receiver<Incoming>> {
    let (sender, receiver) = mpsc::sync_channel(QUEUE);
    let body = move || {
        loop {
            let message = match read(&mut input) {
                Ok(Some(body)) => parse(&body),
                Ok(None) => Incoming::End(None),
                Err(error) => Incoming::End(Some(error)),
            };
            let is_end = matches!(message, Incoming::End(_));
            if sender.send(message).is_err() || is_end {
                return;
            }
        }
    };
    thread::Builder::new().name("client".into()).spawn(body)?;
    Ok(receiver)
}

/// Writes messages on a thread of its own, so that a client that does not read holds nothing up
/// for ever.
pub(crate) struct Outgoing {
    messages: SyncSender<Value>,
    written: Receiver<()>,
}

impl Outgoing {
    pub(crate) fn new(mut output: impl Write + Send + 'static) -> io::Result<Self> {
        let (messages, queue) = mpsc::sync_channel::<Value>(QUEUE);
        let (done, written) = mpsc::sync_channel(1);
        let body = move || {
            for message in queue {
                if write(&mut output, &message).is_err() {
                    break;
                }
            }
            let _ = done.send(());
        };
        thread::Builder::new().name("answers".into()).spawn(body)?;
        Ok(Self { messages, written })
    }

    pub(crate) fn send(&self, mut message: Value) -> Result<(), WireError> {
        let end = Instant::now() + PATIENCE;
        loop {
            message = match self.messages.try_send(message) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Disconnected(_)) => return Err(WireError::Gone),
                Err(TrySendError::Full(message)) => message,
            };
            if Instant::now() >= end {
                return Err(WireError::Unread);
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the last messages to be written, no longer than a moment.
    pub(crate) fn finish(self) {
        drop(self.messages);
        let _ = self.written.recv_timeout(FAREWELL);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_that_is_written_is_read() {
        let message = json!({ "seq": 1, "text": "é" });
        let mut bytes = Vec::new();
        write(&mut bytes, &message).expect("memory takes it");
        write(&mut bytes, &message).expect("memory takes it");
        let mut input = &bytes[..];
        for _ in 0..2 {
            let body = read(&mut input).expect("a message").expect("a message");
            assert_eq!(serde_json::from_slice::<Value>(&body).expect("JSON"), message);
        }
        assert!(read(&mut input).expect("an end").is_none());
    }

    #[test]
    fn heads_and_bodies_have_bounds() {
        let read = |bytes: &[u8]| read(&mut &bytes[..]);
        assert!(matches!(read(b"X: 1\r\n\r\n{}"), Err(WireError::NoLength)));
        assert!(matches!(read(b"Content-Length: -1\r\n\r\n{}"), Err(WireError::NoLength)));
        assert!(matches!(read(b"Content-Length: 99999999\r\n\r\n{}"), Err(WireError::Long(99_999_999))));
        assert!(matches!(read(b"Content-Length: 9\r\n\r\n{}"), Err(WireError::Cut)));
        assert!(matches!(read(b"Content-Length: 9"), Err(WireError::Cut)));
        assert!(matches!(read(&[b'x'; 5_000]), Err(WireError::LongHead)));
        assert!(matches!(read(b"content-length:2\nX: y\n\n{}"), Ok(Some(body)) if body == b"{}"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), length in 0_usize..300) {
            let _ = read(&mut &bytes[..]);
            let mut message = format!("Content-Length: {length}\r\n\r\n").into_bytes();
            message.extend(bytes);
            let _ = read(&mut &message[..]);
        }
    }
}
