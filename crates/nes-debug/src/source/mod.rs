//! Source files: which line an instruction was made from, where the code of a line lies, and what C
//! keeps where.
//!
//! It is made from ld65's debug file. Bytes of PRG-ROM are known by their place there, so that
//! banks are told apart; what runs in RAM is known by its address.

mod flat;
mod function;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::flat::Flat;
pub use self::function::{Function, Home, Variable};
use crate::symbols::dbg::{
    DebugFile, LineKind, ScopeRecord, SegmentRecord, Storage, SymbolKind, SymbolRecord,
};
use crate::symbols::{Banks, SymbolError, place_of};

/// A line of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLine {
    /// Which file, as an index of [`Sources::files`].
    pub file: usize,
    /// Counted from 1.
    pub line: u32,
}

/// Where an instruction lies: its address, and of PRG-ROM which byte that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The byte of PRG-ROM, if it lies there.
    pub place: Option<u32>,
    /// The CPU's address that it was linked for.
    pub address: u16,
}

/// Bytes of a JSR.
const JSR: u16 = 3;

impl Spot {
    fn key(self) -> u32 {
        self.place.map_or(u32::from(self.address), |place| PRG.saturating_add(place))
    }

    /// Whether the CPU sees this byte at `address` while the board shows `banks`.
    pub fn is_at(self, address: u16, banks: Banks) -> bool {
        self.address == address && self.place.is_none_or(|place| place_of(address, banks) == Some(place))
    }
}

/// Where a variable of C lies now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its address.
    pub address: u16,
    /// Bytes that it takes, 0 where that is not known.
    pub bytes: u16,
}

/// Variables of C by their names.
pub type Variables = BTreeMap<String, Stored>;

/// Where the bytes of PRG-ROM begin among the keys: below them are addresses.
const PRG: u32 = 0x1_0000;

/// By what code is found: the place in PRG-ROM, or the address below `$8000`.
fn key_at(address: u16, banks: Banks) -> u32 {
    place_of(address, banks).map_or(u32::from(address), |place| PRG.saturating_add(place))
}

/// Bytes of one line or function that lie behind each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Extent {
    key: u32,
    bytes: u32,
    address: u16,
}

impl Extent {
    fn spot(self) -> Spot {
        Spot { address: self.address, place: self.key.checked_sub(PRG) }
    }

    fn end(self) -> u32 {
        self.key.saturating_add(self.bytes)
    }
}

/// The sources of a program; without a debug file there are none.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<String>,
    /// What each line became, C apart from the assembler that it became first.
    code: BTreeMap<SourceLine, Vec<Extent>>,
    /// Files of C.
    in_c: Vec<bool>,
    lines: Flat<SourceLine>,
    by_function: Flat<usize>,
    functions: Vec<Function>,
    /// Variables of C that the whole program knows, and static ones of files.
    globals: Variables,
    /// A bit for each address at which the own code of a function of C begins.
    entries: Vec<u64>,
    /// The lines of the files that could be read.
    texts: BTreeMap<usize, Arc<Vec<String>>>,
    /// Addresses of procedures in the assembler that C knows by name.
    called_by_c: Vec<Spot>,
    stack_pointer: Option<u16>,
}

impl Sources {
    /// Reads ld65's debug file. `prg_rom` is the length of the cartridge's PRG-ROM.
    ///
    /// # Errors
    /// The first line that is none.
    pub fn parse(text: &str, prg_rom: usize) -> Result<Self, SymbolError> {
        Ok(Self::of(&DebugFile::parse(text)?, prg_rom))
    }

