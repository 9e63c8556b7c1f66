//! The session with a client: what it asks, what it is told, and the machine between.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use nes_debug::command::Session;
use nes_debug::view::{self, StackFrame};
use nes_debug::{Breakpoints, Goal, Stop};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::breakpoints::Points;
use super::launch::capabilities;
use super::protocol::{Initialize, Launch};
use super::refused::Refused;
use super::wire::{Incoming, Outgoing, WireError};
use crate::debug::Arguments;
use crate::debug::store::Disk;
use cli::interrupt::Interrupt;

/// The only thread: the CPU.
pub(super) const THREAD: i64 = 1;
/// How often Ctrl-C is looked for while nothing comes.
const TURN: Duration = Duration::from_millis(100);
/// How long the client may take to leave once the program has ended.
const LEAVE: Duration = Duration::from_secs(5);

/// A session with a client.
pub(super) struct Server {
    pub(super) arguments: Arguments,
    outgoing: Outgoing,
    /// Number of the last message.
    seq: i64,
    pub(super) initialized: Initialize,
    pub(super) session: Option<Session>,
    pub(super) disk: Disk,
    pub(super) points: Points,
    /// The call stack since the last stop, if it was asked for.
    pub(super) frames: Option<Vec<StackFrame>>,
    running: bool,
    configured: bool,
    pub(super) launched: Launch,
    /// When the next frame is due, if the program runs in real time.
    due: Instant,
    /// When the session ends, if the client has not left before.
    ending: Option<Instant>,
    over: bool,
    /// What a message wants done once it is answered.
    pub(super) after: Option<After>,
}

/// What happens behind the answer to a request.
#[derive(Debug)]
pub(super) enum After {
    Run(Goal),
    /// The machine went back, or was moved by a command.
    Stopped(Stop),
    Moved,
    Initialized,
    Configured,
    Terminated,
    Over,
}

/// Reads the arguments of a request.
pub(super) fn arguments<T: DeserializeOwned + Default>(request: &Value) -> Result<T, Refused> {
    match request.get("arguments") {
        None | Some(Value::Null) => Ok(T::default()),
        Some(arguments) => T::deserialize(arguments).map_err(|source| Refused::Arguments {
            request: request["command"].as_str().unwrap_or_default().to_owned(),
            source,
        }),
    }
}

impl Server {
    pub(super) fn new(arguments: Arguments, outgoing: Outgoing) -> Self {
        Self {
            arguments,
            outgoing,
            seq: 0,
            initialized: Initialize::default(),
            session: None,
            disk: Disk::default(),
            points: Points::default(),
            frames: None,
            running: false,
            configured: false,
            launched: Launch::default(),
            due: Instant::now(),
            ending: None,
            over: false,
            after: None,
        }
    }

