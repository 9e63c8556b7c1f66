//! ld65's debug file, record by record: what is in it, and nothing that is concluded from it.
//!
//! A line is a keyword and `key=value` with commas between; records name each other by numbers.
//! A record that names one that is not there has none: labels alone are a debug file, too.

use std::collections::BTreeMap;

use super::read::{hex, lines, wrong};
use super::{Label, SymbolError, Symbols, label::WINDOW};

const EXPECTED: &str = "a keyword and `key=value`, as `sym id=0,name=\"x\",val=0xC000,type=lab`";
const VERSION: &str = "version 2 of ld65's debug file, as `version major=2,minor=0`";

/// Bytes of the image before PRG-ROM.
const HEADER: usize = 16;

/// What a debug file says.
#[derive(Clone, Debug, Default)]
pub(crate) struct DebugFile {
    /// Names of source files as the assembler was given them.
    pub(crate) files: BTreeMap<u32, String>,
    pub(crate) lines: Vec<LineRecord>,
    pub(crate) spans: BTreeMap<u32, SpanRecord>,
    pub(crate) segments: BTreeMap<u32, SegmentRecord>,
    pub(crate) scopes: BTreeMap<u32, ScopeRecord>,
    pub(crate) symbols: BTreeMap<u32, SymbolRecord>,
    pub(crate) c_symbols: Vec<CSymbolRecord>,
}

/// What wrote a line of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LineKind {
    C,
    Assembler,
    Macro,
}

/// A line of a source file, and the spans that it became.
#[derive(Clone, Debug)]
pub(crate) struct LineRecord {
    pub(crate) file: u32,
    /// Counted from 1.
    pub(crate) line: u32,
    pub(crate) kind: LineKind,
    pub(crate) spans: Vec<u32>,
}

/// Bytes of a segment: `start` counts from its beginning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpanRecord {
    pub(crate) segment: u32,
    pub(crate) start: u32,
    pub(crate) size: u32,
}

/// A segment.
#[derive(Clone, Debug)]
pub(crate) struct SegmentRecord {
    /// The CPU's address of its first byte.
    pub(crate) start: usize,
    pub(crate) size: usize,
    /// Where its first byte lies in the image, if ld65 wrote it there.
    offset: Option<usize>,
    pub(crate) writable: bool,
}

/// A scope of ca65: a file, a procedure, a function.
#[derive(Clone, Debug)]
pub(crate) struct ScopeRecord {
    pub(crate) name: String,
    /// The label that a procedure has.
    pub(crate) symbol: Option<u32>,
    pub(crate) spans: Vec<u32>,
}

/// A symbol of ca65.
#[derive(Clone, Debug)]
pub(crate) struct SymbolRecord {
    pub(crate) name: String,
    pub(crate) value: usize,
    pub(crate) bytes: usize,
    pub(crate) scope: Option<u32>,
    pub(crate) segment: Option<u32>,
    pub(crate) kind: SymbolKind,
}

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymbolKind {
    Label,
    Constant,
    /// One of another file, by its number if it is known.
    Import(Option<u32>),
}

/// A name in C.
#[derive(Clone, Debug)]
pub(crate) struct CSymbolRecord {
    pub(crate) name: String,
    pub(crate) scope: u32,
    pub(crate) storage: Storage,
    /// From the stack of C at the function's beginning, or from `regbank`, in bytes.
    pub(crate) offset: i32,
    /// The assembler's name.
    pub(crate) symbol: Option<u32>,
}

/// Where a name of C is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// On the stack of C.
    Auto,
    /// In the zero page, from `regbank` on.
    Register,
    /// At an address, known in its file.
    Static,
    /// At an address, known everywhere.
    Extern,
}

impl SegmentRecord {
    /// The place in PRG-ROM of the byte at `address`, if the segment lies there; `prg_rom` is its
    /// length.
    pub(crate) fn place(&self, address: usize, prg_rom: usize) -> Option<u32> {
        let within = address.checked_sub(self.start).filter(|&within| within < self.size)?;
        let place = self.offset?.checked_sub(HEADER)?.checked_add(within)?;
        if address < WINDOW || place >= prg_rom {
            return None;
        }
        u32::try_from(place).ok()
    }
}

impl DebugFile {
    /// Reads a debug file.
    ///
    /// # Errors
    /// The first line that is none.
    pub(crate) fn parse(text: &str) -> Result<Self, SymbolError> {
        let mut file = Self::default();
        for (index, line) in lines(text) {
            let parts = line.split_once(char::is_whitespace).filter(|(keyword, fields)| {
                keyword.chars().all(|letter| letter.is_ascii_lowercase()) && fields.contains('=')
            });
            let (keyword, fields) = parts.ok_or_else(|| wrong(index, EXPECTED, line))?;
            let fields = Fields(fields);
            if keyword == "version" && fields.of("major").is_some_and(|major| major != "2") {
                return Err(wrong(index, VERSION, line));
            }
            file.record(keyword, fields).ok_or_else(|| wrong(index, EXPECTED, line))?;
        }
        Ok(file)
    }

