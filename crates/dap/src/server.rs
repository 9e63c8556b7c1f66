//! The session with a client: what it asks, what it is told, and the machine between.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use nes_debug::command::CommandSession;
use nes_debug::view::{self, StackFrame};
use nes_debug::{Breakpoints, Goal, Stop};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::breakpoints::Points;
use crate::launch::capabilities;
use crate::protocol::{Initialize, Launch};
use crate::refused::Refused;
use crate::wire::{self, Incoming, Mailbox, Outgoing, WireError};
use crate::{Opener, Store};

/// The only thread: the CPU.
pub(crate) const THREAD: i64 = 1;
/// How often Ctrl-C is looked for while nothing comes.
const TURN: Duration = Duration::from_millis(100);
/// How long the client may take to leave once the program has ended.
const LEAVE: Duration = Duration::from_secs(5);

/// A session with a client.
pub(crate) struct Server {
    pub(crate) opener: Box<dyn Opener>,
    /// What the client has sent.
    pub(crate) mailbox: Mailbox,
    /// What it is to be sent.
    sent: Vec<Value>,
    /// Number of the last message.
    seq: i64,
    pub(crate) initialized: Initialize,
    pub(crate) session: Option<CommandSession>,
    /// The files of the program, once there is one.
    pub(crate) files: Option<Box<dyn Store>>,
    pub(crate) points: Points,
    /// The call stack since the last stop, if it was asked for.
    pub(crate) frames: Option<Vec<StackFrame>>,
    running: bool,
    configured: bool,
    pub(crate) launched: Launch,
    /// When the next frame is due, if the program runs in real time.
    due: Instant,
    /// When the session ends, if the client has not left before.
    ending: Option<Instant>,
    over: bool,
    /// What a message wants done once it is answered.
    pub(crate) after: Option<After>,
}

/// What happens behind the answer to a request.
#[derive(Debug)]
pub(crate) enum After {
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
pub(crate) fn arguments<T: DeserializeOwned + Default>(request: &Value) -> Result<T, Refused> {
    match request.get("arguments") {
        None | Some(Value::Null) => Ok(T::default()),
        Some(arguments) => T::deserialize(arguments).map_err(|source| Refused::Arguments {
            request: request["command"].as_str().unwrap_or_default().to_owned(),
            source,
        }),
    }
}

/// Serves one client until it ends the session, is gone, or `ends` returns true.
///
/// # Errors
/// When the streams cannot be read or written any more. A client that is gone is no error.
pub fn serve(
    opener: Box<dyn Opener>,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    ends: Box<dyn Fn() -> bool>,
) -> Result<(), WireError> {
    let incoming = wire::incoming(input).map_err(WireError::Thread)?;
    let outgoing = Outgoing::new(output).map_err(WireError::Thread)?;
    let outcome = Server::new(opener, Mailbox::new(incoming, ends)).serve(&outgoing);
    // Lets the last messages out.
    outgoing.finish();
    match outcome {
        // It ends the session, whatever it was about to hear.
        Err(WireError::Gone) => Ok(()),
        outcome => outcome,
    }
}

impl Server {
    pub(crate) fn new(opener: Box<dyn Opener>, mailbox: Mailbox) -> Self {
        Self {
            opener,
            mailbox,
            sent: Vec::new(),
            seq: 0,
            initialized: Initialize::default(),
            session: None,
            files: None,
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

    /// Answers requests and runs the machine until the client ends the session, is gone, or the
    /// front end asks it to end.
    fn serve(&mut self, outgoing: &Outgoing) -> Result<(), WireError> {
        while !self.over {
            if self.mailbox.asked_to_end() {
                self.event("terminated", json!({}));
                return self.send_all(outgoing);
            }
            if self.ending.is_some_and(|end| Instant::now() >= end) {
                return Ok(());
            }
            let message = self.mailbox.take(if self.running { Duration::ZERO } else { TURN });
            match message {
                Some(Incoming::End(error)) => return error.map_or(Ok(()), Err),
                Some(message) => self.receive(message)?,
                None => {
                    self.frame();
                    self.keep_time();
                }
            }
            self.send_all(outgoing)?;
        }
        Ok(())
    }

    /// Takes what comes from the client.
    pub(crate) fn receive(&mut self, incoming: Incoming) -> Result<(), WireError> {
        match incoming {
            Incoming::Message(message) => self.take(&message),
            Incoming::Malformed(error) => {
                self.output("stderr", &format!("a message of the client is no JSON: {error}"));
            }
            Incoming::End(error) => {
                self.over = true;
                return error.map_or(Ok(()), Err);
            }
        }
        Ok(())
    }

    fn send_all(&mut self, outgoing: &Outgoing) -> Result<(), WireError> {
        self.take_sent().into_iter().try_for_each(|message| outgoing.send(message))
    }

    /// Returns what the client is to be sent since the last call.
    pub(crate) fn take_sent(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.sent)
    }

    pub(crate) const fn is_over(&self) -> bool {
        self.over
    }

    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = json!(self.seq);
        self.sent.push(message);
    }

