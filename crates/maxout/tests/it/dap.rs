//! `maxout debug --dap` as an editor uses it: a client that speaks the Debug Adapter Protocol.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const ROMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms");
/// How long an answer may take on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(120);

struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Events that came before they were waited for.
    events: Vec<Value>,
    seq: i64,
}

/// The next message; `None` where there are no more.
fn message(input: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().expect("a length"),
            Some(other) => panic!("{other:?}"),
            None => break,
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).expect("a whole message");
    Some(serde_json::from_slice(&body).expect("JSON"))
}

impl Client {
    fn new(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_maxout"))
            .args(["debug", "--dap"])
            .args(arguments)
            .current_dir(ROMS)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = message(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, messages, events: Vec::new(), seq: 0 }
    }

    fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the program reads");
    }

    fn send(&mut self, command: &str, arguments: Value) {
        self.seq += 1;
        let mut request = json!({ "seq": self.seq, "type": "request", "command": command });
        request["arguments"] = arguments;
        let body = request.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn next(&self) -> Value {
        self.messages.recv_timeout(PATIENCE).expect("a message in time")
    }

    /// The answer to a request, whatever it says.
    fn answer(&mut self, command: &str, arguments: Value) -> Value {
        self.send(command, arguments);
        loop {
            let message = self.next();
            if message["type"] == "response" {
                assert_eq!(
                    (&message["request_seq"], &message["command"]),
                    (&json!(self.seq), &json!(command))
                );
                return message;
            }
            self.events.push(message);
        }
    }

    /// The body of an answer that has to be a good one.
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let answer = self.answer(command, arguments);
        assert_eq!(answer["success"], true, "{command}: {answer}");
        answer["body"].clone()
    }

    /// What is said of a request that cannot be carried out.
    fn refused(&mut self, command: &str, arguments: Value) -> String {
        let answer = self.answer(command, arguments);
        assert_eq!(answer["success"], false, "{command}: {answer}");
        assert_eq!(answer["body"]["error"]["showUser"], true, "{answer}");
        answer["message"].as_str().expect("a message").to_owned()
    }

    /// The next event of that name.
    fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at)["body"].clone();
            }
            let message = self.next();
            assert_eq!(message["type"], "event", "{message}");
            self.events.push(message);
        }
    }

    /// Moves the machine and waits until it stands.
    fn moves(&mut self, command: &str) -> Value {
        self.ask(command, json!({ "threadId": 1 }));
        self.event("stopped")
    }

    fn launched(launch: Value) -> Self {
        let mut client = Self::new(&[]);
        let capabilities = client.ask("initialize", json!({ "adapterID": "maxout", "linesStartAt1": true }));
        assert_eq!(capabilities["supportsStepBack"], true);
        client.ask("launch", launch);
        client.event("initialized");
        client
    }

    fn frames(&mut self) -> Vec<(String, i64)> {
        let body = self.ask("stackTrace", json!({ "threadId": 1 }));
        let frames = body["stackFrames"].as_array().expect("frames").iter();
        frames
            .map(|frame| (frame["name"].as_str().unwrap().to_owned(), frame["line"].as_i64().unwrap()))
            .collect()
    }

    /// Line and file of the innermost frame.
    fn at(&mut self) -> String {
        let body = self.ask("stackTrace", json!({ "threadId": 1, "startFrame": 0, "levels": 1 }));
        let frame = &body["stackFrames"][0];
        format!("{}:{}", frame["source"]["name"].as_str().unwrap_or("none"), frame["line"])
    }

    fn scope(&mut self, frame: i64, name: &str) -> (i64, Vec<(String, String)>) {
        let scopes = self.ask("scopes", json!({ "frameId": frame }));
        let scopes = scopes["scopes"].as_array().expect("scopes");
        let scope = scopes.iter().find(|scope| scope["name"] == name).expect(name);
        let reference = scope["variablesReference"].as_i64().expect("a reference");
        (reference, self.values(reference))
    }

    fn values(&mut self, reference: i64) -> Vec<(String, String)> {
        let body = self.ask("variables", json!({ "variablesReference": reference }));
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let variables = body["variables"].as_array().expect("variables").iter();
        variables.map(|variable| (text(&variable["name"]), text(&variable["value"]))).collect()
    }

    fn evaluate(&mut self, expression: &str, context: &str) -> String {
        let body =
            self.ask("evaluate", json!({ "expression": expression, "context": context, "frameId": 1 }));
        body["result"].as_str().expect("a text").to_owned()
    }

    /// Waits for the program to end.
    fn ended(mut self) -> (ExitStatus, String) {
        let end = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            assert!(Instant::now() < end, "the program goes on");
            std::thread::sleep(Duration::from_millis(10));
        };
        let mut said = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        (status, said)
    }
}