    /// Answers requests and runs the machine until the client ends the session, is gone, or Ctrl-C
    /// was pressed.
    pub(super) fn serve(
        &mut self,
        incoming: &Receiver<Incoming>,
        interrupt: &Interrupt,
    ) -> Result<(), WireError> {
        while !self.over {
            if interrupt.asked() {
                return self.event("terminated", json!({}));
            }
            if self.ending.is_some_and(|end| Instant::now() >= end) {
                return Ok(());
            }
            let message = if self.running {
                match incoming.try_recv() {
                    Ok(message) => Some(message),
                    Err(TryRecvError::Empty) => None,
                    Err(TryRecvError::Disconnected) => return Ok(()),
                }
            } else {
                match incoming.recv_timeout(TURN) {
                    Ok(message) => Some(message),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            };
            match message {
                Some(Incoming::Message(message)) => self.take(&message)?,
                Some(Incoming::Malformed(error)) => {
                    self.output("stderr", &format!("a message of the client is no JSON: {error}"))?;
                }
                Some(Incoming::End(error)) => return error.map_or(Ok(()), Err),
                None if self.running => self.frame()?,
                None => {}
            }
        }
        Ok(())
    }

    /// Lets the last messages out.
    pub(super) fn finish(self) {
        self.outgoing.finish();
    }

    fn send(&mut self, mut message: Value) -> Result<(), WireError> {
        self.seq += 1;
        message["seq"] = json!(self.seq);
        self.outgoing.send(message)
    }

    fn event(&mut self, event: &str, body: Value) -> Result<(), WireError> {
        let mut message = json!({ "type": "event", "event": event });
        message["body"] = body;
        self.send(message)
    }

    fn output(&mut self, category: &str, text: &str) -> Result<(), WireError> {
        self.event("output", json!({ "category": category, "output": format!("{text}\n") }))
    }

    fn take(&mut self, request: &Value) -> Result<(), WireError> {
        if request["type"] != "request" {
            // Answers to requests of ours, of which there are none.
            return Ok(());
        }
        let command = request["command"].as_str().unwrap_or_default();
        let head = json!({ "type": "response", "request_seq": request["seq"], "command": command });
        let mut response = head;
        self.after = None;
        match self.answer(command, request) {
            Ok(body) => {
                response["success"] = json!(true);
                response["body"] = body;
            }
            Err(error) => {
                let text = error.to_string();
                response["success"] = json!(false);
                response["message"] = json!(text);
                // Braces stand for variables there.
                let format = text.replace(['{', '}'], "|");
                response["body"] = json!({ "error": { "id": 1, "format": format, "showUser": true } });
            }
        }
        self.send(response)?;
        match self.after.take() {
            None => Ok(()),
            Some(After::Run(goal)) => {
                self.run(&goal);
                Ok(())
            }
            Some(After::Stopped(stop)) => self.stopped(&stop),
            Some(After::Moved) => {
                self.frames = None;
                self.say_log()?;
                let body = json!({ "threadId": THREAD, "allThreadsContinued": true });
                self.event("continued", body)?;
                self.stopped(&Stop::Done)
            }
            Some(After::Initialized) => self.event("initialized", json!({})),
            Some(After::Configured) => self.begin(),
            Some(After::Terminated) => {
                self.running = false;
                self.ending = Some(Instant::now() + LEAVE);
                self.event("terminated", json!({}))?;
                self.event("exited", json!({ "exitCode": 0 }))
            }
            Some(After::Over) => {
                self.over = true;
                self.event("terminated", json!({}))?;
                self.event("exited", json!({ "exitCode": 0 }))
            }
        }
    }

    fn answer(&mut self, command: &str, request: &Value) -> Result<Value, Refused> {
        match command {
            "initialize" => {
                self.initialized = arguments(request)?;
                Ok(capabilities())
            }
            "launch" => self.launch(arguments(request)?),
            "configurationDone" => {
                self.session()?;
                self.after = Some(After::Configured);
                Ok(Value::Null)
            }
            "threads" => Ok(json!({ "threads": [{ "id": THREAD, "name": "6502" }] })),
            "disconnect" => {
                self.after = Some(After::Over);
                Ok(Value::Null)
            }
            "terminate" => {
                self.after = Some(After::Terminated);
                Ok(Value::Null)
            }
            "pause" => {
                self.session()?;
                if self.running {
                    self.after = Some(After::Stopped(Stop::Interrupted));
                }
                Ok(Value::Null)
            }
            "setBreakpoints" => self.set_lines(&arguments(request)?),
            "setFunctionBreakpoints" => self.set_functions(&arguments(request)?),
            "setInstructionBreakpoints" => self.set_instructions(&arguments(request)?),
            "setDataBreakpoints" => self.set_data(&arguments(request)?),
            "setExceptionBreakpoints" => self.set_exceptions(&arguments(request)?),
            "breakpointLocations" => self.locations(&arguments(request)?),
            "loadedSources" => self.loaded_sources(),
            "source" => self.source(&arguments(request)?),
            // A picture of the screen, for the extension.
            "picture" => self.picture(),
            _ => self.answer_stopped(command, request),
        }
    }

    /// What is answered only while the program stands.
    fn answer_stopped(&mut self, command: &str, request: &Value) -> Result<Value, Refused> {
        type Answer = fn(&mut Server, &super::protocol::Arguments) -> Result<Value, Refused>;
        let answer: Answer = match command {
            "continue" => Self::continue_run,
            "next" => Self::next,
            "stepIn" => Self::step_in,
            "stepOut" => Self::step_out,
            "stepBack" => Self::step_back,
            "reverseContinue" => Self::reverse_continue,
            "stackTrace" => Self::stack_trace,
            "scopes" => Self::scopes,
            "variables" => Self::variables,
            "setVariable" => Self::set_variable,
            "evaluate" => Self::evaluate,
            "dataBreakpointInfo" => Self::data_breakpoint_info,
            "disassemble" => Self::disassemble,
            "readMemory" => Self::read_memory,
            "writeMemory" => Self::write_memory,
            _ => return Err(Refused::Unknown(command.to_owned())),
        };
        self.session()?;
        if self.running {
            return Err(Refused::Running);
        }
        answer(self, &arguments(request)?)
    }

    pub(super) fn session(&mut self) -> Result<&mut Session, Refused> {
        self.session.as_mut().ok_or(Refused::NotLaunched)
    }

    /// The client has set its breakpoints: the program begins.
    fn begin(&mut self) -> Result<(), WireError> {
        if std::mem::replace(&mut self.configured, true) {
            return Ok(());
        }
        if self.launched.no_debug
            && let Some(session) = &mut self.session
        {
            session.debugger.breakpoints.clear();
        }
        if self.launched.stop_on_entry {
            let body = json!({
                "reason": "entry", "threadId": THREAD, "allThreadsStopped": true,
                "description": "The console was switched on",
            });
            return self.event("stopped", body);
        }
        self.run(&Goal::Free);
        Ok(())
    }

    fn run(&mut self, goal: &Goal) {
        if let Some(session) = &mut self.session {
            session.debugger.begin_run(goal);
            self.running = true;
            self.frames = None;
            self.due = Instant::now();
        }
    }

    /// Runs a frame, or what is left of it.
    fn frame(&mut self) -> Result<(), WireError> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let stop = session.debugger.frame();
        session.debugger.note_banks();
        let region = session.debugger.console().region();
        self.say_log()?;
        if let Some(stop) = stop {
            return self.stopped(&stop);
        }
        if self.launched.real_time {
            // As long as a frame of the console takes; what is late is not caught up.
            self.due += Duration::from_secs_f64(1.0 / region.frame_rate());
            let now = Instant::now();
            match self.due.checked_duration_since(now) {
                Some(wait) => thread::sleep(wait.min(TURN)),
                None => self.due = now,
            }
        }
        Ok(())
    }

