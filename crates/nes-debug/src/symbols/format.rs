//! The formats, and what can be wrong with a file.

use thiserror::Error;

use super::dbg::DebugFile;
use super::{Part, Symbols, read, write};
use crate::Sources;

/// A format of symbol files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Labels as ld65 and VICE write them: `al 00C000 .name` or `al C:c000 .name`.
    Vice,
    /// ld65's debug file, `.dbg`.
    Ca65,
    /// FCEUX's name list, `.nl`: `$C000#name#comment`.
    Fceux,
    /// Mesen's labels, `.mlb`: `P:4000:name:comment` or `NesPrgRom:4000:name:comment`.
    Mesen,
}

/// Why a text is no symbol file. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SymbolError {
    /// A line that is none of this format.
    #[error("line {line}: expected {expected}, found {found:?}")]
    Line {
        /// Line number.
        line: usize,
        /// What should stand there.
        expected: &'static str,
        /// The line's beginning.
        found: String,
    },
    /// Nothing in the text is like any format.
    #[error("no labels: expected a file of ld65 or VICE (.lbl, .dbg), FCEUX (.nl) or Mesen (.mlb)")]
    Unknown,
}

impl Format {
    /// The format of a file of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, end) = name.rsplit_once('.')?;
        Some(match end.to_ascii_lowercase().as_str() {
            "lbl" | "vs" | "labels" | "sym" => Self::Vice,
            "dbg" => Self::Ca65,
            "nl" => Self::Fceux,
            "mlb" => Self::Mesen,
            _ => return None,
        })
    }

    /// The format that a text looks like.
    pub fn of_text(text: &str) -> Option<Self> {
        let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
        if line.starts_with("al ") || line.starts_with("add_label ") {
            Some(Self::Vice)
        } else if line.starts_with("version") && line.contains("major") {
            Some(Self::Ca65)
        } else if line.starts_with('$') && line.contains('#') {
            Some(Self::Fceux)
        } else if line.split(':').count() >= 3 {
            Some(Self::Mesen)
        } else {
            None
        }
    }

    /// Reads a symbol file, whose format its name or else its text says.
    ///
    /// # Errors
    /// A text that is like no format, or the first line that is none of its own.
    pub fn read_file(name: &str, text: &str, prg_rom: usize) -> Result<Symbols, SymbolError> {
        Ok(Self::read_with_sources(name, text, prg_rom)?.0)
    }

    /// The same, and of a debug file what it says of the source files.
    pub(crate) fn read_with_sources(
        name: &str,
        text: &str,
        prg_rom: usize,
    ) -> Result<(Symbols, Option<Sources>), SymbolError> {
        if let Some(part) = Part::of_name(name) {
            return Ok((part.read(text, prg_rom)?, None));
        }
        let format = Self::of_name(name).or_else(|| Self::of_text(text)).ok_or(SymbolError::Unknown)?;
        if format != Self::Ca65 {
            return Ok((format.read(text, prg_rom)?, None));
        }
        let debug = DebugFile::parse(text)?;
        Ok((debug.labels(prg_rom), Some(Sources::of(&debug, prg_rom))))
    }

    /// Reads symbols. `prg_rom` is the length of the cartridge's PRG-ROM, for formats that give
    /// places in it: in 32 KiB and less a place is an address, beyond it the label has a
    /// [`Label::place`](super::Label::place).
    ///
    /// # Errors
    /// The first line that is none of this format.
    pub fn read(self, text: &str, prg_rom: usize) -> Result<Symbols, SymbolError> {
        match self {
            Self::Vice => read::vice(text),
            Self::Ca65 => Ok(DebugFile::parse(text)?.labels(prg_rom)),
            Self::Fceux => read::fceux(text),
            Self::Mesen => read::mesen(text, prg_rom),
        }
    }

    /// The symbols as a file of this format. Labels of VICE have addresses only; FCEUX keeps a file
    /// for the RAM and one for each bank, which [`Part`](super::Part) writes: this is one for all.
    pub fn write(self, symbols: &Symbols, prg_rom: usize) -> String {
        match self {
            Self::Vice => write::vice(symbols),
            Self::Ca65 => write::ca65(symbols, prg_rom),
            Self::Fceux => write::fceux(symbols),
            Self::Mesen => write::mesen(symbols, prg_rom),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Label;

    const FORMATS: [Format; 4] = [Format::Vice, Format::Ca65, Format::Fceux, Format::Mesen];

    fn names(symbols: &Symbols) -> Vec<(String, u16)> {
        symbols.labels().map(|label| (label.name.clone(), label.address)).collect()
    }

    #[test]
    fn what_is_written_in_any_format_is_read_back() {
        let mut symbols = Symbols::default();
        symbols.add(Label { about: "a piece locks".to_owned(), ..Label::new("lock", 0x99A2) });
        symbols.add(Label { bytes: 200, ..Label::new("playfield", 0x400) });
        symbols.add(Label::new("local.inner", 0xFFF0));
        for format in FORMATS {
            let text = format.write(&symbols, 0x8000);
            assert_eq!(Format::of_text(&text), Some(format), "{text}");
            let read = format.read(&text, 0x8000).unwrap();
            assert_eq!(names(&read), names(&symbols), "{text}");
        }
        let mesen = Format::Mesen.read(&Format::Mesen.write(&symbols, 0x8000), 0x8000).unwrap();
        assert_eq!(mesen, symbols, "comments and lengths too");
    }

    #[test]
    fn lines_of_other_programs_are_read() {
        let vice = Format::Vice.read("al C:c000 .reset\nal 000066 .das\nbreak c000\n", 0x8000).unwrap();
        assert_eq!((vice.address("reset"), vice.address("das")), (Some(0xC000), Some(0x66)));
        let dbg = "version\tmajor=2,minor=0\ninfo\tcsym=0\n\
                   sym\tid=0,name=\"lock\",addrsize=absolute,scope=0,def=1,val=0x99A2,seg=0,type=lab\n\
                   sym\tid=1,name=\"COUNT\",addrsize=zeropage,scope=0,def=1,val=0x7,type=equ\n\
                   sym\tid=2,name=\"wide\",addrsize=absolute,size=3,scope=0,def=1,val=0x300,seg=0,type=lab\n";
        let dbg = Format::Ca65.read(dbg, 0x8000).unwrap();
        assert_eq!((dbg.address("lock"), dbg.address("COUNT"), dbg.len()), (Some(0x99A2), None, 2));
        let fceux = Format::Fceux
            .read("$0400/C8#playfield#the cells\n$C000#reset#\n\\ more\n$C003##only a comment\n", 0x8000);
        let fceux = fceux.unwrap();
        assert_eq!(
            fceux.at(0x400).map(|label| (label.bytes, label.about.as_str())),
            Some((0xC8, "the cells"))
        );
        let mesen = "P:1234:old:x\nNesPrgRom:19A2:lock:a\\nb\nNesInternalRam:0066:das\nR:0400-04C7:playfield:\nG:2000:PPUCTRL\n";
        let mesen = Format::Mesen.read(mesen, 0x8000).unwrap();
        assert_eq!((mesen.address("old"), mesen.address("lock")), (Some(0x9234), Some(0x99A2)));
        assert_eq!(mesen.at(0x400).map(|label| label.bytes), Some(0xC8));
        assert_eq!(mesen.address("PPUCTRL"), Some(0x2000));
    }

    #[test]
    fn a_line_that_is_none_is_an_error_with_its_number() {
        for format in FORMATS {
            let error = format.read("\n\u{1}nonsense\n", 0x8000).unwrap_err();
            assert!(error.to_string().starts_with("line 2: expected "), "{format:?}: {error}");
        }
    }

    #[test]
    fn labels_of_any_bank_are_read_and_written() {
        let mut symbols = Symbols::default();
        symbols.add(Label::new("das", 0x66));
        symbols.add(Label::in_prg("fifth", 0x15F12, 0x40000).unwrap());
        symbols.add(Label::in_prg("last", 0x3C000, 0x40000).unwrap().with(3, "of all".to_owned()));
        for format in [Format::Mesen, Format::Ca65] {
            let text = format.write(&symbols, 0x40000);
            let read = format.read(&text, 0x40000).unwrap();
            let place = |name| read.label(name).map(|label| (label.address, label.place));
            assert_eq!(place("fifth"), Some((0x9F12, Some(0x15F12))), "{text}");
            assert_eq!(place("last"), Some((0xC000, Some(0x3C000))), "{text}");
            assert_eq!(place("das"), Some((0x66, None)), "{text}");
        }
        let mesen = "NesPrgRom:3C000:fixed\nNesPrgRom:40000:beyond\nNesPrgRom:10-12:table\n";
        let mesen = Format::Mesen.read(mesen, 0x40000).unwrap();
        assert_eq!(mesen.labels().map(|label| label.name.as_str()).collect::<Vec<_>>(), ["table", "fixed"]);
    }

    #[test]
    fn segments_of_ld65_say_where_in_the_file_a_label_lies() {
        let dbg = "version\tmajor=2,minor=0\n\
                   seg\tid=0,name=\"HEADER\",start=0x000000,size=0x0010,type=ro,oname=\"g.nes\",ooffs=0\n\
                   seg\tid=1,name=\"BANK2\",start=0x008000,size=0x4000,type=ro,oname=\"g.nes\",ooffs=32784\n\
                   seg\tid=2,name=\"RAM\",start=0x000300,size=0x0100,type=rw\n\
                   sym\tid=0,name=\"there\",val=0x8123,seg=1,type=lab\n\
                   sym\tid=1,name=\"beyond\",val=0xC123,seg=1,type=lab\n\
                   sym\tid=2,name=\"buffer\",val=0x300,seg=2,type=lab\n";
        let label = |prg_rom, name| {
            let symbols = Format::Ca65.read(dbg, prg_rom).unwrap();
            symbols.label(name).map(|label| (label.address, label.place))
        };
        assert_eq!(label(0x20000, "there"), Some((0x8123, Some(0x8123))));
        assert_eq!(label(0x20000, "beyond"), Some((0xC123, None)), "outside of its segment");
        assert_eq!(label(0x20000, "buffer"), Some((0x300, None)));
        assert_eq!(label(0x8000, "there"), Some((0x8123, None)), "without banks an address is enough");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,80}", head in prop::sample::select(vec!["al ", "$", "P:", "sym\tid=0,val=0x"])) {
            for format in FORMATS {
                let _ = format.read(&text, 0x8000);
                let _ = format.read(&format!("{head}{text}"), 0);
            }
            let _ = Format::of_text(&text);
        }
    }
}