fn homebrew() -> Value {
    json!({ "rom": "homebrew.nes", "sourceRoot": "homebrew", "stopOnEntry": false })
}

fn lines(path: &str, lines: &[Value]) -> Value {
    json!({ "source": { "path": path }, "breakpoints": lines })
}

#[test]
fn a_program_in_c_is_debugged_by_lines_forwards_and_back() {
    let mut client = Client::launched(homebrew());
    let score = format!("{ROMS}/homebrew/score.c");
    let body = client.ask("setBreakpoints", lines(&score, &[json!({ "line": 14 }), json!({ "line": 18 })]));
    assert_eq!(body["breakpoints"][0]["line"], 15, "the next line with code: {body}");
    assert!(body["breakpoints"].as_array().unwrap().iter().all(|set| set["verified"] == true), "{body}");
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    client.ask("configurationDone", json!({}));
    let stopped = client.event("stopped");
    assert_eq!((&stopped["reason"], &stopped["hitBreakpointIds"]), (&json!("breakpoint"), &json!([1])));
    assert_eq!(client.ask("threads", json!({}))["threads"][0]["id"], 1);
    assert_eq!(client.at(), "score.c:15");
    assert_eq!(client.moves("continue")["hitBreakpointIds"], json!([2]));
    let frames = client.frames();
    assert_eq!(frames[..2], [("add_points".to_owned(), 18), ("main".to_owned(), 17)]);
    let body = client.ask("stackTrace", json!({ "threadId": 1 }));
    let path = body["stackFrames"][0]["source"]["path"].as_str().expect("a path");
    let read = std::fs::read_to_string(path).expect("the file");
    assert!(read.contains("void add_points"), "{path}");

    // Over the line, into the function that it calls, out of it, and back.
    assert_eq!(client.moves("next")["reason"], "step");
    assert_eq!(client.at(), "score.c:17");
    client.moves("stepBack");
    assert_eq!(client.at(), "score.c:18");
    client.moves("stepIn");
    assert_eq!(client.at(), "score.c:10");
    client.moves("stepOut");
    assert_eq!(client.at(), "score.c:18");
    assert_eq!(client.moves("continue")["reason"], "breakpoint");
    assert_eq!(client.moves("continue")["reason"], "breakpoint");
    let (locals, values) = client.scope(1, "Locals");
    let value = |values: &[(String, String)], name: &str| {
        values.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).expect("a variable")
    };
    assert_eq!((value(&values, "i").as_str(), value(&values, "sum").as_str()), ("2", "4"));
    assert_eq!(client.moves("reverseContinue")["reason"], "breakpoint");
    let (_, values) = client.scope(1, "Locals");
    assert_eq!((value(&values, "i").as_str(), value(&values, "sum").as_str()), ("1", "2"));
    let (_, of_main) = client.scope(2, "Locals");
    assert_eq!(value(&of_main, "bounces"), "1");

    // Values are looked at and changed.
    assert_eq!(client.evaluate("sum + i * 100", "watch"), "102 ($66)");
    assert_eq!(client.evaluate("score", "hover"), "0");
    let set = json!({ "variablesReference": locals, "name": "sum", "value": "0x1234" });
    assert_eq!(client.ask("setVariable", set)["value"], "4660 ($1234)");
    assert_eq!(client.evaluate("sum", "watch"), "4660 ($1234)");
    let (registers, values) = client.scope(1, "Registers");
    assert!(value(&values, "PC").starts_with("$80"));
    let set = json!({ "variablesReference": registers, "name": "X", "value": "3 * 4" });
    assert_eq!(client.ask("setVariable", set)["value"], "12 ($0C)");
    let (flags, _) = client.scope(1, "CPU flags");
    client.ask("setVariable", json!({ "variablesReference": flags, "name": "C", "value": "1" }));
    assert_eq!(client.evaluate("flag.c * 10 + @sp", "repl"), "26 ($1A)");
    assert!(client.scope(1, "PPU").1.iter().any(|(name, _)| name == "scanline"));
    assert!(client.evaluate("stack", "repl").contains("add_points"));
    let (_, globals) = client.scope(1, "Globals of C");
    assert_eq!(value(&globals, "score"), "0");

    // Memory.
    let read = |client: &mut Client, reference: &str, offset: i64, count: i64| {
        let arguments = json!({ "memoryReference": reference, "offset": offset, "count": count });
        client.ask("readMemory", arguments)
    };
    let write = json!({ "memoryReference": "0x0400", "offset": 1, "data": "AQL/" });
    assert_eq!(client.ask("writeMemory", write)["bytesWritten"], 3);
    assert_eq!(read(&mut client, "0x0400", 1, 3)["data"], "AQL/");
    assert_eq!(read(&mut client, "oam:0xFE", 0, 4)["unreadableBytes"], 2);
    assert_eq!(read(&mut client, "prg:0x10000", 0, 1)["data"], "");
    let body = client.ask(
        "disassemble",
        json!({ "memoryReference": "0xC000", "instructionOffset": -2, "instructionCount": 6 }),
    );
    let shown = body["instructions"].as_array().expect("instructions");
    assert_eq!(
        (shown.len(), &shown[2]["address"], &shown[2]["instruction"]),
        (6, &json!("0xC000"), &json!("SEI"))
    );
    assert_eq!((&shown[2]["instructionBytes"], &shown[2]["symbol"]), (&json!("78"), &json!("reset")));
    assert!(shown[2]["location"]["name"] == "start.s" && shown[2]["line"] == 38, "{body}");

    client.ask("disconnect", json!({}));
    client.event("terminated");
    client.event("exited");
    assert_eq!(client.ended().0.code(), Some(0));
}