    fn event(&mut self, event: &str, body: Value) {
        let mut message = json!({ "type": "event", "event": event });
        message["body"] = body;
        self.send(message);
    }

    fn output(&mut self, category: &str, text: &str) {
        self.event("output", json!({ "category": category, "output": format!("{text}\n") }));
    }

    fn take(&mut self, request: &Value) {
        if request["type"] != "request" {
            // Answers to requests of ours, of which there are none.
            return;
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
        self.send(response);
        match self.after.take() {
            None => {}
            Some(After::Run(goal)) => self.run(&goal),
            Some(After::Stopped(stop)) => self.stopped(&stop),
            Some(After::Moved) => {
                self.frames = None;
                self.say_log();
                let body = json!({ "threadId": THREAD, "allThreadsContinued": true });
                self.event("continued", body);
                self.stopped(&Stop::Done);
            }
            Some(After::Initialized) => self.event("initialized", json!({})),
            Some(After::Configured) => self.begin(),
            Some(After::Terminated) => {
                self.running = false;
                self.ending = Some(Instant::now() + LEAVE);
                self.event("terminated", json!({}));
                self.event("exited", json!({ "exitCode": 0 }));
            }
            Some(After::Over) => {
                self.over = true;
                self.event("terminated", json!({}));
                self.event("exited", json!({ "exitCode": 0 }));
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
        type Answer = fn(&mut Server, &crate::protocol::Arguments) -> Result<Value, Refused>;
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

    pub(crate) fn session(&mut self) -> Result<&mut CommandSession, Refused> {
        self.session.as_mut().ok_or(Refused::NotLaunched)
    }

    /// The client has set its breakpoints: the program begins.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.configured, true) {
            return;
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
            self.event("stopped", body);
            return;
        }
        self.run(&Goal::Free);
    }

    fn run(&mut self, goal: &Goal) {
        if let Some(session) = &mut self.session {
            session.debugger.begin_run(goal);
            self.running = true;
            self.frames = None;
            self.due = Instant::now();
        }
    }

    /// Runs a frame, or what is left of it, while the program runs.
    pub(crate) fn frame(&mut self) {
        let Some(session) = self.session.as_mut().filter(|_| self.running) else { return };
        let stop = session.debugger.frame();
        session.debugger.note_banks();
        self.say_log();
        if let Some(stop) = stop {
            self.stopped(&stop);
        }
    }

    /// Waits until the next frame is due, if the program runs in real time.
    fn keep_time(&mut self) {
        let Some(session) = self.session.as_ref().filter(|_| self.running && self.launched.real_time) else {
            return;
        };
        // As long as a frame of the console takes; what is late is not caught up.
        self.due += Duration::from_secs_f64(1.0 / session.debugger.console().region().frame_rate());
        let now = Instant::now();
        match self.due.checked_duration_since(now) {
            Some(wait) => thread::sleep(wait.min(TURN)),
            None => self.due = now,
        }
    }

    /// Tells what breakpoints have logged.
    fn say_log(&mut self) {
        let lines = self.session.as_mut().map(|session| session.debugger.log.take()).unwrap_or_default();
        if !lines.is_empty() {
            self.output("console", &lines.join("\n"));
        }
    }

    fn stopped(&mut self, stop: &Stop) {
        self.running = false;
        self.frames = None;
        let Some(session) = &mut self.session else { return };
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
            self.output("console", &text);
        }
        self.event("stopped", body);
    }

    /// The path of a source file of the debug file, if it is found.
    pub(crate) fn source_path(&self, name: &str) -> Option<PathBuf> {
        self.files.as_ref()?.source_path(name).map(|path| std::path::absolute(&path).unwrap_or(path))
    }

    /// A source file as the protocol has it.
    pub(crate) fn source_value(&self, file: usize) -> Value {
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
    pub(crate) fn line_out(&self, line: u32) -> i64 {
        i64::from(line) - i64::from(!self.initialized.lines_start_at1)
    }

    /// A line of the client's, counted from 1.
    pub(crate) fn line_in(&self, line: i64) -> u32 {
        u32::try_from(line.saturating_add(i64::from(!self.initialized.lines_start_at1))).unwrap_or(0)
    }
}