    pub(crate) fn of(debug: &DebugFile, prg_rom: usize) -> Self {
        let mut sources = Self::default();
        let mut numbers = BTreeMap::new();
        for (id, name) in &debug.files {
            // Several modules may name one file.
            let known = sources.files.iter().position(|known| known == name);
            let file = known.unwrap_or_else(|| {
                sources.files.push(name.clone());
                sources.files.len() - 1
            });
            numbers.insert(*id, file);
        }
        sources.in_c = vec![false; sources.files.len()];
        let reader = Reader { debug, prg_rom };
        let mut painted = Vec::new();
        for record in &debug.lines {
            let Some(&file) = numbers.get(&record.file) else { continue };
            let line = SourceLine { file, line: record.line };
            sources.in_c[file] |= record.kind == LineKind::C;
            let extents = reader.extents(&record.spans);
            painted.extend(extents.iter().map(|extent| ((record.kind, extent.bytes), *extent, line)));
            sources.code.entry(line).or_default().extend(extents);
        }
        for extents in sources.code.values_mut() {
            joined(extents);
        }
        sources.code.retain(|_, extents| !extents.is_empty());
        sources.lines = Flat::new(painted);
        sources.stack_pointer = reader.stack_pointer();
        sources.functions = reader.functions();
        let spans = sources.functions.iter().enumerate().flat_map(|(index, function)| {
            function.extents.iter().map(move |extent| ((0, extent.bytes), *extent, index))
        });
        sources.by_function = Flat::new(spans.collect());
        sources.globals = reader.globals();
        sources.entries = vec![0; 0x400];
        for function in sources.functions.iter_mut().filter(|function| function.is_c) {
            // The head is a line of its own, and nothing but a JSR to `pusha` or the like.
            let head = sources.lines.end(function.key()) == Some(function.key() + u32::from(JSR));
            if head && function.has_arguments() {
                let Spot { place, address } = function.entry;
                let place = place.map(|place| place + u32::from(JSR));
                function.body = Spot { place, address: address.wrapping_add(JSR) };
            }
            let address = function.body.address;
            sources.entries[usize::from(address >> 6)] |= 1 << (address & 63);
        }
        sources.called_by_c = reader.called_by_c();
        sources
    }

    /// Is no line known?
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    /// The names of the source files, as the debug file has them.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The file of that name: the whole name, or the end of it from a `/` on, or the end of `name`
    /// that is such an end. `None` if there is none, or if several end so.
    pub fn file(&self, name: &str) -> Option<usize> {
        let name = name.replace('\\', "/");
        let exact = self.files.iter().position(|file| *file == name);
        exact.or_else(|| {
            // The one with the most folders in common; at the least the name has to be the same.
            let common = |file: &str| {
                let parts = file.rsplit('/').zip(name.rsplit('/'));
                parts.take_while(|(one, other)| one.eq_ignore_ascii_case(other)).count()
            };
            let best = self.files.iter().map(|file| common(file)).max().filter(|&most| most > 0)?;
            let mut found = (0..self.files.len()).filter(|&file| common(&self.files[file]) == best);
            let first = found.next();
            first.filter(|_| found.next().is_none())
        })
    }

    /// A line by its file and number, as `main.c:12`.
    pub fn text(&self, line: SourceLine) -> String {
        let name = self.files.get(line.file).map_or("", String::as_str);
        format!("{}:{}", name.rsplit('/').next().unwrap_or(name), line.line)
    }

    /// Is it a file of C?
    pub fn is_c(&self, file: usize) -> bool {
        self.in_c.get(file).is_some_and(|is_c| *is_c)
    }

    /// The line that the instruction at `address` was made from: that of C before that of the
    /// assembler.
    pub fn line_at(&self, address: u16, banks: Banks) -> Option<SourceLine> {
        self.lines.at(key_at(address, banks))
    }

    /// The function that `address` lies in.
    pub fn function_at(&self, address: u16, banks: Banks) -> Option<&Function> {
        self.functions.get(self.index_at(address, banks)?)
    }

    pub(crate) fn index_at(&self, address: u16, banks: Banks) -> Option<usize> {
        self.by_function.at(key_at(address, banks))
    }

    /// Whether one of the parts of `line` begins at `address`.
    pub(crate) fn begins_at(&self, line: SourceLine, address: u16, banks: Banks) -> bool {
        let key = key_at(address, banks);
        self.code.get(&line).is_some_and(|extents| extents.iter().any(|extent| extent.key == key))
    }

    /// The function of that name, of C or of the assembler.
    pub fn function(&self, name: &str) -> Option<&Function> {
        let named =
            |is_c| self.functions.iter().find(|function| function.is_c == is_c && function.name == name);
        named(true).or_else(|| named(false))
    }

