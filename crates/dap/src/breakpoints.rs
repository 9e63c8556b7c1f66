//! The client's breakpoints: of lines, functions, instructions, data, and of the game's crash.

use std::collections::BTreeMap;

use nes_debug::command::CommandSession;
use nes_debug::source::{SourceLine, Spot};
use nes_debug::{Breakpoint, Breakpoints, Expression, LogMessage, Trigger};
use serde_json::{Value, json};

use crate::memory::{Reference, data_id, of_data_id};
use crate::protocol::{Arguments, SetBreakpoints, SetExceptions, Source, Terms, Wanted};
use crate::refused::Refused;
use crate::server::Server;

/// What a breakpoint was set by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    /// Lines of a file, by its path.
    Lines(String),
    Functions,
    Instructions,
    Data,
}

/// The numbers of the client's breakpoints.
#[derive(Debug, Default)]
pub(crate) struct Points {
    of: BTreeMap<Owner, Vec<u32>>,
}

impl Points {
    /// Why a breakpoint of this number stops, in the protocol's words and in ours.
    pub(crate) fn reason(&self, number: u32) -> (&'static str, &'static str) {
        let owner = self.of.iter().find(|(_, numbers)| numbers.contains(&number)).map(|(owner, _)| owner);
        match owner {
            Some(Owner::Functions) => ("function breakpoint", "Paused on a function"),
            Some(Owner::Instructions) => ("instruction breakpoint", "Paused on an instruction"),
            Some(Owner::Data) => ("data breakpoint", "Paused behind an access"),
            Some(Owner::Lines(_)) | None => ("breakpoint", "Paused on a breakpoint"),
        }
    }
}

/// Why a breakpoint is not set.
#[derive(Debug, thiserror::Error)]
enum Unset {
    #[error("no source file of the debug file has this name")]
    NoFile,
    #[error("no code was made from this line or one behind it")]
    NoCode,
    #[error("{0}: no function and no label has this name")]
    NoFunction(String),
    #[error("{0}: expected an address, as 0x8000")]
    NoAddress(String),
    #[error("the condition: {0}")]
    Condition(nes_debug::ExpressionError),
    #[error("the message: {0}")]
    Message(nes_debug::ExpressionError),
    #[error("{0}: expected a number of hits, as 5, >= 5, > 5 or == 5")]
    Hits(String),
}

/// A breakpoint with its condition, hits and message.
fn on(session: &CommandSession, trigger: Trigger, terms: &Terms) -> Result<Breakpoint, Unset> {
    let mut breakpoint = Breakpoint::new(trigger);
    let names = session.debugger.names();
    let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    if let Some(text) = given(&terms.condition) {
        breakpoint.condition = Some(Expression::parse(text.trim(), &names).map_err(Unset::Condition)?);
    }
    if let Some(text) = given(&terms.hit_condition) {
        (breakpoint.pass, breakpoint.once) = hits(text.trim()).ok_or(Unset::Hits(text))?;
    }
    if let Some(text) = given(&terms.log_message) {
        breakpoint.log_only = true;
        breakpoint.message = Some(LogMessage::parse(&text, &names).map_err(Unset::Message)?);
    }
    Ok(breakpoint)
}

/// How many hits pass before the breakpoint stops, and whether it stops only once.
fn hits(text: &str) -> Option<(u64, bool)> {
    let signs = [(">=", false, 1), ("==", true, 1), (">", false, 0), ("=", true, 1), ("", false, 1)];
    let (rest, once, less) =
        signs.iter().find_map(|(sign, once, less)| Some((text.strip_prefix(sign)?, *once, *less)))?;
    let number: u64 = rest.trim().parse().ok()?;
    Some((number.checked_sub(less)?, once))
}

impl Server {
    /// Replaces the breakpoints of `owner`, each made by `make` with what the client is told of it.
    fn replace(
        &mut self,
        owner: Owner,
        wanted: &[Wanted],
        make: impl Fn(&Self, &CommandSession, &Wanted) -> Result<(Trigger, Value), Unset>,
    ) -> Result<Value, Refused> {
        let Some(mut session) = self.session.take() else { return Err(Refused::NotLaunched) };
        for number in self.points.of.remove(&owner).unwrap_or_default() {
            session.debugger.breakpoints.remove(number);
        }
        let (mut numbers, mut answers) = (Vec::new(), Vec::new());
        for wanted in wanted {
            let made = make(self, &session, wanted)
                .and_then(|(trigger, answer)| Ok((on(&session, trigger, &wanted.terms)?, answer)));
            answers.push(match made {
                Ok((breakpoint, mut answer)) => {
                    let number = session.debugger.breakpoints.add(breakpoint);
                    numbers.push(number);
                    answer["id"] = json!(number);
                    answer["verified"] = json!(true);
                    answer
                }
                Err(error) => {
                    json!({ "verified": false, "message": error.to_string(), "reason": "failed" })
                }
            });
        }
        self.points.of.insert(owner, numbers);
        self.session = Some(session);
        Ok(json!({ "breakpoints": answers }))
    }

