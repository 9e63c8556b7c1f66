//! Requests about memory: bytes, instructions, sources and the picture.

use std::ops::RangeInclusive;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use nes::Palette;
use nes_debug::Space;
use nes_debug::view;
use serde_json::{Value, json};

use crate::protocol::Arguments;
use crate::refused::Refused;
use crate::server::Server;

/// Bytes that are read at once, at most.
const BYTES: i64 = 1 << 20;
/// Instructions that are shown at once, at most.
const INSTRUCTIONS: i64 = 4096;
/// Bytes of the longest instruction.
const LONGEST: i64 = 3;

/// A place in a memory, as clients name it: `0x8000`, `ppu:0x2000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    space: Space,
    at: i64,
}

impl Reference {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (space, digits) = match text.split_once(':') {
            Some((name, digits)) => (Space::from_name(name)?, digits),
            None => (Space::Cpu, text),
        };
        let digits = digits.trim();
        let hexadecimal = ["0x", "0X", "$"].iter().find_map(|prefix| digits.strip_prefix(prefix));
        let at = match hexadecimal {
            Some(digits) => i64::from_str_radix(digits, 16).ok()?,
            None => digits.parse().ok()?,
        };
        (0..=i64::from(u32::MAX)).contains(&at).then_some(Self { space, at })
    }

    /// The CPU's address so many bytes behind it.
    pub(crate) fn address(self, offset: i64) -> Option<u16> {
        u16::try_from(self.at.checked_add(offset)?).ok().filter(|_| self.space == Space::Cpu)
    }

    fn text(self) -> String {
        let digits = format!("0x{:04X}", self.at);
        if self.space == Space::Cpu { digits } else { format!("{}:{digits}", self.space.name()) }
    }
}

/// The name of `bytes` bytes at an address, by which they are waited for.
pub(crate) fn data_id(address: u16, bytes: u16) -> String {
    let last = address.saturating_add(bytes.max(1) - 1);
    format!("0x{address:04X}-0x{last:04X}")
}

/// The addresses of such a name.
pub(crate) fn of_data_id(text: &str) -> Option<RangeInclusive<u16>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let address = |text: &str| Reference::parse(text)?.address(0);
    let (first, last) = (address(first)?, address(last)?);
    (first <= last).then_some(first..=last)
}

impl Server {
    fn reference(arguments: &Arguments) -> Result<Reference, Refused> {
        let text = &arguments.memory_reference;
        let reference = Reference::parse(text);
        let moved = reference.and_then(|reference| {
            let at = reference.at.checked_add(arguments.offset)?;
            Some(Reference { at, ..reference })
        });
        moved.ok_or_else(|| Refused::Address(text.clone()))
    }

    pub(crate) fn read_memory(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let reference = Self::reference(arguments)?;
        let count = arguments.count.clamp(0, BYTES) as usize;
        let bytes = reference.space.bytes(self.session()?.debugger.console());
        let begin = usize::try_from(reference.at).unwrap_or(bytes.len()).min(bytes.len());
        let end = begin.saturating_add(count).min(bytes.len());
        let unreadable = count - (end - begin);
        let mut body = json!({
            "address": reference.text(), "data": BASE64_STANDARD.encode(&bytes[begin..end]),
        });
        if unreadable > 0 {
            body["unreadableBytes"] = json!(unreadable);
        }
        Ok(body)
    }

    pub(crate) fn write_memory(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let reference = Self::reference(arguments)?;
        let data = BASE64_STANDARD.decode(&arguments.data).map_err(|_| Refused::Base64)?;
        let debugger = &mut self.session()?.debugger;
        let board = &debugger.console().board;
        let place = |index: usize| usize::try_from(reference.at).ok()?.checked_add(index);
        let length = reference.space.len(board);
        let can = |index: usize| {
            place(index).is_some_and(|at| at < length && reference.space.place(board, at).is_some())
        };
        let fit = (0..data.len()).take_while(|&index| can(index)).count();
        if fit < data.len() && !(arguments.allow_partial && fit > 0) {
            let at = reference.at.saturating_add(fit as i64);
            return Err(Refused::ReadOnly(Reference { at, ..reference }.text()));
        }
        for (index, byte) in data[..fit].iter().enumerate() {
            if let Some(at) = place(index) {
                debugger.poke(reference.space, at, *byte);
            }
        }
        self.frames = None;
        Ok(json!({ "bytesWritten": fit }))
    }