    /// Every function.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The line itself if it has code, or else the next of its file that has.
    pub fn next_with_code(&self, line: SourceLine) -> Option<SourceLine> {
        let last = SourceLine { line: u32::MAX, ..line };
        self.code.range(line..=last).next().map(|(line, _)| *line)
    }

    /// The lines of a file that have code, within `first` and `last`.
    pub fn lines_with_code(&self, file: usize, first: u32, last: u32) -> impl Iterator<Item = u32> + '_ {
        let range = if first <= last { first..=last } else { last..=last };
        let (first, last) = (*range.start(), *range.end());
        let ends = SourceLine { file, line: first }..=SourceLine { file, line: last };
        self.code.range(ends).map(|(line, _)| line.line)
    }

    /// Where the code of a line begins. A line of C may have several parts, as the head of a loop:
    /// of each function only the first counts, so that a breakpoint stops once.
    pub fn spots(&self, line: SourceLine) -> Vec<Spot> {
        let Some(extents) = self.code.get(&line) else { return Vec::new() };
        let mut functions = Vec::new();
        let first = |extent: &&Extent| {
            let function = self.by_function.at(extent.key);
            let again = self.is_c(line.file) && functions.contains(&function);
            functions.push(function);
            !again
        };
        extents.iter().filter(first).map(|extent| extent.spot()).collect()
    }

    /// Variables of C that the whole program knows, and static ones of files.
    pub fn globals(&self) -> &Variables {
        &self.globals
    }

    /// Gives the text of a file.
    pub fn set_text(&mut self, file: usize, text: &str) {
        if file < self.files.len() {
            let lines = text.lines().map(|line| line.replace('\t', "    "));
            self.texts.insert(file, Arc::new(lines.collect()));
        }
    }

    /// The lines of a file, if it could be read.
    pub fn file_text(&self, file: usize) -> Option<&Arc<Vec<String>>> {
        self.texts.get(&file)
    }

    /// The text of a line, if the file could be read.
    pub fn line_text(&self, line: SourceLine) -> Option<&str> {
        let index = usize::try_from(line.line).ok()?.checked_sub(1)?;
        self.texts.get(&line.file)?.get(index).map(String::as_str)
    }

    /// Whether `address` lies in the head of a function of C.
    pub(crate) fn is_head(&self, address: u16, banks: Banks) -> bool {
        self.function_at(address, banks).is_some_and(|function| {
            function.body != function.entry
                && (function.key()..function.body.key()).contains(&key_at(address, banks))
        })
    }

    /// The function of C whose own code begins at `address`.
    #[inline]
    pub(crate) fn entered(&self, address: u16, banks: Banks) -> Option<usize> {
        let word = self.entries.get(usize::from(address >> 6))?;
        if word >> (address & 63) & 1 == 0 {
            return None;
        }
        let index = self.by_function.at(key_at(address, banks))?;
        self.functions.get(index).filter(|function| function.body.is_at(address, banks)).map(|_| index)
    }

    /// Where in the zero page cc65 keeps the pointer to the stack of C, if the program has one.
    pub fn stack_pointer(&self) -> Option<u16> {
        self.stack_pointer
    }

    /// Whether a step into a subroutine that begins at `address`, called by a line of C, ends
    /// there: in C, and in procedures that C knows by name, but not in what cc65 calls for itself.
    pub(crate) fn enters(&self, address: u16, banks: Banks) -> bool {
        let line = self.line_at(address, banks);
        line.is_some_and(|line| self.is_c(line.file))
            || self.called_by_c.iter().any(|spot| spot.is_at(address, banks))
    }
}

/// Sorts extents and makes one of those that touch.
fn joined(extents: &mut Vec<Extent>) {
    extents.sort_unstable();
    extents.dedup_by(|next, before| {
        let touches = next.key <= before.end();
        if touches {
            before.bytes = next.end().max(before.end()) - before.key;
        }
        touches
    });
}

/// Concludes from the records of a debug file.
struct Reader<'a> {
    debug: &'a DebugFile,
    /// Bytes of PRG-ROM.
    prg_rom: usize,
}

