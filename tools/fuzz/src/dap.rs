//! Messages to the debugger for editors, as an editor may send them and as none would.

use std::path::PathBuf;

use dap::{Direct, Launch, OpenError, Opened, Opener, Store, WireError};
use nes::{Cartridge, Config};
use nes_debug::Debugger;
use nes_debug::command::CommandSession;
use serde_json::{Value, json};
use tetris::Profile;

use crate::bytes::{mutate, mutate_text};
use crate::choices::Choices;
use crate::reached::{came_to, reached, said};
use crate::texts::Disk;

/// Requests of a session, and frames that the machine runs behind each.
const REQUESTS: u32 = 10;
const FRAMES: u32 = 2;

/// Requests and what they carry.
const EXAMPLES: &[(&str, &str)] = &[
    ("initialize", r#"{"linesStartAt1": false, "columnsStartAt1": true, "supportsInvalidatedEvent": true}"#),
    ("launch", r#"{"rom": "homebrew.nes", "stopOnEntry": true, "symbols": [], "noDebug": false}"#),
    ("configurationDone", "{}"),
    ("threads", "{}"),
    ("disconnect", r#"{"restart": false}"#),
    ("terminate", "{}"),
    ("pause", r#"{"threadId": 1}"#),
    (
        "setBreakpoints",
        r#"{"source": {"path": "main.c", "name": "main.c"}, "breakpoints": [{"line": 15, "condition": "score >= 6",
            "hitCondition": ">= 2"}, {"line": 17, "logMessage": "score {score}, {[_ball_x]}"}]}"#,
    ),
    (
        "setFunctionBreakpoints",
        r#"{"breakpoints": [{"name": "doubled"}, {"name": "nmi", "hitCondition": "2"}]}"#,
    ),
    ("setInstructionBreakpoints", r#"{"breakpoints": [{"instructionReference": "0xC000", "offset": 2}]}"#),
    ("setDataBreakpoints", r#"{"breakpoints": [{"dataId": "0x0000-0x0400", "accessType": "readWrite"}]}"#),
    ("setExceptionBreakpoints", r#"{"filters": ["crash"]}"#),
    ("breakpointLocations", r#"{"source": {"path": "score.c"}, "line": 1, "endLine": 30}"#),
    ("loadedSources", "{}"),
    ("source", r#"{"source": {"path": "main.c"}, "sourceReference": 0}"#),
    ("picture", "{}"),
    ("continue", r#"{"threadId": 1}"#),
    ("next", r#"{"threadId": 1, "granularity": "line"}"#),
    ("stepIn", r#"{"threadId": 1, "granularity": "instruction"}"#),
    ("stepOut", "{}"),
    ("stepBack", r#"{"granularity": "statement"}"#),
    ("reverseContinue", "{}"),
    ("stackTrace", r#"{"threadId": 1, "startFrame": 0, "levels": 20}"#),
    ("scopes", r#"{"frameId": 1}"#),
    ("variables", r#"{"variablesReference": 3, "start": 0, "count": 5}"#),
    ("setVariable", r#"{"variablesReference": 3, "name": "PC", "value": "0xC000 + 1"}"#),
    ("setVariable", r#"{"variablesReference": 2, "name": "score", "value": "65535"}"#),
    ("evaluate", r#"{"expression": "score + [0x0044] * 2", "context": "watch", "frameId": 1}"#),
    ("evaluate", r#"{"expression": "frame 3", "context": "repl"}"#),
    ("evaluate", r#"{"expression": "break main if score > 1", "context": "repl"}"#),
    ("evaluate", r#"{"expression": "trace 20", "context": "repl"}"#),
    ("dataBreakpointInfo", r#"{"variablesReference": 2, "name": "score", "bytes": 2}"#),
    ("dataBreakpointInfo", r#"{"name": "0x0300", "asAddress": true, "bytes": 65535}"#),
    ("disassemble", r#"{"memoryReference": "0xC000", "instructionOffset": -8, "instructionCount": 16}"#),
    ("readMemory", r#"{"memoryReference": "ppu:0x2000", "offset": 4, "count": 64}"#),
    ("writeMemory", r#"{"memoryReference": "0x0300", "offset": 1, "data": "AQL/", "allowPartial": true}"#),
];

/// Values at which numbers and types go wrong.
const EDGES: [&str; 12] = [
    "0",
    "1",
    "-1",
    "65535",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "1e308",
    "null",
    "true",
    "\"\"",
    "[]",
];

/// The image and the debug file of our program in C, and two of its sources.
const IMAGE: &[u8] = include_bytes!("../../../roms/homebrew.nes");
const DEBUG: &str = include_str!("../../../roms/homebrew.dbg");
const SOURCES: [(&str, &str); 2] = [
    ("main.c", include_str!("../../../roms/homebrew/main.c")),
    ("score.c", include_str!("../../../roms/homebrew/score.c")),
];

impl Store for Disk {
    fn source_path(&self, name: &str) -> Option<PathBuf> {
        SOURCES.iter().any(|(known, _)| *known == name).then(|| name.into())
    }
}

/// Our program in C, or the built-in cartridge.
struct Programs;

impl Opener for Programs {
    fn open(&mut self, launch: &Launch) -> Result<Opened, OpenError> {
        let is_built_in = launch.rom.is_none();
        let image = if is_built_in { nes_testing::MAXOUT } else { IMAGE };
        let profile = Profile::of_image(image);
        let debugger = Debugger::new(Cartridge::from_bytes(image)?, Config::default(), profile);
        let mut session = CommandSession::new(debugger, image.to_vec());
        let mut disk = Disk::with(&SOURCES);
        if !is_built_in {
            session.load_symbols("homebrew.dbg", DEBUG, &mut disk)?;
        }
        Ok(Opened { session, files: Box::new(disk) })
    }
}

/// Requests, most of them changed, one after the other. Each that comes whole has one answer.
pub(crate) fn session(random: &mut Choices) {
    let mut client = Direct::new(Box::new(Programs), FRAMES);
    let mut seq = 0;
    if !random.one_in(16) {
        let rom = if random.one_in(2) { json!("homebrew.nes") } else { Value::Null };
        let launch = json!({ "rom": rom, "stopOnEntry": random.one_in(2) });
        for (command, arguments) in [("launch", launch), ("configurationDone", json!({}))] {
            seq += 1;
            let _ = client.take(&message(&request(seq, command, &arguments)));
        }
    }
    let mut last = 0;
    for _ in 0..=random.below(REQUESTS) {
        seq += 1;
        let (command, arguments) = random.pick(EXAMPLES);
        let mut arguments: Value = serde_json::from_str(arguments).expect("an example");
        change(&mut arguments, random);
        let mut body = request(seq, command, &arguments);
        let mut is_whole = true;
        if random.one_in(8) {
            body = mutate_text(&body, random);
            is_whole = false;
        }
        let mut bytes = message(&body);
        if random.one_in(16) {
            mutate(&mut bytes, random);
            is_whole = false;
        }
        let was_over = client.is_over();
        let sent = match client.take(&bytes) {
            Ok(sent) => sent,
            // The stream ends there.
            Err(error) => {
                let _ = reached::<(), WireError>(Err(error));
                return;
            }
        };
        let answers = sent.iter().filter(|message| message["type"] == "response");
        let answers: Vec<&Value> = answers.collect();
        if is_whole && !was_over {
            assert_eq!(answers.len(), 1, "{body}: {answers:?}");
            assert_eq!(answers[0]["request_seq"], seq, "{body}");
        }
        for answer in answers {
            match answer["message"].as_str() {
                Some(refused) => said(&format!("{} {refused}", answer["command"])),
                None => came_to(format!("{command} done")),
            }
        }
        for message in sent {
            let number = message["seq"].as_u64().expect("a number");
            assert!(number > last, "{number} behind {last}");
            last = number;
            if message["type"] == "event" {
                said(&format!("{} {}", message["event"], message["body"]["reason"]));
            }
        }
    }
}

fn request(seq: u32, command: &str, arguments: &Value) -> String {
    json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments }).to_string()
}

fn message(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Changes some of the values within one.
fn change(value: &mut Value, random: &mut Choices) {
    match value {
        Value::Object(entries) => {
            if random.one_in(12)
                && let Some(key) = entries.keys().nth(random.below(4) as usize).cloned()
            {
                entries.remove(&key);
            }
            entries.values_mut().for_each(|value| change(value, random));
        }
        Value::Array(values) => {
            if random.one_in(12) {
                let again = values.clone();
                (0..random.below(20)).for_each(|_| values.extend(again.iter().cloned()));
            }
            for value in values {
                change(value, random);
            }
        }
        Value::String(text) if random.one_in(4) => *text = mutate_text(text, random),
        Value::Number(_) if random.one_in(4) => *value = json!(random.below(0x1_0000)),
        _ if random.one_in(8) => {
            *value = serde_json::from_str(random.pick(&EDGES)).expect("a value");
        }
        _ => {}
    }
}