#[test]
fn breakpoints_of_every_kind_stop_or_tell() {
    let mut client = Client::launched(homebrew());
    let main = lines(
        "/somewhere/else/main.c",
        &[
            json!({ "line": 15, "condition": "score >= 6", "hitCondition": ">= 2" }),
            json!({
                "line": 17, "logMessage": "score {score}, speed {[_ball_x]}"
            }),
        ],
    );
    client.ask("setBreakpoints", main);
    client.ask("configurationDone", json!({}));
    assert_eq!(client.event("stopped")["reason"], "breakpoint");
    assert_eq!((client.at(), client.evaluate("score", "watch")), ("main.c:15".into(), "18 ($12)".into()));
    let said = client.event("output")["output"].as_str().expect("text").to_owned();
    assert!(said.starts_with("score 0, speed "), "{said}");
    client.ask("setBreakpoints", lines("main.c", &[]));

    client
        .ask("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "doubled" }, { "name": "nmi" }] }));
    assert_eq!(client.moves("continue")["reason"], "function breakpoint");
    client.ask("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "doubled" }] }));
    client.moves("continue");
    assert_eq!(client.at(), "score.c:10");
    client.ask("setFunctionBreakpoints", json!({ "breakpoints": [] }));

    let body = client.ask("dataBreakpointInfo", json!({ "name": "score", "frameId": 1 }));
    let id = body["dataId"].clone();
    client.ask("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": id, "accessType": "write" }] }));
    let stopped = client.moves("continue");
    assert_eq!(stopped["reason"], "data breakpoint");
    assert!(stopped["text"].as_str().is_some_and(|text| text.contains(": wrote $")), "{stopped}");
    client.ask("setDataBreakpoints", json!({ "breakpoints": [] }));

    let set = json!({ "breakpoints": [{ "instructionReference": "0xC000", "offset": 0 }, { "instructionReference": "x" }] });
    let body = client.ask("setInstructionBreakpoints", set);
    assert_eq!(
        (&body["breakpoints"][0]["verified"], &body["breakpoints"][1]["verified"]),
        (&json!(true), &json!(false))
    );
    client.ask("continue", json!({ "threadId": 1 }));
    assert!(client.refused("variables", json!({ "variablesReference": 3 })).contains("is running"));
    client.ask("pause", json!({ "threadId": 1 }));
    assert_eq!(client.event("stopped")["reason"], "pause");
    assert!(client.evaluate("reset", "repl").starts_with("$C000 reset"), "a command moves the machine");
    client.event("continued");
    assert_eq!(
        (client.event("stopped")["reason"].clone(), client.at()),
        (json!("step"), "start.s:38".into())
    );

    client.ask("terminate", json!({}));
    client.event("terminated");
    drop(client.input.take());
    assert_eq!(client.ended().0.code(), Some(0));
}

