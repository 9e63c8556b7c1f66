//! Requests that look at the stopped machine: call stack, variables, expressions.

use nes_debug::command::Command;
use nes_debug::expression::{Group, Names, Quantity};
use nes_debug::source::{Stored, Variables};
use nes_debug::view::{self, StackFrame};
use nes_debug::{Expression, Notation, Register};
use serde_json::{Value, json};

use crate::memory::Reference;
use crate::protocol::Arguments;
use crate::refused::Refused;
use crate::server::{After, Server};

/// What a scope shows. The number is part of the reference that the client is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Locals = 1,
    Globals,
    Registers,
    Flags,
    Ppu,
    Game,
}

/// Scopes of a frame, at most.
const SCOPES: i64 = 8;

impl Scope {
    const ALL: [Self; 6] = [Self::Locals, Self::Globals, Self::Registers, Self::Flags, Self::Ppu, Self::Game];

    const fn name(self) -> &'static str {
        match self {
            Self::Locals => "Locals",
            Self::Globals => "Globals of C",
            Self::Registers => "Registers",
            Self::Flags => "CPU flags",
            Self::Ppu => "PPU",
            Self::Game => "Game",
        }
    }

    /// The scope and the index of the frame that a reference means.
    fn of(reference: i64) -> Option<(Self, usize)> {
        let scope = Self::ALL.into_iter().find(|scope| *scope as i64 == reference % SCOPES)?;
        Some((scope, usize::try_from(reference / SCOPES).ok()?))
    }

    const fn reference(self, frame: usize) -> i64 {
        frame as i64 * SCOPES + self as i64
    }
}

const REGISTERS: [(&str, Register); 6] = [
    ("A", Register::A),
    ("X", Register::X),
    ("Y", Register::Y),
    ("SP", Register::Sp),
    ("P", Register::P),
    ("PC", Register::Pc),
];

/// Flags of P by their bits.
const FLAGS: [(&str, u8); 6] = [("N", 0x80), ("V", 0x40), ("D", 0x08), ("I", 0x04), ("Z", 0x02), ("C", 0x01)];

/// A value without a memory of its own.
fn plain(name: &str, value: &str) -> Value {
    json!({ "name": name, "value": value, "variablesReference": 0 })
}

fn variable(name: &str, stored: Stored, value: &str) -> Value {
    let kind = match stored.bytes {
        0 => "1 byte or more".to_owned(),
        1 => "1 byte".to_owned(),
        bytes => format!("{bytes} bytes"),
    };
    json!({
        "name": name, "value": value, "type": kind, "evaluateName": name, "variablesReference": 0,
        "memoryReference": format!("0x{:04X}", stored.address),
    })
}

impl Server {
    /// The call stack, the innermost first.
    fn stack(&mut self) -> Result<&[StackFrame], Refused> {
        if self.frames.is_none() {
            let frames = view::stack_frames(&self.session()?.debugger);
            self.frames = Some(frames);
        }
        Ok(self.frames.as_deref().unwrap_or_default())
    }

    /// The frame of that number, which counts from 1; the innermost if none is named.
    fn stack_frame(&mut self, id: Option<i64>) -> Result<Option<StackFrame>, Refused> {
        let index = id.map_or(Some(0), |id| usize::try_from(id.checked_sub(1)?).ok());
        let frames = self.stack()?;
        Ok(index.and_then(|index| frames.get(index)).cloned())
    }

    /// The variables of a frame, for expressions.
    fn locals_of(&mut self, id: Option<i64>) -> Result<Variables, Refused> {
        let frame = self.stack_frame(id)?;
        let debugger = &self.session()?.debugger;
        Ok(frame.map(|frame| frame.variables(debugger)).unwrap_or_default())
    }

