//! From text to symbols.

use super::{Label, SymbolError, Symbols};

pub(super) fn wrong(index: usize, expected: &'static str, line: &str) -> SymbolError {
    SymbolError::Line { line: index + 1, expected, found: line.chars().take(40).collect() }
}

/// The lines that say something, numbered from 0.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty())
}

pub(super) fn hex(digits: &str) -> Option<usize> {
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
        symbols.add(Label::new(name, address).with(bytes.into(), about));
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
        let plain = |address: Option<usize>| {
            address.and_then(|address| u16::try_from(address).ok()).map(|address| Label::new(name, address))
        };
        let label = match memory {
            "P" | "NesPrgRom" => Label::in_prg(name, first, prg_rom),
            "R" | "NesInternalRam" | "G" | "NesMemory" => plain(Some(first)),
            "S" | "W" | "NesSaveRam" | "NesWorkRam" => plain(first.checked_add(0x6000)),
            _ if memory.chars().all(char::is_alphanumeric) && !memory.is_empty() => None,
            _ => return Err(wrong(index, EXPECTED, line)),
        };
        let (Some(label), false) = (label, name.is_empty()) else { continue };
        let about = parts.next().unwrap_or_default().replace("\\n", "\n");
        symbols.add(label.with(last.saturating_sub(first).saturating_add(1), about));
    }
    Ok(symbols)
}