#[test]
fn the_built_in_game_has_its_scope_and_stops_on_entry() {
    let mut client = Client::launched(json!({ "stopOnEntry": true }));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.event("stopped")["reason"], "entry");
    let body = client.ask("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "spawn" }] }));
    assert_eq!(body["breakpoints"][0]["verified"], true);
    client.moves("continue");
    let (_, game) = client.scope(1, "Game");
    assert!(game.iter().any(|(name, value)| name == "level" && value == "0"), "{game:?}");
    client.moves("next");
    client.moves("stepBack");
    assert!(client.evaluate("pc == @spawn", "watch") == "1", "by instructions where no line is known");
    let picture = client.ask("picture", json!({}));
    assert!(picture["data"].as_str().is_some_and(|data| data.starts_with("iVBOR")), "a PNG");
    // Back beyond the beginning there is nothing.
    client.ask("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    assert_eq!(client.moves("reverseContinue")["description"], "Nothing older is remembered");
}

#[test]
fn requests_that_cannot_be_carried_out_say_why_and_the_session_goes_on() {
    let mut client = Client::new(&[]);
    assert!(client.refused("stackTrace", json!({})).contains("send `launch` first"));
    assert!(client.refused("nonsense", json!({})).starts_with("nonsense: expected a request"));
    assert!(client.refused("launch", json!({ "rom": "no.nes" })).contains("no.nes: no such file"));
    assert!(client.refused("launch", json!({ "rom": 5 })).starts_with("launch: "));
    let wrong = client.refused("launch", json!({ "rom": "homebrew.nes", "debugFile": "homebrew/main.c" }));
    assert!(wrong.contains("main.c: no labels: expected"), "{wrong}");
    client.ask("launch", homebrew());
    assert!(client.refused("launch", homebrew()).contains("already"));
    client.raw(b"Content-Length: 9\r\n\r\nno JSON {");
    assert!(client.event("output")["output"].as_str().is_some_and(|text| text.contains("no JSON")));
    let body = client.ask(
        "setBreakpoints",
        lines(
            "main.c",
            &[
                json!({ "line": 900 }),
                json!({ "line": 12, "condition": "1 +" }),
                json!({ "line": 12, "hitCondition": "often" }),
                json!({ "line": 12, "logMessage": "{score" }),
            ],
        ),
    );
    let why: Vec<&str> =
        body["breakpoints"].as_array().unwrap().iter().map(|set| set["message"].as_str().unwrap()).collect();
    assert!(why[0].starts_with("no code") && why[1].starts_with("the condition: column 4"), "{why:?}");
    assert!(why[2].starts_with("often: expected a number") && why[3].starts_with("the message: "), "{why:?}");
    let body = client.ask("setBreakpoints", lines("other.c", &[json!({ "line": 1 })]));
    assert_eq!(body["breakpoints"][0]["verified"], false);
    let refusals = [
        (
            "evaluate",
            json!({ "expression": "nothing + 1", "context": "watch" }),
            "no register, quantity or symbol",
        ),
        ("evaluate", json!({ "expression": "break", "context": "repl" }), "expected an address"),
        ("readMemory", json!({ "memoryReference": "rom:1", "count": 1 }), "expected an address as 0x8000"),
        (
            "writeMemory",
            json!({ "memoryReference": "0x2000", "data": "AQ==" }),
            "nothing can be written there",
        ),
        ("writeMemory", json!({ "memoryReference": "0x0000", "data": "?" }), "Base64"),
        ("disassemble", json!({ "memoryReference": "ppu:0", "instructionCount": 1 }), "expected an address"),
        ("variables", json!({ "variablesReference": 8 }), "no such variable"),
        ("setVariable", json!({ "variablesReference": 5, "name": "dot", "value": "1" }), "cannot be set"),
        ("setVariable", json!({ "variablesReference": 3, "name": "B", "value": "1" }), "no such variable"),
        ("source", json!({ "source": { "path": "/etc/hostname" } }), "cannot be read"),
    ];
    for (request, arguments, why) in refusals {
        let said = client.refused(request, arguments.clone());
        assert!(said.contains(why), "{request} {arguments}: {said}");
    }
    client.ask("disconnect", json!({}));
    assert_eq!(client.ended().0.code(), Some(0));
}

#[test]
fn a_client_that_goes_away_ends_the_program_also_while_it_runs() {
    let mut client = Client::launched(homebrew());
    client.ask("configurationDone", json!({}));
    drop(client.input.take());
    assert_eq!(client.ended().0.code(), Some(0));

    let mut client = Client::new(&[]);
    client.raw(b"Content-Length: 99999999999\r\n\r\n");
    let (status, said) = client.ended();
    assert_eq!(status.code(), Some(2));
    assert!(said.contains("expected at most 4194304"), "{said}");
}