    /// Tells what breakpoints have logged.
    fn say_log(&mut self) -> Result<(), WireError> {
        let lines = self.session.as_mut().map(|session| session.debugger.log.take()).unwrap_or_default();
        if lines.is_empty() { Ok(()) } else { self.output("console", &lines.join("\n")) }
    }

    fn stopped(&mut self, stop: &Stop) -> Result<(), WireError> {
        self.running = false;
        self.frames = None;
        let Some(session) = &mut self.session else { return Ok(()) };
        session.debugger.note_banks();
        let text = view::stop(&session.debugger, stop);
        let (reason, description) = match stop {
            Stop::Done | Stop::Limit => ("step", "The step is done"),
            Stop::Breakpoint { number, .. } => self.points.reason(*number),
            Stop::Event { number: Some(Breakpoints::CRASH), .. } => ("exception", "The game has crashed"),
            Stop::Event { .. } => ("breakpoint", "The game has done what was waited for"),
            Stop::Interrupted => ("pause", "Paused"),
            Stop::Jammed => ("exception", "The CPU has jammed: only a reset helps"),
            Stop::Oldest => ("step", "Nothing older is remembered"),
        };
        let mut body = json!({
            "reason": reason, "description": description, "text": text,
            "threadId": THREAD, "allThreadsStopped": true,
        });
        if let Stop::Breakpoint { number, .. } | Stop::Event { number: Some(number), .. } = stop {
            body["hitBreakpointIds"] = json!([number]);
        }
        if *stop == Stop::Oldest {
            self.output("console", &text)?;
        }
        self.event("stopped", body)
    }

    /// The path of a source file of the debug file, if it is found.
    pub(super) fn source_path(&self, name: &str) -> Option<PathBuf> {
        self.disk.source_path(name).map(|path| std::path::absolute(&path).unwrap_or(path))
    }

    /// A source file as the protocol has it.
    pub(super) fn source_value(&self, file: usize) -> Value {
        let name = self.session.as_ref().and_then(|session| session.debugger.sources.files().get(file));
        let name = name.map_or("", String::as_str);
        let short = Path::new(name).file_name().map_or(name.into(), |name| name.to_string_lossy());
        let mut source = json!({ "name": short });
        match self.source_path(name) {
            Some(path) => source["path"] = json!(path),
            None => source["presentationHint"] = json!("deemphasize"),
        }
        source
    }

    /// A line as the client counts it.
    pub(super) fn line_out(&self, line: u32) -> i64 {
        i64::from(line) - i64::from(!self.initialized.lines_start_at1)
    }

    /// A line of the client's, counted from 1.
    pub(super) fn line_in(&self, line: i64) -> u32 {
        u32::try_from(line.saturating_add(i64::from(!self.initialized.lines_start_at1))).unwrap_or(0)
    }
}