    /// Takes a record in; `None` if a field that it needs is missing or wrong.
    fn record(&mut self, keyword: &str, fields: Fields) -> Option<()> {
        match keyword {
            "file" => {
                let name = fields.text("name")?.replace('\\', "/");
                self.files.insert(fields.number("id")?, name);
            }
            "line" => self.lines.push(LineRecord {
                file: fields.number("file")?,
                line: fields.number("line")?,
                kind: match fields.of("type") {
                    Some("1") => LineKind::C,
                    Some("2") => LineKind::Macro,
                    _ => LineKind::Assembler,
                },
                spans: fields.list("span")?,
            }),
            "span" => {
                let (segment, start) = (fields.number("seg")?, fields.number("start")?);
                let span = SpanRecord { segment, start, size: fields.number("size")? };
                self.spans.insert(fields.number("id")?, span);
            }
            "seg" => {
                let (start, size) = (fields.of("start").and_then(hex)?, fields.of("size").and_then(hex)?);
                let offset = fields.optional("ooffs")?.map(|offset: u32| offset as usize);
                let writable = fields.of("type") == Some("rw");
                self.segments.insert(fields.number("id")?, SegmentRecord { start, size, offset, writable });
            }
            "scope" => {
                let (name, symbol) = (fields.text("name")?.to_owned(), fields.optional("sym")?);
                let scope = ScopeRecord { name, symbol, spans: fields.list("span")? };
                self.scopes.insert(fields.number("id")?, scope);
            }
            "sym" => {
                let symbol = fields.symbol()?;
                self.symbols.insert(fields.number("id")?, symbol);
            }
            "csym" => {
                let storage = match fields.of("sc")? {
                    "auto" => Storage::Auto,
                    "reg" => Storage::Register,
                    "static" => Storage::Static,
                    "ext" => Storage::Extern,
                    _ => return None,
                };
                let offset = match fields.of("offs") {
                    Some(offset) => offset.parse().ok()?,
                    None => 0,
                };
                let (name, scope) = (fields.text("name")?.to_owned(), fields.number("scope")?);
                let symbol = fields.optional("sym")?;
                self.c_symbols.push(CSymbolRecord { name, scope, storage, offset, symbol });
            }
            // Of libraries, modules and types nothing is needed.
            _ => {}
        }
        Some(())
    }

    /// The label that a symbol is, or that it stands for in another file.
    pub(crate) fn label(&self, id: u32) -> Option<&SymbolRecord> {
        let symbol = self.symbols.get(&id)?;
        match symbol.kind {
            SymbolKind::Import(other) => {
                self.symbols.get(&other?).filter(|symbol| symbol.kind == SymbolKind::Label)
            }
            SymbolKind::Label => Some(symbol),
            SymbolKind::Constant => None,
        }
    }

    /// Where in PRG-ROM a label lies, whose length is `prg_rom`.
    pub(crate) fn place(&self, label: &SymbolRecord, prg_rom: usize) -> Option<u32> {
        self.segments.get(&label.segment?)?.place(label.value, prg_rom)
    }

    /// Labels; those of a name that several scopes have are `scope.name`.
    pub(crate) fn labels(&self, prg_rom: usize) -> Symbols {
        let labels = || self.symbols.values().filter(|symbol| symbol.kind == SymbolKind::Label);
        let mut times = BTreeMap::new();
        for label in labels() {
            *times.entry(label.name.as_str()).or_insert(0) += 1;
        }
        let mut symbols = Symbols::default();
        for label in labels() {
            // Labels beyond the CPU's space are those of CHR.
            let Ok(address) = u16::try_from(label.value) else { continue };
            let place = if prg_rom > WINDOW { self.place(label, prg_rom) } else { None };
            let scope = label.scope.and_then(|scope| self.scopes.get(&scope));
            let name = match scope.filter(|scope| !scope.name.is_empty() && times[label.name.as_str()] > 1) {
                Some(scope) => format!("{}.{}", scope.name, label.name),
                None => label.name.clone(),
            };
            symbols.add(Label { place, ..Label::new(name, address) }.with(label.bytes, String::new()));
        }
        symbols
    }
}

/// The fields of a line: `key=value,key="value",key=1+2`.
#[derive(Clone, Copy)]
struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    fn of(self, key: &str) -> Option<&'a str> {
        let mut rest = self.0;
        while !rest.is_empty() {
            let (name, value) = rest.split_once('=')?;
            let end = match value.strip_prefix('"') {
                // A name in quotes may hold commas.
                Some(quoted) => quoted.find('"')? + 2,
                None => value.find(',').unwrap_or(value.len()),
            };
            let (value, behind) = value.split_at(end);
            if name.trim() == key {
                return Some(value.trim());
            }
            rest = behind.strip_prefix(',').unwrap_or_default();
        }
        None
    }

    /// A value in quotes.
    fn text(self, key: &str) -> Option<&'a str> {
        self.of(key).map(|value| value.trim_matches('"'))
    }

    fn number(self, key: &str) -> Option<u32> {
        self.of(key)?.parse().ok()
    }

    /// `Some(None)` where there is no such field, `None` where it is no number.
    #[expect(clippy::option_option, reason = "a field that is missing is another thing than a wrong one")]
    fn optional(self, key: &str) -> Option<Option<u32>> {
        self.of(key).map_or(Some(None), |value| value.parse().ok().map(Some))
    }

    /// Numbers with `+` between; none where there is no such field.
    fn list(self, key: &str) -> Option<Vec<u32>> {
        self.of(key).map_or(Some(Vec::new()), |value| value.split('+').map(|id| id.parse().ok()).collect())
    }

    fn symbol(self) -> Option<SymbolRecord> {
        let kind = match self.of("type") {
            Some("lab") => SymbolKind::Label,
            Some("imp") => SymbolKind::Import(self.optional("exp")?),
            _ => SymbolKind::Constant,
        };
        let value = match self.of("val") {
            Some(value) => hex(value)?,
            None if kind == SymbolKind::Label => return None,
            None => 0,
        };
        Some(SymbolRecord {
            name: self.text("name")?.to_owned(),
            value,
            bytes: self.optional("size")?.unwrap_or(1) as usize,
            scope: self.optional("scope")?.or(self.optional("parent")?),
            segment: self.optional("seg")?,
            kind,
        })
    }
}
