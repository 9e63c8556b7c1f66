//! The call stack by functions and lines of the source, and what C keeps in each of them.

use nes::Console;

use super::calls::{Watch, chain};
use super::{Call, CallKind};
use crate::chain::{CallChain, Entered};
use crate::source::{Function, Home, SourceLine, Spot, Stored, Variables};
use crate::{Debugger, Space};

/// A function that has begun and has not returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackFrame {
    /// Its name, or that of the routine.
    pub name: String,
    /// The instruction that comes next in it; of those that called another one, the call.
    pub address: u16,
    /// The line of the source.
    pub line: Option<SourceLine>,
    /// By what it was called; `None` for the outermost.
    pub kind: Option<CallKind>,
    /// Where the stack of C stood when it began; `None` if it is not of C, or if that was longer
    /// ago than is remembered.
    base: Option<u16>,
    function: Option<usize>,
}

/// A variable of a function, and where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Where it lies; `None` where the function has just begun and its arguments are not in place,
    /// or began longer ago than is remembered.
    pub stored: Option<Stored>,
}

impl Local {
    /// Its value: of one or two bytes a number, of more the bytes.
    pub fn text(&self, console: &Console) -> String {
        self.stored.map_or_else(
            || "not known: the function has just begun, or longer ago than is remembered".to_owned(),
            |stored| stored.text(console),
        )
    }
}

impl Stored {
    /// Bytes of a long variable that are shown.
    const SHOWN: u16 = 16;

    /// Its value as a number, if it has one or two bytes; the first byte if its length is not
    /// known.
    pub fn value(self, console: &Console) -> Option<u16> {
        match self.bytes {
            0 | 1 => Some(console.peek(self.address).into()),
            2 => Some(self.word(console)),
            _ => None,
        }
    }

    fn word(self, console: &Console) -> u16 {
        u16::from_le_bytes([console.peek(self.address), console.peek(self.address.wrapping_add(1))])
    }

    /// Its value: of one or two bytes a number, of more the bytes.
    pub fn text(self, console: &Console) -> String {
        let number = |value: u16| crate::Notation::Both.text(value.into());
        if let (0, Some(value)) = (self.bytes, self.value(console)) {
            return format!("{}, or {} of two bytes", number(value), number(self.word(console)));
        }
        if let Some(value) = self.value(console) {
            return number(value);
        }
        let shown = (0..self.bytes.min(Self::SHOWN)).map(|at| console.peek(self.address.wrapping_add(at)));
        let shown: Vec<String> = shown.map(|byte| format!("{byte:02X}")).collect();
        format!("{}{}", shown.join(" "), if self.bytes > Self::SHOWN { " …" } else { "" })
    }
}

/// The call stack, the innermost first.
pub fn stack_frames(debugger: &Debugger) -> Vec<StackFrame> {
    let CallChain { calls, entered, .. } = chain(debugger);
    let sources = &debugger.sources;
    let banks = debugger.console().board.cartridge().prg_banks();
    let mut frames = Vec::new();
    for depth in (0..=calls.len()).rev() {
        let address = calls.get(depth).map_or(debugger.console().cpu.pc, |inner| inner.from);
        let call = depth.checked_sub(1).and_then(|outer| calls.get(outer));
        let function = sources.index_at(address, banks);
        let of_c = function.filter(|&index| sources.functions()[index].is_c);
        let base = of_c.and_then(|function| {
            let seen = entered.get(depth).copied().flatten();
            let base = seen.or_else(|| found(debugger, &calls[..depth]));
            base.filter(|entered| entered.function == function).map(|entered| entered.base)
        });
        let name = function.map_or_else(
            || debugger.symbols.text(call.map_or(address, |call| call.to)),
            |function| sources.functions()[function].name.clone(),
        );
        let line = sources.line_at(address, banks);
        frames.push(StackFrame { name, address, line, kind: call.map(|call| call.kind), base, function });
    }
    frames
}

/// The beginning of a function longer ago than the call stack was followed: the last keyframe at
/// which the innermost of `calls` was not on the stack, or nothing had been called, is run on to
/// the next.
fn found(debugger: &Debugger, calls: &[Call]) -> Option<Entered> {
    let console = debugger.console();
    let stack = |console: &Console, sp: u8| -> Vec<u8> {
        (u16::from(sp) + 1..=0xFF).map(|at| console.peek(0x100 + at)).collect()
    };
    let call = calls.last().map(|call| (call.sp, stack(console, call.sp)));
    let mut end = console.cycle();
    for keyframe in debugger.history.consoles().rev() {
        let begin = keyframe.cycle();
        if begin >= end {
            continue;
        }
        let was_there =
            call.as_ref().is_some_and(|(sp, bytes)| keyframe.cpu.sp <= *sp && stack(keyframe, *sp) == *bytes);
        if !was_there {
            let mut replay = debugger.replay(begin)?;
            let chain = CallChain::new(&replay.moment.console);
            let mut watch = Watch { chain, sources: &debugger.sources };
            replay.run_to(end, &mut watch, |_, _| {});
            let CallChain { calls, entered, .. } = &watch.chain;
            let depth = match &call {
                Some((sp, _)) => calls.iter().position(|call| call.sp == *sp).map(|at| at + 1),
                None => Some(0),
            };
            let seen = depth.and_then(|depth| entered.get(depth).copied().flatten());
            if seen.is_some() || call.is_some() {
                return seen;
            }
        }
        end = begin;
    }
    None
}