    pub(crate) fn disassemble(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let reference = Self::reference(arguments)?;
        if reference.space != Space::Cpu {
            return Err(Refused::Address(arguments.memory_reference.clone()));
        }
        let count = arguments.instruction_count.clamp(0, INSTRUCTIONS) as usize;
        let offset = arguments.instruction_offset.clamp(-INSTRUCTIONS, INSTRUCTIONS);
        let debugger = &self.session()?.debugger;
        let pivot = reference.at.clamp(0, 0xFFFF);
        let before = usize::try_from(-offset).unwrap_or(0);
        let mut lines = if before > 0 { lines_before(debugger, pivot as u16, before) } else { Vec::new() };
        // Where memory begins there is nothing before it.
        let missing = before - lines.len();
        let ahead = usize::try_from(offset).unwrap_or(0);
        lines.extend(
            view::disassembly(debugger, pivot as u16, count + ahead + 1).into_iter().skip(ahead).map(Some),
        );
        let mut shown: Vec<Option<view::Line>> = vec![None; missing];
        shown.extend(lines);
        shown.truncate(count);
        // An address that has come round is none.
        let mut last = None;
        let mut instructions = Vec::new();
        for line in shown {
            let wrapped = line.as_ref().is_some_and(|line| last.is_some_and(|last| line.address < last));
            let Some(line) = line.filter(|_| !wrapped) else {
                let at = if instructions.len() < missing { "0x0000" } else { "0xFFFF" };
                instructions.push(json!({ "address": at, "instruction": "", "presentationHint": "invalid" }));
                continue;
            };
            last = Some(line.address);
            instructions.push(self.instruction(&line)?);
        }
        Ok(json!({ "instructions": instructions }))
    }

    fn instruction(&mut self, line: &view::Line) -> Result<Value, Refused> {
        let debugger = &self.session()?.debugger;
        let banks = debugger.console().board.cartridge().prg_banks();
        let source = debugger.sources.line_at(line.address, banks);
        let bytes: Vec<String> = line.bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let mut value = json!({
            "address": format!("0x{:04X}", line.address),
            "instructionBytes": bytes.join(" "),
            "instruction": line.instruction,
        });
        if let Some(label) = &line.label {
            value["symbol"] = json!(label);
        }
        if let Some(source) = source {
            value["location"] = self.source_value(source.file);
            value["line"] = json!(self.line_out(source.line));
        }
        Ok(value)
    }

    pub(crate) fn loaded_sources(&mut self) -> Result<Value, Refused> {
        let count = self.session()?.debugger.sources.files().len();
        let sources: Vec<Value> = (0..count).map(|file| self.source_value(file)).collect();
        Ok(json!({ "sources": sources }))
    }

    pub(crate) fn source(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        let name =
            arguments.source.path.clone().or_else(|| arguments.source.name.clone()).unwrap_or_default();
        // Files of the debug file only: the client reads others by itself.
        let sources = &self.session()?.debugger.sources;
        let file = sources.file(&name).and_then(|file| sources.files().get(file).cloned());
        let bytes =
            file.and_then(|file| self.files.as_mut()?.source(&file).ok()).ok_or(Refused::NoSource(name))?;
        Ok(json!({ "content": String::from_utf8_lossy(&bytes) }))
    }

    pub(crate) fn picture(&mut self) -> Result<Value, Refused> {
        let picture = view::screen(&self.session()?.debugger, &Palette::ntsc());
        let png = picture.png().map_err(Refused::Picture)?;
        Ok(json!({ "data": BASE64_STANDARD.encode(png), "type": "image/png" }))
    }
}

/// As many instructions before an address, those that fall in step with it; fewer where memory
/// begins.
fn lines_before(debugger: &nes_debug::Debugger, address: u16, count: usize) -> Vec<Option<view::Line>> {
    let reach = i64::from(address) - LONGEST * count as i64 - LONGEST;
    let reach = reach.max(0) as u16;
    // From some address a few bytes further on the instructions meet the one that is wanted.
    for begin in reach..reach.saturating_add(8).min(address) {
        let lines = view::disassembly(debugger, begin, usize::from(address - begin));
        let end = lines.iter().position(|line| line.address >= address).unwrap_or(lines.len());
        if lines.get(end).is_some_and(|line| line.address == address) || end == lines.len() {
            let lines = &lines[..end];
            return lines[end.saturating_sub(count)..].iter().cloned().map(Some).collect();
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_a_memory_and_a_number() {
        let cpu = |at| Some(Reference { space: Space::Cpu, at });
        assert_eq!((Reference::parse("0x8000"), Reference::parse("$C000")), (cpu(0x8000), cpu(0xC000)));
        assert_eq!(Reference::parse("ppu:0x2000"), Some(Reference { space: Space::Ppu, at: 0x2000 }));
        assert_eq!(
            (Reference::parse("rom:1"), Reference::parse("-1"), Reference::parse("")),
            (None, None, None)
        );
        assert_eq!(Reference::parse("0xFFFF").and_then(|reference| reference.address(1)), None);
        assert_eq!(of_data_id(&data_id(0x300, 2)), Some(0x300..=0x301));
        assert_eq!((of_data_id("0x301-0x300"), of_data_id("x")), (None, None));
        assert_eq!(of_data_id(&data_id(0xFFFF, 9)), Some(0xFFFF..=0xFFFF));
    }
}