    pub(crate) fn stack_trace(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let frames = self.stack()?.to_vec();
        let first = usize::try_from(arguments.start_frame).unwrap_or(0);
        let count = usize::try_from(arguments.levels).ok().filter(|levels| *levels > 0).unwrap_or(usize::MAX);
        let shown: Vec<Value> = frames
            .iter()
            .enumerate()
            .skip(first)
            .take(count)
            .map(|(index, frame)| {
                let mut value = json!({
                    "id": index + 1, "name": frame.name, "line": 0, "column": 0,
                    "instructionPointerReference": format!("0x{:04X}", frame.address),
                });
                if let Some(line) = frame.line {
                    value["source"] = self.source_value(line.file);
                    value["line"] = json!(self.line_out(line.line));
                    value["column"] = json!(i64::from(self.initialized.columns_start_at1));
                } else {
                    value["presentationHint"] = json!("subtle");
                }
                value
            })
            .collect();
        Ok(json!({ "stackFrames": shown, "totalFrames": frames.len() }))
    }

    pub(crate) fn scopes(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let frame = self.stack_frame(arguments.frame_id)?;
        // Of a frame that there is not, a number may be any.
        let id = arguments.frame_id.filter(|_| frame.is_some());
        let index = id.and_then(|id| usize::try_from(id.checked_sub(1)?).ok()).unwrap_or(0);
        let debugger = &self.session()?.debugger;
        let has = |scope: Scope| match scope {
            Scope::Locals => frame.as_ref().is_some_and(|frame| !frame.locals(debugger).is_empty()),
            Scope::Globals => !debugger.sources.globals().is_empty(),
            Scope::Game => debugger.profile().is_some(),
            _ => true,
        };
        let scopes: Vec<Value> = Scope::ALL
            .into_iter()
            .filter(|scope| has(*scope))
            .map(|scope| {
                let mut value = json!({
                    "name": scope.name(), "variablesReference": scope.reference(index), "expensive": false,
                });
                match scope {
                    Scope::Locals => value["presentationHint"] = json!("locals"),
                    Scope::Registers => value["presentationHint"] = json!("registers"),
                    _ => {}
                }
                value
            })
            .collect();
        Ok(json!({ "scopes": scopes }))
    }

    pub(crate) fn variables(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let reference = arguments.variables_reference;
        let (scope, frame) =
            Scope::of(reference).ok_or_else(|| Refused::NoVariable(reference.to_string()))?;
        let variables = match scope {
            Scope::Locals => self.shown_locals(frame)?,
            Scope::Globals => self.shown_globals()?,
            Scope::Registers => self.shown_registers()?,
            Scope::Flags => self.shown_flags()?,
            Scope::Ppu => self.shown_ppu()?,
            Scope::Game => self.shown_game()?,
        };
        Ok(json!({ "variables": variables }))
    }

    fn shown_locals(&mut self, frame: usize) -> Result<Vec<Value>, Refused> {
        let frame = self.stack()?.get(frame).cloned();
        let debugger = &self.session()?.debugger;
        let locals = frame.map(|frame| frame.locals(debugger)).unwrap_or_default();
        let shown = |local: &view::Local| {
            let text = local.text(debugger.console());
            local
                .stored
                .map_or_else(|| plain(&local.name, &text), |stored| variable(&local.name, stored, &text))
        };
        Ok(locals.iter().map(shown).collect())
    }

    fn shown_globals(&mut self) -> Result<Vec<Value>, Refused> {
        let debugger = &self.session()?.debugger;
        let globals = debugger.sources.globals().iter();
        Ok(globals.map(|(name, stored)| variable(name, *stored, &stored.text(debugger.console()))).collect())
    }

    fn shown_registers(&mut self) -> Result<Vec<Value>, Refused> {
        let cpu = &self.session()?.debugger.console().cpu;
        let values = [cpu.a.into(), cpu.x.into(), cpu.y.into(), cpu.sp.into(), cpu.p.bits().into(), cpu.pc];
        let shown = |((name, _), value): (&(&str, Register), u16)| match value {
            _ if *name == "PC" => {
                let mut shown = plain(name, &format!("${value:04X}"));
                shown["memoryReference"] = json!(format!("0x{value:04X}"));
                shown
            }
            _ => plain(name, &Notation::Both.text(value.into())),
        };
        Ok(REGISTERS.iter().zip(values).map(shown).collect())
    }

