//! From text to symbols.

use super::format::address_of_prg;
use super::{Label, SymbolError, Symbols};

fn wrong(index: usize, expected: &'static str, line: &str) -> SymbolError {
    SymbolError::Line { line: index + 1, expected, found: line.chars().take(40).collect() }
}

/// The lines that say something, numbered from 0.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty())
}

fn hex(digits: &str) -> Option<usize> {
    let digits = digits.trim().trim_start_matches("0x").trim_start_matches('$');
    usize::from_str_radix(digits, 16).ok()
}

fn address(digits: &str) -> Option<u16> {
    hex(digits).and_then(|address| u16::try_from(address).ok())
}

pub(super) fn vice(text: &str) -> Result<Symbols, SymbolError> {
    const EXPECTED: &str = "`al 00C000 .name`";
    let mut symbols = Symbols::default();
    for (index, line) in lines(text) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("al" | "add_label") => {
                let place = words.next().map(|place| place.trim_start_matches("C:").trim_start_matches("c:"));
                let name = words.next().map(|name| name.trim_start_matches('.'));
                let (Some(address), Some(name)) = (place.and_then(address), name) else {
                    return Err(wrong(index, EXPECTED, line));
                };
                symbols.add(Label::new(name, address));
            }
            // A file of VICE's monitor may hold any of its commands.
            Some(word) if word.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '_') => {}
            _ => return Err(wrong(index, EXPECTED, line)),
        }
    }
    Ok(symbols)
}

pub(super) fn ca65(text: &str) -> Result<Symbols, SymbolError> {
    const EXPECTED: &str = "a keyword and `key=value`, as `sym id=0,name=\"x\",val=0xC000,type=lab`";
    let mut symbols = Symbols::default();
    for (index, line) in lines(text) {
        let Some((keyword, fields)) = line.split_once(char::is_whitespace) else {
            return Err(wrong(index, EXPECTED, line));
        };
        if !keyword.chars().all(|letter| letter.is_ascii_lowercase()) || !fields.contains('=') {
            return Err(wrong(index, EXPECTED, line));
        }
        if keyword != "sym" {
            continue;
        }
        let field =
            |key: &str| fields.split(',').find_map(|field| field.trim().strip_prefix(key)?.strip_prefix('='));
        // Of the others, equates are no addresses and imports are defined elsewhere in the file.
        if field("type") != Some("lab") {
            continue;
        }
        let name = field("name").map(|name| name.trim_matches('"'));
        let (Some(name), Some(value)) = (name, field("val").and_then(hex)) else {
            return Err(wrong(index, EXPECTED, line));
        };
        let bytes = field("size").and_then(|size| size.parse().ok()).unwrap_or(1).max(1);
        // Labels beyond the CPU's space are those of CHR.
        if let Ok(address) = u16::try_from(value) {
            symbols.add(Label { bytes, ..Label::new(name, address) });
        }
    }
    Ok(symbols)
}

pub(super) fn fceux(text: &str) -> Result<Symbols, SymbolError> {
    const EXPECTED: &str = "`$C000#name#comment`";
    let mut symbols = Symbols::default();
    for (index, line) in lines(text) {
        // Behind a backslash the comment of the line before goes on.
        if line.starts_with('\\') {
            continue;
        }
        let mut parts = line.splitn(3, '#');
        let place = parts.next().unwrap_or_default();
        let Some(name) = parts.next() else { return Err(wrong(index, EXPECTED, line)) };
        let (start, length) = place.split_once('/').unwrap_or((place, "1"));
        let (Some(address), Some(bytes)) = (start.strip_prefix('$').and_then(address), address(length))
        else {
            return Err(wrong(index, EXPECTED, line));
        };
        if name.is_empty() {
            continue;
        }
        let about = parts.next().unwrap_or_default().trim_end_matches('#').to_owned();
        symbols.add(Label { bytes: bytes.max(1), about, ..Label::new(name, address) });
    }
    Ok(symbols)
}

pub(super) fn mesen(text: &str, prg_rom: usize) -> Result<Symbols, SymbolError> {
    const EXPECTED: &str = "`memory:address:name:comment`, as `NesPrgRom:4000:name`";
    let mut symbols = Symbols::default();
    for (index, line) in lines(text) {
        let mut parts = line.splitn(4, ':');
        let (Some(memory), Some(place), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(wrong(index, EXPECTED, line));
        };
        let (first, last) = place.split_once('-').unwrap_or((place, place));
        let (Some(first), Some(last)) = (hex(first), hex(last)) else {
            return Err(wrong(index, EXPECTED, line));
        };
        let address = match memory {
            "P" | "NesPrgRom" => address_of_prg(first, prg_rom),
            "R" | "NesInternalRam" | "G" | "NesMemory" => u16::try_from(first).ok(),
            "S" | "W" | "NesSaveRam" | "NesWorkRam" => {
                first.checked_add(0x6000).and_then(|at| u16::try_from(at).ok())
            }
            _ if memory.chars().all(char::is_alphanumeric) && !memory.is_empty() => None,
            _ => return Err(wrong(index, EXPECTED, line)),
        };
        let (Some(address), false) = (address, name.is_empty()) else { continue };
        let bytes = u16::try_from(last.saturating_sub(first).saturating_add(1)).unwrap_or(u16::MAX);
        let about = parts.next().unwrap_or_default().replace("\\n", "\n");
        symbols.add(Label { bytes, about, ..Label::new(name, address) });
    }
    Ok(symbols)
}