    pub(crate) fn set_lines(&mut self, arguments: &SetBreakpoints) -> Result<Value, Refused> {
        let file = self.file_of(&arguments.source)?;
        let owner = Owner::Lines(
            file.map_or_else(|| arguments.source.path.clone().unwrap_or_default(), |file| file.to_string()),
        );
        self.replace(owner, &arguments.breakpoints, |server, session, wanted| {
            let sources = &session.debugger.sources;
            let asked = SourceLine { file: file.ok_or(Unset::NoFile)?, line: server.line_in(wanted.line) };
            let line = sources.next_with_code(asked).ok_or(Unset::NoCode)?;
            let trigger = Trigger::Source { line: sources.text(line), spots: sources.spots(line) };
            let answer = json!({
                "line": server.line_out(line.line),
                "source": { "path": arguments.source.path, "name": arguments.source.name },
            });
            Ok((trigger, answer))
        })
    }

    /// The file of the debug file that the client means.
    fn file_of(&mut self, source: &Source) -> Result<Option<usize>, Refused> {
        let sources = &self.session()?.debugger.sources;
        let path = source.path.as_deref().and_then(|path| sources.file(path));
        Ok(path.or_else(|| sources.file(source.name.as_deref()?)))
    }

    pub(crate) fn set_functions(&mut self, arguments: &SetBreakpoints) -> Result<Value, Refused> {
        self.replace(Owner::Functions, &arguments.breakpoints, |_, session, wanted| {
            let debugger = &session.debugger;
            let name = wanted.name.trim();
            let function = debugger.sources.function(name).map(|function| function.body);
            let label = || {
                let label = debugger.symbols.label(name)?;
                Some(Spot { address: label.address, place: label.place })
            };
            let spot = function.or_else(label).ok_or_else(|| Unset::NoFunction(name.to_owned()))?;
            let trigger = Trigger::Source { line: name.to_owned(), spots: vec![spot] };
            Ok((trigger, json!({ "instructionReference": format!("0x{:04X}", spot.address) })))
        })
    }

    pub(crate) fn set_instructions(&mut self, arguments: &SetBreakpoints) -> Result<Value, Refused> {
        self.replace(Owner::Instructions, &arguments.breakpoints, |_, _, wanted| {
            let text = &wanted.instruction_reference;
            let address = Reference::parse(text).and_then(|reference| reference.address(wanted.offset));
            let address = address.ok_or_else(|| Unset::NoAddress(text.clone()))?;
            let answer = json!({ "instructionReference": format!("0x{address:04X}") });
            Ok((Trigger::Execute(address..=address), answer))
        })
    }

    pub(crate) fn set_data(&mut self, arguments: &SetBreakpoints) -> Result<Value, Refused> {
        self.replace(Owner::Data, &arguments.breakpoints, |_, _, wanted| {
            let at = of_data_id(&wanted.data_id).ok_or_else(|| Unset::NoAddress(wanted.data_id.clone()))?;
            let (reads, writes) = match wanted.access_type.as_deref() {
                Some("read") => (true, false),
                Some("readWrite") => (true, true),
                _ => (false, true),
            };
            Ok((Trigger::Memory { at, reads, writes }, json!({})))
        })
    }

    pub(crate) fn set_exceptions(&mut self, arguments: &SetExceptions) -> Result<Value, Refused> {
        let wanted = arguments.filters.iter().any(|filter| filter == "crash");
        self.session()?.debugger.breakpoints.enable(Breakpoints::CRASH, wanted);
        Ok(json!({}))
    }

    /// Whether and how accesses to a variable, or to an address, can be waited for.
    pub(crate) fn data_breakpoint_info(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let stored = if arguments.variables_reference > 0 {
            self.stored(arguments.variables_reference, &arguments.name)?
        } else if arguments.as_address {
            self.address_of(&arguments.name)?.map(|address| (address, 1))
        } else {
            self.named(arguments.frame_id, &arguments.name)?
        };
        let Some((address, bytes)) = stored else {
            return Ok(
                json!({ "dataId": null, "description": format!("{}: it lies in no memory", arguments.name) }),
            );
        };
        let asked = arguments.bytes.and_then(|bytes| u16::try_from(bytes).ok());
        let id = data_id(address, asked.unwrap_or(bytes));
        let description = format!("{} ({id})", arguments.name);
        let access = ["read", "write", "readWrite"];
        Ok(json!({ "dataId": id, "description": description, "accessTypes": access, "canPersist": true }))
    }

    /// The lines of a part of a file that have code.
    pub(crate) fn locations(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let file = self.file_of(&arguments.source)?;
        let first = self.line_in(arguments.line);
        let last = arguments.end_line.map_or(first, |line| self.line_in(line));
        let sources = &self.session()?.debugger.sources;
        let lines: Vec<u32> =
            file.map(|file| sources.lines_with_code(file, first, last).collect()).unwrap_or_default();
        let lines: Vec<Value> =
            lines.into_iter().map(|line| json!({ "line": self.line_out(line) })).collect();
        Ok(json!({ "breakpoints": lines }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_conditions_are_numbers_with_signs() {
        assert_eq!(
            (hits("5"), hits(">= 5"), hits("> 5")),
            (Some((4, false)), Some((4, false)), Some((5, false)))
        );
        assert_eq!((hits("==5"), hits("= 1")), (Some((4, true)), Some((0, true))));
        assert_eq!((hits("0"), hits("% 5"), hits(""), hits(">= -1")), (None, None, None, None));
    }
}