impl StackFrame {
    /// The function of the source that it is in.
    pub fn function<'a>(&self, debugger: &'a Debugger) -> Option<&'a Function> {
        debugger.sources.functions().get(self.function?)
    }

    /// The function's variables.
    pub fn locals(&self, debugger: &Debugger) -> Vec<Local> {
        let variables = self.function(debugger).map_or(&[][..], |function| &function.variables);
        let bank = debugger.symbols.address("regbank");
        let pushed = self.function(debugger).and_then(|function| pushed(debugger, function));
        let local = |variable: &crate::source::Variable| {
            let from =
                |base: Option<u16>, offset: i32| u16::try_from(i32::from(base?).checked_add(offset)?).ok();
            let address = match variable.home {
                Home::At(address) => Some(address),
                Home::Stack(offset) => from(self.base, offset),
                Home::Bank(offset) => from(bank, offset),
            };
            let bytes = match variable.home {
                Home::Stack(0) if variable.bytes == 0 => pushed.unwrap_or(0),
                _ => variable.bytes,
            };
            let stored = address.map(|address| Stored { address, bytes });
            Local { name: variable.name.clone(), stored }
        };
        variables.iter().map(local).collect()
    }

    /// Its variables that lie somewhere, for expressions.
    pub fn variables(&self, debugger: &Debugger) -> Variables {
        let locals = self.locals(debugger).into_iter();
        locals.filter_map(|local| Some((local.name, local.stored?))).collect()
    }

    /// Where and in what, as `main  main.c:12`.
    pub fn text(&self, debugger: &Debugger) -> String {
        let kind = match self.kind {
            Some(CallKind::Nmi) => "NMI ",
            Some(CallKind::Irq) => "IRQ ",
            _ => "",
        };
        let line = self.line.map_or_else(
            || debugger.symbols.address_and_name(self.address),
            |line| debugger.sources.text(line),
        );
        format!("{kind}{}  {line}", self.name)
    }
}

/// Bytes of the last argument of a function, by what its head puts on the stack of C.
fn pushed(debugger: &Debugger, function: &Function) -> Option<u16> {
    let Spot { address, place } = function.entry;
    let space = if place.is_some() { Space::Prg } else { Space::Cpu };
    let at = place.map_or(i64::from(address), i64::from);
    let byte = |offset| crate::space::peek(&debugger.console().board, space, at + offset);
    let target = u16::from_le_bytes([byte(1), byte(2)]);
    if function.body == function.entry {
        return None;
    }
    match debugger.symbols.at(target)?.name.as_str() {
        "pusha" => Some(1),
        "pushax" => Some(2),
        "pusheax" => Some(4),
        _ => None,
    }
}

/// The variables of each function of C on the stack of calls, a line each below the function's;
/// empty if there are none.
pub fn locals(debugger: &Debugger) -> String {
    let mut lines = Vec::new();
    for frame in stack_frames(debugger) {
        let locals = frame.locals(debugger);
        if locals.is_empty() {
            continue;
        }
        lines.push(frame.text(debugger));
        lines.extend(locals.iter().map(|local| {
            let place = local.stored.map_or_else(String::new, |stored| format!("${:04X}  ", stored.address));
            format!("  {place}{} = {}", local.name, local.text(debugger.console()))
        }));
    }
    lines.join("\n")
}

/// The source about a line: `before` lines above it and `after` below, with their numbers, and a
/// `>` at the line itself. `None` if the file could not be read.
pub fn source(debugger: &Debugger, line: SourceLine, before: u32, after: u32) -> Option<String> {
    let sources = &debugger.sources;
    sources.line_text(line)?;
    let first = line.line.saturating_sub(before).max(1);
    let mut lines = Vec::new();
    for number in first..=line.line.saturating_add(after) {
        let here = SourceLine { line: number, ..line };
        let Some(text) = sources.line_text(here) else { break };
        let mark = if here == line { '>' } else { ' ' };
        let code =
            if sources.lines_with_code(line.file, number, number).next().is_some() { '·' } else { ' ' };
        lines.push(format!("{mark}{number:>5} {code} {text}").trim_end().to_owned());
    }
    Some(lines.join("\n"))
}

impl Debugger {
    /// The line of the source that comes next.
    pub fn source_line(&self) -> Option<SourceLine> {
        let Console { cpu, board, .. } = self.console();
        self.sources.line_at(cpu.pc, board.cartridge().prg_banks())
    }

    /// Sets a variable of C: as many bytes of `value` as it has. `false` if it has more than two,
    /// or lies where nothing can be written.
    pub fn set_variable(&mut self, stored: Stored, value: i64) -> bool {
        if stored.bytes > 2 {
            return false;
        }
        let bytes = value.to_le_bytes();
        let mut places =
            (0..stored.bytes.max(1)).map(|at| (usize::from(stored.address.wrapping_add(at)), at));
        places.all(|(place, at)| self.poke(Space::Cpu, place, bytes[usize::from(at)]).is_some())
    }
}