    fn shown_flags(&mut self) -> Result<Vec<Value>, Refused> {
        let bits = self.session()?.debugger.console().cpu.p.bits();
        Ok(FLAGS.iter().map(|(name, bit)| plain(name, if bits & bit == 0 { "0" } else { "1" })).collect())
    }

    fn shown_ppu(&mut self) -> Result<Vec<Value>, Refused> {
        let console = self.session()?.debugger.console();
        let chips = console.board.caught_up();
        let (v, t, fine_x, toggle) = chips.ppu().scroll();
        let (control, mask) = chips.ppu().control_and_mask();
        Ok([
            ("frame", console.frame_number().to_string()),
            ("scanline", chips.ppu().scanline().to_string()),
            ("dot", chips.ppu().dot().to_string()),
            ("cycle", console.cycle().to_string()),
            ("v", format!("${:04X}", v.bits())),
            ("t", format!("${:04X}", t.bits())),
            ("x", fine_x.to_string()),
            ("w", u8::from(toggle).to_string()),
            ("PPUCTRL", format!("${:02X}", control.bits())),
            ("PPUMASK", format!("${:02X}", mask.bits())),
        ]
        .iter()
        .map(|(name, value)| plain(name, value))
        .collect())
    }

    fn shown_game(&mut self) -> Result<Vec<Value>, Refused> {
        let debugger = &self.session()?.debugger;
        let (names, scene) = (debugger.names(), debugger.scene());
        let shown = |name: &str| {
            let value = Expression::parse(name, &names).ok()?.value(&scene);
            let piece = matches!(name, "piece" | "next").then(|| u8::try_from(value).ok());
            let letter = piece.flatten().and_then(tetris::Piece::from_number).map(tetris::Piece::letter);
            let text = match letter {
                Some(letter) => format!("{letter} ({value})"),
                None => Notation::Both.text(value),
            };
            let mut value = plain(name, &text);
            value["evaluateName"] = json!(name);
            Some(value)
        };
        let game = Quantity::ALL.iter().filter(|(_, group, ..)| *group == Group::Game);
        Ok(game.filter_map(|(_, _, name, _)| shown(name)).collect())
    }

    /// Address and bytes of a variable of a scope.
    pub(crate) fn stored(&mut self, reference: i64, name: &str) -> Result<Option<(u16, u16)>, Refused> {
        let stored = match Scope::of(reference) {
            Some((Scope::Locals, frame)) => self.locals_of(i64::try_from(frame + 1).ok())?.get(name).copied(),
            Some((Scope::Globals, _)) => self.session()?.debugger.sources.globals().get(name).copied(),
            _ => None,
        };
        Ok(stored.map(|stored| (stored.address, stored.bytes)))
    }

    /// Address and bytes of a variable, of a label, or of the byte that an expression is.
    pub(crate) fn named(&mut self, frame: Option<i64>, text: &str) -> Result<Option<(u16, u16)>, Refused> {
        let locals = self.locals_of(frame)?;
        let debugger = &self.session()?.debugger;
        let name = text.trim();
        let stored = locals.get(name).or_else(|| debugger.sources.globals().get(name));
        if let Some(stored) = stored {
            return Ok(Some((stored.address, stored.bytes)));
        }
        if let Some(label) = debugger.symbols.label(name.trim_start_matches('@')) {
            return Ok(Some((label.address, label.bytes)));
        }
        let inner = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        match inner {
            Some(inner) => Ok(self.address_of(inner)?.map(|address| (address, 1))),
            None => Ok(None),
        }
    }

    /// The address that an expression is.
    pub(crate) fn address_of(&mut self, text: &str) -> Result<Option<u16>, Refused> {
        if let Some(reference) = Reference::parse(text) {
            return Ok(reference.address(0));
        }
        let debugger = &self.session()?.debugger;
        let value = Expression::parse(text, &debugger.names())?.value(&debugger.scene());
        Ok(u16::try_from(value).ok())
    }