impl Reader<'_> {
    fn extents(&self, spans: &[u32]) -> Vec<Extent> {
        let extent = |id: &u32| {
            let span = self.debug.spans.get(id)?;
            let segment = self.debug.segments.get(&span.segment)?;
            let address = segment.start.checked_add(span.start as usize)?;
            // A span ends where its segment and the CPU's space end.
            let room = (segment.start.checked_add(segment.size)?).min(0x1_0000).checked_sub(address)?;
            let bytes = span.size.min(u32::try_from(room).ok()?);
            self.extent(segment, address, bytes)
        };
        let mut extents: Vec<Extent> = spans.iter().filter_map(extent).collect();
        joined(&mut extents);
        extents
    }

    fn extent(&self, segment: &SegmentRecord, address: usize, bytes: u32) -> Option<Extent> {
        let place = segment.place(address, self.prg_rom);
        let address = u16::try_from(address).ok()?;
        let key = match place {
            Some(place) => PRG.checked_add(place)?,
            // What lies above $8000 and not in PRG-ROM is of another file, as CHR.
            None if address < 0x8000 => u32::from(address),
            None => return None,
        };
        (bytes > 0).then_some(Extent { key, bytes, address })
    }

    fn spot(&self, label: &SymbolRecord) -> Option<Spot> {
        let segment = self.debug.segments.get(&label.segment?)?;
        self.extent(segment, label.value, 1).map(Extent::spot)
    }

    fn stack_pointer(&self) -> Option<u16> {
        // `c_sp` from cc65 2.20 on.
        let named = |name| {
            let labels = self.debug.symbols.values().filter(|symbol| symbol.kind == SymbolKind::Label);
            labels.into_iter().find(move |symbol| symbol.name == name && symbol.value < 0xFF)
        };
        named("c_sp").or_else(|| named("sp")).and_then(|symbol| u16::try_from(symbol.value).ok())
    }

    fn functions(&self) -> Vec<Function> {
        let mut of_scope: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, symbol) in self.debug.c_symbols.iter().enumerate() {
            of_scope.entry(symbol.scope).or_default().push(index);
        }
        let function = |(id, scope): (&u32, &ScopeRecord)| {
            let label = self.debug.label(scope.symbol?)?;
            let names = of_scope.get(id).map_or(&[][..], Vec::as_slice);
            let names: Vec<_> = names.iter().map(|&index| &self.debug.c_symbols[index]).collect();
            let own = names.iter().find(|name| name.symbol == scope.symbol && name.storage != Storage::Auto);
            let extents = self.extents(&scope.spans);
            let entry = self.spot(label)?;
            (!extents.is_empty()).then(|| Function {
                name: own.map_or_else(|| scope.name.clone(), |own| own.name.clone()),
                is_c: own.is_some(),
                entry,
                body: entry,
                variables: function::variables(&names, scope.symbol, |symbol| self.variable(symbol)),
                extents,
            })
        };
        self.debug.scopes.iter().filter_map(function).collect()
    }

    /// A name that stands for an address of data.
    fn variable(&self, symbol: u32) -> Option<(u16, u16)> {
        let label = self.debug.label(symbol)?;
        let address = u16::try_from(label.value).ok()?;
        Some((address, u16::try_from(label.bytes).unwrap_or(u16::MAX)))
    }

    /// Names that the assembler has with `_` before them, in RAM: cc65 names its variables so.
    fn globals(&self) -> Variables {
        let variable = |symbol: &SymbolRecord| {
            let name = symbol.name.strip_prefix('_').filter(|name| !name.is_empty())?;
            let segment = self.debug.segments.get(&symbol.segment?)?;
            let data = segment.writable || symbol.value < 0x100;
            let address = u16::try_from(symbol.value).ok().filter(|_| data)?;
            let bytes = u16::try_from(symbol.bytes).unwrap_or(u16::MAX);
            Some((name.to_owned(), Stored { address, bytes }))
        };
        let symbols = self.debug.symbols.values();
        symbols.filter(|symbol| symbol.kind == SymbolKind::Label).filter_map(variable).collect()
    }

    fn called_by_c(&self) -> Vec<Spot> {
        let names = self.debug.c_symbols.iter().filter_map(|name| self.debug.label(name.symbol?));
        let mut spots: Vec<Spot> = names.filter_map(|label| self.spot(label)).collect();
        spots.sort_unstable();
        spots.dedup();
        spots
    }
}