    pub(crate) fn set_variable(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let value = self.value(None, &arguments.value)?;
        let name = arguments.name.as_str();
        let (scope, frame) =
            Scope::of(arguments.variables_reference).ok_or_else(|| Refused::NoVariable(name.to_owned()))?;
        let unknown = || Refused::NoVariable(name.to_owned());
        let shown = match scope {
            Scope::Registers => {
                let (_, register) =
                    REGISTERS.into_iter().find(|(known, _)| *known == name).ok_or_else(unknown)?;
                self.session()?.debugger.set(register, value as u16);
                self.shown_registers()?
            }
            Scope::Flags => {
                let (_, bit) = FLAGS.into_iter().find(|(known, _)| *known == name).ok_or_else(unknown)?;
                let debugger = &mut self.session()?.debugger;
                let bits = debugger.console().cpu.p.bits();
                let bits = if value == 0 { bits & !bit } else { bits | bit };
                debugger.set(Register::P, bits.into());
                self.shown_flags()?
            }
            Scope::Locals | Scope::Globals => {
                let stored = self.stored(arguments.variables_reference, name)?;
                let (address, bytes) = stored.ok_or_else(unknown)?;
                if !self.session()?.debugger.set_variable(Stored { address, bytes }, value) {
                    return Err(Refused::NotSettable(name.to_owned()));
                }
                if scope == Scope::Locals { self.shown_locals(frame)? } else { self.shown_globals()? }
            }
            Scope::Ppu | Scope::Game => return Err(Refused::NotSettable(name.to_owned())),
        };
        let now = shown.into_iter().find(|shown| shown["name"] == name).ok_or_else(unknown)?;
        Ok(json!({ "value": now["value"], "variablesReference": 0 }))
    }

    /// The value of an expression in a frame.
    fn value(&mut self, frame: Option<i64>, text: &str) -> Result<i64, Refused> {
        let locals = self.locals_of(frame)?;
        let debugger = &self.session()?.debugger;
        let names = Names { locals: Some(&locals), ..debugger.names() };
        Ok(Expression::parse(text.trim(), &names)?.value(&debugger.scene()))
    }

    pub(crate) fn evaluate(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let text = arguments.expression.trim();
        let frame = arguments.frame_id;
        let locals = self.locals_of(frame)?;
        let debugger = &self.session()?.debugger;
        // What is long has a value of its own.
        if let Some(stored) = locals.get(text).or_else(|| debugger.sources.globals().get(text))
            && (locals.contains_key(text) || Quantity::from_name(text).is_none())
        {
            let shown = variable(text, *stored, &stored.text(debugger.console()));
            return Ok(json!({
                "result": shown["value"], "type": shown["type"], "variablesReference": 0,
                "memoryReference": shown["memoryReference"],
            }));
        }
        let is_command = arguments.context == "repl" && {
            let first = text.split_whitespace().next().unwrap_or_default();
            let whole = Quantity::from_name(text).is_some();
            Command::of_name(first).is_some_and(|command| command.name == first) && !whole
        };
        if is_command {
            return self.command(text);
        }
        match self.value(frame, text) {
            Ok(value) => {
                let mut body = json!({ "result": Notation::Both.text(value), "variablesReference": 0 });
                if let Ok(address) = u16::try_from(value) {
                    body["memoryReference"] = json!(format!("0x{address:04X}"));
                }
                Ok(body)
            }
            Err(_) if arguments.context == "repl" && is_other_name(text) => self.command(text),
            Err(error) => Err(error),
        }
    }

    /// Carries out a line of the command language. The client's next message stops what runs.
    fn command(&mut self, line: &str) -> Result<Value, Refused> {
        let Self { session, files, mailbox, .. } = self;
        let (Some(session), Some(files)) = (session, files) else { return Err(Refused::NotLaunched) };
        let before = (session.debugger.console().cycle(), session.debugger.console().cpu.pc);
        let reply = session.execute(line, files.as_mut(), &mut || mailbox.is_quiet())?;
        let moved = before != (session.debugger.console().cycle(), session.debugger.console().cpu.pc);
        self.frames = None;
        if reply.quits {
            self.after = Some(After::Terminated);
        } else if moved {
            self.after = Some(After::Moved);
        }
        Ok(json!({ "result": reply.text, "variablesReference": 0 }))
    }
}

/// Whether a line begins with another name of a command.
fn is_other_name(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|first| Command::of_name(first).is_some())
}
